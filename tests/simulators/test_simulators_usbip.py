"""The devices of a bench over USB/IP, met by a host written from the documents: enumeration, golden frames, faults."""

import asyncio
import json
import struct
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from simulators.devices import adu218, numato, shoe, sign
from simulators.devices.adu218 import Adu218
from simulators.devices.betabrite import BetaBritePort
from simulators.devices.line import SimulatedLine
from simulators.devices.numato import Numato, NumatoLine
from simulators.devices.sign import SimulatedSign
from simulators.devices.usb_port import SimulatedUsbPort
from simulators.pace import pace_from_text
from simulators.station_toml import station_toml
from simulators.usb_backend import BETABRITE
from simulators.usb_descriptors import FULL_SPEED, ftdi, of_make
from simulators.usbip.bus import BenchWire, SimulatedBus
from simulators.usbip.server import UsbIpServer
from tests.made_up_time import until
from tests.simulators.usbip_host import ECONNRESET, Imported, Listed, Refused, Transfer, listed

EPIPE = -32
LINE_4800, LINE_9600 = (0x0271, 0), (0x4138, 0)  # divisors of 3 MHz, as ftdi_sio sends them
LOCK_SHOE = bytes.fromhex("02 4f 50 4c 4b 30 32 03 31 42")  # drivers/angel_eye/README.md
CARD = bytes.fromhex("05 31 44 e0 e5 03 37 33")  # tile 6-5, drivers/angel_eye/README.md
CLEAR_HALT = (0x02, 1, 0)  # request type, request, value


class Bench:
    """A bus with one device of each kind, as the bench has them; what a host set is in `observed`."""

    def __init__(self, folder: Path) -> None:
        self.pace = pace_from_text("max")
        self.received: list[bytes] = []
        self.observed: list[tuple[str, str, dict[str, Any]]] = []
        self.shown: list[str] = []
        self.adu = Adu218(self.pace)
        self.slots = SimulatedUsbPort(self.adu, folder / "usb.sock")
        self.sign = BetaBritePort(SimulatedSign(self.shown.append), folder / "sign.sock")
        self.shoe = SimulatedLine(folder / "shoe", shoe.BAUD, False, self.received.append)
        self.numato = Numato(self.pace, lambda chunk: self.board.send(chunk))
        self.board = NumatoLine(self.numato, folder / "board", False)
        wires = [
            BenchWire("shoe", folder / "shoe", ftdi("SIMSHOE1"), shoe.BAUD),
            BenchWire("slots", folder / "usb.sock", adu218.described()),
            BenchWire("board", folder / "board", numato.described()),
            BenchWire("sign", folder / "sign.sock", of_make(BETABRITE, FULL_SPEED, 0)),
        ]
        self.bus = SimulatedBus(wires, lambda name, what, **values: self.observed.append((name, what, values)))
        self.port = 0

    async def device(self, vendor: int, product: int) -> Listed:
        """The one with these numbers."""
        found = [device for device in await listed(self.port) if (device.vendor, device.product) == (vendor, product)]
        assert len(found) == 1, found
        return found[0]


SHOE, SLOTS, BOARD, SIGN = (0x0403, 0x6001), (0x0A07, 0x00DA), (0x2A19, 0x0C05), (0x8765, 0x1234)


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[Bench]:
    bench = Bench(folder)
    await bench.slots.open()
    await bench.sign.open()
    bench.shoe.open()
    bench.board.open()
    server = UsbIpServer(bench.bus.plugged, lambda name, what: bench.observed.append((name, what, {})))
    bench.port = await server.open(0)
    following = asyncio.create_task(bench.bus.follow())
    try:
        await until(lambda: len(bench.bus.devices) == 4)
        yield bench
    finally:
        following.cancel()
        await asyncio.gather(following, return_exceptions=True)
        await server.close()
        bench.bus.close()
        bench.shoe.close()
        bench.board.close()
        await bench.slots.close()
        await bench.sign.close()


@asynccontextmanager
async def imported(bench: Bench, which: tuple[int, int]) -> AsyncIterator[Imported]:
    host = await Imported.of(bench.port, (await bench.device(*which)).bus_id)
    try:
        yield host
    finally:
        await host.close()


