"""The rounds before on the players' display: read from the journal once, then taken from the table, ten at most."""

import asyncio
from pathlib import Path

from controller.rulebook.results import past_outcome
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
    assert [report.round for report in past.shown(EVERYTHING, None)] == [1, 2, 3]
    for _ in range(9):
        past.take(play.table.round)
        assert play.round.id not in [report.round for report in past.shown(EVERYTHING, None)]
        play.until("claims")
        past.take(play.table.round)
        last = past_outcome(play.report)
        play.until("begin")
        play.to_wagers().bet(1, ante=100)
        play.lock()
    shown = past.shown(EVERYTHING, None)
    assert len(shown) == MOST_PAST and [report.round for report in shown] == list(range(3, 13)) and shown[-1] == last


async def test_a_round_that_is_confirmed_while_the_journal_is_read_is_there_once(tmp_path: Path) -> None:
    path, play = tmp_path / "journal.db", played(2)
    write(path, play)
    while not (play.table.round is not None and play.round.confirmed):
        play.proceed()
    read = asyncio.Event()
    past = PastRounds(path, IDENTITY, read.set)
    assert [report.round for report in past.shown(EVERYTHING, play.table.round)] == [play.round.id]
    await asyncio.wait_for(read.wait(), 5)
    numbers = [report.round for report in past.shown(EVERYTHING, play.table.round)]
    assert numbers == sorted(set(numbers)) and numbers[-1] == play.round.id
