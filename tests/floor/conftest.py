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
