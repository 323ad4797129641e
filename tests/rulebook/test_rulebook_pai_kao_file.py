"""Round files of Taiwan-Pai Kao: a worked round to the byte, every refusal, and random files computed again."""

import json
from collections.abc import Callable
from itertools import permutations
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.rulebook.refusal import Refusal
from controller.rulebook.round_file import settle_text
from controller.rulebook.taiwan_pai_kao.pairs import pair_of
from controller.rulebook.taiwan_pai_kao.tiles import SET, Tile
from controller.words import english, sentence

Round = dict[str, Any]

EXAMPLE = """
{"game": "taiwan-pai-kao", "places": 4, "banker": 3, "capital": 7000, "dice": [1, 2, 3, 4],
 "tiles": {"1": "6-6 5-4 3-1 2-1", "2": "3-2 5-2 1-1 4-4", "3": "6-5 4-3 5-5 6-2", "4": "6-4 2-2 5-1 3-3"},
 "wagers": {"1": [{"player": "A", "amount": 5010}], "2": [{"player": "C", "amount": 9000}],
            "4": [{"player": "B", "amount": 3000}, {"player": "A", "amount": 9}]},
 "arranged": {"1": {"front": "3-1 2-1", "rear": "5-4 6-6"}, "2": {"front": "4-4 1-1", "rear": "3-2 5-2"}}}
"""
ANSWER = """
{"game": "taiwan-pai-kao", "outcome": "settled", "first_place": 4, "order": [4, 1, 2], "seats": {
  "1": {"front": {"tiles": "3-1 2-1", "name": "points_7", "rank": 41},
        "rear": {"tiles": "6-6 5-4", "name": "tin_kau_vong", "rank": 17}, "rearranged": false,
        "outcome": "win", "net": 4760, "lines": [
          {"wager": "place", "player": "A", "stake": 5010,
           "outcome": "win", "net": 4760, "commission": 250, "article": "6.º c)"}]},
  "2": {"front": {"tiles": "5-2 3-2", "name": "points_2", "rank": 101},
        "rear": {"tiles": "1-1 4-4", "name": "tei_kong", "rank": 19}, "rearranged": true,
        "outcome": "push", "net": 0, "lines": [
          {"wager": "place", "player": "C", "stake": 9000,
           "outcome": "push", "net": 0, "commission": 0, "article": "6.º c)"}]},
  "3": {"front": {"tiles": "5-5 4-3", "name": "points_7", "rank": 42},
        "rear": {"tiles": "6-5 6-2", "name": "points_9", "rank": 27}, "rearranged": false},
  "4": {"front": {"tiles": "2-2 5-1", "name": "points_0", "rank": 115},
        "rear": {"tiles": "3-3 6-4", "name": "points_6", "rank": 52}, "rearranged": false,
        "outcome": "lose", "net": -3009, "lines": [
          {"wager": "place", "player": "B", "stake": 3000,
           "outcome": "lose", "net": -3000, "commission": 150, "article": "6.º c)"},
          {"wager": "place", "player": "A", "stake": 9,
           "outcome": "lose", "net": -9, "commission": 0, "article": "6.º c)"}]}},
 "banker": {"place": 3, "net": -2151, "limited": false}}
"""


def example() -> Round:
    round_: Round = json.loads(EXAMPLE)
    return round_


def settled(round_: Round) -> Round:
    answer: Round = json.loads(settle_text(json.dumps(round_)))
    return answer


def test_pai_kao_art_2_b_by_the_other_reading_the_first_place_of_a_round_file_is_at_the_banker_s_right() -> None:
    named = example() | {"dice": [1, 1, 1, 2]}  # the banker's own place
    assert settled(named)["first_place"] == 3
    other = settled(named | {"rules": ["deal_begins_beside_banker"]})
    assert other["first_place"] == 4 and other == settled(named) | {"first_place": 4}
    assert settled(example() | {"rules": []}) == settled(example())
    for rules in ("deal_begins_beside_banker", ["other"], ["deal_begins_beside_banker"] * 2, [1], None):
        assert refused(example() | {"rules": rules}).who == "rules"


def refused(round_: Round | str) -> Refusal:
    with pytest.raises(Refusal) as refusal:
        settle_text(round_ if isinstance(round_, str) else json.dumps(round_))
    line = sentence(refusal.value)
    assert line and len(line.splitlines()) == 1 and len(line) < 400
    return refusal.value


def test_pai_kao_a_round_is_answered_to_the_letter_and_in_its_order() -> None:
    compact = json.dumps(json.loads(ANSWER), ensure_ascii=False, separators=(",", ":"))
    assert settle_text(EXAMPLE) == settle_text(EXAMPLE.encode()) == compact.encode()


