"""What the settlement of Fortune 3 Card Poker 2025 refuses, and the items its tables cite; its rounds: tests/rounds."""

import pytest

from controller.rulebook.cards import parse_cards
from controller.rulebook.fortune_3_card_poker.paytables import RULES_2025
from controller.rulebook.fortune_3_card_poker.settle import SeatRound, settle
from controller.rulebook.jackpot_award import JackpotTerms
from controller.rulebook.refusal import Refusal
from tests.with_words import with_words

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
