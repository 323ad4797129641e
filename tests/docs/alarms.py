"""The table on the page of alarms: `make pages` writes it there."""

from collections.abc import Iterator
from typing import get_args

from controller.engine.state.alarms import ACKNOWLEDGED, ALARMS, AlarmKind
from controller.rulebook.parts.faults import DeviceName
from controller.words import ENGLISH
from tests.docs.tables import PageTable

HEADER = "| Alarm | Level | What is wrong | What to do | Ends |\n| --- | --- | --- | --- | --- |\n"
BY_CAUSE = "device_lost/"
CONNECTIONS = "[by its cause](#why-a-connection-is-away)"


def table() -> str:
    """The table as it should be on the page."""
    return HEADER + "".join(f"| {' | '.join(line)} |\n" for row in ALARMS for line in _lines(row))


def _lines(row: AlarmKind) -> Iterator[tuple[str, ...]]:
    shown = row.devices if len(row.devices) < len(get_args(DeviceName)) else ()
    name = ", ".join(f"`{row.name.replace('{device}', text)}`" for text in shown or ("{device}",))
    texts = {code: (ENGLISH.alarm_texts[code], ENGLISH.alarm_actions[code]) for code in row.codes}
    if all(code.startswith(BY_CAUSE) for code in row.codes):
        texts = {BY_CAUSE: ("It does not answer.", CONNECTIONS)}
    for text, action in dict.fromkeys(texts.values()):
        level = row.level if row.spare is None else f"{row.level}; {row.spare} of a spare"
        yield name, level, text, action, _ends(row)


def _ends(row: AlarmKind) -> str:
    if row.ends == ACKNOWLEDGED:
        return "when it is acknowledged"
    return " or ".join(f"with `{kind}`" for kind in row.ends) or "by itself"


TABLE = PageTable("alarms.md", HEADER, table)

if __name__ == "__main__":
    TABLE.write()
