"""Journals of every game that earlier stations wrote: read to the same table, the same screen and the same messages."""

from pathlib import Path

import pytest

from controller.rulebook.games import GAMES
from tests.journal.recorded.kept import read_journal, read_readings, readings, restored


@pytest.mark.parametrize("game", GAMES)
def test_a_journal_from_before_is_read_to_the_same_table_and_messages_at_every_event(game: str, tmp_path: Path) -> None:
    kept = read_journal(game)
    found = list(readings(kept, tmp_path))
    expected = read_readings(game)
    assert [reading for reading, _ in found] == expected
    table = found[-1][1]
    started = restored(kept, tmp_path)
    assert started.table == table, "the snapshot with what came after it is the whole"
    assert table.round is not None and table.round.dealt
    assert started.vault.keys() >= set(range(1, table.round.draws + 1)) - set(table.round.unread)
