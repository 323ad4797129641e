"""Whatever is tried in whatever order: an answer is taken at no step but those that the table of deciders names."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import pytest

from controller.engine.decisions.deciders import row_of
from controller.engine.decisions.decision import Input
from controller.engine.state.applied import Event
from controller.rulebook.cards import DECK
from tests.docs.who_may_do_what import steps_named
from tests.engine.playing import Play
from tests.plays import wild, wild_hands, wild_places, wild_spaces
from tests.plays.test_plays_blackjack import stock
from tests.plays.test_plays_pai_kao import shuffled

Moves = Mapping[str, Callable[[Any, int, int], object]]


class Timed(Play):
    """Compares the step at which an answer is taken with those that its row names."""

    def hear(self, input: Input) -> tuple[Event, ...]:
        asked, named = self.step.kind, steps_named(row_of(self.table, input))
        events = super().hear(input)
        assert not named or asked in named
        return events


class OfPackets(Timed, wild.Wild):
    pass


class OfHands(Timed, wild_hands.WildHands):
    pass


class OfSpaces(Timed, wild_spaces.WildSpaces):
    pass


class OfPlaces(Timed, wild_places.WildPlaces):
    pass


def table_of(game: str, seed: int) -> tuple[Timed, Moves]:
    source = ("shoe", "shuffler")[seed % 2]
    match game:
        case "packets":
            return OfPackets(Random(seed).sample(DECK, len(DECK)), source=source), wild.MOVES
        case "hands":
            prize = ("", "auto", "manual")[seed % 3]
            return OfHands(stock(seed, "aces"), source=source, prize=prize), wild_hands.MOVES
        case "spaces":
            return OfSpaces(stock(seed, ""), decks=4, source=source), wild_spaces.MOVES
        case _:
            places = OfPlaces(seats=8, capital=3_000)
            places.deck = shuffled(seed)
            return places, wild_places.MOVES


@pytest.mark.parametrize("game", ["packets", "hands", "spaces", "places"])
def test_an_answer_is_taken_at_a_step_that_its_row_names(game: str) -> None:
    for seed in range(8):
        dice = Random(seed)
        table, moves = table_of(game, seed)
        for name in dice.choices([*["on", "bet"] * (len(moves) // 2), *moves], k=120):
            moves[name](table, dice.randrange(12), dice.randrange(12))
