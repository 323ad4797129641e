"""The page of inputs, who may enter what when: `make pages` writes its table."""

import re
from pathlib import Path

import msgspec

from controller.engine.decisions.deciders import OF_PLAY, ROWS
from controller.engine.decisions.decision import Row
from controller.engine.state.persons import PersonInput
from controller.rulebook.roles import AT_THE_TABLE, SUPERVISOR

PAGE = Path(__file__).parents[2] / "docs" / "inputs.md"
HEADER = "| When | `kind` | Who | `step_id` |\n| --- | --- | --- | --- |\n"
WRITTEN = re.compile(re.escape(HEADER) + r"(?:\|.*\n)+")
PLAYS = {"hands": "black-jack", "places": "Taiwan-Pai Kao"}


def steps_named(row: Row) -> set[str]:
    """The steps at which an input is legal; none where it is no matter of steps."""
    return set(re.findall(r"`(\w+)`", row.when.says))


def table() -> str:
    """The table as it should stand on the page; what may be said at the same time by the same persons shares a line."""
    lines: dict[tuple[str, str, str], list[str]] = {}
    for kind, row in ROWS.items():
        if issubclass(kind, PersonInput):
            lines.setdefault((_when(kind, row), _who(row), _step_id(row)), []).append(f"`{_tag(kind)}`")
    return HEADER + "".join(
        f"| {when} | {', '.join(kinds)} | {who} | {step_id} |\n" for (when, who, step_id), kinds in lines.items()
    )


def _tag(kind: type[msgspec.Struct]) -> str:
    return str(kind.__struct_config__.tag)


def _when(kind: type[PersonInput], row: Row) -> str:
    own = {PLAYS[_tag(play)]: rows[kind].when.says for play, rows in OF_PLAY.items() if kind in rows}
    return "; ".join([row.when.says, *(f"at {game} {says}" for game, says in own.items() if says != row.when.says)])


def _who(row: Row) -> str:
    return (
        SUPERVISOR
        if row.only
        else "any person of `[people]`"
        if row.any_role
        else " or ".join((*AT_THE_TABLE, *row.also))
    )


def _step_id(row: Row) -> str:
    return "`" + (re.sub(r"\{(\w+?)s?\}", r"<\1>", row.answers) or "step.id") + "`"


if __name__ == "__main__":
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(WRITTEN.sub(lambda _: table(), page), encoding="utf-8")
