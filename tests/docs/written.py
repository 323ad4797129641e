"""Tables of alarms, budgets and the compatibility kit, the page of columns, udev rules: `make pages` writes them."""

import inspect
from collections.abc import Iterator
from typing import get_args

from controller.console.throttle import KEPT_A_MINUTE, MOST_A_MINUTE
from controller.engine.state.alarms import ACKNOWLEDGED, ALARMS, AlarmKind
from controller.pit.exporting import SHAPES, SMALL, TEXT, TIME, WHOLE, Column
from controller.pit.returns import TABLES as RETURNED
from controller.rulebook.parts.faults import DeviceName
from controller.runtime.budgets import INPUTS, MOST_AN_HOUR, Bound, Budget
from controller.words import ENGLISH
from drivers.device import DeviceName as DeviceKind
from drivers.kit.proof import ASSERTIONS
from drivers.registry import all_makes
from drivers.udev import keep_off_rules, open_rules
from tests.docs.tables import DOCS, PageTable

ALARMS_HEADER = "| Alarm | Level | What is wrong | What to do | Ends |\n| --- | --- | --- | --- | --- |\n"
BY_CAUSE = "device_lost/"
CONNECTIONS = "[by its cause](#why-a-connection-is-away)"


def alarms_table() -> str:
    """The table as it should be on the page."""
    return ALARMS_HEADER + "".join(f"| {' | '.join(line)} |\n" for row in ALARMS for line in _alarm_lines(row))


def _alarm_lines(row: AlarmKind) -> Iterator[tuple[str, ...]]:
    shown = row.devices if len(row.devices) < len(get_args(DeviceName)) else ()
    name = ", ".join(f"`{row.name.replace('{device}', text)}`" for text in shown or ("{device}",))
    texts = {code: (ENGLISH.alarm_texts[code], ENGLISH.alarm_actions[code]) for code in row.codes}
    if all(code.startswith(BY_CAUSE) for code in row.codes):
        texts = {BY_CAUSE: ("It does not answer.", CONNECTIONS)}
    for text, action in dict.fromkeys(texts.values()):
        level = row.level if row.spare is None else f"{row.level}; {row.spare} of a spare"
        yield name, level, text, action, _alarm_ends(row)


def _alarm_ends(row: AlarmKind) -> str:
    if row.ends == ACKNOWLEDGED:
        return "when it is acknowledged"
    return " or ".join(f"with `{kind}`" for kind in row.ends) or "by itself"


ALARMS_TABLE = PageTable("alarms.md", ALARMS_HEADER, alarms_table)


BUDGETS_HEADER = "| Kind | Who can cause it | Journaled at most |\n| --- | --- | --- |\n"


def budgets_table() -> str:
    """The table as it should be on the page; kinds with the same budget share a line."""
    lines: dict[tuple[str, str], list[str]] = {}
    for kind, who, budget in _budgets():
        lines.setdefault((who, budget), []).append(kind)
    return BUDGETS_HEADER + "".join(
        f"| {', '.join(kinds)} | {who} | {budget} |\n" for (who, budget), kinds in lines.items()
    )


def _budgets() -> Iterator[tuple[str, str, str]]:
    for kind, row in INPUTS.items():
        yield f"`{kind.__name__}`", row.who or "no one outside", _budget(row)
    at = f"{MOST_A_MINUTE} attempts a minute"
    yield "attempts to log in under a person's name", "who uses a screen on which that person has logged in", at
    kept = f"{at} together, and {KEPT_A_MINUTE} more for names of persons that have not failed"
    yield "other attempts to log in", "who reaches the console", kept
    for name, who in dict.fromkeys((row.name, row.raised_by) for row in ALARMS if row.raised_by):
        yield f"alarm `{name}`", who, f"{MOST_AN_HOUR} in an hour; then one more with the count"


def _budget(row: Budget | Bound) -> str:
    if isinstance(row, Bound):
        return row.by
    last = "; the last one is decided when the device is quiet" if row.kept else ""
    idle = "" if row.kept else f"{row.idle} that change nothing at the table, and "
    return f"{idle}{row.changes} that change it{last}"


BUDGETS_TABLE = PageTable("budgets.md", BUDGETS_HEADER, budgets_table)


def _assertions_table(kind: DeviceKind) -> PageTable:
    header = f"| {kind.capitalize()} | True of a good device | A person |\n| --- | --- | --- |\n"
    rows = "".join(f"| {of.id} | {of.sentence} | {of.person} |\n" for of in ASSERTIONS[kind])
    return PageTable("assertions.md", header, lambda: header + rows)


ASSERTIONS_TABLES = tuple(map(_assertions_table, ASSERTIONS))


COLUMNS_PAGE = DOCS / "columns.md"
COLUMN_TYPES = {TEXT: "", WHOLE: "int64", SMALL: "int32", TIME: "time"}
INTRODUCTION = """\
# The columns of exports and returns

A reference for anyone who reads the rows of the [archive](pit.md#query-it), of an [export](export.md) or of a
[return](returns.md). `make pages` writes it from [exporting.py](../controller/pit/exporting.py) and
[returns.py](../controller/pit/returns.py).
"""
OF_EXPORTS = """\
## Exports and tables of the archive

A type is Parquet's; what is not named is text. Times are UTC, `handle` and `win` without the
[jackpot](pit.md#query-it).

| File, `pit.` table | In order of | Columns |
| --- | --- | --- |
"""
OF_RETURNS = """\
## Returns

| File | A row is | Columns |
| --- | --- | --- |
"""


def columns_page() -> str:
    """The page, from the shapes of the rows."""
    exports = (
        f"| `{name}` | `{shape.by}` | {', '.join(map(_column, shape.columns))} |\n" for name, shape in SHAPES.items()
    )
    returns = (
        f"| `{name}` | {' '.join((inspect.getdoc(shape) or '').split())} | {_names(shape.__struct_fields__)} |\n"
        for name, shape in RETURNED.items()
    )
    return "\n".join((INTRODUCTION, OF_EXPORTS + "".join(exports), OF_RETURNS + "".join(returns)))


def _column(column: Column) -> str:
    notes = ", ".join(filter(None, (COLUMN_TYPES.get(column.type, column.type.partition("(")[0].lower()), column.unit)))
    return f"`{column.name}`{notes and f' ({notes})'}"


def _names(columns: tuple[str, ...]) -> str:
    return ", ".join(f"`{column}`" for column in columns)


SYSTEMD = DOCS.parent / "systemd"


def write_udev_rules() -> None:
    (SYSTEMD / "70-dealer-station.rules").write_text(open_rules(all_makes()), encoding="utf-8")
    (SYSTEMD / "91-dealer-station-keep-off.rules").write_text(keep_off_rules(), encoding="utf-8")


if __name__ == "__main__":
    for table in (ALARMS_TABLE, BUDGETS_TABLE, *ASSERTIONS_TABLES):
        table.write()
    COLUMNS_PAGE.write_text(columns_page(), encoding="utf-8")
    write_udev_rules()
