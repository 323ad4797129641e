"""The felt of Taiwan-Pai Kao: every unit of money behind the bank comes from someone and goes to someone."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from simulators.felt.camera import Camera
from simulators.felt.chips import RACK, ChipsLost
from simulators.felt.deck import TILES, Pieces
from simulators.felt.table import BANKROLL_OF_PLAYER
from simulators.felt.tile_table import BANK_PILE, BEHIND, COMMISSIONS, STACK, USED, TileTable
from simulators.felt.tiles import TILE_SET, ways

NAMES = {1: "Ana", 2: "Bo", 3: "Cai", 4: "Dan"}


@pytest.fixture
def felt(tmp_path: Path) -> Iterator[TileTable]:
    camera = Camera(tmp_path / "film")
    table = TileTable(NAMES, Pieces(STACK, TILES), camera)
    table.begin_round("shoe")
    table.wash(list(TILE_SET))
    table.set_number(4)
    yield table
    camera.close()


def film(tmp_path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (tmp_path / "film").read_text().splitlines()]


def won(felt: TileTable, player: str) -> int:
    return felt.chips.balance(player) - BANKROLL_OF_PLAYER


def test_a_round_is_paid_from_what_is_behind_the_bank(felt: TileTable, tmp_path: Path) -> None:
    rack = felt.chips.balance(RACK)
    felt.take_bank(2, capital=10000, casino=3000, agreed=())
    felt.place_wager(1, "place", 8000, "Ana")
    felt.place_wager(3, "place", 9000, "Cai")
    felt.place_wager(4, "place", 5001, "Vera")
    felt.place_wager(2, "place", 2000, "Rosa")
    felt.begin_settling()
    assert felt.chips.balance(BEHIND) == 15000
    felt.settle(1, "Ana", -8000, 400)
    felt.settle(3, "Cai", 9000, 450)
    felt.settle(4, "Vera", 0, 0)
    felt.share_out([("banker", -1400), ("casino", 0), ("Rosa", 0)])
    assert [won(felt, player) for player in ("Ana", "Cai", "Bo")] == [-8000, 8550, -10000]
    assert felt.chips.balance("Vera") == felt.chips.balance("Rosa") == BANKROLL_OF_PLAYER
    assert (felt.chips.balance(BANK_PILE), felt.chips.balance(COMMISSIONS)) == (8600, 850)
    assert felt.chips.balance(RACK) == rack
    lines = [{key: line[key] for key in line if key != "round"} for line in film(tmp_path)[-7:]]
    assert lines == [
        {"event": "collect", "seat": 1, "player": "Ana", "wager": "place", "amount": 8000},
        {"event": "commission", "seat": 1, "player": "Ana", "wager": "place", "amount": 400},
        {"event": "pay", "seat": 3, "player": "Cai", "wager": "place", "amount": 9000},
        {"event": "commission", "seat": 3, "player": "Cai", "wager": "place", "amount": 450},
        {"event": "share", "of": "banker", "amount": -1400}, {"event": "share", "of": "casino", "amount": 0},
        {"event": "share", "of": "Rosa", "amount": 0},
    ]  # fmt: skip


@pytest.mark.parametrize("net", [-1, 1])
def test_a_share_that_is_not_there_or_left_over_is_a_fault_of_the_bench(felt: TileTable, net: int) -> None:
    felt.take_bank(2, capital=10000, casino=0, agreed=())
    felt.begin_settling()
    with pytest.raises(ChipsLost):
        felt.share_out([("banker", net)])


def test_a_void_round_gives_wagers_and_the_casinos_share_back_and_leaves_the_capital(felt: TileTable) -> None:
    rack = felt.chips.balance(RACK)
    felt.take_bank(2, capital=10000, casino=3000, agreed=())
    felt.place_wager(1, "place", 8000, "Ana")
    felt.place_wager(2, "place", 2000, "Cai")
    assert sorted(felt.clear_felt()) == ["felt 1 place Ana", "felt 2 place Cai"]
    assert (won(felt, "Ana"), won(felt, "Cai"), felt.chips.balance(RACK)) == (0, 0, rack)
    assert felt.chips.balance(BANK_PILE) == 10000 and felt.chips.balance(BEHIND) == 0


def test_the_capital_stays_grows_and_goes_back_with_the_bank(felt: TileTable, tmp_path: Path) -> None:
    felt.take_bank(2, capital=10000, casino=0, agreed=())
    felt.begin_round("shoe")
    assert felt.banker is None and felt.holder == 2
    felt.take_bank(2, capital=15000, casino=0, agreed=(1, 3))
    assert won(felt, "Bo") == -15000
    felt.begin_round("shoe")
    felt.take_bank(2, capital=4000, casino=0, agreed=())
    assert won(felt, "Bo") == -4000
    felt.begin_round("shoe")
    felt.pass_bank(2, absent=False)
    assert (won(felt, "Bo"), felt.chips.balance(BANK_PILE)) == (0, 0)
    felt.pass_bank(3, absent=True)
    felt.take_bank(4, capital=7000, casino=0, agreed=())
    felt.begin_round("shoe")
    felt.take_bank(1, capital=2000, casino=0, agreed=())
    assert (won(felt, "Dan"), won(felt, "Ana"), felt.chips.balance(BANK_PILE)) == (0, -2000, 2000)
    asked = [line for line in film(tmp_path) if line["event"] in ("bank_taken", "bank_passed")]
    assert [(line["place"], line.get("capital"), line.get("absent")) for line in asked] == [
        (2, 10000, None), (2, 15000, None), (2, 4000, None), (2, None, False), (3, None, True), (4, 7000, None),
        (1, 2000, None),
    ]  # fmt: skip
    assert asked[1]["agreed"] == [1, 3]


def test_places_get_tiles_in_turn_from_the_one_the_dice_name(felt: TileTable) -> None:
    felt.take_bank(3, capital=10000, casino=0, agreed=())
    felt.dice = [1, 1, 1, 1]
    assert felt.in_turn == ["seat 2", "seat 3", "seat 4", "seat 1"], "the banker counts as one (2.º b)"
    felt.dice = [1, 1, 1, 2]
    assert felt.in_turn[0] == "seat 3"
    felt.rules = ("deal_begins_beside_banker",)
    assert felt.in_turn == ["seat 4", "seat 1", "seat 2", "seat 3"], "by the other reading he is the last"


def test_tiles_are_arranged_corrected_and_set_out_when_used(felt: TileTable, tmp_path: Path) -> None:
    for place in range(1, 5):
        for _ in range(4):
            felt.place_card(STACK, f"seat {place}")
        way = ways(felt.deck.at(f"seat {place}"))[-1]
        felt.arrange(place, way)
        assert felt.turn(f"seat {place}")
    assert felt.dealt_cards == 16
    best = ways(felt.arranged[2].tiles)[0]
    felt.correct_pairs(2, best)
    assert felt.deck.at("seat 2") == list(best.tiles)
    felt.set_out_used()
    assert (felt.dealt_cards, felt.deck.count(USED), felt.deck.count(STACK)) == (0, 16, 16)
    seen = film(tmp_path)
    arranged = {line["place"]: f"{line['front']} {line['rear']}" for line in seen if line["event"] == "arranged"}
    assert arranged == {int(line["to"][5:]): line["cards"] for line in seen if line["event"] == "turned"}
    assert [line["place"] for line in seen if line["event"] == "rearranged"] == [2]
    assert len(next(line for line in seen if line["event"] == "used")["tiles"].split()) == 16


def test_a_table_set_again_between_two_rounds_takes_the_used_tiles_out_of_the_stack(felt: TileTable) -> None:
    used = felt.deck.at(STACK)[::2]
    felt.take_out_used(used)
    felt.take_out_used(used)
    assert felt.deck.at(USED) == used and felt.deck.count(STACK) == 16
    felt.deck.gather([USED], STACK)
    felt.take_out_used([])
    assert felt.deck.count(STACK) == 32


def test_a_moved_stack_has_the_same_tiles(felt: TileTable, tmp_path: Path) -> None:
    order = felt.deck.at(STACK)
    felt.move_tiles("seat 3", order[5:] + order[:5])
    assert felt.deck.at(STACK) == order[5:] + order[:5]
    moved = film(tmp_path)[-1]
    assert (moved["event"], moved["by"], moved["tiles"].split()[0]) == ("tiles_moved", "seat 3", str(order[5]))
