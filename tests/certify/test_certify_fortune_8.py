"""Fortune 8's boxes and new bets as certified."""

from fractions import Fraction
from itertools import combinations
from math import comb

import pytest
from msgspec.structs import replace

from controller.certify.fortune_8 import CardBet, SpacesBet, certify_boxes, certify_new_bet, show_set
from controller.certify.reading import read_paytable
from controller.rulebook.cards import DECK, Card
from controller.rulebook.fortune_8 import paytable
from controller.rulebook.fortune_8.paytable import BOXES
from controller.rulebook.fortune_8.settle import settle_spaces
from controller.statistics.odds import known_odds
from tests.certify.known_odds import exactly

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
