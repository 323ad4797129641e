"""Why an answer is not allowed now is in the public table: a screen shows no button that would be refused."""

from typing import Any

import msgspec

from controller.engine.decisions.cards import Cut
from controller.engine.decisions.played import Decide
from controller.words import english
from tests.engine.hands import Hands
from tests.engine.playing import Play
from tests.engine.table_2008 import Play2008, locked


def illegal(play: Play) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.json.decode(play.projection())["step"].get("illegal", {})
    return found


def test_2008_a_seat_that_is_obliged_to_play_has_its_reason_and_the_others_have_none() -> None:
    play = Play2008().to_wagers().bet(1, ante=100).bet(3, ante=100, pair_plus=100)
    play.lock()
    play.until("decisions")
    why = illegal(play)
    assert why.keys() == {"3/fold"}
    refusal = play.refused(Decide, seat=3, decision="fold")
    assert why["3/fold"] == {
        "reason": english(refusal.reason),
        "code": refusal.reason.code,
        "values": refusal.reason.values,
        "rule": refusal.article,
    }
    play.say(Decide, seat=1, decision="fold")
    play.say(Decide, seat=3, decision="play")
    assert illegal(play) == {} and not play.at("decisions")


def test_2008_where_every_seat_may_choose_no_reason_is_given() -> None:
    play = locked().until("decisions")
    assert {key.partition("/")[0] for key in illegal(play)} <= set(map(str, play.step.waiting))


def test_black_jack_8_anyone_who_may_not_cut_now_has_the_reason() -> None:
    play = Hands(source="shoe").until("cut")
    turn, why = play.step.seat, illegal(play)
    assert turn is not None and f"seat {turn}" not in why and "bank" in why
    other = next(place for place in why if place != "bank")
    assert why[other]["reason"] == english(play.refused(Cut, by=other).reason)
    assert why["bank"]["rule"] == play.refused(Cut, by="bank").article
