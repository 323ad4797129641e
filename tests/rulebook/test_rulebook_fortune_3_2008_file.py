"""Round files of Fortune 3 Card Poker 2008: the worked answer, every refusal, and random rounds compared with 2025."""

import json
from collections.abc import Iterator
from itertools import chain
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.rulebook.cards import DECK
from controller.rulebook.fortune_3_card_poker.paytables import RULES_2008, RULES_2025, Rules
from controller.rulebook.fortune_3_card_poker.wagers import refuse_decision, refuse_wagers
from controller.rulebook.reading import Limits
from controller.rulebook.refusal import Refusal
from controller.rulebook.round_file import settle_text
from controller.words import english, sentence
from tests.shuffling import shuffled
from tests.with_words import with_words

Round = dict[str, Any]

EXAMPLE = """
{"game": "fortune-3-card-poker-2008",
 "seats": {"1": {"ante": 10000, "pair_plus": 5000, "cards": "As Ks Qs", "decision": "play"},
           "3": {"pair_plus": 5000, "cards": "9h 9d 2c"},
           "7": {"ante": 700, "cards": "5h 3d 2s", "decision": "fold"}},
 "dealer": "Qd 9c 4h"}
"""
ANSWER = """
{"game": "fortune-3-card-poker-2008", "outcome": "settled", "dealer": {"hand": "high_card", "qualifies": true},
 "seats": {
  "1": {"hand": "straight_flush", "net": 270000, "lines": [
    {"wager": "ante", "stake": 10000, "outcome": "win", "odds": "1:1", "net": 10000, "article": "9.º 6)"},
    {"wager": "play", "stake": 10000, "outcome": "win", "odds": "1:1", "net": 10000, "article": "9.º 6)"},
    {"wager": "ante_bonus", "stake": 10000, "outcome": "win", "odds": "5:1", "net": 50000, "article": "9.º 8) (1)"},
    {"wager": "pair_plus", "stake": 5000, "outcome": "win", "odds": "40:1", "net": 200000, "article": "10.º 1)"}]},
  "3": {"hand": "pair", "net": 5000, "lines": [
    {"wager": "pair_plus", "stake": 5000, "outcome": "win", "odds": "1:1", "net": 5000, "article": "10.º 5)"}]},
  "7": {"hand": "high_card", "net": -700, "lines": [
    {"wager": "ante", "stake": 700, "outcome": "lose", "odds": null, "net": -700, "article": "9.º 2)"}]}}}
"""


def example() -> Round:
    round_: Round = json.loads(EXAMPLE)
    return round_


def refused(round_: Round) -> Refusal:
    with pytest.raises(Refusal) as refusal:
        settle_text(json.dumps(round_))
    assert len(sentence(refusal.value).splitlines()) == 1
    return refusal.value


def test_2008_the_worked_example_is_answered_to_the_letter_and_in_its_order() -> None:
    compact = json.dumps(json.loads(ANSWER), ensure_ascii=False, separators=(",", ":"))
    assert settle_text(EXAMPLE) == compact.encode()


@pytest.mark.parametrize("places", range(1, 10))
def test_2008_art_2_1_seats_are_one_to_seven(places: int) -> None:
    round_ = example() | {"seats": {str(places): {"pair_plus": 5, "cards": "9h 9d 2c"}}}
    if places <= 7:
        assert list(json.loads(settle_text(json.dumps(round_)))["seats"]) == [str(places)]
    else:
        assert (refused(round_).who, refused(round_).article) == ("seats", "2.º 1")


def test_2008_art_1_1_a_card_is_once_in_the_deck() -> None:
    for dealer in ("Qd 9c As", "Qd Qd 4h"):
        assert (refused(example() | {"dealer": dealer}).who, refused(example() | {"dealer": dealer}).article) == (
            "dealer",
            "1.º 1)",
        )


@pytest.mark.parametrize("wager", ["six_card_bonus", "jackpot"])
def test_2008_art_5_1_a_bet_of_another_regulation_is_refused(wager: str) -> None:
    for seat in ("1", "3"):
        round_ = example()
        round_["seats"][seat][wager] = 500
        assert (refused(round_).who, refused(round_).article) == (f"seat {seat}", "5.º 1")
    with pytest.raises(Refusal, check=with_words("is not a wager of fortune-3-card-poker-2008")):
        refuse_wagers(1, {"ante": 1, wager: 1}, None, RULES_2008)


