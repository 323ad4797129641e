"""The progressive jackpot: one meter, its hits, and the identity that no event may break. No I/O here.

Amounts named `_e4` count in 1/10 000 of a minor unit, the unit in which a rate in basis points leaves no remainder.
"""

from typing import Literal, assert_never

import msgspec
from msgspec.structs import replace

from controller.rulebook.cards import Card
from controller.rulebook.events import EventBase
from controller.rulebook.filled import filled
from controller.rulebook.jackpot_award import JackpotTerms, Parameters
from controller.rulebook.roles import Role
from controller.rulebook.units import Minor, TenThousandths


class MeterOpened(EventBase, frozen=True):
    """A new journal begins with these amounts on the meter and in the reserve, minor units.

    `carried_over` says where the pot ran before; null where it starts.
    """

    pot: Minor
    reserve: Minor
    parameters: Parameters
    carried_over: str | None = None


class ParametersProposed(EventBase, frozen=True):
    """The configuration has other parameters, which wait for two persons; an earlier proposal becomes void.

    `before` are the parameters after the running pot is won if no one approves. Numbers count from 1 in each journal.
    """

    number: int
    parameters_before: Parameters
    parameters_after: Parameters


class ParametersApproved(EventBase, frozen=True):
    """One of the two persons approved a proposal."""

    number: int
    actor: str
    role: Role


class ParametersWithdrawn(EventBase, frozen=True):
    """The configuration was changed back: the proposal and its approvals are void, and its number is not used again."""

    number: int


class ParametersScheduled(EventBase, frozen=True):
    """Two persons have approved new parameters; they take effect when the running pot is won.

    `parameters_before` apply until then. `actor` is where they came from, `approved_by` are the two persons who
    approved them, each with the role at that time.
    """

    parameters_before: Parameters
    parameters_after: Parameters
    actor: str
    approved_by: tuple[str, ...]
    roles: tuple[Role, ...]


class ChipContributed(EventBase, frozen=True):
    """One counted chip increased the meter. The three parts are in 1/10 000 of a minor unit.

    `player` is whose it is at a seat where several may have one, as it was marked.
    """

    round: int
    seat: int
    to_pot_e4: TenThousandths
    to_reserve_e4: TenThousandths
    to_overflow_e4: TenThousandths
    player: str | None = None


class ContributionReturned(EventBase, frozen=True):
    """A chip was returned to its player, and its contribution was taken off the meter, part by part."""

    round: int
    seat: int
    from_pot_e4: TenThousandths
    from_reserve_e4: TenThousandths
    from_overflow_e4: TenThousandths
    player: str | None = None


class HitLocked(EventBase, frozen=True):
    """An award is recognised: its amount (minor units) is fixed, taken off the pot, and waits for payment.

    `cards` are those that won it. `player` bets along at the seat and owns the chip. `linked`: its pot is one that
    tables share, and what came out of it was not on this table's meter.
    """

    hit: int
    round: int
    seat: int
    tier: str
    amount: Minor
    from_pot: Minor
    from_house: Minor
    article: str
    cards: tuple[Card, ...]
    player: str | None = None
    linked: bool = False

    @property
    def from_meter(self) -> int:
        """The part of the award that came off the table's own meter."""
        return 0 if self.linked else self.from_pot


class PotRestarted(EventBase, frozen=True):
    """An emptied pot starts again at its minimum (15.º 6), paid by the reserve and, for the rest, by the house."""

    from_reserve_e4: TenThousandths
    from_house_e4: TenThousandths
    parameters: Parameters


class HitWithdrawn(EventBase, frozen=True):
    """The settlement that won the hit is withdrawn: the parts of pot and house are returned, and the number is not used
    again.
    """

    hit: int
    amount: Minor
    from_pot: Minor
    from_house: Minor
    linked: bool = False

    @property
    def from_meter(self) -> int:
        """The part that returns to the table's own meter."""
        return 0 if self.linked else self.from_pot


