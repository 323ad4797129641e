"""A session, from the table's opening to its closing: the handling of cards between rounds. No I/O here."""

from collections.abc import Sequence

from controller.rulebook.citations import Citations
from controller.rulebook.events import CardSource
from controller.rulebook.reasons import LawReason
from controller.rulebook.refusal import STEP_BY_STEP, Refusal
from controller.rulebook.steps import StepKind


class Session:
    """A session whose cards go into their source for each round. `acts` are acts with the cards when the table opens
    and closes, each ticked once; those in `again` may be repeated.
    """

    acts: tuple[str, ...] = ()
    again: tuple[str, ...] = ()

    def __init__(self, citations: Citations) -> None:
        self.citations = citations

    def refuse_acts(self, acts: Sequence[str]) -> None:
        """Raises Refusal unless each of these is an act of the session, and is ticked once."""
        if not self.acts:
            raise Refusal("table", LawReason.NO_SUCH_RULE_HERE, STEP_BY_STEP)
        if not acts or len(set(acts)) < len(acts) or set(acts) - set(self.acts):
            raise Refusal("table", LawReason.ACTS_ONCE, STEP_BY_STEP, acts=", ".join(self.acts))

    def ticked_once(self, acts: Sequence[str]) -> list[str]:
        """The acts among these that a person ticks only once."""
        return [act for act in acts if act not in self.again]

    def opening(self, source: CardSource, pieces: int) -> int:
        """The number of cards that are loaded into the source as the table opens; `pieces` are in the game."""
        return 0

    def steps_to_choose(self, is_open: bool) -> tuple[StepKind, ...]:
        """The steps at which another source may be chosen."""
        return ("begin", "shuffle", "deck", "cut")

    def refuse_source(self, source: CardSource, is_open: bool) -> None:
        """Raises Refusal for a source that may not be chosen in a session."""

    def refuse_round(self, source: CardSource, is_loaded: bool) -> None:
        """Raises Refusal if no round may begin, since the source was not loaded."""

    def refuse_hold(self, source: CardSource) -> None:
        """Raises Refusal if the cards of a round cannot wait for those of the next one."""
        raise Refusal("table", LawReason.NO_LID_DUE, STEP_BY_STEP)
