"""Black-jack/21, rules 1 to 25 in round files: the deal, standing and drawing, black-jack, the bank, won and lost."""

import json

import pytest

from controller.rulebook.blackjack_21.bets import Backer, Interest, SeatBet, decider
from controller.rulebook.blackjack_21.play import opened, with_bet, with_card
from controller.rulebook.blackjack_21.state import RoundState
from controller.rulebook.blackjack_21.waits import CardDue, waits_for
from controller.rulebook.cards import DECK
from controller.rulebook.refusal import Refusal
from controller.rulebook.round_file import settle_text
from tests.rulebook.blackjack_rounds import backer, blackjack, lines, lines_of, refused_by, seat, settled

EXAMPLE = """
{"game": "blackjack-21", "minimum": 500, "decks": 6,
 "seats": {"1": {"bet": 1000, "jackpot": 100, "insurance": 0, "even_money": false, "decisions": ["hit", "stand"],
                 "backers": [{"player": "B", "bet": 500, "insurance": 0, "follows": []}]}},
 "shoe": "9h As 3d 2c 7d 5c", "jackpot": {"pot": 5000000, "minimum": 1000000}}
"""
ANSWER = """
{"game": "blackjack-21", "outcome": "settled", "dealer": {"cards": "As 2c 5c", "total": 18, "black_jack": false},
 "seats": {"1": {"net": 900, "lines": [
   {"wager": "hand", "hand": 1, "stake": 1000, "outcome": "win", "odds": "1:1", "net": 1000, "article": "23"},
   {"wager": "jackpot", "stake": 100, "outcome": "lose", "odds": null, "net": -100, "article": "43"},
   {"wager": "hand", "hand": 1, "player": "B", "stake": 500, "outcome": "win", "odds": "1:1", "net": 500,
    "article": "23"}]}}, "jackpot": {"pot_before": 5000000, "pot_after": 5000000, "awards": []}}
"""


def test_blackjack_the_worked_example_is_answered_to_the_letter_and_in_its_order() -> None:
    compact = json.dumps(json.loads(ANSWER), ensure_ascii=False, separators=(",", ":"))
    assert settle_text(EXAMPLE) == settle_text(EXAMPLE.encode()) == compact.encode()


def test_blackjack_rule_2_seats_are_one_to_seven() -> None:
    seven = blackjack(" ".join(["9c"] * 4 + ["9d"] * 3 + ["Ts"] + ["9h"] * 4 + ["9s"] * 3 + ["7h"]))
    seven["seats"] = {str(number): seat("stand") for number in range(1, 8)}
    assert list(settled(seven)["seats"]) == list("1234567")
    for other in ("0", "8", "01", "x", ""):
        assert refused_by(blackjack("9c") | {"seats": {other: seat()}}) == ("seats", "2")


def test_blackjack_rule_3_four_or_six_decks() -> None:
    for decks in (4, 6):
        assert settled(blackjack("9c Ts 9d 7h", seat("stand"), decks=decks))["outcome"] == "settled"
    for wrong in (1, 5, 8, 0, "6", 6.0, True, None):
        assert refused_by(blackjack("9c Ts 9d 7h", seat("stand"), decks=wrong)) == ("decks", "3")


def test_blackjack_rule_3_no_card_comes_oftener_than_there_are_decks() -> None:
    def round_(decks: int) -> dict[str, object]:
        return blackjack("9c 9c 9c 9c Ts 9d 9c 9c 9c 9h", *[seat("stand")] * 4, decks=decks)

    assert refused_by(round_(4)) == ("seat 2", "3")
    assert refused_by(round_(6)) == ("seat 4", "3")


def with_cards(state: RoundState, cards: str) -> RoundState:
    for card in cards.split():
        state = with_card(state, next(own for own in DECK if own == card))
    return state


def test_blackjack_rule_13_a_bet_is_placed_before_the_seat_s_first_card() -> None:
    state = opened([SeatBet(seat=1, bet=200), SeatBet(seat=4, bet=200)])
    state = with_cards(state, "9c")
    late = with_bet(state, SeatBet(seat=2, bet=300))
    assert waits_for(late) == CardDue("seat 2", 1)
    assert [played.placed.seat for played in late.seats] == [1, 2, 4]
    changed = with_bet(state, SeatBet(seat=4, bet=300, backers=(Backer("B", 100),)))
    assert changed.seats[1].placed.bet == 300 and len(changed.seats[1].hands[0].times) == 2
    for seats_dealt, cards in ((1, ""), (3, "9d"), (4, "9d"), (7, "9d Ts")):
        with pytest.raises(Refusal) as refusal:
            with_bet(with_cards(state, cards), SeatBet(seat=seats_dealt, bet=200))
        assert (refusal.value.who, refusal.value.article) == (f"seat {seats_dealt}", "13")


def test_blackjack_rule_15_all_bets_of_a_seat_together_stay_below_the_maximum() -> None:
    full = seat("stand", bet=2000, backers=[backer("Ana", bet=500), backer("Rui", bet=500)])
    assert len(lines_of("9c Ts 9d 7h", full)) == 3
    full["backers"][1]["bet"] = 600
    assert refused_by(blackjack("9c Ts 9d 7h", full)) == ("seat 1", "15")
    full["backers"][1]["bet"] = 50
    assert refused_by(blackjack("9c Ts 9d 7h", full)) == ("seat 1", "15")
    twice = seat("stand", backers=[backer("Ana"), backer("Ana")])
    assert refused_by(blackjack("9c Ts 9d 7h", twice)) == ("seat 1", "15")


