"""A changed [jackpot] waits for two persons: proposed, approved, withdrawn, replaced; the old one governs meanwhile."""

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from controller.engine.decisions.deciders import StaleStep
from controller.engine.decisions.jackpot import ApproveParameters, Confirm
from controller.engine.state.applied import Event
from controller.engine.state.jackpot import (
    E4,
    ParametersApproved,
    ParametersProposed,
    ParametersScheduled,
    ParametersWithdrawn,
    PotRestarted,
    RestartWithdrawn,
)
from controller.engine.state.persons import CorrectCards, CorrectWager
from controller.rulebook.jackpot_award import Parameters
from controller.words import english
from tests.engine.playing import CHIP, FIXED, PARAMETERS, Play, stacked

ROYAL = stacked("As Ks Qs", "Qd 9c 4h", "3c Js Ts")
NEW = replace(PARAMETERS, chip=1_000, minimum=300_000, ceiling=800_000, fixed=FIXED | {"flush": 7})
NEWER = replace(NEW, minimum=250_000, overflow_to="reserve")
POLICY = "policy: two persons change parameters"


def proposed(*parameters: Parameters, deck: Any = ROYAL) -> Play:
    """A table whose configuration was changed so, start after start."""
    play = Play(deck)
    for parameter in parameters or (NEW,):
        play.propose(parameter)
    return play


def approve(play: Play, *actors: str, number: int = 1) -> tuple[Event, ...]:
    events: tuple[Event, ...] = ()
    for actor in actors:
        events = play.say(ApproveParameters, actor, number=number)
    return events


def settled(play: Play) -> Play:
    """A round that wins the pot, settled and not yet confirmed."""
    play.to_wagers().bet(1, ante=100).chips(1)
    play.lock()
    return play.until("confirm")


def public(play: Play) -> Any:
    return msgspec.json.decode(play.projection())["jackpot"]


# ---- proposed


def test_a_changed_configuration_is_a_proposal_and_the_old_parameters_govern() -> None:
    play = Play(ROYAL)
    before = play.meter
    assert play.propose(NEW) == (ParametersProposed(number=1, parameters_before=PARAMETERS, parameters_after=NEW),)
    assert replace(play.meter, proposal=None, proposals=0) == before and play.meter.agreed == PARAMETERS
    play.settings = replace(play.settings, terms=replace(play.settings.terms, chip=NEW.chip))
    settled(play)
    assert (play.round.terms.chip, play.meter.contributions_e4) == (CHIP, CHIP * 8_000)
    assert play.meter.hits[0].amount == 600_350
    assert (play.meter.parameters, play.meter.pot) == (PARAMETERS, PARAMETERS.minimum)
    waits = play.meter.proposal
    assert waits is not None and (waits.number, waits.parameters_before, waits.parameters_after) == (1, PARAMETERS, NEW)


def test_the_first_approval_changes_nothing_and_the_second_schedules() -> None:
    play = proposed()
    assert approve(play, "ana") == (ParametersApproved(number=1, actor="ana", role="dealer"),)
    assert (play.meter.scheduled, play.meter.agreed) == (None, PARAMETERS)
    assert approve(play, "rui") == (
        ParametersApproved(number=1, actor="rui", role="supervisor"),
        ParametersScheduled(
            parameters_before=PARAMETERS,
            parameters_after=NEW,
            actor="configuration",
            approved_by=("ana", "rui"),
            roles=("dealer", "supervisor"),
        ),
    )
    assert (play.meter.parameters, play.meter.scheduled, play.meter.proposal) == (PARAMETERS, NEW, None)
    play.settings = replace(play.settings, terms=replace(play.settings.terms, chip=NEW.chip))
    settled(play)
    assert (play.meter.parameters, play.meter.scheduled, play.meter.pot) == (NEW, None, NEW.minimum)
    assert play.round.terms.chip == CHIP and play.until("begin").sweep().to_wagers().round.terms.chip == NEW.chip


def test_the_public_jackpot_has_the_proposal_with_those_who_approved_and_then_what_is_scheduled() -> None:
    play = Play(ROYAL)
    before, after = msgspec.to_builtins(PARAMETERS), msgspec.to_builtins(NEW)
    assert (public(play)["proposed"], public(play)["scheduled"]) == (None, None)
    play.propose(NEW)
    assert public(play)["proposed"] == {
        "number": 1,
        "parameters_before": before,
        "parameters_after": after,
        "approved_by": [],
        "roles": [],
    }
    approve(play, "mei")
    assert public(play)["proposed"] == {
        "number": 1,
        "parameters_before": before,
        "parameters_after": after,
        "approved_by": ["mei"],
        "roles": ["technician"],
    }
    assert public(play)["scheduled"] is None
    approve(play, "rui")
    assert (public(play)["proposed"], public(play)["scheduled"]) == (None, after)
    settled(play)
    assert (public(play)["proposed"], public(play)["scheduled"], public(play)["minimum"]) == (None, None, NEW.minimum)


