"""Decisions, the order in which hands are shown, settlement and confirmation; cards whose value no one received."""

import msgspec
import pytest

from controller.engine.decisions.betting import LockIn, PlaceWager
from controller.engine.decisions.cards import UnreportedCard
from controller.engine.decisions.deciders import StaleStep
from controller.engine.decisions.jackpot import Confirm
from controller.engine.decisions.played import Decide, Reveal
from controller.engine.decisions.session import BeginRound, CloseClaims, CloseTable, OpenTable
from controller.engine.state.persons import CorrectCards, CorrectDecision, CorrectWager, VoidRound
from controller.rulebook.events import CardsShown, RoundVoided
from controller.rulebook.refusal import Refusal
from controller.words import sentence
from tests.engine.playing import Play, cards, stacked, stacked_for

THREE_SEATS = stacked("As Ks Qs", "9h 9d 2c", "2d 5h 7c", "Qd 9c 4h", "3c 3d 3h")  # seats 1 to 3, bank, discard and two


def locked() -> Play:
    """Seat 1 ante with chip, seat 2 Pair Plus alone, seat 3 ante alone; the cards are dealt."""
    play = Play(THREE_SEATS).to_wagers()
    play.bet(1, ante=100).bet(2, pair_plus=200).bet(3, ante=300).chips(1)
    play.lock()
    return play.deal()


def at_once(play: Play) -> list[str]:
    """What the screen reports cards of who gave up."""
    notices: list[dict[str, str]] = msgspec.json.decode(play.projection())["notices"]
    return [words["en"] for words in notices if "gives up" in words["en"]]


COLLECT, STAY = "Seat 3 gives up: collect its cards at once (12.º 3).", "Seat {} gives up: its cards stay for its other"


def test_art_12_3_live_the_dealer_is_notified_whose_cards_to_collect_at_once_and_whose_stay() -> None:
    play = locked()
    play.say(Decide, seat=3, decision="fold")
    assert at_once(play) == [COLLECT]
    play.say(Decide, seat=1, decision="fold")  # with a jackpot chip
    assert at_once(play) == [COLLECT, STAY.format(1) + " bets (12.º 3)."]
    assert at_once(locked().decisions()) == []


def test_art_12_3_live_what_is_notified_of_folded_cards_follows_a_correction() -> None:
    play = locked()
    play.say(Decide, seat=1, decision="play")
    play.say(Decide, seat=3, decision="fold")
    play.change(CorrectWager, seat=3, wager="pair_plus", amount=100, reason="slip")
    assert at_once(play) == [STAY.format(3) + " bets (12.º 3)."]
    play.change(CorrectWager, seat=3, wager="pair_plus", amount=0, reason="slip")
    assert at_once(play) == [COLLECT]
    play.change(CorrectDecision, seat=3, decision="play", reason="slip")
    assert at_once(play) == []
    play.change(CorrectDecision, seat=3, decision="fold", reason="slip")
    assert at_once(play) == [COLLECT]
    play.say(VoidRound, "rui", reason="slip")
    assert at_once(play) == [], "all cards are collected"


def test_art_13_the_bank_is_shown_first_then_hands_from_its_left_the_community_cards_last() -> None:
    play = locked().decisions()
    shown = []
    while play.step.kind == "reveal":
        due = play.step.to[0]
        for other in ("bank", "seat 1", "seat 2", "seat 3", "seat 6", "community", "discard", "nowhere"):
            if other != due:
                assert play.refused(Reveal, to=other).article == "13.º"
        shown.append((due, next(event.cards for event in play.reveal_one() if isinstance(event, CardsShown))))
    assert shown == [
        ("bank", cards("Qd 9c 4h")),
        ("seat 1", cards("As Ks Qs")),
        ("seat 2", cards("9h 9d 2c")),
        ("seat 3", cards("2d 5h 7c")),
        ("community", cards("3d 3h")),
    ]


def test_art_12_3_a_folded_hand_without_a_surviving_bet_is_never_shown() -> None:
    play = locked().decisions(seat_3="fold").reveal()
    assert set(play.round.play.shown) == {"bank", "seat 1", "seat 2", "community"}
    assert play.round.settlement is not None
    assert play.round.settlement.seats["3"].hand is None
    play.say(Confirm)
    play.say(CloseClaims)
    for card in ("2d", "5h", "7c", "3c"):
        assert not any(card.encode() in channel for channel in play.channels)


