"""How a round is settled or voided, how its settlement is withdrawn, and what it wins from the pot. No I/O here."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from msgspec.structs import replace

from controller.engine.decisions.decision import Course, optional_reason
from controller.engine.reasons import TableReason
from controller.engine.state import jackpot
from controller.engine.state.current import cards_are_in, open_hits
from controller.engine.state.events import LinkRecorded
from controller.engine.state.jackpot import HitLocked, HitWithdrawn, RestartWithdrawn
from controller.engine.state.persons import ChangeRejected
from controller.engine.state.table import Linked, OnPaper, claim_of
from controller.link.table import Event
from controller.link.table import TableAtLink as AtTheLink
from controller.link.table import TableClaim as LinkedHit
from controller.rulebook.events import ClaimsClosed, RoundVoided, SettlementWithdrawn
from controller.rulebook.filled import filled
from controller.rulebook.games import settled_as
from controller.rulebook.jackpot_award import Award, JackpotTerms, Win
from controller.rulebook.refusal import Reason, because
from controller.rulebook.settlement import AnySettlement, Settlement, players_net


def void(course: Course, article: str, reason: Reason) -> None:
    """Void the round: final results and locked hits remain; the rest of a settlement is withdrawn.

    Undecided chips continue to the next round (17.º 3) or are returned with their contributions.
    """
    late = course.game.informed(course.round, None) is not None
    changed = what_changes(course, late, lambda then: _void(then, article, reason, {}))
    _void(course, article, reason, changed)
    course.record(*(ChangeRejected(change.change, None, None, "") for change in course.table.waiting))


def what_changes(course: Course, late: bool, change: Callable[[Course], None]) -> dict[str, Any]:
    """The fields of a `Change`: its persons, and the sum that all players win before and after it."""
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
    kept = round.settlement.jackpot if decided and round.settlement is not None else None
    if round.settled is not None:
        if not kept:
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
        if kept:
            pots = kept.pot_before, replace(pots[1], pot=kept.pot_before)
    settlement = game.void_round(round, article, pots)
    if isinstance(settlement, Settlement) and kept:
        settlement = replace(settlement, jackpot=kept)
    elif course.table.link is not None and pots is not None:
        granted = settled_by_grant(course, settlement, partial(_void_round, course))
        if granted is None:
            return
        settlement = granted
    course.record(settled_as(settlement))
    if not kept:
        award_hits(course, settlement)


def settle_void(course: Course) -> None:
    """Settles a void round whose decided chips have won of a linked pot, when the grant has come."""
    settlement = _void_round(course, course.meter.prize_terms)
    granted = settled_by_grant(course, settlement, partial(_void_round, course))
    if granted is not None:
        course.record(settled_as(granted))
        award_hits(course, granted)


def _void_round(course: Course, terms: JackpotTerms) -> AnySettlement:
    """The settlement of a void round, with the prizes of its decided chips by these terms."""
    assert course.round.void is not None
    return course.game.void_round(course.round, course.round.void.article, (terms.pot, terms))


def withdraw_settlement(course: Course) -> None:
    """Take back a settlement that was not confirmed yet, and what it won from the jackpot."""
    if course.round.settled is not None:
        withdraw_hits(course)
        course.record(SettlementWithdrawn())


def with_words(reason: Reason, words: str) -> Reason:
    """The reason, with a person's words if there are any.

    Raises Refusal for characters that cannot be printed.
    """
    return because(TableReason.WITH_WORDS, why=reason, statement=optional_reason(words)) if words.strip() else reason


def settle_if_complete(course: Course) -> None:
    """The settlement and its hits, once every hand that the rules show is shown."""
    round, meter = course.table.round, course.table.meter
    if round is None or course.step.kind not in ("confirm", "grant") or round.settled is not None:
        return
    terms = meter.prize_terms if meter is not None and round.terms.chip else None
    settlement = course.game.settle_round(round, terms)
    if course.table.link is not None and terms is not None:
        granted = settled_by_grant(course, settlement, partial(course.game.settle_round, round))
        if granted is None:
            return
        settlement = granted
    course.record(settled_as(settlement))
    award_hits(course, settlement)


def award_hits(course: Course, settlement: AnySettlement) -> None:
    """Lock every award of a settlement, in its order, and restart a pot that is used up (15.º 3 to 6)."""
    if course.table.meter is None or not isinstance(settlement, Settlement) or not settlement.jackpot:
        return
    round = course.round
    linked = course.table.link is not None  # the pot is the pit's, and not on this meter
    for award in settlement.jackpot.awards:
        locked = filled(
            HitLocked,
            award,
            hit=course.meter.hits_locked + 1,
            round=round.id,
            cards=course.game.prize_cards(round, award.seat),
            linked=linked,
        )
        course.record(locked)
    restarted = jackpot.restart(course.meter)
    if restarted is not None:
        course.record(restarted)


def withdraw_hits(course: Course) -> None:
    """Undoes what the round's settlement won, last first; before the confirmation no part of it can be paid."""
    table = course.table
    round, meter = table.round, table.meter
    if round is None or meter is None or round.settlement is None or not round.settlement.jackpot:
        return
    if table.restart is not None:
        # What was agreed on since is not forgotten with the restart.
        scheduled = meter.scheduled or table.restart.scheduled
        parameters = table.restart.parameters
        course.record(filled(RestartWithdrawn, table.restart.event, parameters=parameters, scheduled=scheduled))
    numbers = {(hit.seat, hit.player, hit.tier): hit.hit for hit in meter.hits if hit.round == round.id}
    for award in reversed(round.settlement.jackpot.awards):
        number = numbers[award.seat, award.player or "", award.tier]
        linked = table.link is not None
        course.record(HitWithdrawn(number, award.amount, award.from_pot, award.from_house, linked))


