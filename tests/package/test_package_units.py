"""The unit, scripts, udev rules and locks of the package, as far as they can be judged without installing it."""

import fnmatch
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from controller.__main__ import main
from controller.console.acceptor import AT_ONCE
from controller.console.connections import ConnectionLimits
from controller.runtime.clock import BOOT_ID, GIVEN_BOOT_ID, Clock
from drivers.make import DeviceMake, UsbMatch
from drivers.registry import all_makes, make_of
from drivers.udev import keep_off_rules, open_rules

ROOT = Path(__file__).parents[2]
UNIT = (ROOT / "systemd" / "dealer-station.service").read_text(encoding="utf-8").splitlines()
FILES_AT_REST = 36  # as docs/install.md has it
SCRIPTS = [
    *(ROOT / "systemd").glob("*.sh"),
    *(ROOT / "systemd" / "debian").glob("dealer-station.*"),
    *(ROOT / "tests").glob("*/*.sh"),
    ROOT / "systemd" / "debian" / "tests" / "ten-rounds",
]


def test_the_boot_is_the_one_that_the_service_manager_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    """The unit hides all of /proc but the processes."""
    assert "ProcSubset=pid" in UNIT and f"Environment={GIVEN_BOOT_ID}=%b" in UNIT
    monkeypatch.setenv(GIVEN_BOOT_ID, "0123456789abcdef")
    assert Clock().stamp().boot == "0123456789abcdef"
    monkeypatch.delenv(GIVEN_BOOT_ID)
    assert Clock().stamp().boot == BOOT_ID.read_text().strip()


def test_the_unit_runs_the_command_that_the_package_has() -> None:
    assert "ExecStart=/usr/bin/dealer-station run --config /etc/dealer-station/station.toml" in UNIT
    rules = (ROOT / "systemd" / "debian" / "rules").read_text(encoding="utf-8")
    assert "ln -s ../lib/dealer-station/bin/$$name debian/dealer-station/usr/bin/" in rules


def test_the_drivers_of_allowed_ports_are_loaded_before_the_service_starts() -> None:
    """Else DeviceAllow does not know them, and a port that is plugged in later cannot be opened."""
    drivers = {"DeviceAllow=char-ttyUSB rw": "usbserial", "DeviceAllow=char-ttyACM rw": "cdc_acm"}
    assert drivers.keys() <= set(UNIT)
    for key in ("Wants", "After"):
        [named] = [line for line in UNIT if line.startswith(f"{key}=modprobe@")]
        assert named.partition("=")[2].split() == [f"modprobe@{driver}.service" for driver in drivers.values()]


def test_memory_tasks_and_files_of_the_service_are_limited_as_the_page_has_it() -> None:
    limits = [line for line in UNIT if line.startswith(("MemoryMax=", "TasksMax=", "LimitNOFILE="))]
    page = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    [stated] = [line for line in page.splitlines() if line.startswith("| **limit**")]
    assert len(limits) == 3 and re.findall(r"`(\w+=\w+)`", stated) == limits
    assert "Restart=always" in UNIT and "OOMPolicy=continue" in UNIT
    files, connections = int(limits[2].partition("=")[2]), ConnectionLimits()
    assert files > 2 * (connections.new + connections.known + AT_ONCE + FILES_AT_REST)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_every_script_is_one(script: Path) -> None:
    assert len(SCRIPTS) > 10
    subprocess.run(["sh", "-n", script], check=True)


EVERYTHING, RUNTIME, UV = (ROOT / lock for lock in ("requirements.lock", "systemd/runtime.lock", "bootstrap.lock"))
PINNED = re.compile(r"([a-z0-9-]+)==(\S+)(?: ; [^\\]+)?((?: \\\n    --hash=sha256:[0-9a-f]{64})+)\n")


def pinned(lock: Path) -> dict[str, tuple[str, str]]:
    """Each package's version and hashes; nothing else is in the file."""
    text = lock.read_text(encoding="utf-8")
    assert PINNED.sub("", text) == ""
    return {name: (version, hashes) for name, version, hashes in PINNED.findall(text)}


@pytest.mark.parametrize("lock", [EVERYTHING, RUNTIME, UV], ids=lambda lock: lock.name)
def test_every_package_of_a_lock_has_a_version_and_hashes_and_no_address(lock: Path) -> None:
    assert pinned(lock)


def test_a_table_runs_the_versions_that_are_tested_and_no_others() -> None:
    assert pinned(RUNTIME).items() < pinned(EVERYTHING).items()


def test_a_table_has_what_the_station_imports_and_nothing_of_the_tests() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

    def named(requirements: list[str]) -> set[str]:
        return {re.split(r"[^a-z0-9.-]", requirement)[0].replace(".", "-") for requirement in requirements}

    runtime = pinned(RUNTIME).keys()
    others = named(project["dependency-groups"]["dev"]) | named(
        project["project"]["optional-dependencies"]["simulator"]
    )
    assert named(project["project"]["dependencies"]) <= runtime
    assert not (others - {"paho-mqtt"}) & runtime, "aiomqtt brings paho-mqtt"


def test_what_builds_the_packages_without_a_wheel_is_pinned_too() -> None:
    assert {"hatchling", "editables", "setuptools"} <= pinned(EVERYTHING).keys()
    assert "export UV_BUILD_CONSTRAINT := requirements.lock\n" in (ROOT / "Makefile").read_text(encoding="utf-8")


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
