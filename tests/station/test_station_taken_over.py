"""A person takes over from the robot dealer at a real station, and gives the table back."""

import asyncio
from pathlib import Path

from simulators.station_toml import TOML, read_setting
from tests.simulators.taken_over import Person, looking
from tests.station.processes import Bench, Daemon, ended_at_last

SECONDS = 30


async def test_two_rounds_are_entered_by_a_person_and_the_third_by_the_robot(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "--panel", "--speed", "max", "--broker", "none", "--rounds", "3", "--seed", "7")
    with ended_at_last(bench):
        bench.wait_ready()
        setting = read_setting(tmp_path / TOML)
        daemon = Daemon(tmp_path / TOML, (setting.host, setting.port))
        assert setting.panel is not None
        with ended_at_last(daemon):
            async with looking(Person(setting.panel, daemon.address)) as person:
                await person.act("you")
                daemon.start()
                await asyncio.to_thread(daemon.wait_answering)
                await asyncio.wait_for(person.enter(lambda: bench.rounds == 2), SECONDS)
                assert not person.refused
                assert {"wager", "lock_in", "decide", "reveal", "confirm"} < set(person.seen)
                await person.act("robot")
                await asyncio.to_thread(bench.wait_finished, SECONDS)
                assert person.now["happened"] == []
    assert not bench.complaints.read_text()
