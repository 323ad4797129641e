"""One answer for all: places turned, and what is asked before play declined, each as if it had been
reported one by one."""

from collections.abc import Callable

from controller.engine.decisions.hands import DeclineAll, GiveUp
from controller.engine.decisions.played import RevealAll
from controller.engine.state.applied import Event
from controller.rulebook.blackjack_21.events import AnswerGiven
from controller.rulebook.events import CardsShown
from tests.engine.hands import Hands
from tests.engine.places import Places
from tests.engine.playing import Play, stacked

DECK = stacked("As Ks Qs", "9h 9d 2c", "2d 5h 7c", "Qd 9c 4h", "3c 3d 3h")  # seats 1 to 3, bank, discard and two


def at_2025(unread: tuple[int, ...] = ()) -> Play:
    play = Play(DECK, unread=unread).to_wagers().bet(1, ante=100).bet(2, pair_plus=200).bet(3, ante=300).chips(1)
    play.lock()
    return play.deal().decisions()


def at_places() -> Play:
    return Places().until("reveal")


def same(play: Play, other: Play) -> bool:
    return play.table == other.table and play.vault == other.vault


def turned_alike(dealt: Callable[[], Play], apart: tuple[str, ...] = ()) -> None:
    """All at once is as one by one; what is turned `apart` waits for a second answer."""
    by_one, at_once = dealt(), dealt()
    events: list[Event] = []
    while by_one.step.kind == "reveal":
        events += by_one.reveal_one()
    taps = [*at_once.say(RevealAll)]
    assert at_once.step.to == apart
    if apart:
        taps += at_once.say(RevealAll)
    assert events == taps
    assert at_once.step.kind == "confirm" and same(by_one, at_once)


def test_art_13_all_that_are_due_are_turned_in_the_order_of_the_rules() -> None:
    turned_alike(at_2025, apart=("community",))


def test_pai_kao_art_6_a_all_places_are_opened_in_the_order_of_the_rules() -> None:
    turned_alike(at_places)


def test_art_13_turning_ends_before_a_hand_that_is_to_be_keyed_in_and_continues_behind_it() -> None:
    play = at_2025(unread=(4,))
    assert [event.to for event in play.say(RevealAll) if isinstance(event, CardsShown)] == ["bank", "seat 1"]
    assert play.step.to == ("seat 2",) and play.step.key_in
    refusal = play.refused(RevealAll)
    assert (refusal.who, refusal.article) == ("seat 2", "policy: unread cards")
    play.reveal_one()
    play.say(RevealAll)
    assert play.step.to == ("community",)
    play.say(RevealAll)
    assert play.step.kind == "confirm"


def test_nothing_is_turned_before_it_is_due() -> None:
    assert Play(DECK).to_wagers().refused(RevealAll).article == "8.º"


def before_play(first: str, *seats: int) -> Hands:
    return Hands(first).to_ask(*seats, skip=False)


def answers(events: tuple[Event, ...]) -> list[tuple[int, str, object]]:
    return [
        (event.seat, event.question, event.amounts if event.question == "insurance" else event.yes)
        for event in events
        if isinstance(event, AnswerGiven)
    ]


TEN_SHOWN = "9c As Tc 8d 7h Kd 5s 6c"  # to seats 1 to 3 and the bank, twice: seat 2 has a black-jack


def test_blackjack_rule_36_no_one_gives_up_is_one_answer_for_all_who_are_asked() -> None:
    by_one, at_once = before_play(TEN_SHOWN, 1, 2, 3), before_play(TEN_SHOWN, 1, 2, 3)
    assert at_once.step.waiting == (1, 3)
    by_one.answers("no", "no")
    assert answers(at_once.say(DeclineAll)) == [(1, "give_up", False), (3, "give_up", False)]
    assert same(by_one, at_once) and at_once.step.question == "decision"


def test_blackjack_rule_36_those_named_give_up_and_no_one_else() -> None:
    play = before_play(TEN_SHOWN, 1, 2, 3)
    assert answers(play.say(DeclineAll, but=(3,))) == [(1, "give_up", False), (3, "give_up", True)]


def test_blackjack_rule_36_who_has_answered_is_not_asked_again() -> None:
    play = before_play(TEN_SHOWN, 1, 2, 3)
    play.say(GiveUp, seat=1, yes=True)
    assert play.step.waiting == (3,)
    refusal = play.refused(DeclineAll, but=(1,))
    assert (refusal.who, refusal.article) == ("seat 1", "18")
    assert answers(play.say(DeclineAll)) == [(3, "give_up", False)]


def test_blackjack_rule_18_a_hand_decides_for_itself() -> None:
    play = before_play(TEN_SHOWN, 1, 2, 3)
    play.say(DeclineAll)
    refusal = play.refused(DeclineAll)
    assert (refusal.who, refusal.article) == ("seat 1", "18")
    assert play.refused(DeclineAll, but=(1,)).who == "seat 1"


ACE_SHOWN = "9c As Tc Ad 7h Kd 5s 6c"


def test_blackjack_rule_33_and_34_no_one_insures_nor_takes_even_money() -> None:
    by_one, at_once = before_play(ACE_SHOWN, 1, 2, 3), before_play(ACE_SHOWN, 1, 2, 3)
    by_one.answers("no", "no", "no", "no")
    given = answers(at_once.say(DeclineAll))
    assert given == [
        (1, "insurance", (0,)), (2, "even_money", False), (2, "insurance", (0,)), (3, "insurance", (0,)),
    ]  # fmt: skip
    assert same(by_one, at_once)


def test_blackjack_rule_33_the_sweep_ends_at_a_seat_that_insures_which_says_how_much() -> None:
    play = before_play(ACE_SHOWN, 1, 2, 3)
    assert answers(play.say(DeclineAll, but=(2, 3))) == [(1, "insurance", (0,)), (2, "even_money", True)]
    assert (play.step.question, play.step.seat) == ("insurance", 3)
    assert play.refused(DeclineAll, but=(3,)).who == "seat 3"
    play.answer("insure 100")
    assert play.step.question == "decision"


def test_blackjack_rule_18_a_card_no_one_asked_for_is_reported_before_anybody_declines() -> None:
    play = before_play(TEN_SHOWN, 1, 2, 3)
    play.comes_out()
    assert play.refused(DeclineAll).article == "18"
