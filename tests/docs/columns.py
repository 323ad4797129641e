"""The page of the columns of exports and returns: `make pages` writes it."""

import inspect

from controller.pit.exporting import SHAPES, SMALL, TEXT, TIME, WHOLE, Column
from controller.pit.returns import TABLES as RETURNED
from tests.docs.tables import DOCS

PAGE = DOCS / "columns.md"
TYPES = {TEXT: "", WHOLE: "int64", SMALL: "int32", TIME: "time"}
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


def page() -> str:
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
    notes = ", ".join(filter(None, (TYPES.get(column.type, column.type.partition("(")[0].lower()), column.unit)))
    return f"`{column.name}`{notes and f' ({notes})'}"


def _names(columns: tuple[str, ...]) -> str:
    return ", ".join(f"`{column}`" for column in columns)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
