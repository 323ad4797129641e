"""A make of slots from a package outside the tree: installed with pip, configured by `setup`, played with."""

import csv
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.config.file import read_config
from drivers import registry
from drivers.inventory import Inventory
from simulators.devices.make import SORTS, drivers_of, make_of
from tests.config.test_config_setup import FOUND, OPTIONS, SIGN, Machine
from tests.station.simulated import simulate
from tests.station.test_station_faults import checked_against_the_referee

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "docs" / "examples" / "device"
BASE_PYTHON = Path(sys.base_prefix) / "bin" / f"python{sys.version_info.major}.{sys.version_info.minor}"


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that pip has installed the package into, built without isolation and without a network."""
    folder = tmp_path_factory.mktemp("outside")
    source = folder / "source"
    subprocess.run(["cp", "-r", EXAMPLE, source], check=True)
    pip: list[str | Path] = [BASE_PYTHON, "-m", "pip", "--python", sys.executable, "install", "--quiet", "--no-input"]
    target = folder / "installed"
    options: list[str | Path] = ["--no-build-isolation", "--no-deps", "--no-index", "--target", target, source]
    environment = os.environ | {"PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    done = subprocess.run([*pip, *options], check=False, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return target


@pytest.fixture
def outside(installed: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.syspath_prepend(installed)
    monkeypatch.setenv("PYTHONPATH", str(installed))
    registry._entered.cache_clear()
    yield
    registry._entered.cache_clear()


def test_without_the_package_its_driver_is_unknown() -> None:
    assert {"adu218", "numato"} <= {*registry.drivers_of("slots")} and "plain-board" not in registry.all_drivers()


def test_every_make_is_on_the_bench() -> None:
    on_bench = {driver: kind for kind, sort in SORTS.items() for driver in drivers_of(sort) if make_of(sort, driver)}
    assert on_bench == registry.all_drivers()
    assert all(sort.usual in drivers_of(sort) for sort in SORTS.values())


@pytest.mark.usefixtures("outside")
def test_setup_configures_the_board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.config.test_config_setup.FOUND", Inventory((*FOUND.plugged[:2], SIGN)))
    devices = [*OPTIONS["--device"], "--device", "plain-board=/dev/serial/by-id/2"]
    machine = Machine(tmp_path)
    assert machine.set_up({**OPTIONS, "--device": devices}) == 0
    slots = read_config(machine.config).slots
    assert slots is not None and (slots.driver, type(slots).__module__) == ("plain-board", "plain_board.make")
    assert slots.wiring.seats == {line: line + 1 for line in range(6)}


@pytest.mark.usefixtures("outside")
def test_twenty_rounds_with_faults_are_what_the_camera_calls_for(tmp_path: Path) -> None:
    options = ("--slots", "plain-board", "--seed", "7", "--faults", "0.5")
    fault = ("--fault", "slots:unplug@round=2,phase=wagers,for=0.4", "--fault", "slots:passing=3@round=3,phase=wagers")
    played = simulate(tmp_path, 20, *options, *fault, seconds=200)
    checked_against_the_referee(played)
    film = played.film()
    struck = {f"{line['device']}:{line['kind']}" for line in film if line["event"] == "fault"}
    assert {"slots:unplug", "slots:passing"} <= struck
    lit = {line["lamp"] for line in film if line["event"] == "lamp" and line["on"]}
    assert "lock" in lit and any(lamp.startswith("seat ") for lamp in lit)
    assert "driver=plain-board package=dealer-station-plain-board" in played.log
    export = [sys.executable, "-m", "controller", "audit", "export", "makes", "--config", str(played.config)]
    makes = subprocess.run(export, check=True, capture_output=True, text=True, cwd=ROOT).stdout.splitlines()
    assert {row["device"]: (row["driver"], row["package"]) for row in csv.DictReader(makes)} == {
        "shuffler": ("shuffler-link", "dealer-station"),
        "shoe": ("angel-eye", "dealer-station"),
        "slots": ("plain-board", "dealer-station-plain-board"),
        "sign": ("alpha", "dealer-station"),
    }
    assert 'driver = "plain-board"' in played.config.read_text(encoding="utf-8")


def test_only_makes_that_the_configuration_names_are_imported(tmp_path: Path) -> None:
    code = f"""
import sys
from pathlib import Path
from controller.config.file import read_config
from controller.runtime.wired import devices_of
devices_of(read_config(Path({str(ROOT / "systemd" / "station.toml")!r})), {{}}, lambda name, driver: None)
print(*sorted({{name.split(".")[1] for name in sys.modules if name.startswith("drivers.") and name.count(".") == 2}}))
"""
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout.split() == ["adu218", "alpha", "angel_eye", "ports", "shuffler_link"]


def test_an_entry_point_that_is_no_make_is_a_mistake_of_its_section(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    metadata = tmp_path / "broken-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(f"[{registry.GROUP}]\nsign.broken = no_such_package:MAKE\n")
    monkeypatch.syspath_prepend(tmp_path)
    registry._entered.cache_clear()
    try:
        assert "broken" in registry.drivers_of("sign")
        with pytest.raises(registry.BadMake, match="broken: the driver broken cannot be loaded"):
            registry.make_of("broken")
    finally:
        registry._entered.cache_clear()


def test_the_hash_of_a_make_changes_with_any_of_its_files(installed: Path, tmp_path: Path) -> None:
    hashes = set()
    for number, change in enumerate((b"", b"# changed\n")):
        copy = tmp_path / str(number)
        subprocess.run(["cp", "-r", installed, copy], check=True)
        with (copy / "plain_board" / "codec.py").open("ab") as file:
            file.write(change)
        code = "from drivers.registry import origin_of; print(origin_of('plain-board'))"
        environment = os.environ | {"PYTHONPATH": str(copy)}
        done = subprocess.run(
            [sys.executable, "-c", code], check=True, capture_output=True, text=True, cwd=tmp_path, env=environment
        )
        assert done.stdout.startswith("MakeOrigin(package='dealer-station-plain-board', version='1.0', sha256='")
        hashes.add(done.stdout)
    assert len(hashes) == 2
