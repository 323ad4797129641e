"""The parts of black-jack/21 that no other game has, whose turn it is to cut (8), and where the warning card is put
(9). No I/O here.
"""

from controller.rulebook.blackjack_21.reasons import BlackjackReason
from controller.rulebook.blackjack_21.table_state import hands_of
from controller.rulebook.citations import CARDS_OF_A_DECK, UNREAD_CARDS, Citations
from controller.rulebook.events import CardSource, Left, Terms, WarningPlace
from controller.rulebook.parts.deck import KeptDeck, ShoeDecks
from controller.rulebook.parts.faults import Cell, Faults, in_every_phase
from controller.rulebook.parts.prize import Jackpot
from controller.rulebook.parts.session import Session
from controller.rulebook.parts.source import DispenserSource
from controller.rulebook.reasons import LawReason
from controller.rulebook.refusal import STEP_BY_STEP, Reason, Refusal, because
from controller.rulebook.roles import INSPECTOR, People
from controller.rulebook.round import Round
from controller.rulebook.steps import Step, StepKind

BEHIND_WARNING_CARD = 50  # cards (9)


def whose_cut(round: Round) -> int | None:
    """The seat whose turn it is: at the beginning of play the lowest, then the one after the seat that cut last.

    None when all of them passed: the table inspector cuts, and the next shoe is as at the beginning.
    """
    seats, hands = range(1, round.terms.seat_count + 1), hands_of(round)
    in_turn = sorted(seats, key=lambda seat: (seat <= hands.cut_after, seat))
    return next((seat for seat in in_turn if seat not in hands.cut_passed), None)


def behind_warning_card(place: WarningPlace, decks: int) -> int:
    """The number of cards after the warning card: about 50, or half of the cards with one player (9).

    >>> behind_warning_card("end", 6), behind_warning_card("middle", 6)
    (50, 156)
    """
    return BEHIND_WARNING_CARD if place == "end" else decks * CARDS_OF_A_DECK // 2


class WarnedDeck(KeptDeck):
    """Four or six decks: one seat after the other may cut them, and a warning card is in the shoe (8 to 11)."""

    numbers = (4, 6)
    stopper = "warning_card"
    near_enough = 10  # "as near as possible" is what a hand can do by eye (9)

    def preparations(self, round: Round) -> list[StepKind]:
        return super().preparations(round) + self._after_the_cut(round)

    def _after_the_cut(self, round: Round) -> list[StepKind]:
        """The warning card is put into its place (9), and a card is burned (10)."""
        if round.terms.source != "shoe":
            return []
        warning: list[StepKind] = [] if hands_of(round).warned else ["warning"]
        burn: list[StepKind] = [] if hands_of(round).burned else ["burn"]
        return warning + burn

    def why_not_cut(self, round: Round, seat: int | None) -> Reason | None:
        """The reason why a seat may not cut. Only the seat whose turn it is may, or one that had passed; if all have
        passed, the inspector (8).
        """
        turn = whose_cut(round)
        if turn is None or turn == seat or seat in hands_of(round).cut_passed:
            return None
        return because(BlackjackReason.TURN_TO_CUT, seat=turn)

    def cutters(self, people: People) -> list[str]:
        """The table inspectors (8)."""
        return [name for name, role in people.items() if role == INSPECTOR]

    def prompt(self, step: Step, source: CardSource) -> str:
        if step.kind == "cut":
            return "cut/inspector" if step.seat is None else "cut/in_turn"
        lid = step.kind == "claims" and source == "shuffler"
        return "claims/lid" if lid else super().prompt(step, source)

    def is_ready(self, shoe: ShoeDecks, terms: Terms, left: Left | None) -> bool:
        """Not ready before a card of the shoe is burned. The dealer looks for a warning card that is overdue (9,
        11).
        """
        return self.is_kept(terms.source) and shoe.burned and self.is_filled(shoe, terms)

    def is_misplaced(self, shoe: ShoeDecks) -> bool:
        return bool(shoe.warning) and abs(shoe.left - shoe.warning) > self.near_enough

    def allows_one_more(self, in_round: bool) -> bool:
        """Whether a round may follow the warning card: one that came between two rounds still allows the next round
        (11).
        """
        return not in_round


class KeptDispenser(DispenserSource):
    """A dispenser that is loaded as the table opens, and keeps its cards until it closes (53 to 62)."""

    def faults(self, citations: Citations) -> Faults:
        repaired = {**in_every_phase(Cell("continue", "51", "call_51")), "deal": Cell("hold", "51", "call_51")}
        # The cards are face up: whenever reports were lost, those on the table can be compared with the screen.
        compared = in_every_phase(Cell("by hand", UNREAD_CARDS, check="compare"))
        return super().faults(citations) | {("shuffler", "jam"): repaired, ("shoe", "reports lost"): compared}


class LoadedSession(Session):
    """A session for which a shuffler is loaded as the table opens, and which keeps its cards until it closes (53)."""

    # By rule: 7 and 53, 53; 5; 58, 55.
    acts = ("cards_shown", "cards_mixed", "deck_replaced", "cards_discarded", "cards_ordered")
    again = ("deck_replaced",)

    def opening(self, source: CardSource, pieces: int) -> int:
        return pieces if source == "shuffler" else 0

    def steps_to_choose(self, is_open: bool) -> tuple[StepKind, ...]:
        return super().steps_to_choose(is_open) if is_open else ("open",)

    def refuse_source(self, source: CardSource, is_open: bool) -> None:
        if is_open and source == "shuffler":
            raise Refusal("source", LawReason.LOADED_FIRST, self.citations.loading)

    def refuse_round(self, source: CardSource, is_loaded: bool) -> None:
        if source == "shuffler" and not is_loaded:
            raise Refusal("shuffler", LawReason.LOADED_AT_OPENING, self.citations.loading)

    def refuse_hold(self, source: CardSource) -> None:
        if source != "shuffler":
            raise Refusal("table", LawReason.NO_LID_DUE, STEP_BY_STEP)


class AccumulatedPrize(Jackpot):
    """The accumulated prize: its chips are in slots, or the dealer marks them by hand (37 to 49)."""

    markings = ("automatic", "manual")
    authorised_by = "40"
    least_in_chips = 10_000