def test_blackjack_rule_16_at_a_vacant_seat_the_highest_bet_decides_then_the_lowest_seat() -> None:
    ana, rui, eva = Interest("Ana", 300, 5), Interest("Rui", 500, 6), Interest("Eva", 500, 2)
    assert decider([ana, rui]) == rui
    assert decider([ana, rui, eva]) == decider([eva, rui]) == eva


def test_blackjack_rule_16_backers_need_the_bet_of_the_person_who_decides() -> None:
    assert refused_by(blackjack("9c Ts 9d 7h", seat(bet=0, backers=[backer("Ana")]))) == ("seat 1", "16")


def test_blackjack_rule_17_the_deal_goes_round_twice_and_the_bank_s_second_is_face_down() -> None:
    state = opened([SeatBet(seat=6, bet=200), SeatBet(seat=2, bet=200)])
    places = []
    for card in "9c 8c 7c 6c 5c 4c".split():
        wait = waits_for(state)
        assert isinstance(wait, CardDue)
        places.append((wait.place, wait.hand, wait.face_up))
        state = with_cards(state, card)
    round_ = [("seat 2", 1, True), ("seat 6", 1, True)]
    assert places == [*round_, ("bank", None, True), *round_, ("bank", None, False)]


def test_blackjack_rule_17_a_seat_without_a_bet_gets_no_card() -> None:
    round_ = blackjack("9c Ts 9d 7h", {"bet": 0}, seat("stand"))
    assert list(settled(round_)["seats"]) == ["2"]
    assert refused_by(blackjack("9c", {"bet": 0})) == ("seats", "17")
    assert refused_by(blackjack("9c")) == ("seats", "17")


def test_blackjack_rule_18_no_one_draws_at_21() -> None:
    assert lines_of("9c Ts 2d 7h Th", seat("hit")) == [("hand 1", "", 200, 200, "23")]
    for more in ("hit", "stand"):
        assert refused_by(blackjack("9c Ts 2d 7h Th 2c", seat("hit", more))) == ("seat 1", "18")


def test_blackjack_rule_18_a_black_jack_is_not_asked() -> None:
    assert lines_of("Ac 9s Td 7h", seat()) == [("hand 1", "", 200, 300, "21")]
    for decision in ("stand", "hit", "double", "surrender"):
        assert refused_by(blackjack("Ac 9s Td 7h", seat(decision))) == ("seat 1", "18")


def test_blackjack_rule_18_every_decision_needs_an_answer_and_none_is_left_over() -> None:
    assert refused_by(blackjack("9c Ts 5d 7h", seat())) == ("seat 1", "18")
    assert refused_by(blackjack("9c Ts 5d 7h 2d", seat("hit"))) == ("seat 1", "18")
    assert refused_by(blackjack("9c Ts 5d 7h 2d", seat("stand", "hit"))) == ("seat 1", "18")
    assert refused_by(blackjack("9c Ts 5d 7h", seat("jump"))) == ("seat 1", "18")
    assert refused_by(blackjack("9c Ts 5d 7h", seat("hit"))) == ("shoe", "18")


def test_blackjack_rule_19_the_bank_draws_to_16_and_stands_on_17() -> None:
    assert settled(blackjack("9c Ts 9d 7h", seat("stand")))["dealer"] == {
        "cards": "Ts 7h", "total": 17, "black_jack": False,
    }  # fmt: skip
    assert refused_by(blackjack("9c Ts 9d 7h 2c", seat("stand"))) == ("shoe", "19")
    assert settled(blackjack("9c Ts 9d 6h Ac", seat("stand")))["dealer"]["total"] == 17
    assert refused_by(blackjack("9c Ts 9d 6h", seat("stand"))) == ("shoe", "19")
    assert settled(blackjack("9c 2s 9d 2h 2c 2d 2c 2d Td", seat("stand")))["dealer"]["total"] == 22


def test_blackjack_rule_22_a_hand_above_21_loses_at_once() -> None:
    two = blackjack("Tc 9c Ts 6d 9d 6h Th Tc", seat("hit"), seat("stand"))
    answer = settled(two)  # The bank has 26.
    assert lines(answer, 1) == [("hand 1", "", 200, -200, "22")]
    assert lines(answer, 2) == [("hand 1", "", 200, 200, "23")]
    assert lines_of("Tc Ts 6d 6h 6c", seat("hit")) == [("hand 1", "", 200, -200, "22")]
    assert refused_by(blackjack("Tc Ts 6d 6h Th", seat("hit", "stand"))) == ("seat 1", "22")


def test_blackjack_rule_22_no_third_card_when_every_hand_is_lost_given_up_or_paid() -> None:
    shoe = "Tc 9c Ac 9s 6d 9d Kd 6h Th"
    seats = seat("hit"), seat("surrender"), seat()
    answer = settled(blackjack(shoe, *seats))
    assert answer["dealer"] == {"cards": "9s", "total": None, "black_jack": None}
    assert refused_by(blackjack(shoe + " 2c", *seats)) == ("shoe", "22")
