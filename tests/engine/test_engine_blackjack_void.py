"""Black-jack/21 at the table: who voids a round whose cards decide, and what stands when it is void."""

from typing import Any

import pytest

from controller.engine.decisions.betting import ChipSensed
from controller.engine.decisions.jackpot import Confirm
from controller.engine.decisions.played import CardsHeard, Reveal
from controller.engine.state.jackpot import E4, HitLocked, HitMadePayable, HitWithdrawn
from controller.engine.state.persons import Misdealt, ShufflerFailed, VoidRound
from controller.rulebook.events import CardSource
from controller.words import english
from tests.engine.hands import CHIP, PRIZE, Hands
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


# ---- who voids it


@BOTH
def test_blackjack_rule_21_and_43_with_a_second_card_open_a_supervisor_says_why_the_round_is_void(
    source: CardSource,
) -> None:
    play = Hands("Tc 8c 9h Kc 9d 8h", source=source).to_deal(1, 2)
    for _ in range(3):  # the first cards and the bank's decide nothing
        assert not play.public()["round"]["result_open"]
        play.go_on()
    while not play.at("confirm"):
        play.go_on()
        assert play.public()["round"]["result_open"]
        for what in ("order", "number"):
            assert play.would_wait(Misdealt, what=what)
            assert play.refused(Misdealt, "rui", what=what).article == "policy: documented adjustment"
            assert play.refused(Misdealt, "rui", what=what, reason="  ").article == "policy: documented adjustment"
    play.change(Misdealt, "rui", what="number", reason=" two cards stuck together ")
    assert play.why_void() == "policy: misdeal"
    assert reason(play) == "a wrong number of cards was dealt: two cards stuck together"


def test_blackjack_rule_21_and_43_so_too_where_the_shuffler_is_said_to_have_failed() -> None:
    play = Hands("Tc 9h 6c 7h 2c", source="shuffler").to_deal(1).decides("hit")
    assert play.at("deal") and play.would_wait(ShufflerFailed)
    assert play.refused(ShufflerFailed, "rui").article == "policy: documented adjustment"
    play.change(ShufflerFailed, "rui", reason="it rattles")
    assert reason(play) == "the shuffler failed while dealing: it rattles"
    assert play.why_void() == "policy: misdeal"


@BOTH
def test_blackjack_rule_21_and_43_so_too_where_the_second_card_lies_open_and_was_not_read(source: CardSource) -> None:
    unread = 3 + (source == "shoe")  # the burnt card comes before those of the deal
    play = Hands("Tc 8c 9h Kc 9d 8h", source=source, unread=[unread]).to_deal(1, 2)
    for _ in range(4):
        play.go_on()
    assert play.step.kind == "reveal" and play.public()["round"]["result_open"]
    assert play.would_wait(Misdealt, what="order")
    play.change(Misdealt, "rui", what="order", reason="two cards stuck together")
    assert play.why_void() == "policy: misdeal"


@pytest.mark.parametrize("cards", [0, 1, 2, 3])
def test_blackjack_policy_misdeal_before_a_second_card_is_open_the_dealer_says_so(cards: int) -> None:
    play = Hands(DEAL).to_deal(1, 2)
    for _ in range(cards):
        play.go_on()
    play.change(Misdealt, what="order")
    assert play.why_void() == "policy: misdeal" and play.stands() == []


# ---- what stands


@BOTH
@BROKEN
@pytest.mark.parametrize("kind", ["ask", "reveal", "confirm"])
def test_blackjack_rule_21_a_black_jack_that_is_due_is_paid_though_the_round_is_void(
    source: CardSource, broken: tuple[type[Any], dict[str, str]], kind: Any
) -> None:
    play = Hands(DEAL, source=source).to_wagers().lay(1, 200, "Ana", Rui=100).lay(2, 200).until(kind)
    assert void(play, broken).stands() == [(1, "hand 1", 300, "21"), (1, "hand 1 Rui", 150, "21")]
    assert [(of.seat, of.net) for of in play.report.seats] == [(1, 300), (2, 0)]
    prompt = play.public()["step"]["prompt"]
    assert "what is decided stands" in prompt["en"] and "mantém-se" in prompt["pt"] and "有效" in prompt["zh"]
    play.until("begin").to_deal(2).settled()


@BROKEN
def test_blackjack_rule_21_a_black_jack_that_waits_for_the_bank_is_taken_back(
    broken: tuple[type[Any], dict[str, str]],
) -> None:
    play = Hands("Ac Th Kc 7h").to_deal(1).until("confirm")
    assert void(play, broken).stands() == []
    assert "Give all wagers back" in play.public()["step"]["prompt"]["en"]


@BROKEN
def test_blackjack_rule_18_and_21_nothing_is_decided_before_the_deal_is_over(
    broken: tuple[type[Any], dict[str, str]],
) -> None:
    play = Hands(DEAL).to_deal(1, 2)
    for _ in range(5):
        play.go_on()
    assert play.hands(1) == ["Ac Kc paid"] and play.step.to == ("bank",)
    assert void(play, broken).stands() == []


