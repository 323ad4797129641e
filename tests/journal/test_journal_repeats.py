"""A device that says the same again and again fills no disk, and hides nothing that counts."""

from collections.abc import Callable
from pathlib import Path

import pytest

from controller.engine.decisions.betting import LockIn, PlaceWager
from controller.engine.state.events import DeviceReported
from controller.journal.records import DeviceMark
from controller.runtime import loop as table_loop
from controller.runtime.budgets import MOST_IDLE
from drivers.messages import Cleared, Jammed, LidClosed, LidOpened, Message, NoiseReceived, PacketDispensed
from tests.journal.test_journal_loop import Running, at_wagers, running

Quiet = Callable[[float], None]


@pytest.fixture
def quiet(monkeypatch: pytest.MonkeyPatch) -> Quiet:
    """Sets after how many seconds a device is quiet; until then it never is."""

    def after(seconds: float) -> None:
        monkeypatch.setattr(table_loop, "QUIET_SECONDS", seconds)

    after(3600.0)
    return after


async def say(station: Running, *messages: Message, first: int = 1) -> int:
    """Say messages with the numbers of the shuffler's link, and wait until the last is durable; its number."""
    for number, message in enumerate(messages, start=first):
        await station.wire(message, DeviceMark(device="shuffler", boot=7, sequence=number))
    last = first + len(messages) - 1
    await station.until(lambda: bool(station.committed) and (7, last) in marks(station))
    return last


def marks(station: Running) -> list[tuple[int, int]]:
    return [(mark.boot, mark.sequence) for commit in station.committed[-3:] for mark in commit.marks]


def reported(station: Running, what: str = "") -> list[DeviceReported]:
    found = [event for commit in station.committed for event in commit.events if isinstance(event, DeviceReported)]
    return [event for event in found if what in ("", event.what)]


async def test_a_lid_that_opens_and_closes_without_end_is_journaled_so_often_and_then_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quiet: Quiet
) -> None:
    async with running(tmp_path, monkeypatch) as station:
        lid: list[Message] = [LidOpened(), LidClosed()]
        last = await say(station, *lid * 1000)
        assert len(reported(station, "lid_opened") + reported(station, "lid_closed")) == MOST_IDLE
        assert station.active_alarms == ["shuffler-babble"] and len(reported(station, "babbling")) == 1
        assert station.writer.journal.events < 4 * MOST_IDLE + 10
        await say(station, LidOpened(), first=last + 1)
        quiet(0.0)
        await say(station, NoiseReceived(1), first=last + 2)
        await station.until(lambda: "shuffler-babble" not in station.active_alarms)
        [report] = reported(station, "quiet")
        assert report.values == {"count": 2001 - MOST_IDLE}
        # What it reported last holds.
        assert station.active_alarms == ["shuffler-lid"] and len(reported(station, "lid_opened")) == MOST_IDLE // 2 + 1


async def test_the_end_of_the_repeats_is_noticed_though_nothing_more_is_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quiet: Quiet
) -> None:
    async with running(tmp_path, monkeypatch) as station:
        quiet(0.05)
        await say(station, *[NoiseReceived(3)] * (MOST_IDLE + 5))
        await station.until(lambda: [event.values for event in reported(station, "quiet")] == [{"count": 5}])
        assert station.active_alarms == []


async def test_repeats_hide_no_card_and_no_jam(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quiet: Quiet) -> None:
    async with running(tmp_path, monkeypatch) as station:
        flood: list[Message] = [LidOpened(), LidClosed(), NoiseReceived(2)] * MOST_IDLE
        last = await say(station, *flood, Jammed(order=1), *flood)
        assert len(reported(station, "jam")) == 1 and "shuffler-jam" in station.active_alarms
        last = await say(station, Cleared(), *flood, first=last + 1)
        assert "shuffler-jam" not in station.active_alarms
        await at_wagers(station)
        bet = PlaceWager(input_id="w", step_id="1/wagers", actor="ana", seat=1, wager="ante", amount=100)
        assert (await station.say(bet))[0] == 200
        assert (await station.say(LockIn(input_id="l", step_id="1/wagers", actor="ana")))[0] == 200
        dealt: list[Message] = [PacketDispensed(order=258, cards=("2c", "7h", "9s"))]
        before = len(reported(station))
        await say(station, *flood, *dealt, *flood, first=last + 1)
        round = station.loop.table.round
        assert round is not None and round.draws == 3
        assert len(reported(station)) <= before + 1  # what is as a phase begins
        await station.wire(Jammed(order=259))
        await station.until(lambda: station.loop.table.round is None or station.loop.table.round.void is not None)


async def test_what_is_counted_while_the_journal_cannot_be_written_is_counted_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quiet: Quiet
) -> None:
    async with running(tmp_path, monkeypatch) as station:
        last = await say(station, *[NoiseReceived(1)] * (MOST_IDLE + 1))
        station.fails = 3
        last = await say(station, *[NoiseReceived(1)] * 9, first=last + 1)
        quiet(0.0)
        await say(station, LidOpened(), first=last + 1)
        assert [event.values for event in reported(station, "quiet")] == [{"count": 10}]


async def test_a_new_phase_gives_a_device_its_budget_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quiet: Quiet
) -> None:
    async with running(tmp_path, monkeypatch) as station:
        noise: list[Message] = [NoiseReceived(1)] * MOST_IDLE
        last = await say(station, *noise)
        await at_wagers(station)
        await say(station, *noise, first=last + 1)
        assert len(reported(station)) == 2 * MOST_IDLE and station.active_alarms == []
