"""Fortune 3 Card Poker's ante and Pair Plus as certified, against figures that others have published."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb

import pytest
from msgspec.structs import replace

from controller.certify import fortune_3
from controller.certify.fortune_3 import (
    Matchup,
    always,
    as_best,
    as_the_bank,
    certify_ante,
    certify_pair_plus,
    decide_hands,
)
from controller.certify.result import Certified
from controller.rulebook.cards import DECK, Card, rank_of
from controller.rulebook.fortune_3_card_poker import paytables
from controller.rulebook.fortune_3_card_poker.paytables import RULES_2008, RULES_2025, Odds, Rules
from controller.rulebook.fortune_3_card_poker.settle import bank_plays, settle
from controller.rulebook.three_card import rank_three
from controller.statistics.odds import known_odds
from tests.certify.known_odds import exactly

# Published: 48 straight flushes, 52 trios, 720 straights, 1096 flushes, 3744 pairs, 16440 odd cards.
PUBLISHED = {"straight_flush": 48, "three_of_a_kind": 52, "straight": 720, "flush": 1096, "pair": 3744}


@cache
def matchups() -> list[Matchup]:
    return fortune_3.matchups(RULES_2025)


@cache
def ante(rules: str) -> Mapping[str, Certified]:
    found = certify_ante(RULES_2025 if rules == "2025" else RULES_2008)
    return {wager.wager: wager for wager in found}


def edge_of(strategy: fortune_3.Strategy) -> Fraction:
    decided = decide_hands(matchups(), strategy)
    won = sum(met.ways * count * sum(line.net for line in lines) for met in decided for count, lines in met.outcomes)
    return Fraction(-won, comb(52, 3) * comb(49, 3))


def percent(edge: Fraction | None) -> str:
    assert edge is not None
    return f"{float(edge) * 100:.2f}"


def table(odds: str) -> dict[str, Odds]:
    """Odds as published, such as "40-30-6-4-1", from the straight flush down to the pair."""
    return {name: Odds(int(to_one), "") for name, to_one in zip(PUBLISHED, odds.split("-"), strict=False)}


def test_2008_art_10_pair_plus_has_the_edge_of_2025() -> None:
    assert certify_pair_plus(RULES_2008).house_edge == Fraction(373, 5525)


def test_art_16_1_pair_plus_has_the_edge_that_first_principles_give() -> None:
    odds = {"straight_flush": 40, "three_of_a_kind": 25, "straight": 5, "flush": 4, "pair": 1}
    returned = sum(PUBLISHED[name] * (odds[name] + 1) for name in odds)
    certified = certify_pair_plus(RULES_2025)
    assert certified.house_edge == 1 - Fraction(returned, 22100) == Fraction(373, 5525)
    assert {row.outcome: (row.chance * 22100, row.net) for row in certified.odds} == {
        **{name: (Fraction(ways), Fraction(odds[name])) for name, ways in PUBLISHED.items()},
        "high_card": (Fraction(16440), Fraction(-1)),
    }


@pytest.mark.parametrize(
    ("odds", "published"),
    [
        ("40-30-6-4-1", "2.32"),  # J. Grochowski, casinocity.com, "A rare Pair Plus payout at Three Card Poker"
        ("40-30-5-4-1", "5.57"),  # the same
        ("40-30-6-3-1", "7.28"),  # the same
        ("35-33-6-4-1", "2.70"),  # letitridepoker.org, "3 Card Pair Plus Strategy"
        ("40-25-6-4-1", "3.49"),  # Wizard of Odds, Three Card Poker, Pairplus table 2
        ("35-25-6-4-1", "4.58"),  # the same, table 3
    ],
)
def test_pair_plus_under_other_known_paytables_has_their_published_edge(odds: str, published: str) -> None:
    assert percent(certify_pair_plus(replace(RULES_2025, pair_plus=table(odds))).house_edge) == published


def test_art_13_ante_and_play_with_the_best_decisions_have_the_published_edge_of_3_37_percent() -> None:
    """Wizard of Odds, Three Card Poker: 3.37 %, element of risk 2.01 %, Q-6-4 or better, standard deviation 1.64."""
    certified = ante("2025")["ante"]
    assert percent(certified.house_edge) == "3.37"
    assert certified.further["element_of_risk_decimal"] == pytest.approx(0.0201, abs=0.00005)
    assert certified.notes[0].startswith("Best play: play Q-6-4 or better, fold the rest.")
    assert isinstance(certified.variance, Fraction)
    assert float(certified.variance) ** 0.5 == pytest.approx(1.64, abs=0.005)
    assert list(ante("2025")) == ["ante"]


def test_2008_art_9_ante_and_play_with_the_best_decisions_have_the_published_edge_of_3_37_percent() -> None:
    assert ante("2008")["ante"].house_edge == ante("2025")["ante"].house_edge
    assert percent(ante("2008")["ante"].house_edge) == "3.37"
    assert ante("2008")["ante"].notes == ante("2025")["ante"].notes


def test_2008_art_9_3_an_ante_obliged_to_play_has_the_published_edge_of_7_65_percent_of_playing_blind() -> None:
    obliged = ante("2008")["ante_obliged_to_play"]
    assert percent(obliged.house_edge) == "7.65"
    assert not any(row.outcome == "fold" for row in obliged.odds)
    assert list(ante("2008")) == ["ante", "ante_obliged_to_play"]


@pytest.mark.soak
def test_the_ante_under_other_strategies_has_their_published_edges() -> None:
    """Wizard of Odds, Three Card Poker: playing everything 7.65 %, playing what the bank plays with 3.45 %."""
    assert percent(edge_of(always)) == "7.65"
    assert percent(edge_of(as_the_bank(RULES_2025))) == "3.45"
    assert edge_of(as_best) == ante("2025")["ante"].house_edge
    assert edge_of(lambda hand: "fold") == 1


@pytest.mark.soak
def test_the_ante_under_another_known_bonus_has_its_published_edge() -> None:
    """letitridepoker.org: the worst ante and play table, known as 3-2-1, has 4.28 %.

    The bonus is paid whatever the bank has, so it changes the edge by its own worth and no decision.
    """
    odds = (3, 2, 1)
    worth = {"straight_flush": 48, "three_of_a_kind": 52, "straight": 720}
    changed = replace(RULES_2025, ante_bonus={name: Odds(to, "") for name, to in zip(worth, odds, strict=True)})
    certified = certify_ante(changed)[0]
    assert percent(certified.house_edge) == "4.28"
    before = ante("2025")["ante"].house_edge
    assert before is not None
    paid = sum(
        Fraction(ways, 22100) * (RULES_2025.ante_bonus[name].to_one - to)
        for (name, ways), to in zip(worth.items(), odds, strict=True)
    )
    assert certified.house_edge == before + paid


def test_art_13_1_the_bank_plays_in_the_published_share_of_hands() -> None:
    """Below queen high are the odd cards of the ten ranks from 2 to J."""
    sets_of_three = 10 * 9 * 8 // 6 - 8  # 4-3-2 to J-10-9 are sequences
    hands = list(combinations(DECK, 3))
    assert sum(not bank_plays(hand) for hand in hands) == sets_of_three * (4**3 - 4) == 6720
    assert all(max(map(rank_of, hand)) <= 11 for hand in hands if not bank_plays(hand))


def test_every_hand_meets_every_bank_that_is_left() -> None:
    assert sum(matchup.ways for matchup in matchups()) == 22100
    assert all(sum(count for count, _ in matchup.outcomes["play"]) == 18424 for matchup in matchups())


@pytest.mark.parametrize("text", ["Ac Kc Qc", "7c 7d 2h", "Qc 6d 4h", "9c 5c 2c"])
def test_the_banks_against_a_hand_are_those_that_going_through_them_finds(text: str) -> None:
    """All 18 424 banks one by one, for a few hands."""
    cards = tuple(Card(word) for word in text.split())
    suits = {suit: "cdhs".index(suit) for suit in "cdhs"}
    own = rank_three(cards)
    counted: dict[int, int] = {}
    for bank in combinations([card for card in DECK if card not in cards], 3):
        rank = rank_three(bank).rank
        net = 1 if not bank_plays(bank) else 2 * ((own.rank < rank) - (own.rank > rank))
        bonus = RULES_2025.ante_bonus.get(own.name)
        net += bonus.to_one if bonus else 0
        counted[net] = counted.get(net, 0) + 1
    shape = sorted((rank_of(card), suits[card[1]]) for card in cards)
    alike = next(
        matchup
        for matchup in matchups()
        if rank_three(matchup.hand) == own and len({c[1] for c in matchup.hand}) == len({suit for _, suit in shape})
    )
    certified: dict[int, int] = {}
    for count, lines in alike.outcomes["play"]:
        net = sum(line.net for line in lines)
        certified[net] = certified.get(net, 0) + count
    assert certified == counted


def broken(rules: Rules) -> Rules:
    return replace(rules, pair_plus=dict(rules.pair_plus) | {"pair": Odds(2, "16.º 1 5)")})


def test_a_paytable_broken_in_the_rulebook_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paytables, "RULES_2025", broken(RULES_2025))
    after = certify_pair_plus(paytables.RULES_2025).house_edge
    assert after == Fraction(373, 5525) - Fraction(3744, 22100)


def test_a_settlement_broken_in_the_rulebook_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pair Plus that is taken back where it lost: the edge comes out of what settles."""

    def generous(*args: object, **kwargs: object) -> object:
        settled = settle(*args, **kwargs)  # type: ignore[arg-type]
        lines = settled.seats["1"].lines
        if lines[0].wager == "pair_plus" and lines[0].outcome == "lose":
            return replace(settled, seats={"1": replace(settled.seats["1"], lines=[replace(lines[0], net=0)])})
        return settled

    monkeypatch.setattr("controller.certify.fortune_3.settle", generous)
    assert certify_pair_plus(RULES_2025).house_edge == Fraction(373, 5525) - Fraction(16440, 22100)


@pytest.mark.parametrize("year", ["2008", "2025"])
def test_the_statistics_know_these_odds(year: str) -> None:
    rules = {"2008": RULES_2008, "2025": RULES_2025}[year]
    found = [*ante(year).values(), certify_pair_plus(rules)]
    kept = {row.wager: row for row in known_odds()[rules.game]}
    assert {row.wager: kept[row.wager] for row in found} == {row.wager: exactly(row) for row in found}
    assert kept.keys() - {row.wager for row in found} == ({"six_card_bonus"} if year == "2025" else set())
