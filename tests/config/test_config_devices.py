"""From the configuration to the devices, also of a shadow table, and from devices to lines of a configuration."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from controller.commands.devices import print_devices, toml_lines
from controller.config.document import BadConfiguration
from controller.config.file import Config, read_config
from controller.engine.shown import device_orders as react
from controller.rulebook.parts.faults import DeviceName
from controller.runtime.translation import Translator
from controller.runtime.wired import devices_of, wiring_of
from drivers.device import Device
from drivers.inventory import Inventory, Plugged
from drivers.orders import LampStates
from drivers.passive import PassiveSerial, PassiveUsb
from tests.config.texts import EXAMPLE, mistakes, read
from tests.configured import table_toml

BETABRITE = '[devices.sign]\ndriver = "betabrite"\n'


def second_makes() -> str:
    commented = re.search(r"^# \[devices\.slots\]\n(#.*\n)+", EXAMPLE, flags=re.MULTILINE)
    assert commented is not None
    return EXAMPLE.partition("[devices.slots]")[0] + re.sub(r"^# ?", "", commented[0], flags=re.MULTILINE) + BETABRITE


def devices(config: Config) -> Mapping[DeviceName, Device]:
    return devices_of(config, {}, lambda name, driver: None)


def lamps(config: Config, *seats: int, lock: bool = False) -> LampStates:
    effects = react.Effects(
        sign=None, lamps=react.Lamps(lit_seats=seats, lock=lock), in_play=True, shuffler=None, shoe_locked=True
    )
    order = Translator(wiring_of(config)).orders(effects)["slots"]
    assert isinstance(order, LampStates)
    return order


@pytest.mark.parametrize(
    ("text", "makes"),
    [
        (EXAMPLE, {"shuffler": "shuffler_link", "shoe": "angel_eye", "slots": "adu218", "sign": "alpha"}),
        (second_makes(), {"shuffler": "shuffler_link", "shoe": "angel_eye", "slots": "numato", "sign": "betabrite"}),
    ],
)
def test_the_configuration_chooses_the_makes(tmp_path: Path, text: str, makes: dict[str, str]) -> None:
    built = devices(read(tmp_path, text))
    assert {name: type(device).__module__.split(".")[1] for name, device in built.items()} == makes


def test_lamps_of_an_adu218_have_the_numbers_of_the_inputs(tmp_path: Path) -> None:
    config = read(tmp_path, EXAMPLE)
    order = lamps(config, 1, 3, lock=True)
    assert [line for line, lit in enumerate(order.relays) if lit] == [0, 2, 7] and len(order.relays) == 8
    devices(config)["slots"].order(order)


def test_lamps_of_a_numato_board_are_where_the_configuration_says(tmp_path: Path) -> None:
    config = read(tmp_path, second_makes())
    order = lamps(config, 1, 3, lock=True)
    assert [line for line, lit in enumerate(order.relays) if lit] == [7, 9, 15] and len(order.relays) == 16
    devices(config)["slots"].order(order)


def test_a_simulated_bus_that_is_nowhere_is_a_mistake_of_its_device(tmp_path: Path) -> None:
    text = second_makes().replace('mode = "live"', 'mode = "simulation"')
    config = read(tmp_path, text + 'usb_backend = "simulators.usb_backend:open_nothing"\nusb_socket = "sign.sock"\n')
    with pytest.raises(BadConfiguration) as bad:
        devices(config)
    assert [mistake.key for mistake in bad.value.mistakes] == ["devices.sign.usb_backend"]


TAP = '\ncontroller_port = "tap"\n'


def shadow(**changed: Any) -> str:
    return table_toml(**changed).replace('mode = "simulation"', 'mode = "shadow"')


def expected(folder: Path, text: str) -> dict[str, str]:
    return {mistake.key: mistake.expected for mistake in mistakes(folder, text)}


def test_its_devices_are_read_at_two_ports_and_take_no_order(tmp_path: Path) -> None:
    config = read(tmp_path, re.sub('(port = "sh.*")', rf"\1{TAP}", shadow()))
    assert (config.mode, config.taps) == ("shadow", {"shuffler": "tap", "shoe": "tap"})
    devices = devices_of(config, {}, lambda name, driver: None)
    assert {name: type(device) for name, device in devices.items()} == dict.fromkeys(config.taps, PassiveSerial)
    shoe = devices["shoe"]
    assert isinstance(shoe, PassiveSerial) and shoe.name == "shoe"
    assert shoe._ports == {"device": str(tmp_path / "shoe"), "host": str(tmp_path / "tap")}


def test_the_other_controllers_port_must_be_named(tmp_path: Path) -> None:
    assert list(expected(tmp_path, shadow())) == ["devices.shuffler.controller_port", "devices.shoe.controller_port"]


def test_no_other_table_has_such_a_port(tmp_path: Path) -> None:
    text = re.sub('(port = "shoe")', rf"\1{TAP}", table_toml())
    assert expected(tmp_path, text) == {"devices.shoe.controller_port": "no such key"}


def test_what_cannot_be_read_beside_another_controller_is_named(tmp_path: Path) -> None:
    sign = '[devices.sign]\ndriver = "alpha"\nport = "sign"\nformat = "7E1"\n'
    found = expected(tmp_path, shadow() + sign)
    assert "no driver of a sign can read beside another controller" in found["devices.sign"]


def test_slots_on_usb_are_read_at_the_kernels_tap(tmp_path: Path) -> None:
    text = re.sub('(port = "sh.*")', rf"\1{TAP}", shadow(game="fortune-3-card-poker-2025"))
    text = re.sub("(?m)^usb_.*\n", "", text.partition("[devices.sign]")[0])
    config = read(tmp_path, text)
    assert config.taps["slots"] == "/sys/kernel/debug/usb/usbmon"
    slots = devices_of(config, {}, lambda name, driver: None)["slots"]
    assert isinstance(slots, PassiveUsb)
    config = read(tmp_path, text.replace('driver = "adu218"', 'driver = "adu218"\nusbmon = "/tmp/usbmon"'))
    assert config.taps["slots"] == "/tmp/usbmon"


def test_it_moves_no_pot_of_others_and_has_no_panel(tmp_path: Path) -> None:
    text = shadow(game="fortune-3-card-poker-2025", link="hall", keys=("a+b+c",)) + '\n[simulation]\npanel = ""\n'
    found = expected(tmp_path, text)
    assert found["link"] == "no section: a shadow table moves no pot of others"
    assert found["simulation"] == "no section: this is a shadow table"


CONVERTER = Plugged(
    wire="serial",
    device="/dev/ttyUSB0",
    make="FTDI",
    name="FT232R",
    fits=("shuffler-link", "angel-eye", "alpha"),
    usb_id="0403:6001",
    port="/dev/serial/by-id/usb-FTDI-port0",
)
ADU218 = Plugged(wire="usb", device="bus 1 device 2", make="Ontrak", name="ADU218", fits=("adu218",))
USB_SIGN = Plugged(wire="usb", device="bus 1 device 3", make="Adaptive", name="Prism", fits=("betabrite",))
NUMATO = Plugged(
    wire="serial", device="/dev/ttyACM0", make="Numato", name="16 Channel", fits=("numato",), port="/dev/a"
)


def taken(plugged: Plugged, section: str) -> str:
    """What is printed of a device alone, the comment signs of one section taken away, as a person would."""
    taking, out = False, []
    for line in toml_lines(Inventory((plugged,))):
        if line.startswith("# ["):
            taking = line.startswith(f"# [{section}]")
        out.append(line.removeprefix("# ") if taking and line != "#" else line)
    return "\n".join(out) + "\n"


@pytest.mark.parametrize(
    ("plugged", "drivers"),
    [
        ({"devices.shuffler": CONVERTER, "devices.slots": ADU218, "devices.sign": USB_SIGN}, ("Adu218", "BetaBrite")),
        (
            {
                "devices.shuffler": CONVERTER,
                "devices.shoe": replace(CONVERTER, port="/dev/ttyS0"),
                "devices.slots": NUMATO,
                "devices.sign": replace(CONVERTER, port="/dev/ttyS1"),
            },
            ("AngelEye", "Numato", "AlphaSign"),
        ),
    ],
    ids=["usb", "serial"],
)
def test_the_lines_of_devices_are_in_a_configuration(
    tmp_path: Path, plugged: dict[str, Plugged], drivers: tuple[str, ...]
) -> None:
    table = EXAMPLE.partition("[devices.shuffler]")[0]
    path = tmp_path / "station.toml"
    text = "\n".join(taken(device, section) for section, device in plugged.items())
    path.write_text(table + text, encoding="utf-8")
    config = read_config(path)
    read = (config.shoe, config.slots, config.sign)
    assert tuple(type(own).__name__.removesuffix("Settings") for own in read if own is not None) == drivers
    assert config.shuffler is not None and config.shuffler.port == CONVERTER.port


def test_nothing_uncertain_is_printed_but_as_a_comment() -> None:
    unsure = Inventory((CONVERTER, ADU218, NUMATO), "no USB: the bus\nis gone")
    assert not [line for line in toml_lines(unsure) if line and not line.startswith("#")]
    assert sum("A table has one devices.slots" in line for line in toml_lines(unsure)) == 2


def test_what_a_device_says_of_itself_ends_no_comment() -> None:
    evil = Plugged(wire="usb", device="bus 1", make="", name='x\nmode = "live"\x1b[2J', fits=())
    assert re.findall(r"^[^#].*", "\n".join(toml_lines(Inventory((evil,)))), re.MULTILINE) == []
    assert "\x1b" not in "".join(toml_lines(Inventory((evil,))))


def test_the_command_prints_json_and_helps_where_nothing_is(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert print_devices(True, lambda: Inventory((ADU218, CONVERTER))) == 0
    slots, converter = json.loads(capfdbinary.readouterr().out)["devices"]
    assert slots["fits"] == [{"section": "devices.slots", "driver": "adu218"}] and slots["port"] is None
    assert [fit["section"] for fit in converter["fits"]] == ["devices.shuffler", "devices.shoe", "devices.sign"]
    assert converter["port"] == CONVERTER.port
    assert print_devices(False, lambda: Inventory(())) == 0
    assert b"socket://HOST:PORT" in capfdbinary.readouterr().out
