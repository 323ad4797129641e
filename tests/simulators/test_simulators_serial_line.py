"""The serial line of a simulated device: a stable name, raw bytes, and loss where a wire would lose."""

import asyncio
import fcntl
import os
import struct
import termios
from pathlib import Path

import serial

from simulators.devices.line import SimulatedLine
from tests.made_up_time import unhurried


async def test_pyserial_opens_it_raw_and_it_outlives_its_hosts(tmp_path: Path) -> None:
    received = asyncio.StreamReader()
    line = SimulatedLine(tmp_path / "shoe", 4800, False, received.feed_data)
    line.open()
    every_byte = bytes(range(256))
    for _ in range(2):
        with serial.Serial(str(tmp_path / "shoe"), 4800, timeout=0, exclusive=True) as host:
            host.write(every_byte)
            line.send(every_byte)
            assert host.read(1000) == every_byte
            assert await received.readexactly(256) == every_byte
    assert (tmp_path / "shoe").is_symlink()
    line.close()
    assert not (tmp_path / "shoe").is_symlink()


async def test_what_no_one_reads_is_lost_and_what_was_sent_to_a_closed_port_is_gone(tmp_path: Path) -> None:
    line = SimulatedLine(tmp_path / "shoe", 4800, False, lambda chunk: None)
    line.open()
    for _ in range(400):
        line.send(b"x" * 100)
        await asyncio.sleep(0)
    assert line.lost_bytes > 20000
    with serial.Serial(str(tmp_path / "shoe"), 4800, timeout=0, exclusive=True) as host:
        line.send(b"now")
        received = host.read(65536)
        assert received == b"now"
    line.close()


async def test_what_was_sent_is_at_the_host_before_anything_else_is_sent(tmp_path: Path) -> None:
    """Else a card would be reported on the wire after a question on another one that was asked later."""
    line = SimulatedLine(tmp_path / "shoe", 4800, False, lambda chunk: None)
    line.open()
    with serial.Serial(str(tmp_path / "shoe"), 4800, timeout=0, exclusive=True) as host:
        for _ in range(2000):
            line.send(b"a card")
            waiting = struct.unpack("i", fcntl.ioctl(host.fileno(), termios.FIONREAD, b"\0\0\0\0"))[0]
            assert waiting == 6
            assert host.read(100) == b"a card"
            await asyncio.sleep(0)
    line.close()


@unhurried
async def test_a_paced_line_takes_its_time_both_ways(tmp_path: Path) -> None:
    arrived: list[float] = []
    loop = asyncio.get_running_loop()
    line = SimulatedLine(tmp_path / "shoe", 4800, True, lambda chunk: arrived.append(loop.time()))
    line.open()
    host = os.open(tmp_path / "shoe", os.O_RDWR | os.O_NONBLOCK)
    began = loop.time()
    line.send(b"a" * 24)
    os.write(host, b"b" * 24)
    received = b""
    chunks = 0
    while len(received) < 24:
        await asyncio.sleep(0.002)
        try:
            received += os.read(host, 100)
            chunks += 1
        except BlockingIOError:
            pass
    assert loop.time() - began >= 0.048, "24 bytes at 480 a second"
    assert chunks > 3, "a frame comes in pieces"
    await asyncio.sleep(0.01)
    assert arrived[0] - began >= 0.049
    os.close(host)
    line.close()
