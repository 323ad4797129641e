"""Deciders of the jackpot: parameters read and approved, rounds confirmed, hits paid. No I/O here."""

from typing import Literal

from controller.engine.decisions.decision import (
    ADJUSTMENT,
    CoSigned,
    Course,
    DeviceInput,
    Input,
    Row,
    When,
    at,
    documented,
    refuse_no_amount,
    require_second,
)
from controller.engine.decisions.settling import close_if_cards_are_in
from controller.engine.reasons import SupervisorAct, TableReason
from controller.engine.state import jackpot
from controller.engine.state.current import open_hits, refuse_while_changes_wait
from controller.engine.state.events import SlipPrinted
from controller.engine.state.jackpot import (
    E4,
    CardsWitnessed,
    Hit,
    HitConfirmed,
    HitMadePayable,
    Meter,
    MeterAdjusted,
    MeterOpened,
    ParametersApproved,
    ParametersProposed,
    ParametersScheduled,
    ParametersWithdrawn,
)
from controller.engine.state.persons import PersonInput
from controller.engine.state.table import Table, doubted_hits
from controller.rulebook.events import RoundConfirmed
from controller.rulebook.filled import filled
from controller.rulebook.game import Game
from controller.rulebook.jackpot_award import Parameters
from controller.rulebook.reasons import LawReason
from controller.rulebook.refusal import STEP_BY_STEP, Refusal
from controller.rulebook.roles import AT_THE_TABLE, SUPERVISOR

PERSONS_FOR_A_PAYMENT = 2  # the dealer and a supervisor: no article says so, the trade does
PERSONS_FOR_PARAMETERS = 2


class ParametersRead(DeviceInput, frozen=True):
    """The configuration's jackpot parameters, received once at every start; `pot` and `reserve` are a new journal's.

    `carried_over` says where the pot ran before; empty where it starts.
    """

    pot: int
    reserve: int
    parameters: Parameters
    carried_over: str = ""


def read_parameters(course: Course, read: ParametersRead) -> None:
    """Open the meter of a new journal; later, propose parameters that differ from the agreed ones."""
    meter = course.table.meter
    if meter is None:
        course.record(MeterOpened(read.pot, read.reserve, read.parameters, read.carried_over or None))
    elif read.parameters == meter.agreed:
        if meter.proposal is not None:
            course.record(ParametersWithdrawn(number=meter.proposal.number))
    elif meter.proposal is None or read.parameters != meter.proposal.parameters_after:
        course.record(
            ParametersProposed(
                number=meter.proposals + 1, parameters_before=meter.agreed, parameters_after=read.parameters
            )
        )


class ApproveParameters(PersonInput, frozen=True):
    """One of the two persons approves the change of the jackpot's parameters. Answers ``parameters/<number>``."""

    number: int


def approve_parameters(course: Course, input: ApproveParameters) -> None:
    """One person's approval; with the second, where either is a supervisor, the parameters wait for the next pot."""
    who, policy = f"proposal {input.number}", "policy: two persons change parameters"
    meter, role = course.table.meter, course.role
    proposal = meter.proposal if meter is not None else None
    if meter is None or proposal is None:
        raise Refusal(who, TableReason.NO_PROPOSAL, policy)
    if proposal.number != input.number:
        raise Refusal(who, TableReason.ANOTHER_PROPOSAL, policy, number=proposal.number)
    if input.actor in proposal.approved_by:
        raise Refusal(who, TableReason.APPROVED_ALREADY, policy, person=input.actor)
    approved_by, roles = (*proposal.approved_by, input.actor), (*proposal.roles, role)
    if len(roles) == PERSONS_FOR_PARAMETERS and SUPERVISOR not in roles:
        raise Refusal(who, TableReason.APPROVE_WITH_SUPERVISOR, policy)
    chips, seats = proposal.parameters_after.unreasonable_chips, course.settings.terms.seat_count
    if chips < seats:
        raise Refusal(who, TableReason.CHIP_OF_EACH_SEAT, policy, chips=chips, seats=seats)
    course.record(ParametersApproved(number=input.number, actor=input.actor, role=role))
    if len(roles) == PERSONS_FOR_PARAMETERS:
        scheduled = ParametersScheduled(
            parameters_before=meter.parameters,
            parameters_after=proposal.parameters_after,
            actor="configuration",
            approved_by=approved_by,
            roles=roles,
        )
        course.record(scheduled)


class Confirm(PersonInput, frozen=True):
    """The dealer has paid and collected."""


def confirm(course: Course, input: Confirm) -> None:
    """The dealer confirms the round, if no change waits; its hits may then be paid."""
    refuse_while_changes_wait(course.table)
    course.record(RoundConfirmed(actor=input.actor))
    for hit in course.table.meter.hits if course.table.meter is not None else ():
        if hit.round == course.round.id and hit.state == "locked":
            course.record(HitMadePayable(hit=hit.hit))


class ConfirmHit(PersonInput, frozen=True):
    """One of the two persons confirms the payment of a jackpot hit."""

    hit: int


