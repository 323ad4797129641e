"""Exports of the archive: every row, exact, in CSV and in Parquet, whole or not at all."""

import asyncio
import builtins
import csv
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import duckdb
import psycopg
import pytest

from controller.pit.__main__ import main
from controller.pit.cluster import Cluster
from controller.pit.exporting import SHAPES, WHOLE
from tests.pit.broadcasting import message, of_jackpots_and_voids
from tests.pit.conftest import copy_of, rows
from tests.pit.test_pit_config import GOOD
from tests.pit.test_pit_returns import stored
from tests.pit.test_pit_views import of_many_tables

DOCS = Path(__file__).parents[2] / "docs"
QUESTIONS = DOCS / "examples/export-questions.sql"


class Exporting:
    def __init__(self, folder: Path, database: str) -> None:
        self.folder, self.database = folder / "march", database
        self.config = folder / "pit.toml"
        self.config.write_text(GOOD.replace("dbname=pit", database))

    def run(self, *more: str) -> int:
        given = ["--from", "2026-03-01", "--to", "2026-03-31", str(self.folder), "--config", str(self.config)]
        return main(["export", *given, *more])


@pytest.fixture(scope="module")
def filled(cluster: Cluster, empty_archive: str) -> str:
    """No test changes this one: each has a copy."""
    database = copy_of(cluster, empty_archive)
    published = [*of_many_tables(5), *of_jackpots_and_voids()]
    published.append(
        message(published[-1].sequence + 1, published[-1].journal, "event.round_adjusted", round=7, amount=-5)
    )
    asyncio.run(stored(database, published))
    with psycopg.connect(database) as connection:
        connection.execute("UPDATE pit.lines SET player = 'a \"b\", \nc', odds = '' WHERE seat = 1")
        connection.execute("UPDATE pit.lines SET stake = 9007199254740993 WHERE seat = 2")  # no double
    return database


@pytest.fixture
def exporting(tmp_path: Path, cluster: Cluster, filled: str) -> Exporting:
    return Exporting(tmp_path, copy_of(cluster, filled))


def expected(database: str, name: str) -> list[tuple[Any, ...]]:
    shape = SHAPES[name]
    columns = ", ".join(f"{column.sql.partition(' AS ')[0]}" for column in shape.columns)
    found = rows(
        database,
        f"SELECT {columns} FROM pit.{name} "
        f"WHERE {shape.by} >= '2026-03-01T00:00Z' AND {shape.by} < '2026-04-01T00:00Z'",
    )
    return [tuple(json.dumps(cell) if isinstance(cell, list) else cell for cell in row) for row in found]


