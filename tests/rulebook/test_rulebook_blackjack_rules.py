"""Black-jack/21, rules 1 to 37 in round files: from the deal to giving up, and what a file may leave out."""

import json

import pytest

from controller.rulebook.round_file import settle_text
from tests.rulebook.blackjack_rounds import backer, blackjack, seat
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
