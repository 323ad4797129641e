"""The unit and the scripts of the package, as far as they can be judged without installing it."""

import re
import subprocess
from pathlib import Path

import pytest

from controller.console.acceptor import AT_ONCE
from controller.console.connections import ConnectionLimits
from controller.runtime.clock import BOOT_ID, GIVEN_BOOT_ID, Clock

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
