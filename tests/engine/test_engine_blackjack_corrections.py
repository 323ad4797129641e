"""Black-jack/21 at the table: bets, seats and cards entered wrongly, and what the rules do not let be corrected."""

import pytest

from controller.engine.decisions.jackpot import Confirm
from controller.engine.decisions.played import Reveal
from controller.engine.state.persons import CorrectCards, CorrectSeat, CorrectWager
from controller.rulebook.events import CardSource, RoundSettled
from controller.rulebook.report import Laid
from tests.engine.hands import Hands
from tests.engine.reported import bets_at, irregularities, open_cards, seats

BOTH: list[CardSource] = ["shoe", "shuffler"]
WHY = {"reason": "entered wrongly"}
UNREAD = "policy: unread cards"


def over(cards: str = "Tc Th 9c 7h", **bets: int) -> Hands:
    """A round of seat 1 up to its confirmation."""
    return Hands(cards).to_wagers().lay(1, 200, "Ana", **bets).settled()


def settlements(play: Hands) -> int:
    return sum(isinstance(event, RoundSettled) for event in play.events)


# ---- corrected wagers and seats


def test_blackjack_correct_a_wager_and_the_round_is_computed_again() -> None:
    play = over(Rui=100)
    play.change(CorrectWager, seat=1, wager="bet", amount=500, player="Ana", **WHY)
    play.change(CorrectWager, seat=1, wager="backing", amount=300, player="Rui", **WHY)
    assert play.lines() == [("hand 1", "", 500, 500, "23"), ("hand 1", "Rui", 300, 300, "23")]
    assert settlements(play) == 3 and play.step.id == "1/confirm/3"
    corrections = play.report.corrections
    assert [(one.at, one.wager, one.player, one.amount_before, one.amount_after) for one in corrections] == [
        ("seat 1", "bet", "Ana", 200, 500), ("seat 1", "backing", "Rui", 100, 300)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("fields", "article"),
    [
        ({"seat": 1, "wager": "bet", "amount": 150}, "14"), ({"seat": 1, "wager": "bet", "amount": 3_100}, "37"),
        ({"seat": 1, "wager": "bet", "amount": 0}, "16"), ({"seat": 8, "wager": "bet", "amount": 100}, "2"),
        ({"seat": 1, "wager": "backing", "amount": 2_900, "player": "Zé"}, "15"),
        ({"seat": 1, "wager": "backing", "amount": 100, "player": "Rui"}, "policy: corrections"),
        ({"seat": 1, "wager": "bet", "amount": 300, "player": "Zé"}, "15"),
        ({"seat": 3, "wager": "bet", "amount": 100}, "policy: misdeal"),
        ({"seat": 1, "wager": "ante", "amount": 100}, "15"),
    ],
)  # fmt: skip
def test_blackjack_rule_14_15_and_37_hold_for_corrected_wagers_too(fields: dict[str, object], article: str) -> None:
    play = over(Rui=100)
    fields = {"player": "Ana", **fields} if fields["wager"] == "bet" and fields["seat"] == 1 else fields
    assert play.refused(CorrectWager, **{**fields, **WHY}).article == article  # type: ignore[arg-type]
    assert settlements(play) == 1


def test_blackjack_rule_33_a_bet_is_not_corrected_below_what_was_insured_on_it() -> None:
    play = Hands("Tc Ah 9c 7h").to_wagers().lay(1, 400, Rui=200).until("ask").answers("insure 200,0").settled()
    assert play.refused(CorrectWager, seat=1, wager="bet", amount=200, **WHY).article == "33"
    why = play.refused(CorrectWager, seat=1, wager="backing", amount=0, player="Rui", **WHY)
    assert why.article == "33"  # he was asked, and would not have been
    play.change(CorrectWager, seat=1, wager="bet", amount=600, **WHY)
    assert play.lines()[1] == ("insurance", "", 200, -200, "33")


def test_blackjack_rule_28_a_backer_who_was_asked_is_not_corrected_away() -> None:
    play = Hands("8c Th 8d 7h Tc 9c").to_wagers().lay(1, 200, "Ana", Rui=100).until("deal")
    play.decides("split").answers("follow 1", "stand", "stand").settled()
    assert play.refused(CorrectWager, seat=1, wager="backing", amount=0, player="Rui", **WHY).article is not None
    play.change(CorrectWager, seat=1, wager="backing", amount=500, player="Rui", **WHY)
    play.settled()


def test_blackjack_correct_the_seat_its_cards_and_answers_go_along() -> None:
    play = Hands("Tc 8c Th 9c 8d 7h").to_wagers().lay(1, 200, "Ana", Rui=100).lay(4, 300).settled()
    play.change(CorrectSeat, seat=1, to_seat=3, **WHY)
    report = play.settled().report
    assert open_cards(report) == {"seat 3/1": "Tc 9c", "seat 4/1": "8c 8d", "bank": "Th 7h"}
    assert {one.seat for one in report.decisions} == {3, 4} and seats(report) == [3, 4]
    assert bets_at(report, 3) == [Laid(3, "bet", "Ana", 200), Laid(3, "backing", "Rui", 100)]
    assert play.refused(CorrectSeat, seat=3, to_seat=4, **WHY).article == "policy: corrections"
    assert play.refused(CorrectSeat, seat=3, to_seat=5, **WHY).article == "policy: misdeal"  # another's turn