@pytest.mark.parametrize(
    ("key", "value"), [("community", "Js Ts"), ("jackpot", {"pot": 1, "minimum": 1, "fixed": {}}), ("community", None)]
)
def test_2008_art_5_1_there_are_neither_community_cards_nor_a_jackpot(key: str, value: object) -> None:
    refusal = refused(example() | {key: value})
    assert refusal.who == "round" and f'unknown key "{key}"' in english(refusal.reason)


@pytest.mark.parametrize("wager", ["ante", "pair_plus"])
def test_2008_art_6_1_a_bet_keeps_the_limits_both_included(wager: str) -> None:
    limits = Limits(100, 1000)
    for amount in (100, 1000):
        refuse_wagers(2, {wager: amount}, limits, RULES_2008)
    for amount in (1, 99, 1001):
        with pytest.raises(Refusal) as refusal:
            refuse_wagers(2, {wager: amount}, limits, RULES_2008)
        assert (refusal.value.who, refusal.value.article) == ("seat 2", "6.º 1)")
    assert refused(example() | {"limits": {"min": 701, "max": 10000}}).article == "6.º 1)"
    settle_text(json.dumps(example() | {"limits": {"min": 700, "max": 10000}}))


@pytest.mark.parametrize("cards", ["9h 9d", "9h 9d 2c 3c"])
def test_2008_art_7_each_hand_has_three_cards(cards: str) -> None:
    round_ = example()
    round_["seats"]["3"]["cards"] = cards
    assert (refused(round_).who, refused(round_).article) == ("seat 3", "7.º")
    assert (refused(example() | {"dealer": cards}).who, refused(example() | {"dealer": cards}).article) == (
        "dealer",
        "7.º",
    )


def test_2008_art_7_cards_go_to_players_with_a_bet() -> None:
    round_ = example()
    round_["seats"]["2"] = {"cards": "5c 6c 7c"}
    assert (refused(round_).who, refused(round_).article) == ("seat 2", "7.º")
    assert (refused(example() | {"seats": {}}).who, refused(example() | {"seats": {}}).article) == ("seats", "7.º")


DECISIONS = ["play", "fold", None]


@pytest.mark.parametrize("decision", DECISIONS)
def test_2008_art_9_1_an_ante_and_only_an_ante_is_decided(decision: str | None) -> None:
    if decision is not None:
        refuse_decision(3, {"ante": 1}, decision, RULES_2008)
        refusal_of({"pair_plus": 1}, decision, "9.º 1)")
    else:
        refuse_decision(3, {"pair_plus": 1}, None, RULES_2008)
        refusal_of({"ante": 1}, None, "9.º 1)")


@pytest.mark.parametrize("decision", ["hit", "Play", ""])
def test_2008_art_9_1_a_decision_is_play_or_fold(decision: str) -> None:
    for wagers in ({"ante": 1}, {"pair_plus": 1}, {"ante": 1, "pair_plus": 1}):
        refusal_of(wagers, decision, "9.º 1)")


@pytest.mark.parametrize("decision", DECISIONS)
def test_2008_art_9_3_an_ante_beside_pair_plus_is_obliged_to_play(decision: str | None) -> None:
    both = {"ante": 1, "pair_plus": 1}
    if decision == "play":
        refuse_decision(3, both, decision, RULES_2008)
    else:
        refusal_of(both, decision, "9.º 3)")
    if decision is not None:
        refuse_decision(3, both, decision, RULES_2025)
        refuse_decision(3, {"ante": 1}, decision, RULES_2008)


def test_2008_art_9_2_and_9_3_a_round_file_may_record_a_refused_duty_and_the_ante_alone_is_lost() -> None:
    round_: Round = {
        "game": "fortune-3-card-poker-2008",
        "seats": {"7": {"ante": 100, "pair_plus": 5, "cards": "Ah Kd Qs", "decision": "refused"}},
        "dealer": "Js 9c 8d",
    }
    lines = json.loads(settle_text(json.dumps(round_)))["seats"]["7"]["lines"]
    assert [(line["wager"], line["net"], line["article"]) for line in lines] == [
        ("ante", -100, "9.º 2)"),
        ("pair_plus", 25, "10.º 3)"),
    ]
    del round_["seats"]["7"]["pair_plus"]
    assert refused(round_).article == "9.º 1)"  # without the duty it is no decision


