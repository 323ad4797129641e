"""Round files of Fortune 8: the worked example to the byte, every refusal, and random rounds computed again."""

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.rulebook.cards import DECK
from controller.rulebook.refusal import Refusal
from controller.rulebook.round_file import settle_text
from controller.words import english, sentence
from tests.shuffling import shuffled

Round = dict[str, Any]

EXAMPLE = """
{"game": "fortune-8", "decks": 8, "deal": "every_space", "boxes": {"1": {"low": 100, "eight": 50, "high": 0}},
 "cards": {"1": "8d", "2": "Kc", "3": "2c", "4": "2d", "5": "2h", "6": "2s", "7": "3c"}}
"""
ANSWER = """
{"game": "fortune-8", "outcome": "settled", "seats": {
  "1": {"net": 450, "lines": [
    {"wager": "low", "stake": 100, "outcome": "lose", "odds": null, "net": -100, "article": "6.º 1"},
    {"wager": "eight", "stake": 50, "outcome": "win", "odds": "11:1", "net": 550, "article": "8.º 2"}]}}}
"""


def example() -> Round:
    round_: Round = json.loads(EXAMPLE)
    return round_


def only_bets(boxes: Round, cards: Round, **more: object) -> Round:
    return {"game": "fortune-8", "deal": "spaces_with_bets", "boxes": boxes, "cards": cards} | more


def settled(round_: Round) -> Round:
    answer: Round = json.loads(settle_text(json.dumps(round_)))
    return answer


def refused(round_: Round | str) -> Refusal:
    with pytest.raises(Refusal) as refusal:
        settle_text(round_ if isinstance(round_, str) else json.dumps(round_))
    line = sentence(refusal.value)
    assert line and len(line.splitlines()) == 1 and len(line) < 400
    return refusal.value


def test_fortune_8_the_worked_example_is_answered_to_the_letter_and_in_its_order() -> None:
    compact = json.dumps(json.loads(ANSWER), ensure_ascii=False, separators=(",", ":"))
    assert settle_text(EXAMPLE) == settle_text(EXAMPLE.encode()) == compact.encode()


def test_fortune_8_art_1_1_eight_decks_if_the_file_does_not_say() -> None:
    same = dict.fromkeys("1234567", "2s")
    round_ = example() | {"cards": same}
    del round_["decks"]
    assert settled(round_) == settled(round_ | {"decks": 8}) == settled(round_ | {"decks": 7})
    assert (refused(round_ | {"decks": 6}).who, refused(round_ | {"decks": 6}).article) == ("space 7", "1.º 1)")


def test_fortune_8_art_4_6_the_same_bets_settle_alike_in_both_deals() -> None:
    round_ = only_bets(example()["boxes"], {"1": "8d"})
    assert settled(round_) == settled(example())


def test_fortune_8_a_box_may_be_left_out_or_be_nothing() -> None:
    without: list[Round] = [{}, {"2": {}}, {"2": {"low": 0}, "7": {"high": 0, "eight": 0}}]
    for bets in ({"eight": 50}, {"eight": 50, "low": 0}, {"low": 0, "eight": 50, "high": 0}):
        for others in without:
            answer = settled(only_bets({"1": bets} | others, {"1": "8d"}))
            assert list(answer["seats"]) == ["1"]
            assert [line["wager"] for line in answer["seats"]["1"]["lines"]] == ["eight"]


def test_fortune_8_very_large_money_is_settled_exactly() -> None:
    stake = 10**900 + 7
    assert settled(only_bets({"1": {"eight": stake}}, {"1": "8d"}))["seats"]["1"]["net"] == 11 * stake


def test_fortune_8_art_4_3_no_bet_is_not_below_the_minimum() -> None:
    assert settled(example() | {"limits": {"min": 50, "max": 100}}) == json.loads(ANSWER)


def put(path: str, value: object) -> Callable[[Round], None]:
    def change(round_: Round) -> None:
        *parents, key = path.split(".")
        for parent in parents:
            round_ = round_[parent]
        round_[key] = value

    return change


def bet(player: object, amount: object) -> Round:
    return {"player": player, "amount": amount}


def test_fortune_8_art_1_1_the_card_too_many_is_named_in_the_order_of_the_deal() -> None:
    round_ = example() | {"decks": 1, "cards": dict(zip("7654321", "2s 3s 4s 2s 5s 6s 7s".split(), strict=True))}
    assert (refused(round_).who, refused(round_).article) == ("space 7", "1.º 1)")
    assert "2s" in english(refused(round_).reason)
    assert settled(round_ | {"decks": 2})


def test_fortune_8_art_4_6_a_space_that_has_only_bets_of_nothing_gets_no_card() -> None:
    round_ = only_bets({"1": {"low": 5}, "2": {"low": 0}}, {"1": "2s", "2": "3s"})
    assert (refused(round_).who, refused(round_).article) == ("space 2", "4.º 6")


