"""Turns CSV files into Parquet files, by DuckDB."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

MEMORY = "512MB"
LONGEST = 64_000_000  # octets of a line


def open_duckdb(folder: Path) -> Any:
    """A DuckDB without a database, whose temporary files are in a folder. Raises ImportError."""
    import duckdb

    db = duckdb.connect(config={"memory_limit": MEMORY, "temp_directory": str(folder)})
    db.execute("SET TimeZone = 'UTC'")
    return db


def sql_path(path: Path) -> str:
    """A path in SQL."""
    return "'" + str(path).replace("'", "''") + "'"


def write_parquet(text: Path, types: Mapping[str, str], made: Path, *, header: bool) -> int:
    """Makes a Parquet file from a CSV file of PostgreSQL; returns the number of rows. Raises OSError.

    Raises OSError.
    """
    import duckdb

    columns = ", ".join(f"'{name}': '{kind}'" for name, kind in types.items())
    source = (
        f"read_csv({sql_path(text)}, columns = {{{columns}}}, header = {header}, auto_detect = false, delim = ',', "
        f"quote = '\"', escape = '\"', nullstr = '', allow_quoted_nulls = false, max_line_size = {LONGEST})"
    )
    with open_duckdb(made.parent) as db:
        try:
            db.execute(f"COPY (FROM {source}) TO {sql_path(made)} (FORMAT parquet, COMPRESSION zstd)")
            [[count]] = db.execute(f"SELECT count(*) FROM read_parquet({sql_path(made)})").fetchall()
        except duckdb.IOException as error:
            raise OSError(f"{made.name}: {error}") from None
    return int(count)