def test_blackjack_correct_the_seat_and_what_was_unasked_there() -> None:
    play = Hands("Tc Th 9c 7h 2c").to_ask(1)
    play.comes_out()
    play.change(CorrectSeat, seat=1, to_seat=6, **WHY)
    assert play.waits == "decision 6/1"
    play.answer("hit")
    play.settled()
    assert open_cards(play.report)["seat 6/1"] == "Tc 9c 2c"


def test_blackjack_correct_before_the_first_card_is_like_the_betting_itself() -> None:
    play = Hands().to_deal(1, 3)
    play.change(CorrectWager, seat=3, wager="bet", amount=0, **WHY)
    play.change(CorrectSeat, seat=1, to_seat=5, **WHY)
    assert play.refused(CorrectWager, seat=5, wager="bet", amount=0, **WHY).article == "17"
    assert {one.seat for one in play.settled().report.wagers} == {5}


# ---- corrected cards


@pytest.mark.parametrize("source", BOTH)
def test_blackjack_correct_a_keyed_in_card_and_the_play_is_followed_again(source: CardSource) -> None:
    play = Hands("Tc Th 9c 7h", source=source, unread={source == "shoe"}).to_deal(1)
    play.go_on()
    assert play.waits == "reveal seat 1" and play.step.key_in
    play.say(Reveal, to="seat 1", cards="8c")
    play.settled()
    assert play.lines() == [("hand 1", "", 200, 0, "24")] and play.hands(1) == ["8c 9c stood"]
    play.change(CorrectCards, to="seat 1", cards="Tc 9c", **WHY)
    assert play.lines() == [("hand 1", "", 200, 200, "23")] and play.hands(1) == ["Tc 9c stood"]
    [one] = play.report.corrections
    assert (one.what, one.at, one.before, one.after) == ("cards", "seat 1", "8c 9c", "Tc 9c")
    assert ("keyed_in", "seat 1", UNREAD) in irregularities(play.report)


def test_blackjack_correct_a_card_that_its_source_read_is_the_supervisors() -> None:
    play = over()
    assert play.refused(CorrectCards, to="seat 1", cards="Td 9c", **WHY).article == UNREAD
    play.change(CorrectCards, "rui", to="seat 1", cards="Td 9c", **WHY)
    assert play.settled().hands(1) == ["Td 9c stood"]
    for cards in ("Td", "Td 9c 2c", "Td 9x", "", "bank"):
        assert play.refused(CorrectCards, "rui", to="seat 1", cards=cards, **WHY).who == "seat 1"
    assert play.refused(CorrectCards, "rui", to="seat 2", cards="Td 9c", **WHY).article == "policy: corrections"


@pytest.mark.parametrize(
    ("cards", "words", "corrected", "article"),
    [
        ("Tc Th 9c 7h", ("stand",), "2c 9c", "18"),  # below 12 nobody stands
        ("5c Th 6c 7h 9d", ("double",), "5c 7c 9d", "29"),
        ("8c Th 8d 7h 9d 9h", ("split", "stand", "stand"), "8c 9d 9d 9h", "26"),
        ("Tc Th 2c 7h 2d 3h", ("hit", "hit", "stand"), "Tc 2c Td 3h", "policy: corrections"),  # lost with the third
        ("Tc Th 9c 7h", ("stand",), "Tc Ac", "policy: corrections"),  # a black-jack is not asked
    ],
)
def test_blackjack_rule_18_cards_are_not_corrected_to_where_an_answer_would_not_have_been_allowed(
    cards: str, words: tuple[str, ...], corrected: str, article: str
) -> None:
    play = Hands(cards).to_deal(1).decides(*words).settled()
    assert play.refused(CorrectCards, "rui", to="seat 1", cards=corrected, **WHY).article == article
    play.settled()


def test_blackjack_rule_19_corrected_to_16_the_bank_draws_and_to_17_it_may_not_have_drawn() -> None:
    play = over("Tc Th 9c 7h 2s")
    play.change(CorrectCards, "rui", to="bank", cards="Th 6h", **WHY)
    assert play.waits == "deal bank" and play.round.settlement is None
    assert play.lines() == [("hand 1", "", 200, 200, "23")] and play.bank() == "Th 6h 2s"
    assert play.refused(CorrectCards, "rui", to="bank", cards="Th 7h 2s", **WHY).article == "policy: corrections"
    play.change(CorrectCards, "rui", to="bank", cards="Th 6h 5s", **WHY)
    assert play.lines() == [("hand 1", "", 200, -200, "23")]


