"""`dealer-station audit rounds`: each round of a journal with its money, prizes and persons, by whatever is asked."""

import json
from pathlib import Path

import pytest
from _pytest.capture import CaptureIO

from controller.__main__ import main
from controller.command_line.exit_codes import EXIT_CORRUPT, EXIT_TEMPORARY
from controller.engine.decisions.corrections import AdjustRound
from controller.queries.audited import WantedRounds, rounds
from controller.queries.following import WonPrize
from controller.rulebook.games import GAMES
from tests.engine.playing import Play
from tests.journal.keeping import tamper
from tests.journal.recorded.kept import read_journal
from tests.slips.keeping_slips import configuration, keep, paid, time_of

pytestmark = pytest.mark.long


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """Round 1 with two prizes, paid; round 2 at seat 3, adjusted by two persons once round 3 had begun."""
    configuration(tmp_path)
    play = paid(1, 2)
    for seat in (3, 4):
        play.to_wagers().bet(seat, ante=100)
        play.lock()
        play.finish()
    play.say(AdjustRound, "rui", round=2, seat=3, amount=-5, reason="paid twice", second="sol")
    play.to_wagers()
    keep(tmp_path / "state" / "journal.db", play)
    return tmp_path / "state" / "journal.db"


def audited(journal: Path, capsys: pytest.CaptureFixture[str], *options: str) -> str:
    assert main(["audit", "rounds", "--config", str(journal.parents[1] / "station.toml"), *options]) == 0
    return capsys.readouterr().out


def numbers(journal: Path, capsys: pytest.CaptureFixture[str], *options: str) -> list[int]:
    return [round["round"] for round in json.loads(audited(journal, capsys, *options))]


def test_every_round_has_its_times_seats_money_prizes_and_persons(journal: Path) -> None:
    progress: list[tuple[int, int]] = []
    first, second, _, last = rounds(
        journal, "simulation", WantedRounds(), lambda done, total: progress.append((done, total))
    )
    assert first.prizes == (
        WonPrize(1, 2, None, "straight_flush", 60_070),
        WonPrize(2, 1, None, "royal_flush", 540_630),
    )
    assert first.persons == ("ana", "rui") and first.seats == (1, 2)
    assert first.began == time_of(first.events[0]) and first.began < (first.confirmed or "")
    assert (second.seats, second.adjusted, second.persons) == ((3,), -5, ("ana", "rui", "sol"))
    assert second.staked == 300 and second.hold is not None and second.article is None
    assert (last.confirmed, last.staked, last.seats) == (None, None, ())
    assert progress[-1][0] == progress[-1][1] > last.events[0] > first.events[1]


def test_rounds_are_found_by_time_seat_prize_and_person(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert numbers(journal, capsys) == [1, 2, 3, 4]
    assert numbers(journal, capsys, "--seat", "3") == [2]
    assert numbers(journal, capsys, "--prize") == [1]
    assert numbers(journal, capsys, "--person", "sol") == [2]
    began = json.loads(audited(journal, capsys))[1]["began"]
    assert numbers(journal, capsys, "--since", began) == [2, 3, 4]
    assert numbers(journal, capsys, "--until", began.replace("Z", "+00:00")) == [1]
    with pytest.raises(SystemExit):
        audited(journal, capsys, "--since", "yesterday")
    assert "'yesterday' is not a time" in capsys.readouterr().err


def test_a_terminal_gets_a_table(
    journal: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CaptureIO, "isatty", lambda _: True)
    head, first, second, _, last = audited(journal, capsys).splitlines()
    assert head.split() == "round began (UTC) seats staked hold prizes noted persons".split(), "nothing is void"
    assert "-6,011.00  straight_flush 600.70 at 2, royal_flush 5,406.30 at 1" in first
    assert second.split()[-5:] == ["adjusted", "-0.05", "ana,", "rui,", "sol"]
    assert "not confirmed" in last
    assert audited(journal, capsys, "--seat", "6") == "no such round\n"


@pytest.mark.parametrize("game", GAMES)
def test_the_rounds_of_every_game_are_read(game: str, tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    path.write_bytes(read_journal(game).journal)
    found = rounds(path, "simulation", WantedRounds(), lambda done, total: None)
    assert [round.round for round in found] == list(range(1, 9)) and {round.game for round in found} == {game}
    assert [round.confirmed is None for round in found] == [False] * 7 + [True]
    assert path.read_bytes() == read_journal(game).journal


def test_an_event_that_was_changed_is_named(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tamper(journal, ("UPDATE events SET time = replace(time, '2026', '2025') WHERE id = 9", ()))
    config = str(journal.parents[1] / "station.toml")
    assert main(["audit", "rounds", "--config", config]) == EXIT_CORRUPT
    assert "event 9 is not as it was written" in capsys.readouterr().err


def test_a_void_round_says_by_what(tmp_path: Path) -> None:
    play = Play().to_wagers().bet(1, ante=100)
    play.lock()
    play.misdealt("order")
    play.finish()
    keep(tmp_path / "journal.db", play)
    [void] = rounds(tmp_path / "journal.db", "simulation", WantedRounds(), lambda done, total: None)
    assert (void.article, void.staked, void.seats) == ("17.º 1 1)", 0, (1,))


def test_a_journal_that_is_not_there_is_reported_as_missing(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    journal.unlink()
    config = str(journal.parents[1] / "station.toml")
    for words in (["audit", "verify"], ["audit", "rounds"], ["slip"], ["register"], ["entries"]):
        assert main([*words, "--config", config]) == EXIT_TEMPORARY
        progress = capsys.readouterr().err
        assert progress.startswith(f"dealer-station: {journal}: No such file or directory. Nothing was changed. ")
        assert not journal.exists()
