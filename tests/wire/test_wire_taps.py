"""Ports that others have too: a device that is read at two taps, and another program that opens a port."""

import asyncio
import errno
import os
import select
import subprocess
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from fcntl import ioctl
from pathlib import Path
from typing import Any

import pytest

from drivers.adu218.passive import Adu218Passive
from drivers.angel_eye.passive import AngelEyePassive
from drivers.faults import PortLost
from drivers.messages import CardDrawn, LinkLost, LinkUp, NoiseReceived, ShoeLocked, SlotsRead
from drivers.orders import ShoeLock
from drivers.passive import PassiveSerial, PassiveUsb
from drivers.ports import causes
from drivers.ports import serial as ports
from drivers.ports.line import SerialPort
from drivers.ports.receive_only import ReceiveOnly
from drivers.ports.serial import LineSettings, open_serial_port
from tests.open_files import open_files
from tests.wire.peer import Peer
from tests.wire.test_wire_shoe import EIGHT_OF_SPADES, LOCK


@pytest.fixture
async def controller(tmp_path: Path) -> Any:
    peer = Peer(tmp_path / "controller")
    peer.plug()
    yield peer
    peer.unplug()


@pytest.fixture
def device(peer: Peer, controller: Peer, quick: Any) -> PassiveSerial:
    ports = {"device": str(peer.path), "host": str(controller.path)}
    return PassiveSerial(name="shoe", ports=ports, reader=AngelEyePassive(None), link_timing=quick)  # type: ignore[arg-type]


def open_for_writing(*peers: Peer) -> Iterator[str]:
    """The terminals of these peers that this process has open for writing, but for their own."""
    targets = {os.path.realpath(peer.path): peer._ends[1] for peer in peers if peer._ends is not None}
    for file in open_files():
        if file.path in targets and file.number != targets[file.path] and file.writable:
            yield file.path


async def test_both_directions_are_read_and_nothing_is_written(
    peer: Peer, controller: Peer, device: PassiveSerial, running: Any
) -> None:
    async with running(device) as received:
        device.order(ShoeLock(False))
        await received.until(lambda: controller._ends and _is_read(controller))
        controller.send(LOCK)
        await received.until(lambda: _taken(controller))
        peer.send(b"\x06")
        peer.send(EIGHT_OF_SPADES * 3)
        await received.until(lambda: received.of(CardDrawn))
        assert [type(message) for message in received.messages] == [LinkUp, ShoeLocked, CardDrawn]
        assert list(open_for_writing(peer, controller)) == []
    assert not peer.got and not controller.got


async def test_a_tap_that_is_pulled_is_lost_and_read_again(
    peer: Peer, controller: Peer, device: PassiveSerial, running: Any
) -> None:
    async with running(device) as received:
        await received.until(lambda: _is_read(controller))
        peer.send(b"\x99" + EIGHT_OF_SPADES)
        await received.until(lambda: received.of(LinkUp) and received.of(NoiseReceived))
        controller.unplug()
        await received.until(lambda: received.of(LinkLost))
        controller.plug()
        await received.until(lambda: _is_read(controller) and _is_read(peer))
        peer.send(bytes.fromhex("05 32 44 81 b8 03 34 43"))
        await received.until(lambda: len(received.of(LinkUp)) == 2)
        assert received.of(CardDrawn) == [CardDrawn("8s"), CardDrawn("8s")]


async def test_a_port_that_is_not_there_or_no_port_is_named(tmp_path: Path) -> None:
    lost: asyncio.Future[PortLost] = asyncio.get_running_loop().create_future()
    settings = AngelEyePassive.settings
    with pytest.raises(PortLost, match="cannot open"):
        ReceiveOnly("shoe", str(tmp_path / "none"), settings, lambda octets: None, lost)
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(PortLost, match="is no serial port"):
        ReceiveOnly("shoe", str(tmp_path / "file"), settings, lambda octets: None, lost)


def _is_read(peer: Peer) -> bool:
    """Whether the device has its terminal open, besides the peer itself."""
    if peer._ends is None:
        return False
    return [file.path for file in open_files()].count(os.path.realpath(peer.path)) > 1


def _taken(peer: Peer) -> bool:
    assert peer._ends is not None
    return not select.select([peer._ends[1]], [], [], 0)[0]


async def test_slots_on_usb_are_read_at_the_kernels_tap_and_a_pulled_plug_is_noticed(
    tmp_path: Path, running: Any, quick: Any
) -> None:
    place = tmp_path / "devices" / "1-2"
    place.mkdir(parents=True)
    for file, text in {"idVendor": "0a07", "idProduct": "00da", "busnum": "3", "devnum": "12"}.items():
        (place / file).write_text(f"{text}\n")
    os.mkfifo(tmp_path / "3u")
    device = PassiveUsb(name="slots", reader=Adu218Passive(), usbmon=tmp_path, link_timing=quick)
    async with running(device) as received:
        await received.until(lambda: _is_open(tmp_path / "3u"))
        writing = os.open(tmp_path / "3u", os.O_WRONLY)
        for line in (
            "ffff888105aec0c0 1 S Io:3:013:1 -115:8 8 = 01504900 00000000",  # of another device
            "ffff888105aec0c0 2 S Io:3:012:1 -115:8 8 = 01504900 00000000",
            "ffff888105aec0c0 3 C Ii:3:012:1 0:8 8 = 01303033 00000000",
        ):
            os.write(writing, line[:20].encode())
            os.write(writing, f"{line[20:]}\n".encode())
        await received.until(lambda: received.of(SlotsRead))
        [read] = received.of(SlotsRead)
        assert isinstance(read, SlotsRead) and read.levels == (True, True, *(False,) * 6)
        assert [type(message) for message in received.messages] == [LinkUp, SlotsRead]
        (place / "idVendor").unlink()
        await received.until(lambda: received.of(LinkLost))
        os.close(writing)


