"""2025, 8.º 6), 15.º 3: the cards of a round stay on the table until its prizes are paid, or two persons saw them."""

import json
from typing import Any

import pytest

from controller.engine.decisions.corrections import AdjustRound, Complain, DecideComplaint
from controller.engine.decisions.jackpot import Confirm, ConfirmHit, WitnessCards
from controller.engine.decisions.session import BeginRound, CloseClaims, CloseTable, InsertionReported, OpenTable
from controller.engine.state.applied import apply
from controller.engine.state.jackpot import CardsWitnessed, HitPaid
from controller.engine.state.persons import CorrectCards
from controller.engine.state.table import Table
from controller.rulebook.events import CardsInserted, CardSource, ClaimsClosed
from controller.words import english
from tests.engine import table_2008
from tests.engine.hands import Hands
from tests.engine.places import Places
from tests.engine.playing import Play, stacked_for
from tests.engine.spaces import Spaces

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


def pay(play: Play, hit: int) -> tuple[Any, ...]:
    return play.say(ConfirmHit, hit=hit) + play.say(ConfirmHit, "rui", hit=hit)


def witness(play: Play, *hits: int, second: str = "ana") -> tuple[Any, ...]:
    return play.say(WitnessCards, "rui", hits=hits, second=second)


def prompted(play: Play) -> dict[str, str]:
    prompt: dict[str, str] = json.loads(play.projection())["step"]["prompt"]
    return prompt


def clearing(play: Play) -> dict[str, Any] | None:
    """Why the cards may not be cleared away, as the screen gives it."""
    why: dict[str, Any] | None = json.loads(play.projection())["step"].get("illegal", {}).get("close_claims")
    return why


@pytest.mark.parametrize("source", SOURCES)
def test_art_8_6_the_cards_stay_until_each_prize_is_paid(source: CardSource) -> None:
    play = won(source)
    assert clearing(play) is not None
    play.say(Confirm)
    for hit in (1, 2):
        refusal = play.refused(CloseClaims)
        assert (refusal.who, refusal.article) == (f"seat {hit}", "8.º 6)")
        assert f"hit {hit} is not paid" in english(refusal.reason)
        why = clearing(play)
        assert why is not None and (why["code"], why["rule"]) == ("hit_unpaid_or_seen", "8.º 6)")
        assert not play.attempt(BeginRound) and not play.attempt(CloseTable)
        pay(play, hit)
    assert clearing(play) is None
    play.say(CloseClaims)
    assert play.at("begin")


def test_art_8_6_and_15_3_the_prompt_says_what_happens_now_in_every_language() -> None:
    play = won()
    assert "seat 1, 2 and the community cards stay on the table" in prompted(play)["en"]
    play.say(Confirm)
    prompt = prompted(play)
    assert prompt["en"].startswith(
        "The cards of seat 1, 2 and the community cards stay on the table, face up, until the prize is paid (8.º 6))."
    )
    assert "two persons confirm hit 1, 2. Or a supervisor and a second person record" in prompt["en"]
    for text in prompt.values():
        assert "8.º 6)" in text and "15.º 3" in text
    assert "shuffler" not in prompt["en"] and "baralhador" not in prompt["pt"] and "洗牌機" not in prompt["zh"]
    pay(play, 1)
    assert "seat 2 and the community" in prompted(play)["en"] and "15.º 3" not in prompted(play)["en"]
    witness(play, 2)
    assert prompted(play)["en"] == "Round done. Put all cards into the shuffler when no complaint is open."
    play.say(CloseClaims)
    assert prompted(play)["en"].endswith("Not paid yet: hit 2.")
    play.say(CloseTable)
    assert prompted(play)["pt"].endswith("Por pagar: prémio 2.")
    pay(play, 2)
    assert "prémio" not in prompted(play)["pt"]


