"""Decides reports of irregularities, corrections of inputs, adjustments and complaints. No I/O here."""

from typing import Literal, get_args

from msgspec.structs import replace

from controller.engine.decisions.betting import move_contributions
from controller.engine.decisions.decision import (
    ADJUSTMENT,
    LONGEST_REASON,
    OPEN_ROUND,
    REPORT,
    ROUNDS,
    CoSigned,
    Course,
    Input,
    Row,
    When,
    documented,
    optional_reason,
    refuse_no_amount,
    require_second,
    require_supervisor,
)
from controller.engine.decisions.played import CorrectedPlay
from controller.engine.decisions.settling import (
    close_if_cards_are_in,
    settle_if_complete,
    void,
    what_changes,
    with_words,
    withdraw_settlement,
)
from controller.engine.reasons import SupervisorAct, TableReason
from controller.engine.state.current import COMPLAINTS, cards_are_in, complaints_article, refuse_when_over, rounds_over
from controller.engine.state.events import (
    ComplaintDecided,
    ComplaintOpened,
    ComplaintOutcome,
    KeyReleased,
    RoundAdjusted,
)
from controller.engine.state.persons import (
    CorrectCards,
    CorrectDecision,
    CorrectDice,
    CorrectingInput,
    CorrectSeat,
    CorrectWager,
    Exposed,
    Misdealt,
    PersonInput,
    ShufflerFailed,
    ToEmptySeat,
    VoidRound,
)
from controller.engine.state.table import Table
from controller.rulebook.corrected import Corrected, SeatCorrected, WagerCorrected, event_of
from controller.rulebook.events import CardsNulled, ErrorCorrected, InputCorrected
from controller.rulebook.filled import filled
from controller.rulebook.games import game_of
from controller.rulebook.offers import REFUSED
from controller.rulebook.packets import packets_of
from controller.rulebook.reasons import LawReason
from controller.rulebook.refusal import CORRECTIONS as POLICY
from controller.rulebook.refusal import Refusal, because
from controller.rulebook.round import Round
from controller.rulebook.steps import seat_place


def exposed(course: Course, input: Exposed) -> None:
    """Cards of a place were seen while they were dealt."""
    seen = course.game.exposure(course.round, input.to, len(input.which) or input.count, input.which)
    course.record(*seen.events)
    if seen.void is not None:
        article, reason = seen.void
        void(course, article, with_words(reason, input.reason))
    else:
        _deals_on(course)


def misdealt(course: Course, input: Misdealt) -> None:
    """The order or the number of the cards was not that of the deal."""
    course.game.check_misdealt(course.round)
    reason = because(TableReason.ORDER_BROKEN if input.what == "order" else TableReason.NUMBER_BROKEN)
    void(course, course.game.citations.broken_deal, with_words(reason, input.reason))


def shuffler_failed(course: Course, input: ShufflerFailed) -> None:
    """The shuffler failed while dealing."""
    article = course.game.citations.shuffler_failed
    if course.step.kind != "deal" or course.round.terms.source != "shuffler":
        raise Refusal("table", TableReason.NOT_FROM_SHUFFLER, article)
    void(course, article, with_words(because(TableReason.SHUFFLER_FAILED), input.reason))


class DealCorrected(PersonInput, frozen=True):
    """An error in the deal was corrected at once (Fortune 8, 5.º). Answers ``<round>/report``."""

    what: Literal["place", "order", "number"]
    to: str


def deal_corrected(course: Course, input: DealCorrected) -> None:
    """An error in the deal was corrected at once."""
    course.game.check_deal_error(course.round, input.what, input.to)
    course.record(ErrorCorrected(what=input.what, to=input.to, actor=input.actor))


def broken_off(course: Course, input: VoidRound) -> None:
    """A supervisor breaks the round off."""
    void(course, "policy: supervisor's void", because(TableReason.AS_STATED, statement=documented(input.reason)))


def _deals_on(course: Course) -> None:
    """A deal continues a second time, or from a shuffler that has forgotten the deck, or as another deal: it has
    failed.
    """
    table = course.table
    if course.step.order is not None and table.shuffled_by not in (0, table.shuffler_boot):
        article = course.game.citations.shuffler_failed
        void(course, article, because(TableReason.DECK_FORGOTTEN))


