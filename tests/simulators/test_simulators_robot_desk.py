"""The robot dealer at its desk: it waits, without waiting that long, acknowledges alarms, and receives complaints."""

import asyncio
import random
from types import SimpleNamespace
from typing import Any, cast

from simulators.dealer import hands
from simulators.dealer.fortune_3_card_poker.dealing import Dealing
from simulators.dealer.fortune_3_card_poker.misdealing import Misdealing
from simulators.dealer.hands import DealerPatience
from simulators.dealer.memory import Workplace
from simulators.dealer.reporting import Acknowledging, Complaints
from simulators.dealer.round_desk import CardDesk
from simulators.faults.dealer_mistakes import DealerMistakes
from simulators.faults.stage import Stage
from simulators.pace import pace_from_text
from tests.made_up_time import in_made_up_time

DEAL = {
    "step": {"id": "3/deal/2", "kind": "deal", "to": ["seat 1"] * 3, "order": 770},
    "round": {"id": 3, "source": "shuffler", "void": None, "dealt": []},
}


class Desk:
    """Takes what it is sent and answers with `status`; `seen` is how long after its making the screen was looked at."""

    def __init__(self, supervisor: str = "rui", status: int = 200) -> None:
        self.mentioned: list[dict[str, Any]] = []
        self.filmed: list[tuple[str, dict[str, Any]]] = []
        self.supervisor, self.status, self.seen = supervisor, status, 0.0
        self.person = SimpleNamespace(on=False)
        self._made = asyncio.get_running_loop().time()

    def looked_at(self) -> float:
        return self._made + self.seen

    async def mention(self, view: dict[str, Any], item: dict[str, Any]) -> int:
        self.mentioned.append(item)
        return self.status


def workplace(desk: Desk) -> Workplace:
    camera = SimpleNamespace(saw=lambda event, **what: desk.filmed.append((event, what)))
    table = SimpleNamespace(deck=SimpleNamespace(count=lambda *places: 2), camera=camera)
    parts = {"table": table, "stage": Stage(), "mistakes": DealerMistakes()}
    others = dict.fromkeys(("players", "shoe", "orders", "error_patience"))
    return Workplace(
        desk=cast(Any, desk), pace=pace_from_text("max"), chance=random.Random(1), **cast(Any, parts | others)
    )


def dealing_at(desk: CardDesk) -> Dealing:
    return Dealing(desk, cast(Any, SimpleNamespace(tray_order=770)), Misdealing(desk))


@in_made_up_time
async def test_patience_is_with_one_thing_at_a_time() -> None:
    desk = Desk()
    patience = DealerPatience(desk.looked_at)
    assert not patience.lost("a", 5)
    desk.seen = 6
    assert not patience.lost("b", 7), "another thing was not waited for yet"
    assert patience.lost("b", 5)
    assert patience.lost("b", 5)
    patience.restart()
    desk.seen = 4
    assert not patience.lost("b", 5)


@in_made_up_time
async def test_a_station_that_is_late_to_answer_is_not_taken_for_one_that_received_nothing() -> None:
    """However long it takes: what counts is when the look began that found the prompt unmoved."""
    patience = DealerPatience(Desk().looked_at)
    for _ in range(3):
        assert not patience.lost("a", 0.01)
        await asyncio.sleep(0.02)


@in_made_up_time
async def test_a_shuffler_that_gives_no_packet_has_failed() -> None:
    desk = Desk()
    at_desk = CardDesk(workplace(desk))
    dealing = dealing_at(at_desk)
    assert not await dealing.deal(DEAL)
    desk.seen = hands.FAILED_SECONDS - 1
    assert not await dealing.deal(DEAL)
    dealing.station_away()
    assert not await dealing.deal(DEAL)
    desk.seen = hands.FAILED_SECONDS + 1
    assert await dealing.deal(DEAL)
    assert await at_desk.reporting.send(DEAL)
    assert desk.mentioned == [{"kind": "shuffler_failed"}]


@in_made_up_time
async def test_the_time_the_station_was_away_does_not_count() -> None:
    desk = Desk()
    dealing = dealing_at(CardDesk(workplace(desk)))
    assert not await dealing.deal(DEAL)
    await asyncio.sleep(0.02)
    dealing.station_away()
    assert not await dealing.deal(DEAL)
    desk.seen = hands.FAILED_SECONDS + 0.01
    assert not await dealing.deal(DEAL)


@in_made_up_time
async def test_a_short_packet_is_not_placed_and_reported_when_the_station_says_nothing() -> None:
    desk = Desk()
    at_desk = CardDesk(workplace(desk))
    dealing = dealing_at(at_desk)
    assert not await dealing.look_after(DEAL)
    desk.seen = hands.UNREPORTED_AT_MAX_SECONDS + 1
    assert await dealing.look_after(DEAL)
    assert at_desk.memory.halted
    assert await at_desk.reporting.send(DEAL)
    assert desk.mentioned == [{"kind": "misdealt", "what": "number"}]
    assert at_desk.at.stage.cards_left == 1


@in_made_up_time
async def test_a_misdeal_that_is_refused_does_not_stop_the_hands() -> None:
    desk = Desk()
    desk.status = 422
    at_desk = CardDesk(workplace(desk))
    memory, reporting = at_desk.memory, at_desk.reporting
    memory.halted = True
    reporting.report({"kind": "misdealt", "what": "order"}, refused=lambda: setattr(memory, "halted", False))
    assert await reporting.send(DEAL)
    assert not memory.halted and not reporting.waiting


