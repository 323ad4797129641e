"""A station's loop in a process of its own, with a packet dealt face down: its memory is searched meanwhile."""

import asyncio
import sys
from pathlib import Path

import pytest

from controller.engine.decisions.betting import LockIn, PlaceWager
from controller.rulebook.cards import Card
from drivers.messages import PacketDispensed
from tests.journal.test_journal_loop import at_wagers, running

SHIFT = 1  # no argument of the process is to look like a card


async def deal(folder: Path, cards: list[str]) -> None:
    """Deal one packet, say so, and wait to be asked to end."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        async with running(folder, monkeypatch) as station:
            await at_wagers(station)
            bet = PlaceWager(input_id="w", step_id="1/wagers", actor="ana", seat=1, wager="ante", amount=100)
            await station.say(bet)
            await station.say(LockIn(input_id="l", step_id="1/wagers", actor="ana"))
            await station.wire(PacketDispensed(order=258, cards=tuple(Card(card) for card in cards)))
            await station.until(lambda: station.loop.table.round is not None and station.loop.table.round.draws == 3)
            print("dealt", flush=True)
            await asyncio.to_thread(sys.stdin.readline)


if __name__ == "__main__":
    reported = [card.split(".") for card in sys.argv[2:]]
    asyncio.run(deal(Path(sys.argv[1]), ["".join(chr(int(code) - SHIFT) for code in card) for card in reported]))