def test_art_8_6_the_settlement_says_what_is_paid_now_and_what_of_the_pot_later() -> None:
    play = won()
    payout = {"now": 600, "later": 60_070}
    assert play.public()["round"]["payouts"] == {"1": payout, "2": payout}
    prompt = prompted(play)
    for seat in (1, 2):
        assert f"Seat {seat}: pay 6.00 now. Jackpot 600.70: after the round, with a supervisor." in prompt["en"]
        assert f"Lugar {seat}: pague 6.00 agora. Jackpot 600.70: depois da jogada, com o fiscal-chefe." in prompt["pt"]
        assert f"{seat}號位：現派6.00。彩池獎金600.70：本局完結後與監場主任一同派彩。" in prompt["zh"]
    play.say(Confirm)
    pay(play, 1)
    assert play.public()["round"]["payouts"] == {"2": payout}


@pytest.mark.parametrize(("wagers", "prompt"), [({}, "collect 1.00 now"), ({"pair_plus": 100}, "pay 3.00 now")])
def test_art_8_6_a_seat_that_folds_and_wins_of_the_pot_pays_or_is_paid_its_other_bets_now(
    wagers: dict[str, int], prompt: str
) -> None:
    play = Play(deck=stacked_for("shuffler", "2s 5s 9s", "Qd 9c 4h", "3c Ks 7s")).to_wagers()
    play.bet(1, ante=100, **wagers).chips(1)
    play.lock()
    play.deal().decisions("fold").reveal()
    assert f"Seat 1: {prompt}. Jackpot 10.00: after the round" in prompted(play)["en"]


def test_blackjack_rule_49_a_lost_bet_is_collected_and_its_prize_paid_later() -> None:
    play = Hands("Ac 9h Ad 8h", source="shoe", prize="auto").to_wagers().place_bet(1, 200).chips(1).until("confirm")
    assert "Seat 1: collect 2.00 now. Jackpot 12.50: after the round" in prompted(play)["en"]


@pytest.mark.parametrize("source", SOURCES)
def test_art_8_6_two_persons_who_saw_the_cards_let_play_resume(source: CardSource) -> None:
    play = claims(source)
    assert witness(play, 1, 2) == (CardsWitnessed(1, (1, 2), "rui", "ana", "dealer"),)
    assert [(hit.state, hit.witnessed_by) for hit in play.meter.hits] == [("payable", ("rui", "ana"))] * 2
    play.say(CloseClaims)
    play.sweep().say(BeginRound)
    assert play.round.id == 2 and play.meter.pending_e4 > 0
    pay(play, 1)
    pay(play, 2)
    assert play.meter.pending_e4 == 0


def test_art_8_6_one_hit_may_be_paid_and_the_other_recorded() -> None:
    play = claims()
    pay(play, 1)
    assert play.refused(CloseClaims).who == "seat 2"
    witness(play, 2, second="sol")
    assert play.meter.hits[1].witnessed_by == ("rui", "sol")
    play.say(CloseClaims)


def test_art_8_6_one_hit_recorded_still_leaves_the_other_open() -> None:
    play = claims()
    witness(play, 1)
    assert play.refused(CloseClaims).who == "seat 2"
    witness(play, 2)
    play.say(CloseClaims)


def test_art_8_6_only_hits_that_keep_their_cards_are_recorded_and_each_once() -> None:
    play = claims()
    pay(play, 1)
    for hits in ((), (1,), (1, 2), (2, 2), (3,), (-1,)):
        refusal = play.refused(WitnessCards, "rui", hits=hits, second="ana")
        assert refusal.article == "policy: two persons record winning cards" and refusal.reason.values == {"hits": "2"}
    witness(play, 2)
    assert play.refused(WitnessCards, "rui", hits=(2,), second="ana").reason.values == {"hits": "–"}


def test_art_8_6_no_one_records_the_winning_cards_alone() -> None:
    play = claims()
    for actor, second in (("ana", "rui"), ("ana", "bia"), ("rui", "rui"), ("rui", "mei"), ("rui", ""), ("rui", "x")):
        play.refused(WitnessCards, actor, hits=(1, 2), second=second)
    assert play.refused(CloseClaims).who == "seat 1"


