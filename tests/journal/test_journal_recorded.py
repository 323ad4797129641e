"""Journals of every game: a start finds the table as the events made it."""

from pathlib import Path

import pytest

from controller.engine.state.applied import apply
from controller.engine.state.table import Table
from controller.rulebook.games import GAMES
from tests.journal.recorded.kept import read_journal, restored


@pytest.mark.parametrize("game", GAMES)
def test_a_snapshot_with_the_events_after_it_gives_the_table_of_all_events(game: str, tmp_path: Path) -> None:
    kept, table = read_journal(game), Table()
    for entry in kept.entries:
        before, version = table, table.version
        table = apply(table, entry.event)
        assert (before.version, table.version) == (version, version + 1), "the table before stays as it was"
    started = restored(kept, tmp_path)
    assert started.table == table and 0 < started.snapshot < table.version
    assert table.round is not None and table.round.dealt
    assert started.vault.keys() >= set(range(1, table.round.draws + 1)) - set(table.round.unread)
