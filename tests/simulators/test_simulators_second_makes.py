"""The drivers of the second makes against the simulated ones, which know nothing of each other."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from drivers.betabrite.sign import BetaBrite
from drivers.messages import LinkLost, LinkUp, NoiseReceived, SlotsRead
from drivers.numato.slots import Numato
from drivers.orders import LampStates, SignFace
from simulators.devices import numato
from simulators.devices.betabrite import BetaBritePort
from simulators.devices.line import SimulatedLine
from simulators.devices.sensors import Sensors
from simulators.devices.sign import SimulatedSign
from simulators.pace import pace_from_text
from simulators.usb_backend import open_betabrite
from tests.made_up_time import unhurried
from tests.wire.peer import QUICK, Received, received_of

SEATS, LAMPS = range(7), range(7, 14)
BUTTON, LOCK_LAMP = 14, 15


def lost(received: Received) -> list[str]:
    return [message.reason for message in received.of(LinkLost)]


@asynccontextmanager
async def board(directory: Path, speed: str = "device") -> AsyncIterator[tuple[numato.Numato, SimulatedLine]]:
    pace = pace_from_text(speed)
    lines: list[SimulatedLine] = []
    slots = numato.Numato(pace, lambda chunk: lines[0].send(chunk))
    line = numato.NumatoLine(slots, directory / "slots", pace.wires)
    lines.append(line)
    line.open()
    try:
        yield slots, line
    finally:
        line.close()


def slots_driver(directory: Path) -> Numato:
    return Numato(
        port=str(directory / "slots"), seats=SEATS, button=BUTTON, lamps=[*LAMPS, LOCK_LAMP], link_timing=QUICK
    )


@unhurried
async def test_chips_button_and_lamps_of_a_numato_board(tmp_path: Path) -> None:
    async with board(tmp_path) as (slots, _line):
        slots.sense(2, True)
        driver = slots_driver(tmp_path)
        driver.order(LampStates(tuple(line in (8, LOCK_LAMP) for line in range(16))))
        async with received_of(driver) as received:
            await received.until(lambda: received.of(SlotsRead) and slots.relays[LOCK_LAMP])
            assert [line for line, lit in enumerate(slots.relays) if lit] == [8, 15]
            first = received.of(SlotsRead)[0]
            assert first.levels[2] and sum(first.levels) == 1 and sum(first.counters) == 0
            for seat in SEATS:
                slots.sense(seat, True)
            slots.sense(BUTTON, True)
            await received.until(lambda: sum(received.of(SlotsRead)[-1].levels) == 8)
            slots.sense(BUTTON, False)
            await received.until(lambda: not received.of(SlotsRead)[-1].levels[BUTTON])
            assert received.of(SlotsRead)[-1].counters == tuple([1, 1, 0, 1, 1, 1, 1] + [0] * 7 + [1, 0])
            driver.order(LampStates((False,) * 16))
            await received.until(lambda: not any(slots.relays))


@unhurried
async def test_a_chip_that_passes_between_two_polls_of_a_numato_board(tmp_path: Path) -> None:
    async with board(tmp_path, "max") as (slots, _line), received_of(slots_driver(tmp_path)) as received:
        await received.until(lambda: received.of(SlotsRead))
        for times in range(1, 21):
            slots.sense(4, True)
            slots.sense(4, False)
            await received.until(lambda times=times: received.of(SlotsRead)[-1].counters[4] == times)  # type: ignore[misc]
        await asyncio.sleep(0.2)
        assert received.of(SlotsRead)[-1].counters[4] == 20 and not any(received.of(SlotsRead)[-1].levels)
        assert not lost(received)


@unhurried
async def test_many_chips_on_a_numato_board_count_once_each(tmp_path: Path) -> None:
    async with board(tmp_path) as (slots, _line), received_of(slots_driver(tmp_path)) as received:
        await received.until(lambda: received.of(SlotsRead))
        rises = [0] * 16
        for turn in range(40):
            line, level = turn % 7, turn // 7 % 2 == 0
            rises[line] += level and not slots.levels[line]
            slots.sense(line, level)
            await asyncio.sleep(0.003 * (turn % 11))
        await asyncio.sleep(0.2)
        assert received.of(SlotsRead)[-1].counters == tuple(rises)
        assert received.of(SlotsRead)[-1].levels == tuple(slots.levels)


@pytest.mark.parametrize("speed", ["device", "max"])
@unhurried
async def test_a_storm_on_one_line_of_a_numato_board_hides_no_other(tmp_path: Path, speed: str) -> None:
    async with board(tmp_path, speed) as (slots, _line):
        sensors = Sensors(slots.sense)
        async with received_of(slots_driver(tmp_path)) as received:
            await received.until(lambda: received.of(SlotsRead))
            sensors.storm(0)
            await asyncio.sleep(0.3)
            sensors.sense(1, True)
            await received.until(lambda: received.of(SlotsRead)[-1].levels[1])
            sensors.calm(0)
            await asyncio.sleep(0.3)
            counters = received.of(SlotsRead)[-1].counters
            assert counters[0] > 4 and counters[1:] == (1, *[0] * 14) and not lost(received)
        sensors.close()


@unhurried
async def test_a_numato_board_that_starts_again_unseen_is_set_up_again(tmp_path: Path) -> None:
    async with board(tmp_path) as (slots, _line):
        driver = slots_driver(tmp_path)
        driver.order(LampStates(tuple(line == LOCK_LAMP for line in range(16))))
        async with received_of(driver) as received:
            await received.until(lambda: slots.relays[LOCK_LAMP] and received.of(SlotsRead))
            slots.restart()
            assert not slots.relays[LOCK_LAMP]
            await received.until(lambda: slots.relays[LOCK_LAMP] and slots.notify)
            assert not lost(received)


@unhurried
async def test_the_wire_of_a_numato_board_goes_wrong(tmp_path: Path) -> None:
    async with board(tmp_path) as (slots, line):
        driver = slots_driver(tmp_path)
        driver.order(LampStates(tuple(line == LOCK_LAMP for line in range(16))))
        async with received_of(driver) as received:
            for kind in ("split", "bytewise", "babble", "late"):
                line.faults.begin(kind)
                await asyncio.sleep(0.4)
                line.faults.end(kind)
            for kind in ("corrupt", "lost", "doubled"):
                line.faults.spoil(kind, 3)
                await asyncio.sleep(0.3)
            line.unplug()
            await received.until(lambda: lost(received) and not any(slots.relays))
            line.plug()
            slots.sense(0, True)
            await received.until(lambda: received.of(SlotsRead)[-1].levels[0] and slots.relays[LOCK_LAMP])
            line.faults.begin("mute")
            await received.until(lambda: any("no answer" in reason for reason in lost(received)))
            line.faults.end("mute")
            slots.sense(1, True)
            await received.until(lambda: received.of(SlotsRead)[-1].levels[1])
            assert received.of(NoiseReceived)


@asynccontextmanager
async def shown_on_usb(directory: Path) -> AsyncIterator[tuple[SimulatedSign, BetaBritePort]]:
    sign = SimulatedSign(lambda text: None)
    port = BetaBritePort(sign, directory / "sign.sock")
    await port.open()
    try:
        yield sign, port
    finally:
        await port.close()


def sign_driver(directory: Path) -> BetaBrite:
    return BetaBrite(
        open_backend=lambda: open_betabrite(str(directory / "sign.sock")), look_seconds=0.05, link_timing=QUICK
    )


@unhurried
async def test_a_face_on_a_betabrite(tmp_path: Path) -> None:
    async with shown_on_usb(tmp_path) as (sign, port):
        driver = sign_driver(tmp_path)
        driver.order(SignFace(("JACKPOT {amount}", "BOA SORTE"), "600.003,50"))
        async with received_of(driver) as received:
            await received.until(lambda: sign.readable == "JACKPOT 600.003,50 | BOA SORTE")
            driver.order(SignFace(("JACKPOT {amount}", "BOA SORTE"), "600.007,00"))
            await received.until(lambda: sign.readable == "JACKPOT 600.007,00 | BOA SORTE")
            port.unplug()
            await received.until(lambda: lost(received) == ["unplugged"])
            sign.lose_memory()
            driver.order(SignFace(("JACKPOT {amount}",), "600.010,50"))
            port.plug()
            await received.until(lambda: sign.readable == "JACKPOT 600.010,50")
            assert len(received.of(LinkUp)) == 2


@unhurried
async def test_a_message_without_its_empty_transfer_is_not_shown(tmp_path: Path) -> None:
    async with shown_on_usb(tmp_path) as (sign, port):
        device = port._device
        packet = b"\0" * 5 + b"\x01Z00\x02AA\x1b bHELLO\x04"
        device.write(packet[:12])
        device.write(packet[12:])
        assert sign.readable == ""
        device.write(b"")
        assert sign.readable == "HELLO"


@unhurried
async def test_the_wire_of_a_betabrite_goes_wrong(tmp_path: Path) -> None:
    async with shown_on_usb(tmp_path) as (sign, port):
        driver = sign_driver(tmp_path)
        async with received_of(driver) as received:
            driver.order(SignFace(("{amount}",), "1"))
            await received.until(lambda: sign.readable == "1")
            for number, kind in enumerate(("split", "bytewise", "babble")):
                port.faults.begin(kind)
                driver.order(SignFace(("{amount}",), f"2{number}"))
                await received.until(lambda number=number: sign.readable == f"2{number}")  # type: ignore[misc]
                port.faults.end(kind)
            port.faults.spoil("doubled")
            driver.order(SignFace(("{amount}",), "3"))
            await received.until(lambda: sign.readable == "3")
            sign.refuse()
            driver.order(SignFace(("{amount}",), "4"))
            await received.until(lambda: sign.readable == "4")
            await received.until(lambda: received.of(NoiseReceived))