async def test_the_list_has_each_device_with_its_interfaces(tmp_path: Path) -> None:
    async with opened(tmp_path) as bench:
        found = {(device.vendor, device.product): device for device in await listed(bench.port)}
    assert {which: (device.speed, device.interfaces) for which, device in found.items()} == {
        SHOE: (2, ((0xFF, 0xFF, 0xFF),)),
        SLOTS: (1, ((3, 0, 0),)),
        BOARD: (2, ((2, 2, 1), (10, 0, 0))),
        SIGN: (2, ((0xFF, 0, 0),)),
    }
    assert len({device.bus_id for device in found.values()}) == 4


@pytest.mark.parametrize(
    ("which", "product", "endpoints"),
    [
        (SHOE, "FT232R USB UART", [(0x81, 2, 64), (0x02, 2, 64)]),
        (SLOTS, "ADU218 USB Relay I/O Interface", [(0x81, 3, 8), (0x01, 3, 8)]),
        (BOARD, "Numato Lab 16 Channel USB GPIO Module", [(0x81, 3, 8), (0x82, 2, 64), (0x02, 2, 64)]),
        (SIGN, "BetaBrite Prism", [(0x82, 2, 64), (0x02, 2, 64)]),
    ],
)
async def test_a_host_enumerates_each_device(
    tmp_path: Path, which: tuple[int, int], product: str, endpoints: list[tuple[int, int, int]]
) -> None:
    async with opened(tmp_path) as bench, imported(bench, which) as host:
        device = await host.descriptor(1, size=18)
        assert (device[0], device[1], struct.unpack("<HH", device[8:12])) == (18, 1, which)
        assert await host.string(device[15]) == product
        head = await host.descriptor(2, size=9)
        (total,) = struct.unpack("<H", head[2:4])
        whole = await host.descriptor(2, size=total)
        assert len(whole) == total
        parts, at = [], 0
        while at < total:
            parts.append(whole[at : at + whole[at]])
            at += whole[at]
        assert at == total and sum(part[1] == 4 for part in parts) == head[4]
        found = [(part[2], part[3], struct.unpack("<H", part[4:6])[0]) for part in parts if part[1] == 5]
        assert sorted(found) == sorted(endpoints)
        for part in parts:
            if part[1] == 0x21:
                assert len(await host.descriptor(0x22, size=4096)) == struct.unpack("<H", part[7:9])[0]
        assert (await host.control(0x00, 9, 1)).status == 0
        assert (await host.control(0x80, 8, size=1)).octets == b"\1"


async def test_a_descriptor_that_is_not_there_stalls_and_the_next_request_is_answered(tmp_path: Path) -> None:
    async with opened(tmp_path) as bench, imported(bench, SHOE) as host:
        assert (await host.control(0x80, 6, 0x0600, size=10)).status == EPIPE  # a qualifier, of high speed alone
        assert len(await host.descriptor(1, size=18)) == 18


async def test_an_imported_device_is_neither_listed_nor_imported_again(tmp_path: Path) -> None:
    async with opened(tmp_path) as bench:
        async with imported(bench, SHOE) as host:
            assert SHOE not in {(device.vendor, device.product) for device in await listed(bench.port)}
            with pytest.raises(Refused):
                await Imported.of(bench.port, host.device.bus_id)
        await until(lambda: ("shoe", "detached", {}) in bench.observed)
        await bench.device(*SHOE)


async def test_the_adu218_answers_over_its_interrupt_endpoints(tmp_path: Path) -> None:
    async with opened(tmp_path) as bench, imported(bench, SLOTS) as host:
        assert (await host.control(0x21, 0x0A)).status == 0  # SET_IDLE, as usbhid begins
        bench.adu.sense(1, True)
        waiting = host.submit(0x81, size=8)
        assert await host.out(0x01, b"\1PI".ljust(8, b"\0")) == Transfer(0, 8)
        assert (await host.result(waiting)).octets == b"\x01002\0\0\0\0"
        await host.out(0x01, b"\1SK3".ljust(8, b"\0"))
        assert bench.adu.relays[3]


async def test_the_sign_takes_a_message_that_an_empty_transfer_ends(tmp_path: Path) -> None:
    packet = bytes(5) + b"\x01Z00\x02AA\x1b b123\x04"
    async with opened(tmp_path) as bench, imported(bench, SIGN) as host:
        assert await host.out(0x02, packet) == Transfer(0, len(packet))
        assert bench.shown == []
        await host.out(0x02, b"")
        await until(lambda: bench.shown)
    assert "123" in bench.shown[-1]


