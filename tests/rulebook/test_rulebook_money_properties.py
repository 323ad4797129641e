"""Random rounds of every game: what players win the house loses, no line passes its odds."""

import json
from collections.abc import Mapping
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.rulebook.cards import Card
from controller.rulebook.five_card import best_combination
from controller.rulebook.fortune_3_card_poker.paytables import RULES_2008, RULES_2025, Odds, Rules
from controller.rulebook.fortune_8.paytable import BOXES
from controller.rulebook.round_file import settle_text
from controller.rulebook.settlement import Settlement
from controller.rulebook.three_card import rank_three
from tests.rulebook.test_rulebook_fortune_3_2008_file import rounds as rounds_2008
from tests.rulebook.test_rulebook_fortune_3_properties import rounds as rounds_2025
from tests.rulebook.test_rulebook_fortune_8_properties import rounds as rounds_8

Round = dict[str, Any]

RULES = {rules.game: rules for rules in (RULES_2025, RULES_2008)}
ROUNDS = {RULES_2025.game: rounds_2025(), RULES_2008.game: rounds_2008(), "fortune-8": rounds_8()}

every_game = pytest.mark.parametrize("game", ROUNDS)


def settled(round_: Round) -> Round:
    answer: Round = json.loads(settle_text(json.dumps(round_)))
    return answer


def house_of_poker(round_: Round, rules: Rules) -> int:
    """What the house wins of all but the jackpot, bet by bet from the paytables; below 0 what it pays."""
    bank = tuple(map(Card, round_["dealer"].split()))
    plays = rank_three(bank).name != "high_card" or any(card[0] in "QKA" for card in bank)
    house: int = 0
    for seat in round_["seats"].values():
        cards = tuple(map(Card, seat["cards"].split()))
        hand, ante = rank_three(cards), seat.get("ante", 0)
        if ante and seat["decision"] == "fold":
            house += ante
        elif ante:
            house -= (
                ante
                if not plays
                else 2 * ante * ((hand.rank < rank_three(bank).rank) - (hand.rank > rank_three(bank).rank))
            )
            house -= ante * to_one(rules.ante_bonus, hand.name, 0)
        house -= seat.get("pair_plus", 0) * to_one(rules.pair_plus, hand.name, -1)
        house -= seat.get("six_card_bonus", 0) * to_one(rules.six_card_bonus, best_combination(cards + bank), -1)
    return house


def to_one(table: Mapping[str, Odds], name: str | None, otherwise: int) -> int:
    return table[name].to_one if name is not None and name in table else otherwise


def house_of_fortune_8(round_: Round) -> int:
    house = 0
    for space, boxes in round_["boxes"].items():
        for box in BOXES:
            amounts = boxes.get(box.name, 0)
            amount = amounts if isinstance(amounts, int) else sum(bet["amount"] for bet in amounts)
            if amount:
                house -= amount * (box.to_one if round_["cards"][space][0] in box.ranks else -1)
    return house


def jackpot_balance(round_: Round, answer: Round) -> int:
    """What pot and house lose by the jackpot bets of the round: the awards less the chips."""
    awards = answer["jackpot"]["awards"] if "jackpot" in answer else []
    chips = sum(seat.get("jackpot", 0) for seat in round_["seats"].values())
    lost: int = sum(award["from_pot"] + award["from_house"] for award in awards) - chips
    return lost


@every_game
@given(data=st.data())
def test_what_the_players_win_is_what_the_house_and_the_pot_lose(game: str, data: st.DataObject) -> None:
    round_ = data.draw(ROUNDS[game])
    answer = settled(round_)
    players = sum(seat["net"] for seat in answer["seats"].values())
    if game == "fortune-8":
        assert players + house_of_fortune_8(round_) == 0
    else:
        assert players + house_of_poker(round_, RULES[game]) - jackpot_balance(round_, answer) == 0


def may_be_paid(line: Round, rules: Rules | None) -> set[int]:
    """What a line of this wager may change for each unit staked."""
    if rules is None:
        return {-1, next(box.to_one for box in BOXES if box.name == line["wager"])}
    if line["wager"] == "ante_bonus":
        return {odds.to_one for odds in rules.ante_bonus.values()}
    if line["wager"] in ("ante", "play"):
        return {-1, 0, 1}
    table = {"pair_plus": rules.pair_plus, "six_card_bonus": rules.six_card_bonus}[line["wager"]]
    return {-1, *(odds.to_one for odds in table.values())}


@every_game
@given(data=st.data())
def test_no_line_passes_what_its_odds_allow_and_every_stake_has_its_lines(game: str, data: st.DataObject) -> None:
    round_ = data.draw(ROUNDS[game])
    answer = settled(round_)
    for seat in answer["seats"].values():
        assert seat["net"] == sum(line["net"] for line in seat["lines"])
        for line in seat["lines"]:
            assert line["stake"] > 0 and line["net"] >= -line["stake"]
            if line["wager"] == "jackpot":
                most = max(round_["jackpot"]["pot"], *round_["jackpot"]["fixed"].values())
                assert line["net"] <= most - line["stake"]
            else:
                assert line["net"] in {line["stake"] * times for times in may_be_paid(line, RULES.get(game))}
    if game != "fortune-8":
        wagers = ("ante", "pair_plus", "six_card_bonus", "jackpot")
        amounts = [
            (number, wager, seat[wager])
            for number, seat in round_["seats"].items()
            for wager in wagers
            if wager in seat
        ]
        lines = [
            (number, line["wager"], line["stake"])
            for number, seat in answer["seats"].items()
            for line in seat["lines"]
            if line["wager"] in wagers
        ]
        assert sorted(amounts) == sorted(lines)


def times(value: Any, factor: int) -> Any:
    """The round with every amount of money, and nothing else, so many times as large."""
    if isinstance(value, Mapping):
        return {key: inner if key in ("decks", "seat") else times(inner, factor) for key, inner in value.items()}
    if isinstance(value, list):
        return [times(inner, factor) for inner in value]
    return value * factor if type(value) is int else value


@every_game
@given(data=st.data(), factor=st.integers(2, 10**6))
def test_bets_so_many_times_as_large_change_the_money_as_many_times(
    game: str, data: st.DataObject, factor: int
) -> None:
    round_ = data.draw(ROUNDS[game])
    if "jackpot" in round_:
        round_["jackpot"]["pot"] *= 10  # so that a tenth is whole
    small, large = settled(round_), settled(times(round_, factor))
    assert large == times(small, factor)


@every_game
@given(data=st.data())
def test_a_round_written_otherwise_and_an_answer_read_back_are_the_same(game: str, data: st.DataObject) -> None:
    round_ = data.draw(ROUNDS[game])
    answer = settle_text(json.dumps(round_))
    for text in (
        msgspec.json.encode(round_),
        json.dumps(round_, indent="\t", sort_keys=True),
        json.dumps(json.loads(json.dumps(round_, separators=(",", ":"))), ensure_ascii=False).encode(),
    ):
        assert settle_text(text) == answer
    assert msgspec.json.encode(msgspec.json.decode(answer, type=Settlement)) == answer
    assert answer == json.dumps(json.loads(answer), ensure_ascii=False, separators=(",", ":")).encode()