def to_empty_seat(course: Course, input: ToEmptySeat) -> None:
    """The last cards meant for a place are at a seat without a bet."""
    round, game = course.round, course.game
    article = game.citations.null_cards
    if not article:
        raise Refusal(seat_place(input.seat), TableReason.NO_CARD_IS_NULL, game.citations.broken_deal)
    game.check_seat(round, input.seat)
    if input.seat in round.wagers:
        raise Refusal(seat_place(input.seat), TableReason.HAS_BET, article)
    if packets_of(round).decisions or round.play.shown:
        raise Refusal(seat_place(input.seat), TableReason.DEAL_OVER, article)
    aside = {draw for left_out in packets_of(round).aside for draw in left_out.draws}
    meant = [
        deal
        for deal in game.placed(round)
        if deal.dealt.null is None and input.meant_for in deal.to and not aside & set(deal.dealt.draws)
    ]
    if not meant or input.meant_for == "discard":
        raise Refusal(input.meant_for, LawReason.NO_CARD_DEALT_THERE, article)
    course.record(CardsNulled(draws=meant[-1].dealt.draws, seat=input.seat))
    if any(deal.dealt.null is None and len(deal.to) != len(deal.dealt.draws) for deal in game.placed(course.round)):
        void(course, game.citations.broken_deal, with_words(because(TableReason.ANOTHER_PACKET_DEALT), input.reason))
    _deals_on(course)


def refuse_too_early_or_late(table: Table) -> None:
    """Raises Refusal unless the bets of the round are closed, and something can still change it."""
    round = table.round
    if round is None or not round.locked:
        raise Refusal("table", TableReason.NOTHING_CLOSED, POLICY)
    if round.confirmed or round.void is not None:
        raise Refusal("table", TableReason.ROUND_OVER, POLICY)


CLOSED_BETS = When(
    "from the closing of the bets until the round is confirmed or void",
    refuse_too_early_or_late,
)


class _Correcting:
    """The replacement of an input in a round of one kind of play."""

    def __init__(self, play: CorrectedPlay) -> None:
        self._play = play

    def correct(self, course: Course, input: CorrectingInput) -> None:
        """One input is replaced. Raises Refusal for a correction that changes nothing, or breaks the law."""
        round = course.round
        corrected = self._corrected(course, input)
        correction = event_of(corrected, course.actor or input.actor, optional_reason(input.reason))
        if correction.before == correction.after:
            raise Refusal(corrected.at, TableReason.NOTHING_CHANGED, POLICY)
        late = course.game.informed(round, corrected) is not None
        changed = what_changes(course, late, lambda then: self._carry_out(then, corrected, correction))
        self._carry_out(course, corrected, replace(correction, **changed))

    def _carry_out(self, course: Course, corrected: Corrected, correction: InputCorrected) -> None:
        round = course.round
        withdraw_settlement(course)
        course.record(correction)
        self._refuse_another_deal(round, course.round, corrected)
        course.game.check_corrected(course.round)
        self._play.check(round, course.round, corrected)
        if isinstance(corrected, WagerCorrected | SeatCorrected):
            self._close_again(course, round, corrected)
        self._play.follow(course, round, corrected)
        settle_if_complete(course)

    def _corrected(self, course: Course, input: CorrectingInput) -> Corrected:
        """The value before a correction and after it."""
        round, game = course.round, course.game
        match input:
            case CorrectWager(seat=seat, wager=wager, amount=amount, player=player):
                game.check_amount(round, seat, wager, amount, player)
                before = game.entered(round, seat, wager, player)
                return WagerCorrected(seat, wager, player, before, amount)
            case CorrectSeat(seat=seat, to_seat=to):
                game.check_seat(round, to)
                if seat not in round.wagers or to in round.wagers:
                    raise Refusal(seat_place(seat), TableReason.MOVE_TO_EMPTY, POLICY, seat=to)
                return SeatCorrected(seat, to)
            case CorrectDecision():
                if input.decision == REFUSED:
                    require_supervisor(course.role, SupervisorAct.RECORDS_REFUSED_DUTY)
                return self._play.decision(round, input)
            case CorrectDice():
                return self._play.dice(round, input)
            case CorrectCards():
                return self._play.cards(course, input)

    def _refuse_another_deal(self, round: Round, now: Round, corrected: Corrected) -> None:
        """Raises Refusal for a correction after which, with cards on the table, a seat enters play, leaves it or takes
        another's turn; unless all spaces get a card.
        """
        game = game_of(round)
        before, after = game.seats_dealt(round), game.seats_dealt(now)
        same_turns = before == after
        if isinstance(corrected, SeatCorrected) and corrected.seat in before:
            same_turns = before.index(corrected.seat) == after.index(corrected.to)
        cards_on_table = self._play.cards_on_table(round)
        if cards_on_table and not same_turns and not round.deals_everywhere:
            article = game_of(round).citations.broken_deal
            raise Refusal("table", TableReason.GONE_ELSEWHERE, article)

    def _close_again(self, course: Course, before: Round, corrected: WagerCorrected | SeatCorrected) -> None:
        """The chips, weighed again beside the corrected bets (4.º 3)."""
        round, slots = course.round, course.table.slots
        counted = set(before.chips) - set(round.carried_chips)
        # A chip that was given back and is gone from the slot comes into no meter.
        at = {corrected.seat, corrected.to} if isinstance(corrected, SeatCorrected) else {corrected.seat}
        still_there = {seat for seat in before.returned_chips if seat in slots and seat in at}
        gone = {seat for seat in before.returned_chips if seat in round.wagers} - still_there
        placed = tuple(sorted(counted | (set(before.returned_chips) - gone)))
        closed = game_of(round).close_betting(round, placed)
        marks_stay = closed.marked is None or closed.marked == self._play.marks(before)
        if closed.chips == before.chips and closed.returned == before.returned_chips and marks_stay:
            return
        course.record(closed)
        for seat in sorted(gone):
            course.notify("chip_gone", seat)
        for seat in closed.returned:
            if seat not in before.returned_chips:
                course.notify("chip_without_basic_bet", seat)
        for seat in closed.carried_back:
            if seat in before.chips:
                course.notify("carried_chip_back", seat)
        for seat in closed.carried:
            if seat not in before.chips:
                # It was to go back for want of a bet; no sensor says whether it already did.
                course.notify("carried_chip_counts", seat)
        if (
            closed.marked is not None
            and self._play.cards_on_table(round)
            and (closed.chips != before.chips or not marks_stay)
        ):
            course.notify("increment_changed")
        move_contributions(course, closed)


