"""Who changes a result once it is known: a dealer's informed change waits, and no bet is made by one alone."""

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from controller.engine.decisions.betting import PlaceWager
from controller.engine.decisions.deciders import ApproveChanges, RejectChanges
from controller.engine.decisions.jackpot import Confirm
from controller.engine.state.applied import Event, fold
from controller.engine.state.persons import (
    ChangeEntered,
    ChangeRejected,
    CorrectCards,
    CorrectDecision,
    CorrectSeat,
    CorrectWager,
    Exposed,
    Misdealt,
    PersonInput,
    VoidRound,
)
from controller.engine.state.table import Table
from controller.rulebook.events import InputCorrected, RoundVoided
from controller.rulebook.settlement import players_net
from controller.words import english
from tests.engine.hands import Hands
from tests.engine.places import Places
from tests.engine.playing import Play, stacked
from tests.engine.spaces import Spaces

WHY = {"reason": "x"}
ROYAL = ("2h 3d 7c", "Qs Js Ts", "2s 4d 6h")  # two seats and the bank


def net(play: Play) -> int:
    """What the players win as the round is settled."""
    assert play.round.settled is not None
    return players_net(play.round.settled)


def waiting(play: Play) -> list[dict[str, Any]]:
    """What waits, as everybody sees it."""
    found: list[dict[str, Any]] = msgspec.json.decode(play.projection())["round"]["changes_waiting"]
    return found


def enters(play: Play, kind: type[PersonInput], actor: str = "ana", **fields: Any) -> dict[str, Any]:
    """A change is entered: the round stays as it is and is not confirmed; what everybody sees of the change."""
    before, step = play.table.round, play.step
    events = play.say(kind, actor, **fields)
    assert len(events) == 1 and isinstance(events[0], ChangeEntered), "it was effective at once"
    assert play.table.round == before and play.step == step
    if play.at("confirm"):
        assert play.refused(Confirm).article == "policy: informed changes"
    return waiting(play)[-1]


def published_data(play: Play, name: str) -> dict[str, Any]:
    """The last message of an event of this name."""
    found = [channel for channel in play.channels if channel.startswith(f"dealer/site/t1/events/{name} ".encode())]
    data: dict[str, Any] = msgspec.json.decode(found[-1].partition(b" ")[2])["data"]
    return data


def change_alone(play: Play, actor: str, kind: type[PersonInput], **fields: Any) -> None:
    """One person alone changes nothing: entered it waits, and this person alone does not approve it."""
    enters(play, kind, actor, **fields)
    before = play.table.round
    number = play.table.changes
    for second in ("", actor, "zoe", "mei"):
        assert play.refused(ApproveChanges, actor, changes=(number,), reason="x", second=second)
    assert play.table.round == before


# ---- Fortune 8


def eight() -> Spaces:
    play = Spaces("8d 2c 3c 4c 5c 6c 7c").to_wagers()
    play.say(PlaceWager, seat=2, wager="eight", amount=10_000, player="Ana")
    return play.until("confirm")


def test_fortune_8_art_4_5_a_lost_bet_is_not_moved_by_the_dealer_to_the_space_with_the_eight() -> None:
    play = eight()
    assert net(play) == -10_000
    seen = enters(play, CorrectSeat, seat=2, to_seat=1, **WHY)
    assert (seen["net_before"], seen["net_after"], seen["net_difference"]) == (-10_000, 110_000, 120_000)
    assert seen["two_persons"]
    assert seen["parties"] == [
        {"at": "seat 1", "player": "Ana", "net_before": 0, "net_after": 110_000},
        {"at": "seat 2", "player": "Ana", "net_before": -10_000, "net_after": 0},
    ]
    assert net(play) == -10_000
    play.approve(reason="seen on the film")
    assert net(play) == 110_000
    play.say(Confirm)


def test_fortune_8_art_4_5_no_one_alone_makes_a_bet_of_a_new_player_once_the_card_is_there() -> None:
    for actor in ("ana", "rui"):
        change_alone(eight(), actor, CorrectWager, seat=1, wager="eight", amount=10_000, player="Bia", **WHY)


def test_fortune_8_art_5_the_dealer_alone_does_not_void_the_round_once_a_card_has_decided_a_bet() -> None:
    play = Spaces("8d 2c 3c 4c 5c 6c 7c").to_wagers().place_bet(2, "Ana", eight=10_000)
    play.until("deal").deal_one()
    assert not play.would_wait(Misdealt, what="order")
    play.deal_one()
    seen = enters(play, Misdealt, what="order")
    assert (seen["what"], seen["article"], seen["net_before"]) == ("misdealt", "5.º", None)
    play.until("confirm")  # the cards still come
    assert net(play) == -10_000 and waiting(play)[0]["net_difference"] == 10_000
    play.approve(reason="two cards stuck together")
    assert play.why_void() == ("5.º", "the order of the deal was broken: two cards stuck together")