async def test_the_board_echoes_and_answers_as_a_cdc_port(tmp_path: Path) -> None:
    async with opened(tmp_path) as bench, imported(bench, BOARD) as host:
        assert (await host.control(0x21, 0x22, 3)).status == 0  # DTR and RTS
        await host.out(0x02, b"gpio readall\r")
        received = b""
        while not received.endswith(b">"):
            received += (await host.into(0x82, 64)).octets
        assert received == b"gpio readall\n\r0000\n\r>"
        assert (await host.control(0xA1, 0x21, size=7)).octets[6:] == b"\x08"
        assert ("board", "lines", {"dtr": True, "rts": True}) in bench.observed


async def ftdi_opened(host: Imported, divisor: tuple[int, int] = LINE_4800) -> None:
    """What ftdi_sio sends at an opening."""
    for request, value, index in ((0, 0, 0), (3, *divisor), (1, 0x0101, 0), (1, 0x0202, 0)):
        assert (await host.control(0x40, request, value, index)).status == 0


async def received_by_ftdi(host: Imported, count: int) -> bytes:
    """So many octets, without the two of status that begin every transfer."""
    octets = b""
    while len(octets) < count:
        transfer = await host.into(0x81, 512)
        assert transfer.octets[:2] == b"\x31\x60"
        octets += transfer.octets[2:]
    return octets


async def test_the_shoe_is_behind_an_ftdi_converter(tmp_path: Path) -> None:
    async with opened(tmp_path) as bench, imported(bench, SHOE) as host:
        await ftdi_opened(host)
        bench.shoe.send(CARD)
        assert await received_by_ftdi(host, len(CARD)) == CARD
        assert await host.out(0x02, LOCK_SHOE) == Transfer(0, len(LOCK_SHOE))
        await until(lambda: bench.received)
        assert b"".join(bench.received) == LOCK_SHOE
        assert (await host.control(0xC0, 0x0A, size=1)).octets == b"\x10"
        assert (await host.into(0x81, 512)).octets == b"\x31\x60"  # at the end of the latency timer
    assert ("shoe", "baud", {"baud": 4800}) in bench.observed
    assert ("shoe", "lines", {"dtr": True, "rts": True}) in bench.observed


async def test_at_another_bit_rate_nothing_is_readable(tmp_path: Path) -> None:
    async with opened(tmp_path) as bench, imported(bench, SHOE) as host:
        await ftdi_opened(host, LINE_9600)
        bench.shoe.send(CARD)
        await host.out(0x02, LOCK_SHOE)
        assert (await host.into(0x81, 512)).octets == b"\x31\x60"
        await ftdi_opened(host)
        await host.out(0x02, CARD)
        await until(lambda: bench.received)
    assert bench.received == [CARD]
    assert ("shoe", "baud", {"baud": 9600}) in bench.observed and sign.BAUD == 9600


async def test_a_converter_keeps_256_octets_while_no_one_reads(tmp_path: Path) -> None:
    async with opened(tmp_path) as bench, imported(bench, SHOE) as host:
        bench.shoe.send(bytes(1000))
        await asyncio.sleep(0.05)
        assert (await host.control(0x40, 1, 0x0101)).status == 0
        assert len(await received_by_ftdi(host, 256)) == 256
        assert (await host.into(0x81, 512)).octets == b"\x31\x60"


async def test_a_transfer_that_waits_is_taken_back_and_loses_nothing(tmp_path: Path) -> None:
    async with opened(tmp_path) as bench, imported(bench, SLOTS) as host:
        waiting = host.submit(0x81, size=8)
        assert await host.unlink(waiting) == ECONNRESET
        await host.out(0x01, b"\1PK".ljust(8, b"\0"))
        assert (await host.into(0x81, 8)).octets[:4] == b"\x01000"
        assert host.pending(waiting), "what was taken back has no answer"
        assert await host.unlink(waiting) == 0  # no longer there


