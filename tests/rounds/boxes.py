"""Fortune 8 as a round of a file is played."""

from collections.abc import Callable
from typing import Any

import msgspec

from controller.rulebook.events import CardSource, Deal
from controller.rulebook.report import RoundResult
from controller.rulebook.settlement import AnySettlement
from tests.engine.playing import Play
from tests.engine.spaces import UNNAMED, Spaces, round_file
from tests.rounds.script import Bet, Script, numbers


class SpacesTable(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A table of Fortune 8: `deal` is what the house allows, `announced` what the dealer announces."""

    source: CardSource = "shoe"
    decks: int = 8
    deal: Deal = "every_space"
    announced: Deal = "every_space"
    unread: str = ""


class Boxes(Script):
    """Fortune 8: the cards are given in the order in which they leave the shoe."""

    def table(self, wanted: dict[str, Any], cards: str, bets: list[Bet]) -> Play:
        terms = msgspec.convert(wanted, SpacesTable, strict=False)
        return Spaces(
            cards,
            source=terms.source,
            decks=terms.decks,
            deal=terms.deal,
            announced=terms.announced,
            unread=numbers(terms.unread),
        )

    def verbs(self, play: Play) -> dict[str, Callable[[str], Any]]:
        """`card`: one comes out, whatever the table waits for."""
        assert isinstance(play, Spaces)
        return {"card": lambda _: play.comes_out()}

    def file(self, play: Play) -> dict[str, Any] | None:
        return round_file(play.round)

    def result(self, answer: AnySettlement) -> RoundResult:
        """In a file everyone in a shared box has a name."""
        return self.answer(msgspec.json.encode(answer).replace(f'"player":"{UNNAMED}",'.encode(), b"")).result()

    def voided(self, play: Play) -> None:
        super().voided(play)
        assert isinstance(play, Spaces)
        play.why_void()
