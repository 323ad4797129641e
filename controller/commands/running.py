"""The stations that run on this machine, found by the command lines of their processes."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from controller.system.files import open_regular
from controller.toml.text import MOST_OCTETS, parse_toml

PROCESSES = Path("/proc")
# A simulated table has its folder on the command line of its simulators.
_CONFIGURED_BY = {"run": ("--config", ""), "bench": ("--dir", "station.toml")}


class Running(NamedTuple):
    """The address of a station's console, and its table."""

    address: tuple[str, int]
    table: str


def running(processes: Path = PROCESSES) -> list[Running]:
    """The running stations whose configuration can be read, each once."""
    found: dict[tuple[str, int], Running] = {}
    for process in sorted(processes.glob("[0-9]*"), key=lambda process: int(process.name)):
        try:
            words = (process / "cmdline").read_bytes().decode(errors="surrogateescape").split("\0")
            for config in _configured(words):
                station = _read(_folder(process) / config)
                found.setdefault(station.address, station)
        except (OSError, ValueError, KeyError, TypeError):
            continue  # ended since, someone else's, or no configuration
    return list(found.values())


def _configured(words: list[str]) -> Iterator[Path]:
    """The configuration that a command line names, if it is a station's or its simulators'."""
    if not any(word.rpartition("/")[2] in ("dealer-station", "dealer-station-sim", "simulators") for word in words[:4]):
        return
    for command, (option, file) in _CONFIGURED_BY.items():
        if command in words:
            for place, word in enumerate(words):
                if word == option:
                    yield Path(words[place + 1], file)
                elif word.startswith(f"{option}="):
                    yield Path(word.partition("=")[2], file)


def _folder(process: Path) -> Path:
    """The folder in which the relative paths of the station begin, if it can be known."""
    try:
        return (process / "cwd").readlink()
    except OSError:
        return Path("/")


def _read(path: Path) -> Running:
    """The configuration of a station. Raises OSError, ValueError, KeyError or TypeError if the file is none."""
    with open_regular(path.resolve()) as file:  # any user's process may have named a pipe
        config = parse_toml(file.read(MOST_OCTETS + 1))
    host, _, port = str(config["console"]["listen"]).rpartition(":")
    return Running((host.strip("[]") or "127.0.0.1", int(port)), f"{config['table']['site']}/{config['table']['id']}")
