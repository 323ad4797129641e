"""A broker for the tests of the floor, and the connections to it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.floor import client, mqtt
from tests.station.processes import Mosquitto


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A broker is late with its acknowledgements on a busy computer."""
    for module in (client, mqtt):
        monkeypatch.setattr(module, "ACKNOWLEDGE_SECONDS", 100.0)


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[Mosquitto]:
    with Mosquitto(tmp_path) as broker:
        yield broker


@pytest.fixture
def narrow(tmp_path: Path) -> Iterator[Mosquitto]:
    """A mosquitto that takes packets of 1500 octets."""
    with Mosquitto(tmp_path, "allow_anonymous true\nmax_packet_size 1500") as broker:
        yield broker