SHARED = """
{"game": "fortune-8", "deal": "spaces_with_bets", "limits": {"min": 50, "max": 100},
 "boxes": {"3": {"high": 60, "low": [{"player": "Rui", "amount": 100}, {"amount": 50, "player": "Ana"}],
                 "eight": [{"player": "Ana", "amount": 70}]}},
 "cards": {"3": "8d"}}
"""
SHARED_ANSWER = """
{"game": "fortune-8", "outcome": "settled", "seats": {
  "3": {"net": 560, "lines": [
    {"wager": "low", "player": "Rui", "stake": 100, "outcome": "lose", "odds": null, "net": -100, "article": "6.º 1"},
    {"wager": "low", "player": "Ana", "stake": 50, "outcome": "lose", "odds": null, "net": -50, "article": "6.º 1"},
    {"wager": "eight", "player": "Ana", "stake": 70, "outcome": "win", "odds": "11:1", "net": 770, "article": "8.º 2"},
    {"wager": "high", "stake": 60, "outcome": "lose", "odds": null, "net": -60, "article": "6.º 1"}]}}}
"""


def test_fortune_8_art_4_1_several_players_at_a_box_are_answered_one_by_one_in_the_order_given() -> None:
    compact = json.dumps(json.loads(SHARED_ANSWER), ensure_ascii=False, separators=(",", ":"))
    assert settle_text(SHARED) == compact.encode()


def test_fortune_8_art_4_3_the_limits_are_each_bet_s_own_however_much_is_in_the_box() -> None:
    many = [bet(f"player {number}", 100) for number in range(200)]
    answer = settled(only_bets({"3": {"low": many}}, {"3": "2d"}, limits={"min": 100, "max": 100}))
    assert answer["seats"]["3"]["net"] == 20000
    assert [line["player"] for line in answer["seats"]["3"]["lines"]] == [row["player"] for row in many]


def test_fortune_8_art_4_3_a_player_may_bet_in_any_of_the_21_boxes() -> None:
    boxes = {space: {box: [bet("Ana", 1)] for box in ("low", "eight", "high")} for space in "1234567"}
    answer = settled(only_bets(boxes, dict.fromkeys("1234567", "As")))
    assert {space: seat["net"] for space, seat in answer["seats"].items()} == dict.fromkeys("1234567", -1)


def test_fortune_8_art_4_3_one_player_may_place_several_bets_in_a_box_each_within_the_limits() -> None:
    bets = [bet("Ana", 100), bet("Rui", 50), bet("Ana", 60)]
    answer = settled(only_bets({"3": {"eight": bets}}, {"3": "8d"}, limits={"min": 50, "max": 100}))
    lines = [(line["player"], line["stake"], line["net"]) for line in answer["seats"]["3"]["lines"]]
    assert lines == [("Ana", 100, 1100), ("Rui", 50, 550), ("Ana", 60, 660)]
    bets[2]["amount"] = 101
    refusal = refused(only_bets({"3": {"eight": bets}}, {"3": "8d"}, limits={"min": 50, "max": 100}))
    assert (refusal.who, refusal.article) == ("space 3", "4.º 3")


@pytest.mark.parametrize(
    ("value", "line"),
    [
        ([], "space 3: eight must be an amount or a list of bets, not an empty list"),
        ([bet("Ana", 101)], 'space 3: eight of 101 by "Ana" is above the maximum of 100 (4.º 3)'),
        ([bet("Ana", 49)], 'space 3: eight of 49 by "Ana" is below the minimum of 50 (4.º 3)'),
        ([bet("Ana", 0)], 'space 3: eight: amount by "Ana" must be a positive integer, not 0'),
        (
            [bet("x" * 41, 60)],
            f'space 3: eight: player must be a name of at most 40 printable characters, not "{"x" * 38}~',
        ),
        ([60], "space 3, eight: must be an object, not 60"),
    ],
)
def test_fortune_8_art_4_3_what_is_refused_at_a_box_names_space_box_player_and_article(
    value: object, line: str
) -> None:
    round_ = json.loads(SHARED)
    put("boxes.3.eight", value)(round_)
    assert sentence(refused(round_)) == line


def test_fortune_8_an_amount_and_a_list_of_one_settle_alike_but_for_the_name() -> None:
    one, listed = (only_bets({"1": {"eight": value}}, {"1": "8d"}) for value in (50, [bet("x" * 40, 50)]))
    answer = settled(listed)
    assert answer["seats"]["1"]["lines"][0].pop("player") == "x" * 40
    assert answer == settled(one)


