"""A table of 2008 at which anything happens in any order, with everything that must hold whatever happened."""

from collections.abc import Iterable
from typing import Any

from controller.engine.decisions.devices import ShufflerReplaced
from controller.engine.state.current import game_at, has_failed
from controller.engine.state.persons import Exposed, Misdealt
from controller.rulebook.cards import Card
from controller.rulebook.games import game_of
from tests.engine.table_2008 import TERMS
from tests.plays.wild import MOVES, Move, Wild, rarely, report

MOST_DEALT = 25  # a deck has 52 cards: what a deal may need beyond these is there in any case


class Wild2008(Wild):
    """As any wild table; cards of the bank are left out, and a shuffler is replaced at its first failure."""

    def __init__(self, deck: Iterable[Card], **changed: Any) -> None:
        super().__init__(deck, **TERMS, **changed)

    def move(self, name: str, a: int, b: int) -> None:
        MOVES_2008[name](self, a, b)

    def usual(self) -> None:
        failed = has_failed(self.table, game_at(self.table, self.settings))
        if self.at("begin") and failed and self.settings.terms.source == "shuffler":
            self.attempt(ShufflerReplaced, "rui")
        super().usual()

    def astray(self, a: int, b: int) -> None:
        if self.dealt < MOST_DEALT:
            super().astray(a, b)

    def expose(self, a: int, b: int) -> None:
        self.attempt(Exposed, to=f"seat {a % 7 + 1}", count=b % 3 + (b > 6))

    def leave_out(self, a: int, b: int) -> None:
        """Cards of the bank are seen; now and then one that does not lie there is named."""
        which = [(1,), (2,), (3,), (1, 2), (2, 3), (3, 1), (1, 2, 3), (a % 5,)][b % 8]
        if self.table.round is None or self.dealt >= MOST_DEALT:
            return
        before = len(game_of(self.round).draws_at(self.round, "bank"))
        if self.attempt(Exposed, to="bank", which=which):
            assert len(game_of(self.round).draws_at(self.round, "bank")) == before - len(which)
            forgotten = self.round.void is not None and self.round.void.article == "11.º 4)"
            assert forgotten or (self.at("deal") and "bank" in self.step.to)


def left_out(table: Wild, a: int, b: int) -> None:
    assert isinstance(table, Wild2008)
    table.leave_out(a, b)


MOVES_2008: dict[str, Move] = {
    **{name: move for name, move in MOVES.items() if name not in ("chip", "sweep", "pay")},
    "astray": lambda table, a, b: table.astray(a, b),
    "exposed": lambda table, a, b: table.expose(a, b),
    "left out": left_out,
    "seen again": left_out,
    "misdealt": rarely(report(Misdealt, what="number")),
}
