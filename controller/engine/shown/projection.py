"""The table as everybody may see it: what console, floor and sign are made from. No I/O here.

It is made from the table alone, which has no card that the rules have not shown. The effect of waiting changes is
computed without the vault, so no face-down card affects it.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TypeVar

import msgspec

from controller.engine.decisions.deciders import foreseen, with_change
from controller.engine.decisions.decision import Course
from controller.engine.decisions.jackpot import refuse_doubted, refuse_out_of_order
from controller.engine.shown.device_orders import Effects, posted
from controller.engine.shown.places import public_places
from controller.engine.shown.prompts import notices, prompt, public_alarms
from controller.engine.shown.public import (
    LinkState,
    PartyChange,
    PublicChange,
    PublicComparison,
    PublicDealt,
    PublicDoubted,
    PublicJackpot,
    PublicRound,
    PublicShoe,
    PublicStep,
    PublicTable,
    PublicWhy,
    Turn,
)
from controller.engine.state.current import (
    Settings,
    game_at,
    payouts,
    refuse_clearing,
    refuse_while_changes_wait,
    source_of,
)
from controller.engine.state.events import DeviceLost
from controller.engine.state.jackpot import E4, Hit, Meter, in_order_of_payment
from controller.engine.state.persons import ChangeEntered
from controller.engine.state.table import SHUFFLER_LID, Table, claim_of, doubted_hits, next_step
from controller.link.messages import Contributed, Returned
from controller.link.table import Shown, StoredLink
from controller.rulebook.corrected import corrected_by, reported_correction
from controller.rulebook.events import InputCorrected, RoundVoided
from controller.rulebook.filled import filled
from controller.rulebook.game import Game
from controller.rulebook.games import game_of, packet_game_of
from controller.rulebook.offers import DECISIONS
from controller.rulebook.refusal import Reason, Refusal
from controller.rulebook.report import PlacedBet
from controller.rulebook.roles import SUPERVISOR
from controller.rulebook.round import Round
from controller.rulebook.settlement import AnySettlement, net_by_party, players_net
from controller.rulebook.steps import Step, seat_place
from controller.words import english

_Key = TypeVar("_Key")


def project(table: Table, effects: Effects, settings: Settings, linked: Shown | None = None) -> PublicTable:
    """The public projection of a table; `linked` is its view of a shared pot."""
    step = next_step(table)
    return filled(
        PublicTable,
        table,
        source=source_of(table, settings),
        sources=settings.sources,
        shoe=PublicShoe(loaded=bool(table.shoe.decks), cut_card_out=table.shoe.cut_card_out),
        carried_chips=tuple(chip.seat for chip in table.carried),
        pending_claims=tuple(pending_round.round for pending_round in table.on_hold),
        lid_open=SHUFFLER_LID in table.troubles if table.load is not None else None,
        step=PublicStep(prompt=prompt(table, settings), **msgspec.structs.asdict(_explained(table, step, settings))),
        round=_round(table, table.round, step, settings) if table.round is not None else None,
        jackpot=_jackpot(table, settings, linked),
        lamps=effects.lamps,
        sign=effects.sign,
        slots={seat: chip.state for seat, chip in sorted(table.slots.items())},
        notices=notices(table, game_at(table, settings)),
        devices={name: _link(state) for name, state in sorted(table.devices.items())},
        alarms=public_alarms(table, settings),
        posted=posted(table, settings),
    )


def _explained(table: Table, step: Step, settings: Settings) -> Step:
    """The step, with why one may not answer so now: ``seat 3`` of a cut, ``3/fold``, ``confirm``, ``close_claims``.

    A hand that is asked gives its own reasons.
    """
    round = table.round
    illegal: dict[str, PublicWhy]
    if round is not None and step.kind == "cut":
        illegal = dict(_refused_cuts(game_of(round), round))
    elif round is not None and step.kind == "decisions":
        illegal = _refused_decisions(round)
    elif step.kind in ("confirm", "claims"):
        illegal = _refused(
            [
                ("confirm", partial(refuse_while_changes_wait, table)),
                ("close_claims", partial(refuse_clearing, table, settings)),
            ]
        )
    else:
        illegal = {answer: _why(why, why.rule) for answer, why in step.illegal.items()}
    return msgspec.structs.replace(step, illegal=illegal)


def _refused_cuts(game: Game, round: Round) -> Iterator[tuple[str, PublicWhy]]:
    for seat in (None, *range(1, round.terms.seat_count + 1)):
        why = game.deck.why_not_cut(round, seat)
        if why:
            yield "bank" if seat is None else seat_place(seat), _why(why, game.citations.cut)


def _refused_decisions(round: Round) -> dict[str, PublicWhy]:
    game = packet_game_of(round)
    return _refused(
        (f"{seat}/{decision}", partial(game.check_decision, round, seat, decision))
        for seat in game.waiting(round)
        for decision in DECISIONS
    )


def _refused(checks: Iterable[tuple[_Key, Callable[[], object]]]) -> dict[_Key, PublicWhy]:
    """The refusal of one of the checks, and its reason."""
    refused = {}
    for key, check in checks:
        try:
            check()
        except Refusal as refusal:
            refused[key] = _why(refusal.reason, refusal.article or "")
    return refused


def _why(reason: Reason, rule: str) -> PublicWhy:
    return PublicWhy(code=reason.code, values=reason.values, rule=rule, reason=english(reason))


def _link(state: object) -> LinkState:
    return "down" if isinstance(state, DeviceLost) else "up"


def _jackpot(table: Table, settings: Settings, linked: Shown | None) -> PublicJackpot | None:
    if table.meter is None:
        return None
    public = public_jackpot(table.meter, game_at(table, settings), linked)
    if (link := table.link) is None:
        return public
    doubted = _refused((hit.hit, partial(refuse_doubted, table, hit)) for hit in _payable(table.meter))
    claim = claim_of(link, table.round.id) if table.round is not None and table.round.settled is None else None
    return msgspec.structs.replace(
        public,
        doubted=tuple(_doubted(link.kept)) or None,
        claimed=claim.winners if claim is not None else None,
        blocked=public.blocked | doubted,
        compared=tuple(PublicComparison(hit.claim, hit.round, hit.doubt) for hit in doubted_hits(link)) or None,
        pit_keys=link.configured or None,
        pit_waits=not link.keys_accepted,
    )


def _doubted(kept: StoredLink) -> Iterator[PublicDoubted]:
    known = {(entry.journal, entry.seq): entry.body for entry in kept.doubted}
    for entry in kept.pending_entries:
        journal, seq = entry.journal, entry.entry
        match known.get((journal, seq)):
            case Contributed(round=round, chip_count=chips, units_e4=units):
                yield PublicDoubted(journal, seq, round, chips, units // E4)
            case Returned(chip_count=chips, units_e4=units):
                yield PublicDoubted(journal, seq, None, -chips, -(units // E4))
            case _:
                yield PublicDoubted(journal, seq, None, None, None)


def public_jackpot(meter: Meter, game: Game, linked: Shown | None = None) -> PublicJackpot:
    """The meter in whole minor units, rounded down."""
    return PublicJackpot(
        pot=meter.pot,
        minimum=meter.parameters.minimum,
        reserve=meter.reserve_e4 // E4,
        overflow=meter.overflow_e4 // E4,
        pending=meter.pending_e4 // E4,
        fixed=meter.parameters.fixed,
        chip=meter.parameters.chip,
        hits=meter.hits,
        blocked=_refused((hit.hit, partial(refuse_out_of_order, meter, hit, game)) for hit in _payable(meter)),
        turns={
            hit.hit: Turn(turn, len(hits))
            for hits in in_order_of_payment(meter)
            for turn, hit in enumerate(hits, start=1)
        },
        proposed=meter.proposal,
        scheduled=meter.scheduled if meter.scheduled != meter.parameters else None,
        linked=linked,
    )


def _payable(meter: Meter) -> Iterator[Hit]:
    return (hit for hit in meter.hits if hit.state == "payable")


def _round(table: Table, round: Round, step: Step, settings: Settings) -> PublicRound:
    game = game_of(round)
    return filled(
        PublicRound,
        round,
        phase=game.phase(step.kind),
        source=round.terms.source,
        bets=tuple(
            PlacedBet(seat, wager, player or None, amount)
            for seat, boxes in sorted(round.bets.items())
            for wager, here in boxes.items()
            for player, amount in here.items()
        ),
        result_open=game.informed(round, None) is not None,
        dealt=tuple(
            PublicDealt(order=deal.dealt.order, to=deal.to, null=deal.dealt.null is not None)
            for deal in game.placed(round)
        ),
        unread=game.unread_places(round),
        corrections=tuple(map(reported_correction, round.corrections)),
        changes_waiting=public_changes(table, settings),
        settlement=round.settled.result() if round.settled is not None else None,
        payouts=payouts(table),
        **msgspec.structs.asdict(game.view(round)),
        **msgspec.structs.asdict(public_places(round)),
    )


def public_changes(table: Table, settings: Settings) -> tuple[PublicChange, ...]:
    """All changes that wait, in the order they were entered; each is compared with the state before it."""
    if not table.waiting:
        return ()
    course = Course(table, settings, {}, SUPERVISOR)
    return tuple(_public(foreseen(course, change.change), change) for change in table.waiting)


def _public(before: Course, change: ChangeEntered) -> PublicChange:
    own = {"change": change.change, "actor": change.actor, "role": change.role, "two_persons": change.two_persons}
    own["what"] = str(change.input.__struct_config__.tag)
    try:
        after = with_change(before, change)
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
        change = PartyChange(place, player or None, was.get((place, player), 0), now.get((place, player), 0))
        if change.net_before != change.net_after:
            yield change
