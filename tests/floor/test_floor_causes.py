"""The true cause of a broker that is away: each is brought about, by Debian's mosquitto where that can do it."""

import asyncio
import select
import socket
import struct
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import cast

import aiomqtt
import pytest

from controller.floor import mqtt
from controller.floor.broker import Broker, TlsFiles
from controller.floor.causes import CONNACK, DISCONNECT, PUBACK, BrokerLost
from controller.floor.client import HUNG_UP_TIMES
from controller.rulebook.parts.faults import LossCause
from controller.system.tasks import ended
from simulators.broker import free_port
from tests.floor.access_control import DAY, Authority, Valid
from tests.floor.informing_station import EVENTS, Station, informing
from tests.floor.moody_broker import CodedBroker, SilentProxy
from tests.station.processes import Mosquitto

SECONDS = 60.0
PAST: Valid = -2 * DAY, -DAY
LATER: Valid = DAY, 2 * DAY


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("random.uniform", lambda low, high: 0.0)


async def cause(broker: Broker, settled: Callable[[Station], bool] = lambda station: bool(station.causes)) -> LossCause:
    """Why a station that informs this broker says that it is away."""
    async with asyncio.timeout(SECONDS), informing(broker) as station:
        station.say("card")
        await station.until(lambda: settled(station))
        assert station.reasons[-1] and "Errno" not in station.reasons[-1]
        return station.causes[-1]


async def test_a_host_without_an_address() -> None:
    assert await cause(Broker("broker.invalid", 1883)) == "name_unknown"


async def test_a_host_on_which_no_broker_listens() -> None:
    assert await cause(Broker("127.0.0.1", free_port())) == "nothing_listens"


async def test_an_address_to_which_there_is_no_way() -> None:
    assert await cause(Broker("255.255.255.255", 1883)) == "unreachable"


async def test_a_broker_that_answers_nothing(mosquitto: Mosquitto, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mqtt, "ACKNOWLEDGE_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as listener:  # the kernel lets it in, and nothing reads
        assert await cause(Broker("127.0.0.1", listener.getsockname()[1])) == "no_answer"


async def test_a_broker_that_answers_no_ping(mosquitto: Mosquitto) -> None:
    with SilentProxy(mosquitto.port) as proxy:
        async with asyncio.timeout(SECONDS), informing(Broker("127.0.0.1", proxy.port, keepalive=1)) as station:
            await station.until(lambda: station.acknowledged >= 1)
            await asyncio.to_thread(proxy.silence, False)
            await station.until(lambda: bool(station.causes))
            assert station.causes == ["keepalive"]


@asynccontextmanager
async def tls_broker(
    folder: Path, authority: Authority, certificate: tuple[Path, Path], more: str = ""
) -> AsyncIterator[Mosquitto]:
    file, key = certificate
    settings = f"allow_anonymous true\ncafile {authority.file}\ncertfile {file}\nkeyfile {key}\n{more}"
    with Mosquitto(folder / "broker", settings) as broker:
        yield broker


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path)


@pytest.mark.parametrize(
    ("valid", "host", "expected"),
    [
        (PAST, "127.0.0.1", "certificate_expired"),
        (LATER, "127.0.0.1", "certificate_not_yet_valid"),
        ((-DAY, DAY), "127.0.0.2", "certificate_wrong_name"),
    ],
)
async def test_the_brokers_certificate(
    tmp_path: Path, authority: Authority, valid: Valid, host: str, expected: LossCause
) -> None:
    async with tls_broker(tmp_path, authority, authority.sign("broker", valid, host)) as broker:
        assert await cause(Broker("127.0.0.1", broker.port, TlsFiles(authority.file))) == expected


async def test_the_brokers_authority_is_unknown_or_has_expired(tmp_path: Path, authority: Authority) -> None:
    (tmp_path / "other").mkdir()
    other = Authority(tmp_path / "other", "another")
    async with tls_broker(tmp_path, authority, authority.sign("broker")) as broker:
        assert await cause(Broker("127.0.0.1", broker.port, TlsFiles(other.file))) == "certificate_untrusted"
        assert await cause(Broker("127.0.0.1", broker.port, TlsFiles())) == "certificate_untrusted"
    (tmp_path / "old").mkdir()
    old = Authority(tmp_path / "old", valid=PAST)
    async with tls_broker(tmp_path / "old", old, old.sign("broker")) as broker:
        assert await cause(Broker("127.0.0.1", broker.port, TlsFiles(old.file))) == "certificate_expired"


