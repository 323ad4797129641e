"""A broker for the tests of the floor, and the connections to it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.station.processes import Mosquitto


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[Mosquitto]:
    broker = Mosquitto(tmp_path)
    broker.start()
    yield broker
    broker.stop()


@pytest.fixture
def narrow(tmp_path: Path) -> Iterator[Mosquitto]:
    """A mosquitto that takes packets of 1500 octets."""
    broker = Mosquitto(tmp_path, "allow_anonymous true\nmax_packet_size 1500")
    broker.start()
    yield broker
    broker.stop()
