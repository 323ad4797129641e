"""When the robot dealer takes a complaint down, and what becomes of it."""

import random
from types import SimpleNamespace
from typing import Any, cast

from simulators.dealer.memory import AnyWorkplace
from simulators.dealer.reporting import Complaints
from simulators.faults.dealer_mistakes import DealerMistakes
from simulators.pace import pace_from_text


class Desk:
    """Keeps what it is told."""

    def __init__(self, supervisor: str) -> None:
        self.supervisor = supervisor
        self.person = SimpleNamespace(on=False)
        self.mentioned: list[dict[str, Any]] = []
        self.filmed: list[tuple[str, dict[str, Any]]] = []

    async def mention(self, view: dict[str, Any], item: dict[str, Any]) -> int:
        self.mentioned.append(item)
        return 200


def dealer(supervisor: str = "rui") -> tuple[Complaints, Desk, DealerMistakes]:
    desk, mistakes = Desk(supervisor), DealerMistakes()
    table = SimpleNamespace(camera=SimpleNamespace(saw=lambda event, **what: desk.filmed.append((event, what))))
    parts = dict.fromkeys(("players", "shoe", "orders", "stage", "error_patience")) | {"table": table}
    at = AnyWorkplace(
        desk=cast(Any, desk), mistakes=mistakes, pace=pace_from_text("max"), chance=random.Random(1), **cast(Any, parts)
    )  # fmt: skip
    return Complaints(at), desk, mistakes


def view(kind: str, *numbers: int) -> dict[str, Any]:
    round = {"id": 4, "wagers": {"3": {"ante": 100}}} if kind in ("deal", "confirm", "claims") else None
    return {
        "step": {"id": f"4/{kind}", "kind": kind},
        "round": round,
        "complaints": [{"complaint": n} for n in numbers],
    }


async def test_a_complaint_is_taken_down_as_the_round_ends_and_decided_once_by_the_supervisor() -> None:
    complaints, desk, mistakes = dealer()
    mistakes.wish("complaint")
    assert not await complaints.look_after(view("deal"))
    assert await complaints.look_after(view("confirm"))
    assert not await complaints.look_after(view("confirm", 1))
    assert await complaints.look_after(view("claims", 1)) and not await complaints.look_after(view("claims", 1))
    opened, decided = desk.mentioned
    assert opened == {"kind": "complaint", "round": 4, "seat": 3, "what": "the count"}
    assert (decided["kind"], decided["complaint"], decided["actor"]) == ("decide_complaint", 1, "rui")


async def test_the_seat_that_was_named_complains_and_one_of_a_round_before_is_decided_between_two() -> None:
    complaints, desk, mistakes = dealer()
    mistakes.wish("complaint", "2")
    assert await complaints.look_after(view("claims")) and await complaints.look_after(view("begin", 7))
    assert desk.filmed == [("complaint", {"seat": 2})]
    assert desk.mentioned[0]["seat"] == 2 and desk.mentioned[1]["complaint"] == 7


async def test_nobody_complains_where_no_supervisor_is_or_a_person_has_taken_over() -> None:
    for complaints, desk, mistakes in (dealer(supervisor=""), dealer()):
        mistakes.wish("complaint")
        desk.person.on = bool(desk.supervisor)
        assert not await complaints.look_after(view("claims", 1)) and not desk.mentioned
