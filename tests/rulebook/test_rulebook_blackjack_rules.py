"""Black-jack/21, rules 1 to 37 in round files: from the deal to giving up, and what a file may leave out."""

import json

import pytest

from controller.rulebook.blackjack_21.bets import Backer, Interest, SeatBet, decider
from controller.rulebook.blackjack_21.play import opened_round, with_bet, with_card
from controller.rulebook.blackjack_21.state import RoundState
from controller.rulebook.blackjack_21.waits import CardDue, waits_for
from controller.rulebook.cards import DECK
from controller.rulebook.refusal import Refusal
from controller.rulebook.round_file import settle_text
from tests.rulebook.blackjack_rounds import backer, blackjack, lines, lines_of, seat
from tests.rulebook.round_texts import Round, refused_by, settled

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
    state = opened_round([SeatBet(seat=1, bet=200), SeatBet(seat=4, bet=200)])
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
    state = opened_round([SeatBet(seat=6, bet=200), SeatBet(seat=2, bet=200)])
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


# ---- Black-jack/21, rules 26 to 37 in round files: splits, doubles, insurance, even money, special prize, giving up.


def test_blackjack_rule_26_split_aces_get_one_card_each() -> None:
    shoe = "Ac Ts Ad 7h 5c 9d"
    assert lines_of(shoe, seat("split")) == [("hand 1", "", 200, -200, "23"), ("hand 2", "", 200, 200, "23")]
    for more in ("hit", "stand", "double"):
        assert refused_by(blackjack(shoe, seat("split", more))) == ("seat 1", "26")
    for more in ("hit", "double"):
        assert refused_by(blackjack("Ac Ts Ad 7h Ah 9d", seat("split", more))) == ("seat 1", "26")


def test_blackjack_rule_28_he_is_not_asked_about_a_hand_that_he_is_not_on() -> None:
    decisions = ("split", "stand", "split", "stand", "hit")
    shoe = "8c Ts 8d 7h 9c 8h Th 3c Tc"
    assert lines_of(shoe, seat(*decisions, backers=[backer("Rui", False)]))[3:] == [("hand 1", "Rui", 100, 0, "24")]
    assert refused_by(blackjack(shoe, seat(*decisions, backers=[backer("Rui", False, False)]))) == ("seat 1", "28")
    assert refused_by(blackjack(shoe, seat(*decisions, backers=[backer("Rui")]))) == ("seat 1", "28")


@pytest.mark.parametrize(("cards", "third"), [("4c 5d", "Tc"), ("4c 6d", "9c"), ("6c 5d", "8c"), ("2c 7d", "Td")])
def test_blackjack_rule_29_nine_ten_and_eleven_are_doubled_with_one_card(cards: str, third: str) -> None:
    first, second = cards.split()
    assert lines_of(f"{first} Ts {second} 7h {third}", seat("double")) == [("hand 1", "", 400, 400, "23")]
    assert refused_by(blackjack(f"{first} Ts {second} 7h {third} 2c", seat("double", "hit"))) == ("seat 1", "29")


def test_blackjack_rule_30_a_backer_doubles_with_the_seat_or_not() -> None:
    backers = [backer("Ana", True), backer("Rui", False)]
    assert lines_of("5c Ts 6d 7h Td", seat("double", backers=backers)) == [
        ("hand 1", "", 400, 400, "23"),
        ("hand 1", "Ana", 200, 200, "23"),
        ("hand 1", "Rui", 100, 100, "23"),
    ]
    assert refused_by(blackjack("5c Ts 6d 7h Td", seat("double", backers=[backer("Ana")]))) == ("seat 1", "30")


def test_blackjack_rule_33_no_more_than_half_the_bet_and_only_against_an_ace() -> None:
    assert refused_by(blackjack("9c As 9d Kh", seat("stand", insurance=101))) == ("seat 1", "33")
    for open_card in ("Ts", "9s"):
        assert refused_by(blackjack(f"9c {open_card} 9d 8h", seat("stand", insurance=1))) == ("seat 1", "33")