def close_if_cards_are_in(course: Course) -> None:
    """With no hit (49; 2025 8.º 6)) and no complaint (62) open, a round whose cards are all in is over."""
    table, round = course.table, course.table.round
    if round is not None and cards_are_in(table) and not table.complaints and not open_hits(table):
        course.record(
            ClaimsClosed(
                count=round.inserted, pending_rounds=tuple(pending_round.round for pending_round in table.on_hold)
            )
        )


def settled_by_grant(
    course: Course, settlement: AnySettlement, settle: Callable[[JackpotTerms], AnySettlement]
) -> AnySettlement | None:
    """The settlement itself if it wins nothing of the pot, else the result of `settle` with the grant or the paper.

    None while the grant is missing or doubted, or does not match the round. A claim with other winners than now is
    withdrawn, and made again.
    """
    winners = tuple(Win(award.seat, award.tier, award.player) for award in _awards(settlement))
    claim = claim_of(link_of(course), course.round.id)
    if claim is not None and claim.winners != winners:
        withdraw_claim(course)
        claim = None
    if not winners:
        return settlement
    if claim is None:
        record_messages(course, at_the_link(course).claim(course.round.id, winners))
        return None
    if (paper := on_paper(course, claim)) is not None:
        return settle(paper.terms)
    if claim.grant is None or claim.doubt:
        return None
    settlement = settle(claim.grant.parameters.terms(claim.grant.pot))
    return settlement if tuple(_awards(settlement)) == claim.grant.awards else None


def withdraw_claim(course: Course) -> None:
    """Withdraw the claim of a settlement that no longer applies."""
    claim = claim_of(link_of(course), course.round.id)
    if claim is not None:
        record_messages(course, at_the_link(course).withdraw(claim.claim))


def on_paper(course: Course, claim: LinkedHit) -> OnPaper | None:
    return next((paper for paper in link_of(course).papers if paper.claim == claim.claim), None)


def _awards(settlement: AnySettlement) -> list[Award]:
    return settlement.jackpot.awards if isinstance(settlement, Settlement) and settlement.jackpot else []


def link_of(course: Course) -> Linked:
    """The linked pot. Raises TypeError at a table without one."""
    link = course.table.link
    if link is None:
        raise TypeError("this table is at no link")
    return link


def at_the_link(course: Course) -> AtTheLink:
    """The table's side of the link in its present state."""
    kept = link_of(course).kept
    table = AtTheLink(kept.link, kept.game, kept.table)
    table.kept = kept
    return table


def record_messages(course: Course, events: Iterable[Event]) -> None:
    """Records messages sent to the pit and received from it."""
    course.record(*map(LinkRecorded, events))