async def test_a_halted_endpoint_stays_halted_until_it_is_cleared(tmp_path: Path) -> None:
    async with opened(tmp_path) as bench, imported(bench, SLOTS) as host:
        assert bench.bus.obey("slots:stall") == "ok"
        for _ in range(3):
            assert (await host.out(0x01, b"\1SK1".ljust(8, b"\0"))).status == EPIPE
        assert (await host.control(0x82, 0, index=0x01, size=2)).octets == b"\1\0"  # GET_STATUS: halted
        assert not bench.adu.relays[1]
        assert (await host.control(*CLEAR_HALT, 0x01)).status == 0
        assert (await host.control(0x82, 0, index=0x01, size=2)).octets == b"\0\0"
        assert (await host.out(0x01, b"\1SK1".ljust(8, b"\0"))).status == 0
        assert bench.adu.relays[1]


async def test_a_device_that_naks_answers_requests_and_nothing_else(tmp_path: Path) -> None:
    async with opened(tmp_path) as bench, imported(bench, SLOTS) as host:
        assert bench.bus.obey("slots:nak") == "ok"
        asked = host.submit(0x01, b"\1SK1".ljust(8, b"\0"))
        assert len(await host.descriptor(1)) == 18
        assert host.pending(asked) and not bench.adu.relays[1]
        assert bench.bus.obey("slots:nak=off") == "ok"
        assert (await host.result(asked)).actual == 8 and bench.adu.relays[1]


async def test_a_short_transfer_reports_what_it_carried(tmp_path: Path) -> None:
    async with opened(tmp_path) as bench, imported(bench, SHOE) as host:
        await ftdi_opened(host)
        assert bench.bus.obey("shoe:short") == "ok"
        assert await host.out(0x02, LOCK_SHOE) == Transfer(0, 5)
        await until(lambda: bench.received)
        assert b"".join(bench.received) == LOCK_SHOE[:5]
        assert bench.bus.obey("shoe:short=2") == "ok"
        bench.shoe.send(CARD)
        await until(lambda: bench.bus.devices["shoe"].function._cable.waiting)  # type: ignore[attr-defined]
        pieces = [(await host.into(0x81, 512)).octets for _ in range(3)]
    assert [len(piece) for piece in pieces] == [5, 2, 3] and b"".join(pieces)[2:] == CARD


async def test_a_device_pulled_out_within_a_transfer_never_answers_it(tmp_path: Path) -> None:
    async with opened(tmp_path) as bench:
        async with imported(bench, SLOTS) as host:
            assert bench.bus.obey("slots:cut") == "ok"
            asked = host.submit(0x01, b"\1SK1".ljust(8, b"\0"))
            with pytest.raises(ConnectionError):
                await host.result(asked)
            assert not bench.adu.relays[1]
        async with imported(bench, SLOTS) as host:
            assert (await host.out(0x01, b"\1SK1".ljust(8, b"\0"))).status == 0


async def test_a_device_returns_under_another_number(tmp_path: Path) -> None:
    async with opened(tmp_path) as bench:
        async with imported(bench, SHOE) as host:
            before = host.device
            assert bench.bus.obey("shoe:renumber") == "ok"
            await until(lambda: host.gone)
        after = await bench.device(*SHOE)
        assert after.bus_id != before.bus_id and after.number != before.number
        async with imported(bench, SHOE) as host:
            await ftdi_opened(host)
            bench.shoe.send(CARD)
            assert await received_by_ftdi(host, len(CARD)) == CARD


async def test_a_second_device_of_the_same_make_is_distinguished_by_nothing_but_its_number(tmp_path: Path) -> None:
    async with opened(tmp_path) as bench:
        assert bench.bus.obey("shoe:twin") == "ok"
        twins = [device for device in await listed(bench.port) if (device.vendor, device.product) == SHOE]
        assert len(twins) == 2
        names = []
        for twin in twins:
            host = await Imported.of(bench.port, twin.bus_id)
            names.append((await host.descriptor(1), await host.string(3)))
            await host.close()
        assert names[0] == names[1]
        assert bench.bus.obey("shoe:twin=off") == "ok"
        await bench.device(*SHOE)


async def test_a_device_that_claims_to_be_another_has_its_descriptors_and_does_nothing(tmp_path: Path) -> None:
    async with opened(tmp_path) as bench:
        assert bench.bus.obey("shoe:claims=sign") == "ok"
        claimed = [device for device in await listed(bench.port) if (device.vendor, device.product) == SIGN]
        assert len(claimed) == 2
        for device in claimed:
            host = await Imported.of(bench.port, device.bus_id)
            assert await host.string(2) == "BetaBrite Prism"
            assert await host.out(0x02, b"123") == Transfer(0, 3)
            await host.close()
        assert bench.received == []
        assert bench.bus.obey("shoe:claims=off") == "ok"
        await bench.device(*SHOE)