def confirm_hit(course: Course, input: ConfirmHit) -> None:
    """One person's confirmation; the second one, where either is a supervisor, pays the hit, once and for ever.

    The payment takes the next slip number: a hit that is paid is never confirmed again, so it has one slip.
    """
    meter, number, actor, role = course.table.meter, input.hit, input.actor, course.role
    try:
        hit = jackpot.hit_of(meter, number) if meter is not None else None
    except KeyError:
        hit = None
    policy = "policy: two persons pay a hit"
    if hit is None or meter is None:
        raise Refusal(f"hit {number}", TableReason.NO_SUCH_HIT, policy)
    if hit.state != "payable":
        code = TableReason.PAID_ALREADY if hit.state == "paid" else TableReason.HIT_NOT_CONFIRMED
        raise Refusal(f"hit {number}", code, policy)
    refuse_doubted(course.table, hit)
    refuse_out_of_order(meter, hit, course.game)
    if actor in hit.confirmed_by:
        raise Refusal(f"hit {number}", TableReason.CONFIRMED_ALREADY, policy, person=actor)
    if role not in AT_THE_TABLE:
        raise Refusal(f"hit {number}", TableReason.NO_PAYER, policy, person=actor, role=role)
    roles = (*hit.confirmed_roles, role)
    if len(roles) == PERSONS_FOR_A_PAYMENT and SUPERVISOR not in roles:
        raise Refusal(f"hit {number}", TableReason.PAY_WITH_SUPERVISOR, policy)
    course.record(HitConfirmed(hit=number, actor=actor, role=role))
    if len(roles) == PERSONS_FOR_A_PAYMENT:
        course.record(jackpot.payment(hit, meter.slips + 1, (*hit.confirmed_by, actor), roles))
        close_if_cards_are_in(course)


class PrintSlip(PersonInput, frozen=True):
    """A payment slip is printed, or printed again. Answers ``slip/<number>``."""

    slip: int


def slip_printed(course: Course, input: PrintSlip) -> None:
    """A slip is printed: a copy after the first time; the journal records who asked for it."""
    meter, slip = course.table.meter, input.slip
    if meter is None or not 1 <= slip <= meter.slips:
        raise Refusal("jackpot", TableReason.NO_SUCH_SLIP, "policy: payment slips")
    course.record(SlipPrinted(slip=slip, times=course.table.prints.get(slip, 0) + 1, actor=input.actor))


def refuse_doubted(table: Table, hit: Hit) -> None:
    """Raises Refusal for a hit of a linked pot whose grant two persons have to compare with the page of the pit."""
    if table.link is not None and hit.round in {doubted.round for doubted in doubted_hits(table.link)}:
        policy = "policy: two persons compare a grant of a linked pot with the page of its pit"
        raise Refusal(f"hit {hit.hit}", TableReason.GRANT_DOUBTED, policy)


def refuse_out_of_order(meter: Meter, hit: Hit, game: Game) -> None:
    """Raises Refusal for a hit while an earlier hit of its round is not paid (15.º 3, 15.º 5)."""
    for earlier in meter.hits:
        if earlier.round == hit.round and earlier.hit < hit.hit and earlier.state != "paid":
            raise Refusal(
                f"hit {hit.hit}",
                TableReason.PAID_BEFORE,
                game.paid_after(earlier.tier, hit.tier),
                hit=earlier.hit,
                seat=earlier.seat,
            )


class AdjustMeter(CoSigned, frozen=True):
    """A supervisor's documented adjustment of a part of the meter. Answers ``adjustment``."""

    part: Literal["pot", "reserve", "overflow"]
    amount: int
    reason: str


def adjust_meter(course: Course, input: AdjustMeter) -> None:
    """A supervisor's documented adjustment, only between two rounds, so that the pot of a round does not change during
    it.
    """
    require_second(course.settings.people, input.actor, input.second)
    table = course.table
    if table.meter is None:
        raise Refusal("jackpot", TableReason.NO_METER, "policy: documented adjustment")
    if table.round is not None:
        raise Refusal("jackpot", TableReason.BETWEEN_ROUNDS, "policy: documented adjustment")
    meter = table.meter
    present = {"pot": meter.pot_e4, "reserve": meter.reserve_e4, "overflow": meter.overflow_e4}[input.part]
    # What carried chips may take back with them stays.
    least = sum(
        {"pot": chip.to_pot_e4, "reserve": chip.to_reserve_e4, "overflow": chip.to_overflow_e4}[input.part]
        for chip in table.carried
    )
    refuse_no_amount(input.amount)
    if present + input.amount * E4 < least:
        raise Refusal("jackpot", TableReason.HOLDS_LESS, "policy: documented adjustment", part=input.part)
    if input.part == "pot" and meter.pot + input.amount < 1:
        raise Refusal("jackpot", TableReason.POT_EMPTY, "policy: documented adjustment")
    if input.part == "pot" and input.amount > 0 and meter.pot + input.amount > meter.parameters.ceiling:
        raise Refusal("jackpot", TableReason.POT_ABOVE_CEILING, "policy: documented adjustment")
    course.record(filled(MeterAdjusted, input, reason=documented(input.reason)))


class WitnessCards(CoSigned, frozen=True):
    """A supervisor records that the winning cards of these hits of the round, which are not paid, were seen.

    `second` saw them too.
    """

    hits: tuple[int, ...]


def witnessed(course: Course, input: WitnessCards) -> None:
    """Two persons recorded the cards of these hits, which then need not stay on the table; for games that allow it."""
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


ROWS: dict[type[Input], Row] = {
    Confirm: Row(confirm, at("confirm")),
    # By one person after the other, one of them a supervisor.
    ConfirmHit: Row(confirm_hit, answers="hit/{hit}"),
    PrintSlip: Row(slip_printed, answers="slip/{slip}"),
    AdjustMeter: Row(adjust_meter, When("between two rounds"), only=SupervisorAct.ADJUSTS, answers=ADJUSTMENT),
    ApproveParameters: Row(approve_parameters, any_role=True, answers="parameters/{number}"),
    ParametersRead: Row(read_parameters),
    WitnessCards: Row(witnessed, at("claims"), only=SupervisorAct.RECORDS_WITNESSES),
}
