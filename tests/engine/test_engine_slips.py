"""The payment slip's number and cards in the table's events: one slip for each hit that is paid, and never another."""

from typing import Any

import msgspec
import pytest

from controller.engine.decisions.jackpot import Confirm, ConfirmHit, PrintSlip
from controller.engine.state.applied import Event, fold
from controller.engine.state.events import SlipPrinted
from controller.engine.state.jackpot import HitLocked, HitPaid
from controller.engine.state.persons import CorrectWager, Misdealt, VoidRound
from controller.engine.state.table import Table
from controller.rulebook.cards import show_cards
from controller.rulebook.games import GAMES
from controller.words import english
from tests.engine.hands import Hands
from tests.engine.playing import Play, stacked
from tests.engine.test_engine_blackjack_prize import offered

TWO_HITS = stacked("As Ks Qs", "9s 8s 7s", "Qd 9c 4h", "3c Js Ts")
DECODE = msgspec.json.Decoder(Event).decode


def won(rounds: int = 1) -> Play:
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
    play = won()
    assert [(hit.seat, show_cards(hit.cards)) for hit in locked(play)] == [
        (2, "9s 8s 7s Js Ts"),
        (1, "As Ks Qs Js Ts"),
    ]
    assert [hit.cards for hit in play.meter.hits] == [hit.cards for hit in locked(play)]
    assert [pay(play, hit).cards for hit in (1, 2)] == [hit.cards for hit in locked(play)]


@pytest.mark.parametrize(
    ("dealt", "words", "cards"),
    [
        ("Ac 9h Ad 8h", ("stand",), "Ac Ad"),
        ("Ac 9h Ac 8h 5c", ("hit", "stand"), "Ac Ac"),
        ("Ac 9h Ac 8h Ah", ("hit", "stand"), "Ac Ac Ah"),
        ("Ac 9h As 8h Ad Ah", ("hit", "hit", "stand"), "Ac As Ad"),
        ("Ac 9h As 8h Ac As", ("hit", "hit"), "Ac As Ac As"),
        ("Ac 9h Ac 8h Ac 5c", ("split", "stand"), "Ac Ac Ac"),
    ],
)
def test_blackjack_rule_42_a_hit_keeps_the_deciding_cards_in_the_order_dealt(
    dealt: str, words: tuple[str, ...], cards: str
) -> None:
    play = offered(dealt, 1).decides(*words).until("confirm")
    assert [show_cards(hit.cards) for hit in locked(play)] == [cards]


def test_slips_are_numbered_without_a_gap_in_the_order_the_hits_are_paid() -> None:
    play = won(rounds=3)
    order = [3, 1, 5, 4, 2, 6]
    paid = [pay(play, hit) for hit in order]
    assert [(payment.hit, payment.slip) for payment in paid] == [(hit, slip) for slip, hit in enumerate(order, start=1)]
    assert {hit.hit: hit.slip for hit in play.meter.hits} == {hit: slip for slip, hit in enumerate(order, start=1)}


def test_a_hit_that_was_paid_gives_no_second_slip_to_anyone() -> None:
    play = won()
    pay(play, 1)
    for actor in ("ana", "bia", "rui", "sol"):
        assert "paid already" in english(play.refused(ConfirmHit, actor, hit=1).reason)
    assert pay(play, 2).slip == 2


def test_withdrawn_hits_spend_their_numbers_and_no_slip() -> None:
    play = Play(TWO_HITS).to_wagers().bet(1, ante=100).bet(2, ante=100).chips(1, 2)
    play.lock()
    play.until("confirm").change(CorrectWager, seat=1, wager="ante", amount=200, reason="colour")
    play.say(Confirm)
    assert [pay(play, hit).slip for hit in (3, 4)] == [1, 2]
    assert english(play.refused(ConfirmHit, hit=1).reason) == "there is no such hit"


@pytest.mark.parametrize(
    "void", [(VoidRound, "rui", {"reason": "power cut"}), (Misdealt, "rui", {"what": "order", "reason": "seen late"})]
)
def test_a_round_that_is_void_has_no_hit_to_pay_and_one_that_is_paid_is_void_no_more(void: tuple[Any, ...]) -> None:
    kind, actor, fields = void
    play = Play(TWO_HITS).to_wagers().bet(1, ante=100).bet(2, ante=100).chips(1, 2)
    play.lock()
    play.until("confirm").say(kind, actor, **fields)
    assert "no such hit" in english(play.refused(ConfirmHit, hit=1).reason)
    assert (play.meter.slips, play.meter.hits) == (0, ())

    play = Play(TWO_HITS).to_wagers().bet(1, ante=100).bet(2, ante=100).chips(1, 2)
    play.lock()
    play.until("confirm").say(Confirm)
    pay(play, 1)
    assert "no round that this could change" in english(play.refused(kind, actor, **fields).reason)
    assert play.meter.hits[0].state == "paid"


@pytest.mark.parametrize("play", [won, lambda: offered("Ac 9h Ad 8h", 1).until("claims")], ids=["2025", "blackjack"])
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


def test_every_print_of_a_slip_is_counted_with_who_asked_for_it() -> None:
    play = won()
    pay(play, 1)
    for times, actor in ((1, "ana"), (2, "rui"), (3, "ana")):
        assert play.say(PrintSlip, actor, slip=1) == (SlipPrinted(slip=1, times=times, actor=actor),)
    pay(play, 2)
    assert play.say(PrintSlip, slip=2) == (SlipPrinted(slip=2, times=1, actor="ana"),)
    assert play.table.prints == {1: 3, 2: 1}


@pytest.mark.parametrize("slip", [0, -1, 2])
def test_a_slip_that_was_never_given_is_not_printed(slip: int) -> None:
    play = won()
    pay(play, 1)
    assert play.refused(PrintSlip, slip=slip).article == "policy: payment slips"
    assert Play(chip=0).refused(PrintSlip, slip=1).who == "jackpot"