async def test_the_brokers_certificate_is_in_a_revocation_list(tmp_path: Path, authority: Authority) -> None:
    certificate = authority.sign("broker")
    both = tmp_path / "both.pem"
    both.write_bytes(authority.file.read_bytes() + authority.revoke(certificate[0]).read_bytes())
    async with tls_broker(tmp_path, authority, certificate) as broker:
        assert await cause(Broker("127.0.0.1", broker.port, TlsFiles(both))) == "certificate_revoked"


DEMANDED = "require_certificate true\n"


async def test_the_tables_own_certificate(tmp_path: Path, authority: Authority) -> None:
    (tmp_path / "other").mkdir()
    good, revoked = authority.sign("table"), authority.sign("revoked")
    own: dict[LossCause, TlsFiles] = {
        "own_certificate_expired": TlsFiles(authority.file, *authority.sign("old", PAST)),
        "own_certificate_revoked": TlsFiles(authority.file, *revoked),
        "own_certificate_untrusted": TlsFiles(authority.file, *Authority(tmp_path / "other", "another").sign("table")),
    }
    more = f"{DEMANDED}crlfile {authority.revoke(revoked[0])}"
    async with tls_broker(tmp_path, authority, authority.sign("broker"), more) as broker:
        for expected, files in own.items():
            assert await cause(Broker("127.0.0.1", broker.port, files)) == expected
        assert await cause(Broker("127.0.0.1", broker.port, TlsFiles(authority.file))) == "own_certificate_missing"
        async with (
            asyncio.timeout(SECONDS),
            informing(Broker("127.0.0.1", broker.port, TlsFiles(authority.file, *good))) as station,
        ):
            await station.until(lambda: station.edges == ["back"])


