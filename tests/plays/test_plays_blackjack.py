"""Black-jack/21, anything in any order: money conserved, no card named too soon, a way out of everything, replayed."""

import random

import pytest

from controller.rulebook.cards import DECK
from controller.rulebook.events import CardSource
from tests.plays.wild_hands import MOVES, WildHands

Moves = list[tuple[str, int, int]]
OFTEN = ["on", "on", "on", "on and on", "on and on", "bet", "bet", "chip", "answer", "correct", "unasked", *MOVES]
BOTH: list[CardSource] = ["shoe", "shuffler"]
PRIZES = ["", "auto", "manual"]
KINDS = ["", "aces", "faulty"]


def stock(seed: int, kind: str) -> str:
    """Four decks in some order; `aces` has many pairs on top, `faulty` a card more often than the decks hold."""
    dice = random.Random(seed)
    cards = [*DECK] * 4
    dice.shuffle(cards)
    if kind == "aces":
        top = [card for card in cards if card[0] in "A8"] * 2
        dice.shuffle(top)
        cards[:0] = top[:20]
    if kind == "faulty":
        cards[3:17:2] = [cards[0]] * 7
    return " ".join(cards)


def played(table: WildHands, course: Moves) -> WildHands:
    """Whatever comes, then the way out, and one round in which all goes well."""
    for name, a, b in course:
        table.move(name, a, b)
    table.to_rest()
    table.unread.clear()
    table.until("wagers").lay(2, 100, "Rui")
    table.to_rest()
    assert len(table.events) == table.table.version
    return table


@pytest.mark.parametrize("seed", range(18))
def test_blackjack_whatever_happens_money_is_conserved_no_card_is_named_too_soon_and_there_is_a_way_out(
    seed: int,
) -> None:
    dice = random.Random(seed)
    table = WildHands(stock(seed, KINDS[seed % 3]), source=BOTH[seed // 3 % 2], prize=PRIZES[seed // 6 % 3])
    course = [(dice.choice(OFTEN), dice.randrange(12), dice.randrange(12)) for _ in range(dice.randrange(10, 40))]
    played(table, [("on", 0, 1), ("bet", 2, 5), ("bet", 4, 10), *course])


@pytest.mark.parametrize("name", MOVES)
def test_blackjack_every_move_is_possible_at_every_step(name: str) -> None:
    for number, steps in enumerate((0, 3, 5, 11)):
        source, prize = BOTH[number % 2], PRIZES[number % 3]
        table = WildHands(stock(steps, "aces"), source=source, prize=prize)
        played(table, [*[("on", 0, 0)] * steps, (name, 4 * number, number), (name, number + 1, 2)])
