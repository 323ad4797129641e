"""`audit replay --as-of` and `--rules`: what the rounds of a journal would have come to, in money."""

import json
from datetime import date
from pathlib import Path

import pytest

from controller.__main__ import main
from controller.queries.what_if import Supposed, what_if
from controller.rulebook.events import RoundSettled
from controller.rulebook.refusal import Refusal
from tests.journal.keeping import write, write_entries
from tests.journal.recorded.kept import read_journal
from tests.journal.test_journal_replay import MUTATED, keyed
from tests.journal.test_journal_two_regulations import autumn
from tests.referee.rules import poker
from tests.referee.rules.poker_law import law_by

GAME = "fortune-3-card-poker-2025"


def quiet(done: int, total: int) -> None: ...


def by_the_referee(act: str, hand: str, bank: str) -> int:
    """What seat 1 wins with an ante of 100, by code that shares nothing with the station."""
    hands = {"seat 1": hand.split(), "bank": bank.split(), "community": []}
    return poker.settle({1: {"ante": 100}}, [], 0, hands, {1: "play"}, law_by(GAME, act)).places[1].net


def test_art_7_1_what_if_the_sum_is_that_of_the_referee_and_the_rounds_are_named(tmp_path: Path) -> None:
    play, _ = autumn()
    write(tmp_path / "journal.db", play)
    hands = ["9h 9s 9d", "Kd Kh 3c", "9h 9s 9d", "9h 9s 9d", "9h 9s 9d"]
    banks = ["As 4s 2s", "Qd 7c 2h", "As 4s 2s", "As 4s 2s", "As 4s 2s"]
    acts = ["89/2025"] * 3 + ["94/2025"] * 2
    for supposed, differ in (("89/2025", [4, 5]), ("94/2025", [1, 3])):
        day = date(2025, 11, 17) if supposed == "89/2025" else date(2025, 11, 18)
        found = what_if(tmp_path / "journal.db", "simulation", Supposed(as_of=day), quiet)
        expected = [
            by_the_referee(supposed, hand, bank) - by_the_referee(act, hand, bank)
            for act, hand, bank in zip(acts, hands, banks, strict=True)
        ]
        assert found.rounds_named == {number: net for number, net in enumerate(expected, 1) if net}
        assert [*found.rounds_named] == differ and found.net_difference == sum(expected)
        assert sum(one.net_difference for one in found.changed) == found.net_difference != 0
        assert {one.wager for one in found.changed} == {"ante", "play"} and found.rounds == 5


@pytest.mark.parametrize("game", MUTATED)
def test_nothing_supposed_is_no_difference(game: str, tmp_path: Path) -> None:
    entries = read_journal(game).entries
    write_entries(tmp_path / "journal.db", entries)
    found = what_if(tmp_path / "journal.db", "simulation", Supposed(), quiet)
    assert found.rounds and found.rounds_named == {} and found.changed == ()
    assert any(isinstance(one.event, RoundSettled) for one in entries) or game == "taiwan-pai-kao"


def test_a_key_that_the_game_does_not_have_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "journal.db", autumn()[0])
    with pytest.raises(Refusal, match="none_of"):
        what_if(tmp_path / "journal.db", "simulation", Supposed(rules={"deal_begins_beside_banker": True}), quiet)


def test_the_command_prints_table_plot_and_speed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    config = keyed(tmp_path)
    write(tmp_path / "state" / "journal.db", autumn()[0])
    asked = ["audit", "replay", "--config", str(config), "--as-of", "2025-11-18"]
    assert main(asked) == 0
    assert json.loads(capsys.readouterr().out)["net_difference"] == 800
    monkeypatch.setattr("controller.commands.audit.wants_json", lambda _: False)
    assert main(asked) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-2] == "rounds that differ: 1, 3" and "rounds a second" in lines[-1]
    assert any("█" in line and "13.º 3)" in line for line in lines)
