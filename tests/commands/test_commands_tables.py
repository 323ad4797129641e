"""`settle` and `rank`: a table on a terminal, JSON elsewhere and where it is asked for."""

import json
from pathlib import Path

import pytest
from _pytest.capture import CaptureIO

from controller.__main__ import main

SHARED_BOX = {
    "game": "fortune-8", "deal": "spaces_with_bets", "cards": {"1": "8d"},
    "boxes": {"1": {"low": 100, "eight": [{"player": "A", "amount": 50}, {"player": "B", "amount": 80}]}},
}  # fmt: skip
PAI_KAO = {
    "game": "taiwan-pai-kao", "places": 4, "banker": 3, "capital": 100000, "dice": [1, 2, 3, 4],
    "tiles": {"1": "6-6 5-4 3-1 2-1", "2": "1-1 5-5 6-4 5-2", "3": "4-4 6-5 3-3 6-1", "4": "2-2 5-1 6-2 4-3"},
    "wagers": {"1": [{"player": "A", "amount": 5000}]},
}  # fmt: skip
JACKPOT = {
    "game": "fortune-3-card-poker-2025",
    "seats": {"1": {"ante": 100, "jackpot": 10, "cards": "As Ks Qs", "decision": "play"}},
    "dealer": "Qd 9c 4h", "community": "Js Ts",
    "jackpot": {
        "pot": 900, "minimum": 500,
        "fixed": {"royal_flush": 5, "straight_flush": 4, "four_of_a_kind": 3, "full_house": 2, "flush": 1},
    },
}  # fmt: skip


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CaptureIO, "isatty", lambda _: True)


def settled(tmp_path: Path, round: object, capsys: pytest.CaptureFixture[str], *more: str) -> str:
    (tmp_path / "round.json").write_text(json.dumps(round))
    assert main(["settle", str(tmp_path / "round.json"), *more]) == 0
    return capsys.readouterr().out


@pytest.mark.usefixtures("terminal")
def test_a_terminal_gets_each_players_line_of_a_box_and_the_sum_last(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert settled(tmp_path, SHARED_BOX, capsys) == (
        "fortune-8: settled\n\n"
        "seat  player  wager  stake  outcome  odds    net  article\n"
        "   1          low      100  lose            -100  6.º 1\n"
        "      A       eight     50  win      11:1   +550  8.º 2\n"
        "      B       eight     80  win      11:1   +880  8.º 2\n"
        "              sum                          +1330\n"
    )


@pytest.mark.usefixtures("terminal")
def test_a_terminal_gets_both_pairs_of_a_place_and_what_the_bank_won(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = settled(tmp_path, PAI_KAO, capsys).splitlines()
    assert lines[1] == "in the order of the seats 4, 1, 2"
    assert lines[4].split() == "1 3-1 2-1 points 7 | 6-6 5-4 tin kau vong".split()
    assert lines[5].split() == "A place 5000 win 250 +4750 6.º c)".split()
    assert lines[-1].split() == ["3", "bank", "-5000"]


@pytest.mark.usefixtures("terminal")
def test_a_terminal_gets_the_prizes_of_the_pot(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = settled(tmp_path, JACKPOT, capsys).splitlines()
    assert lines[1] == "bank: high card, plays"
    assert lines[-2:] == [
        "pot: 900 before, 500 after",
        "  seat 1: royal flush, 900 (900 from the pot, 0 from the house; 16.º 3 1))",
    ]


@pytest.mark.usefixtures("terminal")
def test_a_terminal_gets_the_ranks_as_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rank", "fortune-3-card-poker-2025", "9h 9d 2c", "As Ks Qs"]) == 0
    assert capsys.readouterr().out == (
        "rank  hand      class\n"
        "   1  As Ks Qs  straight flush\n"
        " 383  9h 9d 2c  pair\n"
    )  # fmt: skip


@pytest.mark.usefixtures("terminal")
def test_json_in_a_terminal_where_it_is_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert json.loads(settled(tmp_path, SHARED_BOX, capsys, "--json"))["seats"]["1"]["net"] == 1330
    assert main(["rank", "taiwan-pai-kao", "6-6 6-6", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["rank"] == 2


def test_elsewhere_it_is_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert json.loads(settled(tmp_path, SHARED_BOX, capsys))["game"] == "fortune-8"
