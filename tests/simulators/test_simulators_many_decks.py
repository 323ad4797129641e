"""Several decks at once: every copy is conserved, lost and doubled cards are made good, orders name every card."""

from collections import Counter
from pathlib import Path

import pytest

from simulators.felt.cards import FULL_DECK, Card, card_from_text, text_of
from simulators.felt.deck import CardsLost, card_material, read_stack
from tests.simulators.decks import Deck, Orders

ACE, KING = card_from_text("As"), card_from_text("Ks")
WHOLE = Counter(dict.fromkeys(FULL_DECK, 6))


def counts(deck: Deck) -> Counter[Card]:
    return Counter(card for pile in deck.places.values() for card in pile)


def test_one_deck_unless_more_are_given() -> None:
    assert Deck("shoe").count("shoe") == 52
    deck = Deck("shoe", 6)
    assert deck.count("shoe") == 312
    deck.check()


@pytest.mark.parametrize("decks", [1, 2, 8])
def test_a_card_too_many_or_too_few_is_found(decks: int) -> None:
    deck = Deck("shoe", decks)
    deck.move_top("shoe", "seat 1")
    deck.places["shoe"][0], right = ACE, deck.places["shoe"][0]
    assert right != ACE
    with pytest.raises(CardsLost, match="wrong: "):
        deck.move_top("shoe", "seat 2")
    deck = Deck("shoe", decks)
    deck.places["shoe"].pop()
    with pytest.raises(CardsLost, match=f"{52 * decks - 1} cards, {52 * decks} expected"):
        deck.check()


def test_one_copy_of_a_card_is_taken_from_where_it_is() -> None:
    deck = Deck("machine", 6)
    for _ in range(6):
        deck.move_card(ACE, "machine", "seat 1")
    assert deck.at("seat 1") == [ACE] * 6
    with pytest.raises(CardsLost, match="As wanted from machine"):
        deck.move_card(ACE, "machine", "seat 1")
    deck.move_card(ACE, "seat 1", "seat 2")
    assert (deck.count("seat 1"), deck.count("seat 2")) == (5, 1)


def test_a_lost_copy_is_known_and_brought_back() -> None:
    deck = Deck("shoe", 6)
    deck.lose_one(ACE)
    lost = deck.lose_one()
    assert (deck.faulty, lost == ACE) == (True, False)
    assert counts(deck) == WHOLE - Counter([ACE, lost])
    deck.move_top("shoe", "seat 1", 7)
    deck.arrange("shoe", Orders(2, decks=6).next())
    deck.repair()
    assert (deck.faulty, counts(deck)) == (False, WHOLE)
    deck.gather(["seat 1"], "shoe")
    assert deck.count("shoe") == 312


def test_a_double_is_one_copy_too_many_of_one_card_and_one_too_few_of_another() -> None:
    deck = Deck("shoe", 6)
    gone, double = deck.double_one()
    assert (counts(deck)[gone], counts(deck)[double]) == (5, 7)
    again, another = deck.double_one()
    assert len({gone, double, again, another}) == 4
    deck.check()
    deck.repair()
    assert counts(deck) == WHOLE


@pytest.mark.parametrize("seed", range(20))
def test_an_order_is_kept_but_for_the_copy_that_is_another_card(seed: int) -> None:
    deck = Deck("shoe", 6)
    gone, double = deck.double_one()
    order = Orders(seed, decks=6).next()
    deck.arrange("shoe", order)
    wrong = [(due, there) for due, there in zip(order, deck.at("shoe"), strict=True) if due != there]
    assert wrong == [(gone, double)]
    deck.move_top("shoe", "seat 1", 150)
    deck.arrange("shoe", Orders(seed + 1, decks=6).next())
    assert deck.count("shoe") == 162
    deck.gather(["seat 1"], "shoe")
    deck.repair()
    assert counts(deck) == WHOLE


def test_an_order_with_too_few_copies_is_not_of_these_cards() -> None:
    with pytest.raises(CardsLost):
        Deck("shoe", 2).arrange("shoe", list(FULL_DECK))


def test_orders_name_every_card_of_every_deck_and_the_stack_comes_first(tmp_path: Path) -> None:
    sorted_cards = list(FULL_DECK) * 2
    stack = tmp_path / "stack.txt"
    stack.write_text(f"# sorted\n{text_of(sorted_cards)}\n")
    orders = Orders(3, read_stack(stack, card_material(2)), 2)
    assert orders.next() == sorted_cards
    shuffled = orders.next()
    assert shuffled == Orders(3, decks=2).next() != sorted_cards
    assert Counter(shuffled) == Counter(sorted_cards)
    assert Orders(3).next() == Orders(3, decks=1).next()


def test_a_stack_that_was_begun_card_by_card_is_no_order_any_more() -> None:
    orders = Orders(3, [list(FULL_DECK), [*FULL_DECK[1:], FULL_DECK[0]]])
    assert orders.pick(FULL_DECK) == FULL_DECK[0]
    assert orders.next() == [*FULL_DECK[1:], FULL_DECK[0]]
    assert orders.pick(FULL_DECK) == FULL_DECK[1]


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        (list(FULL_DECK), "52 cards, missing: Ac"),
        ([*FULL_DECK, *FULL_DECK[:-1], ACE], "104 cards, missing: Ks"),
        (list(FULL_DECK) * 3, "156 cards, missing: none"),
    ],
)
def test_a_stack_line_has_every_card_of_every_deck(tmp_path: Path, cards: list[Card], expected: str) -> None:
    stack = tmp_path / "stack.txt"
    stack.write_text(text_of(cards) + "\n")
    with pytest.raises(ValueError, match=rf"stack\.txt:1: {expected}"):
        read_stack(stack, card_material(2))
