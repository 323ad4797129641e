"""The page of what someone outside can cause, and how much: `make pages` writes its table."""

from collections.abc import Iterator

from controller.console.throttle import KEPT_A_MINUTE, MOST_A_MINUTE
from controller.engine.state.alarms import ALARMS
from controller.runtime.budgets import INPUTS, MOST_AN_HOUR, Bound, Budget
from tests.docs.tables import PageTable

HEADER = "| Kind | Who can cause it | Journaled at most |\n| --- | --- | --- |\n"


def table() -> str:
    """The table as it should be on the page; kinds with the same budget share a line."""
    lines: dict[tuple[str, str], list[str]] = {}
    for kind, who, budget in _rows():
        lines.setdefault((who, budget), []).append(kind)
    return HEADER + "".join(f"| {', '.join(kinds)} | {who} | {budget} |\n" for (who, budget), kinds in lines.items())


def _rows() -> Iterator[tuple[str, str, str]]:
    for kind, row in INPUTS.items():
        yield f"`{kind.__name__}`", row.who or "no one outside", _of(row)
    at = f"{MOST_A_MINUTE} attempts a minute"
    yield "attempts to log in under a person's name", "who uses a screen on which that person has logged in", at
    kept = f"{at} together, and {KEPT_A_MINUTE} more for names of persons that have not failed"
    yield "other attempts to log in", "who reaches the console", kept
    for name, who in dict.fromkeys((row.name, row.raised_by) for row in ALARMS if row.raised_by):
        yield f"alarm `{name}`", who, f"{MOST_AN_HOUR} in an hour; then one more with the count"


def _of(row: Budget | Bound) -> str:
    if isinstance(row, Bound):
        return row.by
    last = "; the last one is decided when the device is quiet" if row.kept else ""
    idle = "" if row.kept else f"{row.idle} that change nothing at the table, and "
    return f"{idle}{row.changes} that change it{last}"


TABLE = PageTable("budgets.md", HEADER, table)

if __name__ == "__main__":
    TABLE.write()