def test_blackjack_rule_22_a_bank_that_turned_for_nobody_is_refused_too() -> None:
    play = Hands("Tc Th 2c 7h 9c").to_ask(1).answers("hit").settled()
    assert play.refused(CorrectCards, "rui", to="seat 1", cards="Tc 2c Td", **WHY).article == "policy: corrections"


def test_blackjack_rule_17_the_hidden_card_is_not_corrected_and_not_told() -> None:
    told = []
    for hole in ("7h", "Ah"):
        play = Hands(f"Tc Th 9c {hole}").to_ask(1)
        assert play.refused(CorrectCards, "rui", to="bank", cards="Th 2c", **WHY).who == "bank"
        play.change(CorrectCards, "rui", to="bank", cards="Kh", **WHY)
        assert play.bank() == "Kh"
        told.append([*play.channels, play.projection()])
        assert play.settled().bank().startswith(f"Kh {hole}")
    assert told[0] == told[1]


def test_blackjack_rule_3_no_card_is_corrected_to_one_that_came_too_often() -> None:
    play = Hands("Tc Tc Th Tc 9c 7h").to_deal(1, 2).settled()
    assert play.hands(1)[0].startswith("Tc Tc") and play.hands(2)[0].startswith("Tc 9c")
    play.change(CorrectCards, "rui", to="seat 2", cards="Tc Tc", **WHY)
    play.settled()
    assert play.refused(CorrectCards, "rui", to="bank", cards="Tc 7h", **WHY).article == "policy: complete deck"


def test_blackjack_corrections_come_to_an_end() -> None:
    play = over()
    play.say(Confirm)
    for kind, fields in (
        (CorrectWager, {"seat": 1, "wager": "bet", "amount": 100}), (CorrectSeat, {"seat": 1, "to_seat": 2}),
        (CorrectCards, {"to": "seat 1", "cards": "2c 3c"}),
    ):  # fmt: skip
        assert play.refused(kind, "rui", **fields, **WHY).article == "policy: corrections"
    early = Hands().to_wagers().lay(1, 200)
    assert early.refused(CorrectWager, seat=1, wager="bet", amount=100, **WHY).article == "policy: corrections"


def test_blackjack_rule_18_after_a_correction_no_answer_is_another_seats_or_hands() -> None:
    """Seat 1 lost with its third card and was asked no more; with another one it would have been asked again."""
    play = Hands("8s 9c 8h Tc 2c 7h Kc Td").to_deal(1, 2).decides("hit", "hit").settled()
    assert play.hands(1) == ["8s Tc Kc lost"] and play.hands(2) == ["9c 2c Td waiting"]
    why = play.refused(CorrectCards, "rui", to="seat 1", cards="8s 5c 2c", **WHY)
    assert (why.who, why.article) == ("seat 1", "policy: corrections")
    split = Hands("8s Th 8c 7h 5c Kc 5d Kd").to_deal(1).decides("split", "hit", "hit").settled()
    assert split.hands(1) == ["8s 5c Kc lost", "8c 5d Kd lost"]
    why = split.refused(CorrectCards, "rui", to="seat 1", cards="8s 8c 5c 2c 5d Kd", **WHY)
    assert (why.who, why.article) == ("seat 1", "policy: corrections")


def test_blackjack_rule_18_after_a_correction_the_last_hand_is_asked_again() -> None:
    play = Hands("8s 8h Tc 7h Kc 3d").to_deal(1).decides("hit").settled()
    play.change(CorrectCards, "rui", to="seat 1", cards="8s 5c 3c", **WHY)
    assert play.waits == "decision 1/1" and play.step.legal == ("hit", "stand")
    play.answers("stand").settled()


def test_blackjack_rule_16_who_decided_at_a_vacant_seat_is_not_corrected_into_another() -> None:
    play = Hands("5c 8c Th 4c 8d 7h 9c Tc Td").to_wagers().lay(1, 200, "Rui").vacant(4, Rui=300, Bia=300)
    play.until("deal")
    play.change(CorrectWager, seat=4, wager="vacant", amount=200, player="Rui", **WHY)  # before anybody was asked
    play.change(CorrectWager, seat=4, wager="vacant", amount=300, player="Rui", **WHY)
    play.decides("double", "split").answers("follow 1", "stand", "stand").settled()
    before = play.lines(4)
    assert bets_at(play.report, 4)[0].player == "Rui"
    assert play.refused(CorrectWager, seat=4, wager="vacant", amount=200, player="Rui", **WHY).article == "16"
    assert play.refused(CorrectWager, seat=4, wager="vacant", amount=400, player="Bia", **WHY).article == "16"
    assert play.lines(4) == before
    play.change(CorrectWager, seat=4, wager="vacant", amount=200, player="Bia", **WHY)
    play.change(CorrectSeat, seat=4, to_seat=3, **WHY)
    assert bets_at(play.settled().report, 3)[0].player == "Rui"
