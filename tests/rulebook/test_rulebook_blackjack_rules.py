"""Black-jack/21, rules 1 to 25 in round files: the deal, standing and drawing, black-jack, the bank, won and lost."""

import json

import pytest

from controller.rulebook.blackjack_21.bets import Backer, Interest, SeatBet, decider
from controller.rulebook.blackjack_21.play import opened, with_bet, with_card
from controller.rulebook.blackjack_21.points import value_of
from controller.rulebook.blackjack_21.state import State
from controller.rulebook.blackjack_21.waits import CardDue, waits_for
from controller.rulebook.cards import DECK
from controller.rulebook.refusal import Refusal
from controller.rulebook.round_file import settle_text
from tests.rulebook.blackjack_rounds import backer, blackjack, lines, refused_by, seat, settled, told

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


@pytest.mark.parametrize("ten", ["Th", "Jh", "Qh", "Kh"])
@pytest.mark.parametrize("ace_first", [True, False])
def test_blackjack_rule_1_a_an_ace_with_a_ten_or_figure_is_a_black_jack(ten: str, ace_first: bool) -> None:
    first, second = ("As", ten) if ace_first else (ten, "As")
    assert told(f"{first} 9c {second} 8c", seat()) == [("hand 1", "", 200, 300, "21")]
    assert told(f"7c Ts 4d 7h {ten}", seat("hit")) == [("hand 1", "", 200, 200, "23")]  # 21 of three cards is none


def test_blackjack_rule_1_b_a_bank_above_21_is_not_near_it() -> None:
    # The bank's 22 is nearer 21 than 12 is: only a total below 21 counts.
    assert told("Ts 6c 2d Tc 6d", seat("stand")) == [("hand 1", "", 200, 200, "23")]


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


def test_blackjack_rule_6_figures_are_ten_and_the_rest_what_is_on_them() -> None:
    for card in DECK:
        points = {"A": 1, "K": 10, "Q": 10, "J": 10, "T": 10}.get(card[0]) or int(card[0])
        assert value_of(card) == points
        if points > 1:
            answer = settled(blackjack(f"Th 5s 9h 5c 5d {card}", seat("stand")))
            assert answer["dealer"]["total"] == 15 + points


def test_blackjack_rule_6_an_ace_is_11_or_1() -> None:
    # 3 with the ace as 1 or 13 as 11; a ten makes 13, an eight more 21.
    assert told("As Ts 2s 9h Th 8h", seat("hit", "hit")) == [("hand 1", "", 200, 200, "23")]
    assert told("As Ts 2s 9h 8h", seat("hit")) == [("hand 1", "", 200, 200, "23")]


@pytest.mark.parametrize(
    ("bank", "more", "total"),
    [("As 6c", "", 17), ("As 7c", "", 18), ("6s Ac", "", 17), ("As 5c", "Td 4d", 20), ("As 5c", "Ad", 17),
     ("Ts 5c", "Ad 2d", 18), ("2s 3c", "Ad Ac", 17)],
)  # fmt: skip
def test_blackjack_rule_6_the_bank_s_ace_is_11_from_17_on_else_1(bank: str, more: str, total: int) -> None:
    open_card, second = bank.split()
    answer = settled(blackjack(f"Th {open_card} 9h {second} {more}".strip(), seat("stand")))
    assert answer["dealer"]["total"] == total


def with_cards(state: State, cards: str) -> State:
    for card in cards.split():
        state = with_card(state, next(one for one in DECK if one == card))
    return state


def test_blackjack_rule_13_a_bet_is_laid_before_the_seat_s_first_card() -> None:
    state = opened([SeatBet(seat=1, bet=200), SeatBet(seat=4, bet=200)])
    state = with_cards(state, "9c")
    late = with_bet(state, SeatBet(seat=2, bet=300))
    assert waits_for(late) == CardDue("seat 2", 1)
    assert [one.laid.seat for one in late.seats] == [1, 2, 4]
    changed = with_bet(state, SeatBet(seat=4, bet=300, backers=(Backer("B", 100),)))
    assert changed.seats[1].laid.bet == 300 and len(changed.seats[1].hands[0].times) == 2
    for seats_dealt, cards in ((1, ""), (3, "9d"), (4, "9d"), (7, "9d Ts")):
        with pytest.raises(Refusal) as refusal:
            with_bet(with_cards(state, cards), SeatBet(seat=seats_dealt, bet=200))
        assert (refusal.value.who, refusal.value.article) == (f"seat {seats_dealt}", "13")


@pytest.mark.parametrize("bet", [50, 150, 199, 201, 1])
def test_blackjack_rule_14_a_bet_is_a_multiple_of_the_minimum(bet: int) -> None:
    assert refused_by(blackjack("9c Ts 9d 7h", seat("stand", bet=bet))) == ("seat 1", "14")


