"""Fortune 8, anything in any order: money conserved, no card named too soon, a way out of everything, one journal."""

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controller.rulebook.cards import DECK
from controller.rulebook.events import CardSource, Deal
from tests.plays.wild_spaces import MOVES, WildSpaces

Moves = list[tuple[str, int, int]]
OFTEN = ["on", "on", "on", "on and on", "bet", "bet", "bet", "correct", "correct", "out of turn", *MOVES]
CHOICE = st.integers(0, 11)
BOTH: list[CardSource] = ["shoe", "shuffler"]
DEALS: list[Deal] = ["every_space", "spaces_with_bets"]


def stock(seed: int, decks: int, faulty: bool) -> str:
    """So many decks in some order; faulty ones hold one card more often than they should, and soon."""
    cards = [*DECK] * decks
    random.Random(seed).shuffle(cards)
    if faulty:
        cards[3:10:2] = [cards[0]] * 4
    return " ".join(cards)


def played(table: WildSpaces, course: Moves) -> WildSpaces:
    """Whatever comes, then the way out, and one round in which all goes well."""
    for name, a, b in course:
        table.move(name, a, b)
    table.to_rest()
    table.unread.clear()
    table.until("wagers").lay(2, "Rui", high=100)
    table.until("begin")
    assert len(table.events) == table.table.version
    return table


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.integers(0, 2**32),
    st.integers(1, 2),
    st.booleans(),
    st.sampled_from(BOTH),
    st.sampled_from(DEALS),
    st.lists(st.tuples(st.sampled_from(OFTEN), CHOICE, CHOICE), min_size=20, max_size=50),
)
def test_fortune_8_whatever_happens_money_is_conserved_no_card_is_named_too_soon_and_there_is_a_way_out(
    seed: int, decks: int, faulty: bool, source: CardSource, deal: Deal, course: Moves
) -> None:
    table = WildSpaces(stock(seed, decks, faulty), decks=decks, source=source, deal=deal, announced=deal)
    played(table, [("on", 0, 1), ("bet", 2, 1), ("bet", 4, 2), *course])


@pytest.mark.parametrize("name", MOVES)
def test_fortune_8_every_move_is_possible_at_every_step(name: str) -> None:
    for source in BOTH:
        for steps in (0, 1, 4, 5, 9, 13):
            for choice in (0, 4):
                table = WildSpaces(stock(steps, 1, False), decks=1, source=source)
                played(table, [*[("on", 0, 0)] * steps, (name, choice, choice), (name, choice + 1, 2)])
