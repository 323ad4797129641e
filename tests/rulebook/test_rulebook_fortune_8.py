"""Fortune 8: every line of a settled round, named after its article, the edge of each box, the worked file changed."""

import json
from collections import Counter
from fractions import Fraction
from math import comb

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from controller.rulebook.cards import DECK, Card
from controller.rulebook.fortune_8.dealing import spaces_dealt
from controller.rulebook.fortune_8.paytable import BOX_NAMES, BOXES, DECKS, BoxName
from controller.rulebook.fortune_8.settle import settle_spaces, void_spaces
from controller.rulebook.fortune_8.wagers import Bet, check_bet
from controller.rulebook.reading import Limits
from controller.rulebook.refusal import Refusal
from controller.rulebook.round_file import settle_text
from controller.words import english, sentence
from tests.rulebook.round_texts import Round, example, put, refused, refused_by, settled


def net(box: BoxName, card: Card) -> int:
    return settle_spaces([Bet(1, box, None, 1)], {1: card}).seats["1"].net


def test_fortune_8_art_4_2_the_boxes_are_from_the_player_low_eight_high() -> None:
    assert BOX_NAMES == ("low", "eight", "high")
    bets = [Bet(1, "high", None, 3), Bet(1, "eight", None, 2), Bet(1, "low", None, 1)]
    answer = settle_spaces(bets, {1: Card("8s")})
    assert [line.wager for line in answer.seats["1"].lines] == ["low", "eight", "high"]


@pytest.mark.parametrize("box", BOX_NAMES)
def test_fortune_8_art_9_2_every_box_gives_the_house_one_thirteenth(box: BoxName) -> None:
    assert Fraction(-sum(net(box, card) for card in DECK), len(DECK)) == Fraction(1, 13)


def test_fortune_8_art_6_1_erratum_read_to_the_letter_any_card_dealt_would_win_and_the_house_would_lose() -> None:
    """ "The values of the cards dealt" is plural and names no space: on any of the seven cards every box would win too
    often. On its own card each box gives the house 1/13."""
    for box in BOXES:
        for decks in DECKS:
            losing = sum(not box.wins(card) for card in DECK) * decks
            none_wins = Fraction(comb(losing, 7), comb(52 * decks, 7))
            edge = none_wins - (1 - none_wins) * box.to_one
            assert edge < Fraction(-9, 10)


def test_fortune_8_art_2_1_the_twelve_cards_behind_the_cut_card_end_any_round() -> None:
    assert len(spaces_dealt("every_space", ())) == 7


def test_fortune_8_a_space_with_a_bet_and_no_card_cannot_be_settled() -> None:
    with pytest.raises(Refusal) as refusal:
        settle_spaces([Bet(5, "high", "Rui", 70)], {2: Card("7c")})
    assert (refusal.value.who, refusal.value.article) == ("space 5", "4.º 6")


# ---- Round files of Fortune 8: the worked example changed


def only_bets(boxes: Round, cards: Round, **more: object) -> Round:
    return {"game": "fortune-8", "deal": "spaces_with_bets", "boxes": boxes, "cards": cards} | more


def test_fortune_8_art_1_1_eight_decks_if_the_file_does_not_say() -> None:
    same = dict.fromkeys("1234567", "2s")
    round_ = example("fortune-8") | {"cards": same}
    del round_["decks"]
    assert settled(round_) == settled(round_ | {"decks": 8}) == settled(round_ | {"decks": 7})
    assert refused_by(round_ | {"decks": 6}) == ("space 7", "1.º 1)")


def test_fortune_8_a_box_may_be_left_out_or_be_nothing() -> None:
    without: list[Round] = [{}, {"2": {}}, {"2": {"low": 0}, "7": {"high": 0, "eight": 0}}]
    for bets in ({"eight": 50}, {"eight": 50, "low": 0}, {"low": 0, "eight": 50, "high": 0}):
        for others in without:
            answer = settled(only_bets({"1": bets} | others, {"1": "8d"}))
            assert list(answer["seats"]) == ["1"]
            assert [line["wager"] for line in answer["seats"]["1"]["lines"]] == ["eight"]


