"""Fixtures of the tests of a whole station."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.station.processes import Daemon, Mosquitto, ended_at_last, lone_daemon
from tests.station.simulated import Played, simulate


# With this seed the shuffler deals a hit in its third round; the soak plays hundreds of rounds.
@pytest.fixture(scope="session", params=[("shuffler", 12, "11"), ("shoe", 12, "4")], ids=["shuffler", "shoe"])
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Played:
    """A simulation of some rounds, by either source of cards, and everything it reported."""
    source, rounds, seed = request.param
    directory = tmp_path_factory.mktemp(f"played-{source}")
    return simulate(directory, rounds, "--source", source, "--seed", seed, seconds=110)


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    """A running mosquitto that lets everybody in."""
    broker = Mosquitto(tmp_path / "broker")
    with ended_at_last(broker):
        broker.start()
        yield broker


@pytest.fixture
def lone(tmp_path: Path) -> Iterator[Daemon]:
    """A daemon ready to start on a good configuration whose devices and broker are all away."""
    daemon = lone_daemon(tmp_path)
    with ended_at_last(daemon):
        yield daemon
