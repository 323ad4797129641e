"""The meter in the live round: contributions, hits and who pays them, restarts, parameters."""

from fractions import Fraction
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from msgspec.structs import replace

from controller.engine.decisions.deciders import decide
from controller.engine.decisions.jackpot import ApproveParameters, Confirm, ConfirmHit, ParametersRead
from controller.engine.shown.projection import public_jackpot
from controller.engine.shown.public import PublicWhy, Turn
from controller.engine.state import jackpot
from controller.engine.state.applied import fold
from controller.engine.state.current import Settings
from controller.engine.state.jackpot import (
    E4,
    ChipContributed,
    ConservationBroken,
    HitConfirmed,
    HitLocked,
    HitMadePayable,
    HitPaid,
    HitWithdrawn,
    JackpotEvent,
    Meter,
    MeterOpened,
    PotRestarted,
    RestartWithdrawn,
)
from controller.engine.state.table import Table
from controller.rulebook.games import GAMES, game_of
from controller.rulebook.jackpot_award import Parameters
from controller.rulebook.refusal import Refusal
from controller.rulebook.steps import StepKind
from controller.statistics.course import moved_e4
from controller.words import english
from tests.engine.playing import CHIP, FIXED, PARAMETERS, PEOPLE, Play, cards, stacked, terms

FLUSH_AND_FOUR = ("2s 5s 9s", "7h 7d 7c", "Qd 9c 4h", "3c Ks 7s")  # seats 1 and 2, bank, discard and two
FLUSH = ("2s 5s 9s", "Qd 9c 4h", "3c Ks 7s")
ROYAL = ("As Ks Qs", "Qd 9c 4h", "3c Js Ts")
STRAIGHT_FLUSH_AND_ROYAL = ("As Ks Qs", "9s 8s 7s", "Qd 9c 4h", "3c Js Ts")


def play_of(deck: tuple[str, ...], **changed: Any) -> Play:
    """Every seat of the deck with ante and chip, until the last hand is shown."""
    play = Play(stacked(*deck), **changed).to_wagers()
    for seat in range(1, len(deck) - 1):
        play.bet(seat, ante=100).chips(seat)
    play.lock()
    return play.deal().decisions().reveal()


def close(play: Play) -> Play:
    play.say(Confirm)
    play.clear()
    return play.sweep()


def test_a_chip_moves_pot_and_reserve_by_its_rates_to_the_last_fraction() -> None:
    meter = jackpot.advance(None, MeterOpened(pot=1, reserve=0, parameters=replace(PARAMETERS, chip=7, ceiling=10)))
    chip = jackpot.contribution(meter, 1, 1)
    assert (chip.to_pot_e4, chip.to_reserve_e4, chip.to_overflow_e4) == (7 * 7000, 7 * 1000, 0)
    assert jackpot.advance(meter, chip).pot == 5  # 1 + 4.9


@pytest.mark.parametrize("target", ["overflow", "reserve"])
def test_what_passes_the_ceiling_goes_where_the_parameters_say(target: str) -> None:
    parameters = replace(PARAMETERS, chip=100, increment_bp=10_000, reserve_bp=0, ceiling=1_050)
    parameters = replace(parameters, overflow_to=target)
    meter = jackpot.advance(None, MeterOpened(pot=1_000, reserve=0, parameters=parameters))
    for _ in range(3):
        meter = jackpot.advance(meter, jackpot.contribution(meter, 1, 1))
    assert meter.pot == 1_050
    assert (meter.overflow_e4, meter.reserve_e4) == ((250 * E4, 0) if target == "overflow" else (0, 250 * E4))


@pytest.mark.parametrize("target", ["overflow", "reserve"])
def test_a_contribution_goes_back_exactly_even_across_the_ceiling(target: str) -> None:
    parameters = replace(PARAMETERS, ceiling=600_100, overflow_to=target)
    meter = jackpot.advance(None, MeterOpened(pot=600_000, reserve=5, parameters=parameters))
    before, chips = meter, []
    for seat in (1, 2, 3):
        chips.append(jackpot.contribution(meter, 1, seat))
        meter = jackpot.advance(meter, chips[-1])
    for chip in chips:
        meter = jackpot.advance(meter, jackpot.give_back(chip))
    assert (meter.pot_e4, meter.reserve_e4, meter.overflow_e4) == (before.pot_e4, before.reserve_e4, before.overflow_e4)
    assert meter.chips_counted == 0 and meter.contributions_e4 == meter.returned_e4 > 0


def test_a_meter_that_would_hold_more_or_less_than_came_in_is_a_defect() -> None:
    meter = jackpot.advance(None, MeterOpened(pot=1_000, reserve=0, parameters=PARAMETERS))
    wrong = HitLocked(1, 1, 1, "flush", amount=10, from_pot=5, from_house=4, article="x", cards=())
    with pytest.raises(ConservationBroken):
        jackpot.advance(meter, wrong)
    with pytest.raises(ConservationBroken):
        jackpot.advance(meter, replace(wrong, amount=2_000, from_pot=2_000, from_house=0))
    with pytest.raises(ConservationBroken):
        jackpot.advance(None, wrong)


