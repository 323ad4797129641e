"""A progressive pot in closed form and played out: one against the other, and both against first principles."""

from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb

import pytest
from msgspec.structs import replace

from controller.certify import jackpot_2025
from controller.certify.accumulated_prize import tier_chances, tiers_of_the_prize
from controller.certify.combinations import CombinationCount
from controller.certify.jackpot_2025 import tiers_2025
from controller.certify.pot import PotTerms, Tiers, break_even, certify_pot, hit_figures, returned
from controller.certify.pot_play import PlayedMeter, certify_played, play_hits, play_pot
from controller.certify.result import Unkept, Unwatched
from controller.rulebook.cards import DECK
from controller.rulebook.five_card import best_combination
from controller.rulebook.fortune_3_card_poker.paytables import RULES_2025
from controller.rulebook.jackpot_award import Tier
from tests.certify.pots import pot_2025, prize

FIVE = {  # published, with one set of each
    "royal_flush": CombinationCount(4, "As Ks Qs Js Ts"),
    "straight_flush": CombinationCount(36, "9s 8s 7s 6s 5s"),
    "four_of_a_kind": CombinationCount(624, "9s 9h 9d 9c 2d"),
    "full_house": CombinationCount(3744, "9s 9h 9d 2c 2d"),
    "flush": CombinationCount(5108, "As Ks Qs Js 9s"),
    "straight": CombinationCount(10200, "9s 8h 7s 6s 5s"),
    "three_of_a_kind": CombinationCount(54912, "9s 9h 9d 2c 3d"),
    "nothing": CombinationCount(123552 + 1098240 + 1302540, "9s 9h 2d 2c 4d"),
}


@cache
def tiers() -> Tiers:
    return tiers_2025(RULES_2025, FIVE)


def test_the_tiers_of_2025_have_the_odds_of_five_cards_and_lower_combinations_win_nothing() -> None:
    assert tiers().chances == {
        "royal_flush": Fraction(1, 649740),
        "straight_flush": Fraction(36, 2598960),
        "four_of_a_kind": Fraction(624, 2598960),
        "full_house": Fraction(3744, 2598960),
        "flush": Fraction(5108, 2598960),
    }
    assert (tiers().whole_pot, tiers().shares) == ("royal_flush", {"straight_flush": Fraction(1, 10)})
    assert tiers().from_house == ("four_of_a_kind", "full_house", "flush")


def test_one_chip_in_a_round_wins_with_the_odds_of_the_tiers() -> None:
    won = tiers().winners(1)
    assert won == {
        (): 1 - Fraction(40, 2598960),
        ((1, "royal_flush"),): Fraction(4, 2598960),
        ((1, "straight_flush"),): Fraction(36, 2598960),
    }


@pytest.mark.parametrize("chips", [2, 5, 7])
def test_the_winners_of_a_round_are_as_many_in_the_mean_as_its_chips_win_each(chips: int) -> None:
    """Whatever two hands of one deck have to do with each other, the means add up."""
    won = tiers().winners(chips)
    assert sum(won.values()) == 1
    for tier in ("royal_flush", "straight_flush"):
        mean = sum(chance * sum(name == tier for _, name in winners) for winners, chance in won.items())
        assert mean == chips * tiers().chances[tier]


def test_two_straight_flushes_in_a_round_are_as_likely_as_counting_finds() -> None:
    """Two hands in turn over the community cards of one suit, every pair of disjoint threes."""
    suit = [card for card in DECK if card[1] == "s"]
    pairs = 0
    for community in combinations(suit, 2):
        left = [card for card in suit if card not in community]
        threes = [set(t) for t in combinations(left, 3) if best_combination((*t, *community)) == "straight_flush"]
        pairs += sum(not three & other for three in threes for other in threes)
    chance = Fraction(4 * pairs, comb(52, 2) * comb(50, 3) * comb(47, 3))
    assert tiers().winners(2)[(1, "straight_flush"), (2, "straight_flush")] == chance > 0


def test_a_tier_broken_in_the_rulebook_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jackpot_2025, "best_combination", lambda cards: None)
    assert tiers().winners(6) == {(): 1}
    flush_shares = replace(RULES_2025, jackpot=dict(RULES_2025.jackpot) | {"flush": Tier(1, "16.º 3 5)")})
    assert tiers_2025(flush_shares, FIVE).from_house == ("four_of_a_kind", "full_house")