# ---- Fortune 3 Card Poker


def folded() -> Play:
    play = Play(deck=stacked(*ROYAL)).to_wagers().bet(1, ante=100).bet(2, ante=100)
    play.lock()
    play.deal()
    return play.decisions("fold").reveal()


def test_art_12_2_a_fold_does_not_become_a_play_by_the_dealer_with_all_cards_open() -> None:
    play = folded()
    assert net(play) == -200
    seen = enters(play, CorrectDecision, seat=2, decision="play", **WHY)
    assert (seen["before"], seen["after"], seen["article"]) == ("fold", "play", "12.º 2")
    assert not seen["two_persons"]
    play.approve(second="")
    play.until("confirm")
    assert net(play) == 500 and play.round.corrections[0].approved_by == ("rui",)


def test_art_10_3_no_one_alone_adds_ante_or_pair_plus_once_the_deal_is_over() -> None:
    for actor in ("ana", "rui"):
        change_alone(folded(), actor, CorrectWager, seat=2, wager="pair_plus", amount=10_000, **WHY)
    play = folded()
    enters(play, CorrectWager, seat=2, wager="pair_plus", amount=10_000, **WHY)
    play.approve()
    assert play.step.to == ("seat 2",)  # its cards are turned now
    play.until("confirm")
    assert net(play) == -200 + 400_000


def test_art_17_1_the_dealer_alone_voids_nothing_after_a_player_has_decided() -> None:
    play = Play().to_wagers().bet(1, ante=100).bet(2, ante=100)
    play.lock()
    play.deal()
    assert not play.would_wait(Misdealt, what="order") and not play.would_wait(Exposed, to="bank")
    play.decisions("fold")
    for kind, fields in (
        (Misdealt, {"what": "number"}),
        (Exposed, {"to": "bank"}),
        (Exposed, {"to": "seat 1", "count": 2}),
    ):
        assert play.would_wait(kind, **fields)
    assert not play.would_wait(Exposed, to="seat 1")  # it voids nothing
    enters(play, Exposed, to="bank")
    play.until("confirm")
    assert waiting(play)[0]["net_difference"] == 200
    play.approve(reason="the camera saw it")
    assert play.round.void is not None and play.round.void.article == "17.º 1 2)"
    assert english(play.round.void.why).endswith(": the camera saw it")


# ---- Taiwan-Pai Kao


def opened() -> Places:
    play = Places("4-2 2-1 6-6 6-6", watched=True).until("wagers")
    play.place_bet(2, "Ana", 10_000)
    return play.until("confirm")


def test_pai_kao_art_5_c_the_capital_is_not_changed_by_one_alone_once_a_tile_is_turned() -> None:
    for actor in ("ana", "rui"):
        change_alone(opened(), actor, CorrectWager, seat=1, wager="capital", amount=500, player=None, **WHY)
    play = opened()
    seen = enters(play, CorrectWager, seat=1, wager="capital", amount=500, player=None, **WHY)
    assert (seen["net_before"], seen["net_after"], seen["two_persons"]) == (9_500, 475, True)


def test_pai_kao_art_2_g_no_bet_is_placed_or_moved_by_one_alone_once_a_tile_is_turned() -> None:
    for actor in ("ana", "rui"):
        change_alone(opened(), actor, CorrectWager, seat=3, wager="place", amount=10_000, player="Bia", **WHY)
        change_alone(opened(), actor, CorrectSeat, seat=2, to_seat=3, **WHY)


def test_pai_kao_art_6_a_keyed_tiles_are_the_dealers_to_correct_until_the_next_place_is_turned() -> None:
    play = Places(reader=False, watched=True).until("reveal")
    first = play.step.to[0]
    shown_there = play.lying_at(first)
    play.proceed()
    other = " ".join(reversed(shown_there.split()))
    assert not play.would_wait(CorrectCards, to=first, cards=other)
    play.proceed()
    assert play.would_wait(CorrectCards, to=first, cards=other)


# ---- black-jack/21


def aces() -> Hands:
    play = Hands("Ah 9h Ad Th 6c 5d", prize="manual").to_wagers().place_bet(1, 200)
    return play.until("ask")


def test_blackjack_rule_41_b_and_48_no_chip_is_added_by_one_alone_with_two_aces_open() -> None:
    for actor in ("ana", "rui"):
        change_alone(aces(), actor, CorrectWager, seat=1, wager="jackpot", amount=50, player=None, **WHY)


def test_blackjack_rule_13_no_one_alone_backs_a_black_jack_that_is_open() -> None:
    for actor in ("ana", "rui"):
        play = Hands("Ah 9h Kd Th").to_deal(1).until("confirm")
        change_alone(play, actor, CorrectWager, seat=1, wager="backing", amount=400, player="Rui", **WHY)