class RestartWithdrawn(EventBase, frozen=True):
    """The pot was not emptied after all: the restart is undone, with the parameters that came with it."""

    from_reserve_e4: TenThousandths
    from_house_e4: TenThousandths
    parameters: Parameters
    scheduled: Parameters | None


class MeterAdjusted(EventBase, frozen=True):
    """A supervisor's documented adjustment of one part of the meter; minor units, negative takes away.

    `second` is the other person, who co-signs it.
    """

    part: Literal["pot", "reserve", "overflow"]
    amount: Minor
    actor: str
    reason: str
    second: str


class HitMadePayable(EventBase, frozen=True):
    """The hit's round is confirmed: it may be paid."""

    hit: int


class HitConfirmed(EventBase, frozen=True):
    """One of the two persons confirmed the payment."""

    hit: int
    actor: str
    role: Role


class CardsWitnessed(EventBase, frozen=True):
    """A supervisor and a second person saw the winning cards of hits that are not paid; they may be cleared away.

    `second_role` is the role of the person who co-signs it.
    """

    round: int
    of_hits: tuple[int, ...]
    actor: str
    second: str
    second_role: Role


class HitPaid(EventBase, frozen=True):
    """The award was paid; this happens only once. Minor units.

    `slip` is the number of its payment slip: from 1 in each journal, without a gap. A pit gives no slips: 0.
    """

    hit: int
    amount: Minor
    confirmed_by: tuple[str, ...]
    roles: tuple[Role, ...]
    slip: int
    round: int
    seat: int
    tier: str
    cards: tuple[Card, ...]
    player: str | None = None


ParametersEvent = ParametersProposed | ParametersApproved | ParametersWithdrawn | ParametersScheduled


PotEvent = ChipContributed | ContributionReturned | PotRestarted | RestartWithdrawn | MeterAdjusted


HitEvent = HitLocked | HitWithdrawn | HitMadePayable | HitConfirmed | CardsWitnessed | HitPaid


JackpotEvent = MeterOpened | ParametersEvent | PotEvent | HitEvent


E4 = 10_000  # ledger units in one minor unit; also the basis points in one whole
RECENT_HITS = 25  # hits that can be recalled after payment, as the trade demands of a progressive controller


class Hit(msgspec.Struct, frozen=True):
    """An award won at the table. `locked` until its round is confirmed, then `payable`, then `paid`. Minor units.

    `cards` are those it was won with, as they were open; `slip` is the number of its payment slip, 0 until it is paid.
    `player` bets along at the seat, "" for the seat's own chip. `witnessed_by` are the two persons who recorded that
    they saw the cards before it was paid.
    """

    hit: int
    round: int
    seat: int
    tier: str
    amount: Minor
    article: str
    state: Literal["locked", "payable", "paid"] = "locked"
    confirmed_by: tuple[str, ...] = ()
    confirmed_roles: tuple[Role, ...] = ()
    cards: tuple[Card, ...] = ()
    slip: int = 0
    player: str = ""
    witnessed_by: tuple[str, ...] = ()


class Proposal(msgspec.Struct, frozen=True):
    """Parameters that wait for two persons, and the persons who have approved them, each with the role."""

    number: int
    parameters_before: Parameters
    parameters_after: Parameters
    approved_by: tuple[str, ...]
    roles: tuple[Role, ...]