def bet(player: object, amount: object) -> Round:
    return {"player": player, "amount": amount}


def test_fortune_8_art_1_1_the_card_too_many_is_named_in_the_order_of_the_deal() -> None:
    round_ = example("fortune-8") | {
        "decks": 1,
        "cards": dict(zip("7654321", "2s 3s 4s 2s 5s 6s 7s".split(), strict=True)),
    }
    assert refused_by(round_) == ("space 7", "1.º 1)")
    assert "2s" in english(refused(round_).reason)
    assert settled(round_ | {"decks": 2})


def test_fortune_8_art_4_6_a_space_that_has_only_bets_of_nothing_gets_no_card() -> None:
    round_ = only_bets({"1": {"low": 5}, "2": {"low": 0}}, {"1": "2s", "2": "3s"})
    assert refused_by(round_) == ("space 2", "4.º 6")


def test_fortune_8_art_4_3_the_limits_are_each_bet_s_own_however_much_is_in_the_box() -> None:
    many = [bet(f"player {number}", 100) for number in range(200)]
    answer = settled(only_bets({"3": {"low": many}}, {"3": "2d"}, limits={"min": 100, "max": 100}))
    assert answer["seats"]["3"]["net"] == 20000
    assert [line["player"] for line in answer["seats"]["3"]["lines"]] == [row["player"] for row in many]


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
    round_ = example("fortune-8 shared")
    put(round_, "boxes.3.eight", value)
    assert sentence(refused(round_)) == line


# ---- Random rounds of Fortune 8 with any number of players at a box: what is each bet's own, and what has no order


PRINTABLE = st.characters(exclude_categories=["C", "Z"], include_characters=" ")
names = st.text(PRINTABLE, min_size=1, max_size=40).filter(str.strip)
players = st.one_of(st.sampled_from(["Ana", "Rui", "Inês", "陳大文"]), names)
amounts = st.integers(1, 10**6)


BET = st.fixed_dictionaries({"player": players, "amount": amounts})
BETS = st.lists(BET, min_size=1, max_size=4)
BOX = st.one_of(st.just(0), amounts, BETS, BETS)
# Made once: hypothesis takes longer to make a strategy than to draw from it.
BOXES_OF_A_SPACE = st.fixed_dictionaries({}, optional=dict.fromkeys(BOX_NAMES, BOX))
DRAWN_BOXES = st.dictionaries(st.sampled_from("1234567"), BOXES_OF_A_SPACE, min_size=1, max_size=4)
DEALS, SHOES = st.sampled_from(["every_space", "spaces_with_bets"]), st.integers(1, 8)
CARDS = st.sampled_from([list(DECK), [card for card in DECK if card[0] in "789"]])
ORDERS = st.randoms(use_true_random=False)


@st.composite
def rounds(draw: st.DrawFn) -> Round:
    """A round file that must be settled; most boxes have a list of bets."""
    boxes = draw(DRAWN_BOXES)
    with_bets = {space for space, own_bets in boxes.items() if any(own_bets.values())}
    assume(with_bets)
    deal, decks = draw(DEALS), draw(SHOES)
    few = draw(CARDS)
    shoe = iter(draw(ORDERS).sample(few * decks, 7))
    dealt = [space for space in "1234567" if deal == "every_space" or space in with_bets]
    cards = {space: str(next(shoe)) for space in dealt}
    return {"game": "fortune-8", "decks": decks, "deal": deal, "boxes": boxes, "cards": cards}


def listed(own_bets: object) -> list[Round]:
    """A box of either form as a list of bets; None is no one's name."""
    if isinstance(own_bets, int):
        return [{"player": None, "amount": own_bets}] if own_bets else []
    return list(own_bets) if isinstance(own_bets, list) else []


def bets_of(round_: Round) -> list[Bet]:
    return [
        Bet(int(space), box, bet["player"], bet["amount"])
        for space, boxes in round_["boxes"].items()
        for box, own_bets in boxes.items()
        for bet in listed(own_bets)
    ]


