"""The meter under any sequence of events: no money is made or lost, every hit is paid once, two change parameters."""

from fractions import Fraction

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from msgspec.structs import replace

from controller.engine.decisions.deciders import decide
from controller.engine.decisions.jackpot import ApproveParameters, ParametersRead
from controller.engine.state import jackpot
from controller.engine.state.applied import fold
from controller.engine.state.current import Settings
from controller.engine.state.jackpot import (
    E4,
    ChipContributed,
    HitConfirmed,
    HitLocked,
    HitMadePayable,
    HitWithdrawn,
    JackpotEvent,
    Meter,
    MeterOpened,
    PotRestarted,
    RestartWithdrawn,
)
from controller.engine.state.table import Table
from controller.rulebook.jackpot_award import Parameters
from controller.rulebook.refusal import Refusal
from tests.engine.playing import FIXED, PEOPLE, terms

SETTINGS = Settings(terms=terms(), people=PEOPLE)


@st.composite
def parameters(draw: st.DrawFn) -> Parameters:
    increment = draw(st.integers(0, 10_000))
    minimum = draw(st.integers(1, 10_000))
    return Parameters(
        chip=draw(st.integers(1, 5_000)),
        minimum=minimum,
        increment_bp=increment,
        reserve_bp=draw(st.integers(0, 10_000 - increment)),
        ceiling=draw(st.integers(minimum, 30_000)),
        overflow_to=draw(st.sampled_from(["overflow", "reserve"])),
        unreasonable_chips=7,
        fixed=FIXED,
    )