class Meter(msgspec.Struct, frozen=True):
    """The meter and its running totals, in 1/10 000 of a minor unit, with the hits by number.

    `scheduled` are parameters agreed on, for after the running pot; `proposals` is how many were ever made.
    """

    parameters: Parameters
    scheduled: Parameters | None = None
    proposal: Proposal | None = None
    proposals: int = 0
    initial_e4: int = 0
    pot_e4: int = 0
    reserve_e4: int = 0
    overflow_e4: int = 0
    pending_e4: int = 0
    contributions_e4: int = 0
    returned_e4: int = 0
    paid_e4: int = 0
    house_funded_e4: int = 0
    adjustments_e4: int = 0
    chips_counted: int = 0
    hits_locked: int = 0
    slips: int = 0
    hits: tuple[Hit, ...] = ()

    @property
    def pot(self) -> int:
        """The amount that the sign shows: whole minor units, rounded down."""
        return self.pot_e4 // E4

    @property
    def agreed(self) -> Parameters:
        """The agreed parameters after the running pot is won."""
        return self.scheduled or self.parameters

    @property
    def prize_terms(self) -> JackpotTerms:
        """The terms from which the awards of a round are computed, after all its chips were added."""
        return JackpotTerms(pot=self.pot, minimum=self.agreed.minimum, fixed=self.parameters.fixed)


class ConservationBroken(Exception):
    """Money appeared or vanished on the meter: a defect of the station, which stops before it shows a wrong amount."""


def advance(meter: Meter | None, event: JackpotEvent) -> Meter:
    """The meter after an event, its identity checked."""
    after = _advance(meter, event)
    check_meter(after)
    return after


def check_meter(meter: Meter) -> None:
    """Check the identity: all money that came in and was not paid out is in pot, reserve, overflow or pending hits."""
    came_in = meter.initial_e4 + meter.contributions_e4 - meter.returned_e4 + meter.house_funded_e4
    balance = meter.pot_e4 + meter.reserve_e4 + meter.overflow_e4 + meter.pending_e4
    if came_in - meter.paid_e4 + meter.adjustments_e4 != balance:
        raise ConservationBroken(
            f"the meter holds {balance}, not {came_in - meter.paid_e4 + meter.adjustments_e4} (1/10 000 minor unit)"
        )
    if min(meter.pot_e4, meter.reserve_e4, meter.overflow_e4, meter.pending_e4) < 0:
        raise ConservationBroken("a part of the meter is below zero")


def _advance(meter: Meter | None, event: JackpotEvent) -> Meter:
    if isinstance(event, MeterOpened):
        return Meter(
            parameters=event.parameters,
            initial_e4=(event.pot + event.reserve) * E4,
            pot_e4=event.pot * E4,
            reserve_e4=event.reserve * E4,
        )
    if meter is None:
        raise ConservationBroken(f"{type(event).__name__} before the meter was opened")
    if isinstance(event, HitEvent):
        return _with_hits(meter, event)
    return _agreed(meter, event) if isinstance(event, ParametersEvent) else _filled(meter, event)


def _filled(meter: Meter, event: PotEvent) -> Meter:
    match event:
        case ChipContributed():
            return replace(
                meter,
                pot_e4=meter.pot_e4 + event.to_pot_e4,
                reserve_e4=meter.reserve_e4 + event.to_reserve_e4,
                overflow_e4=meter.overflow_e4 + event.to_overflow_e4,
                contributions_e4=meter.contributions_e4
                + (event.to_pot_e4 + event.to_reserve_e4 + event.to_overflow_e4),
                chips_counted=meter.chips_counted + 1,
            )
        case ContributionReturned():
            return replace(
                meter,
                pot_e4=meter.pot_e4 - event.from_pot_e4,
                reserve_e4=meter.reserve_e4 - event.from_reserve_e4,
                overflow_e4=meter.overflow_e4 - event.from_overflow_e4,
                returned_e4=meter.returned_e4 + (event.from_pot_e4 + event.from_reserve_e4 + event.from_overflow_e4),
                chips_counted=meter.chips_counted - 1,
            )
        case PotRestarted():
            return replace(
                meter,
                pot_e4=meter.pot_e4 + event.from_reserve_e4 + event.from_house_e4,
                reserve_e4=meter.reserve_e4 - event.from_reserve_e4,
                house_funded_e4=meter.house_funded_e4 + event.from_house_e4,
                parameters=event.parameters,
                scheduled=None,
            )
        case RestartWithdrawn():
            return replace(
                meter,
                pot_e4=meter.pot_e4 - event.from_reserve_e4 - event.from_house_e4,
                reserve_e4=meter.reserve_e4 + event.from_reserve_e4,
                house_funded_e4=meter.house_funded_e4 - event.from_house_e4,
                parameters=event.parameters,
                scheduled=event.scheduled,
            )
        case MeterAdjusted():
            return _adjust(meter, event)
        case _:
            assert_never(event)


