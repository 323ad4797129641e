"""What a round wins of a linked pot: claimed at the pit, and settled once its grant is there. No I/O here."""

from collections.abc import Callable, Iterable

from controller.engine.decisions.decision import Course
from controller.engine.state.events import LinkRecorded
from controller.engine.state.table_parts import Linked, OnPaper, claim_of
from controller.link.messages import Body, Entry, Paid
from controller.link.table import Event, Hit
from controller.link.table import Table as AtTheLink
from controller.rulebook.jackpot_award import Award, JackpotTerms, Win
from controller.rulebook.settlement import AnySettlement, Settlement


def link_of(course: Course) -> Linked:
    """The linked pot. Raises TypeError at a table without one."""
    link = course.table.link
    if link is None:
        raise TypeError("this table is at no link")
    return link


def at_the_link(course: Course) -> AtTheLink:
    """The table's half of the link, as it stands."""
    kept = link_of(course).kept
    table = AtTheLink(kept.link, kept.game, kept.table)
    table.kept = kept
    return table


def record(course: Course, said: Iterable[Event]) -> None:
    """This is said to the pit, or was heard of it."""
    course.record(*map(LinkRecorded, said))


def enter(course: Course, body: Body) -> None:
    """The journal's next entry."""
    kept = link_of(course).kept
    record(course, [Entry(kept.link, kept.table, kept.journal, kept.seq + 1, body)])


def settled_by_grant(
    course: Course, settlement: AnySettlement, settle: Callable[[JackpotTerms], AnySettlement]
) -> AnySettlement | None:
    """The settlement itself where it wins nothing of the pot, else what `settle` makes of grant or paper.

    None while the grant is waited for or doubted, or is not what the round wins. A claim whose winners are others now
    is withdrawn, and made again.
    """
    winners = tuple(Win(award.seat, award.tier, award.player) for award in _awards(settlement))
    claim = claim_of(link_of(course), course.round.id)
    if claim is not None and claim.winners != winners:
        withdraw_claim(course)
        claim = None
    if not winners:
        return settlement
    if claim is None:
        record(course, at_the_link(course).claim(course.round.id, winners))
        return None
    if (paper := _on_paper(course, claim)) is not None:
        return settle(paper.terms)
    if claim.grant is None or claim.doubt:
        return None
    settlement = settle(claim.grant.parameters.terms(claim.grant.pot))
    return settlement if tuple(_awards(settlement)) == claim.grant.awards else None


def withdraw_claim(course: Course) -> None:
    """The settlement that was claimed for does not hold."""
    claim = claim_of(link_of(course), course.round.id)
    if claim is not None:
        record(course, at_the_link(course).withdraw(claim.claim))


def tell_paid(course: Course, round: int) -> None:
    """Once every hit of a round is paid, so is its claim."""
    claim = claim_of(link_of(course), round)
    unpaid = [hit for hit in course.meter.hits if hit.round == round and hit.state != "paid"]
    if claim is None or unpaid:
        return
    if (paper := _on_paper(course, claim)) is not None:
        record(course, at_the_link(course).settle_on_paper(claim.claim, paper.amount, paper.persons))
    elif claim.grant is not None:
        enter(course, Paid(claim.claim, claim.grant.amount))


def _on_paper(course: Course, claim: Hit) -> OnPaper | None:
    return next((paper for paper in link_of(course).papers if paper.claim == claim.claim), None)


def _awards(settlement: AnySettlement) -> list[Award]:
    return settlement.jackpot.awards if isinstance(settlement, Settlement) and settlement.jackpot else []
