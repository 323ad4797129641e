"""Random rounds of Fortune 8 with any number of players at a box: what is each bet's own, and what has no order."""

import json
from collections import Counter
from collections.abc import Mapping

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from controller.rulebook.cards import DECK, Card
from controller.rulebook.fortune_8.paytable import BOX_NAMES
from controller.rulebook.fortune_8.settle import settle_spaces, void_spaces
from controller.rulebook.fortune_8.wagers import Bet, check_bet
from controller.rulebook.reading import Limits
from controller.rulebook.refusal import Refusal
from controller.rulebook.round_file import settle_text
from controller.words import english, sentence
from tests.rulebook.round_texts import Round, settled

PRINTABLE = st.characters(exclude_categories=["C", "Z"], include_characters=" ")
names = st.text(PRINTABLE, min_size=1, max_size=40).filter(str.strip)
players = st.one_of(st.sampled_from(["Ana", "Rui", "Inês", "陳大文"]), names)
amounts = st.integers(1, 10**6)


BET = st.fixed_dictionaries({"player": players, "amount": amounts})
BETS = st.lists(BET, min_size=1, max_size=4, unique_by=lambda bet: bet["player"])
BOX = st.one_of(st.just(0), amounts, BETS, BETS)
# Made once: hypothesis takes longer to make a strategy than to draw from it.
BOXES_OF_A_SPACE = st.fixed_dictionaries({}, optional=dict.fromkeys(BOX_NAMES, BOX))
BOXES = st.dictionaries(st.sampled_from("1234567"), BOXES_OF_A_SPACE, min_size=1, max_size=4)
DEALS, SHOES = st.sampled_from(["every_space", "spaces_with_bets"]), st.integers(1, 8)
CARDS = st.sampled_from([list(DECK), [card for card in DECK if card[0] in "789"]])
ORDERS = st.randoms(use_true_random=False)


@st.composite
def rounds(draw: st.DrawFn) -> Round:
    """A round file that must be settled; most boxes have a list of bets."""
    boxes = draw(BOXES)
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


@given(rounds(), st.data())
def test_fortune_8_art_4_3_another_bet_of_a_player_in_the_box_is_a_line_of_its_own(
    round_: Round, data: st.DataObject
) -> None:
    shared = [
        (space, box)
        for space, boxes in round_["boxes"].items()
        for box, own_bets in boxes.items()
        if isinstance(own_bets, list)
    ]
    assume(shared)
    space, box = data.draw(st.sampled_from(shared))
    own_bets = round_["boxes"][space][box]
    again = [*own_bets, data.draw(st.sampled_from(own_bets)) | {"amount": data.draw(amounts)}]
    boxes: Mapping[str, Round] = round_["boxes"]
    before = settled({key: value for key, value in round_.items() if key != "limits"})
    more = with_boxes(round_, {**boxes, space: boxes[space] | {box: again}})
    after = settled({key: value for key, value in more.items() if key != "limits"})
    lines = [line for line in after["seats"][space]["lines"] if line["wager"] == box]
    shared_line = lines.pop()
    assert (shared_line["player"], shared_line["stake"]) == (again[-1]["player"], again[-1]["amount"])
    assert lines == [line for line in before["seats"][space]["lines"] if line["wager"] == box]
    assert after["seats"][space]["net"] == before["seats"][space]["net"] + shared_line["net"]


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
