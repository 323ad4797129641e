"""Black-jack/21 at the table, 18: a card drawn against the player's wish, seen or unseen, and who gets it."""

import pytest

from controller.engine.decisions.hands import GiveUp, Insure, UnaskedCard
from controller.engine.decisions.played import Decide
from controller.rulebook.events import CardSource
from tests.engine.hands import Hands
from tests.engine.reported import irregularities, open_cards

BOTH: list[CardSource] = ["shoe", "shuffler"]


def unasked(cards: str, *seats: int, source: CardSource = "shoe") -> Hands:
    """Seat 1 is asked, and a card comes out that it did not ask for."""
    play = Hands(cards, source=source).to_ask(*(seats or (1, 2)))
    before = play.step
    play.comes_out()
    assert play.step == before and play.told()[-1] == "unasked_card"
    assert play.public()["round"]["pending_cards"] == 1
    return play


def pending(play: Hands) -> int:
    count: int = play.public()["round"]["pending_cards"]
    return count


# Seats 1 and 2 have 16 and 12, the bank 9 and 7; the card nobody asked for is 5s, then 4d, then what follows.
DEAL = "Tc 8c 9h 6c 4c 7h 5s 4d 2h 3h"


@pytest.mark.parametrize("source", BOTH)
def test_blackjack_rule_18_seen_it_is_annulled(source: CardSource) -> None:
    play = unasked(DEAL, source=source)
    play.say(UnaskedCard, seen=True)
    assert pending(play) == 0 and play.waits == "decision 1/1"
    play.answers("stand", "hit").until("ask").answers("stand")
    assert play.hands(1) == ["Tc 6c stood"] and play.hands(2) == ["8c 4c 4d stood"]
    play.settled()
    assert play.bank() == "9h 7h 2h"
    assert irregularities(play.report) == [("unasked_card", "seat 1", "18", "seen")]
    assert "5s" not in str(open_cards(play.report))


@pytest.mark.parametrize("source", BOTH)
def test_blackjack_rule_18_unseen_it_goes_to_the_next_player_who_asks_for_one(source: CardSource) -> None:
    play = unasked(DEAL, source=source)
    play.say(UnaskedCard, seen=False)
    assert pending(play) == 1
    play.answers("stand")
    assert play.waits == "decision 2/1"
    play.answers("hit")
    assert pending(play) == 0 and play.hands(2) == ["8c 4c 5s asked"]  # without another draw
    play.answers("stand").settled()
    assert play.bank() == "9h 7h 4d"
    assert irregularities(play.report) == [("unasked_card", "seat 1", "18", "unseen")]


def test_blackjack_rule_18_unseen_it_goes_to_the_same_player_if_he_asks_for_one_after_all() -> None:
    play = unasked(DEAL)
    play.say(UnaskedCard, seen=False)
    play.answers("hit")
    assert play.hands(1) == ["Tc 6c 5s waiting"] and play.waits == "decision 2/1"
    play.settled()


@pytest.mark.parametrize("source", BOTH)
def test_blackjack_rule_18_if_nobody_asks_for_one_it_is_for_the_bank(source: CardSource) -> None:
    play = unasked(DEAL, source=source)
    play.say(UnaskedCard, seen=False)
    play.answers("stand", "stand")
    assert play.at("reveal") and play.bank() == "9h"
    play.go_on()
    assert play.at("confirm") and play.bank() == "9h 7h 5s"  # 16, so that it draws
    assert play.lines(1) == [("hand 1", "", 200, -200, "23")]
    assert play.round.draws == 7 + (source == "shoe")


def test_blackjack_rule_18_a_bank_that_may_draw_none_does_not_get_it_either() -> None:
    play = unasked("Tc 8c 9h 6c 4c Th 5s")
    play.say(UnaskedCard, seen=False)
    play.answers("stand", "stand").settled()
    assert play.bank() == "9h Th" and irregularities(play.report) == [("unasked_card", "seat 1", "18", "unseen")]


def test_blackjack_rule_18_the_bank_draws_on_after_it() -> None:
    play = unasked("Tc 8c 2h 6c 4c 3h 5s 4d 8d")
    play.say(UnaskedCard, seen=False)
    play.answers("stand", "stand").settled()
    assert play.bank() == "2h 3h 5s 4d 8d"


@pytest.mark.parametrize("source", BOTH)
@pytest.mark.parametrize("decision", ["hit", "double"])
def test_blackjack_rule_18_a_card_that_the_player_wanted_after_all_is_his_and_no_error(
    source: CardSource, decision: str
) -> None:
    play = unasked("5c 8c 9h 6c 4c 7h 8s 4d", source=source)
    play.answers(decision)
    assert pending(play) == 0 and play.hands(1)[0].startswith("5c 6c 8s")
    play.settled()
    assert irregularities(play.report) == []


def test_blackjack_rule_18_a_split_gets_it_as_its_second_card() -> None:
    play = unasked("8c 8h 9h 8d 4c 7h Ts 9d")
    play.answers("split")
    assert play.hands(1) == ["8c Ts asked", "8d waiting"]
    play.answers("stand").until("ask")
    assert play.hands(1) == ["8c Ts stood", "8d 9d asked"]
    play.settled()


