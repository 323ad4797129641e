"""The page of the compatibility kit: `make pages` writes its tables from the assertions."""

from drivers.device import DeviceName
from drivers.kit.proof import ASSERTIONS
from tests.docs.tables import PageTable


def _table(kind: DeviceName) -> PageTable:
    header = f"| {kind.capitalize()} | True of a good device | A person |\n| --- | --- | --- |\n"
    rows = "".join(f"| {of.id} | {of.sentence} | {of.person} |\n" for of in ASSERTIONS[kind])
    return PageTable("assertions.md", header, lambda: header + rows)


TABLES = tuple(map(_table, ASSERTIONS))

if __name__ == "__main__":
    for table in TABLES:
        table.write()
