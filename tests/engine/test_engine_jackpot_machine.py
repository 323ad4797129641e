"""The meter under any sequence of events: no money is made or lost, and every hit is paid once."""

from fractions import Fraction

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from msgspec.structs import replace

from controller.engine import jackpot
from controller.engine.jackpot import (
    E4,
    ChipContributed,
    HitConfirmed,
    HitLocked,
    HitMadePayable,
    HitPaid,
    JackpotEvent,
    Meter,
    MeterOpened,
    Parameters,
    ParametersScheduled,
)
from tests.engine.playing import FIXED


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
    """Keeps its own books in fractions, from what happened in the world: chips laid, money handed over."""

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

    def happens(self, event: JackpotEvent) -> None:
        self.meter = jackpot.advance(self.meter, event)

    @rule(seat=st.integers(1, 7))
    def lay_a_chip(self, seat: int) -> None:
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
        self.happens(
            HitLocked(
                hit=number, round=1, seat=1, tier="flush", amount=amount, from_pot=share,
                from_house=amount - share, article="x",
            )
        )  # fmt: skip
        self.round = []  # settled: its chips cannot go back any more
        self.house += amount - share
        self.unpaid[number] = amount
        scheduled, before = self.meter.scheduled, self.meter
        restarted = jackpot.restart(self.meter)
        assert (restarted is not None) == (self.meter.pot == 0)
        if restarted is not None:
            self.happens(restarted)
            self.house += Fraction(restarted.from_house_e4, E4)
            assert self.meter.parameters == (scheduled or before.parameters) and self.meter.scheduled is None
            assert self.meter.pot == self.meter.parameters.minimum
            assert restarted.from_house_e4 == 0 or self.meter.reserve_e4 == 0
        else:
            assert self.meter.parameters == before.parameters and self.meter.scheduled == scheduled

    @rule(after=parameters())
    def change_parameters(self, after: Parameters) -> None:
        running = self.meter.parameters
        self.happens(ParametersScheduled(before=running, after=after, actor="configuration"))
        assert self.meter.parameters == running

    @precondition(lambda self: self.unpaid)
    @rule(any_of=st.integers(0, 10**6))
    def pay(self, any_of: int) -> None:
        number = sorted(self.unpaid)[any_of % len(self.unpaid)]
        amount = self.unpaid.pop(number)
        self.happens(HitMadePayable(hit=number))
        self.happens(HitConfirmed(hit=number, actor="ana", role="dealer"))
        self.happens(HitPaid(hit=number, amount=amount, confirmed_by=("ana", "rui")))
        self.paid += amount

    @invariant()
    def no_money_is_made_or_lost(self) -> None:
        meter = self.meter
        stands = meter.pot_e4 + meter.reserve_e4 + meter.overflow_e4 + meter.pending_e4
        assert Fraction(stands, E4) == self.initial + self.kept + self.house - self.paid
        assert meter.pending_e4 == sum(self.unpaid.values()) * E4
        assert meter.chips_counted == self.chips
        assert {hit.hit for hit in meter.hits if hit.state != "paid"} == set(self.unpaid)
        assert sum(hit.state == "paid" for hit in meter.hits) <= 25


MeterMachine.TestCase.settings = settings(
    max_examples=60, stateful_step_count=40, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
TestNoSequenceOfEventsMakesOrLosesMoney = MeterMachine.TestCase
