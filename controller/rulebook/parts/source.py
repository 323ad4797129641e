"""The source of cards: the devices, their abilities, and the effects of their troubles. No I/O here."""

from typing import Literal

from controller.rulebook.citations import COMPLETE_DECK, UNREAD_CARDS, Citations
from controller.rulebook.events import CardSource
from controller.rulebook.parts.faults import NOT_NEEDED, AnyPhase, Cell, DeviceName, Faults, Phases, Trouble
from controller.rulebook.round import Round, next_order
from controller.rulebook.steps import Step

KEEPS_REPORTS = "policy: the shuffler keeps its reports"
FORGOTTEN_ORDER = "policy: a forgotten order is shuffled again"
DEALERS_WORD = "policy: the dealer's word"
TROUBLES: tuple[Trouble, ...] = (
    *(("shuffler", trouble) for trouble in ("lost", "jam", "restarted", "deck", "packet")),
    *(("shoe", trouble) for trouble in ("lost", "unread", "reports lost", "error")),
)


class Source:
    """A shoe, whose cards are counted once they are dealt face down. `kinds` are the possible sources, `wired` those
    that a table cannot do without. `absent` are the devices that a table does not have.
    """

    kinds: tuple[CardSource, ...] = ("shoe",)
    wired: tuple[CardSource, ...] = ("shoe",)
    machine: Literal["batch", "continuous"] = "batch"
    packet_sizes: tuple[int, ...] = ()  # what its shuffler may dispense at once; the last it must be able to
    most_failures: int | None = None  # of the shuffler; with so many no round begins from it until it is replaced
    absent: tuple[str, ...] = ("shuffler",)
    why_absent = "is dealt by hand"

    def __init__(self, citations: Citations) -> None:
        self.citations = citations
        self._faults = self.faults(citations)

    def faults(self, citations: Citations) -> Faults:
        """The effect of each trouble in the phases in which it matters."""
        on_hand: Phases = {"deal": Cell("by hand", UNREAD_CARDS)}
        return {
            ("shoe", "lost"): {"deal": Cell("by hand", UNREAD_CARDS, "draw_on")},
            ("shoe", "unread"): on_hand,
            ("shoe", "reports lost"): on_hand,
            ("shoe", "error"): on_hand,
        }

    def fault(self, device: DeviceName, trouble: str, phase: AnyPhase, in_use: str) -> Cell:
        """The effect of one of the `TROUBLES` in this phase of a round that is dealt from the source `in_use`. A source
        that is not in use stops nothing.
        """
        if device != in_use:
            return Cell("continue", self.citations.source)
        return self._faults.get((device, trouble), {}).get(phase, NOT_NEEDED)

    def needs_device(self, kind: CardSource) -> bool:
        """Whether a table cannot be dealt from this source without its device."""
        return kind in self.wired

    def described(self, kind: CardSource, reader: bool) -> str:
        """The words for the source of the cards; at a table that may deal without a `reader`, also whether it has
        one.
        """
        return f"cards from the {kind}"

    def takes(self, machine: str | None) -> bool:
        """Whether a shuffler of this mode can deal the game; None if it reports no mode."""
        return machine in (None, self.machine)

    def is_ready(self, kind: CardSource) -> bool:
        """Whether the source's cards are ready at any time, without a shuffle or a cut."""
        return False

    def order(self, round: Round) -> int | None:
        """The number of the order that the source carries out next; None if it takes no orders."""
        return None

    def count(self, round: Round) -> Step | None:
        """The step of the dealer's count that closes a deal from a shoe; None if it is done or no rule asks for it."""
        if round.terms.source != "shoe" or round.counted:
            return None
        return Step(id=f"{round.id}/count/{round.counts + 1}", kind="count", cards=round.draws)

    def has_failed(self, failures: int) -> bool:
        """Whether the shuffler has failed too often, so that no round begins from it until it is replaced."""
        return self.most_failures is not None and failures >= self.most_failures

    def failures_after(self, failures: int, article: str) -> int:
        """The number of the shuffler's failures, after a round is void under an article."""
        failed = self.most_failures is not None and article == self.citations.shuffler_failed
        return failures + failed


class BatchShuffler(Source):
    """A shuffler that shuffles all cards and deals them in packets, each by an order, or a shoe."""

    kinds = ("shuffler", "shoe")
    wired = kinds
    absent = ()
    packet_sizes = (2, 3)

    def __init__(self, citations: Citations, most_failures: int) -> None:
        super().__init__(citations)
        self.most_failures = most_failures

    def faults(self, citations: Citations) -> Faults:
        material, failed = citations.material, citations.shuffler_failed
        by_hand = Cell("by hand", material)
        return super().faults(citations) | {
            ("shuffler", "lost"): {
                "shuffle": Cell("hold", citations.source, "wait_or_shoe"),
                "deal": Cell("hold", KEEPS_REPORTS, "wait"),
                "claims": Cell("by hand", DEALERS_WORD, "cleared_away"),
            },
            ("shuffler", "jam"): {
                "shuffle": Cell("hold", citations.source, "clear_jam"),
                # Received while the cards are dealt; the words are for a jam that was there when the deal began.
                "deal": Cell("void", failed, "jammed"),
            },
            ("shuffler", "restarted"): {
                "shuffle": Cell("hold", FORGOTTEN_ORDER),
                "wagers": Cell("hold", FORGOTTEN_ORDER),
                "deal": Cell("void", failed),
            },
            # What is found while nothing is wanted of it is corrected before the next bets.
            ("shuffler", "deck"): {
                **dict.fromkeys(("between", "claims", "shuffle", "wagers"), by_hand),
                "deal": Cell("void", COMPLETE_DECK),
            },
            ("shuffler", "packet"): {"deal": Cell("void", citations.broken_deal)},
        }

    def order(self, round: Round) -> int | None:
        return next_order(round) if round.terms.source == "shuffler" else None


class DispenserSource(Source):
    """A shuffler that shuffles by itself and gives single cards, or a shoe; the cards are dealt face up.

    It takes no orders: it resumes where it was, whatever stopped it.
    """

    kinds = ("shuffler", "shoe")
    wired = kinds
    absent = ()
    machine = "continuous"

    def faults(self, citations: Citations) -> Faults:
        return super().faults(citations) | {
            ("shuffler", "lost"): {
                "deal": Cell("hold", KEEPS_REPORTS, "wait"),
                "claims": Cell("by hand", DEALERS_WORD, "cleared_away"),
            },
            ("shuffler", "jam"): {"deal": Cell("hold", KEEPS_REPORTS, "jammed")},
        }

    def is_ready(self, kind: CardSource) -> bool:
        return kind == "shuffler"

    def count(self, round: Round) -> Step | None:
        return None
