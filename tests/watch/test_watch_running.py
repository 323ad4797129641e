"""`watch` without an address: the stations that run on this machine."""

from pathlib import Path

import pytest

from controller.__main__ import main
from controller.commands import watch
from controller.commands.running import Running, running

TOML = '[table]\nsite = "laptop"\nid = "{table}"\n[console]\nlisten = "{listen}"\n'


def process(folder: Path, number: int, *words: str, cwd: Path | None = None) -> None:
    """A process as /proc has it."""
    (folder / str(number)).mkdir(parents=True)
    (folder / str(number) / "cmdline").write_bytes("".join(f"{word}\0" for word in words).encode())
    if cwd is not None:
        (folder / str(number) / "cwd").symlink_to(cwd)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    (tmp_path / "station.toml").write_text(TOML.format(table="table-1", listen="127.0.0.1:8123"))
    return tmp_path


def test_a_simulated_table_is_found_by_the_folder_of_its_simulators(table: Path) -> None:
    proc = table / "proc"
    process(proc, 1, "/sbin/init")
    process(proc, 70, "python", "/venv/bin/dealer-station", "simulate")
    process(proc, 71, "/venv/bin/python", "-m", "simulators", "bench", "--dir", str(table), "--speed", "20")
    assert running(proc) == [Running(("127.0.0.1", 8123), "laptop/table-1")]


@pytest.mark.parametrize("option", [("--config", "station.toml"), ("--config=station.toml",)])
def test_an_installed_station_is_found_by_its_configuration(table: Path, option: tuple[str, ...]) -> None:
    process(table / "proc", 9, "/opt/python", "/opt/bin/dealer-station", "run", *option, cwd=table)
    assert running(table / "proc") == [Running(("127.0.0.1", 8123), "laptop/table-1")]


def test_a_table_is_found_once_and_an_ipv6_address_is_read(table: Path) -> None:
    (table / "station.toml").write_text(TOML.format(table="t", listen="[::1]:80"))
    process(table / "proc", 8, "dealer-station-sim", "bench", "--dir", str(table))
    process(table / "proc", 9, "dealer-station", "run", "--config", str(table / "station.toml"))
    assert running(table / "proc") == [Running(("::1", 80), "laptop/t")]


def test_what_is_no_station_and_what_cannot_be_read_is_passed_over(table: Path) -> None:
    proc = table / "proc"
    process(proc, 5, "vim", "run", "--config", str(table / "station.toml"))
    process(proc, 6, "dealer-station", "run", "--config")
    process(proc, 7, "dealer-station", "run", "--config", str(table / "away.toml"))
    process(proc, 8, "dealer-station", "run", "--config", str(table))
    (table / "other.toml").write_text("[console]\nlisten = 1\n")
    process(proc, 9, "dealer-station", "run", "--config", str(table / "other.toml"))
    (proc / "10").mkdir()
    assert running(proc) == []


def test_several_are_listed_to_choose_from(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(watch, "running", lambda: [Running(("h", 1), "laptop/a"), Running(("::1", 2), "laptop/b")])
    assert main(["watch"]) == 2
    assert capsys.readouterr().err.splitlines()[1:] == [
        "  dealer-station watch --url http://h:1  (laptop/a)",
        "  dealer-station watch --url http://[::1]:2  (laptop/b)",
    ]
