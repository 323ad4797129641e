"""The broker is killed again and again while the table plays: no matter who asks again has every message."""

from pathlib import Path

from tests.station.asking import played


def test_every_message_of_three_hundred_rounds_is_there_though_the_broker_was_killed_twenty_times(
    tmp_path: Path,
) -> None:
    print(played(tmp_path, 300, 20, 900))