def test_blackjack_rule_33_no_dealer_alone_insures_after_the_bank_s_black_jack() -> None:
    play = Hands("Tc Ah 9c Kd").to_deal(1).until("ask")
    play.answer("no")
    while not play.at("reveal"):
        play.answer("stand") if play.at("ask") else play.proceed()
    assert not play.would_wait(CorrectDecision, seat=1, decision="insure 100")
    play.until("confirm")
    assert net(play) == -200
    seen = enters(play, CorrectDecision, seat=1, decision="insure 100", **WHY)
    assert (seen["net_before"], seen["net_after"], seen["article"]) == (-200, 0, "33")
    play.approve(second="")
    assert net(play) == 0


def test_blackjack_rule_36_no_dealer_alone_takes_back_the_answer_that_a_round_is_settled_on() -> None:
    play = Hands("Tc 9h 6c 7h").to_deal(1).until("ask")
    play.answer("yes")
    assert play.at("confirm") and net(play) == -100
    enters(play, CorrectDecision, seat=1, decision="no")


# ---- what waits


def test_a_supervisor_with_a_reason_lowers_a_bet_alone_and_raises_none() -> None:
    play = folded()
    unexplained = play.refused(CorrectDecision, "rui", seat=2, decision="play")
    assert unexplained.article == "policy: documented adjustment"
    change_alone(folded(), "rui", CorrectWager, seat=2, wager="ante", amount=200, **WHY)
    lowered = Play(deck=stacked(*ROYAL)).to_wagers().bet(1, ante=100).bet(2, ante=200)
    lowered.lock()
    lowered.until("confirm").say(CorrectWager, "rui", seat=2, wager="ante", amount=100, **WHY)
    [correction] = lowered.round.corrections
    assert correction.after_result and correction.approved_by == ("rui",) and correction.change is None


def test_a_dealer_never_approves_and_a_supervisor_approves_with_another_person_alone() -> None:
    play = folded()
    enters(play, CorrectSeat, seat=2, to_seat=3)
    assert play.refused(ApproveChanges, changes=(1,), reason="x", second="rui").article == "policy: roles"
    for second in ("", "rui", "mei", "zoe"):
        assert play.refused(ApproveChanges, "rui", changes=(1,), reason="x", second=second)
    assert play.refused(ApproveChanges, "rui", changes=(1,), reason=" ", second="ana")
    play.approve(1)
    assert play.round.corrections[0].approved_by == ("rui", "ana") and play.round.corrections[0].actor == "ana"


def test_one_approval_decides_all_that_waits_in_the_order_it_was_entered() -> None:
    play = folded()
    enters(play, CorrectSeat, seat=2, to_seat=3)
    seen = enters(play, CorrectWager, seat=3, wager="ante", amount=300)  # legal once the bets are there
    assert seen["at"] == "seat 3" and waiting(play)[0]["why_not"] is None
    assert "nothing" not in english(play.refused(ApproveChanges, "rui", changes=(2,), reason="x", second="ana").reason)
    assert [change.change for change in play.table.waiting] == [1, 2]
    play.approve(2, 1)
    assert [(made.what, made.change) for made in play.round.corrections] == [("seat", 1), ("wager", 2)]
    assert play.round.wagers[3] == {"ante": 300} and play.table.waiting == ()
    play.until("confirm").say(Confirm)


def test_two_changes_of_one_bet_come_to_the_later_one() -> None:
    play = folded()
    enters(play, CorrectWager, seat=1, wager="ante", amount=200)
    enters(play, CorrectWager, seat=1, wager="ante", amount=300)
    assert play.refused(CorrectWager, seat=1, wager="ante", amount=300).article == "policy: corrections"
    play.approve()
    assert [(correction.before, correction.after) for correction in play.round.corrections] == [(100, 200), (200, 300)]


def test_a_bet_is_created_by_two_whatever_else_waits() -> None:
    play = folded()
    enters(play, CorrectWager, seat=2, wager="pair_plus", amount=500)
    seen = enters(play, CorrectWager, "rui", seat=2, wager="pair_plus", amount=200, **WHY)  # lower than what waits
    assert seen["two_persons"]
    enters(play, CorrectWager, seat=2, wager="pair_plus", amount=100)
    play.say(RejectChanges, "rui", changes=(1,), reason="not so")
    for number in (2, 3):
        assert play.refused(ApproveChanges, "rui", changes=(number,), reason="x")
    play.approve(3)
    assert play.round.wagers[2]["pair_plus"] == 100


