"""Black-jack/21 at the table, 18: a card drawn against the player's wish, seen or unseen, and who gets it."""

import pytest

from controller.engine.decisions.hands import GiveUp, UnaskedCard
from controller.rulebook.blackjack_21.events import CardAnnulled
from tests.engine.hands import Hands
from tests.engine.reported import irregularities


def unasked(cards: str, *seats: int) -> Hands:
    """Seat 1 is asked, and a card comes out that it did not ask for."""
    play = Hands(cards).to_ask(*(seats or (1, 2)))
    before = play.step
    play.comes_out()
    assert play.step == before and play.notices()[-1] == "unasked_card"
    assert play.public()["round"]["pending_cards"] == 1
    return play


# Seats 1 and 2 have 16 and 12, the bank 9 and 7; the card no one asked for is 5s, then 4d, then what follows.
DEAL = "Tc 8c 9h 6c 4c 7h 5s 4d 2h 3h"


def test_blackjack_rule_18_unseen_it_is_seen_by_no_one_until_someone_gets_it() -> None:
    messages = []
    for card in ("5s", "Ts", "As"):
        play = unasked(f"Tc 8c 9h 6c 4c 7h {card}")
        play.say(UnaskedCard, seen=False)
        play.answers("stand")
        messages.append([*play.channels, play.projection()])
        play.answers("hit")
        assert play.hands(2)[0].startswith(f"8c 4c {card}")
    assert messages[0] == messages[1] == messages[2]


def test_blackjack_rule_18_seen_at_the_table_it_is_still_not_the_stations_to_publish() -> None:
    messages = []
    for card in ("5s", "Ts"):
        play = unasked(f"Tc 8c 9h 6c 4c 7h {card} 4d")
        play.say(UnaskedCard, seen=True)
        play.settled().until("begin")
        messages.append(play.channels)
    assert messages[0] == messages[1]


@pytest.mark.parametrize("decision", ["hit", "stand"])
def test_blackjack_rule_18_an_unread_one_is_keyed_in_where_it_comes_to_be(decision: str) -> None:
    play = Hands(DEAL).to_ask(1, 2)
    play.unread = {play.dealt}
    play.comes_out()
    play.say(UnaskedCard, seen=False)
    play.answers(decision)
    if decision == "stand":
        play.answers("hit")
    seat = 1 if decision == "hit" else 2
    assert play.waits == f"reveal seat {seat}" and play.step.key_in
    play.proceed()
    assert play.hands(seat)[0].split()[2] == "5s"
    play.settled()
    assert ("keyed_in", f"seat {seat}", "policy: unread cards") in irregularities(play.report)


def test_blackjack_rule_18_no_card_is_reported_where_none_is() -> None:
    for play in (Hands().until("begin"), Hands().to_wagers(), Hands().to_deal(1), Hands().to_ask(1)):
        assert play.refused(UnaskedCard, seen=True).who == "table"
    fold = Hands("Tc 9h 6c 7h").to_deal(1).until("ask")
    fold.comes_out()
    assert fold.refused(GiveUp, seat=1, yes=False).article == "18"
    fold.say(UnaskedCard, seen=True)
    fold.answers("yes").settled()


def annulled(play: Hands) -> list[object]:
    return [event for event in play.events if isinstance(event, CardAnnulled)]


def pending(play: Hands) -> int:
    count: int = play.public()["round"]["pending_cards"]
    return count


def test_blackjack_rule_19_a_bank_card_drawn_before_its_second_is_turned_is_annulled_if_the_bank_stands() -> None:
    play = Hands("Tc 9h 8c Th 5s 3d").to_ask(1)
    play.answers("stand")
    assert play.at("reveal")
    play.comes_out()
    assert pending(play) == 1 and annulled(play) == []  # the bank may have to draw
    play.proceed()
    assert annulled(play) == [CardAnnulled(draw=6)] and pending(play) == 0
    play.settled()
    assert irregularities(play.report) == [("bank_card_too_many", "bank", "19")]
    assert "The bank may not have this card: put it on the discard rack (19)." in str(play.projection(), "utf-8")


def test_blackjack_rule_19_a_bank_card_drawn_before_its_second_is_turned_is_its_third_if_it_must_draw() -> None:
    play = Hands("Tc 9h 8c 6h 5s 3d").to_ask(1)
    play.answers("stand")
    play.comes_out()
    play.proceed()
    play.settled()
    assert annulled(play) == [] and play.report.irregularities == ()


def test_blackjack_rule_18_an_unseen_card_that_no_one_may_have_is_annulled() -> None:
    play = Hands("Tc 9h 8c Th 5s 3d").to_ask(1)
    play.comes_out()
    play.say(UnaskedCard, seen=False)
    play.answers("stand")
    assert pending(play) == 1
    play.settled()
    assert annulled(play) == [CardAnnulled(draw=6)] and pending(play) == 0
    assert irregularities(play.report) == [
        ("bank_card_too_many", "bank", "19"),
        ("unasked_card", "seat 1", "18", "unseen"),
    ]
