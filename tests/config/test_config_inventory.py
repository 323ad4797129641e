"""The lines that `dealer-station devices` prints are lines that the configuration takes."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from controller.commands.devices import print_devices, toml_lines
from controller.config.file import read_config
from drivers.inventory import Inventory, Plugged

EXAMPLE = Path(__file__).parents[2] / "systemd" / "station.toml"
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
BETABRITE = Plugged(wire="usb", device="bus 1 device 3", make="Adaptive", name="Prism", fits=("betabrite",))
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
        ({"devices.shuffler": CONVERTER, "devices.slots": ADU218, "devices.sign": BETABRITE}, ("Adu218", "BetaBrite")),
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
    table = EXAMPLE.read_text(encoding="utf-8").partition("[devices.shuffler]")[0]
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
