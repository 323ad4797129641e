"""What is plugged in: fake ports and a fake bus under the real pyserial and pyusb classes."""

import array
import errno
import struct
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
import usb.backend
from serial.tools.list_ports_common import ListPortInfo
from usb.core import USBError

from drivers.adu218.slots import IDENTITY as ADU218_IDENTITY
from drivers.betabrite.sign import IDENTITY as BETABRITE_IDENTITY
from drivers.inventory import Inventory, Plugged, look
from drivers.ports.usb import UsbIdentity
from drivers.registry import all_makes, make_of
from simulators.usb_backend import ADU218, BETABRITE, PluggedIdentity


class Bus(usb.backend.IBackend):  # type: ignore[misc]
    """Devices that say their names; `refusal` is what opening one comes to."""

    def __init__(self, makes: Sequence[PluggedIdentity], refusal: int = 0) -> None:
        self._makes, self._refusal = makes, refusal

    def enumerate_devices(self) -> Iterator[PluggedIdentity]:
        return iter(self._makes)

    def get_device_descriptor(self, dev: PluggedIdentity) -> SimpleNamespace:
        return dev.device

    def open_device(self, dev: PluggedIdentity) -> PluggedIdentity:
        if self._refusal:
            raise USBError("refused", -3, self._refusal)
        return dev

    def close_device(self, dev_handle: PluggedIdentity) -> None:
        pass

    def ctrl_transfer(
        self,
        handle: PluggedIdentity,
        kind: int,
        request: int,
        value: int,
        index: int,
        buff: "array.array[int]",
        timeout: int,
    ) -> int:
        assert (kind, request, value >> 8) == (0x80, 6, 3), "only names are asked for"
        text = handle.strings.get(value & 0xFF, "").encode("utf-16-le") if value & 0xFF else struct.pack("<H", 0x0409)
        content = bytes([2 + len(text), 3]) + text
        buff[: len(content)] = array.array("B", content)
        return len(content)


def port(device: str, vid: int | None = None, pid: int | None = None, **identity: str | None) -> ListPortInfo:
    listed = ListPortInfo(device)
    listed.vid, listed.pid = vid, pid
    for name, value in identity.items():
        setattr(listed, name, value)
    return listed


def ftdi(device: str, number: str | None, location: str) -> ListPortInfo:
    return port(device, 0x0403, 0x6001, serial_number=number, location=location, product="FT232R USB UART")


def udev(folder: Path, kind: str, links: dict[str, str]) -> Path:
    """Names as udev gives them to ports, which need not exist."""
    (folder / kind).mkdir(parents=True, exist_ok=True)
    for name, device in links.items():
        (folder / kind / name).symlink_to(device)
    return folder


def found(*ports: ListPortInfo, bus: Bus | None = None, links: Path = Path("/nowhere"), may: bool = True) -> Inventory:
    return look(lambda: ports, lambda: bus or Bus([]), links, lambda device: may)


def only(seen: Inventory) -> Plugged:
    [plugged] = seen.plugged
    return plugged


def test_a_converter_is_named_by_its_serial_number_and_may_carry_any_serial_device(tmp_path: Path) -> None:
    name = "usb-FTDI_FT232R_USB_UART_A10K-if00-port0"
    links = udev(tmp_path, "by-id", {"another": "/dev/ttyUSB7", name: "/dev/ttyUSB0"})
    plugged = only(found(ftdi("/dev/ttyUSB0", "A10K", "1-2"), links=links))
    assert {"shuffler-link", "angel-eye", "alpha"} <= {*plugged.fits}
    assert plugged == Plugged(
        wire="serial",
        device="/dev/ttyUSB0",
        make="FTDI",
        name="FT232R USB UART",
        fits=tuple(make.driver for make in all_makes() if make.usb is None),
        usb_id="0403:6001",
        serial_number="A10K",
        port=str(tmp_path / "by-id" / name),
    )


def test_two_converters_with_one_serial_number_are_named_by_their_sockets(tmp_path: Path) -> None:
    links = udev(tmp_path, "by-id", {"the-same": "/dev/ttyUSB1"})
    udev(tmp_path, "by-path", {"socket-2": "/dev/ttyUSB0", "socket-3": "/dev/ttyUSB1"})
    pair = found(ftdi("/dev/ttyUSB0", "0001", "1-2"), ftdi("/dev/ttyUSB1", "0001", "1-3"), links=links)
    assert [Path(device.port or "").name for device in pair.plugged] == ["socket-2", "socket-3"]
    assert "/dev/ttyUSB1 has the same serial number" in pair.plugged[0].remarks[0]


def test_the_ports_of_one_converter_with_several_keep_their_own_names(tmp_path: Path) -> None:
    links = udev(tmp_path, "by-id", {"if00": "/dev/ttyUSB0", "if01": "/dev/ttyUSB1"})
    both = found(ftdi("/dev/ttyUSB0", "A", "1-2:1.0"), ftdi("/dev/ttyUSB1", "A", "1-2:1.1"), links=links)
    assert [Path(device.port or "").name for device in both.plugged] == ["if00", "if01"]


