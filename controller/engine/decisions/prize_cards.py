"""Winning cards that two persons saw before the prize is paid, so that play may resume. No I/O here."""

from controller.engine.decisions.complaints import close_if_cards_are_in
from controller.engine.decisions.decision import CoSigned, Course, Input, Row, at
from controller.engine.reasons import Act, TableReason
from controller.engine.state.jackpot_events import CardsWitnessed
from controller.engine.state.persons import require_second
from controller.engine.state.prize_cards import open_hits
from controller.rulebook.reasons import LawReason
from controller.rulebook.refusal import STEP_BY_STEP, Refusal


class WitnessCards(CoSigned, frozen=True, tag="witness_cards"):
    """A supervisor records that the winning cards of these hits of the round, which are not paid, were seen.

    `second` saw them, too.
    """

    hits: tuple[int, ...]


def witnessed(course: Course, input: WitnessCards) -> None:
    """The cards of these hits need not stay on the table, where the game lets two persons record them."""
    citations, people = course.game.citations, course.settings.people
    if not citations.witnessed:
        code = TableReason.NOT_BEFORE_PAYMENT if citations.unpaid else LawReason.NO_SUCH_RULE_HERE
        raise Refusal("table", code, citations.unpaid or STEP_BY_STEP)
    require_second(people, input.actor, input.second, citations.witnessed)
    waiting = [hit.hit for hit in open_hits(course.table)]
    if not input.hits or len(set(input.hits)) < len(input.hits) or not set(input.hits) <= set(waiting):
        listed = ", ".join(map(str, waiting)) or "–"
        raise Refusal("jackpot", TableReason.HITS_TO_WITNESS, citations.witnessed, hits=listed)
    second_role = people[input.second]
    course.record(CardsWitnessed(course.round.id, input.hits, input.actor, input.second, second_role))
    close_if_cards_are_in(course)


ROWS: dict[type[Input], Row] = {WitnessCards: Row(witnessed, at("claims"), only=Act.RECORDS_WITNESSES)}