def test_blackjack_rule_34_only_a_black_jack_only_against_an_ace_and_not_with_insurance() -> None:
    assert refused_by(blackjack("9c As Kd Kh", seat("stand", even_money=True))) == ("seat 1", "34")
    assert refused_by(blackjack("Ac Ks Kd 7h", seat(even_money=True))) == ("seat 1", "34")
    assert refused_by(blackjack("Ac As Kd Kh", seat(even_money=True, insurance=100))) == ("seat 1", "34")
    with_backer = seat(even_money=True, backers=[backer("Ana", insurance=50)])
    assert refused_by(blackjack("Ac As Kd Kh", with_backer)) == ("seat 1", "34")
    # A black-jack may be insured instead.
    assert lines_of("Ac As Kd Kh", seat(insurance=100)) == [
        ("hand 1", "", 200, 0, "21"),
        ("insurance", "", 100, 200, "33"),
    ]


def test_blackjack_rule_36_never_against_an_ace_and_only_before_play() -> None:
    assert refused_by(blackjack("Tc As 6d 7h", seat("surrender"))) == ("seat 1", "36")
    assert refused_by(blackjack("2c Ts 6d 7h 2d", seat("hit", "surrender"))) == ("seat 1", "36")
    assert refused_by(blackjack("8c Ts 8d 7h 2d", seat("split", "surrender"))) == ("seat 1", "36")
    # What was decided cannot be changed.
    assert refused_by(blackjack("Tc Ts 6d 7h", seat("surrender", "hit"))) == ("seat 1", "36")


# ---- 31, the other reading

MORE = ["double_after_split_three_cards"]


@pytest.mark.parametrize("rules", ["", {}, [1], ["x"], [*MORE, "x"], MORE[0]])
def test_blackjack_the_readings_of_a_round_file_are_known_ones(rules: object) -> None:
    assert refused_by(blackjack("9c 5s 8d Td", seat("stand")) | {"rules": rules}) == ("rules", None)


# ---- Round files of black-jack/21 that cannot be: every refusal by key or seat and rule; what a file may leave out.


GOOD = "9c 8c Ts 9d 2d 7h 9h"


def good() -> Round:
    """Seat 1 has 18 and stands, seat 2 doubles to 19, the bank has 17."""
    first = seat("stand", jackpot=100, insurance=0, even_money=False, backers=[backer("Ana"), backer("Rui", bet=300)])
    return blackjack(GOOD, first, seat("double"), jackpot={"pot": 5_000_000, "minimum": 1_000_000})


def test_blackjack_the_good_round_is_settled() -> None:
    assert [seat_["net"] for seat_ in settled(good())["seats"].values()] == [100, 400] != []


def test_blackjack_every_key_of_a_seat_but_its_bet_may_be_left_out() -> None:
    bare = blackjack("As 9c Kd 7h", {"bet": 200})
    full = blackjack(
        "As 9c Kd 7h",
        {"bet": 200, "jackpot": 0, "insurance": 0, "even_money": False, "decisions": [], "backers": []},
        {"bet": 0, "jackpot": 0, "insurance": 0, "even_money": False, "decisions": [], "backers": []},
    )
    assert settled(bare) == settled(full)
    assert settled(blackjack("As 9c Kd 7h", {"bet": 200, "backers": [{"player": "A", "bet": 0}]})) == settled(bare)


def test_blackjack_the_order_of_seats_in_the_file_changes_nothing() -> None:
    round_ = good()
    turned = round_ | {"seats": dict(reversed(round_["seats"].items()))}
    assert settle_text(json.dumps(turned)) == settle_text(json.dumps(round_))
    assert list(settled(turned)["seats"]) == ["1", "2"]


def test_blackjack_very_large_money_is_settled_exactly() -> None:
    minimum = 2 * 10**900
    round_ = blackjack("As 9c Kd 7h", {"bet": 3 * minimum}) | {"minimum": minimum}
    assert settled(round_)["seats"]["1"]["net"] == 9 * minimum // 2
    assert refused_by(round_ | {"minimum": 2 * minimum}) == ("seat 1", "14")
