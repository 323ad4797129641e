"""What waits for a supervisor, as everybody may see it, with what it changes in money. No I/O here.

It is computed without the vault: no card that lies face down takes part in it.
"""

from collections.abc import Iterator

import msgspec

from controller.engine.decisions.deciders import foreseen, with_change
from controller.engine.decisions.decision import Course
from controller.engine.state.current import Settings
from controller.engine.state.persons import ChangeEntered
from controller.engine.state.table import Table
from controller.rulebook.corrected import corrected_by
from controller.rulebook.events import InputCorrected, NetChange, RoundVoided
from controller.rulebook.refusal import Reason, Refusal
from controller.rulebook.roles import SUPERVISOR, Role
from controller.rulebook.settlement import AnySettlement, net_by_party, players_net
from controller.rulebook.units import Minor


class PartyChange(msgspec.Struct, frozen=True):
    """What a change is to one party: ``seat 3`` or ``bank``, `player` null where no one is named; minor units."""

    at: str
    player: str | None
    net_before: Minor
    net_after: Minor


class PublicChange(NetChange, frozen=True, kw_only=True):
    """A change that waits: `what` was entered, as an input's kind, by `actor`, and whether two persons approve it.

    A corrected amount has `amount_before` and `amount_after`, minor units, another correction `before` and
    `after`; a void has neither. `article` is the rule of the moment it came after, or of the void. `why_not` says
    why it cannot be approved as the round is now. `parties` are those whose money it changes.
    """

    change: int
    what: str
    at: str | None = None
    wager: str | None = None
    player: str | None = None
    amount_before: Minor | None = None
    amount_after: Minor | None = None
    before: str | None = None
    after: str | None = None
    article: str | None = None
    actor: str
    role: Role
    two_persons: bool
    why_not: Reason | None = None
    net_difference: Minor | None = None
    parties: tuple[PartyChange, ...] = ()


def public_changes(table: Table, settings: Settings) -> tuple[PublicChange, ...]:
    """All that waits, in the order it was entered; each beside what was entered before it."""
    if not table.waiting:
        return ()
    course = Course(table, settings, {}, SUPERVISOR)
    return tuple(_public(foreseen(course, one.change), one) for one in table.waiting)


def _public(before: Course, one: ChangeEntered) -> PublicChange:
    own = {"change": one.change, "actor": one.actor, "role": one.role, "two_persons": one.two_persons}
    own["what"] = str(one.input.__struct_config__.tag)
    try:
        after = with_change(before, one)
    except Refusal as refusal:
        return PublicChange(**own, article=refusal.article, why_not=refusal.reason)  # type: ignore[arg-type]
    for event in after.recorded:
        match event:
            case InputCorrected():
                own |= _corrected(event)
                moment = before.game.informed(before.round, corrected_by(event))
                own["article"] = moment.article if moment is not None else None
            case RoundVoided(article=article):
                own["article"] = article
    return PublicChange(**own, **_money(before.round.settled, after.round.settled))  # type: ignore[arg-type]


def _corrected(event: InputCorrected) -> dict[str, object]:
    own: dict[str, object] = {"at": event.at, "wager": event.wager, "player": event.player}
    if event.what == "wager":
        return own | {"amount_before": event.before, "amount_after": event.after}
    return own | {"before": event.before, "after": event.after}


def _money(before: AnySettlement | None, after: AnySettlement | None) -> dict[str, object]:
    if before is None:
        return {}
    was = players_net(before)
    if after is None:
        return {"net_before": was}
    now, parties = players_net(after), tuple(_parties(before, after))
    return {"net_before": was, "net_after": now, "net_difference": now - was, "parties": parties}


def _parties(before: AnySettlement, after: AnySettlement) -> Iterator[PartyChange]:
    was, now = net_by_party(before), net_by_party(after)
    for place, player in sorted(was.keys() | now.keys()):
        one = PartyChange(place, player or None, was.get((place, player), 0), now.get((place, player), 0))
        if one.net_before != one.net_after:
            yield one
