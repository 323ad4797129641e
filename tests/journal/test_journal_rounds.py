"""The rounds played last are read back from the journal's end, a page at a time, and no sealed card with them."""

from pathlib import Path

import pytest

from controller.journal import past
from controller.journal.reading import reading
from controller.queries import rounds
from controller.queries.rounds import rounds_in, rows_of_last
from tests.engine.playing import NAMED
from tests.journal.keeping import played, write

ROUNDS = 5
EVERYTHING = 10**9


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal of five rounds and one more whose cards lie face down."""
    path = tmp_path_factory.mktemp("rounds") / "journal.db"
    write(path, played(ROUNDS))
    return path


CASES = [(100, None, [5, 4, 3, 2, 1]), (2, None, [5, 4]), (2, 4, [3, 2]), (100, 1, []), (1, 6, [5]), (3, 99, [5, 4, 3])]


@pytest.mark.parametrize("page", [1, 7, 500])
@pytest.mark.parametrize(("last", "before", "numbers"), CASES)
def test_as_many_rounds_come_as_are_asked_for_whatever_the_page(
    path: Path, monkeypatch: pytest.MonkeyPatch, page: int, last: int, before: int | None, numbers: list[int]
) -> None:
    monkeypatch.setattr(past, "PAGE", page)
    with reading(path, "simulation") as (events, _):
        rows = rows_of_last(events, EVERYTHING, last, before)
        assert [one.round.id for one in rounds_in(rows, last, before)] == numbers
        assert [row[0] for row in rows] == sorted(row[0] for row in rows)


def test_a_storm_of_other_events_is_not_read_for_ever(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "MOST_ROWS", 40)
    with reading(path, "simulation") as (events, _):
        assert len(rows_of_last(events, EVERYTHING, 100, None)) == 40


def test_no_card_that_lies_face_down_is_read_back(path: Path) -> None:
    with reading(path, "simulation") as (events, _):
        rows = rows_of_last(events, EVERYTHING, 1, None)
        begun = max(at for at, row in enumerate(rows) if row[2].startswith(b'{"type":"round_begun"'))
        assert len(rows) - begun > 5
        assert not [row for row in rows[begun:] if NAMED.search(row[2])]
