"""What someone outside can cause has a budget; a device that repeats itself fills no disk and hides nothing."""

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from controller.engine.decisions.alarms import Acknowledge
from controller.engine.decisions.betting import ChipGone, ChipPassed, ChipSensed, LockIn, LockInPressed, PlaceWager
from controller.engine.decisions.cards import DeckChecked, ReportsMissed, ShuffleReported
from controller.engine.decisions.deciders import ROWS
from controller.engine.decisions.decision import DeviceInput
from controller.engine.decisions.devices import DeviceFound, DeviceMissed, DeviceReport, ShufflerGreeted
from controller.engine.decisions.played import CardsReported
from controller.engine.decisions.session import InsertionReported
from controller.engine.shown.prompts import alarm_words
from controller.engine.state.alarms import AlarmRaised, active
from controller.engine.state.applied import Event
from controller.engine.state.events import DealerNotified, DeviceLost, DeviceRemark, DeviceReported, DeviceUp
from controller.journal.records import DeviceMark
from controller.rulebook.cards import DECK
from controller.runtime import budgets
from controller.runtime import loop as table_loop
from controller.runtime.budgets import INPUTS, MOST_AN_HOUR, MOST_CARDS, MOST_CHANGES, MOST_EDGES, MOST_IDLE, Budget
from controller.runtime.bus import FromWire, StationAlarm
from drivers.messages import (
    CardDrawn,
    Cleared,
    Jammed,
    LidClosed,
    LidOpened,
    LinkLost,
    LinkUp,
    Message,
    NoiseReceived,
    PacketDispensed,
)
from tests.journal.test_journal_loop import Running, at_wagers, opening, running

pytestmark = pytest.mark.long

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


# ---- What someone outside can cause has a budget each: beyond it nothing is journaled but the count, once.


__all__ = ["quiet"]

REMARKS = get_args(DeviceRemark)
SAMPLES: dict[type[DeviceInput], Callable[[int], DeviceInput]] = {
    ChipSensed: lambda n: ChipSensed(seat=n % 6 + 1, counter=n),
    ChipPassed: lambda n: ChipPassed(seat=n % 6 + 1, counter=n, edges=1),
    ChipGone: lambda n: ChipGone(seat=n % 6 + 1, counter=n),
    LockInPressed: lambda n: LockInPressed(),
    CardsReported: lambda n: CardsReported(
        "shuffler", tuple(DECK[(n + at) % 52] for at in range(n % 3 + 1)), 258 + n % 5
    ),
    ShuffleReported: lambda n: ShuffleReported(order=257, count=n % 53),
    InsertionReported: lambda n: InsertionReported(count=n % 3),
    DeviceFound: lambda n: DeviceFound("shuffler", outage_ms=n, tries=n),
    DeviceMissed: lambda n: DeviceMissed("shuffler", f"{n}", "silent" if n % 2 else "unplugged"),
    DeviceReport: lambda n: DeviceReport("shuffler", REMARKS[n % len(REMARKS)], f"{n}"),
    ShufflerGreeted: lambda n: ShufflerGreeted(boot=n, last_order=n, mode="continuous" if n % 2 else "batch"),
    DeckChecked: lambda n: DeckChecked(found=n % 60, missing=n % 2, duplicated=n % 3),
    ReportsMissed: lambda n: ReportsMissed(count=n % 4 or None, gap_cause="reports_lost"),
}
NUMBERS = itertools.count()
SLOTS = (ChipSensed, ChipPassed, ChipGone, LockInPressed)


class AsItIs:
    """Takes inputs for messages."""

    def inputs(self, device: str, message: Any, table: object) -> Iterator[DeviceInput]:
        yield message


async def in_phase(station: Running, phase: str) -> None:
    """Bring the table there."""
    if phase == "between":
        assert (await station.say(opening()))[0] == 200
        return
    await at_wagers(station)
    if phase == "deal":
        bet = PlaceWager(input_id="w", step_id="1/wagers", actor="ana", seat=1, wager="ante", amount=100)
        assert (await station.say(bet))[0] == 200
        assert (await station.say(LockIn(input_id="l", step_id="1/wagers", actor="ana")))[0] == 200


async def all_decided(station: Running) -> None:
    """Wait until all that is queued is decided and committed."""
    asked = Acknowledge(
        input_id=f"{station.writer.journal.events} {next(NUMBERS)}", step_id="table", actor="ana", alarm=""
    )
    assert (await station.say(asked))[0] != 200


async def journaled(station: Running, inputs: list[DeviceInput]) -> int:
    """How many events these make."""
    before = station.writer.journal.events
    for input in inputs:
        station.loop.receive(FromWire("slots" if isinstance(input, SLOTS) else "shuffler", input, None))
    await all_decided(station)
    return station.writer.journal.events - before


