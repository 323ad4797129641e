"""Fortune 3 Card Poker 2025: which wagers and decisions a seat may make, and what a settlement refuses and cites."""

from itertools import chain, combinations

import pytest

from controller.rulebook.cards import parse_cards
from controller.rulebook.fortune_3_card_poker.paytables import RULES_2025
from controller.rulebook.fortune_3_card_poker.settle import SeatRound, settle
from controller.rulebook.fortune_3_card_poker.wagers import (
    check_wager_limits,
    refuse_decision,
    refuse_wagers,
    refuse_without_basic_bet,
)
from controller.rulebook.jackpot_award import JackpotTerms
from controller.rulebook.reading import Limits
from controller.rulebook.refusal import Refusal
from controller.words import english
from tests.with_words import with_words

WAGERS = ("ante", "pair_plus", "six_card_bonus", "jackpot")
EVERY_SET = list(chain.from_iterable(combinations(WAGERS, size) for size in range(1, 5)))
LIMITS = Limits(100, 1000)


def test_art_3_1_and_3_2_name_the_wagers() -> None:
    assert RULES_2025.wagers == WAGERS


@pytest.mark.parametrize("wagers", EVERY_SET)
def test_art_4_3_an_additional_bet_is_placed_only_beside_a_basic_one(wagers: tuple[str, ...]) -> None:
    bets = dict.fromkeys(wagers, 500)
    if {"ante", "pair_plus"} & set(wagers):
        refuse_wagers(3, bets, LIMITS)
        return
    with pytest.raises(Refusal) as refusal:
        refuse_without_basic_bet(3, bets)
    assert (refusal.value.who, refusal.value.article) == ("seat 3", "4.º 3")
    with pytest.raises(Refusal, check=with_words(r"\(4\.º 3\)$")):
        refuse_wagers(3, bets, None)


def test_art_11_1_a_seat_that_places_nothing_has_no_part_in_the_round() -> None:
    with pytest.raises(Refusal) as refusal:
        refuse_wagers(3, {}, LIMITS)
    assert (refusal.value.who, refusal.value.article) == ("seat 3", "11.º")
    refuse_without_basic_bet(3, {})


@pytest.mark.parametrize("wager", ["ante", "pair_plus", "six_card_bonus"])
def test_art_10_1_a_bet_keeps_the_limits_both_included(wager: str) -> None:
    for amount in (100, 101, 999, 1000):
        check_wager_limits(3, wager, amount, LIMITS)
        refuse_wagers(3, {"ante": 500, wager: amount}, LIMITS)
    for amount in (1, 99, 1001):
        for bets in ({"ante": 500, wager: amount}, {wager: amount, "pair_plus": 500} | {wager: amount}):
            with pytest.raises(Refusal) as refusal:
                refuse_wagers(3, bets, LIMITS)
            assert (refusal.value.who, refusal.value.article) == ("seat 3", "10.º 1)")
            assert wager in english(refusal.value.reason) and str(amount) in english(refusal.value.reason)
        refuse_wagers(3, {"ante": 500, wager: amount}, None)


def test_art_10_1_the_limits_do_not_bound_the_jackpot_chip() -> None:
    for chip in (1, 5000):
        refuse_wagers(3, {"ante": 500, "jackpot": chip}, LIMITS)


@pytest.mark.parametrize("wager", WAGERS)
@pytest.mark.parametrize("amount", [0, -1])
def test_an_amount_that_is_not_positive_is_no_wager(wager: str, amount: int) -> None:
    with pytest.raises(Refusal, check=with_words(f"^seat 3: {wager} must be a positive integer")):
        refuse_wagers(3, {"ante": 500, wager: amount}, None)


@pytest.mark.parametrize("wager", ["play", "ante_bonus", "Ante", ""])
def test_art_3_a_wager_the_regulation_does_not_have_is_refused(wager: str) -> None:
    with pytest.raises(Refusal, check=with_words("is not a wager of fortune-3-card-poker-2025")):
        refuse_wagers(3, {"ante": 500, wager: 500}, None)


