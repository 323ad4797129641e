"""Cards whose value no one received: they are dealt like any other, keyed in when they are turned, and counted."""

import pytest

from controller.engine.decisions.cards import UnreportedCard
from controller.engine.decisions.deciders import StaleStep
from controller.engine.decisions.played import Reveal
from controller.engine.state.persons import CorrectCards
from controller.words import sentence
from tests.engine.playing import Play, cards, stacked_for

HANDS = ("As Ks Qs", "9h 9d 2c", "2d 5h 7c", "Qd 9c 4h", "3c 3d 3h")  # seats 1 to 3, bank, rack and community


def locked(source: str = "shuffler", unread: tuple[str, ...] = ()) -> Play:
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
    play = locked().until("reveal")
    answers = {sentence(play.refused(Reveal, to="bank", cards=guess)) for guess in ("Qd 9c 4h", "Qd 9c 4c", "x")}
    assert len(answers) == 1
    play.reveal_one()
    assert shown(play) == {"bank": TRUTH["bank"]}


def test_art_18_3_a_card_keyed_in_that_is_face_down_elsewhere_is_not_given_away() -> None:
    play = locked(unread=("4h",)).until("reveal")
    answers = []
    for wrong in ("Qd 9c As", "Qd 9c 8d"):  # one is at seat 1, the other nowhere
        other = locked(unread=("4h",)).until("reveal")
        answers.append(len(other.say(Reveal, to="bank", cards=wrong)))
    assert answers == [1, 1]
    play.say(Reveal, to="bank", cards="Qd 9c As")
    # Whether the deck or the hand that keyed it in is wrong no one knows: it can be corrected.
    assert play.refused(Reveal, to="seat 1").article == "policy: complete deck"
    play.change(CorrectCards, to="bank", cards="Qd 9c 4h", reason="keyed in wrongly")
    play.to_settled()
    assert play.round.void is None


# ---- a card no one received


def test_a_whole_deal_that_was_not_reported_is_keyed_in_place_by_place() -> None:
    play = locked("shoe")
    while play.step.kind == "deal":
        play.unreported_card()
    play.to_settled()
    assert shown(play) == TRUTH and play.round.void is None
    assert play.round.settlement == locked("shoe").to_settled().round.settlement


def test_a_card_that_was_received_after_all_makes_the_report_that_it_was_not_stale() -> None:
    play = locked("shoe")
    late = UnreportedCard(input_id="x", step_id=play.step.id, actor="ana")
    play.deal_one()
    with pytest.raises(StaleStep) as stale:
        play.check(late)
    assert stale.value.current == "1/deal/2"


# ---- the last count
