"""The udev rules: those of the makes, and what becomes of devices under them. A small reader of rules judges it."""

import fnmatch
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from controller.__main__ import main
from drivers.make import DeviceMake, UsbMatch
from drivers.registry import all_makes, make_of
from drivers.udev import keep_off_rules, open_rules

SYSTEMD = Path(__file__).parents[2] / "systemd"
OPEN, KEEP_OFF = SYSTEMD / "70-dealer-station.rules", SYSTEMD / "91-dealer-station-keep-off.rules"
TOKEN = re.compile(r'(ACTION|SUBSYSTEM|KERNEL|GROUP|MODE|ENV\{\w+\}|ATTR\{[\w/]+\})(==|!=|=|\+=)"([^"]*)"')
BRLTTY = "\n".join(  # as brltty's own rules end, for two of their devices
    f'SUBSYSTEM=="usb", ATTR{{idVendor}}=="0403", ATTR{{idProduct}}=="{product}", '
    'ENV{BRLTTY_BRAILLE_DRIVER}="at,ce", ENV{SYSTEMD_WANTS}+="brltty-device@.service"'
    for product in ("6001", "fe70")
)
Device = dict[str, str]


def rules(text: str) -> list[list[tuple[str, str, str]]]:
    """Each rule as its tokens; nothing else may be in it."""
    found = []
    for line in text.replace("\\\n", "").splitlines():
        if line.strip() and not line.startswith("#"):
            assert re.fullmatch(rf"{TOKEN.pattern}(, *{TOKEN.pattern})*", line), line
            found.append([(key, sign, value) for key, sign, value in TOKEN.findall(line)])
    return found


def under(device: Device, *files: str) -> Device:
    """What the device has after the rules."""
    device = {"ACTION": "add", **device}
    for rule in [rule for text in files for rule in rules(text)]:
        for key, sign, value in rule:
            known = device.get(key, "")
            if sign in ("==", "!="):
                if any(fnmatch.fnmatchcase(known, part) for part in value.split("|")) != (sign == "=="):
                    break
            else:
                device[key] = f"{known} {value}".strip() if sign == "+=" else value
    return device


def usb(vendor: str, product: str) -> Device:
    return {
        "SUBSYSTEM": "usb", "ENV{DEVTYPE}": "usb_device", "ATTR{idVendor}": vendor, "ATTR{idProduct}": product
    }  # fmt: skip


def installed(device: Device) -> Device:
    return under(device, OPEN.read_text(encoding="utf-8"), BRLTTY, KEEP_OFF.read_text(encoding="utf-8"))


def test_the_files_are_those_of_the_makes(capsys: pytest.CaptureFixture[str]) -> None:
    assert OPEN.read_text(encoding="utf-8") == open_rules(all_makes()), "run `make pages`"
    assert KEEP_OFF.read_text(encoding="utf-8") == keep_off_rules(), "run `make pages`"
    assert main(["devices", "--rules", "70"]) == 0
    assert capsys.readouterr().out.rstrip() == OPEN.read_text(encoding="utf-8").rstrip()


@pytest.mark.parametrize("make", [make for make in all_makes() if make.usb is not None], ids=lambda make: make.driver)
def test_a_usb_device_of_a_make_is_never_suspended_and_is_the_groups_unless_it_has_a_port(make: DeviceMake) -> None:
    assert make.usb is not None
    found = installed(usb(f"{make.usb.vendor:04x}", f"{make.usb.product or 0x0C05:04x}"))
    assert found["ATTR{power/control}"] == "on" and found["ENV{ID_MM_DEVICE_IGNORE}"] == "1"
    assert (found.get("GROUP"), found.get("MODE")) == (
        (None, None) if make.usb.is_serial else ("dealer-station", "0660")
    )


def test_a_make_of_another_package_has_its_rule() -> None:
    known = make_of("adu218")
    other = DeviceMake(kind="slots", settings=known.settings, read=known.read, usb=UsbMatch(0x1209, 0x0001))
    assert under(usb("1209", "0001"), open_rules([other]))["GROUP"] == "dealer-station"
    assert "GROUP" not in installed(usb("1209", "0001"))


def test_modem_manager_keeps_off_every_serial_port_on_usb_and_no_other() -> None:
    port = {"SUBSYSTEM": "tty", "ENV{ID_BUS}": "usb"}
    assert installed(port)["ENV{ID_MM_DEVICE_IGNORE}"] == "1"
    assert "ENV{ID_MM_DEVICE_IGNORE}" not in installed({"SUBSYSTEM": "tty"})
    assert "ENV{ID_MM_DEVICE_IGNORE}" not in installed({**port, "ACTION": "remove"})


def test_brltty_is_not_started_for_a_converter_but_for_a_braille_display() -> None:
    taken = under(usb("0403", "6001"), BRLTTY)
    assert taken["ENV{SYSTEMD_WANTS}"] == "brltty-device@.service"
    converter = installed(usb("0403", "6001"))
    assert (converter["ENV{SYSTEMD_WANTS}"], converter["ENV{BRLTTY_BRAILLE_DRIVER}"]) == ("", "")
    display = installed(usb("0403", "fe70"))
    assert display["ENV{SYSTEMD_WANTS}"] == "brltty-device@.service"
    other = installed({**usb("0403", "6001"), "ENV{SYSTEMD_WANTS}": "own.service"})
    assert other["ENV{SYSTEMD_WANTS}"] == ""  # with brltty's


def test_the_debian_package_has_both_files_in_their_order() -> None:
    text = (SYSTEMD / "debian" / "rules").read_text(encoding="utf-8")
    assert "cp systemd/70-dealer-station.rules debian/dealer-station.udev" in text
    assert "cp systemd/91-dealer-station-keep-off.rules debian/dealer-station.dealer-station-keep-off.udev" in text
    assert (
        "dh_installudev --priority 70" in text and "dh_installudev --name dealer-station-keep-off --priority 91" in text
    )


@pytest.mark.skipif(
    shutil.which("udevadm") is None or "verify" not in subprocess.run(
        ["udevadm", "--help"], check=False, capture_output=True, text=True
    ).stdout,
    reason="udevadm verify is of systemd 254",
)  # fmt: skip
@pytest.mark.parametrize("file", [OPEN, KEEP_OFF], ids=lambda file: file.name)
def test_udevadm_finds_no_mistake(file: Path) -> None:
    subprocess.run(["udevadm", "verify", "--no-style", file], check=True)
