"""Sets of cards, boxes and deals of tiles as certified: against published figures, going through them, and the law."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb

import pytest
from msgspec.structs import replace

from controller.certify.combinations import (
    PARTS,
    CombinationCount,
    certify_six_card_bonus,
    classes_of_sets,
    count_combinations,
    count_part,
)
from controller.certify.fortune_8 import CardBet, SpacesBet, certify_boxes, certify_new_bet, show_set
from controller.certify.pai_kao import DEALS, certify_place
from controller.certify.reading import read_paytable
from controller.certify.result import Certified, Plain, Unkept, Unwatched
from controller.rulebook.cards import DECK, Card
from controller.rulebook.fortune_3_card_poker.paytables import RULES_2025, Odds
from controller.rulebook.fortune_8 import paytable
from controller.rulebook.fortune_8.paytable import BOXES
from controller.rulebook.fortune_8.settle import settle_spaces
from controller.rulebook.taiwan_pai_kao.pairs import arrange
from controller.rulebook.taiwan_pai_kao.settle import compare
from controller.rulebook.taiwan_pai_kao.tiles import SET
from controller.statistics.odds import known_odds
from tests.certify.counted_once import every_deal, sets_of
from tests.certify.known_odds import commission, exactly

# The published counts of the best five of six cards.
IN_SIX = {
    "royal_flush": 188,
    "straight_flush": 1656,
    "four_of_a_kind": 14664,
    "full_house": 165984,
    "flush": 205792,
    "straight": 361620,
    "three_of_a_kind": 732160,
    "nothing": 2532816 + 9730740 + 6612900,
}
ONE_OF_EACH = {
    "royal_flush": "As Ks Qs Js Ts 2d",
    "straight_flush": "9s 8s 7s 6s 5s 2d",
    "four_of_a_kind": "9s 9h 9d 9c 2d 3d",
    "full_house": "9s 9h 9d 2c 2d 3d",
    "flush": "As Ks Qs Js 9s 2d",
    "straight": "9s 8h 7s 6s 5s 2d",
    "three_of_a_kind": "9s 9h 9d 2c 3d 5d",
    "nothing": "9s 9h 2d 2c 4d 5d",
}


def counts(found: dict[str, CombinationCount]) -> dict[str, int]:
    return {name: count.sets for name, count in found.items()}


def test_the_2598960_five_card_hands_fall_into_the_published_counts() -> None:
    assert counts(sets_of(5)) == {
        "royal_flush": 4,
        "straight_flush": 36,
        "four_of_a_kind": 624,
        "full_house": 3744,
        "flush": 5108,
        "straight": 10200,
        "three_of_a_kind": 54912,
        "nothing": 123552 + 1098240 + 1302540,
    }


@pytest.mark.soak
def test_art_14_the_20358520_sets_of_six_cards_fall_into_the_published_counts() -> None:
    found = sets_of(6)
    assert counts(found) == IN_SIX
    assert sum(IN_SIX.values()) == 20358520
    odds = certify_six_card_bonus(RULES_2025, found).odds
    assert {row.outcome: row.chance * 20358520 for row in odds} == IN_SIX


def test_six_card_bonus_has_the_edge_that_first_principles_give() -> None:
    counted = {name: CombinationCount(sets, ONE_OF_EACH[name]) for name, sets in IN_SIX.items()}
    odds = {"royal_flush": 500, "straight_flush": 100, "four_of_a_kind": 50, "full_house": 20, "flush": 15}
    odds |= {"straight": 10, "three_of_a_kind": 7}
    returned = sum(IN_SIX[name] * (to_one + 1) for name, to_one in odds.items())
    assert certify_six_card_bonus(RULES_2025, counted).house_edge == 1 - Fraction(returned, comb(52, 6))


def test_six_card_bonus_under_another_known_paytable_has_its_published_edge() -> None:
    """table-games-online.com, "Three Card Poker with 6-Card Bonus": 1000-200-50-25-20-10-5, 10.23 %, rounded up."""
    table = dict(zip(IN_SIX, (1000, 200, 50, 25, 20, 10, 5), strict=False))
    rules = replace(RULES_2025, six_card_bonus={name: Odds(to_one, "") for name, to_one in table.items()})
    counted = {name: CombinationCount(sets, ONE_OF_EACH[name]) for name, sets in IN_SIX.items()}
    edge = certify_six_card_bonus(rules, counted).edge
    assert edge == pytest.approx(0.1023, abs=0.0001)


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_the_classes_of_a_size_are_all_sets_of_it_and_its_parts_are_disjoint(size: int) -> None:
    whole = list(classes_of_sets(size))
    assert sum(ways for _, ways in whole) == comb(52, size)
    parted = [sets for part in range(5) for sets in classes_of_sets(size, part, 5)]
    assert sorted(parted) == sorted(whole)


def test_parts_that_were_kept_are_not_counted_again() -> None:
    kept = Unkept()
    nothing: Plain = {}
    wrong: Plain = {"nothing": {"sets": comb(52, 5), "example": ONE_OF_EACH["nothing"][:14]}}
    for part in range(PARTS):
        kept.store(f"combinations in 5 cards, part {part} of {PARTS}", wrong if part == 0 else nothing)
    again = count_combinations(5, Unwatched(), kept, 1)
    assert counts(again) == {"nothing": comb(52, 5)}


def test_counts_that_do_not_make_up_the_deck_are_no_result() -> None:
    kept = Unkept()
    for part in range(PARTS):
        kept.store(f"combinations in 5 cards, part {part} of {PARTS}", {})
    with pytest.raises(AssertionError, match="the sets of 5 cards are"):
        count_combinations(5, Unwatched(), kept, 1)


def test_one_set_of_each_combination_is_one_of_it() -> None:
    for name, count in count_part((5, 0)).items():
        assert len(count.example.split()) == 5, name


def test_the_statistics_know_the_odds_of_the_six_card_bonus() -> None:
    counted = {name: CombinationCount(sets, ONE_OF_EACH[name]) for name, sets in IN_SIX.items()}
    [kept] = [row for row in known_odds()[RULES_2025.game] if row.wager == "six_card_bonus"]
    assert kept == exactly(certify_six_card_bonus(RULES_2025, counted))


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


EIGHTS = frozenset(Card("8" + suit) for suit in "cdhs")


def test_every_box_has_an_edge_of_one_in_thirteen() -> None:
    """24 cards of 52 win in L and H at 1:1, four in Fortune 8 at 11:1."""
    assert [(box.wager, box.house_edge, box.method) for box in certify_boxes(BOXES)] == [
        ("low", Fraction(1, 13), "exact"),
        ("eight", Fraction(1, 13), "exact"),
        ("high", Fraction(1, 13), "exact"),
    ]


def test_a_paytable_broken_in_the_rulebook_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paytable, "BOXES", tuple(replace(box, to_one=box.to_one + 1) for box in BOXES))
    edges = {box.wager: box.house_edge for box in certify_boxes(paytable.BOXES)}
    assert edges == {"low": 1 - Fraction(72, 52), "eight": 1 - Fraction(13, 13), "high": 1 - Fraction(72, 52)}


def test_a_rank_that_a_broken_box_loses_is_seen() -> None:
    boxes = (replace(BOXES[0], ranks="23456"), *BOXES[1:])
    assert certify_boxes(boxes)[0].house_edge == 1 - Fraction(2 * 20, 52)


def test_a_settlement_broken_in_the_rulebook_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "controller.certify.fortune_8.settle_spaces",
        lambda bets, cards, boxes: settle_spaces(bets, {1: Card("8d")}, boxes),
    )
    assert [box.house_edge for box in certify_boxes(BOXES)] == [1, -11, 1]


def test_fortune_8_art_9_2_a_new_bet_on_a_card_is_computed_at_the_first_set_that_has_it() -> None:
    reds = frozenset(card for card in DECK if card[1] in "dh")
    certified = certify_new_bet(CardBet(name="red", pays=((EIGHTS, 5), (reds, 1))))
    assert next((row.outcome, row.chance, row.net) for row in certified.odds) == ("8", Fraction(4, 52), Fraction(5))
    assert [row.chance for row in certified.odds] == [Fraction(4, 52), Fraction(24, 52), Fraction(24, 52)]
    assert certified.house_edge == Fraction(24 - 24 - 20, 52)


def test_fortune_8_art_9_2_a_new_bet_on_several_spaces_is_computed_without_replacement() -> None:
    """One deck, seven spaces, counted over the sets of places where the eights are."""
    certified = certify_new_bet(SpacesBet(name="two eights", cards=EIGHTS, pays={2: 5}, decks=1))
    in_seven = sum(len(set(places) & set(range(7))) == 2 for places in combinations(range(52), 4))
    assert certified.odds[0].chance == Fraction(in_seven, 270725)
    assert certified.house_edge == 1 - 6 * Fraction(in_seven, 270725)


def test_fortune_8_art_9_1_erratum_a_bet_on_several_spaces_hangs_on_the_deal_that_is_announced() -> None:
    pays, eights, shoe = {3: 50, 4: 500}, 8 * 4, 8 * 52
    seven = certify_new_bet(SpacesBet(name="three eights", cards=EIGHTS, pays=pays, decks=8))

    def edge(dealt: int) -> Fraction:
        shown = {n: comb(eights, n) * comb(shoe - eights, dealt - n) for n in range(dealt + 1)}
        return -Fraction(sum(ways * pays.get(n, -1) for n, ways in shown.items()), comb(shoe, dealt))

    assert seven.house_edge == edge(7)
    assert [round(100 * float(edge(dealt)), 1) for dealt in (7, 3)] == [3.0, 97.9]


def test_fortune_8_art_9_1_erratum_one_more_on_every_eight_takes_the_advantage_of_the_house() -> None:
    boxes = read_paytable('game = "fortune-8"\n[boxes]\neight = 12\n').boxes
    assert [box.house_edge for box in certify_boxes(boxes)] == [Fraction(1, 13), 0, Fraction(1, 13)]


def test_a_set_of_cards_is_shown_by_rank_where_it_has_all_four() -> None:
    assert show_set(EIGHTS | {Card("As"), Card("Ah")}) == "As Ah 8"


def test_the_statistics_know_these_odds() -> None:
    assert list(known_odds()["fortune-8"]) == [*map(exactly, certify_boxes(BOXES))]
