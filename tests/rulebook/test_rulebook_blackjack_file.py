"""Round files of black-jack/21 that cannot be: every refusal by key or seat and rule; what a file may leave out."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from controller.rulebook.round_file import settle_text
from controller.words import english
from tests.rulebook.blackjack_rounds import Round, backer, blackjack, refused, refused_by, seat, settled

GOOD = "9c 8c Ts 9d 2d 7h 9h"


def good() -> Round:
    """Seat 1 has 18 and stands, seat 2 doubles to 19, the bank has 17."""
    first = seat("stand", jackpot=100, insurance=0, even_money=False, backers=[backer("Ana"), backer("Rui", bet=300)])
    return blackjack(GOOD, first, seat("double"), jackpot={"pot": 5_000_000, "minimum": 1_000_000})


def put(path: str, value: object) -> Callable[[Round], None]:
    def change(round_: Round) -> None:
        inner: Any = round_
        *parents, key = path.split(".")
        for parent in parents:
            inner = inner[int(parent) if isinstance(inner, list) else parent]
        inner[int(key) if isinstance(inner, list) else key] = value

    return change


def drop(path: str) -> Callable[[Round], None]:
    def change(round_: Round) -> None:
        inner: Any = round_
        *parents, key = path.split(".")
        for parent in parents:
            inner = inner[int(parent) if isinstance(inner, list) else parent]
        del inner[key]

    return change


def test_blackjack_the_good_round_is_settled() -> None:
    assert [seat_["net"] for seat_ in settled(good())["seats"].values()] == [100, 400] != []


REFUSED = [
    ("an unknown key", put("limits", {"min": 1, "max": 2}), "round", None),
    ("no minimum", drop("minimum"), "round", None),
    ("no decks", drop("decks"), "round", None),
    ("no seats", drop("seats"), "round", None),
    ("no shoe", drop("shoe"), "round", None),
    ("an odd minimum", put("minimum", 101), "minimum", "policy: even minimum"),
    ("no shoe at all", put("shoe", None), "shoe", None),
    ("a shoe in a list", put("shoe", GOOD.split()), "shoe", None),
    ("two spaces", put("shoe", GOOD.replace(" ", "  ")), "shoe", None),
    ("the wrong case", put("shoe", GOOD.replace("c", "C")), "shoe", None),
    ("a space at the end", put("shoe", GOOD + " "), "shoe", None),
    ("an empty shoe", put("shoe", ""), "shoe", None),
    ("a card too few", put("shoe", GOOD[:-3]), "shoe", "18"),
    ("a card too few for the deal", put("shoe", GOOD[:11]), "shoe", "17"),
    ("a card too many", put("shoe", GOOD + " 2c"), "shoe", "19"),
    ("seats in a list", put("seats", []), "seats", None),
    ("no seat", put("seats", {}), "seats", "17"),
    ("a seat that is no object", put("seats.1", 200), "seat 1", None),
    ("an unknown key at a seat", put("seats.1.pair_plus", 1), "seat 1", None),
    ("cards at a seat", put("seats.1.cards", "9c 9d"), "seat 1", None),
    ("no bet", drop("seats.1.bet"), "seat 1", None),
    ("a bet above the maximum", put("seats.2.bet", 3100), "seat 2", "37"),
    ("no multiple", put("seats.2.bet", 250), "seat 2", "14"),
    ("a chip without a bet", put("seats.2", {"bet": 0, "jackpot": 100}), "seat 2", "45"),
    ("a decision without a bet", put("seats.2", {"bet": 0, "decisions": ["hit"]}), "seat 2", "18"),
    ("insurance without a bet", put("seats.2", {"bet": 0, "insurance": 1}), "seat 2", "33"),
    ("even money without a bet", put("seats.2", {"bet": 0, "even_money": True}), "seat 2", "34"),
    ("backers without a bet", put("seats.2", {"bet": 0, "backers": [backer("Eva")]}), "seat 2", "16"),
    ("another chip", put("seats.2.jackpot", 200), "seat 2", "47"),
    ("a chip without a prize", drop("jackpot"), "jackpot", "43"),
    ("a prize below 10 000 chips", put("jackpot.minimum", 999_999), "jackpot", "44"),
    ("fixed amounts", put("jackpot.fixed", {}), "jackpot", None),
    ("no pot", drop("jackpot.pot"), "jackpot", None),
    ("decisions as text", put("seats.1.decisions", "stand"), "seat 1", None),
    ("an unknown decision", put("seats.1.decisions", ["fold"]), "seat 1", "18"),
    ("a decision that is no text", put("seats.1.decisions", [1]), "seat 1", "18"),
    ("a decision too few", put("seats.1.decisions", []), "seat 1", "18"),
    ("a decision too many", put("seats.1.decisions", ["stand", "stand"]), "seat 1", "18"),
    ("even money of 1", put("seats.1.even_money", 1), "seat 1", None),
    ("even money of null", put("seats.1.even_money", None), "seat 1", None),
    ("insurance without an ace", put("seats.1.insurance", 100), "seat 1", "33"),
    ("even money without an ace", put("seats.1.even_money", True), "seat 1", "34"),
    ("a backer's insurance without an ace", put("seats.1.backers.0.insurance", 50), "seat 1", "33"),
    ("backers in an object", put("seats.1.backers", {}), "seat 1", None),
    ("a backer that is no object", put("seats.1.backers", ["Ana"]), "seat 1, backers", None),
    ("a backer without a name", drop("seats.1.backers.0.player"), "seat 1, backers", None),
    ("a backer without a bet", drop("seats.1.backers.0.bet"), "seat 1, backers", None),
    ("a blank name", put("seats.1.backers.0.player", " "), "seat 1", None),
    ("two bets of one player", put("seats.1.backers.0.player", "Rui"), "seat 1", "15"),
    ("a backer's bet that is no multiple", put("seats.1.backers.0.bet", 150), "seat 1", "15"),
    ("all bets above the maximum", put("seats.1.backers.0.bet", 2600), "seat 1", "15"),
    ("insurance on no bet", put("seats.1.backers.0", backer("Ana", bet=0, insurance=1)), "seat 1", "15"),
    ("follows that nobody asked for", put("seats.1.backers.0.follows", [True]), "seat 1", "28"),
    ("follows that is no list", put("seats.1.backers.0.follows", True), "seat 1", None),
    ("follows of 1", put("seats.1.backers.0.follows", [1]), "seat 1", None),
]


@pytest.mark.parametrize(("change", "who", "rule"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_blackjack_a_round_that_cannot_be_is_refused_by_key_or_seat_and_rule(
    change: Callable[[Round], None], who: str, rule: str | None
) -> None:
    round_ = good()
    change(round_)
    assert refused_by(round_) == (who, rule)


NOT_MONEY: list[object] = [-1, 1.0, 100.0, True, False, None, "100", [], {}]


@pytest.mark.parametrize("value", NOT_MONEY)
@pytest.mark.parametrize(
    ("path", "who"),
    [
        ("minimum", "round"),
        ("seats.1.bet", "seat 1"),
        ("seats.1.jackpot", "seat 1"),
        ("seats.1.insurance", "seat 1"),
        ("seats.1.backers.0.bet", "seat 1"),
        ("seats.1.backers.0.insurance", "seat 1"),
        ("jackpot.pot", "jackpot"),
        ("jackpot.minimum", "jackpot"),
    ],
)
def test_blackjack_money_is_a_whole_number_of_minor_units(path: str, who: str, value: object) -> None:
    round_ = good()
    put(path, value)(round_)
    assert refused_by(round_) == (who, None)


@pytest.mark.parametrize("path", ["minimum", "jackpot.pot", "jackpot.minimum"])
def test_blackjack_nothing_is_no_minimum_and_no_pot(path: str) -> None:
    round_ = good()
    put(path, 0)(round_)
    assert refused(round_).article is None


def test_blackjack_a_key_given_twice_is_refused() -> None:
    assert english(refused('{"game": "blackjack-21", "game": "blackjack-21"}').reason) == "the key is repeated"


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