async def test_usb_without_the_kernels_tap_is_named(tmp_path: Path, running: Any, quick: Any) -> None:
    (tmp_path / "devices").mkdir()
    device = PassiveUsb(name="slots", reader=Adu218Passive(), usbmon=tmp_path, link_timing=quick)
    async with running(device) as received:
        await received.until(lambda: received.of(LinkLost))
        [lost] = received.of(LinkLost)
        assert (lost.cause, "0a07:00da" in lost.reason) == ("unplugged", True)


def _is_open(path: Path) -> bool:
    return any(file.path == str(path) for file in open_files())


HOLD = "import os, sys; os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY); print('open', flush=True); sys.stdin.read()"
NO_TEXT = "open('/proc/self/comm', 'wb').write(b'caf\\xe9'); "
# A program with CAP_SYS_ADMIN, such as one of root, can open it all the same (tty_ioctl(4), TIOCEXCL).
OPEN_AS_NO_ONE = """
import os, sys
if os.getuid() == 0:
    os.setgroups([]), os.setgid(65534), os.setuid(65534)
try:
    os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY)
    print("open")
except OSError as refused:
    print(refused.errno)
"""


async def open_line(peer: Any) -> SerialPort:
    return await open_serial_port("shoe", str(peer.path), LineSettings(4800), lambda octets: None)


@contextmanager
def another_program(port: str, program: str = HOLD) -> Iterator[int]:
    """A program that has the port open and asks for no lock."""
    with subprocess.Popen(
        [sys.executable, "-c", program, port], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "open\n"
        yield running.pid
        running.kill()


async def test_a_program_that_has_the_port_open_already_is_named(peer: Any) -> None:
    with another_program(str(peer.path)) as pid:
        with pytest.raises(PortLost) as lost:
            await open_line(peer)
        assert lost.value.cause == "in_use"
        assert (
            lost.value.reason
            == f"{peer.path} is in use by another program: {os.path.basename(sys.executable)} (process {pid})"
        )
    (await open_line(peer)).close()


async def test_a_program_whose_name_is_not_utf_8_is_named(peer: Any) -> None:
    with another_program(str(peer.path), NO_TEXT + HOLD) as pid:
        with pytest.raises(PortLost) as lost:
            await open_line(peer)
        assert lost.value.reason.endswith(f": caf\N{REPLACEMENT CHARACTER} (process {pid})")


async def test_a_program_that_opens_the_port_later_is_named_and_shares_no_octets(
    peer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ports.LOOK_SECONDS <= 10
    monkeypatch.setattr(ports, "LOOK_SECONDS", 0.02)
    line = await open_line(peer)
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(line.pause(None), 0.2)
    with another_program(str(peer.path)) as pid:
        with pytest.raises(PortLost) as lost:
            await line.pause(None)
        assert lost.value.cause == "in_use" and f"(process {pid})" in lost.value.reason
    line.close()


@pytest.fixture
def no_pseudo_terminal(peer: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The port is treated as one of hardware."""
    monkeypatch.setattr(causes, "is_pseudo_terminal", lambda device: False)
    os.chmod(os.path.realpath(peer.path), 0o666)


def opened_by_no_one(peer: Any) -> str:
    command = [sys.executable, "-c", OPEN_AS_NO_ONE, os.path.realpath(peer.path)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.usefixtures("no_pseudo_terminal")
async def test_the_kernel_refuses_the_port_to_any_other_program_while_it_is_open(peer: Any) -> None:
    assert opened_by_no_one(peer) == "open"
    line = await open_line(peer)
    assert opened_by_no_one(peer) == str(errno.EBUSY)
    line.close()
    assert opened_by_no_one(peer) == "open"


@pytest.mark.usefixtures("no_pseudo_terminal")
async def test_a_port_that_another_program_has_for_itself_is_in_use_also_for_root(
    peer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(causes, "holders", lambda device: [])  # it is not ours to see
    descriptor = os.open(peer.path, os.O_RDWR | os.O_NOCTTY)
    ioctl(descriptor, termios.TIOCEXCL)
    with pytest.raises(PortLost) as lost:
        await open_line(peer)
    assert lost.value.cause == "in_use"
    ioctl(descriptor, termios.TIOCNXCL)
    (await open_line(peer)).close()
    os.close(descriptor)