def test_pai_kao_art_5_c_a_capital_that_is_too_small_cuts_the_wagers_that_pass_it() -> None:
    answer = settled(example() | {"capital": 1000})
    reported = [
        (place, line["stake"], line["outcome"], line["net"], line["commission"], line["article"])
        for place in "412"
        for line in answer["seats"][place]["lines"]
    ]
    assert reported == [
        ("4", 3000, "lose", -1000, 50, "5.º c)"),
        ("4", 9, "lose", 0, 0, "5.º c)"),
        ("1", 5010, "win", 1853, 97, "5.º c)"),
        ("2", 9000, "push", 0, 0, "6.º c)"),
    ]
    assert answer["banker"] == {"place": 3, "net": -1000, "limited": True}


def test_pai_kao_art_2_d_wagers_may_be_left_out_and_only_the_tiles_are_compared() -> None:
    round_ = example()
    del round_["wagers"]
    answer = settled(round_)
    assert answer["banker"] == {"place": 3, "net": 0, "limited": False}
    for place, seat in json.loads(ANSWER)["seats"].items():
        assert answer["seats"][place] == (seat | {"net": 0, "lines": []} if "lines" in seat else seat)


def test_pai_kao_art_3_b_a_place_may_have_an_empty_list_and_a_player_several_wagers_on_one() -> None:
    twice = [{"player": "A", "amount": 5}, {"player": "A", "amount": 6}]
    answer = settled(example() | {"wagers": {"1": [], "4": twice}})
    assert [line["stake"] for line in answer["seats"]["4"]["lines"]] == [5, 6]
    assert answer["seats"]["1"]["lines"] == []


def test_pai_kao_art_6_b_the_banker_s_hand_is_corrected_too() -> None:
    arranged = {"3": {"front": "6-5 6-2", "rear": "5-5 4-3"}}
    answer = settled(example() | {"arranged": arranged})
    assert answer["seats"]["3"] == json.loads(ANSWER)["seats"]["3"] | {"rearranged": True}
    assert [seat["rearranged"] for seat in answer["seats"].values()] == [False, False, True, False]


def test_pai_kao_art_6_b_without_arrangements_the_station_sets_every_hand() -> None:
    round_ = example()
    del round_["arranged"]
    answer, expected = settled(round_), json.loads(ANSWER)
    expected["seats"]["2"]["rearranged"] = False
    assert answer == expected


def test_pai_kao_art_3_a_eight_places_use_all_32_tiles() -> None:
    tiles = {str(place): " ".join(SET[place - 1 :: 8]) for place in range(1, 9)}
    answer = settled(example() | {"places": 8, "tiles": tiles, "arranged": {}})
    assert list(answer["seats"]) == list("12345678")
    assert (answer["first_place"], answer["order"]) == (4, [4, 5, 6, 7, 8, 1, 2])


def test_pai_kao_art_2_d_every_place_is_dealt_four_tiles_whether_anybody_bets_there_or_not() -> None:
    for place, text in (("2", "3-2 5-2 1-1"), ("3", "6-5 4-3 5-5 6-2 4-1"), ("4", "6-4")):
        refusal = refused(example() | {"tiles": example()["tiles"] | {place: text}, "wagers": {"1": [wager("A", 5)]}})
        assert (refusal.who, refusal.article) == (f"place {place}", "2.º d)")


def test_pai_kao_art_2_d_four_places_may_have_the_sixteen_tiles_that_an_earlier_round_left() -> None:
    left = list(SET)
    for text in example()["tiles"].values():
        for tile in text.split(" "):
            left.remove(tile)
    tiles = {place: " ".join(left[number::4]) for number, place in enumerate("1234")}
    assert len(settled(example() | {"tiles": tiles, "arranged": {}})["seats"]) == 4


def test_pai_kao_art_2_g_wagers_are_on_the_table_before_the_dice_or_no_one_bets() -> None:
    no_bets: list[Round] = [{}, {"1": []}, {"1": [], "2": [], "3": [], "4": []}]
    for nothing in no_bets:
        refusal = refused(example() | {"wagers": nothing})
        assert (refusal.who, english(refusal.reason), refusal.article) == ("wagers", "no one bets", "2.º g)")


def test_pai_kao_art_6_a_both_pairs_are_made_of_the_four_tiles_of_the_place() -> None:
    for front, rear in (("3-1 2-1", "6-6 4-4"), ("6-6 2-1", "6-6 5-4"), ("3-2 5-2", "1-1 4-4")):
        refusal = refused(example() | {"arranged": {"1": pairs(front, rear)}})
        assert (refusal.who, refusal.article) == ("place 1", "6.º a)")
        assert "6-6 5-4 3-1 2-1" in english(refusal.reason)


