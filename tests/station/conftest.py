"""Fixtures of the tests of a whole station."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.station.processes import Daemon, Mosquitto, ended_at_last, lone_daemon
from tests.station.simulated import Played, simulate


# With this seed the shuffler deals a hit in its third round; the soak plays hundreds of rounds, from the shoe too.
@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """A simulation of some rounds, and everything it reported."""
    return simulate(tmp_path_factory.mktemp("played"), 8, "--seed", "11", watched=True)


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    """A running mosquitto that lets everybody in."""
    with Mosquitto(tmp_path / "broker") as broker:
        yield broker


@pytest.fixture
def lone(tmp_path: Path) -> Iterator[Daemon]:
    """A daemon ready to start on a good configuration whose devices and broker are all away."""
    daemon = lone_daemon(tmp_path)
    with ended_at_last(daemon):
        yield daemon