@pytest.mark.parametrize("wagers", EVERY_SET)
@pytest.mark.parametrize("decision", ["play", "fold", None])
def test_art_12_2_an_ante_and_only_an_ante_is_decided(wagers: tuple[str, ...], decision: str | None) -> None:
    bets = dict.fromkeys(wagers, 500)
    if ("ante" in wagers) == (decision is not None):
        refuse_decision(3, bets, decision)
        return
    with pytest.raises(Refusal) as refusal:
        refuse_decision(3, bets, decision)
    assert (refusal.value.who, refusal.value.article) == ("seat 3", "12.º 2")


@pytest.mark.parametrize("decision", ["", "Play", "hit", "play "])
def test_art_12_2_a_decision_is_play_or_fold(decision: str) -> None:
    with pytest.raises(Refusal, check=with_words("decision must be play or fold")):
        refuse_decision(3, {"ante": 500}, decision)


# ---- Who may bet what, of the 2025 regulation; its other items are rounds: tests/rounds/fortune_3_2025.


def test_art_3_1_the_basic_bets_are_ante_and_pair_plus() -> None:
    for wager in ("ante", "pair_plus"):
        refuse_wagers(1, {wager: 100}, None)


def test_art_3_2_the_additional_bets_are_six_card_bonus_and_jackpot() -> None:
    assert RULES_2025.wagers[2:] == ("six_card_bonus", "jackpot")
    for wager in RULES_2025.wagers[2:]:
        refuse_wagers(1, {"ante": 100, wager: 100}, None)


def test_art_3_3_the_basic_bets_are_on_offer_whatever_else_is() -> None:
    assert RULES_2025.wagers[:2] == ("ante", "pair_plus")
    for wager in RULES_2025.wagers[:2]:
        refuse_wagers(1, {wager: 100}, None)


@pytest.mark.parametrize("additional", [("six_card_bonus",), ("jackpot",), ("jackpot", "six_card_bonus")])
def test_art_3_4_additional_bets_are_no_game_of_their_own(additional: tuple[str, ...]) -> None:
    with pytest.raises(Refusal, check=with_words(r"^seat 2: \w+ without ante or pair_plus is invalid \(4\.º 3\)$")):
        refuse_wagers(2, dict.fromkeys(additional, 100), None)


# ---- What the settlement of Fortune 3 Card Poker 2025 refuses, and the items its tables cite; its rounds:
# tests/rounds.


TERMS = JackpotTerms(pot=1_000_000, minimum=500_000, fixed={})


def test_a_bet_without_the_cards_or_terms_it_needs_is_refused() -> None:
    dealer = parse_cards("Qd 9c 4h")
    unseen = SeatRound({"ante": 100, "pair_plus": 50}, "fold", None)
    chip = SeatRound({"pair_plus": 50, "jackpot": 5}, None, parse_cards("As Ks 9s"))
    with pytest.raises(Refusal, check=with_words("^seat 2: ")):
        settle({2: unseen}, dealer, None, None)
    with pytest.raises(Refusal, check=with_words(r"^community: .*\(11\.º 3\)$")):
        settle({2: chip}, dealer, None, TERMS)
    with pytest.raises(Refusal, check=with_words(r"^jackpot: .*\(16\.º 3\)$")):
        settle({2: chip}, dealer, parse_cards("5s 2s"), None)


def test_every_paytable_row_cites_its_own_item() -> None:
    tables = [RULES_2025.ante_bonus, RULES_2025.pair_plus, RULES_2025.six_card_bonus]
    cited = [odds.article for table in tables for odds in table.values()]
    cited += [tier.article for tier in RULES_2025.jackpot.values()]
    assert cited == [
        *(f"13.º 4) ({item})" for item in range(1, 4)),
        *(f"16.º 1 {item})" for item in range(1, 6)),
        *(f"16.º 2 {item})" for item in range(1, 8)),
        *(f"16.º 3 {item})" for item in range(1, 6)),
    ]
