"""TLS to the broker: certificates, those that expire, and a client that refuses others."""

import asyncio
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from controller.floor import certificates
from controller.floor.broker import BadConnectionFile, Broker, TlsFiles, tls_context
from controller.floor.certificates import Ending, ending, watch_certificates
from controller.floor.mqtt import MOST_IN_FLIGHT, AcknowledgedClient, PublishRefused
from tests.floor.access_control import DAY, Authority, with_pass_phrase
from tests.floor.informing_station import Station, informing
from tests.station.processes import Mosquitto

TABLE = "table-1"
SECONDS = 60.0


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="module")
def broker(authority: Authority, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    """A mosquitto that lets in whom the authority has signed for, and lets the table alone write."""
    folder = tmp_path_factory.mktemp("broker")
    certificate, key = authority.sign("broker")
    (folder / "acl").write_text(f"user {TABLE}\ntopic write dealer/#\n")
    settings = (
        f"cafile {authority.file}\ncertfile {certificate}\nkeyfile {key}\n"
        f"require_certificate true\nuse_identity_as_username true\nacl_file {folder / 'acl'}"
    )
    with Mosquitto(folder, settings) as broker:
        yield broker


async def complaint(broker: Broker) -> str | None:
    """Why the floor was lost, its cause first; None once the broker is back."""
    async with asyncio.timeout(SECONDS), informing(broker) as station:
        await station.until(lambda: bool(station.edges))
        return f"{station.causes[0]}: {station.reasons[0]}" if station.reasons else None


async def test_a_station_with_a_certificate_is_let_in_under_the_name_in_it(
    authority: Authority, broker: Mosquitto
) -> None:
    certificate, key = authority.sign(TABLE)
    tls = TlsFiles(authority.file, certificate, key)
    assert await complaint(Broker("127.0.0.1", broker.port, tls, client_id=TABLE)) is None


async def test_a_certificate_of_another_name_writes_on_no_topic_of_this_table(
    authority: Authority, broker: Mosquitto
) -> None:
    tls = TlsFiles(authority.file, *authority.sign("table-2"))
    reason = await complaint(Broker("127.0.0.1", broker.port, tls))
    assert reason is not None and reason.startswith("not_authorised: ") and "Not authorized" in reason


async def test_a_station_without_a_certificate_is_notified_that_the_broker_wants_one(
    authority: Authority, broker: Mosquitto
) -> None:
    reason = await complaint(Broker("127.0.0.1", broker.port, TlsFiles(authority.file)))
    assert reason == "own_certificate_missing: TLS: tlsv13 alert certificate required"


async def test_a_broker_that_the_authority_did_not_sign_for_is_not_spoken_to(tmp_path: Path, broker: Mosquitto) -> None:
    other = Authority(tmp_path, "another")
    reason = await complaint(Broker("127.0.0.1", broker.port, TlsFiles(other.file, *other.sign(TABLE))))
    assert reason is not None and reason.startswith("certificate_untrusted: certificate verify failed")


def test_what_cannot_be_used_is_named_by_its_key(authority: Authority, tmp_path: Path) -> None:
    certificate, key = authority.sign("a-station")
    _, other_key = authority.sign("another-station")
    text, none = tmp_path / "text.pem", tmp_path / "none.pem"
    text.write_text("hello\n")
    for files, wrong, expected in (
        ((none, None, None), "ca_file", "certificates in PEM; No such file or directory"),
        ((text, None, None), "ca_file", "certificates in PEM; NO_CERTIFICATE_OR_CRL_FOUND"),
        ((None, none, key), "cert_file", "a file that can be read; No such file or directory"),
        ((None, certificate, none), "key_file", "a file that can be read; No such file or directory"),
        ((None, certificate, other_key), "cert_file", "KEY_VALUES_MISMATCH"),
        ((None, certificate, with_pass_phrase(key)), "cert_file", "its key without a pass phrase"),
        ((None, text, key), "cert_file", "a certificate in PEM"),
    ):
        with pytest.raises(BadConnectionFile) as bad:
            tls_context(TlsFiles(*files))
        assert bad.value.key == wrong and expected in bad.value.expected, bad.value.expected


# ---- Certificates that end soon are reported fourteen days before: the table's, its authorities' and the broker's.


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
    with Mosquitto(tmp_path / "broker", settings) as broker:
        async with asyncio.timeout(SECONDS):
            async with informing(Broker("127.0.0.1", broker.port, TlsFiles(authority.file))) as station:
                await station.until(lambda: station.edges == ["back"])
                assert station.client.certificate_ends is not None
                assert abs(station.client.certificate_ends - time.time() - 3 * DAY.total_seconds()) < 600


# ---- What the MQTT client has in flight.


TAKEN, DENIED = (ReasonCode(PacketTypes.PUBACK, identifier=code) for code in (0x00, 0x87))


class Wire(AcknowledgedClient):
    """A client whose broker the test is."""

    def __init__(self, at_once: int) -> None:
        self.at_once = at_once
        self.sent: list[bytes] = []
        self._answers: dict[bytes, Callable[[ReasonCode], None]] = {}

    def send(
        self,
        topic: str,
        payload: bytes,
        answered: Callable[[ReasonCode], None],
        properties: Properties | None = None,
    ) -> None:
        self.sent.append(payload)
        self._answers[payload] = answered

    async def answer(self, payload: bytes, reason: ReasonCode = TAKEN) -> None:
        self._answers.pop(payload)(reason)
        for _ in range(3):
            await asyncio.sleep(0)


async def test_a_refusal_in_the_middle_is_repeated_from_there_one_at_a_time() -> None:
    station, wire = Station(Broker("127.0.0.1", 1)), Wire(at_once=3)
    for number in range(1, 8):
        station.say("card", b"%d" % number)
    work = asyncio.create_task(station.client._deliver_rows(wire, float("inf")))
    await asyncio.sleep(0)
    assert wire.sent == [b"1", b"2", b"3"]
    await wire.answer(b"1")
    assert wire.sent == [b"1", b"2", b"3", b"4"] and station.acknowledged == 1
    await wire.answer(b"3")
    assert station.acknowledged == 1, "only what has all before it is done with"
    await wire.answer(b"2", DENIED)
    with pytest.raises(PublishRefused, match="the broker refuses dealer/events/card: Not authorized"):
        await work
    station.client._failed(True, "denied")
    assert station.acknowledged == 1 and [sequence for sequence, _ in station.untaken] == [2]
    wire.sent.clear()
    work = asyncio.create_task(station.client._deliver_rows(wire, float("inf")))
    await asyncio.sleep(0)
    for alone in (b"2", b"3"):
        assert wire.sent[-1] == alone
        await wire.answer(alone)
    assert wire.sent == [b"2", b"3", b"4", b"5", b"6"], "those that were not in flight are several again"
    for rest in (b"4", b"5", b"6", b"7"):
        await wire.answer(rest)
    assert await work and station.acknowledged == 7


async def test_no_more_are_in_flight_than_the_broker_receives_at_once() -> None:
    client = AcknowledgedClient("127.0.0.1")
    assert client.at_once == MOST_IN_FLIGHT
    for stated, at_once in ((3, 3), (60_000, MOST_IN_FLIGHT)):
        properties = Properties(PacketTypes.CONNACK)  # type: ignore[no-untyped-call]
        properties.ReceiveMaximum = stated
        client._connected = asyncio.Future()
        client._on_connect(client._client, None, None, ReasonCode(PacketTypes.CONNACK), properties)
        assert client.at_once == at_once
