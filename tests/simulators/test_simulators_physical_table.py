"""The physical table: cards and chips are conserved, players keep the rules, a seed is a seed."""

import json
from collections import Counter
from pathlib import Path

import pytest

from simulators.felt.camera import Camera
from simulators.felt.cards import card_from_text
from simulators.felt.chips import Chips, ChipsLost
from simulators.felt.deck import CardsLost, card_material, read_stack
from simulators.felt.players import Bettors, Players, is_q64_or_better
from simulators.felt.table import ASIDE, CardFelt
from tests.simulators.decks import Deck, Orders


def table(camera: Camera | None = None, levels: dict[int, bool] | None = None) -> CardFelt:
    filmed = levels if levels is not None else {}
    return CardFelt({1: "Chan", 2: "Inês", 3: "Wong"}, 500, Deck("machine"), camera or Camera(), filmed.__setitem__)


def test_cards_cannot_be_taken_where_there_are_none() -> None:
    with pytest.raises(CardsLost):
        Deck("machine").move_top("tray", "seat 1")


def test_chips_cannot_be_given_that_are_not_there() -> None:
    chips = Chips({"a": 10})
    chips.move(4, "a", "b")
    with pytest.raises(ChipsLost):
        chips.move(7, "a", "b")
    with pytest.raises(ChipsLost):
        chips.move(-1, "a", "b")


@pytest.mark.parametrize(("line", "expected"), [("As Ks", "2 cards"), ("As Xs", "not a card"), ("As " * 52, "missing")])
def test_a_bad_stack_file_is_named_with_its_line(tmp_path: Path, line: str, expected: str) -> None:
    stacked = tmp_path / "stack.txt"
    stacked.write_text(f"\n{line}\n")
    with pytest.raises(ValueError, match=rf"stack\.txt:2: .*{expected}"):
        read_stack(stacked, card_material())


@pytest.mark.parametrize(
    ("hand", "plays"),
    [
        ("Qs 6d 4c", True), ("Qs 6d 3c", False), ("Qs 5d 4c", False), ("Qs 7d 2c", True), ("Kd 3s 2c", True),
        ("Jh Td 8c", False), ("2c 2d 3h", True), ("2c 9c 7c", True), ("3d 2c Ah", True), ("Jh Td 9c", True),
    ],
)  # fmt: skip
def test_advice_is_queen_six_four(hand: str, plays: bool) -> None:
    assert is_q64_or_better([card_from_text(card) for card in hand.split()]) is plays


def test_players_bet_within_limits_and_every_kind_of_bet_occurs() -> None:
    players = Players(9, 6, 10000, 50000, ["six_card_bonus", "jackpot"], 0.6)
    rounds = [players.bets() for _ in range(2000)]
    kinds = set()
    for bets in rounds:
        assert any("ante" in bet.wagers or "pair_plus" in bet.wagers for bet in bets.values())
        for bet in bets.values():
            assert all(10000 <= amount <= 50000 for amount in bet.wagers.values())
            kinds.add((*bet.wagers, "chip") if bet.chip else tuple(bet.wagers))
    assert {(), ("chip",), ("ante",), ("pair_plus", "chip"), ("ante", "pair_plus", "six_card_bonus", "chip")} <= kinds
    assert all(set(kind) & {"ante", "pair_plus"} for kind in kinds if "six_card_bonus" in kind)


def test_no_additional_bets_where_the_house_offers_none() -> None:
    players = Players(9, 5, 100, 1000, [], 1.0)
    for _ in range(300):
        assert all(not bet.chip and "six_card_bonus" not in bet.wagers for bet in players.bets().values())


def test_a_chip_without_a_basic_bet_goes_back_and_the_others_into_the_box() -> None:
    levels: dict[int, bool] = {}
    felt = table(levels=levels)
    felt.begin_round("shoe")
    felt.place_wager(1, "pair_plus", 10000)
    felt.place_chip(1)
    felt.place_chip(2)
    assert levels == {1: True, 2: True}
    before = felt.chips.balance("Inês")
    felt.sweep_slots({1})
    assert levels == {1: False, 2: False}
    assert felt.chips.balance("jackpot box") == 500
    assert felt.chips.balance("Inês") == before + 500