def test_blackjack_rule_14_the_minimum_itself_is_a_bet() -> None:
    assert told("9c Ts 9d 7h", seat("stand", bet=100)) == [("hand 1", "", 100, 100, "23")]


def test_blackjack_rule_15_complementary_bets_go_as_the_seat_s() -> None:
    both = seat("hit", "stand", backers=[backer("Ana"), backer("Rui", bet=300)])
    assert told("9c Ts 2d 7h 8h", both) == [
        ("hand 1", "", 200, 200, "23"),
        ("hand 1", "Ana", 100, 100, "23"),
        ("hand 1", "Rui", 300, 300, "23"),
    ]
    assert settled(blackjack("9c Ts 2d 7h 8h", both))["seats"]["1"]["net"] == 200


def test_blackjack_rule_15_all_bets_of_a_seat_together_stay_below_the_maximum() -> None:
    full = seat("stand", bet=2000, backers=[backer("Ana", bet=500), backer("Rui", bet=500)])
    assert len(told("9c Ts 9d 7h", full)) == 3
    full["backers"][1]["bet"] = 600
    assert refused_by(blackjack("9c Ts 9d 7h", full)) == ("seat 1", "15")
    full["backers"][1]["bet"] = 50
    assert refused_by(blackjack("9c Ts 9d 7h", full)) == ("seat 1", "15")
    twice = seat("stand", backers=[backer("Ana"), backer("Ana")])
    assert refused_by(blackjack("9c Ts 9d 7h", twice)) == ("seat 1", "15")


def test_blackjack_rule_15_where_the_seat_insures_a_backer_does_or_not_as_he_likes() -> None:
    def round_(own: int, ana: int) -> dict[str, object]:
        return blackjack("9c As 9d Kh", seat("stand", insurance=own, backers=[backer("Ana", insurance=ana)]))

    for own, ana in ((100, 50), (100, 0), (1, 50), (0, 0)):
        insured = [line for line in lines(settled(round_(own, ana))) if line[0] == "insurance"]
        expected = [("insurance", "", own, 2 * own, "33"), ("insurance", "Ana", ana, 2 * ana, "33")]
        assert insured == [line for line in expected if line[2]]
    assert refused_by(round_(1, 51)) == ("seat 1", "33")


@pytest.mark.parametrize("ana", [1, 50])
def test_blackjack_rule_15_no_backer_insures_where_the_seat_does_not(ana: int) -> None:
    round_ = blackjack("9c As 9d Kh", seat("stand", backers=[backer("Rui"), backer("Ana", insurance=ana)]))
    assert refused_by(round_) == ("seat 1", "15")


def test_blackjack_rule_16_at_a_vacant_seat_the_highest_bet_decides_then_the_lowest_seat() -> None:
    ana, rui, eva = Interest("Ana", 300, 5), Interest("Rui", 500, 6), Interest("Eva", 500, 2)
    assert decider([ana, rui]) == rui
    assert decider([ana, rui, eva]) == decider([eva, rui]) == eva


def test_blackjack_rule_16_backers_need_the_bet_of_whoever_decides() -> None:
    assert refused_by(blackjack("9c Ts 9d 7h", seat(bet=0, backers=[backer("Ana")]))) == ("seat 1", "16")


def test_blackjack_rule_17_the_deal_goes_round_twice_and_the_bank_s_second_lies_face_down() -> None:
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


def test_blackjack_rule_18_a_hand_stands_only_above_11() -> None:
    assert refused_by(blackjack("9c Ts 2d 7h", seat("stand"))) == ("seat 1", "18")
    assert told("9c Ts 3d 7h", seat("stand")) == [("hand 1", "", 200, -200, "23")]
    assert told("Ac Ts 2d 7h", seat("stand")) == [("hand 1", "", 200, -200, "23")]  # 13 with the ace as 11
    assert refused_by(blackjack("2c Ts 2d 7h 3c", seat("hit", "stand"))) == ("seat 1", "18")


def test_blackjack_rule_18_nobody_draws_at_21() -> None:
    assert told("9c Ts 2d 7h Th", seat("hit")) == [("hand 1", "", 200, 200, "23")]
    for more in ("hit", "stand"):
        assert refused_by(blackjack("9c Ts 2d 7h Th 2c", seat("hit", more))) == ("seat 1", "18")


def test_blackjack_rule_18_a_black_jack_is_not_asked() -> None:
    assert told("Ac 9s Td 7h", seat()) == [("hand 1", "", 200, 300, "21")]
    for decision in ("stand", "hit", "double", "surrender"):
        assert refused_by(blackjack("Ac 9s Td 7h", seat(decision))) == ("seat 1", "18")


def test_blackjack_rule_18_seats_are_asked_in_order_and_take_as_many_cards_as_they_like() -> None:
    seats = seat("hit", "hit", "hit", "stand"), seat("hit", "stand")
    answer = settled(blackjack("2c 3c Ts 2d 3d 7h 2h 2s 9h Th", *seats))
    assert lines(answer, 1) == [("hand 1", "", 200, 0, "24")]
    assert lines(answer, 2) == [("hand 1", "", 200, -200, "23")]


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


