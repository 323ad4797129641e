"""Fortune 3 Card Poker 2025: which wagers and decisions a seat may make, and what a settlement refuses and cites."""

from itertools import chain, combinations

import pytest

from controller.rulebook.cards import parse_cards
from controller.rulebook.fortune_3_card_poker.paytables import RULES_2025
from controller.rulebook.fortune_3_card_poker.settle import SeatRound, settle
from controller.rulebook.fortune_3_card_poker.wagers import refuse_wagers, refuse_without_basic_bet
from controller.rulebook.jackpot_award import JackpotTerms
from controller.rulebook.reading import Limits
from controller.rulebook.refusal import Refusal
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


def test_art_10_1_the_limits_do_not_bound_the_jackpot_chip() -> None:
    for chip in (1, 5000):
        refuse_wagers(3, {"ante": 500, "jackpot": chip}, LIMITS)


@pytest.mark.parametrize("wager", ["play", "ante_bonus", "Ante", ""])
def test_art_3_a_wager_the_regulation_does_not_have_is_refused(wager: str) -> None:
    with pytest.raises(Refusal, check=with_words("is not a wager of fortune-3-card-poker-2025")):
        refuse_wagers(3, {"ante": 500, wager: 500}, None)


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
