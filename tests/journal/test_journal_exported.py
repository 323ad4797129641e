"""`dealer-station audit export`: the lines of the settlements, and the events, as other programs read them."""

import csv
import io
import json
from pathlib import Path

import msgspec
import pytest

from controller.__main__ import main
from controller.engine.decisions.betting import PlaceWager
from controller.engine.state.applied import Event
from controller.engine.state.persons import VoidRound
from controller.rulebook.events import CardsDealt, RoundBegun, RoundSettled, WagerPlaced
from tests.engine.places import Places
from tests.engine.playing import Play
from tests.journal.keeping import played
from tests.slips.keeping_slips import configuration, keep


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
