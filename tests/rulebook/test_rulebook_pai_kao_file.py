"""Round files of Taiwan-Pai Kao: the worked round changed, and random files computed again."""

from itertools import permutations
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from controller.rulebook.taiwan_pai_kao.pairs import pair_of
from controller.rulebook.taiwan_pai_kao.tiles import SET, Tile
from tests.rulebook.round_texts import Round, example, refused, settled, worked_answer

GAME = "taiwan-pai-kao"


def test_pai_kao_art_2_b_by_the_other_reading_the_first_place_of_a_round_file_is_at_the_banker_s_right() -> None:
    named = example(GAME) | {"dice": [1, 1, 1, 2]}  # the banker's own place
    assert settled(named)["first_place"] == 3
    other = settled(named | {"rules": ["deal_begins_beside_banker"]})
    assert other["first_place"] == 4 and other == settled(named) | {"first_place": 4}
    assert settled(example(GAME) | {"rules": []}) == settled(example(GAME))
    for rules in ("deal_begins_beside_banker", ["other"], ["deal_begins_beside_banker"] * 2, [1], None):
        assert refused(example(GAME) | {"rules": rules}).who == "rules"


def test_pai_kao_art_5_c_a_capital_that_is_too_small_cuts_the_wagers_that_pass_it() -> None:
    answer = settled(example(GAME) | {"capital": 1000})
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


def test_pai_kao_art_6_b_the_banker_s_hand_is_corrected_too() -> None:
    arranged = {"3": {"front": "6-5 6-2", "rear": "5-5 4-3"}}
    answer = settled(example(GAME) | {"arranged": arranged})
    assert answer["seats"]["3"] == worked_answer(GAME)["seats"]["3"] | {"rearranged": True}
    assert [seat["rearranged"] for seat in answer["seats"].values()] == [False, False, True, False]


def wager(player: object, amount: object) -> Round:
    return {"player": player, "amount": amount}


def pairs(front: object, rear: object) -> Round:
    return {"front": front, "rear": rear}


@st.composite
def rounds(draw: st.DrawFn) -> Round:
    """A round file that must be settled; some hands are arranged, well or badly."""
    places = draw(st.sampled_from([8, 4]))
    every = [str(place) for place in range(1, places + 1)]
    banker = draw(st.sampled_from(every))
    deck = Random(draw(st.integers(0, 2**32))).sample(SET, 4 * places)
    hands = {place: deck[4 * number : 4 * number + 4] for number, place in enumerate(every)}
    wager_of = st.builds(wager, st.sampled_from(["Ana", "Rui"]), st.integers(1, 5000))
    others = [place for place in every if place != banker]
    arranged = {
        place: pairs(" ".join(tiles[:2]), " ".join(tiles[2:])) for place, tiles in hands.items() if draw(st.booleans())
    }
    return {
        "game": GAME,
        "places": places,
        "banker": int(banker),
        "capital": draw(st.integers(1, 20000)),
        "dice": draw(st.lists(st.integers(1, 6), min_size=4, max_size=4)),
        "tiles": {place: " ".join(tiles) for place, tiles in hands.items()},
        "wagers": draw(
            st.dictionaries(st.sampled_from(others), st.lists(wager_of, min_size=1, max_size=3), min_size=1)
        ),
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