def test_blackjack_rule_20_a_black_jack_beats_21() -> None:
    assert told("Ac Ts Kd 6h 5h", seat()) == [("hand 1", "", 200, 300, "21")]
    assert told("9c Ts 2d Ah Td", seat("hit")) == [("hand 1", "", 200, -200, "20")]


def test_blackjack_rule_20_what_comes_of_a_split_is_a_21() -> None:
    assert told("Ac Ts Ad Kh Kd 9h", seat("split")) == [
        ("hand 1", "", 200, 200, "23"),
        ("hand 2", "", 200, 0, "24"),
    ]
    # It loses to the bank's black-jack.
    assert told("Tc Ts Td Ah Ad 9h", seat("split", "stand")) == [
        ("hand 1", "", 200, -200, "20"),
        ("hand 2", "", 200, -200, "23"),
    ]


def test_blackjack_rule_21_black_jack_pays_three_to_two_and_is_null_against_the_bank_s() -> None:
    assert told("Ac Ts Kd Ah", seat()) == [("hand 1", "", 200, 0, "21")]
    assert told("Ac As Kd Kh", seat()) == [("hand 1", "", 200, 0, "21")]
    for open_card in ("9s", "Ts", "As"):
        assert told(f"Ac {open_card} Kd 7h", seat(bet=300)) == [("hand 1", "", 300, 450, "21")]


def test_blackjack_rule_21_it_is_paid_at_once_where_the_open_card_cannot_make_one() -> None:
    for open_card in ("2s", "9s"):
        answer = settled(blackjack(f"Ac {open_card} Kd Ah", seat()))
        assert answer["dealer"] == {"cards": open_card, "total": None, "black_jack": None}
    for open_card, second in (("Ts", "7h"), ("Ks", "7h"), ("As", "6h")):
        answer = settled(blackjack(f"Ac {open_card} Kd {second}", seat()))
        assert answer["dealer"]["total"] == 17


def test_blackjack_rule_22_a_hand_above_21_loses_at_once() -> None:
    two = blackjack("Tc 9c Ts 6d 9d 6h Th Tc", seat("hit"), seat("stand"))
    answer = settled(two)  # The bank has 26.
    assert lines(answer, 1) == [("hand 1", "", 200, -200, "22")]
    assert lines(answer, 2) == [("hand 1", "", 200, 200, "23")]
    assert told("Tc Ts 6d 6h 6c", seat("hit")) == [("hand 1", "", 200, -200, "22")]
    assert refused_by(blackjack("Tc Ts 6d 6h Th", seat("hit", "stand"))) == ("seat 1", "22")


def test_blackjack_rule_22_no_third_card_when_every_hand_is_lost_given_up_or_paid() -> None:
    shoe = "Tc 9c Ac 9s 6d 9d Kd 6h Th"
    seats = seat("hit"), seat("surrender"), seat()
    answer = settled(blackjack(shoe, *seats))
    assert answer["dealer"] == {"cards": "9s", "total": None, "black_jack": None}
    assert refused_by(blackjack(shoe + " 2c", *seats)) == ("shoe", "22")


def test_blackjack_rule_22_with_insurance_open_the_second_card_is_turned_and_no_third_drawn() -> None:
    answer = settled(blackjack("Tc As 6d 5h Th", seat("hit", insurance=100)))
    assert answer["dealer"] == {"cards": "As 5h", "total": 16, "black_jack": False}
    assert lines(answer) == [("hand 1", "", 200, -200, "22"), ("insurance", "", 100, -100, "33")]


def test_blackjack_rule_22_a_black_jack_that_waits_is_in_play() -> None:
    answer = settled(blackjack("Ac Ts Kd 6h 5c", seat()))
    assert answer["dealer"] == {"cards": "Ts 6h 5c", "total": 21, "black_jack": False}


def test_blackjack_rule_23_whoever_is_nearer_21_wins_the_bet() -> None:
    assert told("Tc Ts 8d 7h", seat("stand")) == [("hand 1", "", 200, 200, "23")]
    assert told("Tc Ts 6d 7h", seat("stand")) == [("hand 1", "", 200, -200, "23")]


def test_blackjack_rule_24_equal_points_neither_win_nor_lose() -> None:
    assert told("Tc Ts 7d 7h", seat("stand")) == [("hand 1", "", 200, 0, "24")]
    assert told("9c Ts 2d 5h Td 6c", seat("hit")) == [("hand 1", "", 200, 0, "24")]


def test_blackjack_rule_25_the_bet_and_the_prize_are_the_player_s() -> None:
    (line,) = settled(blackjack("Tc Ts 8d 7h", seat("stand")))["seats"]["1"]["lines"]
    assert (line["outcome"], line["odds"], line["stake"], line["net"]) == ("win", "1:1", 200, 200)
