"""The command line used wrongly, with the nearest of what there is; tables on a terminal, and JSON elsewhere."""

import argparse
import json
from pathlib import Path

import pytest
from _pytest.capture import CaptureIO

from controller.__main__ import COMMANDS, main
from controller.commands import simulate
from controller.pit.__main__ import CONFIGURED
from controller.pit.__main__ import main as pit_main


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What is reported of a wrong use, whose exit code is 2."""
    try:
        code: object = main(arguments)
    except SystemExit as ended:
        code = ended.code
    assert code == 2
    return capsys.readouterr().err


def test_alone_it_prints_its_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    output = capsys.readouterr().out
    assert all(f"\n    {name}" in output for name in COMMANDS)


def test_the_pit_alone_prints_its_commands(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        pit_main([])
    printed = capsys.readouterr()
    assert ended.value.code == 0 and not printed.err
    assert all(f"\n    {name} " in printed.out for name in CONFIGURED)


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (["simulat"], "simulate"), (["simulate", "--game", "fortune-9"], "fortune-8"),
        (["simulate", "--sede", "7"], "--seed"), (["audit", "verfy"], "verify"),
        (["certify", "blackjak-21"], "blackjack-21"), (["rank", "taiwan-pai-gow", "6-6 6-6"], "taiwan-pai-kao"),
    ],
)  # fmt: skip
def test_what_is_mistyped_gets_the_nearest(
    arguments: list[str], meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert refused(capsys, *arguments).endswith(f"; did you mean {meant}?\n")


def test_an_option_before_its_command_is_reported_as_one_of_no_command(capsys: pytest.CaptureFixture[str]) -> None:
    complaint = refused(capsys, "--json", "settle", "round.json")
    assert "unrecognized arguments: --json" in complaint and "round.json" not in complaint


def test_what_is_like_nothing_gets_no_advice(capsys: pytest.CaptureFixture[str]) -> None:
    assert "did you mean" not in refused(capsys, "xyzzy")


def test_an_unknown_option_is_reported_with_the_usage_of_its_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert refused(capsys, "devices", "--jsn").startswith("usage: dealer-station devices ")


def test_a_mistyped_file_gets_the_nearest_of_its_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "round.json").write_text(json.dumps({}))
    meant = f"; did you mean {tmp_path}/round.json?"
    assert meant in refused(capsys, "settle", str(tmp_path / "rond.json"))
    assert meant in refused(capsys, "certify", "--paytable", str(tmp_path / "rnd.json"))
    assert main(["check-config", str(tmp_path / "roundjson")]) == 78
    assert meant in capsys.readouterr().err
    assert "did you mean" not in refused(capsys, "settle", str(tmp_path)), "it is there"
    (tmp_path / "rounds.jso").mkdir()
    assert meant in refused(capsys, "settle", str(tmp_path / "rounds.js")), "a folder is no file"
    assert "did you mean" not in refused(capsys, "settle", str(tmp_path / "elsewhere")), "its folder is no likeness"
    assert "did you mean" not in refused(capsys, "settle", str(tmp_path / "away" / "round.json"))


def test_what_the_simulators_refuse_is_wrong_usage_too(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "--fault", "shufler:jam"]) == 2
    complaint = capfd.readouterr().err
    assert complaint.count("\n") == 1 and complaint.endswith("; did you mean shuffler:jam?\n")


def test_who_sits_down_gets_other_cards_each_time_and_the_robots_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    handed_on: list[tuple[str, ...]] = []

    class Unplayed:
        code = 0

        def __init__(self, options: argparse.Namespace) -> None:
            handed_on.append(options.bench)

        async def run(self) -> None: ...

    monkeypatch.setattr(simulate, "_Simulation", Unplayed)
    for options in (["--play"], ["--play"], ["--play", "--seed", "5"], []):
        assert main(["simulate", *options]) == 0
    first, second, given, robots = handed_on
    assert first[-2] == second[-2] == "--seed" and first[-1] != second[-1]
    assert "--seed" in given and given[given.index("--seed") + 1] == "5"
    assert "--seed" not in robots


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