def test_a_hit_is_locked_at_the_settlement_payable_with_the_round_and_paid_by_two() -> None:
    play = play_of(FLUSH)
    hit = play.meter.hits[0]
    assert (hit.hit, hit.round, hit.seat, hit.tier, hit.amount, hit.state) == (
        1,
        1,
        1,
        "flush",
        FIXED["flush"],
        "locked",
    )
    assert play.meter.pending_e4 == hit.amount * E4
    assert "confirmed yet" in english(play.refused(ConfirmHit, hit=1).reason)
    assert HitMadePayable(hit=1) in play.say(Confirm)
    assert [hit.state for hit in play.meter.hits] == ["payable"]
    assert play.say(ConfirmHit, hit=1) == (HitConfirmed(hit=1, actor="ana", role="dealer"),)
    play.clear()
    play.to_wagers()  # play continues meanwhile
    assert play.say(ConfirmHit, "rui", hit=1)[1] == HitPaid(
        hit=1,
        amount=1_000,
        confirmed_by=("ana", "rui"),
        roles=("dealer", "supervisor"),
        slip=1,
        round=1,
        seat=1,
        tier="flush",
        cards=cards("2s 5s 9s Ks 7s"),
    )
    assert [hit.state for hit in play.meter.hits] == ["paid"] and play.meter.pending_e4 == 0
    assert play.meter.paid_e4 == play.meter.house_funded_e4 == 1_000 * E4


def test_a_payment_needs_two_actors_one_of_them_a_supervisor_and_happens_once() -> None:
    play = close(play_of(FLUSH))
    assert (play.refused(ConfirmHit, "mei", hit=1).article or "").startswith("policy: ")
    play.say(ConfirmHit, hit=1)
    assert "a second person" in english(play.refused(ConfirmHit, hit=1).reason)
    assert "supervisor" in english(play.refused(ConfirmHit, "bia", hit=1).reason)
    assert play.refused(ConfirmHit, "mei", hit=1)
    play.say(ConfirmHit, "sol", hit=1)
    for actor in ("ana", "rui", "sol"):
        assert "paid already" in english(play.refused(ConfirmHit, actor, hit=1).reason)
    assert "no such hit" in english(play.refused(ConfirmHit, hit=2).reason)


def test_a_supervisor_may_be_first_and_two_supervisors_may_pay() -> None:
    play = close(play_of(FLUSH))
    play.say(ConfirmHit, "rui", hit=1)
    assert play.refused(ConfirmHit, "rui", hit=1)
    play.say(ConfirmHit, "sol", hit=1)
    assert play.meter.hits[0].confirmed_by == ("rui", "sol")


def test_hits_of_one_round_and_of_the_next_queue_in_order() -> None:
    play = close(play_of(FLUSH_AND_FOUR))
    play.to_wagers().bet(1, ante=100).bet(2, ante=100).chips(1, 2)
    play.lock()
    play.deal().decisions().reveal()
    assert [(hit.hit, hit.round, hit.seat, hit.tier) for hit in play.meter.hits] == [
        (1, 1, 1, "flush"),
        (2, 1, 2, "four_of_a_kind"),
        (3, 2, 1, "flush"),
        (4, 2, 2, "four_of_a_kind"),
    ]
    assert [hit.state for hit in play.meter.hits] == ["payable", "payable", "locked", "locked"]
    assert b"GANHOU 10.00 LUGAR 1" in play.projection()
    for hit in (1, 2):
        play.say(ConfirmHit, hit=hit)
        play.say(ConfirmHit, "rui", hit=hit)
    assert [hit.state for hit in play.meter.hits] == ["paid", "paid", "locked", "locked"]


def test_art_15_6_an_emptied_pot_restarts_from_the_reserve_and_then_from_the_house() -> None:
    play = play_of(ROYAL, pot=600_000, reserve=1_000)
    restarted = play.happened(PotRestarted)
    reserve_e4 = 1_000 * E4 + CHIP * PARAMETERS.reserve_bp
    assert [(event.from_reserve_e4, event.from_house_e4) for event in restarted] == [
        (reserve_e4, PARAMETERS.minimum * E4 - reserve_e4)
    ]
    assert play.meter.pot == PARAMETERS.minimum and play.meter.reserve_e4 == 0
    assert play.meter.hits[0].amount == 600_350  # the chip of this round included
    settlement = play.round.settlement
    assert settlement is not None and settlement.jackpot
    assert (settlement.jackpot.pot_before, settlement.jackpot.pot_after) == (600_350, PARAMETERS.minimum)


def test_art_15_6_a_reserve_that_is_large_enough_feeds_the_whole_restart() -> None:
    play = play_of(ROYAL, pot=600_000, reserve=900_000)
    assert play.meter.house_funded_e4 == 0
    assert play.meter.reserve_e4 == (900_000 - PARAMETERS.minimum) * E4 + CHIP * PARAMETERS.reserve_bp


def test_a_fraction_under_one_minor_unit_stays_in_the_pot_through_a_restart() -> None:
    parameters = replace(PARAMETERS, chip=501, increment_bp=7_001)
    play = play_of(ROYAL, parameters=parameters)
    assert play.meter.pot_e4 == PARAMETERS.minimum * E4 + (501 * 7_001) % E4
    assert play.meter.pot == PARAMETERS.minimum