def test_blackjack_rule_18_before_anything_else_is_answered_the_dealer_says_whether_it_was_seen() -> None:
    play = unasked(DEAL)
    assert play.refused(Decide, seat=1, decision="stand").article == "18"
    play.say(UnaskedCard, seen=True)
    for seen in (True, False):
        assert play.refused(UnaskedCard, seen=seen).article == "18"
    play.answers("stand")
    early = Hands("Tc Ah 6c 7h 5s").to_deal(1).until("ask")
    early.comes_out()
    assert early.refused(Insure, seat=1, amounts=(0,)).article == "18"
    early.say(UnaskedCard, seen=False)
    early.answers("insure 100", "hit").settled()
    assert early.hands(1) == ["Tc 6c 5s waiting"]


@pytest.mark.parametrize("seen", [True, False])
def test_blackjack_rule_18_a_second_card_that_nobody_asked_for(seen: bool) -> None:
    play = unasked(DEAL)
    play.say(UnaskedCard, seen=False)
    play.comes_out()
    assert pending(play) == 2 and play.refused(Decide, seat=1, decision="stand").article == "18"
    play.say(UnaskedCard, seen=seen)
    assert pending(play) == 2 - seen
    play.answers("stand", "hit").until("ask")
    assert play.hands(2) == ["8c 4c 5s asked"]
    play.answers("hit").until("ask", "reveal")
    assert play.hands(2)[0].startswith("8c 4c 5s 2h" if seen else "8c 4c 5s 4d")
    play.settled()


def test_blackjack_rule_18_unseen_it_is_seen_by_nobody_until_somebody_gets_it() -> None:
    told = []
    for card in ("5s", "Ts", "As"):
        play = unasked(f"Tc 8c 9h 6c 4c 7h {card}")
        play.say(UnaskedCard, seen=False)
        play.answers("stand")
        told.append([*play.channels, play.projection()])
        play.answers("hit")
        assert play.hands(2)[0].startswith(f"8c 4c {card}")
    assert told[0] == told[1] == told[2]


def test_blackjack_rule_18_seen_at_the_table_it_is_still_not_the_stations_to_tell() -> None:
    told = []
    for card in ("5s", "Ts"):
        play = unasked(f"Tc 8c 9h 6c 4c 7h {card} 4d")
        play.say(UnaskedCard, seen=True)
        play.settled().until("begin")
        told.append(play.channels)
    assert told[0] == told[1]


@pytest.mark.parametrize("decision", ["hit", "stand"])
def test_blackjack_rule_18_an_unread_one_is_keyed_in_where_it_comes_to_lie(decision: str) -> None:
    play = Hands(DEAL).to_ask(1, 2)
    play.unread = {play.dealt}
    play.comes_out()
    play.say(UnaskedCard, seen=False)
    play.answers(decision)
    if decision == "stand":
        play.answers("hit")
    seat = 1 if decision == "hit" else 2
    assert play.waits == f"reveal seat {seat}" and play.step.key_in
    play.go_on()
    assert play.hands(seat)[0].split()[2] == "5s"
    play.settled()
    assert ("keyed_in", f"seat {seat}", "policy: unread cards") in irregularities(play.report)


def test_blackjack_rule_18_nothing_is_told_of_a_card_where_none_lies() -> None:
    for play in (Hands().until("begin"), Hands().to_wagers(), Hands().to_deal(1), Hands().to_ask(1)):
        assert play.refused(UnaskedCard, seen=True).who == "table"
    fold = Hands("Tc 9h 6c 7h").to_deal(1).until("ask")
    fold.comes_out()
    assert fold.refused(GiveUp, seat=1, yes=False).article == "18"
    fold.say(UnaskedCard, seen=True)
    fold.answers("yes").settled()


def test_blackjack_rule_18_a_misdeal_ends_the_round_with_a_card_lying_there() -> None:
    play = unasked(DEAL)
    play.misdealt("number")
    assert play.why_void() == "policy: misdeal" and irregularities(play.report) == []
    play.until("begin")


def test_blackjack_rule_18_two_unseen_ones_are_both_the_banks_if_nobody_asks() -> None:
    play = unasked("Tc 8c 2h 6c 4c 3h 5s 9d")
    play.say(UnaskedCard, seen=False)
    play.comes_out()
    play.say(UnaskedCard, seen=False)
    play.answers("stand", "stand").go_on()
    assert play.at("confirm") and play.settled().bank() == "2h 3h 5s 9d"


def test_blackjack_rule_18_a_card_that_is_told_of_while_the_bank_draws_completes_the_round() -> None:
    play = unasked("Tc 8c 2h 6c Tc 3h 5s 9d 2d")
    play.say(UnaskedCard, seen=False)
    play.answers("stand")
    play.comes_out()
    play.say(UnaskedCard, seen=False)
    play.comes_out()
    assert play.refused(Decide, seat=2, decision="stand").article == "18"
    play.say(UnaskedCard, seen=True)
    play.answers("stand").settled()
    assert play.bank() == "2h 3h 5s 9d" and play.round.draws == 10
