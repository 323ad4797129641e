"""Serial lines over real ptys and real sockets: hang-up, a full line, the second opener, served ports."""

import asyncio
import os
import socket
import subprocess
import sys
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import serial

from drivers.faults import PortLost
from drivers.ports import causes, network
from drivers.ports.line import SerialPort
from drivers.ports.serial import LineSettings, open_serial_port
from tests.made_up_time import until
from tests.wire.cut_cable import serving

ENV = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
LINE = LineSettings(9600, "7E1")
SECONDS = 60.0


async def open_line(port: str, received: bytearray | None = None, settings: LineSettings = LINE) -> SerialPort:
    got = bytearray() if received is None else received
    return await open_serial_port("sign", port, settings, lambda octets: got.extend(octets))


@pytest.fixture
async def line(peer: Any) -> AsyncIterator[SerialPort]:
    line = await open_line(str(peer.path))
    yield line
    line.close()


def test_line_settings_say_what_is_wrong() -> None:
    assert LINE.data_bits == 7 and LINE.parity == "E" and LINE.seconds_per_octet == pytest.approx(10 / 9600)
    with pytest.raises(ValueError, match="8X1"):
        LineSettings(9600, "8X1")


async def test_the_port_is_configured_as_the_settings_say(peer: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[str, object] = {}
    real = serial.Serial

    def spy(*arguments: Any, **settings: Any) -> serial.Serial:
        asked.update(settings)
        return real(*arguments, **settings)

    monkeypatch.setattr(serial, "Serial", spy)
    (await open_line(str(peer.path))).close()
    assert asked == {"baudrate": 9600, "bytesize": 7, "parity": "E", "timeout": 0, "exclusive": True}


async def test_octets_go_both_ways(peer: Any) -> None:
    received = bytearray()
    line = await open_line(str(peer.path), received)
    line.write(b"out")
    peer.send(b"in")
    await until(lambda: received == b"in" and peer.got == b"out")
    line.close()


async def test_what_came_while_the_port_was_closed_is_thrown_away(peer: Any) -> None:
    peer.send(b"stale")
    received = bytearray()
    line = await open_line(str(peer.path), received)
    peer.send(b"new")
    await until(lambda: received)
    assert received == b"new"
    line.close()


async def test_a_second_opener_is_notified_that_the_port_is_in_use(peer: Any) -> None:
    line = await open_line(str(peer.path))
    with pytest.raises(PortLost, match="in use by another program"):
        await open_line(str(peer.path))
    line.close()
    (await open_line(str(peer.path))).close()  # also though a pty refuses 7E1 the second time


async def test_an_absent_port_is_named(tmp_path: Path) -> None:
    with pytest.raises(PortLost, match=f"no device at {tmp_path}/nothing"):
        await open_line(str(tmp_path / "nothing"))


async def test_what_is_no_tty_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(PortLost, match="cannot open"):
        await open_line(str(tmp_path / "file"))


async def test_a_hang_up_ends_the_pause(peer: Any, line: SerialPort) -> None:
    asyncio.get_running_loop().call_later(0.02, peer.unplug)
    with pytest.raises(PortLost, match="hung up"):
        await line.pause(None)
    line.write(b"too late")
    line.close()


async def test_a_long_text_is_written_piece_by_piece(peer: Any, line: SerialPort) -> None:
    text = os.urandom(60_000)
    line.write(text[:50_000])
    line.write(text[50_000:])
    await line.drain(5)
    await until(lambda: len(peer.got) == len(text))
    assert peer.got == text


async def test_a_peer_that_stops_reading_ends_the_line_and_not_the_loop(peer: Any, line: SerialPort) -> None:
    peer.stop_reading()
    line.write(b"x" * 30_000)
    with pytest.raises(PortLost, match="takes nothing for"):
        await line.drain(0.05)


async def test_a_queue_that_only_grows_ends_the_line(peer: Any, line: SerialPort) -> None:
    peer.stop_reading()
    for _ in range(20):
        line.write(b"x" * 10_000)
    with pytest.raises(PortLost, match="takes nothing more"):
        await line.pause(1)


@pytest.mark.parametrize("call", ["open", "close"])
async def test_a_device_that_takes_nothing_stops_no_other_when_its_port_is_opened_or_closed(
    call: str, peer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ttyUSB: opening waits for the device's answers, closing for the octets that it has not taken."""
    begun, answers = threading.Event(), threading.Event()
    waited: list[bool] = []
    real = getattr(serial.Serial, call)

    def waits(line: serial.Serial) -> None:
        begun.set()
        waited.append(answers.wait(SECONDS))
        real(line)

    monkeypatch.setattr(causes, "is_pseudo_terminal", lambda port: False)
    monkeypatch.setattr(serial.Serial, call, waits)
    opening = asyncio.ensure_future(open_line(str(peer.path), settings=LineSettings(9600)))
    if call == "close":
        (await opening).close()
        opening = asyncio.ensure_future(
            open_line(str(peer.path), settings=LineSettings(9600))
        )  # no one else has it, though it is not closed yet
        await opening
    await until(begun.is_set)
    answers.set()
    (await opening).close()
    await until(lambda: waited and all(waited))


async def test_a_pause_ends_when_woken(line: SerialPort) -> None:
    asyncio.get_running_loop().call_soon(line.wake)
    await line.pause(None)
    line.wake()
    await line.pause(None)


async def test_a_serial_server_on_a_socket() -> None:
    peers: list[asyncio.StreamWriter] = []
    got = bytearray()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        peers.append(writer)
        while octets := await reader.read(100):
            got.extend(octets)

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    address = f"socket://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    received = bytearray()
    line = await open_line(address, received)
    await until(lambda: peers)
    line.write(b"out")
    await line.drain(2)
    peers[0].write(b"in" * 3000)
    await until(lambda: got == b"out" and received == b"in" * 3000)
    peers[0].close()
    with pytest.raises(PortLost, match="hung up"):
        await line.pause(None)
    line.close()
    server.close()
    with pytest.raises(PortLost, match="cannot connect"):
        await open_line(address)


@pytest.mark.filterwarnings("ignore:set.* is deprecated:DeprecationWarning")  # pyserial's own
async def test_an_rfc2217_server(peer: Any) -> None:
    with serving(str(peer.path)) as port:
        received = bytearray()
        address = f"rfc2217://127.0.0.1:{port}?timeout=60"  # to pyserial; it waits for 3 otherwise
        line = await open_line(address, received, LineSettings(9600))  # a pty cannot set 7E1
        line.write(b"out")
        peer.send(b"in")
        await until(lambda: received == b"in" and peer.got == b"out")
        line.close()


@pytest.mark.parametrize("traffic", ["idle", "written"])
@pytest.mark.parametrize("scheme", ["socket", "rfc2217"])
def test_a_sign_behind_a_serial_server_whose_cable_is_cut_is_lost(scheme: str, traffic: str, tmp_path: Path) -> None:
    """In a network of its own, in which a firewall drops what goes to the server from one moment on."""
    assert network.GONE_SECONDS + network.KEEPALIVE_EVERY_SECONDS < 30, "an alarm within 30 s"
    command = ["unshare", "--map-root-user", "--net", sys.executable, "-m", "tests.wire.cut_cable", scheme, traffic]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=100, cwd=tmp_path, env=ENV)
    assert done.stdout == "LinkUp\nLinkLost no_answer\n", done.stdout + done.stderr


@pytest.mark.parametrize(
    ("address", "cause"),
    [
        ("socket://serial-server.invalid:4001", "name_unknown"),
        ("rfc2217://serial-server.invalid:4001", "name_unknown"),
        ("socket://127.0.0.1:1", "nothing_listens"),
        ("rfc2217://127.0.0.1:1", "nothing_listens"),
        ("socket://255.255.255.255:4001", "unreachable"),
    ],
)
async def test_why_a_serial_server_cannot_be_reached(address: str, cause: str) -> None:
    with pytest.raises(PortLost) as lost:
        await open_line(address)
    assert lost.value.cause == cause, lost.value.reason
    assert lost.value.reason.count(address) == 1


async def test_a_resolver_that_gives_no_answer_holds_up_neither_a_cancellation_nor_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked, answer = threading.Event(), threading.Event()

    def silent(*_: object, **__: object) -> object:
        asked.set()
        answer.wait(60)
        raise OSError("too late")

    monkeypatch.setattr(socket, "getaddrinfo", silent)
    opening = asyncio.create_task(open_line("socket://serial-server:4001"))
    await asyncio.to_thread(asked.wait)
    opening.cancel()
    await asyncio.wait([opening], timeout=SECONDS)
    assert opening.cancelled()
    [thread] = [known for known in threading.enumerate() if known.name == "sign connect"]
    assert thread.daemon, "nothing waits for it"
    answer.set()
    await asyncio.to_thread(thread.join)
