"""USB endpoints that are halted, and transfers that the bus spoils, between the drivers and the simulated devices."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import usb.core
import usb.util

from drivers.adu218.slots import Slots
from drivers.adu218.wire import AduTiming
from drivers.betabrite.sign import BetaBrite
from drivers.device import Device, DeviceMessage
from drivers.link import LinkTiming
from drivers.messages import LinkLost, LinkUp
from drivers.orders import LampStates, SignFace
from simulators.devices.adu218 import Adu218
from simulators.devices.betabrite import BetaBritePort
from simulators.devices.sign import SimulatedSign
from simulators.devices.usb_port import SimulatedUsbPort
from simulators.pace import pace_from_text
from simulators.usb_backend import open_backend, open_betabrite
from simulators.usb_cable import FAILED, STALLED, TOO_LONG
from tests.made_up_time import until

QUICK = LinkTiming(floor=0.02, ceiling=0.1, noise_report=0.05)
TIMING = AduTiming(drain=0.01, answer=0.5, silence=0.5)
PATIENCE_SECONDS = 60.0
LAMPS = (True, False, True, False, False, False, False, True)
ENDPOINT_OUT, ENDPOINT_IN = 0x01, 0x81


@asynccontextmanager
async def running(device: Device) -> AsyncIterator[list[DeviceMessage]]:
    received: list[DeviceMessage] = []
    task = asyncio.create_task(device.run(received.append))
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            yield received
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@asynccontextmanager
async def slots(folder: Path) -> AsyncIterator[tuple[Adu218, SimulatedUsbPort, Slots]]:
    adu = Adu218(pace_from_text("max"))
    port = SimulatedUsbPort(adu, folder / "usb.sock")
    await port.open()
    try:
        yield (
            adu,
            port,
            Slots(
                button=7,
                open_backend=lambda: open_backend(str(folder / "usb.sock")),
                timing=TIMING,
                link_timing=QUICK,
                lamps_again_seconds=0.05,
            ),
        )
    finally:
        await port.close()


def losses(received: list[DeviceMessage]) -> list[str]:
    return [report.message.cause for report in received if isinstance(report.message, LinkLost)]


def ups(received: list[DeviceMessage]) -> int:
    return sum(isinstance(report.message, LinkUp) for report in received)


@pytest.mark.parametrize("endpoint", ["out", "into"])
@pytest.mark.parametrize(
    ("failure", "cause"),
    [(STALLED, "stalled"), (FAILED, "garbled"), (TOO_LONG, "garbled")],
    ids=["EPIPE", "EPROTO", "EOVERFLOW"],
)
async def test_an_adu218_that_fails_one_transfer_is_back_and_keeps_its_lamps(
    tmp_path: Path, endpoint: str, failure: int, cause: str
) -> None:
    async with slots(tmp_path) as (adu, port, driver), running(driver) as received:
        driver.order(LampStates(LAMPS))
        await until(lambda: tuple(adu.relays) == LAMPS)
        port.fail(getattr(port, endpoint), failure)
        await until(lambda: ups(received) == 2)
        assert losses(received) == [cause]
        adu.trip()
        await until(lambda: tuple(adu.relays) == LAMPS)
        assert port.resets == 0, "clearing the halt was enough"


@pytest.mark.parametrize("endpoint", ["out", "into"])
async def test_a_halt_that_clearing_does_not_end_is_ended_by_one_reset(tmp_path: Path, endpoint: str) -> None:
    async with slots(tmp_path) as (_adu, port, driver), running(driver) as received:
        await until(lambda: ups(received) == 1)
        port.fail(getattr(port, endpoint), STALLED, refuses_to_clear=1_000)
        await until(lambda: ups(received) == 2)
        assert losses(received) == ["stalled"]
        assert port.resets == 1


async def test_a_device_that_never_works_again_is_reset_at_most_at_every_second_opening(tmp_path: Path) -> None:
    async with slots(tmp_path) as (_adu, port, driver), running(driver) as received:
        await until(lambda: ups(received) == 1)
        port.fail(port.into, *[STALLED] * 10_000)
        began = asyncio.get_running_loop().time()
        await until(lambda: port.resets == 3)
        assert asyncio.get_running_loop().time() - began > 3 * 2 * QUICK.floor
        assert losses(received) == ["stalled"] and ups(received) == 1


async def test_a_betabrite_that_was_halted_shows_its_face_again(tmp_path: Path) -> None:
    sign = SimulatedSign(lambda readable: None)
    port = BetaBritePort(sign, tmp_path / "sign.sock")
    await port.open()
    driver = BetaBrite(
        open_backend=lambda: open_betabrite(str(tmp_path / "sign.sock")),
        packet_pause_seconds=0.0,
        look_seconds=0.02,
        link_timing=QUICK,
    )
    try:
        async with running(driver) as received:
            driver.order(SignFace(("{amount}",), "1"))
            await until(lambda: sign.readable == "1")
            for number, (pipe, failure) in enumerate(
                [(port.out, STALLED), (port.into, STALLED), (port.out, FAILED), (port.into, TOO_LONG)]
            ):
                port.fail(pipe, failure)
                driver.order(SignFace(("{amount}",), f"2{number}"))
                await until(lambda number=number: sign.readable == f"2{number}" and ups(received) == number + 2)  # type: ignore[misc]
            port.fail(port.into, *[STALLED] * 10_000)
            await until(lambda: port.resets == 2)
            assert ups(received) == 5, "it is not up while one of its endpoints is halted"
    finally:
        await port.close()


class Host:
    """A program on the host that uses pyusb as it likes."""

    def __init__(self, folder: Path) -> None:
        self.device: Any = usb.core.find(
            idVendor=0x0A07, idProduct=0x00DA, backend=open_backend(str(folder / "usb.sock"))
        )
        if self.device.is_kernel_driver_active(0):
            self.device.detach_kernel_driver(0)

    def ask(self, command: str = "PI") -> str:
        self.device.write(ENDPOINT_OUT, (b"\x01" + command.encode()).ljust(8, b"\0"), 100)
        return bytes(self.device.read(ENDPOINT_IN, 8, 100))[1:].rstrip(b"\0").decode()

    def close(self) -> None:
        usb.util.dispose_resources(self.device)


async def test_a_halt_outlives_each_opening_until_it_is_cleared(tmp_path: Path) -> None:
    async with slots(tmp_path) as (_adu, port, _driver):
        port.fail(port.out, STALLED)

        def open_again() -> list[int]:
            numbers = []
            for _ in range(3):
                host = Host(tmp_path)
                with pytest.raises(usb.core.USBError) as stalled:
                    host.ask()
                numbers.append(stalled.value.errno)
                host.close()
            host = Host(tmp_path)
            host.device.clear_halt(ENDPOINT_OUT)
            assert host.ask() == "000"
            host.close()
            return numbers

        assert await asyncio.to_thread(open_again) == [32, 32, 32]


async def test_a_halt_cleared_at_the_device_alone_leaves_the_toggles_apart_and_the_next_report_is_dropped(
    tmp_path: Path,
) -> None:
    async with slots(tmp_path) as (_adu, port, _driver):

        def clear_by_request() -> None:
            host = Host(tmp_path)
            assert host.ask() == "000"  # the host's toggle is 1 from now on
            port.fail(port.out, STALLED)
            with pytest.raises(usb.core.USBError):
                host.ask()
            host.device.ctrl_transfer(0x02, 1, 0, ENDPOINT_OUT)
            with pytest.raises(usb.core.USBTimeoutError):
                host.ask()
            assert host.ask() == "000"
            host.close()

        await asyncio.to_thread(clear_by_request)
