"""Anything in any order: money conserved, nothing shown too soon, a way out of everything, one journal, one table."""

from random import Random

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from controller.rulebook.cards import DECK, Card
from tests.plays.test_plays_rounds import SOURCES, decks
from tests.plays.wild import MOVES, Wild

Moves = list[tuple[str, int, int]]
OFTEN = ["on", "on", "on", "on", "on and on", "bet", "chip", "correct", "correct", "correct", *MOVES]
CHOICE = st.integers(0, 11)


def moves(size: int) -> st.SearchStrategy[Moves]:
    return st.lists(st.tuples(st.sampled_from(OFTEN), CHOICE, CHOICE), min_size=size // 2, max_size=size)


def played(deck: list[Card], source: tuple[str, tuple[int, ...]], course: Moves) -> Wild:
    """A table with a few bets on it, then whatever comes, then the way out and one round in which all goes well."""
    play = Wild(deck, source=source[0], packet_sizes=source[1])
    play.to_wagers()
    play.bet(1, ante=100).bet(2, pair_plus=100).bet(4, ante=100).bet(6, ante=200, pair_plus=100)
    play.chips(1, 5)
    for name, a, b in course:
        play.move(name, a, b)
    play.to_rest()
    return play


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(decks(), SOURCES, moves(60))
def test_whatever_happens_money_is_conserved_nothing_is_shown_too_soon_and_there_is_a_way_out(
    deck: list[Card], source: tuple[str, tuple[int, ...]], course: Moves
) -> None:
    play = played(deck, source, course)
    for device in ("slots", "sign"):
        play.move("device", ("slots", "sign").index(device) + 2, 1)
    play.sweep().unread.clear()
    play.to_wagers().bet(3, ante=100).chips(3)
    play.lock()
    play.until("begin")
    events = [event for event, _ in play.entries]
    assert len(events) == play.table.version


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(decks(), SOURCES, moves(40), st.randoms(use_true_random=False))
@example([*DECK], ("shuffler", (3,)), [("on", 0, 0), ("unread card", 0, 0), *[("on", 0, 0)] * 20], Random(1))
def test_art_18_3_whatever_happens_unshown_cards_changed_about_change_no_byte_that_anybody_can_read(
    deck: list[Card], source: tuple[str, tuple[int, ...]], course: Moves, random: object
) -> None:
    play = played(deck, source, course)
    named = {card for channel in play.channels for card in DECK if card.encode() in channel}
    fixed = named | {deck[51 - place] for place in range(6)}  # those that a wrong correction may name
    hidden = [card for card in deck if card not in fixed]
    changed = hidden.copy()
    random.shuffle(changed)  # type: ignore[attr-defined]
    other_order = iter(changed)
    other = played([card if card in fixed else next(other_order) for card in deck], source, course)
    assert other.channels == play.channels


@pytest.mark.parametrize("name", MOVES)
def test_every_move_is_possible_at_every_step_and_leads_nowhere_without_a_way_out(name: str) -> None:
    for source in (("shuffler", (3,)), ("shoe", ())):
        for steps in (0, 4, 7, 12, 18):
            choice = steps % 2 * 3
            played(list(DECK), source, [*[("on", 0, 0)] * steps, (name, choice, choice)])