@BROKEN
@pytest.mark.parametrize("kind", ["ask", "confirm"])
def test_blackjack_rule_22_what_is_lost_at_once_stays_lost(broken: tuple[type[Any], dict[str, str]], kind: Any) -> None:
    play = Hands("Tc 9c 9h 6c 9d 8h Td").to_deal(1, 2).decides("hit").until(kind)
    assert void(play, broken).stands() == [(1, "hand 1", -200, "22")]


@BROKEN
def test_blackjack_rule_34_even_money_that_was_taken_stands_and_insurance_does_not(
    broken: tuple[type[Any], dict[str, str]],
) -> None:
    play = Hands("Ac 9c Ah Kc 9d Th").to_deal(1, 2).answers("yes", "insure 100").until("confirm")
    assert void(play, broken).stands() == [(1, "hand 1", 200, "34")]


@BROKEN
def test_blackjack_rule_35_a_special_prize_stands_and_its_hand_is_taken_back(
    broken: tuple[type[Any], dict[str, str]],
) -> None:
    play = Hands("7c Th 7d 8h 7s").to_wagers().lay(1, 200, "Ana", Rui=100).until("deal").decides("hit")
    play.until("confirm")
    assert void(play, broken).stands() == [(1, "special_prize 1", 600, "35"), (1, "special_prize 1 Rui", 300, "35")]


@BROKEN
def test_blackjack_rule_36_half_a_bet_that_was_given_up_stays_lost(broken: tuple[type[Any], dict[str, str]]) -> None:
    play = Hands("Tc 9c 9h 6c 9d 8h").to_deal(1, 2).answers("yes", "no")
    assert void(play, broken).stands() == [(1, "hand 1", -100, "36")]


@pytest.mark.parametrize("source", ["shoe", "shuffler"])
def test_blackjack_rule_3_and_21_so_too_where_a_card_came_too_often(source: CardSource) -> None:
    play = Hands("Ac 8c 6h Kc 8c 8h 8c 8c 8c", source=source).to_deal(1, 2).decides("split")
    play.until("confirm")
    assert play.why_void() == "policy: complete deck"
    assert play.stands() == [(1, "hand 1", 300, "21")]


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
    assert play.meter == before and not any(isinstance(one, HitWithdrawn) for one in play.events[known:])
    assert play.stands() == [(1, "jackpot", 24 * CHIP, "43 e)"), (2, "jackpot", -CHIP, "43")]
    won = prize_of(play.report)
    assert [one.seat for one in won.awards] == [1]
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
    play.go_on()
    assert play.meter.pending_e4 == 0
    void(play, broken)
    assert [(hit.seat, hit.tier, hit.amount) for hit in play.meter.hits] == [(1, "three_aces", 250 * CHIP)]
    assert play.meter.pot == POT + 2 * TO_POT - 250 * CHIP
    assert sum(isinstance(one, HitLocked) for one in play.events) == 1
    play.until("claims").pay()
    assert play.meter.paid_e4 == 250 * CHIP * E4


@BROKEN
@pytest.mark.parametrize("at_once", [True, False])
def test_blackjack_rule_43_and_44_the_whole_pot_that_is_won_stays_won_and_the_pot_starts_again(
    at_once: bool, broken: tuple[type[Any], dict[str, str]]
) -> None:
    play = offered("Ac Tc 9h As 9c 8h Ac As", 1, 2).decides("hit", "hit")
    play.go_on() if at_once else play.until("confirm")
    void(play, broken)
    assert [hit.amount for hit in play.meter.hits] == [POT + 2 * TO_POT] and play.meter.pot == PRIZE.minimum
    won = prize_of(play.report)
    assert (won.pot_before, won.pot_after) == (POT + 2 * TO_POT, PRIZE.minimum)
    play.until("claims").pay()
    assert play.meter.pending_e4 == 0


@BROKEN
@pytest.mark.parametrize("cards", [3, 5])
def test_blackjack_rule_46_before_the_deal_is_over_no_chip_is_decided(
    cards: int, broken: tuple[type[Any], dict[str, str]]
) -> None:
    play = offered("Ac Tc 9h Ad 9c 8h", 1, 2)
    for _ in range(cards):
        play.go_on()
    play.say(broken[0], "rui", **broken[1])
    assert play.why_void() and play.stands() == []
    assert (play.meter.pot, play.meter.hits, play.meter.chips_counted) == (POT, (), 0)
    assert {chip.state for chip in play.table.slots.values()} == {"invalid"}


def test_blackjack_rule_43_the_next_round_takes_new_chips_after_one_that_was_void() -> None:
    play = void(offered("Ac 9h Ad 8h", 1).until("confirm"), BREAKS[0])
    play.until("begin").sweep().to_wagers().lay(1, 200)
    play.hear(ChipSensed(seat=1, counter=99))
    assert play.until("deal").round.chips == (1,) and play.meter.chips_counted == 2
    play.hear(CardsHeard(source="shoe", cards=play.take()))
    play.until("confirm")
    assert play.refused(Reveal, to="bank").who == "table"
