"""Hits of the pot: the cards stay until they are paid, each has one slip, one withdrawn has none."""

import json
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from controller.engine.decisions.jackpot import Confirm, ConfirmHit, PrintSlip, WitnessCards
from controller.engine.decisions.session import BeginRound, CloseClaims, CloseTable
from controller.engine.state.applied import Event, fold
from controller.engine.state.jackpot import (
    CardsWitnessed,
    HitLocked,
    HitPaid,
    HitWithdrawn,
    Meter,
    PotRestarted,
    RestartWithdrawn,
)
from controller.engine.state.persons import CorrectCards, CorrectDecision, CorrectWager, Misdealt, VoidRound
from controller.engine.state.table import Table
from controller.rulebook.cards import show_cards
from controller.rulebook.events import CardSource
from controller.rulebook.games import GAMES
from tests.engine import table_2008
from tests.engine.hands import Hands
from tests.engine.places import Places
from tests.engine.playing import FIXED, PARAMETERS, Play, stacked, stacked_for
from tests.engine.spaces import Spaces
from tests.engine.test_engine_blackjack_prize import offered

TWO_STRAIGHT_FLUSHES = ("Qs Js Ts", "7s 6s 5s", "2h 3d 7c", "2c 9s 8s")
SOURCES: tuple[CardSource, ...] = ("shuffler", "shoe")


def won(source: CardSource = "shuffler") -> Play:
    """Two seats have won of the pot; the result is open and not confirmed."""
    play = Play(deck=stacked_for(source, *TWO_STRAIGHT_FLUSHES), source=source).to_wagers()
    play.bet(1, ante=100).bet(2, ante=100).chips(1, 2)
    play.lock()
    play.deal().decisions().reveal()
    assert play.at("confirm") and [hit.state for hit in play.meter.hits] == ["locked", "locked"]
    return play


def claims(source: CardSource = "shuffler") -> Play:
    play = won(source)
    play.say(Confirm)
    return play


def pay_by_two(play: Play, hit: int) -> tuple[Any, ...]:
    return play.say(ConfirmHit, hit=hit) + play.say(ConfirmHit, "rui", hit=hit)


def witness(play: Play, *hits: int, second: str = "ana") -> tuple[Any, ...]:
    return play.say(WitnessCards, "rui", hits=hits, second=second)


def clearing(play: Play) -> dict[str, Any] | None:
    """Why the cards may not be cleared away, as the screen gives it."""
    why: dict[str, Any] | None = json.loads(play.projection())["step"].get("illegal", {}).get("close_claims")
    return why


def test_art_8_6_and_15_3_the_prompt_says_what_happens_now_in_every_language() -> None:
    play = won()
    assert "seat 1, 2 and the community cards stay on the table" in play.prompt["en"]
    play.say(Confirm)
    prompt = play.prompt
    assert prompt["en"].startswith(
        "The cards of seat 1, 2 and the community cards stay on the table, face up, until the prize is paid (8.º 6))."
    )
    assert "two persons confirm hit 1, 2. Or a supervisor and a second person record" in prompt["en"]
    for text in prompt.values():
        assert "8.º 6)" in text and "15.º 3" in text
    assert "shuffler" not in prompt["en"] and "baralhador" not in prompt["pt"] and "洗牌機" not in prompt["zh"]
    pay_by_two(play, 1)
    assert "seat 2 and the community" in play.prompt["en"] and "15.º 3" not in play.prompt["en"]
    witness(play, 2)
    assert play.prompt["en"] == "Round done. Put all cards into the shuffler when no complaint is open."
    play.say(CloseClaims)
    assert play.prompt["en"].endswith("Not paid yet: hit 2.")
    play.say(CloseTable)
    assert play.prompt["pt"].endswith("Por pagar: prémio 2.")
    pay_by_two(play, 2)
    assert "prémio" not in play.prompt["pt"]


def test_art_8_6_the_settlement_says_what_is_paid_now_and_what_of_the_pot_later() -> None:
    play = won()
    payout = {"now": 600, "later": 60_070}
    assert play.public()["round"]["payouts"] == {"1": payout, "2": payout}
    prompt = play.prompt
    for seat in (1, 2):
        assert f"Seat {seat}: pay 6.00 now. Jackpot 600.70: after the round, with a supervisor." in prompt["en"]
        assert f"Lugar {seat}: pague 6.00 agora. Jackpot 600.70: depois da jogada, com o fiscal-chefe." in prompt["pt"]
        assert f"{seat}號位：現派6.00。彩池獎金600.70：本局完結後與監場主任一同派彩。" in prompt["zh"]
    play.say(Confirm)
    pay_by_two(play, 1)
    assert play.public()["round"]["payouts"] == {"2": payout}


