"""A serial port and another program that opens it, too: the kernel refuses that one, or it is named."""

import asyncio
import errno
import os
import subprocess
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from fcntl import ioctl
from typing import Any

import pytest

from drivers.faults import PortLost
from drivers.ports import holders
from drivers.ports import serial as ports
from drivers.ports.line import SerialPort
from drivers.ports.serial import LineSettings, open_serial_port

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
    monkeypatch.setattr(holders, "is_pseudo_terminal", lambda device: False)
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
    monkeypatch.setattr(holders, "holders", lambda device: [])  # it is not ours to see
    descriptor = os.open(peer.path, os.O_RDWR | os.O_NOCTTY)
    ioctl(descriptor, termios.TIOCEXCL)
    with pytest.raises(PortLost) as lost:
        await open_line(peer)
    assert lost.value.cause == "in_use"
    ioctl(descriptor, termios.TIOCNXCL)
    (await open_line(peer)).close()
    os.close(descriptor)