def test_a_chip_the_station_does_not_count_goes_back_whatever_is_beside_it() -> None:
    felt = table()
    felt.begin_round("shuffler")
    felt.place_wager(1, "ante", 10000)
    felt.place_chip(1)
    before = felt.chips.balance("Chan")
    felt.sweep_slots(set())
    assert (felt.chips.balance("jackpot box"), felt.chips.balance("Chan")) == (0, before + 500)
    assert not felt.seats[1].survives_fold


def test_a_carried_chip_stays_in_the_box_and_a_second_one_beside_it_goes_back(tmp_path: Path) -> None:
    camera = Camera(tmp_path / "camera.jsonl")
    felt = table(camera)
    for seat in (1, 2):
        felt.place_chip(seat)
    felt.sweep_slots({1, 2})
    for seat in (1, 2):
        felt.carry_chip(seat)
    felt.begin_round("shuffler")
    felt.place_chip(1)
    felt.sweep_slots({1})
    assert felt.chips.balance("jackpot box") == 500
    assert felt.seats[1].chip_swept and not felt.seats[2].chip_swept
    assert not felt.carried
    camera.close()
    assert '{"round": 1, "event": "chip_back", "seat": 2}' in (tmp_path / "camera.jsonl").read_text().splitlines()


def test_a_deck_may_miss_a_card_and_is_repaired() -> None:
    deck = Deck("machine")
    deck.move_top("machine", "seat 1", 3)
    lost = deck.lose_one()
    assert deck.faulty and deck.count("machine") == 48
    assert lost not in deck.at("machine")
    order = Orders(1).next()
    deck.arrange("machine", order)
    assert deck.at("machine") == [card for card in order if card != lost and card not in deck.at("seat 1")]
    deck.places["machine"].pop()
    with pytest.raises(CardsLost):
        deck.check()
    deck = Deck("machine")
    assert deck.lose_one(card_from_text("As")) == card_from_text("As")
    deck.repair()
    assert not deck.faulty and deck.count("machine") == 52


def test_a_fold_is_taken_up_only_when_no_other_bet_lives() -> None:
    felt = table()
    felt.begin_round("shoe")
    for seat in (1, 2):
        felt.place_wager(seat, "ante", 10000)
    felt.place_chip(2)
    felt.sweep_slots({2})
    for seat in (1, 2):
        for _ in range(3):
            felt.place_card("machine", f"seat {seat}")
        felt.decide(seat, "fold")
    assert felt.deck.count("seat 1") == 0
    assert felt.deck.count("discard") == felt.deck.count("seat 2") == 3


def test_the_camera_writes_line_by_line_what_happened(tmp_path: Path) -> None:
    camera = Camera(tmp_path / "camera.jsonl")
    felt = table(camera)
    felt.begin_round("shoe")
    felt.place_wager(1, "ante", 10000)
    card = felt.place_card("machine", "seat 1")
    felt.decide(1, "play")
    felt.turn("seat 1")
    felt.turn("seat 1")
    felt.collect(1, "play")
    felt.hand_back(1, "ante")
    felt.pay(1, "ante", 10000)
    lines = [json.loads(line) for line in (tmp_path / "camera.jsonl").read_text().splitlines()]
    assert lines == [
        {"round": 1, "event": "round_begin", "source": "shoe"},
        {"round": 1, "event": "wager", "seat": 1, "player": "Chan", "wager": "ante", "amount": 10000},
        {"round": 1, "event": "card", "to": "seat 1", "card": str(card), "face": "down"},
        {"round": 1, "event": "decision", "seat": 1, "hand": 1, "decision": "play"},
        {"round": 1, "event": "turned", "to": "seat 1", "cards": str(card)},
        {"round": 1, "event": "pay", "seat": 1, "wager": "ante", "amount": 10000},
    ]
    camera.close()


