"""The rounds before on the players' display: read from the journal once, then taken from the table, ten at most."""

import asyncio
from pathlib import Path

from controller.engine.shown.results import past_outcome
from controller.runtime.past_rounds import MOST_PAST, PastRounds
from tests.engine.playing import IDENTITY
from tests.journal.keeping import played, write

EVERYTHING = 10**9


async def test_rounds_that_were_confirmed_before_the_start_come_back_and_later_ones_follow(tmp_path: Path) -> None:
    path, play = tmp_path / "journal.db", played(3)
    write(path, play)
    read = asyncio.Event()
    past = PastRounds(path, IDENTITY, read.set)
    assert past.shown(EVERYTHING, None) == ()
    await asyncio.wait_for(read.wait(), 5)
    assert [one.round for one in past.shown(EVERYTHING, None)] == [1, 2, 3]
    while play.table.rounds < 14 or not play.round.confirmed:
        play.go_on()
        past.take(play.table.round)
    shown = past.shown(EVERYTHING, play.table.round)
    assert len(shown) == MOST_PAST and [one.round for one in shown] == list(range(5, 15))
    assert shown[-1] == past_outcome(play.report)


async def test_a_round_that_is_confirmed_while_the_journal_is_read_is_there_once(tmp_path: Path) -> None:
    path, play = tmp_path / "journal.db", played(2)
    write(path, play)
    while not (play.table.round is not None and play.round.confirmed):
        play.go_on()
    read = asyncio.Event()
    past = PastRounds(path, IDENTITY, read.set)
    assert [one.round for one in past.shown(EVERYTHING, play.table.round)] == [play.round.id]
    await asyncio.wait_for(read.wait(), 5)
    numbers = [one.round for one in past.shown(EVERYTHING, play.table.round)]
    assert numbers == sorted(set(numbers)) and numbers[-1] == play.round.id