def test_the_floor_is_notified_of_proposal_approvals_withdrawal_and_schedule() -> None:
    play = proposed()
    approve(play, "ana", "rui")
    play.propose(NEWER)
    play.propose(NEW)
    published = [
        channel.split(b" ", 1) for channel in play.channels if channel.startswith(b"dealer/site/t1/events/param")
    ]
    contents = [(topic.rsplit(b"/", 1)[1].decode(), msgspec.json.decode(body)["data"]) for topic, body in published]
    assert [kind for kind, _ in contents] == [
        "parameters_proposed", "parameters_approved", "parameters_approved", "parameters_scheduled",
        "parameters_proposed", "parameters_withdrawn",
    ]  # fmt: skip
    assert (
        contents[0][1]["parameters_before"]["minimum"] == PARAMETERS.minimum
        and contents[0][1]["parameters_after"]["minimum"] == NEW.minimum
    )
    assert contents[2][1] | {"sequence": 0} == {
        "schema": 1, "sequence": 0, "number": 1, "actor": "rui", "role": "supervisor",
    }  # fmt: skip
    assert (contents[3][1]["approved_by"], contents[3][1]["roles"]) == (["ana", "rui"], ["dealer", "supervisor"])
    assert contents[5][1] | {"sequence": 0} == {"schema": 1, "sequence": 0, "number": 2}


# ---- who approves


@pytest.mark.parametrize(
    "two", [("ana", "rui"), ("rui", "ana"), ("rui", "sol"), ("mei", "rui"), ("rui", "mei")], ids="-".join
)
def test_any_two_persons_approve_where_one_is_a_supervisor(two: tuple[str, str]) -> None:
    scheduled = approve(proposed(), *two)[1]
    assert isinstance(scheduled, ParametersScheduled)
    roles = {"ana": "dealer", "rui": "supervisor", "sol": "supervisor", "mei": "technician"}
    assert (scheduled.approved_by, scheduled.roles) == (two, tuple(roles[person] for person in two))


@pytest.mark.parametrize("two", [("ana", "bia"), ("ana", "mei"), ("mei", "ana")], ids="-".join)
def test_without_a_supervisor_the_second_is_refused_and_the_first_still_counts(two: tuple[str, str]) -> None:
    play = proposed()
    approve(play, two[0])
    refusal = play.refused(ApproveParameters, two[1], number=1)
    assert (refusal.who, refusal.article) == ("proposal 1", POLICY)
    assert "must be a supervisor" in english(refusal.reason)
    approve(play, "sol")
    assert play.meter.scheduled == NEW


def test_one_person_approves_once_a_supervisor_too() -> None:
    play = proposed()
    approve(play, "rui")
    assert "a second person" in english(play.refused(ApproveParameters, "rui", number=1).reason)
    approve(play, "sol")
    for actor in ("rui", "ana"):
        refusal = play.refused(ApproveParameters, actor, number=1)
        assert (english(refusal.reason), refusal.article) == ("no change of the parameters waits for approval", POLICY)


def test_no_one_else_approves_and_no_other_step_is_answered() -> None:
    play = proposed()
    assert play.refused(ApproveParameters, "zoe", number=1).article == "policy: named actors"
    assert "proposal 1" in english(play.refused(ApproveParameters, number=2).reason)
    assert "proposal 1" in english(play.refused(ApproveParameters, number=-1).reason)
    for step_id in ("parameters/2", "parameters", play.step.id):
        with pytest.raises(StaleStep) as stale:
            play.check(ApproveParameters(input_id="i", step_id=step_id, actor="ana", number=1))
        assert stale.value.current == "parameters/1"


def test_where_there_is_no_meter_there_is_nothing_to_approve() -> None:
    assert Play(chip=0).refused(ApproveParameters, "rui", number=1).article == POLICY


def test_it_is_approved_at_any_time_and_changes_nothing_of_the_step() -> None:
    play = proposed(deck=ROYAL)
    assert play.at("open")
    approve(play, "ana")
    play.to_wagers().bet(1, ante=100).chips(1)
    play.lock()
    play.until("reveal")
    step, round = play.step, play.round
    approve(play, "rui")
    assert (play.step, play.round) == (step, round)
    play.until("confirm")
    assert play.meter.parameters == NEW, "the pot was won after it was agreed on"


# ---- changed again, put back


def test_a_file_changed_again_is_another_proposal_and_the_old_approvals_are_void() -> None:
    play = proposed()
    approve(play, "ana")
    assert play.propose(NEWER) == (ParametersProposed(number=2, parameters_before=PARAMETERS, parameters_after=NEWER),)
    assert public(play)["proposed"]["approved_by"] == []
    refusal = play.refused(ApproveParameters, "rui", number=1)
    assert (refusal.who, english(refusal.reason)) == ("proposal 1", "it is proposal 2 that waits for approval")
    approve(play, "rui", number=2)
    assert play.meter.scheduled is None
    approve(play, "ana", number=2)
    assert play.meter.scheduled == NEWER


