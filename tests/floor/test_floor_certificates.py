"""Certificates that end soon are reported fourteen days before: the table's, its authorities' and the broker's."""

import asyncio
import time
from pathlib import Path

import pytest

from controller.floor import certificates
from controller.floor.broker import Broker, TlsFiles
from controller.floor.certificates import Ending, ending, watch_certificates
from tests.floor.certificates import DAY, Authority
from tests.floor.informing_station import informing
from tests.station.processes import Mosquitto

SECONDS = 30.0


def test_from_fourteen_days_before_the_end_each_is_named(tmp_path: Path) -> None:
    authority = Authority(tmp_path, valid=(-DAY, 20 * DAY))
    files = TlsFiles(authority.file, *authority.sign("table", (-DAY, 10 * DAY)))
    now = time.time()
    day = DAY.total_seconds()
    assert ending(TlsFiles(), "broker", None, now) == []
    assert [(end.whose, end.where) for end in ending(files, "broker", now + 12 * day, now)] == [
        ("own", str(files.cert_file)),
        ("broker", "broker"),
    ]
    assert [end.whose for end in ending(files, "broker", now + 15 * day, now - 5 * day)] == []
    assert [end.whose for end in ending(files, "broker", None, now + 7 * day)] == ["own", "authority"]


def test_an_authority_that_is_followed_by_another_of_its_name_is_not_named(tmp_path: Path) -> None:
    (tmp_path / "next").mkdir()
    old, following = Authority(tmp_path, valid=(-DAY, DAY)), Authority(tmp_path / "next")
    both = tmp_path / "both.pem"
    both.write_bytes(old.file.read_bytes() + following.file.read_bytes())
    assert [end.whose for end in ending(TlsFiles(old.file), "broker", None, time.time())] == ["authority"]
    assert ending(TlsFiles(both), "broker", None, time.time()) == []


def test_a_file_that_cannot_be_read_is_left_to_the_next_connection(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("hello")
    assert ending(TlsFiles(tmp_path / "text", tmp_path / "gone"), "broker", None, time.time()) == []


async def test_it_is_reported_at_once_and_once_a_day(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certificates, "LOOK_SECONDS", 0.001)
    authority = Authority(tmp_path, valid=(-DAY, DAY))
    reports: list[list[Ending]] = []
    more = asyncio.Event()
    ends: list[float | None] = [None]

    def report(found: list[Ending]) -> None:
        reports.append(found)
        more.set()

    broker = Broker("broker", 8883, TlsFiles(authority.file))
    watching = asyncio.create_task(watch_certificates(broker, lambda: ends[0], report))
    async with asyncio.timeout(SECONDS):
        await more.wait()
        more.clear()
        await asyncio.sleep(0.05)
        ends[0] = time.time() + DAY.total_seconds() / 2
        await more.wait()
    watching.cancel()
    assert [[end.whose for end in found] for found in reports] == [["authority"], ["broker", "authority"]]


async def test_a_connection_knows_when_the_brokers_certificate_ends(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    certificate, key = authority.sign("broker", (-DAY, 3 * DAY))
    settings = f"allow_anonymous true\ncafile {authority.file}\ncertfile {certificate}\nkeyfile {key}"
    broker = Mosquitto(tmp_path / "broker", settings)
    await asyncio.to_thread(broker.start)
    try:
        async with asyncio.timeout(SECONDS):
            async with informing(Broker("127.0.0.1", broker.port, TlsFiles(authority.file))) as station:
                await station.until(lambda: station.edges == ["back"])
                assert station.client.certificate_ends is not None
                assert abs(station.client.certificate_ends - time.time() - 3 * DAY.total_seconds()) < 600
    finally:
        broker.stop()