@pytest.mark.parametrize("form", ["parquet", "csv"])
def test_every_row_is_there_and_exact(exporting: Exporting, form: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert exporting.run("--format", form) == 0
    assert sorted(path.name for path in exporting.folder.iterdir()) == sorted(f"{name}.{form}" for name in SHAPES)
    sent = capsys.readouterr().out
    for name, shape in SHAPES.items():
        path = exporting.folder / f"{name}.{form}"
        wanted = expected(exporting.database, name)
        assert wanted and f"{len(wanted)} {name}" in sent
        if form == "parquet":
            with duckdb.connect() as db:
                relation = db.execute(f"SELECT * FROM '{path}'")
                kinds = [(column[0], str(column[1])) for column in relation.description or ()]
                found = relation.fetchall()
                types = {row[0]: row[1] for row in db.execute(f"DESCRIBE SELECT * FROM '{path}'").fetchall()}
            assert [kind[0] for kind in kinds] == [column.name for column in shape.columns]
            assert types == {column.name: column.type for column in shape.columns}
            assert sorted(map(repr, map(plain, found))) == sorted(map(repr, map(plain, wanted)))
        else:
            with path.open(newline="", encoding="utf-8") as file:
                header, *found_rows = csv.reader(file)
            assert header == [column.name for column in shape.columns]
            places = [place for place, column in enumerate(shape.columns) if column.type == WHOLE]
            exact = [tuple(row[place] for place in places) for row in found_rows]
            texts = [tuple("" if row[place] is None else str(row[place]) for place in places) for row in wanted]
            assert sorted(exact) == sorted(texts)


def plain(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """Times as moments, JSON as it is."""
    return tuple(
        cell.timestamp() if hasattr(cell, "timestamp") else json.loads(cell) if str(cell).startswith("[") else cell
        for cell in row
    )


def test_days_and_tables_that_are_asked_for_alone(exporting: Exporting) -> None:
    assert exporting.run("--format", "csv", "--tables", "site/t1-1,site/t1-2") == 0
    with (exporting.folder / "rounds.csv").open() as file:
        found = [*csv.DictReader(file)]
    assert {row["table"] for row in found} == {"t1-1", "t1-2"}
    exporting.folder.rename(exporting.folder.with_name("first"))
    exporting.config.write_text(exporting.config.read_text() + '[returns]\ntime_zone = "America/New_York"\n')
    given = ["export", "--format", "csv", "--from", "2026-03-14", "--to", "2026-03-14", str(exporting.folder)]
    assert main([*given, "--config", str(exporting.config)]) == 0
    with (exporting.folder / "rounds.csv").open() as file:
        assert {row["table"] for row in csv.DictReader(file)} == {"t1-4"}, "that day begins there at 4:00 UTC"


def test_three_questions_are_answered(exporting: Exporting) -> None:
    assert exporting.run() == 0
    with duckdb.connect(config={"file_search_path": str(exporting.folder)}) as db:
        texts = QUESTIONS.read_text().split(";\n")[:-1]
        answers = [db.execute(text).fetchall() for text in texts]
    assert len(answers) == 3 and all(answers)
    [won] = rows(exporting.database, "SELECT sum(win)::bigint FROM pit.table_hours WHERE hour IS NOT NULL")
    assert sum(row[3] for row in answers[0]) == won[0]
    chips = rows(exporting.database, "SELECT sum(chips)::bigint FROM pit.meter_hours")
    assert [(sum(row[2] for row in answers[2]),)] == chips


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (["--tables", "site/t1-1,site/t9"], "the archive has nothing of site/t9; it has macau-1/t-1, site/t1-0"),
        (["--from", "2026-04-01"], "--to 2026-03-31 is before --from 2026-04-01"),
    ],
)
def test_what_cannot_be_is_refused(
    exporting: Exporting, more: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exporting.run(*more) == 2
    assert sentence in capsys.readouterr().err and not exporting.folder.exists()


def test_a_folder_with_something_and_a_gap_are_refused(
    exporting: Exporting, capsys: pytest.CaptureFixture[str]
) -> None:
    exporting.folder.mkdir()
    (exporting.folder / "x").touch()
    assert exporting.run() == 2 and "is not an empty folder" in capsys.readouterr().err
    (exporting.folder / "x").unlink()
    with psycopg.connect(exporting.database) as connection:
        connection.execute("INSERT INTO pit.gaps VALUES ('site', 't1-2', 'j', 3, 5, 'lost')")
    assert exporting.run() == 2 and "site/t1-2 has 1 with 3 messages" in capsys.readouterr().err
    assert exporting.run("--tables", "site/t1-1") == 0


def test_without_duckdb_it_says_what_to_install(
    exporting: Exporting, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    real = builtins.__import__

    def without(name: str, *more: Any) -> Any:
        if name == "duckdb":
            raise ModuleNotFoundError("No module named 'duckdb'", name="duckdb")
        return real(name, *more)

    monkeypatch.setattr(builtins, "__import__", without)
    assert exporting.run() == 69
    assert "pip install 'dealer-station[export]'" in capsys.readouterr().err and not exporting.folder.exists()
    assert exporting.run("--format", "csv") == 0


@pytest.mark.parametrize("file", ["rounds.csv", "rounds.parquet"])
def test_a_full_disk_leaves_nothing(
    exporting: Exporting, file: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file that is /dev/full, as a disk that is."""
    real = tempfile.mkdtemp

    def full(**given: Any) -> str:
        folder: str = real(**given)
        (Path(folder) / file).symlink_to("/dev/full")
        return folder

    monkeypatch.setattr(tempfile, "mkdtemp", full)
    assert exporting.run() == 74
    assert "it could not be written" in capsys.readouterr().err
    assert [path.name for path in exporting.folder.parent.iterdir()] == ["pit.toml"]


@pytest.mark.parametrize(
    "at",
    [
        pytest.param("rounds.csv", marks=pytest.mark.soak),
        "lines.parquet",
        pytest.param("meter_hours.parquet", marks=pytest.mark.soak),
    ],
)
def test_an_export_that_is_killed_leaves_no_folder_of_that_name_and_can_be_made_again(
    exporting: Exporting, at: str
) -> None:
    given = ["--from", "2026-03-01", "--to", "2026-03-31", str(exporting.folder), "--config", str(exporting.config)]
    program = (
        "import os, signal, sys; from controller.pit import exporting as e, __main__ as m\n"
        "real = e.to_parquet\n"
        "def to_parquet(path, *more):\n"
        f"    if path.name == {at!r}: os.kill(os.getpid(), signal.SIGKILL)\n"
        "    real(path, *more)\n"
        f"    if path.with_suffix('.parquet').name == {at!r}: os.kill(os.getpid(), signal.SIGKILL)\n"
        "e.to_parquet = to_parquet; sys.exit(m.main(sys.argv[1:]))"
    )
    done = subprocess.run([sys.executable, "-c", program, "export", *given], timeout=120)
    assert done.returncode == -9 and not exporting.folder.exists()
    assert exporting.run() == 0
    assert len([*exporting.folder.iterdir()]) == len(SHAPES)
