"""Irregularities: what is reported of a round, when it is void, and what a void does with the money. No I/O here."""

from collections.abc import Callable
from functools import partial
from typing import Any, Literal

from msgspec.structs import replace

from controller.engine.decisions.decision import (
    OPEN_ROUND,
    REPORT,
    Course,
    Input,
    Row,
    When,
    documented,
    optional_reason,
)
from controller.engine.decisions.jackpot import award_hits, settled_by_grant, withdraw_hits
from controller.engine.reasons import Act, TableReason
from controller.engine.state import jackpot
from controller.engine.state.current import refuse_when_over
from controller.engine.state.events import CutCardOut
from controller.engine.state.persons import (
    ChangeRejected,
    Exposed,
    Misdealt,
    PersonInput,
    ShufflerFailed,
    ToEmptySeat,
    VoidRound,
)
from controller.rulebook.events import CardsNulled, ErrorPutRight, RoundVoided, SettlementWithdrawn
from controller.rulebook.games import settled_as
from controller.rulebook.jackpot_award import JackpotTerms
from controller.rulebook.packets import packets_of
from controller.rulebook.reasons import LawReason
from controller.rulebook.refusal import STEP_BY_STEP, Reason, Refusal, because
from controller.rulebook.settlement import AnySettlement, Settlement, players_net
from controller.rulebook.steps import seat_place


def void(course: Course, article: str, reason: Reason) -> None:
    """Void the round: what is decided stands, with the hits that are locked; the rest of a settlement is withdrawn.

    Chips that are not decided go on (17.º 3) or back with their contributions.
    """
    late = course.game.informed(course.round, None) is not None
    changed = what_changes(course, late, lambda then: _void(then, article, reason, {}))
    _void(course, article, reason, changed)
    course.record(*(ChangeRejected(one.change, None, None, "") for one in course.table.waiting))


def what_changes(course: Course, late: bool, change: Callable[[Course], None]) -> dict[str, Any]:
    """The fields of a `Change`: who answers for it, and what all who bet against the bank win before it and after."""
    approval, before, after = course.approval, course.round.settled, None
    if before is not None:
        after = course.foreseen(change).round.settled
    return {
        "change": approval.change,
        "approved_by": approval.approved_by,
        "after_result": late or approval.change is not None,
        "net_before": players_net(before) if before is not None else None,
        "net_after": players_net(after) if after is not None else None,
    }


def _void(course: Course, article: str, reason: Reason, changed: dict[str, Any]) -> None:
    round, game = course.round, course.game
    carried, decided = game.carried_by(round, article), game.decided_chips(round)
    stands = round.settlement.jackpot if decided and round.settlement is not None else None
    if round.settled is not None:
        if not stands:
            withdraw_hits(course)
        course.record(SettlementWithdrawn())
    answered = (article, reason.code, reason.values, carried, decided, course.actor)
    course.record(RoundVoided(*answered, **changed))
    before = course.table.meter
    for contributed in course.table.contributed:
        if contributed.seat not in (*carried, *decided):
            course.record(jackpot.give_back(contributed))
    meter, pots = course.table.meter, None
    if before is not None and meter is not None and round.terms.chip:
        pots = before.pot, meter.prize_terms
        if stands:
            pots = stands.pot_before, replace(pots[1], pot=stands.pot_before)
    settlement = game.void_round(round, article, pots)
    if isinstance(settlement, Settlement) and stands:
        settlement = replace(settlement, jackpot=stands)
    elif course.table.link is not None and pots is not None:
        granted = settled_by_grant(course, settlement, partial(_void_round, course))
        if granted is None:
            return
        settlement = granted
    course.record(settled_as(settlement))
    if meter is not None and isinstance(settlement, Settlement) and not stands:
        award_hits(course, settlement)


def settle_void(course: Course) -> None:
    """The settlement of a void round whose decided chips have won of a linked pot, once the pit has said what."""
    settlement = _void_round(course, course.meter.prize_terms)
    granted = settled_by_grant(course, settlement, partial(_void_round, course))
    if isinstance(granted, Settlement):
        course.record(settled_as(granted))
        award_hits(course, granted)


def _void_round(course: Course, terms: JackpotTerms) -> AnySettlement:
    """The settlement of a round that is void, with what its decided chips win by these terms."""
    assert course.round.void is not None
    return course.game.void_round(course.round, course.round.void.article, (terms.pot, terms))


def withdraw_settlement(course: Course) -> None:
    """Take back a settlement that was not confirmed yet, and what it won from the jackpot."""
    if course.round.settled is not None:
        withdraw_hits(course)
        course.record(SettlementWithdrawn())


# ---- what a person reports


def exposed(course: Course, input: Exposed) -> None:
    """Cards of a place were seen while they were dealt."""
    seen = course.game.exposure(course.round, input.to, len(input.which) or input.count, input.which)
    course.record(*seen.events)
    if seen.void is not None:
        article, reason = seen.void
        void(course, article, and_said(reason, input.reason))
    else:
        _deals_on(course)


