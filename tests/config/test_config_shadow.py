"""A shadow table: which devices it can read, and what it may not have."""

import re
from pathlib import Path
from typing import Any

import pytest

from controller.config.document import BadConfiguration
from controller.runtime.wired import devices_of
from drivers.passive import PassiveSerial, PassiveUsb
from tests.config.texts import read
from tests.configured import table_toml

TAP = '\ncontroller_port = "tap"\n'


def shadow(**changed: Any) -> str:
    return table_toml(**changed).replace('mode = "simulation"', 'mode = "shadow"')


def mistakes(folder: Path, text: str) -> dict[str, str]:
    with pytest.raises(BadConfiguration) as bad:
        read(folder, text)
    return {mistake.key: mistake.expected for mistake in bad.value.mistakes}


def test_its_devices_are_read_at_two_ports_and_take_no_order(tmp_path: Path) -> None:
    config = read(tmp_path, re.sub('(port = "sh.*")', rf"\1{TAP}", shadow()))
    assert (config.mode, config.taps) == ("shadow", {"shuffler": "tap", "shoe": "tap"})
    devices = devices_of(config, {}, lambda name, driver: None)
    assert {name: type(device) for name, device in devices.items()} == dict.fromkeys(config.taps, PassiveSerial)
    shoe = devices["shoe"]
    assert isinstance(shoe, PassiveSerial) and shoe.name == "shoe"
    assert shoe._ports == {"device": str(tmp_path / "shoe"), "host": str(tmp_path / "tap")}


def test_the_other_controllers_port_must_be_named(tmp_path: Path) -> None:
    assert list(mistakes(tmp_path, shadow())) == ["devices.shuffler.controller_port", "devices.shoe.controller_port"]


def test_no_other_table_has_such_a_port(tmp_path: Path) -> None:
    text = re.sub('(port = "shoe")', rf"\1{TAP}", table_toml())
    assert mistakes(tmp_path, text) == {"devices.shoe.controller_port": "no such key"}


def test_what_cannot_be_read_beside_another_controller_is_named(tmp_path: Path) -> None:
    sign = '[devices.sign]\ndriver = "alpha"\nport = "sign"\nformat = "7E1"\n'
    found = mistakes(tmp_path, shadow() + sign)
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
    found = mistakes(tmp_path, text)
    assert found["link"] == "no section: a shadow table moves no pot of others"
    assert found["simulation"] == "no section: this is a shadow table"
