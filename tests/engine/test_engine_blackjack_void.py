"""Black-jack/21 at the table: who voids a round whose cards decide, and what stands when it is void."""

from typing import Any

import pytest

from controller.engine.decisions.jackpot import Confirm
from controller.engine.state.jackpot import E4, HitLocked, HitMadePayable, HitWithdrawn
from controller.engine.state.persons import Misdealt, VoidRound
from controller.rulebook.events import CardSource
from controller.words import english
from tests.engine.hands import CHIP, Hands
from tests.engine.reported import prize_of
from tests.engine.test_engine_blackjack_prize import POT, TO_POT, offered

BOTH = pytest.mark.parametrize("source", ["shoe", "shuffler"])
BREAKS: list[tuple[type[Any], dict[str, str]]] = [
    (VoidRound, {"reason": "power cut"}),
    (Misdealt, {"what": "order", "reason": "seen late"}),
]
BROKEN = pytest.mark.parametrize("broken", BREAKS, ids=["broken off", "misdealt"])
DEAL = "Ac Tc 6h Kc 9d 8h"  # a black-jack at seat 1, 19 at seat 2, a six and an eight at the bank


def void(play: Hands, broken: tuple[type[Any], dict[str, str]]) -> Hands:
    """A supervisor voids the round."""
    play.say(broken[0], "rui", **broken[1])
    play.why_void()
    return play


def reason(play: Hands) -> str:
    assert play.round.void is not None
    return english(play.round.void.why)


# ---- what stands


@BOTH
@BROKEN
@pytest.mark.parametrize("kind", ["ask", "reveal", "confirm"])
def test_blackjack_rule_21_a_black_jack_that_is_due_is_paid_though_the_round_is_void(
    source: CardSource, broken: tuple[type[Any], dict[str, str]], kind: Any
) -> None:
    play = Hands(DEAL, source=source).to_wagers().place_bet(1, 200, "Ana", Rui=100).place_bet(2, 200).until(kind)
    assert void(play, broken).lines_decided() == [(1, "hand 1", 300, "21"), (1, "hand 1 Rui", 150, "21")]
    assert [(of.seat, of.net) for of in play.report.seats] == [(1, 300), (2, 0)]
    prompt = play.public()["step"]["prompt"]
    assert "what is decided remains" in prompt["en"] and "mantém-se" in prompt["pt"] and "有效" in prompt["zh"]
    play.until("begin").to_deal(2).settled()


# ---- the accumulated prize


@BROKEN
@pytest.mark.parametrize("prize", ["auto", "manual"])
def test_blackjack_rule_43_and_49_what_is_locked_stays_and_is_paid(
    prize: str, broken: tuple[type[Any], dict[str, str]]
) -> None:
    play = offered("Ac Tc 9h Ad 9c 8h", 1, 2, prize=prize).until("confirm")
    before, known = play.meter, len(play.events)
    assert [hit.amount for hit in before.hits] == [25 * CHIP]
    void(play, broken)
    assert play.meter == before and not any(isinstance(event, HitWithdrawn) for event in play.events[known:])
    assert play.lines_decided() == [(1, "jackpot", 24 * CHIP, "43 e)"), (2, "jackpot", -CHIP, "43")]
    won = prize_of(play.report)
    assert [award.seat for award in won.awards] == [1]
    assert (won.pot_before, won.pot_after) == (POT + 2 * TO_POT, POT + 2 * TO_POT - 25 * CHIP)
    assert prize == "manual" or {chip.state for chip in play.table.slots.values()} == {"counted"}
    assert HitMadePayable(hit=1) in play.say(Confirm)
    play.pay()
    assert play.meter.paid_e4 == 25 * CHIP * E4 and play.meter.pending_e4 == 0
    play.until("begin")
    assert play.meter.chips_counted == 2 and play.meter.returned_e4 == 0


@BROKEN
def test_blackjack_rule_43_what_the_cards_have_won_is_locked_as_the_round_is_void(
    broken: tuple[type[Any], dict[str, str]],
) -> None:
    play = offered("Ac Tc 9h Ac 9c 8h Ah", 1, 2).decides("hit")
    play.proceed()
    assert play.meter.pending_e4 == 0
    void(play, broken)
    assert [(hit.seat, hit.tier, hit.amount) for hit in play.meter.hits] == [(1, "three_aces", 250 * CHIP)]
    assert play.meter.pot == POT + 2 * TO_POT - 250 * CHIP
    assert sum(isinstance(event, HitLocked) for event in play.events) == 1
    play.until("claims").pay()
    assert play.meter.paid_e4 == 250 * CHIP * E4


@BROKEN
@pytest.mark.parametrize("cards", [3, 5])
def test_blackjack_rule_46_before_the_deal_is_over_no_chip_is_decided(
    cards: int, broken: tuple[type[Any], dict[str, str]]
) -> None:
    play = offered("Ac Tc 9h Ad 9c 8h", 1, 2)
    for _ in range(cards):
        play.proceed()
    play.say(broken[0], "rui", **broken[1])
    assert play.why_void() and play.lines_decided() == []
    assert (play.meter.pot, play.meter.hits, play.meter.chips_counted) == (POT, (), 0)
    assert {chip.state for chip in play.table.slots.values()} == {"invalid"}
