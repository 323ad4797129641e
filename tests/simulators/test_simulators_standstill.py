"""A simulator that stopped says so in its film: no device of it could answer meanwhile."""

import asyncio
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from simulators.felt.camera import Camera
from simulators.lifetime import STANDSTILL_SECONDS, film_standstills
from tests.referee.film.camera import watch
from tests.station.test_station_faults import edges

LOG = """\
back   device=slots outage=0.1
lost   cause=unplugged device=slots reason=unplugged
back   device=slots outage=0.5
lost   cause=silent device=slots reason='port is open, but no answer for 2.82 s'
back   device=slots outage=1.2
"""


async def test_a_loop_that_was_delayed_is_filmed() -> None:
    seen: asyncio.Future[tuple[str, Any]] = asyncio.get_running_loop().create_future()
    camera = Camera()
    camera.watch = lambda event, what: seen.set_result((event, what["seconds"]))
    filming = asyncio.create_task(film_standstills(camera))
    await asyncio.sleep(0)
    time.sleep(2 * STANDSTILL_SECONDS)  # noqa: ASYNC251
    event, seconds = await seen
    filming.cancel()
    assert event == "stalled" and seconds >= STANDSTILL_SECONDS


def test_a_standstill_that_was_filmed_is_a_silence_of_every_device(tmp_path: Path) -> None:
    camera = Camera(tmp_path / "camera.jsonl")
    camera.round_begin("shoe")
    camera.saw("stalled", seconds=2.9)
    camera.saw("card", card="2c")
    camera.close()
    faults = watch(tmp_path / "camera.jsonl").faults
    assert all(faults.any(device, {"mute"}, 3, 3) for device in ("shuffler", "shoe", "slots", "sign"))


def test_the_silence_of_a_simulator_that_was_stopped_is_no_loss_and_any_other_is() -> None:
    film: list[dict[str, Any]] = []
    played = cast(Any, SimpleNamespace(log=LOG, film=lambda: film))
    assert edges(played, "slots") == ["back", "lost", "back", "lost", "back"]
    film.append({"event": "stalled", "seconds": 2.9})
    assert edges(played, "slots") == ["back", "lost", "back"]