def misdealt(course: Course, input: Misdealt) -> None:
    """The order or the number of the cards was not that of the deal."""
    course.game.check_misdealt(course.round)
    reason = because(TableReason.ORDER_BROKEN if input.what == "order" else TableReason.NUMBER_BROKEN)
    void(course, course.game.citations.broken_deal, and_said(reason, input.reason))


def shuffler_failed(course: Course, input: ShufflerFailed) -> None:
    """The shuffler failed while dealing."""
    article = course.game.citations.shuffler_failed
    if course.step.kind != "deal" or course.round.terms.source != "shuffler":
        raise Refusal("table", TableReason.NOT_FROM_SHUFFLER, article)
    void(course, article, and_said(because(TableReason.SHUFFLER_FAILED), input.reason))


class DealCorrected(PersonInput, frozen=True):
    """An error in the deal was put right at once (Fortune 8, 5.º). Answers ``<round>/report``."""

    what: Literal["place", "order", "number"]
    to: str


def put_right(course: Course, input: DealCorrected) -> None:
    """An error in the deal was put right at once."""
    course.game.check_put_right(course.round, input.what, input.to)
    course.record(ErrorPutRight(what=input.what, to=input.to, actor=input.actor))


def broken_off(course: Course, input: VoidRound) -> None:
    """A supervisor breaks the round off."""
    void(course, "policy: supervisor's void", because(TableReason.AS_SAID, said=documented(input.reason)))


def and_said(reason: Reason, words: str) -> Reason:
    """The reason with what a person says of it, where anything is said. Raises Refusal for what no printer prints."""
    return because(TableReason.AND_SAID, why=reason, said=optional_reason(words)) if words.strip() else reason


def _deals_on(course: Course) -> None:
    """A deal that goes on once more, from a shuffler that forgot the deck since, or is another one: it has failed."""
    table = course.table
    if course.step.order is not None and table.shuffled_by not in (0, table.shuffler_boot):
        article = course.game.citations.shuffler_failed
        void(course, article, because(TableReason.DECK_FORGOTTEN))


class CutCard(PersonInput, frozen=True):
    """The cut card came out of the shoe, and the station did not hear of it. Answers ``<round>/report``."""


def cut_card(course: Course, input: CutCard) -> None:
    """The dealer says that it came out: after the last card of a round it must be heard before the next begins."""
    cut_card_out(course, input.actor)


def cut_card_out(course: Course, actor: str | None = None) -> None:
    """The cut card came out of a shoe that is kept: told by the shoe, or by the dealer where it was not heard.

    Between two rounds of black-jack the next one is still played, and then the cards are shuffled (11).
    """
    round, game, shoe = course.table.round, course.game, course.table.shoe
    elsewhere = round is not None and not game.deck.is_kept(round.terms.source)
    if shoe.decks and not shoe.cut_card_out and not elsewhere:
        course.record(CutCardOut(actor=actor, one_more=game.deck.allows_one_more(in_round=round is not None)))
        if actor is None and game.deck.is_misplaced(shoe):
            course.tell("warning_card_misplaced", text=str(shoe.left))
    elif actor is not None:
        raise Refusal("table", TableReason.NO_CUT_CARD, STEP_BY_STEP)


def to_empty_seat(course: Course, input: ToEmptySeat) -> None:
    """The last cards meant for a place lie at a seat without a bet."""
    round, game = course.round, course.game
    article = game.citations.null_cards
    if not article:
        raise Refusal(seat_place(input.seat), TableReason.NO_CARD_IS_NULL, game.citations.broken_deal)
    game.check_seat(round, input.seat)
    if input.seat in round.wagers:
        raise Refusal(seat_place(input.seat), TableReason.HAS_BET, article)
    if packets_of(round).decisions or round.play.shown:
        raise Refusal(seat_place(input.seat), TableReason.DEAL_OVER, article)
    aside = {draw for one in packets_of(round).aside for draw in one.draws}
    meant = [
        one
        for one in game.placed(round)
        if one.dealt.null is None and input.meant_for in one.to and not aside & set(one.dealt.draws)
    ]
    if not meant or input.meant_for == "discard":
        raise Refusal(input.meant_for, LawReason.NO_CARD_DEALT_THERE, article)
    course.record(CardsNulled(draws=meant[-1].dealt.draws, seat=input.seat))
    if any(one.dealt.null is None and len(one.to) != len(one.dealt.draws) for one in game.placed(course.round)):
        void(course, game.citations.broken_deal, and_said(because(TableReason.ANOTHER_PACKET_DEALT), input.reason))
    _deals_on(course)


ROWS: dict[type[Input], Row] = {
    Exposed: Row(exposed, OPEN_ROUND, answers=REPORT, changes=True),
    Misdealt: Row(misdealt, OPEN_ROUND, answers=REPORT, changes=True),
    ToEmptySeat: Row(to_empty_seat, OPEN_ROUND, answers=REPORT, changes=True),
    ShufflerFailed: Row(shuffler_failed, When("`deal`", refuse_when_over), answers=REPORT, changes=True),
    DealCorrected: Row(put_right, OPEN_ROUND, answers=REPORT),
    CutCard: Row(cut_card, answers=REPORT),
    VoidRound: Row(broken_off, OPEN_ROUND, only=Act.BREAKS_OFF, answers=REPORT, changes=True),
}