@pytest.mark.parametrize("source", SOURCES)
def test_art_8_6_two_persons_who_saw_the_cards_let_play_resume(source: CardSource) -> None:
    play = claims(source)
    assert witness(play, 1, 2) == (CardsWitnessed(1, (1, 2), "rui", "ana", "dealer"),)
    assert [(hit.state, hit.witnessed_by) for hit in play.meter.hits] == [("payable", ("rui", "ana"))] * 2
    play.say(CloseClaims)
    play.sweep().say(BeginRound)
    assert play.round.id == 2 and play.meter.pending_e4 > 0
    pay_by_two(play, 1)
    pay_by_two(play, 2)
    assert play.meter.pending_e4 == 0


def of_2008() -> Play:
    return Play(**table_2008.TERMS).to_wagers().bet(1, ante=100)


def of_fortune_8() -> Play:
    return Spaces("8d 2c 3c 4c 5c 6c 7c").to_wagers().place_bet(1, "Ana", eight=10_000)


@pytest.mark.parametrize("play", [of_2008(), of_fortune_8(), Places()], ids=["2008", "fortune-8", "pai-kao"])
def test_a_game_without_a_prize_records_no_winning_cards(play: Play) -> None:
    play.until("claims")
    assert play.refused(WitnessCards, "rui", hits=(1,), second="ana").reason.code == "no_such_rule_here"
    assert clearing(play) is None
    play.say(CloseClaims)


# ---- The payment slip's number and cards in the table's events: one slip for each hit that is paid, and never another.


TWO_HITS = stacked("As Ks Qs", "9s 8s 7s", "Qd 9c 4h", "3c Js Ts")
DECODE = msgspec.json.Decoder(Event).decode


def won_and_open(rounds: int = 1) -> Play:
    """Two hits in each of so many rounds, payable and not paid: a straight flush at seat 2, then the royal at 1."""
    play = Play(TWO_HITS, reserve=1_000)
    for _ in range(rounds):
        play.to_wagers().bet(1, ante=100).bet(2, ante=100).chips(1, 2).lock()
        play.until("confirm").say(Confirm)
        play.clear()
        play.sweep()
    return play


def pay(play: Play, hit: int) -> HitPaid:
    play.say(ConfirmHit, hit=hit)
    [paid] = [event for event in play.say(ConfirmHit, "rui", hit=hit) if isinstance(event, HitPaid)]
    return paid


def locked(play: Play) -> list[HitLocked]:
    return play.happened(HitLocked)


def test_art_15_1_a_hit_keeps_the_players_three_and_the_two_community_cards() -> None:
    play = won_and_open()
    assert [(hit.seat, show_cards(hit.cards)) for hit in locked(play)] == [(2, "9s 8s 7s Js Ts"), (1, "As Ks Qs Js Ts")]
    assert [hit.cards for hit in play.meter.hits] == [hit.cards for hit in locked(play)]
    assert [pay(play, hit).cards for hit in (1, 2)] == [hit.cards for hit in locked(play)]


def test_slips_are_numbered_without_a_gap_in_the_order_the_hits_are_paid() -> None:
    play = won_and_open(rounds=3)
    order = [3, 1, 5, 4, 2, 6]
    paid = [pay(play, hit) for hit in order]
    assert [(payment.hit, payment.slip) for payment in paid] == [(hit, slip) for slip, hit in enumerate(order, start=1)]
    assert {hit.hit: hit.slip for hit in play.meter.hits} == {hit: slip for slip, hit in enumerate(order, start=1)}


@pytest.mark.parametrize(
    "play", [won_and_open, lambda: offered("Ac 9h Ad 8h", 1).until("claims")], ids=["2025", "blackjack"]
)
def test_after_a_restart_at_any_event_the_same_slips_are_given(play: Any) -> None:
    played: Play = play()
    for hit in [hit.hit for hit in played.meter.hits]:
        pay(played, hit)
    bodies = [msgspec.json.encode(event) for event, _ in played.entries]
    for at in range(len(bodies) + 1):
        kept = msgspec.json.encode(fold(Table(), map(DECODE, bodies[:at])))
        restarted = fold(msgspec.json.decode(kept, type=Table), map(DECODE, bodies[at:]))
        assert restarted == played.table
    slips = [event.slip for event in map(DECODE, bodies) if isinstance(event, HitPaid)]
    assert slips == list(range(1, played.meter.slips + 1)) and slips


def test_only_games_with_a_prize_are_asked_for_its_cards() -> None:
    play = Hands("").to_wagers()
    with pytest.raises(TypeError, match="fortune-8"):
        GAMES["fortune-8"].prize_cards(play.round, 1)


def test_a_game_without_a_pot_prints_no_slip() -> None:
    assert Play(chip=0).refused(PrintSlip, slip=1).who == "jackpot"


# ---- A settlement that is withdrawn leaves the meter exactly as it was before, hits and restart included.


NEW = replace(PARAMETERS, minimum=300_000, increment_bp=5_000, fixed=FIXED | {"flush": 7})


def play_of(scheduled: bool = False, reserve: int = 0, chips: bool = True) -> Play:
    """Seats 1 and 2 with ante and chip; only the last place is still to be turned."""
    play = Play(TWO_HITS, reserve=reserve)
    if scheduled:
        play.agree(NEW)
    play.to_wagers().bet(1, ante=100).bet(2, ante=100).chips(*((1, 2) if chips else ()))
    play.lock()
    return play.until("reveal")


