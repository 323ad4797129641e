"""How long the robot dealer waits, without waiting that long."""

import asyncio
import random
from types import SimpleNamespace
from typing import Any, cast

from simulators.dealer import hands
from simulators.dealer.fortune_3_card_poker.dealing import Dealing
from simulators.dealer.fortune_3_card_poker.misdealing import Misdealing
from simulators.dealer.hands import Patience
from simulators.dealer.memory import Workplace
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
    """Takes what it is told; refuses it when `status` says so.

    The screen was last looked at `seen` seconds after the desk was made.
    """

    def __init__(self) -> None:
        self.mentioned: list[dict[str, Any]] = []
        self.status = 200
        self.seen = 0.0
        self._made = asyncio.get_running_loop().time()

    def looked_at(self) -> float:
        return self._made + self.seen

    async def mention(self, view: dict[str, Any], item: dict[str, Any]) -> int:
        self.mentioned.append(item)
        return self.status


def workplace(desk: Desk) -> Workplace:
    table = SimpleNamespace(
        deck=SimpleNamespace(count=lambda *places: 2), camera=SimpleNamespace(saw=lambda *a, **k: 0)
    )
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
    patience = Patience(desk.looked_at)
    assert not patience.lost("a", 5)
    desk.seen = 6
    assert not patience.lost("b", 7), "another thing was not waited for yet"
    assert patience.lost("b", 5)
    assert patience.lost("b", 5)
    patience.restart()
    desk.seen = 4
    assert not patience.lost("b", 5)


@in_made_up_time
async def test_a_station_that_is_late_to_answer_is_not_taken_for_one_that_has_not_heard() -> None:
    """However long it takes: what counts is when the look began that found the prompt unmoved."""
    patience = Patience(Desk().looked_at)
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
async def test_a_short_packet_is_not_laid_and_told_when_the_station_says_nothing() -> None:
    desk = Desk()
    at_desk = CardDesk(workplace(desk))
    dealing = dealing_at(at_desk)
    assert not await dealing.look_after(DEAL)
    desk.seen = hands.UNHEARD_AT_MAX_SECONDS + 1
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
async def test_nothing_is_reported_or_put_right_once_the_round_is_void() -> None:
    desk = Desk()
    reporting = CardDesk(workplace(desk)).reporting
    reporting.report({"kind": "exposed", "to": "bank", "count": 1})
    reporting.correct({"kind": "correct_wager", "seat": 1, "wager": "ante", "amount": 5}, ("deal",))
    void = {"step": {"id": "3/confirm", "kind": "confirm"}, "round": {**DEAL["round"], "void": {"article": "17.º 2"}}}
    assert await reporting.send(void)
    assert not await reporting.send(void)
    assert not desk.mentioned
