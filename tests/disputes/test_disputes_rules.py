"""The referee's rules against the station's: hands, pairs, odds and articles, also those that no played round had."""

import itertools

import pytest

from controller.rulebook.cards import DECK
from controller.rulebook.five_card import best_combination
from controller.rulebook.fortune_3_card_poker.paytables import RULES_2008, RULES_2025, Rules
from controller.rulebook.taiwan_pai_kao.pairs import PAIRS
from controller.rulebook.three_card import rank_three
from tests.referee.rules import hands, meter, pai_hands, poker
from tests.referee.rules.poker_law import REGULATIONS


def test_all_22100_hands_of_three_have_the_same_name_and_order() -> None:
    ranks: dict[tuple[int, ...], set[int]] = {}
    for cards in itertools.combinations(DECK, 3):
        hand = rank_three(cards)
        assert hands.three_card_hand(list(cards)) == hand.name
        ranks.setdefault(hands.order(list(cards)), set()).add(hand.rank)
    assert [ranks[order] for order in sorted(ranks)] == [{rank} for rank in range(1, 742)]


@pytest.mark.parametrize(("count", "ranks"), [(5, "AKQJT95432"), (6, "AKQJT9")])
def test_the_best_of_five_and_six_cards_is_the_same(count: int, ranks: str) -> None:
    few = [card for card in DECK if card[0] in ranks and card[1] in "sh"]  # that are rich in combinations
    found = set()
    for cards in itertools.combinations(few, count):
        name = hands.six_card_hand(list(cards[:3]), list(cards[3:]))
        assert name == best_combination(cards), cards
        found.add(name)
    assert found >= {"royal_flush", "straight_flush", "straight", "flush", None}


@pytest.mark.parametrize("rules", [RULES_2025, RULES_2008])
def test_every_odds_of_poker_is_the_same(rules: Rules) -> None:
    lines = REGULATIONS[rules.game].lines
    odds = {"ante_bonus": poker.ANTE_BONUS, "pair_plus": poker.PAIR_PLUS, "six_card_bonus": poker.SIX_CARD_BONUS}
    for wager, pays in odds.items():
        expected = {hand: (odds.to_one, odds.article) for hand, odds in getattr(rules, wager).items()}
        assert {hand: (pays[hand], lines[f"{wager} {hand}"]) for hand in expected} == expected
        assert not expected or pays.keys() == expected.keys()
    articles = {hand: tier.article for hand, tier in rules.jackpot.items()}
    assert {hand: lines[f"jackpot {hand}"] for hand in articles} == articles
    assert {hand: tier.percent for hand, tier in rules.jackpot.items() if tier.percent} in ({}, meter.PERCENT)
    ties = {hand: article for hand, article in rules.articles.tie.items() if hand != "three_of_a_kind"}
    assert {hand: lines[f"tie {hand}"] for hand in ties} == ties, "one deck has no two equal threes of a kind"


def test_all_pairs_of_tiles_have_the_same_name_and_rank() -> None:
    for first, second in PAIRS:
        pair, two = PAIRS[first, second], (str(second), str(first))
        found = pai_hands.named(two)[0], pai_hands.rank(two), tuple(pai_hands.ordered(two))
        assert found == (pair.name, pair.rank, pair.tiles)
    assert len(pai_hands.RANKS) == 118
