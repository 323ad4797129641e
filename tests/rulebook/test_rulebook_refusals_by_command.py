"""What `dealer-station settle` refuses that is no round file at all; those that cannot be: tests/rounds/refused."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.__main__ import main
from tests.rounds.form import FOLDER, read_file
from tests.rounds.refused import settled

GOOD = {file.game: file.file[0].good for file in map(read_file, sorted((FOLDER / "refused").glob("*.toml")))}
NO_ROUND: dict[str, tuple[str, Callable[[str], str]]] = {
    "an empty file": ("file", lambda _: ""),
    "no JSON": ("file", lambda good: good.rstrip()[:-1]),
    "more than one value": ("file", lambda good: good * 2),
    "a list of rounds": ("file", lambda good: f"[{good}]"),
    "a number that is none": ("file", lambda good: good.replace('"game": ', '"limits": NaN, "game": ')),
    "brackets without end": ("file", lambda _: "[" * 100_000),
    "a repeated key": ('"game"', lambda good: good.replace('"game": ', '"game": 1, "game": ')),
    "another game": ("game", lambda good: json.dumps(json.loads(good) | {"game": "fortune-9"})),
    "an unknown key": ("round", lambda good: json.dumps(json.loads(good) | {"dealers": "Qd 9c 4h"})),
}


@pytest.mark.parametrize("game", GOOD)
@pytest.mark.parametrize("name", NO_ROUND)
def test_what_is_no_round_file_is_refused_in_one_line(game: str, name: str) -> None:
    who, change = NO_ROUND[name]
    code, out, err = settled(change(GOOD[game]))
    assert (code, out) == (2, "") and err.startswith(f"dealer-station: {who}: ")
    assert err.count("\n") == 1 and not err.endswith(")\n")


def test_other_bytes_than_utf_8_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "round.json"
    path.write_bytes(GOOD["fortune-8"].encode("utf-16"))
    assert main(["settle", str(path)]) == 2
    assert capsys.readouterr().err.startswith("dealer-station: file: ")


@pytest.mark.parametrize("game", GOOD)
def test_the_command_as_a_process_reads_standard_input_and_refuses_alike(game: str) -> None:
    text = json.dumps(json.loads(GOOD[game]) | {"dealers": 1})
    ran = subprocess.run(
        [sys.executable, "-m", "controller", "settle", "-"],
        input=text.encode(),
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (ran.returncode, ran.stdout.decode(), ran.stderr.decode()) == settled(text)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path in (tmp_path / "none.json", tmp_path):
        assert main(["settle", str(path)]) == 2
        printed = capsys.readouterr()
        assert (
            printed.out == "" and printed.err.startswith(f"dealer-station: {path}: ") and printed.err.count("\n") == 1
        )