def rows_of(play: CorrectedPlay) -> dict[type[Input], Row]:
    """The decider of each correction in a round of one kind of play."""
    correcting = _Correcting(play)
    return {
        kind: Row(correcting.correct, CLOSED_BETS, answers=f"{ROUNDS}/correct", changes=True)
        for kind in get_args(CorrectingInput)
    }


class AdjustRound(CoSigned, frozen=True):
    """The amount that a supervisor paid or took after a round was confirmed, documented. Answers ``adjustment``."""

    round: int
    seat: int
    amount: int
    reason: str


def adjust_round(course: Course, input: AdjustRound) -> None:
    """Records a supervisor's adjustment of a confirmed round."""
    require_second(course.settings.people, input.actor, input.second)
    table, seats = course.table, course.settings.terms.seat_count
    last = rounds_over(table)
    if not 1 <= input.round <= last:
        raise Refusal("round", TableReason.ROUND_NOT_CONFIRMED, "policy: documented adjustment", last=last)
    if not 1 <= input.seat <= seats:
        raise Refusal("seat", LawReason.NO_SUCH_SEAT, "policy: documented adjustment", seats=seats)
    refuse_no_amount(input.amount)
    adjusted = filled(
        RoundAdjusted, input, reason=documented(input.reason), after_claims=not cards_are_there(table, input.round)
    )
    course.record(adjusted)


class ReleaseKey(CoSigned, frozen=True):
    """A supervisor releases the key of a round's cards, so that those no rule showed can be read. Answers ``key``."""

    round: int
    reason: str


def release_key(course: Course, input: ReleaseKey) -> None:
    """Two persons release the key of a confirmed or void round, whose cards no longer decide anything."""
    table, policy = course.table, "policy: two persons release a key"
    require_second(course.settings.people, input.actor, input.second, policy)
    void = table.round is not None and table.round.void is not None
    last = table.rounds if void else rounds_over(table)
    if not 1 <= input.round <= last:
        raise Refusal("round", TableReason.ROUND_NOT_CONFIRMED, policy, last=last)
    if input.round in table.released:
        raise Refusal("round", TableReason.KEY_RELEASED, policy, round=input.round)
    course.record(filled(KeyReleased, input, reason=documented(input.reason)))


