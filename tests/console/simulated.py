"""A simulated table with its station, beside each other, for a browser's tests."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from simulators.setting import Setting
from simulators.station_toml import TOML, read_setting
from tests.station.processes import Bench, Daemon, ended_at_last


class Simulated(NamedTuple):
    """The two processes, and what the table is set to; `panel` is the address of the simulator's pages, if any."""

    bench: Bench
    station: Daemon
    setting: Setting

    @property
    def panel(self) -> str:
        return f"http://127.0.0.1:{self.setting.panel}"


@contextmanager
def simulated(folder: Path, *options: str) -> Iterator[Simulated]:
    """A table of the simulator with these options, once its station answers."""
    bench = Bench(folder, *options)
    with ended_at_last(bench):
        bench.wait_ready()
        setting = read_setting(folder / TOML)
        station = Daemon(folder / TOML, (setting.host, setting.port))
        with ended_at_last(station):
            station.start()
            station.wait_answering()
            yield Simulated(bench, station, setting)