def cards_of(round_: Round) -> dict[int, Card]:
    return {int(space): Card(card) for space, card in round_["cards"].items()}


def with_boxes(round_: Round, boxes: Round) -> Round:
    return round_ | {"boxes": boxes}


@given(rounds())
def test_fortune_8_art_4_1_every_bet_has_one_line_computed_from_the_words_of_the_regulation(round_: Round) -> None:
    answer = settled(round_)
    for space, boxes in round_["boxes"].items():
        expected = []
        for box in BOX_NAMES:
            for bet in listed(boxes.get(box)):
                face = "--23456789TJQKA".index(round_["cards"][space][0])
                won = {"low": face < 8, "eight": face == 8, "high": face > 8}[box]
                to_one = 11 if box == "eight" else 1
                net = bet["amount"] * (to_one if won else -1)
                article = "6.º 1" if not won else "8.º 2" if box == "eight" else "8.º 1"
                expected.append((box, bet["player"], bet["amount"], net, f"{to_one}:1" if won else None, article))
        lines = answer["seats"][space]["lines"] if expected else []
        keys = ("wager", "player", "stake", "net", "odds", "article")
        assert [tuple(line.get(key) for key in keys) for line in lines] == expected
        assert (space in answer["seats"]) == bool(expected)
        assert not expected or answer["seats"][space]["net"] == sum(line[3] for line in expected)


@given(rounds())
def test_fortune_8_the_file_and_the_live_table_settle_alike(round_: Round) -> None:
    bets, cards = bets_of(round_), cards_of(round_)
    for bet in bets:
        check_bet(bet, None)
    in_order = sorted(bets, key=lambda bet: -bet.seat)  # what order the spaces and boxes are reported in is nothing
    in_order.sort(key=lambda bet: bet.box)
    for order in (bets, in_order):
        assert msgspec.json.encode(settle_spaces(order, cards)) == settle_text(json.dumps(round_))


@given(rounds())
def test_fortune_8_art_4_3_the_limits_let_pass_every_bet_they_bound_and_no_other(round_: Round) -> None:
    bets = bets_of(round_)
    least, most = min(bet.amount for bet in bets), max(bet.amount for bet in bets)
    within = {"limits": {"min": least, "max": most}}
    assert settled(round_ | within) == settled(round_)
    for narrower in ({"min": least + 1, "max": most + 1}, {"min": 1, "max": max(1, most - 1)}):
        outside = [bet for bet in bets if not narrower["min"] <= bet.amount <= narrower["max"]]
        if not outside:
            continue
        with pytest.raises(Refusal) as refusal:
            settled(round_ | {"limits": narrower})
        assert refusal.value.article == "4.º 3" and len(sentence(refusal.value).splitlines()) == 1
        for bet in outside:
            with pytest.raises(Refusal):
                check_bet(bet, Limits(**narrower))
        first = min(outside, key=lambda bet: (list(round_["boxes"]).index(str(bet.seat)), BOX_NAMES.index(bet.box)))
        assert refusal.value.who == f"space {first.seat}"
        assert english(refusal.value.reason).startswith(f"{first.box} of {first.amount} ")
        assert (" by " in english(refusal.value.reason)) == (first.player is not None)


@given(rounds())
def test_fortune_8_art_5_a_void_round_has_the_lines_of_a_settled_one_and_moves_no_money(round_: Round) -> None:
    bets = bets_of(round_)
    void, settled_ = void_spaces(bets, "5.º"), settle_spaces(bets, cards_of(round_))
    assert void.outcome == "void" and list(void.seats) == list(settled_.seats)
    staked: Counter[str] = Counter()
    for space, seat in void.seats.items():
        assert seat.net == 0
        own_bets = [(line.wager, line.player, line.stake) for line in seat.lines]
        assert own_bets == [(line.wager, line.player, line.stake) for line in settled_.seats[space].lines]
        assert all((line.outcome, line.odds, line.net, line.article) == ("void", None, 0, "5.º") for line in seat.lines)
        staked[space] += sum(line.stake for line in seat.lines)
    assert staked.total() == sum(bet.amount for bet in bets)