async def test_an_overlong_configuration_promises_more_than_it_has(tmp_path: Path) -> None:
    async with opened(tmp_path) as bench:
        assert bench.bus.obey("slots:overlong") == "ok"
        async with imported(bench, SLOTS) as host:
            head = await host.descriptor(2, size=9)
            whole = await host.descriptor(2, size=0xFFFF)
            assert struct.unpack("<H", head[2:4])[0] == 0xFFFF and 1000 < len(whole) < 0xFFFF
            await host.out(0x01, b"\1SK1".ljust(8, b"\0"))
            assert bench.adu.relays[1]


async def test_what_the_bench_unplugs_is_gone_from_the_bus_until_it_is_plugged_in(tmp_path: Path) -> None:
    async with opened(tmp_path) as bench:
        async with imported(bench, SHOE) as shoe_host, imported(bench, SLOTS) as slots_host:
            bench.shoe.unplug()
            bench.slots.unplug()
            await until(lambda: shoe_host.gone and slots_host.gone)
            assert {(device.vendor, device.product) for device in await listed(bench.port)} == {BOARD, SIGN}
        bench.shoe.plug()
        bench.slots.plug()
        await until(lambda: len(bench.bus.devices) == 4)
        async with imported(bench, SHOE) as host:
            await ftdi_opened(host)
            bench.shoe.send(CARD)
            assert await received_by_ftdi(host, len(CARD)) == CARD


@pytest.mark.parametrize("line", ["shoe:jam", "shoe:stall=x", "shoe:claims=table", "table:stall", "shoe:cut=off", ""])
async def test_what_is_no_fault_is_answered_with_an_error(tmp_path: Path, line: str) -> None:
    async with opened(tmp_path) as bench:
        assert bench.bus.obey(line).startswith("error: ")


@pytest.mark.parametrize(
    "octets",
    [
        bytes.fromhex("0111 1234 00000000"),
        bytes.fromhex("0111 8003 00000000") + b"9-9".ljust(32, b"\0"),
        bytes(200),
    ],
)
async def test_what_is_no_usbip_ends_the_connection_and_nothing_else(tmp_path: Path, octets: bytes) -> None:
    async with opened(tmp_path) as bench:
        reader, writer = await asyncio.open_connection("127.0.0.1", bench.port)
        writer.write(octets)
        assert len(await asyncio.wait_for(reader.read(-1), 60)) in (0, 8)
        writer.close()
        assert len(await listed(bench.port)) == 4


async def test_the_command_exports_a_bench_and_prints_what_a_host_sets(tmp_path: Path) -> None:
    folder = tmp_path / "table"
    toml = station_toml(
        game="fortune-8", source="shoe", broker="mqtt://127.0.0.1:1", protocol="5", listen="127.0.0.1:1"
    )
    folder.mkdir()
    (folder / "station.toml").write_text(toml)
    line = SimulatedLine(folder / "shoe", shoe.BAUD, False, lambda chunk: None)
    line.open()
    command = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "simulators", "usb", "--dir", folder, "--port", "0", stdin=PIPE, stdout=PIPE
    )  # fmt: skip
    assert command.stdout is not None and command.stdin is not None
    try:
        async with asyncio.timeout(60):
            ready = (await command.stdout.readline()).decode()
            port = int(ready.removeprefix("ready 127.0.0.1:"))
            while not await listed(port):  # noqa: ASYNC110 the bench is looked at now and then
                await asyncio.sleep(0.01)
            host = await Imported.of(port, (await listed(port))[0].bus_id)
            await ftdi_opened(host)
            await host.close()
            seen = [json.loads(await command.stdout.readline()) for _ in range(5)]
            command.stdin.close()
            assert await command.wait() == 0
    finally:
        line.close()
        if command.returncode is None:
            command.kill()
            await command.wait()
    assert [entry["usb"] for entry in seen] == ["attached", "baud", "lines", "lines", "detached"]
    assert seen[1] == {"device": "shoe", "usb": "baud", "baud": 4800}
    assert seen[3] == {"device": "shoe", "usb": "lines", "dtr": True, "rts": True}
