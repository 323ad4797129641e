"""Fortune 8: every line of a settled round, named after its article, the edge of each box, the worked file changed."""

from fractions import Fraction
from math import comb

import pytest

from controller.rulebook.cards import DECK, Card
from controller.rulebook.fortune_8.dealing import spaces_dealt
from controller.rulebook.fortune_8.paytable import BOX_NAMES, BOXES, DECKS, BoxName
from controller.rulebook.fortune_8.settle import settle_spaces
from controller.rulebook.fortune_8.wagers import Bet
from controller.rulebook.refusal import Refusal
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
    assert len(spaces_dealt("every_space", ())) <= 12


SHARED = [
    Bet(5, "high", "Rui", 70),
    Bet(2, "low", "Rui", 10),
    Bet(5, "eight", "Inês", 20),
    Bet(2, "low", None, 30),
    Bet(2, "low", "Ana", 40),
    Bet(5, "high", "Ana", 50),
]


def test_fortune_8_a_space_with_a_bet_and_no_card_cannot_be_settled() -> None:
    with pytest.raises(Refusal) as refusal:
        settle_spaces(SHARED, {2: Card("7c")})
    assert (refusal.value.who, refusal.value.article) == ("space 5", "4.º 6")


# ---- Round files of Fortune 8: the worked example changed; random rounds: test_rulebook_fortune_8_properties.py.


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