@pytest.mark.parametrize("surviving", ["pair_plus", "six_card_bonus", "jackpot"])
def test_art_12_3_and_12_4_a_folded_hand_with_a_surviving_bet_is_shown(surviving: str) -> None:
    play = Play(stacked("As Ks Qs", "Qd 9c 4h")).to_wagers().bet(1, ante=100)
    if surviving == "jackpot":
        play.chips(1)
    else:
        play.bet(1, **{surviving: 100})
    play.lock()
    play.deal().decisions("fold").reveal()
    assert "seat 1" in play.round.play.shown
    assert play.round.settlement is not None and play.round.settlement.seats["1"].hand == "straight_flush"


def test_confirmation_comes_before_the_claims_and_only_once() -> None:
    play = locked().decisions()
    assert play.refused(Confirm).article == "8.º"
    play.reveal()
    assert play.refused(CloseClaims).article == "8.º"
    play.say(Confirm)
    assert play.refused(Confirm).article == "8.º"
    play.say(CloseClaims)
    assert play.refused(CloseClaims).article == "policy: one step at a time"


@pytest.mark.parametrize(
    ("deck", "first"),
    [
        (["As Ks Qs", "9h 9d 2c", "2d 5h 7c", "Qd 9c 4h", "3c As 3h"], "bank"),  # the bank's showing finds the double
        (["As As Qs", "9h 9d 2c", "2d 5h 7c", "Qd 9c 4h", "3c 3d 3h"], "bank"),
        (["As Ks Qs", "9h 9d 2c", "2d 5h 7c", "Qd 9c Qd", "3c 3d 3h"], "bank"),
    ],
)
def test_a_card_that_came_twice_voids_at_the_reveal_and_is_named_nowhere(deck: list[str], first: str) -> None:
    play = Play([card for hand in deck for card in cards(hand)]).to_wagers()
    play.bet(1, ante=100).bet(2, pair_plus=200).bet(3, ante=300).chips(1)
    play.lock()
    play.deal().decisions()
    assert play.step.to == (first,)
    events = play.reveal_one()
    assert isinstance(events[0], RoundVoided) and events[0].article == "policy: complete deck"
    assert play.step.kind == "confirm" and play.round.play.shown == {}
    assert play.meter.contributions_e4 == play.meter.returned_e4
    for card in {card for hand in deck for card in hand.split()}:
        assert not any(card.encode() in channel for channel in play.channels)


def test_the_table_opens_and_closes_between_two_rounds_only() -> None:
    play = Play()
    assert play.refused(CloseTable).article == "policy: one step at a time"
    assert play.refused(BeginRound).article == "policy: one step at a time"
    play.say(OpenTable)
    assert play.refused(OpenTable).article == "policy: one step at a time"
    play.say(CloseTable)
    assert play.step.id == "open/2"
    play.to_wagers()
    assert play.refused(CloseTable).article == "8.º"
    assert play.refused(OpenTable).article == "8.º"
    play.bet(1, ante=100).lock()
    play.finish()
    play.say(CloseTable)
    assert not play.table.open and play.step.id == "open/3"


def test_an_answer_to_another_step_is_stale_and_names_the_step_that_is() -> None:
    play = Play().to_wagers()
    late = PlaceWager(input_id="x", step_id="1/shuffle", actor="ana", seat=1, wager="ante", amount=100)
    with pytest.raises(StaleStep) as stale:
        play.check(late)
    assert stale.value.current == "1/wagers"


def test_answers_given_together_answer_the_step_the_person_saw() -> None:
    play = Play().to_wagers()
    both = (
        PlaceWager(input_id="x", step_id="1/wagers", actor="ana", seat=1, wager="ante", amount=100),
        LockIn(input_id="y", step_id="1/wagers", actor="ana"),
    )
    play.check(*both)
    with pytest.raises(StaleStep):
        play.check(both[0], LockIn(input_id="y", step_id="1/deal/1", actor="ana"))


def test_someone_the_configuration_does_not_know_is_refused_before_all_else() -> None:
    play = Play().to_wagers()
    with pytest.raises(Refusal) as refused:
        play.check(LockIn(input_id="x", step_id="stale", actor="eve"))
    assert (refused.value.who, refused.value.article) == ("actor", "policy: named actors")


