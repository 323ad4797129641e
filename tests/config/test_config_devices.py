"""From the configuration to the devices: the drivers it chooses, and orders that they take."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from controller.config.document import BadConfiguration
from controller.config.file import Config
from controller.engine.shown import device_orders as react
from controller.rulebook.parts.faults import DeviceName
from controller.runtime.translation import Translator
from controller.runtime.wired import devices_of, wiring_of
from drivers.device import Device
from drivers.orders import LampStates
from tests.config.texts import EXAMPLE, read

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
