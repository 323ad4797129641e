"""Which alarms the robot dealer acknowledges, and how often."""

import random
from types import SimpleNamespace
from typing import Any, cast

from simulators.dealer.memory import AnyWorkplace
from simulators.dealer.reporting import Acknowledging
from simulators.pace import pace_from_text


class Desk:
    """Takes what it is told, with the status that it is to be answered with."""

    def __init__(self, status: int) -> None:
        self.status = status
        self.mentioned: list[dict[str, Any]] = []

    async def mention(self, view: dict[str, Any], item: dict[str, Any]) -> int:
        self.mentioned.append(item)
        return self.status


def dealer(status: int = 200) -> tuple[Acknowledging, Desk]:
    desk = Desk(status)
    parts = dict.fromkeys(("table", "players", "shoe", "orders", "stage", "mistakes", "error_patience"))
    at = AnyWorkplace(
        desk=cast(Any, desk), pace=pace_from_text("max"), chance=random.Random(1), **cast(Any, parts)
    )  # fmt: skip
    return Acknowledging(at), desk


def view(*alarms: tuple[str, str, bool], step: str = "3/begin") -> dict[str, Any]:
    told = [{"name": name, "since": since, "over": over, "acknowledged_by": None} for name, since, over in alarms]
    return {"step": {"id": step, "kind": "begin"}, "alarms": told}


async def names_said(acknowledging: Acknowledging, desk: Desk, seen: dict[str, Any]) -> list[str]:
    desk.mentioned.clear()
    while await acknowledging.look_after(seen):
        assert len(desk.mentioned) < 9
    since = {alarm["name"]: alarm["since"] for alarm in seen.get("alarms", ())}
    for one in desk.mentioned:
        name = one["alarm"]
        assert one == {"kind": "acknowledge", "alarm": name, "since": since[name]}
    return [one["alarm"] for one in desk.mentioned]


async def test_what_is_over_is_acknowledged_once_between_two_rounds_and_what_stands_is_left() -> None:
    acknowledging, desk = dealer()
    seen = view(("journal", "20:00", True), ("device-sign", "20:01", False), ("shoe-error", "20:02", True))
    assert await names_said(acknowledging, desk, seen) == ["journal", "shoe-error"]
    assert await names_said(acknowledging, desk, seen) == []
    assert await names_said(acknowledging, desk, view(("journal", "20:09", True))) == ["journal"]  # it came again
    assert await names_said(acknowledging, desk, {"step": {"id": "3/begin", "kind": "begin"}}) == []


async def test_an_acknowledgement_that_was_refused_is_tried_again_before_the_next_round_and_not_sooner() -> None:
    acknowledging, desk = dealer(status=422)
    for step in ("3/begin", "4/begin"):
        seen = view(("journal", "20:00", True), step=step)
        assert await names_said(acknowledging, desk, seen) == ["journal"]
        assert await names_said(acknowledging, desk, seen) == []


async def test_it_takes_as_long_as_a_person_takes() -> None:
    acknowledging, _ = dealer()
    waited: list[float] = []

    async def person(seconds: float) -> None:
        waited.append(seconds)

    acknowledging._at = cast(Any, SimpleNamespace(pace=SimpleNamespace(person=person), desk=acknowledging._at.desk))
    assert await acknowledging.look_after(view(("journal", "20:00", True))) and waited == [1.0]
