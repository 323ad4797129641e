"""The rules of verify_bundle.py against the station's: hands, pairs and odds, also those that no played round had."""

import itertools
from random import Random

import pytest

from controller.rulebook.cards import DECK
from controller.rulebook.five_card import best_combination
from controller.rulebook.fortune_3_card_poker.paytables import RULES_2008, RULES_2025, Rules
from controller.rulebook.taiwan_pai_kao.pairs import PAIRS
from controller.rulebook.three_card import rank_three
from tests.disputes.rounds import program

PROGRAM = program()


def test_all_22100_hands_of_three_have_the_same_name_and_order() -> None:
    ranks: dict[tuple[int, ...], set[int]] = {}
    for cards in itertools.combinations(DECK, 3):
        name, worth = PROGRAM.three_cards(cards)
        hand = rank_three(cards)
        assert name == hand.name
        ranks.setdefault(worth, set()).add(hand.rank)
    assert [ranks[worth] for worth in sorted(ranks, reverse=True)] == [{rank} for rank in range(1, 742)]


@pytest.mark.parametrize("count", [5, 6])
def test_the_best_of_five_and_six_cards_is_the_same(count: int) -> None:
    dice = Random(count)
    few = [card for card in DECK if card[0] in "AKQJT95432" and card[1] in "sh"]  # that are rich in combinations
    for _ in range(1500):
        cards = dice.sample(dice.choice([few, list(DECK)]), count)
        assert PROGRAM.best_of(cards) == best_combination(cards), cards


@pytest.mark.parametrize("rules", [RULES_2025, RULES_2008])
def test_every_odds_of_poker_is_the_same(rules: Rules) -> None:
    law = PROGRAM.POKER[rules.game]
    for name in ("ante_bonus", "pair_plus", "six_card_bonus"):
        assert law.get(name, {}) == {hand: (odds.to_one, odds.article) for hand, odds in getattr(rules, name).items()}
    assert law.get("jackpot", {}) == {hand: (tier.percent, tier.article) for hand, tier in rules.jackpot.items()}
    assert law["tie"] == rules.articles.tie


def test_all_pairs_of_tiles_have_the_same_name_and_rank() -> None:
    for first, second in PAIRS:
        pair, told = PAIRS[first, second], PROGRAM.Pair(second, first)
        assert (told.name, told.rank, tuple(told.tiles)) == (pair.name, pair.rank, pair.tiles)
    assert len(PROGRAM.PAIR_RANKS) == 118