def refusal_of(wagers: dict[str, int], decision: str | None, article: str) -> None:
    with pytest.raises(Refusal) as refusal:
        refuse_decision(3, wagers, decision, RULES_2008)
    assert (refusal.value.who, refusal.value.article) == ("seat 3", article)


def articles_of(rules: Rules) -> Iterator[str]:
    cited = rules.articles
    yield from (odds.article for odds in chain(rules.ante_bonus.values(), rules.pair_plus.values()))
    yield from cited.tie.values()
    yield from (cited.bank_does_not_play, cited.fold, cited.pair_plus_lost)


IN_2025 = dict(zip(articles_of(RULES_2008), articles_of(RULES_2025), strict=True))
IN_2025 |= {"9.º 6)": "13.º 3)", "9.º 7)": "13.º 3)"}
DECKS, PLAY_OR_FOLD = shuffled(DECK), st.sampled_from(["play", "fold"])
FEW = st.sampled_from([("23456789TJQKA", "cdhs"), ("AKQJT9", "cdhs"), ("2A3456789", "shd")])
SEATS = st.lists(st.integers(1, 7), min_size=1, max_size=7, unique=True)
BETS, AMOUNTS = st.sampled_from([("ante",), ("pair_plus",), ("ante", "pair_plus")]), st.integers(1, 10**6)


@st.composite
def rounds(draw: st.DrawFn) -> Round:
    """A round file that must be settled, often of few ranks or suits, so that rare hands and ties come up."""
    faces, suits = draw(FEW)
    deck = sorted(draw(DECKS), key=lambda card: not (card[0] in faces and card[1] in suits))
    hands = [" ".join(deck[start : start + 3]) for start in range(0, 24, 3)]
    seats: Round = {}
    for number in draw(SEATS):
        bets = draw(BETS)
        seat: Round = {wager: draw(AMOUNTS) for wager in bets}
        if "ante" in bets:
            seat["decision"] = "play" if "pair_plus" in bets else draw(PLAY_OR_FOLD)
        seats[str(number)] = seat | {"cards": hands[number]}
    return {"game": "fortune-3-card-poker-2008", "seats": seats, "dealer": hands[0]}


@given(rounds())
def test_2008_a_round_is_settled_as_in_2025_but_for_the_articles(round_: Round) -> None:
    here = json.loads(settle_text(json.dumps(round_)))
    there = json.loads(settle_text(json.dumps(round_ | {"game": "fortune-3-card-poker-2025"})))
    for seat in here["seats"].values():
        for line in seat["lines"]:
            line["article"] = IN_2025[line["article"]]
    assert here | {"game": there["game"]} == there


@given(rounds(), st.randoms(use_true_random=False))
def test_2008_money_adds_up_and_the_order_of_seats_and_cards_changes_nothing(round_: Round, chance: Any) -> None:
    answer = settle_text(json.dumps(round_))
    for seat in json.loads(answer)["seats"].values():
        assert seat["net"] == sum(line["net"] for line in seat["lines"])
        for line in seat["lines"]:
            odds = int(line["odds"].removesuffix(":1")) if line["odds"] else 0
            assert line["net"] == {"win": odds, "lose": -1, "push": 0}[line["outcome"]] * line["stake"]
            assert (line["outcome"] == "win") == bool(odds)
    seats = list(round_["seats"].items())
    chance.shuffle(seats)
    for _, seat in seats:
        cards = seat["cards"].split()
        chance.shuffle(cards)
        seat["cards"] = " ".join(cards)
    assert settle_text(json.dumps(round_ | {"seats": dict(seats)})) == answer


def test_2008_every_line_cites_an_article_that_this_regulation_has() -> None:
    cited = {*articles_of(RULES_2008), "9.º 6)", "9.º 7)"}
    assert len(cited) == 3 + 5 + 6 + 3 + 2
    assert all(int(article.split(".")[0]) in (8, 9, 10) for article in cited)


def test_2008_art_5_1_there_are_two_bets_to_place() -> None:
    assert RULES_2008.wagers == ("ante", "pair_plus")
    assert not RULES_2008.six_card_bonus and not RULES_2008.jackpot
