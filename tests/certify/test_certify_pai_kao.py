"""A place of Taiwan-Pai Kao as certified: against going through the hands, and against the law."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations

import pytest

from controller.certify.pai_kao import DEALS, certify_place
from controller.certify.result import Certified
from controller.rulebook.taiwan_pai_kao.arrange import arrange
from controller.rulebook.taiwan_pai_kao.settle import compare
from controller.rulebook.taiwan_pai_kao.tiles import SET
from controller.statistics.odds import known_odds
from tests.certify.counted_once import every_deal
from tests.certify.known_odds import commission

OUTCOMES = {-1: "win", 0: "push", 1: "lose"}


@cache
def certified() -> tuple[Certified, ...]:
    return tuple(certify_place(every_deal()))


def test_place_and_bank_win_alike_and_commission_is_the_whole_edge() -> None:
    place, bank = certified()
    chances = {row.outcome: row.chance for row in place.odds}
    assert chances["win"] == chances["lose"]
    assert sum(chances.values()) == 1
    assert place.house_edge == bank.house_edge == chances["win"] * Fraction(5, 100)
    assert Fraction(str(place.further["commission"])) == 2 * chances["win"] * Fraction(5, 100)


def test_the_edge_is_near_that_published_for_the_game_it_descends_from() -> None:
    """Wizard of Odds, "Ask the Wizard: Pai Gow Tiles": 2.3896 % for the player, 0.7377 % for the banker at 5 %.

    There the banker wins copies, so half of their sum is what commission costs one side; here 4-2 and 2-1 count one way
    only and the rear pair is always the highest, which moves it by hundredths of a percent.
    """
    edge = certified()[0].edge
    assert edge == pytest.approx((0.023896 + 0.007377) / 2, abs=0.0005)


def test_ties_are_one_each_way_or_both_equal() -> None:
    ties = certified()[0].further["ties"]
    assert isinstance(ties, dict)
    assert set(ties) == {"front lower, rear higher", "front higher, rear lower", "front equal, rear equal"}
    assert ties["front lower, rear higher"] == ties["front higher, rear lower"]


def test_the_hands_against_a_banker_are_those_that_going_through_them_finds() -> None:
    """Two hands of the banker, one with both copies of a tile, against all 20 475 hands of the other 28 tiles."""
    deals = every_deal()
    for banker in ((0, 1, 9, 25), (4, 11, 22, 31)):
        arranged = arrange([SET[place] for place in banker])
        counted = Counter(
            compare(deals.hands[own], arranged)
            for own in combinations([place for place in range(32) if place not in banker], 4)
        )
        found: Counter[str] = Counter()
        for (front, rear), count in deals.against(banker).items():
            found[OUTCOMES[max(-1, min(1, front + rear))]] += count
        assert found == counted
        assert sum(found.values()) == 20475
    assert DEALS == 35960 * 20475


def test_a_comparison_broken_in_the_rulebook_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A comparison that the bank always wins, under three kinds of deals."""
    counts = Counter({(-1, -1): 1, (0, 0): DEALS - 2, (1, 1): 1})
    ones: dict[tuple[int, int], object] = {}
    deals = every_deal()
    banker = (4, 6, 8, 10)
    for sides in counts:
        ones[sides] = (deals.hand_on_sides(banker, sides), banker)
    monkeypatch.setitem(vars(deals), "by_sides", (counts, ones))
    honest = certify_place(deals)[0].odds
    monkeypatch.setattr("controller.rulebook.taiwan_pai_kao.settle.compare", lambda hand, banker: "lose")
    broken = certify_place(deals)[0].odds
    assert [row.chance for row in honest] == [Fraction(1, DEALS), Fraction(DEALS - 2, DEALS), Fraction(1, DEALS)]
    assert [(row.outcome, row.chance, row.net) for row in broken] == [("lose", Fraction(1), Fraction(-1))]


def test_the_statistics_know_the_commission() -> None:
    assert list(known_odds()["taiwan-pai-kao"]) == [commission(certified())]
    assert Fraction(commission(certified()).edge) == 2 * (certified()[0].house_edge or 0)
