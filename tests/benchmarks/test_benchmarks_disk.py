"""An alarm for the journal's disk while there is still a day of it."""

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from controller import station
from controller.telemetry import disk
from controller.telemetry.disk import Disk

MINUTE, GB = 60.0, 10**9


def looked(at: Disk, free: int, growth: int, minutes: int, begun: int = 0) -> list[float]:
    """What is told while the free space shrinks by so much a minute."""
    told = [at.look((begun + n) * MINUTE, free - n * growth) for n in range(minutes)]
    return [hours for hours in told if hours is not None]


def test_a_disk_that_lasts_is_not_told() -> None:
    assert looked(Disk(), 100 * GB, growth=10_000, minutes=600) == []  # a year's journal and more
    assert looked(Disk(), GB, growth=0, minutes=600) == []
    assert looked(Disk(), GB, growth=-1000, minutes=600) == []


def test_a_disk_that_is_full_within_a_day_is_told_once_and_again_at_half() -> None:
    # 79 MB in 23 seconds, on a disk of 100 GB: it is full in eight hours.
    [first, *others] = looked(Disk(), 100 * GB, growth=206_000_000, minutes=300)
    assert 7.5 < first < 8.1 and [round(hours) for hours in others] == [4]
    assert len(looked(Disk(), 100 * GB, growth=206_000_000, minutes=12)) == 1


def test_one_moment_is_no_growth() -> None:
    at = Disk()
    assert looked(at, GB, growth=50_000_000, minutes=9) == []


def test_a_disk_that_has_room_again_and_fills_again_is_told_again() -> None:
    at = Disk()
    assert len(looked(at, 100 * GB, growth=200_000_000, minutes=60)) == 1
    assert looked(at, 400 * GB, growth=1000, minutes=120, begun=60) == []
    assert len(looked(at, 100 * GB, growth=200_000_000, minutes=120, begun=300)) == 1


async def test_the_station_raises_the_alarm_of_the_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    free: Iterator[int | OSError] = iter([GB, OSError(), GB // 2, GB // 4])

    def shrinking(folder: Path) -> int:
        assert folder == tmp_path
        left = next(free, GB // 4)
        if isinstance(left, OSError):
            raise left
        return left

    monkeypatch.setattr(disk, "LEAST_SECONDS", 0.0)
    monkeypatch.setattr(station, "free_bytes", shrinking)
    told: list[str] = []
    said = asyncio.Event()

    def complain(text: dict[str, str]) -> None:
        told.append(text["en"])
        said.set()

    watching = asyncio.create_task(station.watch_disk(tmp_path, complain, seconds=0.001))
    async with asyncio.timeout(5):
        await said.wait()
    watching.cancel()
    with suppress(asyncio.CancelledError):
        await watching
    assert told[0].startswith("The journal's disk is full in 0 hours at its present growth (500 MB are left)")
