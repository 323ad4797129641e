"""Black-jack/21 at the table, 5, 7, 53, 55, 58: what is done with the cards by hand is ticked and holds nothing up."""

import pytest

from controller.engine.decisions.session import ActsDone, BeginRound, CardReplaced, CloseTable, DamagedCard, OpenTable
from controller.engine.state.events import ActsRecorded, DamagedCardReplaced
from controller.rulebook.events import CardSource
from controller.rulebook.games import GAMES
from controller.rulebook.refusal import Refusal
from tests.engine.hands import Hands
from tests.engine.playing import Play, stacked
from tests.engine.test_engine_blackjack_cut import with_inspectors

BOTH = pytest.mark.parametrize("source", ["shoe", "shuffler"])


def tick(play: Hands, actor: str, *acts: str) -> None:
    done = ActsDone(input_id=f"{actor} {acts}", step_id="table", actor=actor, acts=acts)
    play.check(done)
    play.receive(done)


@BOTH
def test_blackjack_rule_7_and_53_dealer_and_inspector_tick_that_the_cards_were_shown(source: CardSource) -> None:
    play = with_inspectors(Hands(source=source))
    assert play.at("open") and play.public()["acts"] == {}
    tick(play, "ana", "cards_shown")
    tick(play, "ivo", "cards_shown", "cards_mixed")
    assert play.events[-1] == ActsRecorded(acts=("cards_shown", "cards_mixed"), actor="ivo", role="inspector")
    assert play.public().get("acts") == {"cards_shown": ["ana", "ivo"], "cards_mixed": ["ivo"]}
    assert play.refused(ActsDone, acts=("cards_shown",)).article == "policy: one step at a time"
    play.until("begin")
    assert play.public().get("acts") == {"cards_shown": ["ana", "ivo"], "cards_mixed": ["ivo"]}
    assert b"events/acts_done" in b"".join(play.channels)


@BOTH
def test_blackjack_rule_55_and_58_the_acts_of_closing_are_those_of_this_session(source: CardSource) -> None:
    play = Hands(source=source)
    tick(play, "ana", "cards_shown")
    play.to_deal(1).settled().until("begin")
    tick(play, "ana", "cards_discarded")
    play.say(CloseTable)
    assert play.public().get("acts") == {"cards_discarded": ["ana"]}
    tick(play, "rui", "cards_ordered", "cards_discarded")
    play.until("open")
    assert play.public().get("acts") == {"cards_discarded": ["ana", "rui"], "cards_ordered": ["rui"]}
    tick(play, "ana", "cards_shown")
    play.say(OpenTable)
    assert play.public().get("acts") == {"cards_shown": ["ana"]}


def test_blackjack_rule_5_a_deck_that_was_replaced_is_on_record() -> None:
    play = Hands().to_deal(1)
    tick(play, "rui", "deck_replaced")
    assert play.events[-1] == ActsRecorded(acts=("deck_replaced",), actor="rui", role="supervisor")


def test_blackjack_rule_5_a_deck_is_replaced_again_and_each_time_is_on_record() -> None:
    play = Hands().to_deal(1)
    tick(play, "rui", "deck_replaced")
    play.settled().until("begin")
    tick(play, "rui", "deck_replaced")
    assert play.public()["acts"]["deck_replaced"] == ["rui", "rui"]


def prepared(play: Hands) -> list[str]:
    kinds = []
    while not play.at("wagers"):
        kinds.append(play.step.kind)
        play.proceed()
    return list(dict.fromkeys(kinds))


def test_blackjack_rule_5_a_damaged_card_of_a_shoe_takes_a_deck_or_an_authorisation_and_then_8_to_10() -> None:
    for authorised in (False, True):
        play = Hands().to_deal(1)
        play.say(DamagedCard, to="seat 1")
        assert "Replace the whole deck and tick it" in play.public()["notices"][-1]["en"]
        refusal = play.refused(CardReplaced, "rui", reason="torn")
        assert (refusal.who, refusal.article) == ("authorised_by", "5")
        if authorised:
            play.say(CardReplaced, "rui", reason="torn", authorised_by=" Inspector 7 ")
            assert DamagedCardReplaced(actor="rui", reason="torn", authorised_by="Inspector 7") in play.events
        else:
            tick(play, "rui", "deck_replaced")
        assert not play.active_alarms()
        play.settled().until("begin").say(BeginRound)
        assert prepared(play) == ["shuffle", "cut", "warning", "burn"]


def test_blackjack_rule_5_between_two_rounds_too_a_replaced_deck_is_shuffled_and_cut() -> None:
    play = Hands().to_deal(1).settled().until("begin")
    tick(play, "rui", "deck_replaced")
    play.say(BeginRound)
    assert prepared(play) == ["shuffle", "cut", "warning", "burn"]


@pytest.mark.parametrize(
    "acts", [(), ("cards_eaten",), ("cards_shown", "cards_shown"), (*GAMES["blackjack-21"].session.acts, "")]
)
def test_blackjack_nothing_else_is_ticked(acts: tuple[str, ...]) -> None:
    assert Hands().refused(ActsDone, acts=acts).article == "policy: one step at a time"


def test_blackjack_a_technician_ticks_nothing() -> None:
    play = Hands()
    people = {**play.settings.people, "tec": "technician"}
    play.settings = play.settings.__class__(play.settings.terms, people, play.settings.sources)
    with pytest.raises(Refusal) as refusal:
        tick(play, "tec", "cards_shown")
    assert refusal.value.article == "policy: roles"


def test_policy_one_step_at_a_time_in_another_game_nothing_is_ticked() -> None:
    assert Play(stacked()).refused(ActsDone, acts=("cards_shown",)).article == "policy: one step at a time"