def test_art_8_6_nothing_is_recorded_before_the_round_is_confirmed_or_after_it_is_cleared_away() -> None:
    play = won()
    play.refused(WitnessCards, "rui", hits=(1, 2), second="ana")
    play.say(Confirm)
    witness(play, 1, 2)
    play.say(CloseClaims)
    play.refused(WitnessCards, "rui", hits=(1, 2), second="ana")


def test_art_8_6_a_correction_before_the_confirmation_withdraws_hits_and_what_is_won_then_keeps_the_cards() -> None:
    play = won()
    play.say(CorrectCards, "rui", to="seat 1", cards="Qs Js 2d", reason="keyed in wrongly")
    play.say(Confirm)
    [hit] = [hit for hit in play.meter.hits if hit.state != "paid"]
    assert hit.seat == 2 and play.refused(CloseClaims).who == "seat 2"
    pay(play, hit.hit)
    play.say(CloseClaims)


def test_art_8_6_a_complaint_and_a_hit_each_keep_the_cards() -> None:
    play = claims()
    play.say(Complain, round=1, seat=3, what="the order of the deal")
    assert "Complaint, seat 3" in prompted(play)["en"] and "8.º 6)" in prompted(play)["en"]
    witness(play, 1, 2)
    assert play.refused(CloseClaims).who == "seat 3"
    why = clearing(play)
    assert why is not None and why["code"] == "complaint_undecided"
    play.say(AdjustRound, "rui", round=1, seat=3, amount=100, reason="paid late", second="ana")
    play.say(DecideComplaint, "rui", complaint=1, outcome="adjusted", reason="paid")
    play.say(CloseClaims)


def test_art_8_6_cards_that_went_into_the_shuffler_unpaid_are_reported_and_keep_the_claims_open() -> None:
    play = claims()
    others = play.round.draws - 8  # two hands and two community cards
    assert play.receive(InsertionReported(count=others)) == (CardsInserted(count=others),)
    assert not play.active_alarms() and "prize_cards_inserted" not in [shown.notice for shown in play.table.notices]
    play.receive(InsertionReported(count=1))
    assert play.active_alarms() == ["prize-cards"]
    play.receive(InsertionReported(count=7))
    assert play.active_alarms() == ["prize-cards"] and play.at("claims")
    notice = json.loads(play.projection())["notices"][-1]["en"]
    assert notice.startswith("Seat 1: cards that won the prize went into the shuffler") and "8.º 6)" in notice
    assert "went into the shuffler before the prize was paid (8.º 6))" in prompted(play)["en"]
    pay(play, 1)
    assert play.at("claims")
    events = witness(play, 2)
    assert isinstance(events[-1], ClaimsClosed) and play.at("begin") and not play.active_alarms()


def test_art_8_6_the_last_payment_closes_claims_whose_cards_are_in() -> None:
    play = claims()
    play.receive(InsertionReported(count=play.round.draws))
    pay(play, 1)
    events = pay(play, 2)
    assert isinstance(events[-1], ClaimsClosed) and play.at("begin")


def test_art_8_6_what_was_recorded_is_there_after_a_restart() -> None:
    play = claims()
    witness(play, 1)
    again = Table()
    for event, _ in play.entries:
        again = apply(again, event)
    assert again == play.table
    play.table = again
    assert play.refused(CloseClaims).who == "seat 2"


def test_art_8_6_a_recorded_hit_is_paid_once_the_table_is_closed_and_opened_again() -> None:
    play = claims()
    witness(play, 1, 2)
    play.say(CloseClaims)
    play.sweep().say(CloseTable)
    assert isinstance(pay(play, 1)[-1], HitPaid)
    play.say(OpenTable)
    assert isinstance(pay(play, 2)[-1], HitPaid)


def test_blackjack_rule_49_though_their_cards_were_seen_they_stay_until_the_payment() -> None:
    play = Hands("Ac 9h Ad 8h", source="shoe", prize="auto").to_wagers().place_bet(1, 200).chips(1).until("claims")
    refusal = play.refused(WitnessCards, "rui", hits=(1,), second="ana")
    assert (refusal.article, refusal.reason.code) == ("49", "not_before_payment")
    assert play.refused(CloseClaims).article == "49"
    play.pay().say(CloseClaims)


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
