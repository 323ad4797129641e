"""The parts of Taiwan-Pai Kao that no other game has. No I/O here."""

from controller.rulebook.citations import UNREAD_CARDS, Citations
from controller.rulebook.parts.faults import Cell, Faults
from controller.rulebook.parts.source import Source
from controller.rulebook.round import Round
from controller.rulebook.steps import Step


class HandDealt(Source):
    """Tiles dealt by hand: a reader that is away delays nobody, and without a reader nothing is counted."""

    wired = ()
    by_hand = "tiles dealt by hand"

    def faults(self, citations: Citations) -> Faults:
        return super().faults(citations) | {("shoe", "lost"): {"deal": Cell("by hand", UNREAD_CARDS, "deal_on")}}

    def count(self, round: Round) -> Step | None:
        return super().count(round) if round.terms.reader else None