@in_made_up_time
async def test_nothing_is_reported_or_corrected_once_the_round_is_void() -> None:
    desk = Desk()
    reporting = CardDesk(workplace(desk)).reporting
    reporting.report({"kind": "exposed", "to": "bank", "count": 1})
    reporting.correct({"kind": "correct_wager", "seat": 1, "wager": "ante", "amount": 5}, ("deal",))
    void = {"step": {"id": "3/confirm", "kind": "confirm"}, "round": {**DEAL["round"], "void": {"article": "17.º 2"}}}
    assert await reporting.send(void)
    assert not await reporting.send(void)
    assert not desk.mentioned


# ---- alarms that are over


def alarmed(*alarms: tuple[str, str, bool], step: str = "3/begin") -> dict[str, Any]:
    alarms_shown = [
        {"name": name, "since": since, "over": over, "acknowledged_by": None} for name, since, over in alarms
    ]
    return {"step": {"id": step, "kind": "begin"}, "alarms": alarms_shown}


async def acknowledged_names(acknowledging: Acknowledging, desk: Desk, seen: dict[str, Any]) -> list[str]:
    desk.mentioned.clear()
    while await acknowledging.look_after(seen):
        assert len(desk.mentioned) < 9
    since = {alarm["name"]: alarm["since"] for alarm in seen.get("alarms", ())}
    for input in desk.mentioned:
        name = input["alarm"]
        assert input == {"kind": "acknowledge", "alarm": name, "since": since[name]}
    return [input["alarm"] for input in desk.mentioned]


async def test_what_is_over_is_acknowledged_once_between_two_rounds_and_what_is_active_is_left() -> None:
    desk = Desk()
    acknowledging = Acknowledging(workplace(desk))
    seen = alarmed(("journal", "20:00", True), ("device-sign", "20:01", False), ("shoe-error", "20:02", True))
    assert await acknowledged_names(acknowledging, desk, seen) == ["journal", "shoe-error"]
    assert await acknowledged_names(acknowledging, desk, seen) == []
    assert await acknowledged_names(acknowledging, desk, alarmed(("journal", "20:09", True))) == [
        "journal"
    ]  # it came again
    assert await acknowledged_names(acknowledging, desk, {"step": {"id": "3/begin", "kind": "begin"}}) == []


async def test_an_acknowledgement_that_was_refused_is_tried_again_before_the_next_round_and_not_sooner() -> None:
    desk = Desk(status=422)
    acknowledging = Acknowledging(workplace(desk))
    for step in ("3/begin", "4/begin"):
        seen = alarmed(("journal", "20:00", True), step=step)
        assert await acknowledged_names(acknowledging, desk, seen) == ["journal"]
        assert await acknowledged_names(acknowledging, desk, seen) == []


async def test_it_takes_as_long_as_a_person_takes() -> None:
    desk = Desk()
    acknowledging = Acknowledging(workplace(desk))
    waited: list[float] = []

    async def person(seconds: float) -> None:
        waited.append(seconds)

    acknowledging._at = cast(Any, SimpleNamespace(pace=SimpleNamespace(person=person), desk=desk))
    assert await acknowledging.look_after(alarmed(("journal", "20:00", True))) and waited == [1.0]


# ---- complaints


def at_step(kind: str, *numbers: int) -> dict[str, Any]:
    round = {"id": 4, "wagers": {"3": {"ante": 100}}} if kind in ("deal", "confirm", "claims") else None
    return {
        "step": {"id": f"4/{kind}", "kind": kind},
        "round": round,
        "complaints": [{"complaint": n} for n in numbers],
    }


async def test_a_complaint_is_taken_down_as_the_round_ends_and_decided_once_by_the_supervisor() -> None:
    desk = Desk()
    complaints = Complaints(workplace(desk))
    complaints._at.mistakes.wish("complaint")
    assert not await complaints.look_after(at_step("deal"))
    assert await complaints.look_after(at_step("confirm"))
    assert not await complaints.look_after(at_step("confirm", 1))
    assert await complaints.look_after(at_step("claims", 1)) and not await complaints.look_after(at_step("claims", 1))
    opened, decided = desk.mentioned
    assert opened == {"kind": "complaint", "round": 4, "seat": 3, "what": "the count"}
    assert (decided["kind"], decided["complaint"], decided["actor"]) == ("decide_complaint", 1, "rui")


async def test_the_seat_that_was_named_complains_and_one_of_a_round_before_is_decided_between_two() -> None:
    desk = Desk()
    complaints = Complaints(workplace(desk))
    complaints._at.mistakes.wish("complaint", "2")
    assert await complaints.look_after(at_step("claims")) and await complaints.look_after(at_step("begin", 7))
    assert desk.filmed == [("complaint", {"seat": 2})]
    assert desk.mentioned[0]["seat"] == 2 and desk.mentioned[1]["complaint"] == 7


async def test_no_one_complains_where_no_supervisor_is_or_a_person_has_taken_over() -> None:
    for desk, kinds in ((Desk(supervisor=""), []), (Desk(), ["decide_complaint"])):
        complaints = Complaints(workplace(desk))
        complaints._at.mistakes.wish("complaint")
        desk.person.on = bool(desk.supervisor)
        assert not await complaints.look_after(at_step("claims", 1))
        assert [mentioned["kind"] for mentioned in desk.mentioned] == kinds  # which the person reads on the line