def test_every_kind_of_input_has_its_row() -> None:
    assert set(INPUTS) == {kind for kind in ROWS if issubclass(kind, DeviceInput)}
    assert set(SAMPLES) == {kind for kind, row in INPUTS.items() if isinstance(row, Budget)}, "each is tried below"
    assert all(row.who or isinstance(row, budgets.Bound) for row in INPUTS.values())


@pytest.mark.parametrize(
    ("kind", "phase"),
    [
        pytest.param(kind, phase, marks=() if phase == "deal" or kind is CardsReported else pytest.mark.soak)
        for kind in SAMPLES
        for phase in ("between", "wagers", "deal")
    ],
)
async def test_a_flood_of_any_kind_comes_to_an_end_in_the_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quiet: Quiet, kind: type[DeviceInput], phase: str
) -> None:
    async with running(tmp_path, monkeypatch) as station:
        await in_phase(station, phase)
        monkeypatch.setattr(station.loop, "_translate", AsItIs())
        most = MOST_CARDS if kind in (CardsReported, InsertionReported) else (MOST_CHANGES + MOST_IDLE) * 2
        others: dict[type[DeviceInput], type[DeviceInput]] = {
            DeviceFound: DeviceMissed,
            DeviceMissed: DeviceFound,
            ChipSensed: ChipGone,
        }
        samples = [SAMPLES[kind], SAMPLES[others.get(kind, kind)]]
        flood = [samples[n % 2](n) for n in range(2 * most)]
        first = await journaled(station, flood)
        await journaled(station, flood)
        assert await journaled(station, flood) <= 2, f"the first flood made {first}"


async def test_cards_that_are_not_due_are_reported_so_often_and_then_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quiet: Quiet
) -> None:
    async with running(tmp_path, monkeypatch) as station:
        drawn: list[Message] = [CardDrawn(card="2c")] * 2000
        for card in drawn:
            station.loop.receive(FromWire("shoe", card, None))
        await all_decided(station)
        assert len(events(station, DealerNotified)) == MOST_IDLE and station.active_alarms == ["shoe-babble"]
        quiet(0.0)
        await say(station, LidOpened())
        await station.until(lambda: "shoe-babble" not in station.active_alarms)
        assert [event.values for event in reported(station, "quiet")] == [{"count": 2000 - MOST_IDLE}]


@pytest.mark.parametrize(("last", "state"), [(LinkUp(0.0, 1), DeviceUp), (LinkLost("gone"), DeviceLost)])
async def test_a_link_that_comes_and_goes_too_often_is_lost_until_it_is_quiet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quiet: Quiet, last: Message, state: type[Event]
) -> None:
    async with running(tmp_path, monkeypatch) as station:
        flaps: list[Message] = [LinkUp(0.0, 1), LinkLost("gone")]
        await say(station, *flaps * 500, LinkUp(0.0, 1), last)
        assert MOST_EDGES <= len(events(station, DeviceUp, DeviceLost)) <= MOST_EDGES + 1
        assert isinstance(station.loop.table.devices["shuffler"], DeviceLost)
        assert "shuffler-babble" in station.active_alarms
        quiet(0.0)
        await station.until(lambda: bool(station.loop._queue.empty()))
        await say(station, LidOpened(), first=2000)
        await station.until(lambda: "shuffler-babble" not in station.active_alarms)
        assert isinstance(station.loop.table.devices["shuffler"], state)


async def test_an_alarm_of_the_station_is_raised_so_often_in_an_hour_and_then_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(tmp_path, monkeypatch) as station:
        for name in range(5000):
            station.loop.raise_alarm(StationAlarm(active("second_station", journal=f"journal-{name}")))
        await station.until(lambda: "second-station" in station.active_alarms)
        await say(station, LidOpened())
        assert len(events(station, AlarmRaised)) == MOST_AN_HOUR + 1  # with that of the lid
        monkeypatch.setattr(budgets, "HOUR_SECONDS", 0.0)
        await say(station, LidOpened(), first=2)
        raised = [event for event in events(station, AlarmRaised) if event.alarm == "second-station"]
        assert len(raised) == MOST_AN_HOUR + 1
        assert raised[-1].values == {"journal": "journal-4999", "repeats": 5000 - MOST_AN_HOUR}
        assert alarm_words(raised[-1].code, raised[-1].values)["en"].endswith(" it was reported 4994 times more.")


async def test_an_alarm_that_is_raised_once_is_raised_once_though_it_is_not_yet_journaled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(tmp_path, monkeypatch) as station:
        for name in range(10):
            station.loop.raise_alarm(StationAlarm(active("second_station", journal=f"journal-{name}"), once=True))
        await station.until(lambda: "second-station" in station.active_alarms)
        assert len(events(station, AlarmRaised)) == 1


def events(station: Running, *kinds: type[Any]) -> list[Any]:
    """The events of these kinds that were committed."""
    return [event for commit in station.committed for event in commit.events if isinstance(event, kinds)]
