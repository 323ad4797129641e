"""The broker is killed while the table plays: no matter who asks again has every message."""

from pathlib import Path

from tests.station.asking import played


def test_every_message_is_there_though_the_broker_was_killed(tmp_path: Path) -> None:
    played(tmp_path, 4, 2, 60)
