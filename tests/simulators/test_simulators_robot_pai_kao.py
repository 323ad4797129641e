"""The robot dealer at Taiwan-Pai Kao: the bank, the stack and its order, the dice, tiles with and without a reader."""

from pathlib import Path

import pytest

from simulators.felt.tiles import ArrangedTiles, is_right, tile_from_text
from tests.simulators.table_in_memory import Item, in_memory, played

GAME = "--game taiwan-pai-kao"
SOURCES = pytest.mark.parametrize("source", ["shoe", pytest.param("hand", marks=pytest.mark.soak)])


def only(lines: list[Item], event: str) -> list[Item]:
    return [line for line in lines if line["event"] == event]


def tiles_arranged(text: str) -> ArrangedTiles:
    tiles = tuple(map(tile_from_text, text.split()))
    return ArrangedTiles(tiles[:2], tiles[2:])


def assert_dealt_by_the_dice(lines: list[Item]) -> None:
    """Four tiles to each place in turn, from the place the dice name, in the order of the stack."""
    (number,), (bank,), (dice,) = (only(lines, event) for event in ("places", "bank_taken", "dice"))
    (form,) = only(lines, "form")
    assert form["by"] == bank["place"] and lines.index(bank) < lines.index(form) < lines.index(dice)
    places = number["number"]
    first = bank["place"] + sum(dice["dice"]) - 1
    in_turn = [f"seat {(first - 1 + at) % places + 1}" for at in range(places)]
    cards = only(lines, "card")
    assert [card["to"] for card in cards] == [place for place in in_turn for _ in range(4)]
    if stacks := only(lines, "wash") + only(lines, "tiles_moved"):
        assert [card["card"] for card in cards] == stacks[-1]["tiles"].split()[: len(cards)]


def assert_pairs_corrected(lines: list[Item]) -> None:
    """What is turned is what the player placed, and the dealer places another pair behind where a
    higher one is there."""
    arranged = {line["place"]: f"{line['front']} {line['rear']}" for line in only(lines, "arranged")}
    turned = {int(line["to"][5:]): line["cards"] for line in only(lines, "turned")}
    assert turned == arranged
    assert {line["place"] for line in only(lines, "rearranged")} == {
        place for place, tiles in turned.items() if not is_right(tiles_arranged(tiles))
    }
    assert all(is_right(tiles_arranged(f"{line['front']} {line['rear']}")) for line in only(lines, "rearranged"))


@SOURCES
@in_memory
async def test_rounds_are_played_with_eight_places_and_with_four(tmp_path: Path, source: str) -> None:
    running = await played(tmp_path, f"{GAME} --rounds 10 --source {source}", (), "s" * 10)
    numbers = []
    for number in range(1, 11):
        lines = running.of_round(number)
        assert_dealt_by_the_dice(lines)
        assert_pairs_corrected(lines)
        numbers.append(only(lines, "places")[0]["number"])
        assert len(only(lines, "used")) == (numbers[-1] == 4 and bool(only(lines, "wash")))
    assert set(numbers) == {8, 4}
    assert any(only(running.of_round(number), "wash") == [] for number in range(2, 11))
    assert bool(running.accepted("tiles_dealt")) == (source == "hand")
    assert not running.complaints


@in_memory
async def test_the_bank_goes_around_and_its_money_is_placed_and_shared(tmp_path: Path) -> None:
    running = await played(tmp_path, f"{GAME} --seats 4 --rounds 12 --source hand --seed 10", (), "s" * 12)
    film = running.film
    assert len({line["place"] for line in only(film, "bank_taken")}) == 4
    assert {line["absent"] for line in only(film, "bank_passed")} == {True, False}
    assert any(line["agreed"] for line in only(film, "bank_taken"))
    assert any(line["casino"] for line in only(film, "bank_taken"))
    assert [line for line in only(film, "share") if line["of"] not in ("banker", "casino")]
    for number in range(1, 13):
        lines = running.of_round(number)
        if not only(lines, "share"):
            continue
        won, lost = (sum(line["amount"] for line in only(lines, event)) for event in ("collect", "pay"))
        paid_by_players = {(line["seat"], line["player"]) for line in only(lines, "pay")}
        commission = sum(
            line["amount"]
            for line in only(lines, "commission")
            if (line["seat"], line["player"]) not in paid_by_players
        )
        assert sum(line["amount"] for line in only(lines, "share")) == won - lost - commission
    assert {line["by"] for line in only(film, "tiles_moved")} > {"bank"}
    assert only(film, "dice_null") and len(running.accepted("dice_null")) == len(only(film, "dice_null"))


@SOURCES
@in_memory
async def test_everything_the_dealer_does_wrong_is_reported_and_corrected(tmp_path: Path, source: str) -> None:
    kinds = ["expose", "order", "number", "error_corrected", "slip_wager", "slip_dice", "miskey"]
    faults = [f"dealer:{kind}@round={at}" for at, kind in enumerate(kinds, 2)] + ["dealer:slip_seat"]
    running = await played(tmp_path, f"{GAME} --rounds 10 --source {source}", faults, "ssvvssssss")
    filmed = {line["kind"]: line["round"] for line in running.filmed("irregularity")}
    assert filmed.pop("slip_seat")
    assert filmed == {
        "exposed": 2, "order": 3, "number": 4, "error_corrected": 5, "slip_wager": 6, "slip_dice": 7, "miskey": 8,
    }  # fmt: skip
    (corrected,) = running.accepted("correct_cards")
    turned = {line["to"]: line["cards"] for line in running.filmed("turned", round=8)}
    assert corrected["cards"] == turned[corrected["to"]]
    assert len(running.accepted("exposed", "misdealt", "deal_corrected")) == 4


@in_memory
async def test_what_the_reader_does_not_report_is_keyed_in_and_nothing_is_dealt_twice(tmp_path: Path) -> None:
    faults = ["shoe:unreadable@round=1,card=3", "shoe:lost@round=2,card=5"]
    running = await played(tmp_path, f"{GAME} --places 4 --rounds 3", faults, "sss")
    assert [line["number"] for line in running.filmed("places")] == [4] * 3
    for number in range(1, 4):
        assert_dealt_by_the_dice(running.of_round(number))
    assert len(running.accepted("unreported_card")) == 1 and not running.accepted("tiles_dealt")


@in_memory
async def test_a_reader_that_stays_away_is_waited_for_once_in_a_round(tmp_path: Path) -> None:
    options = f"{GAME} --seats 4 --rounds 1"
    running = await played(tmp_path, options, ["shoe:unplug@round=1,card=6,for=30"], "s")
    assert_dealt_by_the_dice(running.of_round(1))
    assert len(running.accepted("tiles_dealt")) == 1 and len(running.accepted("unreported_card")) < 6


@in_memory
async def test_a_missing_tile_is_found_when_they_are_counted(tmp_path: Path) -> None:
    options = f"{GAME} --places 8 --rounds 3 --source hand"
    running = await played(tmp_path, options, ["deck:missing@phase=between"], "sss")
    assert [line["number"] for line in running.filmed("places")] == [8] * 3
    assert "refused (422)" in running.complaints
    assert [line["on"] for line in running.filmed("fault", kind="missing")] == [True, False]