def test_a_file_put_back_withdraws_the_proposal_and_its_number_is_spent() -> None:
    play = proposed()
    approve(play, "ana")
    assert play.propose(PARAMETERS) == (ParametersWithdrawn(number=1),)
    assert public(play)["proposed"] is None
    assert play.refused(ApproveParameters, "rui", number=1).article == POLICY
    assert play.propose(PARAMETERS) == ()
    assert play.propose(NEW) == (ParametersProposed(number=2, parameters_before=PARAMETERS, parameters_after=NEW),)
    approve(play, "rui", number=2)
    assert play.meter.scheduled is None, "what was approved before the withdrawal does not count"


def test_another_start_with_the_same_file_says_nothing_and_keeps_the_approval() -> None:
    play = proposed()
    approve(play, "ana")
    assert play.propose(NEW) == ()
    approve(play, "rui")
    assert play.propose(NEW) == () and play.meter.scheduled == NEW


# ---- while another change is scheduled


def test_a_proposal_beside_a_scheduled_change_leaves_it_in_force_until_it_is_approved() -> None:
    play = Play(ROYAL)
    play.agree(NEW)
    assert play.propose(NEWER) == (ParametersProposed(number=2, parameters_before=NEW, parameters_after=NEWER),)
    assert (play.meter.scheduled, public(play)["scheduled"]["minimum"]) == (NEW, NEW.minimum)
    settled(play)
    assert (play.meter.parameters, play.meter.scheduled) == (NEW, None)
    approve(play, "ana", "rui", number=2)
    assert play.meter.scheduled == NEWER


def test_a_proposal_that_is_approved_takes_the_place_of_the_scheduled_change() -> None:
    play = Play(ROYAL)
    play.agree(NEW)
    scheduled = play.agree(NEWER)[1]
    assert isinstance(scheduled, ParametersScheduled) and scheduled.parameters_before == PARAMETERS
    settled(play)
    assert (play.meter.parameters, play.meter.scheduled) == (NEWER, None)


def test_what_is_scheduled_goes_back_only_by_two_persons_either() -> None:
    play = Play(ROYAL)
    play.agree(NEW)
    assert play.propose(PARAMETERS) == (
        ParametersProposed(number=2, parameters_before=NEW, parameters_after=PARAMETERS),
    )
    assert play.propose(NEW) == (ParametersWithdrawn(number=2),)
    play.agree(PARAMETERS)
    assert (public(play)["proposed"], public(play)["scheduled"]) == (None, None), "nothing else is to come"
    settled(play)
    assert play.meter.parameters == PARAMETERS


# ---- the restart, and the restart withdrawn


def test_a_restart_withdrawn_brings_back_parameters_and_schedule_and_the_proposal_stays() -> None:
    play = Play(ROYAL)
    play.agree(NEW)
    settled(play)
    play.propose(NEWER)
    approve(play, "ana", number=2)
    waits = play.meter.proposal
    events = play.change(CorrectCards, "rui", to="seat 1", cards="As Ks Jd", reason="misread")
    assert any(isinstance(event, RestartWithdrawn) for event in events)
    assert (play.meter.parameters, play.meter.scheduled, play.meter.proposal) == (PARAMETERS, NEW, waits)
    assert waits is not None and waits.parameters_before == NEW == play.meter.agreed and waits.approved_by == ("ana",)
    approve(play, "rui", number=2)
    play.change(CorrectCards, "rui", to="seat 1", cards="As Ks Qs", reason="it was a royal after all")
    assert (play.meter.parameters, play.meter.pot) == (NEWER, NEWER.minimum)


def test_a_correction_after_an_approval_restarts_the_pot_with_what_was_approved() -> None:
    play = settled(Play(ROYAL))
    assert play.meter.pot == PARAMETERS.minimum
    play.agree(NEW)
    events = play.change(CorrectWager, seat=1, wager="ante", amount=200, reason="colour")
    restarted = next(event for event in events if isinstance(event, PotRestarted))
    assert (restarted.parameters, play.meter.pot, play.meter.scheduled) == (NEW, NEW.minimum, None)
    settlement = play.round.settlement
    assert settlement is not None and settlement.jackpot and settlement.jackpot.pot_after == NEW.minimum
    play.say(Confirm)


def test_a_new_ceiling_below_the_running_pot_waits_for_a_pot_that_is_below_it() -> None:
    low = replace(PARAMETERS, minimum=400_000, ceiling=400_000)
    play = Play(ROYAL)
    play.agree(low)
    settled(play)
    award = play.meter.hits[0].amount
    assert award == 600_350 > low.ceiling, "until it is won the pot grows under its old ceiling"
    assert play.meter.parameters == low and play.meter.pot_e4 == low.ceiling * E4
    play.until("begin").sweep()
    play.to_wagers().bet(1, ante=100).chips(1)
    play.lock()
    assert play.meter.pot == low.ceiling and play.meter.overflow_e4 == CHIP * low.increment_bp


def test_parameters_by_which_a_chip_of_each_seat_would_not_count_are_approved_by_no_one() -> None:
    play = proposed(replace(NEW, unreasonable_chips=5))
    for actor in ("ana", "rui"):
        refusal = play.refused(ApproveParameters, actor, number=1)
        assert refusal.article == POLICY and refusal.reason.values == {"chips": 5, "seats": 6}
    play.propose(replace(NEW, unreasonable_chips=6))
    approve(play, "ana", "rui", number=2)