@pytest.mark.parametrize("key", ["player", "amount"])
def test_fortune_8_a_repeated_key_in_a_bet_is_refused(key: str) -> None:
    assert refused(SHARED.replace(f'"{key}": ', f'"{key}": 1, "{key}": ', 1)).who == f'"{key}"'


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


PATHS = ["decks", "deal", "boxes", "cards", "limits", "boxes.1", "boxes.1.low", "cards.4"]
FIELDS = st.fixed_dictionaries({"player": st.text(max_size=50) | json_values, "amount": st.integers() | json_values})


@given(st.sampled_from(PATHS), json_values | st.lists(FIELDS, max_size=3))
def test_fortune_8_any_value_anywhere_is_settled_or_refused(path: str, value: object) -> None:
    round_ = example()
    put(path, value)(round_)
    try:
        settled(round_)
    except Refusal as refusal:
        assert len(sentence(refusal).splitlines()) == 1


# Made once: hypothesis takes longer to make a strategy than to draw from it.
DEALS, SHOES = st.sampled_from(["every_space", "spaces_with_bets"]), st.integers(1, 8)
SPACES, BOX_NAMES = st.sampled_from("1234567"), st.sampled_from(["low", "eight", "high"])
AMOUNTS = st.just(0) | st.integers(1, 10**6)
BOXES = st.dictionaries(
    SPACES, st.fixed_dictionaries({}, optional={"low": AMOUNTS, "eight": AMOUNTS, "high": AMOUNTS}), max_size=7
)
ONE_BET = st.tuples(SPACES, BOX_NAMES, st.integers(1, 99))
CARDS = st.sampled_from([list(DECK), [card for card in DECK if card[0] in "789"]])


@st.composite
def rounds(draw: st.DrawFn) -> Round:
    """A round file that must be settled."""
    deal, decks, boxes = draw(DEALS), draw(SHOES), draw(BOXES)
    space, box, amount = draw(ONE_BET)
    boxes[space] = {box: amount}
    with_bets = {space for space, bets in boxes.items() if any(bets.values())}
    shoe = iter(draw(shuffled(draw(CARDS) * decks)))
    dealt = [space for space in "1234567" if deal == "every_space" or space in with_bets]
    round_ = {"game": "fortune-8", "deal": deal, "boxes": boxes, "cards": {space: str(next(shoe)) for space in dealt}}
    return round_ | ({"decks": decks} if decks < 8 or draw(st.booleans()) else {})


@given(rounds())
def test_fortune_8_a_round_is_settled_as_the_words_of_the_regulation_compute_it(round_: Round) -> None:
    nets: Counter[str] = Counter()
    for space, bets in round_["boxes"].items():
        if not any(bets.values()):
            continue
        face = "--23456789TJQKA".index(round_["cards"][space][0])
        nets[space] += bets.get("low", 0) * (1 if face < 8 else -1)
        nets[space] += bets.get("eight", 0) * (11 if face == 8 else -1)
        nets[space] += bets.get("high", 0) * (1 if face > 8 else -1)
    assert {space: seat["net"] for space, seat in settled(round_)["seats"].items()} == nets


@given(rounds())
def test_fortune_8_money_adds_up_line_by_line(round_: Round) -> None:
    seats = settled(round_)["seats"]
    staked = sum(sum(bets.values()) for bets in round_["boxes"].values())
    assert staked == sum(line["stake"] for seat in seats.values() for line in seat["lines"])
    for seat in seats.values():
        assert seat["net"] == sum(line["net"] for line in seat["lines"])
        assert sum(line["outcome"] == "win" for line in seat["lines"]) <= 1
        for line in seat["lines"]:
            odds = {"low": 1, "eight": 11, "high": 1}[line["wager"]]
            won = line["outcome"] == "win"
            assert line["net"] == (odds if won else -1) * line["stake"]
            assert line["odds"] == (f"{odds}:1" if won else None)
            assert line["article"] == (("8.º 2" if odds == 11 else "8.º 1") if won else "6.º 1")


def turned(value: object) -> object:
    if not isinstance(value, dict):
        return value
    return {key: turned(inner) for key, inner in reversed(value.items())}


@given(rounds())
def test_fortune_8_the_order_of_spaces_and_boxes_in_the_file_changes_nothing(round_: Round) -> None:
    assert settle_text(json.dumps(turned(round_))) == settle_text(json.dumps(round_))


@given(rounds(), st.permutations("1234567"))
def test_fortune_8_art_4_6_the_place_of_a_space_changes_nothing(round_: Round, places: list[str]) -> None:
    place = dict(zip("1234567", places, strict=True))
    moved = {key: {place[space]: inner for space, inner in round_[key].items()} for key in ("boxes", "cards")}
    here, there = settled(round_)["seats"], settled(round_ | moved)["seats"]
    assert {place[space]: seat for space, seat in here.items()} == there
    assert list(there) == sorted(there)