def test_art_13_1_to_7_what_the_hands_decide_is_shown_before_the_community_cards_are_turned() -> None:
    play = Play(THREE_SEATS).to_wagers().bet(1, ante=100, pair_plus=100, six_card_bonus=100)
    play.bet(2, pair_plus=200).bet(3, ante=300).chips(1).lock()
    play.deal().decisions(seat_3="fold")

    def lines() -> dict[str, list[tuple[str, int, str]]]:
        found = msgspec.json.decode(play.projection())["round"]["lines"]
        return {seat: [(row["wager"], row["net"], row["article"]) for row in there] for seat, there in found.items()}

    while play.step.to != ("community",):
        assert lines() == {}
        play.reveal_one()
    before = lines()
    assert before == {
        "1": [
            ("ante", 100, "13.º 3)"),
            ("play", 100, "13.º 3)"),
            ("ante_bonus", 500, "13.º 4) (1)"),
            ("pair_plus", 4000, "16.º 1 1)"),
            ("six_card_bonus", -100, "14.º"),
        ],
        "2": [("pair_plus", 200, "16.º 1 5)")],
        "3": [("ante", -300, "12.º 2")],
    }
    assert "Then turn the community cards for the jackpot." in play.prompt["en"]
    play.reveal_one()
    settled = play.round.settlement
    assert settled is not None and lines() == {}
    for seat, seen in settled.seats.items():
        assert [(line.wager, line.net, line.article) for line in seen.lines if line.wager != "jackpot"] == before[seat]


def test_art_13_7_without_a_chip_nothing_is_turned_apart_and_the_lines_are_those_of_the_settlement() -> None:
    play = Play(stacked("As Ks Qs", "Qd 9c 4h")).to_wagers().bet(1, ante=100)
    play.lock()
    play.deal().decisions()
    while play.step.kind == "reveal":
        assert msgspec.json.decode(play.projection())["round"]["lines"] == {}
        play.reveal_one()
    assert play.round.settlement is not None


# ---- Cards whose value no one received: they are dealt like any other, keyed in when they are turned, and counted.


HANDS = ("As Ks Qs", "9h 9d 2c", "2d 5h 7c", "Qd 9c 4h", "3c 3d 3h")  # seats 1 to 3, bank, rack and community


def locked_unread(source: str = "shuffler", unread: tuple[str, ...] = ()) -> Play:
    """Seat 1 ante with chip, seat 2 Pair Plus alone, seat 3 ante alone; some cards cannot be read."""
    deck = stacked_for(source, *HANDS)
    missing = [deck.index(card) for card in cards(" ".join(unread))]
    play = Play(deck, source=source, unread=missing).to_wagers()
    play.bet(1, ante=100).bet(2, pair_plus=200).bet(3, ante=300).chips(1)
    play.lock()
    return play


def shown(play: Play) -> dict[str, str]:
    return {place: " ".join(there) for place, there in play.round.play.shown.items()}


TRUTH = {"bank": "Qd 9c 4h", "seat 1": "As Ks Qs", "seat 2": "9h 9d 2c", "seat 3": "2d 5h 7c", "community": "3d 3h"}


def test_art_18_3_cards_that_were_all_read_are_not_keyed_in_and_no_guess_is_answered() -> None:
    play = locked_unread().until("reveal")
    answers = {sentence(play.refused(Reveal, to="bank", cards=guess)) for guess in ("Qd 9c 4h", "Qd 9c 4c", "x")}
    assert len(answers) == 1
    play.reveal_one()
    assert shown(play) == {"bank": TRUTH["bank"]}


def test_art_18_3_a_card_keyed_in_that_is_face_down_elsewhere_is_not_given_away() -> None:
    play = locked_unread(unread=("4h",)).until("reveal")
    answers = []
    for wrong in ("Qd 9c As", "Qd 9c 8d"):  # one is at seat 1, the other nowhere
        other = locked_unread(unread=("4h",)).until("reveal")
        answers.append(len(other.say(Reveal, to="bank", cards=wrong)))
    assert answers == [1, 1]
    play.say(Reveal, to="bank", cards="Qd 9c As")
    # Whether the deck or the hand that keyed it in is wrong no one knows: it can be corrected.
    assert play.refused(Reveal, to="seat 1").article == "policy: complete deck"
    play.change(CorrectCards, to="bank", cards="Qd 9c 4h", reason="keyed in wrongly")
    play.to_settled()
    assert play.round.void is None


# ---- a card no one received


def test_a_card_that_was_received_after_all_makes_the_report_that_it_was_not_stale() -> None:
    play = locked_unread("shoe")
    late = UnreportedCard(input_id="x", step_id=play.step.id, actor="ana")
    play.deal_one()
    with pytest.raises(StaleStep) as stale:
        play.check(late)
    assert stale.value.current == "1/deal/2"
