"""The table as everybody may see it: what console, floor and sign are made from. No I/O here.

It is made from the table alone, and the table holds no card that the rules have not shown.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Literal, TypeVar

import msgspec

from controller.engine.decisions.jackpot import refuse_doubted, refuse_out_of_order
from controller.engine.shown.alarms import PublicAlarm, public_alarms
from controller.engine.shown.changes import PublicChange, public_changes
from controller.engine.shown.device_orders import Effects, Lamps, Sign
from controller.engine.shown.places import PublicPlaces, public_places
from controller.engine.shown.posted import Posted, posted
from controller.engine.shown.prompts import notices, prompt
from controller.engine.state.current import (
    Payout,
    Settings,
    game_at,
    payouts,
    refuse_clearing,
    refuse_while_changes_wait,
    source_of,
)
from controller.engine.state.events import DeviceLost
from controller.engine.state.jackpot import E4, Hit, Meter, Proposal, in_order_of_payment
from controller.engine.state.table import SHUFFLER_LID, Complaint, Table, claim_of, doubted_hits, next_step
from controller.link.messages import Contributed, Returned
from controller.link.table import Kept, Shown
from controller.rulebook.corrected import reported
from controller.rulebook.filled import filled
from controller.rulebook.game import BankView, Game, HandView
from controller.rulebook.games import game_of, packet_game_of
from controller.rulebook.jackpot_award import Parameters, Win
from controller.rulebook.offers import DECISIONS
from controller.rulebook.parts.faults import DeviceName
from controller.rulebook.refusal import Reason, Refusal
from controller.rulebook.report import Correction, Laid, LineResult, RoundResult
from controller.rulebook.round import Round, Voided
from controller.rulebook.steps import Phase, Step, Why, seat_place
from controller.rulebook.units import Minor
from controller.words import Words, english

SCHEMA = 1
LinkState = Literal["up", "down"]
_Key = TypeVar("_Key")


class PublicWhy(Why, frozen=True, kw_only=True):
    """Why an answer is not allowed now, in English beside its code and values."""

    reason: str


class PublicStep(Step, frozen=True, kw_only=True, omit_defaults=True):
    """The step awaited, with its prompt by language."""

    illegal: Mapping[str, PublicWhy] = {}
    prompt: Words


class PublicDealt(msgspec.Struct, frozen=True):
    """Cards that left the source together: the shuffler's order number, and their places; null ones (17.º 5) too."""

    order: int | None
    to: tuple[str, ...]
    null: bool


class PublicShoe(msgspec.Struct, frozen=True):
    """A shoe that is dealt from for many rounds: loaded or not, and whether its cut card came out."""

    loaded: bool
    cut_card_out: bool


class PublicRound(PublicPlaces, frozen=True, kw_only=True):
    """A round without what still lies face down. Money in minor units.

    `payouts` are those of seats whose prize of the pot is not paid yet.
    """

    id: int
    phase: Phase
    source: str
    wagers: dict[int, dict[str, int]]
    bets: tuple[Laid, ...]
    players: dict[int, str]
    deal: str | None
    chips: tuple[int, ...]
    carried_chips: tuple[int, ...]
    returned_chips: tuple[int, ...]
    locked: bool
    result_open: bool
    dealt: tuple[PublicDealt, ...]
    unread: tuple[str, ...]
    exposed: dict[str, int]
    aside: tuple[int, ...]
    decisions: dict[int, str]
    shown: dict[str, str]
    hands: dict[int, tuple[HandView, ...]]
    bank: BankView | None
    lines: dict[int, tuple[LineResult, ...]]
    pending_cards: int
    corrections: tuple[Correction, ...]
    changes_waiting: tuple[PublicChange, ...]
    settlement: RoundResult | None
    payouts: dict[int, Payout]
    void: Voided | None


class Turn(msgspec.Struct, frozen=True):
    """When a hit is paid among `of` that are not paid yet."""

    turn: int
    of: int


class PublicDoubted(msgspec.Struct, frozen=True):
    """An entry that the pit of a linked pot holds back until two persons have looked at it; minor units.

    `chips` were put in, or where it is negative went back, in this `round`; null where that is not known any more.
    """

    journal: str
    entry: int
    round: int | None
    chips: int | None
    units: int | None


class PublicComparison(msgspec.Struct, frozen=True):
    """A claim to a linked pot that is paid once two persons have compared it with the page of the pit.

    `why` is a code.
    """

    claim: str
    round: int
    why: str


