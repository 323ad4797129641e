"""The parts of Taiwan-Pai Kao that no other game has. No I/O here."""

from controller.rulebook.cards import Card
from controller.rulebook.citations import UNREAD_CARDS, Citations
from controller.rulebook.events import BankLeft, CardSource, Left, Terms
from controller.rulebook.parts.deck import Deck, ShoeDecks
from controller.rulebook.parts.faults import Cell, Faults
from controller.rulebook.parts.session import Session
from controller.rulebook.parts.source import Source
from controller.rulebook.reasons import LawReason
from controller.rulebook.refusal import Refusal
from controller.rulebook.round import Round
from controller.rulebook.steps import Step, StepKind
from controller.rulebook.taiwan_pai_kao.tiles import COPIES, SET, Tile, parse_tiles


class HandDealt(Source):
    """Tiles dealt by hand: rounds continue while the reader is offline, and without a reader nothing is counted."""

    wired = ()

    def described(self, kind: CardSource, reader: bool) -> str:
        return f"tiles dealt by hand{', with a reader' if reader else ''}"

    def faults(self, citations: Citations) -> Faults:
        return super().faults(citations) | {("shoe", "lost"): {"deal": Cell("by hand", UNREAD_CARDS, "deal_on")}}

    def count(self, round: Round) -> Step | None:
        return super().count(round) if round.terms.reader else None


class TileSession(Session):
    """The casino may replace the set at any time (2.º a))."""

    acts = ("set_replaced",)
    again = acts


class TileSet(Deck):
    """A set of tiles, which are washed."""

    deals = ("eight_places", "four_places")  # 2.º d), in its order

    def pieces(self, terms: Terms) -> int:
        return len(SET)

    def is_ready(self, shoe: ShoeDecks, terms: Terms, left: Left | None) -> bool:
        """The tiles that were not dealt in the first of two rounds with four places serve the second (2.º d))."""
        return isinstance(left, BankLeft) and bool(left.used)

    def copies(self, terms: Terms, piece: Card) -> int:
        return COPIES[Tile(piece)]

    def knows(self, piece: Card) -> bool:
        return Tile(piece) in COPIES

    def read(self, text: str, who: str) -> tuple[Card, ...]:
        return tuple(map(Card, parse_tiles(text, who)))

    def refuse_count(self, terms: Terms, count: int) -> None:
        whole = self.pieces(terms)
        if count != whole:
            raise Refusal("table", LawReason.NO_SET, self.citations.material, count=count, whole=whole)

    def cutting(self, round: Round) -> list[StepKind]:
        return []