def test_a_chip_returns_what_the_tiers_pay_by_hand() -> None:
    """Royal the pot, straight flush 10 % of it or its fixed amount, the others their amounts; chip 500."""
    pot = 60_000_000
    by_hand = 4 * pot + 36 * (pot // 10) + 624 * 150_000 + 3744 * 50_000 + 5108 * 25_000
    assert returned(tiers(), pot_2025(), pot) == Fraction(by_hand, 2598960 * 500)
    low = 1_000_000  # both fixed amounts are above their shares
    by_hand = 4 * 5_000_000 + 36 * 1_000_000 + 624 * 150_000 + 3744 * 50_000 + 5108 * 25_000
    assert returned(tiers(), pot_2025(), low) == Fraction(by_hand, 2598960 * 500)


def test_the_break_even_pot_is_the_least_that_returns_a_chip() -> None:
    pot = break_even(tiers(), pot_2025())
    assert pot is not None
    assert returned(tiers(), pot_2025(), pot) >= 1 > returned(tiers(), pot_2025(), pot - 1)
    assert break_even(tiers(), replace(pot_2025(), chip=10**17)) is None


def stepped(tiers: Tiers, terms: PotTerms, rounds: int) -> tuple[Fraction, Fraction]:
    """The chance of a hit within so many rounds and the mean of the pot at it, round by round."""
    pot, alive, won, mean = Fraction(terms.minimum), Fraction(1), Fraction(0), Fraction(0)
    winners = tiers.winners(terms.chips_per_round)
    for _ in range(rounds):
        pot += Fraction(terms.chips_per_round * terms.chip * terms.increment_bp, 10_000)
        after = Fraction(0)
        for names, chance in winners.items():
            taken = [tier for _, tier in names]
            if tiers.whole_pot in taken:
                won += alive * chance
                mean += alive * chance * pot
            else:
                left = pot * (1 - sum(tiers.shares.get(tier, Fraction(0)) for tier in taken))
                after += chance * (left - terms.chip * sum(tiers.from_pot.get(tier, 0) for tier in taken))
        lives = 1 - sum((chance for names, chance in winners.items() if tiers.whole_pot in dict(names).values()), 0)
        pot, alive = after / lives, alive * lives
    return won, mean


def frequent(shares: dict[str, Fraction], from_pot: dict[str, int]) -> Tiers:
    """A pot that is won so often that a few rounds report: a whole pot of one in eight, and a smaller prize."""
    won = {(): Fraction(5, 8), ((1, "all"),): Fraction(1, 8), ((1, "some"),): Fraction(1, 4)}
    return replace(tiers(), whole_pot="all", shares=shares, from_pot=from_pot, winners=lambda chips: won)


@pytest.mark.parametrize(
    ("shares", "from_pot"), [({"some": Fraction(1, 10)}, {}), ({}, {"some": 25}), ({"some": Fraction(1, 2)}, {})]
)
def test_the_closed_form_of_the_pot_is_what_stepping_round_by_round_comes_to(
    shares: dict[str, Fraction], from_pot: dict[str, int]
) -> None:
    often = frequent(shares, from_pot)
    won, mean = stepped(often, pot_2025(), 200)
    expected = hit_figures(often, pot_2025())
    assert float(won) == pytest.approx(1, abs=1e-9)
    assert expected.rounds == 8
    assert float(expected.pot) == pytest.approx(float(mean), rel=1e-8)


def test_the_growth_of_the_pot_is_the_mean_without_a_hit() -> None:
    expected = hit_figures(frequent({"some": Fraction(1, 10)}, {}), pot_2025())
    pot = 50_000_000.0
    assert expected.growth(0) == pot
    for rounds in range(1, 4):
        pot = (pot + 6 * 500 * 0.5) * (5 / 7) + (pot + 6 * 500 * 0.5) * 0.9 * (2 / 7)
        assert expected.growth(rounds) == pytest.approx(pot, rel=1e-4)


def test_median_and_95_percent_of_the_hits_are_those_of_a_geometric_number() -> None:
    expected = hit_figures(frequent({}, {}), pot_2025())
    chances = [1 - (7 / 8) ** rounds for rounds in range(40)]
    assert expected.median_rounds == next(rounds for rounds, chance in enumerate(chances) if chance >= 0.5)
    assert expected.rounds_95 == next(rounds for rounds, chance in enumerate(chances) if chance >= 0.95)


def test_pots_played_agree_with_the_closed_form() -> None:
    for found, terms, count in ((tiers(), pot_2025(), 800), (tiers_of_the_prize(6), prize(), 40)):
        terms = replace(terms, ceiling=None)
        played = play_hits(found, terms, count, "1")
        expected = hit_figures(found, terms)
        deviation = (sum((hit.rounds - float(expected.rounds)) ** 2 for hit in played) / count) ** 0.5
        assert sum(hit.rounds for hit in played) / count == pytest.approx(
            float(expected.rounds), abs=4 * deviation / count**0.5
        )
        spread = (sum((hit.pot - float(expected.pot)) ** 2 for hit in played) / count) ** 0.5
        assert sum(hit.pot for hit in played) / count == pytest.approx(float(expected.pot), abs=4 * spread / count**0.5)


def test_in_the_long_run_the_edge_is_what_comes_in_and_is_not_paid() -> None:
    """Chips of many hits played: what the house keeps, with the tiers that are its own by their odds."""
    terms = replace(pot_2025(), ceiling=None)
    certified = certify_pot(tiers(), terms)
    assert certified.house_edge == Fraction(1, 2) - Fraction(20425, 64974) - Fraction(5000, 32487)
    played = play_hits(tiers(), terms, 1500, "2")
    chips = 6 * 500 * sum(hit.rounds for hit in played)
    given = sum(hit.house_e4 + hit.reserve_e4 for hit in played) / 10_000
    kept = 1 - 0.5 - given / chips - 20425 / 64974
    assert kept == pytest.approx(float(certified.house_edge), abs=0.02)


def test_a_meter_keeps_every_ten_thousandth() -> None:
    terms = replace(pot_2025(), chip=7, increment_bp=3333, reserve_bp=1111, ceiling=50_000_010, overflow_to="overflow")
    meter = PlayedMeter(terms)
    meter.take_in(11)
    meter.take_in(3)
    came_in = 14 * 7 * (3333 + 1111)
    assert meter.pot_e4 + meter.reserve_e4 + meter.overflow_e4 == 50_000_000 * 10_000 + came_in
    assert meter.pot == 50_000_010
    meter.pay(((1, "royal_flush"),), tiers())
    assert meter.pot == 50_000_000
    assert meter.house_e4 + meter.reserve_used_e4 == 50_000_000 * 10_000


def test_a_pot_with_a_ceiling_is_never_won_above_it() -> None:
    terms = replace(pot_2025(), ceiling=70_000_000)
    played = play_hits(tiers(), terms, 300, "3")
    assert max(hit.pot for hit in played) == 70_000_000
    assert certify_played(played, terms, 3).method == "simulated"


def test_the_same_seed_plays_the_same_hits_and_kept_parts_are_not_played_again() -> None:
    asked: list[tuple[int, str]] = []

    def play(part: tuple[int, str]) -> list[object]:
        asked.append(part)
        return list(play_hits(tiers(), pot_2025(), *part))

    kept = Unkept()
    first = play_pot(play, 50, 20, 5, "hits", Unwatched(), kept, 1)  # type: ignore[arg-type]
    again = play_pot(play, 50, 20, 5, "hits", Unwatched(), kept, 1)  # type: ignore[arg-type]
    other = play_pot(play, 50, 20, 6, "hits", Unwatched(), kept, 1)  # type: ignore[arg-type]
    assert len(first) == 50
    assert first == again != other
    assert len(asked) == 6


def test_the_prize_has_the_odds_of_drawing_aces_from_a_fresh_shoe() -> None:
    """Six decks: 24 aces of 312 cards, six of each suit, twelve of each colour."""
    found = tier_chances(6)
    two = Fraction(24 * 23, 312 * 311)
    assert found["four_aces_one_colour"] == Fraction(2 * 12 * 11 * 10 * 9, 312 * 311 * 310 * 309)
    one_colour_of_one_suit = Fraction(6 + 6 - 3, 309)
    three_suited = Fraction(4 * 6 * 5 * 4, 312 * 311 * 310)
    assert found["three_aces_one_suit"] == three_suited * (1 - one_colour_of_one_suit)
    assert sum(found.values()) == two
    assert found["two_aces"] + found["two_aces_one_suit"] == two * (1 - Fraction(22, 310))


def test_with_two_cards_the_prize_has_its_two_lowest_tiers_alone() -> None:
    assert tier_chances(4, 2) == {
        "two_aces_one_suit": Fraction(16 * 3, 208 * 207),
        "two_aces": Fraction(16 * 12, 208 * 207),
    }


def test_a_prize_without_terms_has_its_odds_and_what_its_chips_return() -> None:
    certified = certify_pot(tiers_of_the_prize(6), None)
    assert certified.house_edge is None
    nets = {row.outcome: row.net for row in certified.odds}
    assert nets["four_aces_one_colour"] is None
    assert (nets["three_aces_one_suit"], nets["two_aces"], nets["lose"]) == tuple(map(Fraction, (2499, 24, -1)))