class MeterMachine(RuleBasedStateMachine):
    """Keeps its own books in fractions, from what happened in the world: chips placed, money handed over.

    And of the parameters: what the file says, what two persons agreed on, what governs, who approved what was asked.
    """

    meter: Meter

    @initialize(pot=st.integers(1, 20_000), reserve=st.integers(0, 20_000), terms=parameters())
    def open(self, pot: int, reserve: int, terms: Parameters) -> None:
        self.meter = jackpot.advance(
            None, MeterOpened(pot=pot, reserve=reserve, parameters=replace(terms, ceiling=max(terms.ceiling, pot)))
        )
        self.initial = Fraction(pot + reserve)
        self.kept = self.paid = self.house = Fraction(0)
        self.round: list[tuple[ChipContributed, Fraction]] = []
        self.unpaid: dict[int, int] = {}
        self.chips = 0
        self.file = self.agreed = self.governs = self.meter.parameters
        self.asked = 0
        self.approved: list[str] = []
        self.undo: tuple[HitLocked, PotRestarted, Meter] | None = None

    def happens(self, event: JackpotEvent) -> None:
        self.meter = jackpot.advance(self.meter, event)

    def receive(self, input: ParametersRead | ApproveParameters) -> None:
        table = Table(meter=self.meter)
        meter = fold(table, decide(table, input, SETTINGS, {}).events).meter
        assert meter is not None
        self.meter = meter

    @rule(seat=st.integers(1, 7))
    def place_a_chip(self, seat: int) -> None:
        self.undo = None  # the next round: nothing of the last one is corrected any more
        terms, before = self.meter.parameters, self.meter
        event = jackpot.contribution(before, 1, seat)
        self.happens(event)
        share = Fraction(terms.chip * (terms.increment_bp + terms.reserve_bp), E4)
        self.round.append((event, share))
        self.kept += share
        self.chips += 1
        assert self.meter.pot_e4 <= max(terms.ceiling * E4, before.pot_e4)

    @precondition(lambda self: self.round)
    @rule()
    def void_the_round(self) -> None:
        for event, share in self.round:
            self.happens(jackpot.give_back(event))
            self.kept -= share
            self.chips -= 1
        self.round = []

    @rule(percent=st.sampled_from([0, 10, 100]), fixed=st.integers(0, 5_000))
    def win(self, percent: int, fixed: int) -> None:
        share = self.meter.pot * percent // 100
        amount = max(share, fixed)
        number = self.meter.hits_locked + 1
        locked = HitLocked(
            hit=number, round=1, seat=1, tier="flush", amount=amount, from_pot=share,
            from_house=amount - share, article="x", cards=(),
        )  # fmt: skip
        self.happens(locked)
        self.round = []  # settled: its chips cannot go back any more
        self.house += amount - share
        self.unpaid[number] = amount
        self.undo = None
        before = self.meter
        restarted = jackpot.restart(self.meter)
        assert (restarted is not None) == (self.meter.pot == 0)
        if restarted is not None:
            self.happens(restarted)
            self.house += Fraction(restarted.from_house_e4, E4)
            self.governs = self.agreed
            self.undo = locked, restarted, before
            assert self.meter.scheduled is None
            assert self.meter.pot == self.meter.parameters.minimum
            assert restarted.from_house_e4 == 0 or self.meter.reserve_e4 == 0
        else:
            assert self.meter == before

    @precondition(lambda self: self.undo is not None)
    @rule()
    def was_not_won_after_all(self) -> None:
        assert self.undo is not None
        (locked, restarted, before), self.undo = self.undo, None
        self.happens(
            RestartWithdrawn(
                from_reserve_e4=restarted.from_reserve_e4, from_house_e4=restarted.from_house_e4,
                parameters=before.parameters, scheduled=self.meter.scheduled or before.scheduled,
            )
        )  # fmt: skip
        self.happens(HitWithdrawn(locked.hit, locked.amount, locked.from_pot, locked.from_house))
        self.house -= locked.from_house + Fraction(restarted.from_house_e4, E4)
        self.governs = before.parameters
        del self.unpaid[locked.hit]

    @rule(which=st.sampled_from(["new", "as agreed", "as it governs", "as before"]), new=parameters())
    def start_again(self, which: str, new: Parameters) -> None:
        asked_before = self.file
        self.file = {"new": new, "as agreed": self.agreed, "as it governs": self.governs, "as before": self.file}[which]
        self.receive(ParametersRead(pot=1, reserve=0, parameters=self.file))
        if self.file != asked_before:
            self.approved = []
            self.asked += self.file != self.agreed

    @precondition(lambda self: self.asked)
    @rule(actor=st.sampled_from(sorted(PEOPLE)), late=st.sampled_from([0, 0, 0, 1]))
    def someone_approves(self, actor: str, late: int) -> None:
        number = self.asked - late
        two = [*self.approved, actor]
        may = self.file != self.agreed and not late and actor not in self.approved
        may = may and (len(two) == 1 or "supervisor" in {PEOPLE[person] for person in two})
        approval = ApproveParameters(input_id="i", step_id=f"parameters/{number}", actor=actor, number=number)
        try:
            self.receive(approval)
        except Refusal:
            assert not may
            return
        assert may
        self.agreed, self.approved = (self.agreed, two) if len(two) == 1 else (self.file, [])

    @precondition(lambda self: self.unpaid)
    @rule(any_of=st.integers(0, 10**6))
    def pay(self, any_of: int) -> None:
        self.undo = None  # a hit is paid once its round is confirmed
        number = sorted(self.unpaid)[any_of % len(self.unpaid)]
        amount = self.unpaid.pop(number)
        self.happens(HitMadePayable(hit=number))
        self.happens(HitConfirmed(hit=number, actor="ana", role="dealer"))
        hit = jackpot.hit_of(self.meter, number)
        self.happens(jackpot.payment(hit, number, ("ana", "rui"), ("dealer", "supervisor")))
        self.paid += amount

    @invariant()
    def no_money_is_made_or_lost(self) -> None:
        meter = self.meter
        balance = meter.pot_e4 + meter.reserve_e4 + meter.overflow_e4 + meter.pending_e4
        assert Fraction(balance, E4) == self.initial + self.kept + self.house - self.paid
        assert meter.pending_e4 == sum(self.unpaid.values()) * E4
        assert meter.chips_counted == self.chips
        assert {hit.hit for hit in meter.hits if hit.state != "paid"} == set(self.unpaid)
        assert sum(hit.state == "paid" for hit in meter.hits) <= 25

    @invariant()
    def nothing_governs_that_two_did_not_approve(self) -> None:
        meter, waits = self.meter, self.meter.proposal
        assert (meter.parameters, meter.agreed, meter.proposals) == (self.governs, self.agreed, self.asked)
        assert (waits is None) == (self.file == self.agreed)
        if waits is not None:
            assert (waits.number, waits.parameters_before, waits.parameters_after) == (
                self.asked,
                self.agreed,
                self.file,
            )
            assert list(waits.approved_by) == self.approved


MeterMachine.TestCase.settings = settings(
    max_examples=settings().max_examples,
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
TestNoSequenceOfEventsMakesOrLosesMoney = MeterMachine.TestCase