def _agreed(meter: Meter, event: ParametersEvent) -> Meter:
    match event:
        case ParametersProposed(number=number, parameters_before=before, parameters_after=asked):
            proposal = Proposal(number, before, asked, approved_by=(), roles=())
            return replace(meter, proposal=proposal, proposals=number)
        case ParametersApproved(number=number, actor=actor, role=role):
            proposal = proposal_of(meter, number)
            approved_by, roles = (*proposal.approved_by, actor), (*proposal.roles, role)
            return replace(meter, proposal=replace(proposal, approved_by=approved_by, roles=roles))
        case ParametersWithdrawn():
            return replace(meter, proposal=None)
        case ParametersScheduled(parameters_after=parameters):
            return replace(meter, scheduled=parameters, proposal=None)
        case _:
            assert_never(event)


def _with_hits(meter: Meter, event: HitEvent) -> Meter:
    match event:
        case HitLocked():
            return _lock(meter, event)
        case HitWithdrawn():
            return replace(
                meter,
                pot_e4=meter.pot_e4 + event.from_meter * E4,
                house_funded_e4=meter.house_funded_e4 - (event.from_pot + event.from_house - event.from_meter) * E4,
                pending_e4=meter.pending_e4 - event.amount * E4,
                hits=tuple(hit for hit in meter.hits if hit.hit != event.hit),
            )
        case HitMadePayable(hit=number):
            return _with_hit(meter, replace(hit_of(meter, number), state="payable"))
        case HitConfirmed(hit=number, actor=actor, role=role):
            hit = hit_of(meter, number)
            return _with_hit(
                meter,
                replace(hit, confirmed_by=(*hit.confirmed_by, actor), confirmed_roles=(*hit.confirmed_roles, role)),
            )
        case CardsWitnessed(of_hits=numbers, actor=actor, second=second):
            return replace(
                meter,
                hits=tuple(
                    replace(hit, witnessed_by=(actor, second)) if hit.hit in numbers else hit for hit in meter.hits
                ),
            )
        case HitPaid(hit=number, slip=slip):
            hit = hit_of(meter, number)
            paid = replace(
                meter,
                pending_e4=meter.pending_e4 - hit.amount * E4,
                paid_e4=meter.paid_e4 + hit.amount * E4,
                slips=max(slip, meter.slips),
            )
            return _forget_old(_with_hit(paid, replace(hit, state="paid", slip=slip)))
        case _:
            assert_never(event)


def _lock(meter: Meter, event: HitLocked) -> Meter:
    hit = Hit(
        hit=event.hit,
        round=event.round,
        seat=event.seat,
        tier=event.tier,
        amount=event.amount,
        article=event.article,
        cards=event.cards,
        player=event.player or "",
    )
    return replace(
        meter,
        pot_e4=meter.pot_e4 - event.from_meter * E4,
        house_funded_e4=meter.house_funded_e4 + (event.from_pot + event.from_house - event.from_meter) * E4,
        pending_e4=meter.pending_e4 + event.amount * E4,
        hits_locked=event.hit,
        hits=(*meter.hits, hit),
    )


