"""The exact house edge of every fixed-odds wager, settled by the law itself over all cards, against known figures."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations

import pytest
from msgspec.structs import replace

from controller.rulebook.cards import DECK, Card, rank_of
from controller.rulebook.fortune_3_card_poker.paytables import RULES_2008, RULES_2025, Odds, Rules
from controller.rulebook.fortune_3_card_poker.settle import SeatRound, bank_plays, settle
from controller.rulebook.three_card import rank_three

Hand = tuple[Card, ...]
BANK = (Card("2c"), Card("4d"), Card("9h"))
# Published: 48 straight flushes, 52 trios, 720 straights, 1096 flushes, 3744 pairs, 16440 odd cards.
PUBLISHED = {"straight_flush": 48, "three_of_a_kind": 52, "straight": 720, "flush": 1096, "pair": 3744}


def net(hand: Hand, bank: Hand, decision: str | None, rules: Rules = RULES_2025, **wagers: int) -> int:
    return settle({1: SeatRound(wagers, decision, hand)}, bank, None, None, rules).seats["1"].net


def pair_plus_edge(rules: Rules) -> Fraction:
    hands = list(combinations(DECK, 3))
    return Fraction(-sum(net(hand, BANK, None, rules, pair_plus=1) for hand in hands), len(hands))


def test_2008_art_10_pair_plus_has_the_edge_of_2025() -> None:
    assert pair_plus_edge(RULES_2008) == Fraction(373, 5525)


def test_art_16_1_pair_plus_has_the_edge_that_first_principles_give() -> None:
    odds = {"straight_flush": 40, "three_of_a_kind": 25, "straight": 5, "flush": 4, "pair": 1}
    returned = sum(PUBLISHED[name] * (odds[name] + 1) for name in odds)
    assert pair_plus_edge(RULES_2025) == 1 - Fraction(returned, 22100) == Fraction(373, 5525)


@pytest.mark.parametrize(("trio", "straight", "published"), [(30, 6, "2.32"), (25, 6, "3.49"), (30, 5, "5.57")])
def test_pair_plus_under_other_known_paytables_has_their_published_edge(
    trio: int, straight: int, published: str
) -> None:
    table = dict(RULES_2025.pair_plus) | {"three_of_a_kind": Odds(trio, ""), "straight": Odds(straight, "")}
    assert f"{float(pair_plus_edge(replace(RULES_2025, pair_plus=table))) * 100:.2f}" == published


def suit_classes() -> Counter[Hand]:
    """One hand of each class that differs by more than the names of the suits, with the number of hands in it."""
    found: Counter[Hand] = Counter()
    renamed = [dict(zip("cdhs", suits, strict=True)) for suits in permutations("cdhs")]
    for hand in combinations(DECK, 3):
        found[min(tuple(sorted(Card(card[0] + names[card[1]]) for card in hand)) for names in renamed)] += 1
    return found


@cache
def banks_of_the_deck() -> dict[Hand, int]:
    return {hand: rank_three(hand).rank for hand in combinations(DECK, 3)}


@cache
def ranks_with(*cards: Card) -> Counter[int]:
    """The ranks of all banks that hold these cards."""
    if len(cards) == 1:
        return Counter(rank for hand, rank in banks_of_the_deck().items() if cards[0] in hand)
    return Counter(rank_three((*cards, card)).rank for card in DECK if card not in cards)


@cache
def banks_of_rank(rank: int) -> list[Hand]:
    return [hand for hand, found in banks_of_the_deck().items() if found == rank]


def outcomes_against(hand: Hand, ranks: Counter[int], queens: int) -> dict[str, tuple[int, Hand]]:
    """How many of the 18424 banks left do not play, are lower, equal and higher, with one bank of each kind."""
    own = rank_three(hand).rank
    left = Counter(ranks)
    for card in hand:
        left.subtract(ranks_with(card))
    for pair in combinations(hand, 2):
        left.update(ranks_with(*pair))
    left[own] -= 1
    found: dict[str, tuple[int, Hand]] = {}
    for rank, count in left.items():
        if count:
            outcome = "out" if rank > queens else "lower" if rank > own else "higher" if rank < own else "equal"
            before, bank = found.get(outcome) or (0, next(b for b in banks_of_rank(rank) if not set(b) & set(hand)))
            found[outcome] = (before + count, bank)
    return found


@cache
def matchups() -> list[tuple[Hand, int, list[tuple[int, Hand]]]]:
    """Every class of hands, how many hands it has, and the banks against it: how many of a kind, and one of them."""
    ranks = Counter(banks_of_the_deck().values())
    queens = max(rank for hand, rank in banks_of_the_deck().items() if bank_plays(hand))
    found = [
        (hand, ways, list(outcomes_against(hand, ranks, queens).values())) for hand, ways in suit_classes().items()
    ]
    assert sum(ways for _, ways, _ in found) == 22100
    assert all(sum(count for count, _ in against) == 18424 for _, _, against in found)
    return found


def ante_edge(rules: Rules, *decisions: str) -> tuple[Fraction, int]:
    """The edge of ante, double and bonus when the best of these decisions is taken, and the weakest rank played."""
    total, weakest_played = Fraction(0), 0
    for hand, ways, against in matchups():
        worth = {
            decision: sum(count * net(hand, bank, decision, rules, ante=1) for count, bank in against)
            for decision in decisions
        }
        if worth["play"] == max(worth.values()):
            weakest_played = max(weakest_played, rank_three(hand).rank)
        total += Fraction(ways * max(worth.values()), 22100 * 18424)
    return -total, weakest_played


def test_art_13_ante_and_play_with_the_best_decisions_have_the_published_edge_of_3_37_percent() -> None:
    edge, weakest_played = ante_edge(RULES_2025, "play", "fold")
    assert f"{float(edge) * 100:.2f}" == "3.37"
    assert weakest_played == rank_three((Card("Qs"), Card("6h"), Card("4d"))).rank


def test_2008_art_9_ante_and_play_with_the_best_decisions_have_the_published_edge_of_3_37_percent() -> None:
    edge, weakest_played = ante_edge(RULES_2008, "play", "fold")
    assert edge == ante_edge(RULES_2025, "play", "fold")[0]
    assert f"{float(edge) * 100:.2f}" == "3.37"
    assert weakest_played == rank_three((Card("Qs"), Card("6h"), Card("4d"))).rank


def test_2008_art_9_3_an_ante_obliged_to_play_has_the_published_edge_of_7_65_percent_of_playing_blind() -> None:
    edge, weakest_played = ante_edge(RULES_2008, "play")
    assert f"{float(edge) * 100:.2f}" == "7.65"
    assert weakest_played == 741


def test_art_13_1_the_bank_plays_in_the_published_share_of_hands() -> None:
    """Below queen high are the odd cards of the ten ranks from 2 to J."""
    sets_of_three = 10 * 9 * 8 // 6 - 8  # 4-3-2 to J-10-9 are sequences
    assert sum(not bank_plays(hand) for hand in banks_of_the_deck()) == sets_of_three * (4**3 - 4) == 6720
    assert all(max(map(rank_of, hand)) <= 11 for hand in banks_of_the_deck() if not bank_plays(hand))
