"""The keys of a pit and of its tables in tests: the same each time, and no one else's."""

from functools import cache
from hashlib import sha256
from pathlib import Path

from controller.tlog.notes import Signer


@cache
def key_of(name: str) -> Signer:
    """A private key under a name."""
    return Signer(name, sha256(name.encode()).digest())


PIT_KEY = key_of("pit.example/hall")
PUBLIC = str(PIT_KEY.verifier)


def table_key(table: str) -> Signer:
    """That of a table, such as macau-1/table-1."""
    return key_of(f"dealer/{table}")


def table_keys(*tables: str) -> dict[str, str]:
    """The public ones, as a pit knows them."""
    return {table: str(table_key(table).verifier) for table in tables}


def place_key(folder: Path, table: str) -> None:
    """Where the station of a simulated table finds its key."""
    (folder / "state").mkdir(parents=True)
    (folder / "state" / "table.key").write_text(table_key(table).private, encoding="ascii")
