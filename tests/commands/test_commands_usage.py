"""The command line used wrongly: exit code 2, and the nearest of what there is."""

import argparse
import json
from pathlib import Path

import pytest

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