def test_without_udev_the_port_is_named_for_the_moment_and_says_so() -> None:
    plugged = only(found(ftdi("/dev/ttyUSB0", "A10K", "1-2")))
    assert plugged.port == "/dev/ttyUSB0" and "changes with the order of plugging" in plugged.remarks[0]
    built_in = only(found(port("/dev/ttyS0")))
    assert (built_in.port, built_in.remarks, built_in.usb_id) == ("/dev/ttyS0", (), None)


def test_a_numato_board_of_sixteen_channels_fits_and_one_of_eight_does_not() -> None:
    board = {"serial_number": "7", "location": "1-2", "manufacturer": "Numato Systems Pvt. Ltd."}
    sixteen = port("/dev/ttyACM0", 0x2A19, 0x0C05, product="Numato Lab 16 Channel USB GPIO Module", **board)
    eight = port("/dev/ttyACM0", 0x2A19, 0x0800, product="Numato Lab 8 Channel USB GPIO Module", **board)
    assert only(found(sixteen)).fits == ("numato",)
    assert only(found(eight)).fits == () and "16 channels" in only(found(eight)).remarks[-1]


def test_a_port_no_one_lets_us_open_says_which_group_it_takes() -> None:
    assert "dialout" in only(found(port("/dev/ttyS0"), may=False)).remarks[0]


def test_the_usb_devices_with_a_driver_are_named_by_themselves() -> None:
    slots, sign = found(bus=Bus([ADU218, BETABRITE])).plugged
    assert (slots.fits, slots.usb_id, slots.serial_number) == (("adu218",), "0a07:00da", "B02597")
    assert (slots.make, slots.name) == ("www.ontrak.net", "ADU218 USB Relay I/O Interface")
    assert (sign.fits, sign.usb_id, sign.port, sign.remarks) == (("betabrite",), "8765:1234", None, ())


def test_a_usb_device_without_permission_is_still_known_and_names_the_udev_rule() -> None:
    plugged = only(found(bus=Bus([ADU218], errno.EACCES)))
    assert plugged.fits == ("adu218",) and "70-dealer-station.rules" in plugged.remarks[0]
    assert "cannot be opened: refused" in only(found(bus=Bus([ADU218], errno.EIO))).remarks[0]


def test_of_two_boards_that_a_driver_cannot_distinguish_both_say_so() -> None:
    both = found(bus=Bus([ADU218, ADU218, BETABRITE])).plugged
    assert [any("whichever it finds first" in remark for remark in of.remarks) for of in both] == [True, True, False]


def test_a_converter_without_a_port_names_the_module_of_the_kernel() -> None:
    bare = replace(BETABRITE, vendor=0x0403, product=0x6001, strings={2: "FT232R"})
    plugged = only(found(bus=Bus([bare])))
    assert plugged.fits == () and "modprobe ftdi_sio" in plugged.remarks[0]
    assert only(found(ftdi("/dev/ttyUSB0", "A", "1-2"), bus=Bus([bare]))).wire == "serial"


def test_a_converter_that_another_program_took_from_the_kernel_names_the_program() -> None:
    bare = replace(BETABRITE, vendor=0x0403, product=0x6001, strings={2: "FT232R"})
    holds = {"/dev/bus/usb/001/002": ["brltty (process 7)"]}
    plugged = only(look(list, lambda: Bus([bare]), Path("/nowhere"), open_in=lambda node: holds.get(node, [])))
    assert "it is open in brltty (process 7)" in plugged.remarks[1]


def test_other_usb_devices_are_left_out_and_another_model_of_the_make_is_not() -> None:
    keyboard = replace(BETABRITE, vendor=0x046D, product=0xC31C)
    assert found(bus=Bus([keyboard])).plugged == ()
    other = only(found(bus=Bus([replace(ADU218, product=0x0064)])))
    assert other.fits == () and "model ADU218" in other.remarks[0]


def test_without_usb_the_serial_ports_are_listed_and_the_trouble_is_named() -> None:
    assert look(lambda: [], lambda: None, may_open=lambda _: True) == Inventory((), "no USB: libusb does not load")

    def broken() -> Bus:
        raise OSError(errno.EIO, "no bus")

    seen = look(lambda: [port("/dev/ttyS0")], broken, may_open=lambda _: True)
    assert len(seen.plugged) == 1 and seen.trouble is not None and "no bus" in seen.trouble


def test_a_port_that_another_program_has_open_names_it() -> None:
    look_in = {"/dev/ttyS0": ["minicom (process 7)"]}
    seen = look(
        lambda: [port("/dev/ttyS0")], lambda: Bus([]), Path("/nowhere"), lambda device: True, look_in.__getitem__
    )
    assert only(seen).remarks == (
        "/dev/ttyS0 is open in minicom (process 7): another program takes octets away from it",
    )


@pytest.mark.parametrize(("driver", "identity"), [("adu218", ADU218_IDENTITY), ("betabrite", BETABRITE_IDENTITY)])
def test_a_make_is_found_by_the_numbers_that_its_device_opens(driver: str, identity: UsbIdentity) -> None:
    usb = make_of(driver).usb
    assert usb is not None and (usb.vendor, usb.product) == (identity.vendor, identity.product)
