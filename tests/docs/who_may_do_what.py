"""The page of inputs, who may enter what when and with which fields: `make pages` writes its tables."""

import re
import types
from collections.abc import Iterator
from typing import Annotated, Any, Literal, get_args, get_origin

import msgspec

from controller.engine.decisions.deciders import OF_PLAY, ROWS
from controller.engine.decisions.decision import Row
from controller.engine.state.persons import PersonInput
from controller.rulebook.roles import AT_THE_TABLE, SUPERVISOR
from tests.docs.tables import PageTable

HEADER = "| When | `kind` | Who | `step_id` |\n| --- | --- | --- | --- |\n"
FIELDS_HEADER = "| `kind` | Fields | Meaning |\n| --- | --- | --- |\n"
ANSWERS = re.compile(r"\s*(?:Corrections a|A)nswers? ``[^`]+``\.")  # the first table has it
TYPES = {int: "number", str: "text", bool: "true or false", float: "number"}
PLAYS = {"hands": "black-jack", "places": "Taiwan-Pai Kao"}


def steps_named(row: Row) -> set[str]:
    """The steps at which an input is legal; none where it is no matter of steps."""
    return set(re.findall(r"`(\w+)`", row.when.says))


def table() -> str:
    """The table as it should be on the page; inputs of the same persons at the same time share a line."""
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


def fields() -> str:
    """The table of the fields of each input, beside those that all have; what an input means is its docstring."""
    kinds = [kind for kind in dict.fromkeys((*ROWS, *_of_plays())) if issubclass(kind, PersonInput)]
    return FIELDS_HEADER + "".join(
        f"| `{_tag(kind)}` | {', '.join(_fields(kind))} | {_meaning(kind)} |\n" for kind in kinds
    )


def _of_plays() -> Iterator[type[Any]]:
    """Inputs with a row for one kind of play alone."""
    for rows in OF_PLAY.values():
        yield from rows


def _fields(kind: type[msgspec.Struct]) -> Iterator[str]:
    of_all = {field.name for field in msgspec.structs.fields(PersonInput)}
    for field in msgspec.structs.fields(kind):
        if field.name not in of_all:
            yield f"`{field.name}`{'' if field.required else '?'} ({_type(field.type)})"


def _type(of: Any) -> str:
    if get_origin(of) is Literal:
        return ", ".join(f"`{value}`" for value in get_args(of))
    if get_origin(of) is Annotated:
        return _type(get_args(of)[0])
    if get_origin(of) is tuple:
        return f"list of {_type(get_args(of)[0])}"
    if isinstance(of, types.UnionType):
        return _type(next(kind for kind in get_args(of) if kind is not types.NoneType))
    return TYPES[of]


def _meaning(kind: type) -> str:
    text = " ".join((kind.__doc__ or "").split())
    return ANSWERS.sub("", text).replace("``", "`").replace("|", "\\|")


WHO_MAY = PageTable("inputs.md", HEADER, table)
FIELDS = PageTable("inputs.md", FIELDS_HEADER, fields)

if __name__ == "__main__":
    WHO_MAY.write()
    FIELDS.write()