def test_what_cannot_be_approved_any_more_is_refused_with_the_reason_and_stays_listed() -> None:
    play = folded()
    enters(play, CorrectDecision, seat=2, decision="play")
    play.say(CorrectDecision, "rui", seat=2, decision="play", **WHY)
    [seen] = waiting(play)
    assert seen["why_not"]["code"] == "nothing_changed" and seen["net_difference"] is None
    refusal = play.refused(ApproveChanges, "rui", changes=(1,), reason="x")
    assert refusal.who == "change 1" and refusal.reason.code == "change_refused"
    assert [change.change for change in play.table.waiting] == [1]
    play.say(RejectChanges, "rui", changes=(1,), reason="nothing is there")
    play.until("confirm").say(Confirm)


def test_a_change_is_rejected_by_a_supervisor_or_withdrawn_by_who_entered_it() -> None:
    play = folded()
    enters(play, CorrectDecision, seat=2, decision="play")
    enters(play, CorrectDecision, seat=1, decision="play")
    assert play.refused(RejectChanges, "bia", changes=(1,)).article == "policy: roles"
    assert play.refused(RejectChanges, "rui", changes=(1,)).article == "policy: documented adjustment"
    assert play.say(RejectChanges, changes=(1,)) == (ChangeRejected(1, "ana", "dealer", ""),)
    assert play.say(RejectChanges, "rui", changes=(2,), reason="not so") == (
        ChangeRejected(2, "rui", "supervisor", "not so"),
    )
    assert net(play) == -200
    play.say(Confirm)
    assert play.round.corrections == ()


@pytest.mark.parametrize("numbers", [(), (2,), (1, 1), (0,)])
def test_what_does_not_wait_is_neither_approved_nor_rejected(numbers: tuple[int, ...]) -> None:
    play = folded()
    enters(play, CorrectDecision, seat=2, decision="play")
    for kind in (ApproveChanges, RejectChanges):
        assert play.refused(kind, "rui", changes=numbers, reason="x").article == "policy: informed changes"


def test_a_void_that_waits_lets_the_round_continue_and_drops_what_else_waits_once_it_is_approved() -> None:
    play = folded()
    enters(play, Misdealt, what="order")
    enters(play, CorrectDecision, seat=2, decision="play")
    play.approve(1)
    assert play.table.waiting == () and play.round.void is not None
    assert play.happened(ChangeRejected) == [ChangeRejected(2, None, None, "")]
    play.say(Confirm)
    again = folded()
    enters(again, Misdealt, what="order")
    enters(again, CorrectDecision, seat=2, decision="play")
    again.approve(1, 2)
    assert again.round.void is not None and again.round.corrections == ()


def test_a_round_that_is_broken_off_says_who_did_it_and_what_it_changes() -> None:
    play = folded()
    play.say(VoidRound, "rui", reason="power cut")
    data = published_data(play, "round_voided")
    assert (data["actor"], data["approved_by"], data["after_result"]) == ("rui", ["rui"], True)
    assert (data["net_before"], data["net_after"], data["net_difference"]) == (-200, 0, 200)


def test_the_floor_receives_what_waits_who_approved_it_and_the_difference_in_money() -> None:
    play = folded()
    play.say(CorrectDecision, seat=2, decision="play")
    data = published_data(play, "change_entered")
    assert data["entered"] == {"kind": "correct_decision", "seat": 2, "decision": "play", "reason": ""}
    assert (data["change"], data["round"], data["actor"], data["two_persons"]) == (1, 1, "ana", False)
    play.approve(reason="seen", second="")
    assert {key: published_data(play, "changes_approved")[key] for key in ("changes", "actor", "reason", "second")} == {
        "changes": [1], "actor": "rui", "reason": "seen", "second": None,
    }  # fmt: skip
    corrected = published_data(play, "input_corrected")
    assert corrected["after_result"] and corrected["approved_by"] == ["rui"] and corrected["change"] == 1


def every_course() -> Iterator[Play]:
    yield folded()
    yield eight()
    yield opened()
    yield Hands("Tc Ah 9c Kd").to_deal(1).until("confirm")


@pytest.mark.parametrize("number", range(4))
def test_after_a_restart_at_any_event_the_same_waits(number: int) -> None:
    play = list(every_course())[number]
    play.say(Misdealt, what="order") if number == 1 else play.say(CorrectSeat, seat=2 - (number == 3), to_seat=3)
    play.approve()
    bodies = [msgspec.json.encode(event) for event, _ in play.entries]
    decode = msgspec.json.Decoder(Event).decode
    for at in range(len(bodies) + 1):
        kept = msgspec.json.encode(fold(Table(), map(decode, bodies[:at])))
        assert fold(msgspec.json.decode(kept, type=Table), map(decode, bodies[at:])) == play.table
    late = [event for event, _ in play.entries if isinstance(event, InputCorrected | RoundVoided)]
    assert [event.after_result for event in late] == [True]
