"""Cards and their text, and the one line of a refusal."""

import pytest

from controller.rulebook.cards import DECK, RANKS, parse_cards, rank_of, refuse_repeated, show_cards
from controller.rulebook.fortune_3_card_poker.reasons import ThreeCardReason
from controller.rulebook.reasons import LawReason
from controller.rulebook.refusal import Refusal, quoted
from controller.words import sentence
from tests.with_words import with_words


def test_art_2_1_the_deck_has_52_different_cards() -> None:
    assert len(DECK) == len(set(DECK)) == 52
    assert {card[0] for card in DECK} == set(RANKS)
    assert {card[1] for card in DECK} == set("cdhs")


def test_art_6_1_face_values_descend_from_the_ace_to_the_two() -> None:
    in_order = parse_cards("As Ks Qs Js Ts 9s 8s 7s 6s 5s 4s 3s 2s")
    assert [rank_of(card) for card in in_order] == list(range(14, 1, -1))


def test_show_cards_writes_what_parse_cards_reads() -> None:
    assert show_cards(parse_cards("As Kd Tc 9h")) == "As Kd Tc 9h"
    assert parse_cards(show_cards(DECK)) == DECK


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "as",
        "AS",
        "aS",
        "10s",
        "1s",
        "As  Kd",
        " As",
        "As ",
        "As,Kd",
        "As\tKd",
        "As\nKd",
        "AsKd",
        "A♠",
        "Ax",
        "\x00",
    ],
)
def test_a_text_that_is_not_exactly_cards_is_refused(text: str) -> None:
    with pytest.raises(Refusal) as refusal:
        parse_cards(text, "seat 3")
    assert refusal.value.who == "seat 3"
    assert len(sentence(refusal.value).splitlines()) == 1


def test_art_2_1_a_card_is_once_in_the_deck() -> None:
    with pytest.raises(Refusal, check=with_words(r"^dealer: the card As is already at seat 1 \(2\.º 1 1\)\)$")):
        refuse_repeated([("seat 1", parse_cards("As Kd")), ("dealer", parse_cards("2c As"))], "2.º 1 1)")
    with pytest.raises(Refusal, check=with_words("^seat 1: the card As is twice$")):
        refuse_repeated([("seat 1", parse_cards("As As"))])
    refuse_repeated([("seat 1", parse_cards("As")), ("seat 2", parse_cards("Ah"))])


def test_a_refusal_says_who_why_and_under_which_article_in_one_line() -> None:
    refusal = Refusal("seat 3", ThreeCardReason.WITHOUT_BASIC_BET, "4.º 3", wager="six_card_bonus")
    assert sentence(refusal) == "seat 3: six_card_bonus without ante or pair_plus is invalid (4.º 3)"
    assert (refusal.who, refusal.article) == ("seat 3", "4.º 3")
    assert sentence(Refusal("file", LawReason.NOT_UTF8)) == "file: is not UTF-8 text"


@pytest.mark.parametrize(
    "value",
    ["line\nbreak", "\ud800", "ª" * 500, 10**5000, None, True, 1.5, [1], {"a": 1}],
    ids=lambda value: type(value).__name__,
)
def test_a_quoted_value_is_short_and_on_one_line(value: object) -> None:
    text = quoted(value)
    assert text.isascii() and len(text) <= 40 and "\n" not in text
