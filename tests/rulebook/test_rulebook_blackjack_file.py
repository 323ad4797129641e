"""Round files of black-jack/21 that cannot be: every refusal by key or seat and rule; what a file may leave out."""

import json

from controller.rulebook.round_file import settle_text
from tests.rulebook.blackjack_rounds import Round, backer, blackjack, refused_by, seat, settled

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
