"""`dealer-station audit rounds` and `audit export`: each round of a journal with its money, prizes and persons."""

import csv
import io
import json
from pathlib import Path

import msgspec
import pytest
from _pytest.capture import CaptureIO

from controller.__main__ import main
from controller.command_line.output import EXIT_CORRUPT, EXIT_TEMPORARY
from controller.engine.decisions.betting import PlaceWager
from controller.engine.decisions.corrections import AdjustRound
from controller.engine.state.applied import Event
from controller.engine.state.persons import VoidRound
from controller.queries.audited import WantedRounds, rounds
from controller.queries.following import WonPrize
from controller.rulebook.events import CardsDealt, RoundBegun, RoundSettled, WagerPlaced
from controller.rulebook.games import GAMES
from tests.engine.places import Places
from tests.engine.playing import Play
from tests.journal.keeping import played, tamper
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


# ---- `dealer-station audit export`: the lines of the settlements, and the events, as other programs read them.


def exported(play: Play, folder: Path, capsys: pytest.CaptureFixture[str], *options: str) -> str:
    config = configuration(folder)
    keep(folder / "state" / "journal.db", play)
    capsys.readouterr()
    assert main(["audit", "export", *options, "--config", str(config)]) == 0
    return capsys.readouterr().out


def test_every_line_of_every_settlement_is_a_row_of_csv(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    play = played(2)
    rows = list(csv.DictReader(io.StringIO(exported(play, tmp_path, capsys, "lines"))))
    settled = [event.settlement for event, _ in play.entries if isinstance(event, RoundSettled)]
    assert [(row["round"], row["seat"], row["wager"], row["stake"], row["net"], row["article"]) for row in rows] == [
        (str(number), seat, line.wager, str(line.stake), str(line.net), line.article)
        for number, settlement in enumerate(settled, start=1)
        for seat, own in settlement.seats.items()
        for line in own.lines
    ]
    assert {row["confirmed_by"] for row in rows} == {"ana"} and {row["currency"] for row in rows} == {"MOP"}
    assert all(row["began"] < row["confirmed"] for row in rows)


def test_every_event_is_a_line_of_json_with_the_round_it_belongs_to(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play = played(1)
    lines = [json.loads(line) for line in exported(play, tmp_path, capsys, "events", "--format", "jsonl").splitlines()]
    events = [event for event, _ in play.entries]
    assert [msgspec.convert({"type": line["type"], **line["data"]}, type=Event) for line in lines] == events
    assert [line["event"] for line in lines] == list(range(1, len(events) + 1))
    begun = [at for at, event in enumerate(events) if isinstance(event, RoundBegun)]
    assert [lines[at]["round"] for at in begun] == [1, 2]
    assert all(line["round"] == 2 for line, event in zip(lines, events, strict=True) if line["event"] > begun[1] + 1
               and isinstance(event, WagerPlaced | CardsDealt))  # fmt: skip
    later = exported(play, tmp_path / "state", capsys, "events", "--since", lines[begun[1]]["time"])
    first, *_ = csv.DictReader(io.StringIO(later))
    assert (first["event"], first["type"], json.loads(first["data"])["round"]) == (str(begun[1] + 1), "round_begun", 2)
    assert first["synchronised"] == "true"


def test_every_input_is_a_row_with_who_asked_for_it_and_in_which_role(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play = played(1)
    play.say(VoidRound, "rui", reason="fire")
    lines = [json.loads(line) for line in exported(play, tmp_path, capsys, "inputs", "--format", "jsonl").splitlines()]
    assert [line["event"] - 1 for line in lines] == list(play.inputs)
    assert sum(line["events"] for line in lines) == len(play.entries)
    placed = next(line for line in lines if line["kind"] == "wager")
    assert (placed["round"], placed["actor"], placed["people"]) == (1, "ana", {"ana": "dealer"})
    assert placed["data"] == {"seat": 1, "wager": "ante", "amount": 100, "player": None}
    dealt = [line for line in lines if line["kind"] == "cards_reported"]
    assert dealt and all(message["actor"] is None and set(message["data"]) == {"source", "order"} for message in dealt)
    assert (lines[-1]["kind"], lines[-1]["people"], lines[-1]["round"]) == ("void_round", {"rui": "supervisor"}, 2)
    later = exported(play, tmp_path / "state", capsys, "inputs", "--since", lines[-1]["time"])
    [last] = csv.DictReader(io.StringIO(later))
    assert (last["event"], last["actor"]) == (str(lines[-1]["event"]), "rui")


def test_the_bank_of_pai_kao_has_its_rows_and_the_nets_come_to_what_the_house_keeps(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = Places(seats=8)
    table.to_wagers()
    place = table.state.bank.seat % 8 + 1 if table.state.bank else 1
    table.say(PlaceWager, seat=place, wager="place", amount=500, player="Lei")
    table.lock()
    table.finish()
    lines = [json.loads(line) for line in exported(table, tmp_path, capsys, "lines", "--format", "jsonl").splitlines()]
    assert {line["wager"] for line in lines} >= {"place", "bank"}
    assert sum(line["net"] for line in lines) == -sum(line["commission"] or 0 for line in lines)