class PublicJackpot(msgspec.Struct, frozen=True):
    """The meter in minor units, with the hits not yet paid and the last 25 that were.

    `held_back` says of a hit that is not the next to be paid in its round why it is not, and `turns` in which order
    several of a round are paid. `scheduled` are other parameters than govern now, agreed on for after the running pot.
    `linked` is what is shown of the pot where several tables share one; it is not on this meter. `doubted` is what its
    pit holds back of this table, `claimed` who has won of it and waits for its grant, in the order they are paid.
    `compared` are claims whose grant is doubted. `pit_keys` are the configured keys of the pit; `pit_waits` while two
    persons have to accept them.
    """

    pot: Minor
    minimum: Minor
    reserve: Minor
    overflow: Minor
    pending: Minor
    fixed: dict[str, Minor]
    chip: Minor
    hits: tuple[Hit, ...]
    held_back: dict[int, PublicWhy]
    turns: dict[int, Turn]
    proposed: Proposal | None
    scheduled: Parameters | None
    linked: Shown | None = None
    doubted: tuple[PublicDoubted, ...] | None = None
    claimed: tuple[Win, ...] | None = None
    compared: tuple[PublicComparison, ...] | None = None
    pit_keys: tuple[str, ...] | None = None
    pit_waits: bool = False


class PublicTable(msgspec.Struct, frozen=True):
    """The whole projection; identity and connection states are the station's to add.

    `acts` are those ticked as the table opens or closes, with who did.
    """

    open: bool
    version: int
    source: str
    sources: tuple[str, ...]
    shuffler_failures: int
    shoe: PublicShoe
    carried_chips: tuple[int, ...]
    held_claims: tuple[int, ...]
    complaints: tuple[Complaint, ...]
    lid_open: bool | None
    step: PublicStep
    round: PublicRound | None
    jackpot: PublicJackpot | None
    lamps: Lamps
    sign: Sign | None
    slots: dict[int, str]
    notices: list[Words]
    devices: dict[DeviceName, LinkState]
    alarms: list[PublicAlarm]
    posted: Posted
    acts: dict[str, tuple[str, ...]]


def project(table: Table, effects: Effects, settings: Settings, linked: Shown | None = None) -> PublicTable:
    """The public projection of a table; `linked` is what it shows of a pot that tables share."""
    step = next_step(table)
    return PublicTable(
        open=table.open,
        version=table.version,
        source=source_of(table, settings),
        sources=settings.sources,
        shuffler_failures=table.shuffler_failures,
        shoe=PublicShoe(loaded=bool(table.shoe.decks), cut_card_out=table.shoe.cut_card_out),
        carried_chips=tuple(chip.seat for chip in table.carried),
        held_claims=tuple(one.round for one in table.held),
        complaints=table.complaints,
        lid_open=SHUFFLER_LID in table.troubles if table.load is not None else None,
        step=PublicStep(prompt=prompt(table, settings), **msgspec.structs.asdict(_explained(table, step, settings))),
        round=_round(table, table.round, step, settings) if table.round is not None else None,
        jackpot=_jackpot(table, settings, linked),
        lamps=effects.lamps,
        sign=effects.sign,
        slots={seat: chip.state for seat, chip in sorted(table.slots.items())},
        notices=notices(table, game_at(table, settings)),
        devices={name: _link(state) for name, state in sorted(table.devices.items())},
        alarms=public_alarms(table, game_at(table, settings)),
        posted=posted(table, settings),
        acts=table.acts,
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
    """What one of the checks refuses, and why."""
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
        held_back=public.held_back | doubted,
        compared=tuple(PublicComparison(hit.claim, hit.round, hit.doubt) for hit in doubted_hits(link)) or None,
        pit_keys=link.configured or None,
        pit_waits=not link.keys_accepted,
    )


def _doubted(kept: Kept) -> Iterator[PublicDoubted]:
    known = {(one.journal, one.seq): one.body for one in kept.doubted}
    for one in kept.held:
        journal, seq = one.journal, one.entry
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
        held_back=_refused((hit.hit, partial(refuse_out_of_order, meter, hit, game)) for hit in _payable(meter)),
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
            Laid(seat, wager, player or None, amount)
            for seat, boxes in sorted(round.bets.items())
            for wager, here in boxes.items()
            for player, amount in here.items()
        ),
        result_open=game.informed(round, None) is not None,
        dealt=tuple(
            PublicDealt(order=one.dealt.order, to=one.to, null=one.dealt.null is not None) for one in game.placed(round)
        ),
        unread=game.unread_places(round),
        corrections=tuple(map(reported, round.corrections)),
        changes_waiting=public_changes(table, settings),
        settlement=round.settled.result() if round.settled is not None else None,
        payouts=payouts(table),
        **msgspec.structs.asdict(game.view(round)),
        **msgspec.structs.asdict(public_places(round)),
    )