def write_late(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Connections that write once the broker has reset them, before anything is read; set as the first is made."""
    connected = threading.Event()

    def watch(client: mqtt.CancellableClient) -> None:
        connected.set()
        poll = select.poll()
        poll.register(cast(socket.socket, client._client.socket()), 0)  # errors alone
        assert poll.poll(SECONDS * 1000)
        client._watched = True
        client._writable()

    monkeypatch.setattr(mqtt.CancellableClient, "_watch", watch)
    return connected


async def test_a_rejected_certificate_whose_alert_is_read_after_a_write_has_failed(
    tmp_path: Path, authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_late(monkeypatch)
    files = TlsFiles(authority.file, *authority.sign("old", PAST))
    async with tls_broker(tmp_path, authority, authority.sign("broker"), DEMANDED) as broker:
        assert await cause(Broker("127.0.0.1", broker.port, files)) == "own_certificate_expired"


async def test_a_refusal_that_is_read_after_a_write_has_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    connected = write_late(monkeypatch)

    def refuse(listener: socket.socket) -> None:
        connection, _ = listener.accept()
        connected.wait(SECONDS)
        connection.sendall(b"\x20\x03\x00\x8a\x00")  # CONNACK, banned
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=refuse, args=(listener,))
        thread.start()
        with pytest.raises(BrokerLost, match="Banned") as raised:
            async with asyncio.timeout(SECONDS), mqtt.connection(Broker("127.0.0.1", listener.getsockname()[1])):
                raise AssertionError("connected")
        thread.join()
    assert raised.value.cause == "banned"


async def test_tls_where_there_is_none_and_none_where_there_is(
    tmp_path: Path, mosquitto: Mosquitto, authority: Authority
) -> None:
    assert await cause(Broker("127.0.0.1", mosquitto.port, TlsFiles(authority.file))) in ("not_tls", "no_welcome")
    async with tls_broker(tmp_path, authority, authority.sign("broker")) as broker:
        assert await cause(Broker("127.0.0.1", broker.port)) == "no_welcome"


async def test_files_that_have_become_unusable_since_the_start(tmp_path: Path, mosquitto: Mosquitto) -> None:
    (tmp_path / "ca.pem").write_text("hello")
    assert await cause(Broker("127.0.0.1", mosquitto.port, TlsFiles(tmp_path / "ca.pem"))) == "bad_file"
    gone = Broker("127.0.0.1", mosquitto.port, username="table", password_file=tmp_path / "gone")
    assert await cause(gone) == "bad_file"


async def test_files_are_read_again_at_each_connection(tmp_path: Path, authority: Authority) -> None:
    certificate, key = authority.sign("table", PAST)
    async with tls_broker(tmp_path, authority, authority.sign("broker"), DEMANDED) as broker:
        mine = Broker("127.0.0.1", broker.port, TlsFiles(authority.file, certificate, key))
        async with asyncio.timeout(SECONDS), informing(mine) as station:
            await station.until(lambda: station.causes == ["own_certificate_expired"])
            assert (certificate, key) == authority.sign("table"), "renewed in its place"
            await station.until(lambda: station.edges[-1] == "back")


async def test_a_wrong_password_and_the_right_one_without_a_restart(tmp_path: Path) -> None:
    from tests.station.test_station_floor_trouble import password_line

    passwords, mine = tmp_path / "passwords", tmp_path / "mine"
    passwords.write_text(password_line("table", "right"))
    passwords.chmod(0o600)
    mine.write_text("wrong\n")
    with Mosquitto(tmp_path / "broker", f"allow_anonymous false\npassword_file {passwords}") as broker:
        for protocol in ("5", "3.1.1"):
            mine.write_text("wrong\n")
            here = Broker("127.0.0.1", broker.port, username="table", password_file=mine, protocol=protocol)
            async with asyncio.timeout(SECONDS), informing(here) as station:
                await station.until(lambda: bool(station.causes))
                assert station.causes == ["credentials"]
                mine.write_text("right\n")
                await station.until(lambda: station.edges[-1] == "back")


async def test_a_broker_of_mqtt_3_1_1_alone() -> None:
    async with CodedBroker(old=True) as broker:
        assert await cause(Broker("127.0.0.1", broker.port)) == "protocol"


@pytest.mark.parametrize("code", CONNACK)
async def test_every_code_of_a_connack(code: int) -> None:
    async with CodedBroker(connack=code) as broker:
        assert await cause(Broker("127.0.0.1", broker.port)) == CONNACK[code]


@pytest.mark.parametrize("code", DISCONNECT)
async def test_every_code_of_a_disconnect(code: int) -> None:
    async with CodedBroker(disconnect=code) as broker:
        assert await cause(Broker("127.0.0.1", broker.port)) == DISCONNECT[code]


@pytest.mark.parametrize("code", [code for code in PUBACK if code != 0x95])
async def test_every_code_of_a_puback(code: int) -> None:
    async with (
        CodedBroker(puback=code) as broker,
        asyncio.timeout(SECONDS),
        informing(Broker("127.0.0.1", broker.port)) as station,
    ):
        station.say("card")
        await station.until(lambda: len(station.causes) > 0)
        assert station.causes[0] == PUBACK[code]


@pytest.mark.parametrize("protocol", ["5", "3.1.1"])
async def test_a_second_client_of_the_same_id(mosquitto: Mosquitto, protocol: str) -> None:
    mine = Broker("127.0.0.1", mosquitto.port, client_id="table-1", protocol=protocol)

    async def rival() -> None:
        while True:
            with suppress(aiomqtt.MqttError):
                async with mqtt.connection(mine) as client:
                    async for _ in client.messages:
                        pass
            await asyncio.sleep(0.1)  # as a station does, between two tries

    async with asyncio.timeout(3 * SECONDS), informing(mine) as station:
        await station.until(lambda: station.edges == ["back"])
        other = asyncio.create_task(rival())
        await station.until(lambda: "taken_over" in station.causes)
        await ended(other)
        assert station.contested == 1


async def test_a_broker_that_is_shut_down(mosquitto: Mosquitto) -> None:
    async with asyncio.timeout(SECONDS), informing(Broker("127.0.0.1", mosquitto.port)) as station:
        await station.until(lambda: station.edges == ["back"])
        await asyncio.to_thread(mosquitto.stop)
        await station.until(lambda: station.edges[-1] == "lost")
        assert station.causes[0] in ("broker_stops", "hung_up")
        await station.until(lambda: station.causes[-1] == "nothing_listens")


async def test_an_access_list_that_denies_what_happens(tmp_path: Path) -> None:
    (tmp_path / "acl").write_text("topic read dealer/#\ntopic write dealer/status\n")
    with Mosquitto(tmp_path / "broker", f"allow_anonymous true\nacl_file {tmp_path / 'acl'}") as broker:
        async with asyncio.timeout(SECONDS), informing(Broker("127.0.0.1", broker.port)) as station:
            station.say("card")
            await station.until(lambda: len(station.untaken) == 1)
            assert station.causes == ["not_authorised"] and EVENTS in station.reasons[0]
    assert HUNG_UP_TIMES > 1