def _adjust(meter: Meter, event: MeterAdjusted) -> Meter:
    moved_e4 = event.amount * E4
    adjusted = replace(meter, adjustments_e4=meter.adjustments_e4 + moved_e4)
    match event.part:
        case "pot":
            return replace(adjusted, pot_e4=meter.pot_e4 + moved_e4)
        case "reserve":
            return replace(adjusted, reserve_e4=meter.reserve_e4 + moved_e4)
        case "overflow":
            return replace(adjusted, overflow_e4=meter.overflow_e4 + moved_e4)
        case _:
            assert_never(event.part)


def hit_of(meter: Meter, number: int) -> Hit:
    """The hit with this number. Raises KeyError if there is none."""
    for hit in meter.hits:
        if hit.hit == number:
            return hit
    raise KeyError(number)


def in_order_of_payment(meter: Meter | None) -> list[tuple[Hit, ...]]:
    """For each round with several unpaid hits, these hits in the order of payment: that in which they were locked."""
    rounds: dict[int, tuple[Hit, ...]] = {}
    for hit in meter.hits if meter is not None else ():
        if hit.state != "paid":
            rounds[hit.round] = (*rounds.get(hit.round, ()), hit)
    return [hits for hits in rounds.values() if len(hits) > 1]


def proposal_of(meter: Meter, number: int) -> Proposal:
    """The proposal with this number; KeyError when it is not the one that waits."""
    if meter.proposal is None or meter.proposal.number != number:
        raise KeyError(number)
    return meter.proposal


def _with_hit(meter: Meter, changed: Hit) -> Meter:
    return replace(meter, hits=tuple(changed if hit.hit == changed.hit else hit for hit in meter.hits))


def _forget_old(meter: Meter) -> Meter:
    paid = [hit.hit for hit in meter.hits if hit.state == "paid"]
    forgotten = set(paid[:-RECENT_HITS])
    return replace(meter, hits=tuple(hit for hit in meter.hits if hit.hit not in forgotten))


def contribution(meter: Meter, round_id: int, seat: int, player: str = "") -> ChipContributed:
    """The contribution of one chip: to the pot up to the ceiling, to the reserve, the rest to `overflow_to`."""
    terms = meter.parameters
    increment_e4 = terms.chip * terms.increment_bp
    room_e4 = max(0, terms.ceiling * E4 - meter.pot_e4)
    to_pot_e4 = min(increment_e4, room_e4)
    past_ceiling_e4 = increment_e4 - to_pot_e4
    to_reserve = terms.overflow_to == "reserve"
    return ChipContributed(
        round=round_id,
        seat=seat,
        to_pot_e4=to_pot_e4,
        to_reserve_e4=terms.chip * terms.reserve_bp + (past_ceiling_e4 if to_reserve else 0),
        to_overflow_e4=0 if to_reserve else past_ceiling_e4,
        player=player or None,
    )


def give_back(contributed: ChipContributed) -> ContributionReturned:
    """The exact reverse of one contribution."""
    return ContributionReturned(
        round=contributed.round,
        seat=contributed.seat,
        from_pot_e4=contributed.to_pot_e4,
        from_reserve_e4=contributed.to_reserve_e4,
        from_overflow_e4=contributed.to_overflow_e4,
        player=contributed.player,
    )


def payment(hit: Hit, slip: int, confirmed_by: tuple[str, ...], roles: tuple[Role, ...]) -> HitPaid:
    """The payment of a hit by these persons."""
    return filled(HitPaid, hit, confirmed_by=confirmed_by, roles=roles, slip=slip, player=hit.player or None)


def restart(meter: Meter) -> PotRestarted | None:
    """The restart of a pot that is used up (15.º 6); None while something is left."""
    if meter.pot > 0:
        return None
    parameters = meter.agreed
    minimum_e4 = parameters.minimum * E4
    from_reserve_e4 = min(meter.reserve_e4, minimum_e4)
    return PotRestarted(
        from_reserve_e4=from_reserve_e4, from_house_e4=minimum_e4 - from_reserve_e4, parameters=parameters
    )
