"""The parts of black-jack/21 that no other game has. No I/O here."""

from controller.rulebook.citations import UNREAD_CARDS, Citations
from controller.rulebook.parts.faults import Cell, Faults, in_every_phase
from controller.rulebook.parts.source import Dispenser


class KeptDispenser(Dispenser):
    """A dispenser that is loaded as the table opens, and keeps its cards until it closes (53 to 62)."""

    def faults(self, citations: Citations) -> Faults:
        repaired = {**in_every_phase(Cell("go on", "51", "call_51")), "deal": Cell("hold", "51", "call_51")}
        # The cards lie open: whenever reports were lost, what lies there can be compared with the screen.
        compared = in_every_phase(Cell("by hand", UNREAD_CARDS, check="compare"))
        return super().faults(citations) | {("shuffler", "jam"): repaired, ("shoe", "reports lost"): compared}