def test_art_15_5_live_the_straight_flush_is_locked_before_the_royal() -> None:
    play = play_of(STRAIGHT_FLUSH_AND_ROYAL)
    first, second = play.meter.hits
    assert (first.seat, first.tier, first.amount) == (2, "straight_flush", 60_070)
    assert (second.seat, second.tier, second.amount) == (1, "royal_flush", 600_700 - 60_070)
    assert play.meter.pot == PARAMETERS.minimum


def test_art_15_6_a_pot_that_is_only_reduced_does_not_restart() -> None:
    play = play_of(("9s 8s 7s", "Qd 9c 4h", "3c Js Ts"), pot=400_000)
    assert play.meter.pot == 400_350 - 40_035 < PARAMETERS.minimum
    assert not any(isinstance(event, PotRestarted) for event, _ in play.entries)


def test_parameters_as_they_are_change_nothing() -> None:
    play = Play()
    assert play.receive(ParametersRead(pot=99, reserve=99, parameters=PARAMETERS)) == ()
    assert play.meter.pot == 600_000


def test_the_last_25_paid_hits_are_kept_and_all_unpaid_ones() -> None:
    meter: Meter = jackpot.advance(None, MeterOpened(pot=1_000, reserve=0, parameters=PARAMETERS))
    for number in range(1, 61):
        meter = jackpot.advance(
            meter, HitLocked(number, number, 1, "flush", amount=5, from_pot=0, from_house=5, article="x", cards=())
        )
    for number in range(1, 51):
        meter = jackpot.advance(meter, HitMadePayable(hit=number))
        paid = jackpot.payment(jackpot.hit_of(meter, number), number, ("ana", "rui"), ("dealer", "supervisor"))
        meter = jackpot.advance(meter, paid)
    assert [hit.hit for hit in meter.hits] == [*range(26, 61)]
    assert meter.pending_e4 == 10 * 5 * E4 and meter.paid_e4 == 50 * 5 * E4


def why_blocked(play: Play) -> dict[int, PublicWhy]:
    """What the screens are notified of hits that are not the next to be paid."""
    return public_jackpot(play.meter, game_of(play.round)).blocked


def test_art_15_5_the_royal_flush_is_confirmed_when_the_straight_flush_is_paid() -> None:
    play = play_of(STRAIGHT_FLUSH_AND_ROYAL)
    play.say(Confirm)
    assert [(hit.hit, hit.seat, hit.tier) for hit in play.meter.hits] == [
        (1, 2, "straight_flush"), (2, 1, "royal_flush")
    ]  # fmt: skip
    for confirmed in range(2):
        for actor in ("ana", "rui"):
            why = play.refused(ConfirmHit, actor, hit=2)
            assert (why.who, english(why.reason)) == ("hit 2", "hit 1 of seat 2 is paid before it")
        [(hit, blocked_by)] = why_blocked(play).items()
        assert (hit, blocked_by.reason, blocked_by.rule) == (
            2,
            english(why.reason),
            why.article,
        ) and why.article == "15.º 5"
        play.say(ConfirmHit, ("ana", "rui")[confirmed], hit=1)
    assert why_blocked(play) == {}
    play.say(ConfirmHit, hit=2)
    play.say(ConfirmHit, "rui", hit=2)
    assert [(hit.tier, hit.slip) for hit in play.meter.hits] == [("straight_flush", 1), ("royal_flush", 2)]


def test_art_15_3_and_15_5_the_screen_shows_the_order_in_which_prizes_are_paid() -> None:
    play = play_of(STRAIGHT_FLUSH_AND_ROYAL)
    kinds: tuple[StepKind, ...] = ("confirm", "claims", "begin")
    for kind in kinds:
        words = msgspec.json.decode(play.until(kind).projection())["step"]["prompt"]
        assert "Prizes in this order: 1. seat 2: 600.70; 2. seat 1: 5,406.30 (15.º 5)." in words["en"]
        assert all("1. " in text and "600.70" in text and "15.º 5" in text for text in words.values())
        assert public_jackpot(play.meter, GAMES[play.table.game]).turns == {1: Turn(1, 2), 2: Turn(2, 2)}
    for actor in ("ana", "rui"):
        play.say(ConfirmHit, actor, hit=1)
    assert "order" not in msgspec.json.decode(play.projection())["step"]["prompt"]["en"]
    assert public_jackpot(play.meter, GAMES[play.table.game]).turns == {}
    play = play_of(FLUSH_AND_FOUR)
    seats = [hit.seat for hit in play.meter.hits]
    assert seats == sorted(seats) and "(15.º 3)." in msgspec.json.decode(play.projection())["step"]["prompt"]["en"]


# ---- The meter under any sequence of events: no money is made or lost, every hit is paid once


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
        before = self.meter.pot_e4
        self.meter = jackpot.advance(self.meter, event)
        assert (moved_e4(event) or 0) == self.meter.pot_e4 - before, "the figures show it so"

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