def cards_are_there(table: Table, number: int) -> bool:
    """Whether the cards of a round are still on the table: all of the present one's, or those kept for a later one
    (61).
    """
    on_hold = {pending_round.round for pending_round in table.on_hold}
    there = on_hold if table.round is None else on_hold | {table.round.id}
    return number in there and not cards_are_in(table)


class Complain(PersonInput, frozen=True, tag="complaint"):
    """A player complains about a round whose cards are still on the table (black-jack 62). Answers ``complaint``.

    `by` is who complains, where a name is given.
    """

    round: int
    seat: int
    what: str
    by: str = ""


def complaint_opened(course: Course, input: Complain) -> None:
    """Accept a complaint until the cards are in the shuffler (black-jack 62), elsewhere until they are gathered."""
    table, seats = course.table, course.settings.terms.seat_count
    article = complaints_article(table, course.settings)
    if not 1 <= input.round <= table.rounds:
        raise Refusal("round", TableReason.ROUND_NOT_BEGUN, COMPLAINTS, last=table.rounds)
    if not cards_are_there(table, input.round):
        raise Refusal("round", TableReason.CLEARED_AWAY, article)
    if not 1 <= input.seat <= seats:
        raise Refusal("seat", LawReason.NO_SUCH_SEAT, COMPLAINTS, seats=seats)
    if len(input.by) > LONGEST_REASON or not input.by.isprintable():
        raise Refusal("by", TableReason.TOO_LONG, COMPLAINTS, most=LONGEST_REASON)
    number, what = table.complaints_opened + 1, documented(input.what)
    course.record(filled(ComplaintOpened, input, complaint=number, what=what, by=input.by.strip()))


class DecideComplaint(PersonInput, frozen=True):
    """A supervisor decides a complaint: what was settled remains, or was corrected or adjusted since.

    Answers ``complaint/<number>``.
    """

    complaint: int
    outcome: ComplaintOutcome
    reason: str


def complaint_decided(course: Course, input: DecideComplaint) -> None:
    """A complaint is decided: what was settled remains, or was corrected before. The complaint no longer keeps claims
    open.
    """
    number = input.complaint
    found = next((complaint for complaint in course.table.complaints if complaint.complaint == number), None)
    if found is None:
        raise Refusal("complaint", TableReason.COMPLAINT_NOT_OPEN, COMPLAINTS, complaint=number)
    if input.outcome == "adjusted" and not found.adjusted:
        raise Refusal("complaint", TableReason.NOTHING_ENTERED_SINCE, COMPLAINTS)
    course.record(
        ComplaintDecided(number, found.round, found.seat, input.outcome, documented(input.reason), actor=input.actor)
    )
    close_if_cards_are_in(course)


ROWS: dict[type[Input], Row] = {
    Exposed: Row(exposed, OPEN_ROUND, answers=REPORT, changes=True),
    Misdealt: Row(misdealt, OPEN_ROUND, answers=REPORT, changes=True),
    ToEmptySeat: Row(to_empty_seat, OPEN_ROUND, answers=REPORT, changes=True),
    ShufflerFailed: Row(shuffler_failed, When("`deal`", refuse_when_over), answers=REPORT, changes=True),
    DealCorrected: Row(deal_corrected, OPEN_ROUND, answers=REPORT),
    VoidRound: Row(broken_off, OPEN_ROUND, only=SupervisorAct.BREAKS_OFF, answers=REPORT, changes=True),
    **rows_of(CorrectedPlay()),
    AdjustRound: Row(adjust_round, only=SupervisorAct.ADJUSTS, answers=ADJUSTMENT),
    ReleaseKey: Row(
        release_key, When("once its round is confirmed or void"), only=SupervisorAct.RELEASES_KEY, answers="key"
    ),
    Complain: Row(complaint_opened, When("until the cards of its round have gone in"), answers="complaint"),
    DecideComplaint: Row(
        complaint_decided,
        When("while it is open"),
        only=SupervisorAct.DECIDES_COMPLAINT,
        answers="complaint/{complaint}",
    ),
}
