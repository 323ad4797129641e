"""What `dealer-station settle` refuses of Black-jack/21 and Taiwan-Pai Kao: exit 2, no answer, one line, the rule."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.rulebook.test_rulebook_refusals_by_command import NOT_MONEY, Row, drop, put, settle, wrong

SEAT: dict[str, Any] = {"bet": 1000, "decisions": ["stand"]}
# Seat 1 has 9-8 and the bank 7-T: the cards are drawn as 9 7 8 T.
TWENTY_ONE: dict[str, Any] = {
    "game": "blackjack-21",
    "minimum": 500,
    "decks": 6,
    "seats": {"1": SEAT},
    "shoe": "9h 7s 8d Tc",
}
PAI_KAO: dict[str, Any] = {
    "game": "taiwan-pai-kao",
    "places": 4,
    "banker": 2,
    "capital": 1000000,
    "dice": [1, 2, 3, 4],
    "tiles": {"1": "6-6 5-4 3-1 2-1", "2": "1-1 6-3 6-1 5-1", "3": "4-4 3-3 5-5 2-2", "4": "6-5 6-4 4-1 3-2"},
    "wagers": {"1": [{"player": "A", "amount": 5000}]},
}


def dealt(shoe: str, *decisions: str, **seat: object) -> Any:
    """The round of one seat with these cards, in the order drawn."""
    return put(("shoe", shoe), ("seats.1", {**SEAT, "decisions": list(decisions), **seat}))


def chip(value: object, **seat: object) -> Any:
    """The seat with a chip for the accumulated prize."""
    jackpot = {"pot": 5000000, "minimum": 1000000}
    return put(("seats.1", {**SEAT, "jackpot": value, **seat}), ("jackpot", jackpot))


OF_HANDS: list[Row] = [
    ("stand at 11", dealt("6h 7s 5d Tc", "stand"), "seat 1", "18"),
    ("stand at 5", dealt("2h 7s 3d Tc", "stand"), "seat 1", "18"),
    ("draw at 21", dealt("5h 7s 6d Tc Ts", "hit", "hit"), "seat 1", "18"),
    ("split of unequal values", dealt("9h 7s 8d Tc", "split"), "seat 1", "26"),
    ("give up against an ace", dealt("9h As 8d Tc", "surrender"), "seat 1", "36"),
    ("give up after play began", dealt("2h 7s 3d Tc Ts", "hit", "surrender"), "seat 1", "36"),
    ("double on 12", dealt("7h 7s 5d Tc", "double"), "seat 1", "29"),
    ("double on 8", dealt("5h 7s 3d Tc", "double"), "seat 1", "29"),
    ("insurance above half", dealt("9h As 8d Tc", "stand", insurance=501), "seat 1", "33"),
    ("insurance without an ace", dealt("9h 7s 8d Tc", "stand", insurance=500), "seat 1", "33"),
    ("even money without a black-jack", dealt("9h As 8d Tc", "stand", even_money=True), "seat 1", "34"),
    ("even money without an ace", dealt("Ah 7s Kd Tc", even_money=True), "seat 1", "34"),
    ("even money with insurance", dealt("Ah As Kd Tc", even_money=True, insurance=500), "seat 1", "34"),
    ("a bet not a multiple of the minimum", put(("seats.1.bet", 750)), "seat 1", "14"),
    ("a bet above 30 times the minimum", put(("seats.1.bet", 15500)), "seat 1", "37"),
    ("a bet below the minimum", put(("seats.1.bet", 250)), "seat 1", "14"),
    ("a decision too few", dealt("9h 7s 8d Tc"), "seat 1", "18"),
    ("a decision left over", dealt("9h 7s 8d Tc", "stand", "stand"), "seat 1", "18"),
    ("an unknown decision", dealt("9h 7s 8d Tc", "fold"), "seat 1", "18"),
    ("a card left over", put(("shoe", "9h 7s 8d Tc 2c")), "shoe", "19"),
    ("a card too few", put(("shoe", "9h 7s 8d")), "shoe", "17"),
    ("three decks", put(("decks", 3)), "decks", "3"),
    ("an odd minimum", put(("minimum", 501)), "minimum", "policy: even minimum"),
    ("a chip without a bet", chip(100, bet=0, decisions=[]), "seat 1", "45"),
    *((f"a bet of {value!r}", put(("seats.1.bet", value)), "seat 1", None) for value in NOT_MONEY),
    ("a bet of nothing", put(("seats.1.bet", 0)), "seat 1", "18"),
    (
        "five of a card in four decks",
        put(("decks", 4), ("seats.1.decisions", ["hit"]), ("shoe", "2h 2h 2h 2h 2h")),
        "seat 1",
        "3",
    ),
    (
        "seven of a card in six",
        put(("seats.1.decisions", ["hit"] * 3), ("shoe", "2h 2h 2h 2h 2h 2h 2h")),
        "seat 1",
        "3",
    ),
]
OF_TILES: list[Row] = [
    ("a tile beyond its copies", put(("tiles.3", "6-6 6-6 5-5 2-2")), "place 3", "1.º a)"),
    ("three tiles at a place", put(("tiles.1", "6-6 5-4 3-1")), "place 1", "2.º d)"),
    ("a tile that there is not", put(("tiles.1", "6-6 5-4 3-1 7-1")), "place 1", None),
    ("a die of seven", put(("dice", [1, 2, 3, 7])), "dice", "1.º b)"),
    ("a die of nothing", put(("dice", [0, 2, 3, 4])), "dice", "1.º b)"),
    ("three dice", put(("dice", [1, 2, 3])), "dice", "1.º b)"),
    ("five dice", put(("dice", [1, 2, 3, 4, 5])), "dice", "1.º b)"),
    ("a wager on the banker's place", put(("wagers.2", [{"player": "A", "amount": 1}])), "place 2", "5.º e)"),
    ("an unknown place", put(("wagers.5", [{"player": "A", "amount": 1}])), "wagers", "3.º a)"),
    ("no tiles at a place", drop("tiles.4"), "place 4", "2.º d)"),
    ("six places", put(("places", 6)), "places", "3.º a)"),
    ("a banker who is nowhere", put(("banker", 5)), "banker", "3.º a)"),
    ("nobody bets", put(("wagers", {})), "wagers", "2.º g)"),
    ("a capital of nothing", put(("capital", 0)), "round", None),
    *(
        (f"an amount of {value!r}", put(("wagers.1", [{"player": "A", "amount": value}])), "place 1", None)
        for value in (0, *NOT_MONEY)
    ),
]


@pytest.mark.parametrize(("game", "rows"), [(TWENTY_ONE, OF_HANDS), (PAI_KAO, OF_TILES)])
def test_what_a_round_may_not_be_is_refused_by_seat_or_place_and_rule(
    game: dict[str, Any], rows: list[Row], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "round.json"
    code, out, err = settle(file, json.dumps(game), capsys)
    assert (code, out.count("\n"), err) == (0, 1, "")
    answers = [(row, settle(file, row[1](json.loads(json.dumps(game))), capsys)) for row in rows]
    assert [mistake for row, answer in answers if (mistake := wrong(row, answer))] == []