def test_pai_kao_very_large_money_is_settled_exactly() -> None:
    stake = 10**900 + 7
    answer = settled(example() | {"capital": stake, "wagers": {"4": [{"player": "A", "amount": stake}]}})
    assert answer["seats"]["4"]["net"] == -stake
    assert answer["banker"] == {"place": 3, "net": stake - stake // 20, "limited": False}


def put(path: str, value: object) -> Callable[[Round], None]:
    def change(round_: Round) -> None:
        *parents, key = path.split(".")
        for parent in parents:
            round_ = round_[parent]
        round_[key] = value

    return change


def wager(player: object, amount: object) -> Round:
    return {"player": player, "amount": amount}


def pairs(front: object, rear: object) -> Round:
    return {"front": front, "rear": rear}


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
PATHS = ["places", "banker", "capital", "dice", "tiles", "wagers", "arranged"]
PATHS += ["tiles.2", "wagers.1", "arranged.1", "arranged.1.rear"]


@given(st.sampled_from(PATHS), json_values | st.lists(st.integers(0, 7), min_size=4, max_size=4))
def test_pai_kao_any_value_anywhere_is_settled_or_refused(path: str, value: object) -> None:
    round_ = example()
    put(path, value)(round_)
    try:
        settled(round_)
    except Refusal as refusal:
        assert len(sentence(refusal).splitlines()) == 1


@st.composite
def rounds(draw: st.DrawFn) -> Round:
    """A round file that must be settled; some hands are arranged, well or badly."""
    places = draw(st.sampled_from([8, 4]))
    every = [str(place) for place in range(1, places + 1)]
    banker = draw(st.sampled_from(every))
    deck = Random(draw(st.integers(0, 2**32))).sample(SET, 4 * places)
    hands = {place: deck[4 * number : 4 * number + 4] for number, place in enumerate(every)}
    one = st.builds(wager, st.sampled_from(["Ana", "Rui"]), st.integers(1, 5000))
    others = [place for place in every if place != banker]
    arranged = {
        place: pairs(" ".join(tiles[:2]), " ".join(tiles[2:])) for place, tiles in hands.items() if draw(st.booleans())
    }
    return {
        "game": "taiwan-pai-kao",
        "places": places,
        "banker": int(banker),
        "capital": draw(st.integers(1, 20000)),
        "dice": draw(st.lists(st.integers(1, 6), min_size=4, max_size=4)),
        "tiles": {place: " ".join(tiles) for place, tiles in hands.items()},
        "wagers": draw(st.dictionaries(st.sampled_from(others), st.lists(one, min_size=1, max_size=3), min_size=1)),
        "arranged": arranged,
    }


def ranks(pair: str) -> int:
    first, second = pair.split(" ")
    return pair_of(Tile(first), Tile(second)).rank


@given(rounds())
def test_pai_kao_art_6_to_8_a_round_is_settled_as_the_words_of_the_regulation_compute_it(round_: Round) -> None:
    answer = settled(round_)
    hands = {}
    for place, text in round_["tiles"].items():
        ways = [(ranks(f"{c} {d}"), ranks(f"{a} {b}")) for a, b, c, d in permutations(text.split(" "))]  # rear first
        rear, front = min(ways)
        own = round_["arranged"].get(place)
        corrected = own is not None and ranks(own["rear"]) != rear
        if own is not None and not corrected:
            front = ranks(own["front"])
        hands[place] = (front, rear)
        seat = answer["seats"][place]
        assert (seat["front"]["rank"], seat["rear"]["rank"], seat["rearranged"]) == (front, rear, corrected)
    bank = hands[str(round_["banker"])]
    gain = commission = 0
    for place in answer["order"]:
        seat = answer["seats"][str(place)]
        wins = sum(own < its for own, its in zip(hands[str(place)], bank, strict=True))
        loses = sum(own > its for own, its in zip(hands[str(place)], bank, strict=True))
        assert seat["outcome"] == ("win" if wins > loses else "lose" if wins < loses else "push")
        bets = round_["wagers"].get(str(place), [])
        assert [(line["player"], line["stake"]) for line in seat["lines"]] == [(w["player"], w["amount"]) for w in bets]
        for line in seat["lines"]:
            if seat["outcome"] == "win":
                amount = min(line["stake"], round_["capital"] + gain - commission)
                gain -= amount
                expected = amount - amount // 20
            else:
                amount = min(line["stake"], round_["capital"] - gain) if seat["outcome"] == "lose" else 0
                gain += amount
                commission += amount // 20
                expected = -amount
            assert (line["net"], line["commission"]) == (expected, amount // 20)
    assert answer["banker"]["net"] == gain - commission


def turned(value: object) -> object:
    if not isinstance(value, dict):
        return value
    return {key: turned(inner) for key, inner in reversed(value.items())}


@given(rounds())
def test_pai_kao_the_order_of_keys_in_the_file_changes_nothing(round_: Round) -> None:
    assert settle_text(json.dumps(turned(round_))) == settle_text(json.dumps(round_))


@given(rounds(), st.integers(1, 7))
def test_pai_kao_art_2_b_the_table_may_be_turned_with_its_banker(round_: Round, by: int) -> None:
    def moved(place: str | int) -> int:
        return (int(place) - 1 + by) % int(round_["places"]) + 1

    turned_table = round_ | {
        key: {str(moved(place)): inner for place, inner in round_[key].items()}
        for key in ("tiles", "wagers", "arranged")
    }
    here, there = settled(round_), settled(turned_table | {"banker": moved(round_["banker"])})
    assert {str(moved(place)): seat for place, seat in here["seats"].items()} == there["seats"]
    assert [moved(place) for place in here["order"]] == there["order"]
    assert here["banker"] | {"place": moved(here["banker"]["place"])} == there["banker"]
