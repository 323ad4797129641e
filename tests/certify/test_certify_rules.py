"""Each key of [rules]: whether it changes the odds, and that they are certified as the house has chosen."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from unittest.mock import patch

import pytest
from msgspec.structs import replace

from controller.certify.blackjack import simulation
from controller.certify.blackjack.infinite_deck import InfiniteDeck, hand_of
from controller.certify.blackjack.main_game import MAIN_TABLE, certify_main_game
from controller.certify.blackjack.simulation import SimulationPart, best_strategy, play_part
from controller.certify.blackjack.strategy import PlayChoice, StrategyRow, hand_kind
from controller.certify.blackjack.variation import Variation
from controller.certify.games import CertifyRequest, certify
from controller.certify.result import Certified, Unkept, Unwatched
from controller.rulebook.cards import DECK, parse_cards
from controller.rulebook.games import GAMES
from controller.rulebook.taiwan_pai_kao.places import dealing_order, first_place, settling_order
from controller.statistics.odds import CHANGE_ODDS
from tests.certify.counted_once import SETS, every_deal
from tests.certify.test_certify_blackjack_simulation import EVERY_ROUND
from tests.certify.test_certify_blackjack_strategy import EDGE, asked_by_the_rulebook, hands

MORE = Variation(doubles_more=True)
EDGE_OF_MORE = Fraction(10199739379019901195527147529, 4036266528503819132969583104396)  # 0.25270 %
# What each key changes among the exact odds of its game. The first two say when a round is void, and no more:
# `test_art_17_1_3_both_readings_settle_a_round_that_is_played_alike`. No certified bank meets its limit or
# has a partner.
CHANGES = {
    "exposed_cards_by_player": set[str](),
    "wrong_count_is_unreported_card": set[str](),
    "tenths_one_after_another": set[str](),
    "royal_on_the_pot_as_it_was": set[str](),
    "double_after_split_three_cards": {"main_game_infinite_deck"},
    "backers_insure_for_themselves": set[str](),
    "three_aces_of_three_suits": {"jackpot_4_decks", "jackpot_6_decks"},
    "deal_begins_beside_banker": set[str](),
    "limit_over_the_round": set[str](),
    "casino_shares_in_proportion": set[str](),
    "commission_of_players_alone": {"bank"},
}


@cache
def certified(game: str, *keys: str) -> Mapping[str, Certified]:
    asked = CertifyRequest(game=game, rules=tuple(own for own in GAMES[game].other_readings if own.key in keys))
    with patch("controller.certify.games.Deals", every_deal):
        return {wager.wager: wager for wager in certify(asked, Unwatched(), SETS, 1)}


def test_certify_of_every_key_it_is_known_what_it_does_to_the_odds() -> None:
    assert [reading.key for game in GAMES.values() for reading in game.other_readings] == list(CHANGES)


def test_blackjack_rule_31_certified_the_odds_are_those_of_the_reading_that_the_house_chose() -> None:
    key = "double_after_split_three_cards"
    decided, chosen = certified("blackjack-21"), certified("blackjack-21", key)
    assert decided.keys() == chosen.keys()
    assert {name for name in decided if replace(chosen[name], notes=()) != replace(decided[name], notes=())} == (
        CHANGES[key]
    )
    game = chosen["main_game_infinite_deck"]
    assert (game.house_edge, decided["main_game_infinite_deck"].house_edge) == (EDGE_OF_MORE, EDGE)
    strategy = game.further["strategy"]
    assert isinstance(strategy, dict) and "hard 9 after a split" in strategy
    assert any("The main game is computed with such doubles" in note for note in game.notes)


def test_blackjack_rule_31_certified_a_hand_may_do_what_the_rulebook_lets_it_by_the_other_reading() -> None:
    deck = InfiniteDeck(MORE)
    fours = [hand_of(*parse_cards(f"{cards} 2h"), split=True) for cards in ("3s 4d 2d", "2s 5d As", "4s As 3d")]
    asked = list(product([*hands(), *fours], ("6s", "As")))
    different = [
        hand
        for hand, open_card in asked
        if set(deck.may(hand)) != set(asked_by_the_rulebook(hand, *parse_cards(open_card), doubles_more=True))
    ]
    assert different == []
    assert any("double" in deck.may(hand) and len(hand.cards) > 2 for hand, _ in asked)


def test_blackjack_rule_31_certified_the_printed_strategy_has_the_edge_of_the_best_play() -> None:
    best = best_strategy(MORE)
    assert InfiniteDeck(MORE, follows=best).edge() == InfiniteDeck(MORE).edge() == EDGE_OF_MORE
    assert InfiniteDeck(MORE, follows=best_strategy()).edge() > EDGE_OF_MORE
    assert {row.name for row in best.cells if row.split} == {
        f"{hand} after a split" for hand in ("hard 9", "2-2", "3-3", "4-4")
    }
    assert not any(row.split for row in best_strategy().cells)
    printed = best.printed().splitlines()
    assert [line.split()[-10:] for line in printed if line.startswith("4-4 after a split")] == [["H"] * 10]
    assert len({line.index(" H ") for line in printed if line.startswith(("hard 5", "hard 9 after"))}) == 1


@pytest.mark.parametrize(
    ("row", "open_value", "otherwise"),
    [
        (StrategyRow("hard", 9, split=True), 3, ("double", "hit")),
        (StrategyRow("pair", 2), 8, ("hit", "split")),
        (StrategyRow("pair", 2, split=True), 8, ("split", "hit")),
        (StrategyRow("pair", 3, split=True), 2, ("split", "hit")),
        (StrategyRow("pair", 4, split=True), 6, ("split", "hit")),
    ],
    ids=lambda value: value.name if isinstance(value, StrategyRow) else None,
)
def test_blackjack_rule_31_certified_another_play_in_one_cell_costs(
    row: StrategyRow, open_value: int, otherwise: tuple[PlayChoice, ...]
) -> None:
    best = best_strategy(MORE)
    cells = {**best.cells, row: {**best.cells[row], open_value: otherwise}}
    assert InfiniteDeck(MORE, follows=replace(best, cells=cells)).edge() > EDGE_OF_MORE


def test_blackjack_rule_32_certified_an_ace_among_the_first_two_cards_of_a_doubled_hand_stays_one() -> None:
    deck = InfiniteDeck(MORE)
    (six,) = parse_cards("6s")
    early, late = (hand_of(*parse_cards(cards), split=True) for cards in ("2s As 6d", "2s 6d As"))
    worth = [deck.plays(six, hand)["double"] for hand in (early, late)]
    assert worth[0] < worth[1], "two more make 11, or 21"
    assert hand_kind(early) != hand_kind(late)


class Stacked:
    """Cards in this order for one round, which nothing comes after."""

    def __init__(self, cards: str) -> None:
        self.drawn: list[int] = []
        self._cards = [DECK.index(card) for card in parse_cards(cards)]
        self._rounds = 0

    def begin_round(self) -> bool:
        self._rounds += 1
        return True

    def draw(self) -> int:
        self.drawn.append(self._cards[len(self.drawn)])
        return self.drawn[-1]


def test_blackjack_rule_31_certified_three_cards_of_a_split_hand_are_doubled_in_the_simulation() -> None:
    cards = "3s 6s 3d Th 2h 4c Tc Td 9h"  # 3 2 4 is doubled and gets a ten, 3 and ten remain, the bank draws to 25
    session = simulation._Session(SimulationPart(MAIN_TABLE, 1, 0, 1, MORE), Stacked(cards), {})
    assert session.played(EVERY_ROUND).outcomes == {2 * (2 + 1): 1}
    session = simulation._Session(SimulationPart(MAIN_TABLE, 1, 0, 1), Stacked("3s 6s 3d Th 2h 4c Tc Td 9h"), {})
    assert session.played(EVERY_ROUND).outcomes == {2 * (1 + 1): 1}, "9 is hit"


def test_blackjack_rule_31_certified_every_simulated_round_is_the_rulebooks_by_the_other_reading() -> None:
    tally = play_part(SimulationPart(MAIN_TABLE, 7, 0, 500, MORE), EVERY_ROUND)
    assert tally.compared >= 500 and tally.void == 0


def test_blackjack_rule_31_certified_the_simulation_follows_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "PART_ROUNDS", 1000)
    job = certify_main_game(rounds=1000, seed=9, others=(), read=MORE)
    simulated, exact = job(Unwatched(), Unkept(), 1)
    assert exact.house_edge == EDGE_OF_MORE
    strategy = simulated.further["strategy"]
    assert isinstance(strategy, dict) and "3-3 after a split" in strategy


def test_pai_kao_art_8_certified_by_the_other_reading_the_bank_gains_what_it_wins() -> None:
    decided, chosen = certified("taiwan-pai-kao"), certified("taiwan-pai-kao", "commission_of_players_alone")
    assert (decided["bank"].house_edge, chosen["bank"].house_edge) == (decided["place"].house_edge, Fraction(0))
    assert chosen["place"].house_edge == decided["place"].house_edge == Fraction(116507567, 7362810000)
    paid = [Fraction(str(odds["place"].further["commission"])) for odds in (decided, chosen)]
    assert paid[0] == 2 * paid[1] and "5 % of what a place wins" in chosen["place"].notes[1]


@pytest.mark.parametrize("key", ["limit_over_the_round", "casino_shares_in_proportion"])
def test_pai_kao_art_5_certified_a_bank_that_is_large_enough_and_alone_has_the_same_odds_by_either_reading(
    key: str,
) -> None:
    decided, chosen = certified("taiwan-pai-kao"), certified("taiwan-pai-kao", key)
    assert {name for name in decided if replace(chosen[name], notes=()) != replace(decided[name], notes=())} == (
        CHANGES[key]
    )


@pytest.mark.parametrize("places", [4, 8])
def test_pai_kao_art_2_b_certified_by_either_reading_each_place_gets_four_tiles_of_a_stack_that_no_one_knows(
    places: int,
) -> None:
    """The person who is dealt to first is named by the dice alone: his tiles are as good as anybody's,
    and so are the odds."""
    for banker, dice in product(range(1, places + 1), product(range(1, 7), repeat=4)):
        firsts = [first_place(dice, banker, places, beside_banker=beside) for beside in (False, True)]
        assert all(sorted(dealing_order(first, places)) == list(range(1, places + 1)) for first in firsts)
        order, other = (settling_order(first, banker, places) for first in firsts)
        assert order == other


def test_blackjack_rule_43_c_certified_the_chances_of_the_prizes_are_those_of_the_reading_that_the_house_chose() -> (
    None
):
    key = "three_aces_of_three_suits"
    decided, chosen = certified("blackjack-21"), certified("blackjack-21", key)
    assert {name for name in decided if replace(chosen[name], notes=()) != replace(decided[name], notes=())} == (
        CHANGES[key]
    )
    for name in CHANGES[key]:
        chances, other = ({row.outcome: row.chance for row in found[name].odds} for found in (decided, chosen))
        assert other["three_aces"] < chances["three_aces"] and other["two_aces"] > chances["two_aces"]
        assert sum(chances.values()) == sum(other.values()) == 1


@pytest.mark.parametrize(
    ("game", "key"),
    [
        pytest.param("fortune-3-card-poker-2025", "tenths_one_after_another", marks=pytest.mark.soak),
        ("blackjack-21", "backers_insure_for_themselves"),
    ],
)
def test_certified_by_a_key_that_changes_no_odds_they_are_the_same(game: str, key: str) -> None:
    decided, chosen = certified(game), certified(game, key)
    assert {name for name in decided if replace(chosen[name], notes=()) != replace(decided[name], notes=())} == (
        CHANGES[key]
    )


def test_certify_the_statistics_know_which_keys_change_odds() -> None:
    assert CHANGE_ODDS.keys() == {key for key, changed in CHANGES.items() if changed}
