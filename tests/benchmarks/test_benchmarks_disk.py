"""An alarm for the journal's disk while there is still a day of it."""

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from controller.engine.shown.prompts import alarm_words
from controller.engine.state.alarms import ActiveAlarm
from controller.runtime import watches
from controller.runtime.bus import Bus, StationAlarm
from controller.telemetry import disk
from controller.telemetry.disk import Disk

MINUTE, GB = 60.0, 10**9


def english(alarm: ActiveAlarm) -> str:
    assert alarm.name == "journal"
    return alarm_words(alarm.code, alarm.values)["en"]


def looked(at: Disk, free: int, growth: int, minutes: int, begun: int = 0) -> list[float]:
    """In how many hours it is reported to be full, while the free space shrinks by so much a minute."""
    looks = [at.look((begun + n) * MINUTE, free - n * growth, n * growth) for n in range(minutes)]
    return [filling.seconds / 3600 for filling in looks if filling is not None]


def test_a_disk_that_lasts_is_not_reported() -> None:
    assert looked(Disk(), 100 * GB, growth=10_000, minutes=600) == []  # a year's journal and more
    assert looked(Disk(), GB, growth=0, minutes=600) == []
    assert looked(Disk(), GB, growth=-1000, minutes=600) == []


def test_a_disk_that_is_full_within_a_day_is_reported_once_and_again_at_half() -> None:
    # 79 MB in 23 seconds, on a disk of 100 GB: it is full in eight hours.
    [first, *others] = looked(Disk(), 100 * GB, growth=206_000_000, minutes=300)
    assert 7.5 < first < 8.1 and [round(hours) for hours in others] == [4]
    assert len(looked(Disk(), 100 * GB, growth=206_000_000, minutes=32)) == 1


def test_a_disk_that_is_full_within_the_hour_is_reported_at_once() -> None:
    assert len(looked(Disk(), 10 * GB, growth=206_000_000, minutes=12)) == 1


def test_what_another_program_wrote_at_once_is_no_growth_and_is_not_reported_again_when_it_writes_once_more() -> None:
    at = Disk()
    free = [100 * GB] * 20 + [100 * GB - n * 2 * GB for n in range(10)] + [80 * GB] * 60
    free += [80 * GB - n * GB for n in range(15)] + [65 * GB] * 60
    assert [at.look(n * MINUTE, left, 0) for n, left in enumerate(free)] == [None] * len(free)


def test_what_is_reported_says_how_much_was_written_and_by_whom() -> None:
    at = Disk()
    [filling] = filter(None, (at.look(n * MINUTE, 100 * GB - n * GB, n * GB // 4) for n in range(40)))
    assert (filling.over, filling.written, filling.by_journal) == (30 * MINUTE, 30 * GB, 30 * GB // 4)
    others = english(watches.disk_fills(filling))
    assert others.startswith("Other programs fill the journal's disk: 22500 MB in the last 30 minutes.")
    assert "within 2 h" in others and f"{filling.free // 1_000_000} MB are left" in others
    assert "the station wrote 30000 MB" in english(watches.disk_fills(filling._replace(by_journal=30 * GB)))


def test_one_moment_is_no_growth() -> None:
    at = Disk()
    assert looked(at, GB, growth=50_000_000, minutes=9) == []


def test_a_disk_that_has_room_again_and_fills_again_is_reported_again() -> None:
    at = Disk()
    assert len(looked(at, 100 * GB, growth=200_000_000, minutes=60)) == 1
    assert looked(at, 400 * GB, growth=1000, minutes=120, begun=60) == []
    assert len(looked(at, 100 * GB, growth=200_000_000, minutes=120, begun=300)) == 1


async def test_the_station_raises_the_alarm_of_the_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    free: Iterator[int | OSError] = iter([GB, OSError(), *(GB - n * GB // 100 for n in range(1, 99))])

    def shrinking(folder: Path) -> int:
        assert folder == tmp_path
        left = next(free, GB // 100)
        if isinstance(left, OSError):
            raise left
        return left

    monkeypatch.setattr(disk, "LEAST_SECONDS", 0.0)
    monkeypatch.setattr(watches, "free_bytes", shrinking)
    raised: list[str] = []
    warned = asyncio.Event()

    def take(message: StationAlarm) -> None:
        raised.append(english(message.alarm))
        warned.set()

    bus = Bus()
    bus.subscribe(StationAlarm, take)
    watching = asyncio.create_task(watches.watch_disk(tmp_path, bus, seconds=0.001))
    async with asyncio.timeout(5):
        await warned.wait()
    watching.cancel()
    with suppress(asyncio.CancelledError):
        await watching
    assert raised[0].startswith("Other programs fill the journal's disk: ")
    assert "It is full within 1 h if that continues" in raised[0]
