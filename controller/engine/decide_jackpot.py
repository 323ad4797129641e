"""What happens to the jackpot: parameters read, hits recognised, confirmed and paid, chips given back. No I/O here."""

from collections.abc import Iterator

from controller.engine import jackpot
from controller.engine.inputs import ParametersRead
from controller.engine.jackpot import (
    HitConfirmed,
    HitLocked,
    HitMadePayable,
    HitPaid,
    JackpotEvent,
    Meter,
    MeterOpened,
    ParametersScheduled,
)
from controller.engine.table import Table
from controller.rulebook.fortune_3_card_poker.settle import Settlement
from controller.rulebook.refusal import Refusal

SUPERVISOR = "supervisor"
PERSONS_FOR_A_PAYMENT = 2  # trade requirement "A jackpot hit": the dealer's confirmation and a supervisor's


def read_parameters(table: Table, read: ParametersRead) -> Iterator[JackpotEvent]:
    """Open the meter of a new journal; later, schedule what the configuration changed until the running pot is won."""
    meter = table.meter
    if meter is None:
        yield MeterOpened(pot=read.pot, reserve=read.reserve, parameters=read.parameters)
    elif read.parameters != (meter.scheduled or meter.parameters):
        yield ParametersScheduled(before=meter.parameters, after=read.parameters, actor="configuration")


def award_hits(meter: Meter, round_id: int, settlement: Settlement) -> Iterator[JackpotEvent]:
    """Lock every award of a settlement, in its order, and restart a pot of which nothing is left (15.º 3 to 6)."""
    if not settlement.jackpot:
        return
    for number, award in enumerate(settlement.jackpot.awards, start=meter.hits_locked + 1):
        locked = HitLocked(
            hit=number,
            round=round_id,
            seat=int(award.seat),
            tier=award.tier,
            amount=award.amount,
            from_pot=award.from_pot,
            from_house=award.from_house,
            article=award.article,
        )
        meter = jackpot.advance(meter, locked)
        yield locked
    restarted = jackpot.restart(meter)
    if restarted is not None:
        yield restarted


def payable_after(table: Table, round_id: int) -> Iterator[JackpotEvent]:
    """With its round confirmed, a hit may be paid."""
    for hit in table.meter.hits if table.meter is not None else ():
        if hit.round == round_id and hit.state == "locked":
            yield HitMadePayable(hit=hit.hit)


def confirm_hit(table: Table, number: int, actor: str, role: str) -> Iterator[JackpotEvent]:
    """One person's confirmation; the second one, where either is a supervisor, pays the hit, once and for ever."""
    try:
        hit = jackpot.hit_of(table.meter, number) if table.meter is not None else None
    except KeyError:
        hit = None
    policy = "policy: two persons pay a hit"
    if hit is None:
        raise Refusal(f"hit {number}", "there is no such hit", policy)
    if hit.state != "payable":
        reason = "is paid already" if hit.state == "paid" else "its round is not confirmed yet"
        raise Refusal(f"hit {number}", reason, policy)
    if actor in hit.confirmed_by:
        raise Refusal(f"hit {number}", f"{actor} has confirmed it already; another person must", policy)
    if role not in ("dealer", SUPERVISOR):
        raise Refusal(f"hit {number}", f"{actor} is a {role}; a dealer and a supervisor confirm a payment", policy)
    roles = (*hit.confirmed_roles, role)
    if len(roles) == PERSONS_FOR_A_PAYMENT and SUPERVISOR not in roles:
        raise Refusal(f"hit {number}", "one of the two who confirm must be a supervisor", policy)
    yield HitConfirmed(hit=number, actor=actor, role=role)
    if len(roles) == PERSONS_FOR_A_PAYMENT:
        yield HitPaid(hit=number, amount=hit.amount, confirmed_by=(*hit.confirmed_by, actor))


def give_chips_back(table: Table) -> Iterator[JackpotEvent]:
    """Every contribution of the round returns with its chip, part by part."""
    for contributed in table.contributed:
        yield jackpot.give_back(contributed)