def test_several_players_bet_in_one_box_and_each_is_paid_and_collected_from_alone() -> None:
    felt = table()
    felt.begin_round("shoe")
    before = felt.chips.balance("Inês")
    felt.place_wager(1, "low", 100, "Inês")
    felt.place_wager(1, "low", 300, "Lam da Silva")
    felt.place_wager(1, "high", 500, "Inês")
    assert felt.seats[1].wagers == {"low": 400, "high": 500}
    rack = felt.chips.balance("rack")
    assert felt.collect(1, "low", "Lam da Silva") == 300
    assert felt.hand_back(1, "low", "Inês") == 100
    felt.pay(1, "low", 100, "Inês")
    assert felt.chips.balance("rack") == rack + 300 - 100
    assert felt.clear_felt() == ["felt 1 high Inês"]
    assert felt.chips.balance("Inês") == before + 100


def test_what_is_left_on_the_felt_goes_back_to_who_placed_it() -> None:
    felt = table()
    felt.begin_round("shoe")
    felt.place_wager(2, "eight", 100, "Lam da Silva")
    felt.place_wager(3, "ante", 200)
    sitting = felt.chips.balance("Wong")
    felt.clear_felt()
    assert felt.chips.balance("Lam da Silva") == 500_000_000
    assert felt.chips.balance("Wong") == sitting + 200


def test_the_camera_names_who_is_paid_where_a_box_is_open_to_all(tmp_path: Path) -> None:
    camera = Camera(tmp_path / "camera.jsonl")
    felt = table(camera)
    felt.place_wager(1, "low", 100, "Lam")
    felt.pay(1, "low", 100, "Lam")
    assert [json.loads(line) for line in (tmp_path / "camera.jsonl").read_text().splitlines()] == [
        {"round": 0, "event": "wager", "seat": 1, "player": "Lam", "wager": "low", "amount": 100},
        {"round": 0, "event": "pay", "seat": 1, "player": "Lam", "wager": "low", "amount": 100},
    ]
    camera.close()


def test_a_card_set_aside_or_elsewhere_is_filmed_and_not_lost(tmp_path: Path) -> None:
    camera = Camera(tmp_path / "camera.jsonl")
    felt = table(camera)
    first, second = felt.place_card("machine", "bank"), felt.place_card("machine", "seat 3")
    felt.set_aside(first, "bank")
    felt.move_card(second, "seat 3", "seat 2")
    assert felt.deck.at(ASIDE) == [first] and felt.deck.at("seat 2") == [second]
    assert felt.dealt_cards == 2
    lines = [json.loads(line) for line in (tmp_path / "camera.jsonl").read_text().splitlines()]
    assert lines[2:] == [
        {"round": 0, "event": "set_aside", "from": "bank", "card": str(first)},
        {"round": 0, "event": "moved", "from": "seat 3", "to": "seat 2", "card": str(second)},
    ]
    camera.close()


def test_three_to_nine_players_bet_at_spaces_each_in_a_box_once() -> None:
    amounts = [100, 200, 500]
    bettors, again = Bettors(5, 7, amounts), Bettors(5, 7, amounts)
    rounds = [bettors.bets() for _ in range(1000)]
    assert rounds == [again.bets() for _ in range(1000)]
    assert {len({bet.player for bet in bets}) for bets in rounds} == set(range(3, 10))
    for bets in rounds:
        assert len({(bet.seat, bet.wager, bet.player) for bet in bets}) == len(bets)
        assert {bet.amount for bet in bets} <= set(amounts)
    all_bets = [bet for bets in rounds for bet in bets]
    assert {bet.wager for bet in all_bets} == {"low", "eight", "high"}
    assert {bet.seat for bet in all_bets} == set(range(1, 8))
    shared = Counter((at, bet.seat, bet.wager) for at, bets in enumerate(rounds) for bet in bets)
    spaces = [len({bet.seat for bet in bets}) for bets in rounds]
    players_at = [len({(bet.player, bet.seat) for bet in bets}) for bets in rounds]
    assert max(shared.values()) > 3, "several at a box"
    assert min(spaces) < 3 and max(spaces) == 7, "spaces without bets, and rounds without one"
    assert max(players_at) > 9, "several spaces a player"
