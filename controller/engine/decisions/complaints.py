"""A player's complaint: taken down while the cards of its round lie there, decided by a supervisor. No I/O here."""

from controller.engine.decisions.decision import Course, Input, Row, When
from controller.engine.reasons import Act, TableReason
from controller.engine.state.events import ComplaintDecided, ComplaintOpened, ComplaintOutcome
from controller.engine.state.persons import LONGEST_REASON, PersonInput, documented
from controller.engine.state.prize_cards import open_hits, refuse_open_hits, to_put_in
from controller.engine.state.settings import Settings, complaints_article
from controller.engine.state.table import Table
from controller.rulebook.events import ClaimsClosed
from controller.rulebook.reasons import LawReason
from controller.rulebook.refusal import Refusal
from controller.rulebook.steps import seat_place

POLICY = "policy: complaints"


def is_heard(table: Table, number: int) -> bool:
    """Whether the cards of a round lie there still: all of the present one's, or those held for a later one (61)."""
    held = {one.round for one in table.held}
    there = held if table.round is None else held | {table.round.id}
    return number in there and not _are_in(table)


def _are_in(table: Table) -> bool:
    round = table.round
    return round is not None and 0 < to_put_in(table, round) <= round.inserted


class Complain(PersonInput, frozen=True, tag="complaint"):
    """A player complains of a round whose cards lie there still (black-jack 62). Answers ``complaint``.

    `by` is who complains, where a name is given.
    """

    round: int
    seat: int
    what: str
    by: str = ""


def opened(course: Course, input: Complain) -> None:
    """A complaint is heard before the cards have gone into the shuffler (black-jack 62); elsewhere, are gathered."""
    table, seats = course.table, course.settings.terms.seat_count
    article = complaints_article(table, course.settings)
    if not 1 <= input.round <= table.rounds:
        raise Refusal("round", TableReason.ROUND_NOT_BEGUN, POLICY, last=table.rounds)
    if not is_heard(table, input.round):
        raise Refusal("round", TableReason.CLEARED_AWAY, article)
    if not 1 <= input.seat <= seats:
        raise Refusal("seat", LawReason.NO_SUCH_SEAT, POLICY, seats=seats)
    if len(input.by) > LONGEST_REASON or not input.by.isprintable():
        raise Refusal("by", TableReason.TOO_LONG, POLICY, most=LONGEST_REASON)
    opened = ComplaintOpened(
        complaint=table.complaints_opened + 1,
        round=input.round,
        seat=input.seat,
        what=documented(input.what),
        by=input.by.strip(),
        actor=input.actor,
    )
    course.record(opened)


class DecideComplaint(PersonInput, frozen=True, tag="decide_complaint"):
    """A supervisor decides a complaint: what was settled stands, or was corrected or adjusted since.

    Answers ``complaint/<number>``.
    """

    complaint: int
    outcome: ComplaintOutcome
    reason: str


def decided(course: Course, input: DecideComplaint) -> None:
    """What was settled stands, or was put right meanwhile; with it decided nothing keeps cards that are in."""
    number = input.complaint
    one = next((one for one in course.table.complaints if one.complaint == number), None)
    if one is None:
        raise Refusal("complaint", TableReason.COMPLAINT_NOT_OPEN, POLICY, complaint=number)
    if input.outcome == "adjusted" and not one.adjusted:
        raise Refusal("complaint", TableReason.NOTHING_ENTERED_SINCE, POLICY)
    course.record(
        ComplaintDecided(number, one.round, one.seat, input.outcome, documented(input.reason), actor=input.actor)
    )
    close_if_cards_are_in(course)


def refuse_undecided(table: Table, settings: Settings) -> None:
    """Raises Refusal while a complaint is open: no card is cleared away, nor mixed with those of another round."""
    if table.complaints:
        one = table.complaints[0]
        raise Refusal(
            seat_place(one.seat),
            TableReason.COMPLAINT_UNDECIDED,
            complaints_article(table, settings),
            complaint=one.complaint,
        )


def refuse_clearing(table: Table, settings: Settings) -> None:
    """Raises Refusal while something of the round keeps its cards on the table: a hit, or a complaint."""
    refuse_open_hits(table)
    refuse_undecided(table, settings)


def close_if_cards_are_in(course: Course) -> None:
    """With no hit (49; 2025 8.º 6)) and no complaint (62) open, a round whose cards are all in is over."""
    table, round = course.table, course.table.round
    if round is not None and _are_in(table) and not table.complaints and not open_hits(table):
        course.record(ClaimsClosed(count=round.inserted, held_rounds=tuple(one.round for one in table.held)))


ROWS: dict[type[Input], Row] = {
    Complain: Row(opened, When("until the cards of its round have gone in"), answers="complaint"),
    DecideComplaint: Row(
        decided, When("while it is open"), only=Act.DECIDES_COMPLAINT, answers="complaint/{complaint}"
    ),
}