def as_it_was(meter: Meter, before: Meter) -> bool:
    """The same but for the numbers of hits, which are spent."""
    return replace(meter, hits_locked=before.hits_locked) == before


@pytest.mark.parametrize("scheduled", [False, True])
@pytest.mark.parametrize("reserve", [0, 1_000, 900_000])
def test_a_void_after_the_settlement_undoes_hits_and_restart_part_by_part(scheduled: bool, reserve: int) -> None:
    play = play_of(scheduled, reserve)
    while play.step.to != ("community",):
        play.reveal_one()
    before = play.meter
    play.reveal_one()
    assert [hit.tier for hit in play.meter.hits] == ["straight_flush", "royal_flush"]
    assert play.meter.parameters == (NEW if scheduled else PARAMETERS)
    events = play.misdealt("order")
    assert [type(event) for event in events[:3]] == [RestartWithdrawn, HitWithdrawn, HitWithdrawn]
    assert as_it_was(play.meter, before) and play.meter.hits_locked == 2
    assert play.table.restart is None and [chip.seat for chip in play.table.carried] == [1, 2]


@pytest.mark.parametrize("scheduled", [False, True])
def test_a_supervisor_s_void_gives_the_contributions_back_too(scheduled: bool) -> None:
    play = play_of(scheduled)
    play.until("confirm").say(VoidRound, "rui", reason="power cut")
    assert play.meter.pot == 600_000 and play.meter.reserve_e4 == 0 and play.meter.chips_counted == 0
    assert play.meter.contributions_e4 == play.meter.returned_e4 and play.meter.house_funded_e4 == 0
    assert play.meter.parameters == PARAMETERS and play.meter.scheduled == (NEW if scheduled else None)


@pytest.mark.parametrize("scheduled", [False, True])
def test_a_correction_that_changes_no_award_locks_the_same_awards_under_new_numbers(scheduled: bool) -> None:
    play = play_of(scheduled, 1_000).until("confirm")
    before = play.meter
    events = play.change(CorrectWager, seat=1, wager="ante", amount=200, reason="colour")
    assert [event.hit for event in events if isinstance(event, HitWithdrawn)] == [2, 1]
    assert [event.hit for event in events if isinstance(event, HitLocked)] == [3, 4]
    assert sum(isinstance(event, PotRestarted) for event in events) == 1
    again = play.meter
    assert replace(again, hits_locked=2, hits=()) == replace(before, hits=())
    assert [replace(hit, hit=hit.hit - 2) for hit in again.hits] == list(before.hits)
    play.say(Confirm)
    for hit in (3, 4):
        play.say(ConfirmHit, hit=hit)
        play.say(ConfirmHit, "rui", hit=hit)
    assert play.refused(ConfirmHit, hit=1).article == "policy: two persons pay a hit"
    assert play.meter.pending_e4 == 0


def test_a_royal_that_was_none_leaves_the_pot_running_under_its_old_parameters() -> None:
    play = play_of(scheduled=True).until("confirm")
    assert play.meter.parameters == NEW
    events = play.change(CorrectCards, "rui", to="seat 1", cards="As Ks Jd", reason="misread")
    assert any(isinstance(event, RestartWithdrawn) for event in events)
    assert not any(isinstance(event, PotRestarted) for event in events)
    assert [(hit.hit, hit.tier, hit.amount) for hit in play.meter.hits] == [(3, "straight_flush", 60_070)]
    assert (play.meter.parameters, play.meter.scheduled) == (PARAMETERS, NEW)
    assert play.meter.pot == 600_700 - 60_070
    play.change(CorrectCards, "rui", to="seat 1", cards="As Ks Qs", reason="it was a royal after all")
    assert [hit.hit for hit in play.meter.hits] == [4, 5] and play.meter.parameters == NEW
    assert play.meter.pot == NEW.minimum


def test_a_decision_that_is_corrected_leaves_every_award_where_it_was() -> None:
    play = play_of().until("confirm")
    before = [(hit.seat, hit.amount) for hit in play.meter.hits]
    play.change(CorrectDecision, seat=1, decision="fold", reason="misheard")
    assert [(hit.seat, hit.amount) for hit in play.meter.hits] == before


def test_parameters_that_come_between_settlement_and_correction_are_not_forgotten() -> None:
    newer = replace(NEW, minimum=250_000)
    play = play_of(scheduled=True).until("confirm")
    play.agree(newer)
    play.change(CorrectCards, "rui", to="seat 1", cards="As Ks Jd", reason="misread")
    assert play.meter.parameters == PARAMETERS and play.meter.scheduled == newer


@pytest.mark.parametrize("kind", [CorrectWager, Misdealt])
def test_without_a_jackpot_bet_nothing_of_the_meter_moves(kind: Any) -> None:
    play = play_of(chips=False).until("confirm")
    before = play.meter
    if kind is CorrectWager:
        play.change(CorrectWager, seat=1, wager="ante", amount=300, reason="colour")
    else:
        play.misdealt("number")
    assert play.meter == before
