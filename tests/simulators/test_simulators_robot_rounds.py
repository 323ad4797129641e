"""The robot dealer at every game, against a real station in memory: whole, killed, cut off, and with PINs."""

import asyncio
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from simulators.dealer.http_face import StationAnswer, StationFace
from tests.simulators.table_in_memory import Fault, Item, bench, in_memory, in_soak, played

TABLES = (
    "fortune-3-card-poker-2025 shuffler", "fortune-3-card-poker-2025 shoe", "fortune-3-card-poker-2008 shuffler",
    "fortune-3-card-poker-2008 shoe", "fortune-8 shuffler", "fortune-8 shoe", "blackjack-21 shuffler",
    "blackjack-21 shoe", "taiwan-pai-kao shoe", "taiwan-pai-kao hand",
)  # fmt: skip
# Of Taiwan-Pai Kao the robot dealer places on the felt what it has entered itself: no other program may do it first.
BY_HAND = ("announce", "take_bank", "pass_bank", "announce_form", "reveal")
FAULTS: tuple[Fault, ...] = ("request lost", "answer lost", "late", "refused", "overtaken")


def with_source(first: int) -> pytest.MarkDecorator:
    """At each kind of play's table with its first source, or its second; at the others in the soak."""
    chosen = [table for table in TABLES[first::2] if "2008" not in table]
    return pytest.mark.parametrize("table", [*chosen, *(in_soak(table) for table in TABLES if table not in chosen)])


def rounds_of(table: str) -> int:
    """Enough of them to be cut off often."""
    return 8 if "fortune-8" in table else 5 if "hand" in table else 4


def options_of(table: str, rounds: int, more: str = "") -> str:
    game, source = table.split()
    return f"--game {game} --source {source} --rounds {rounds} {more}"


@with_source(0)
@in_memory
async def test_rounds_are_played_paid_and_filmed(table: str, tmp_path: Path) -> None:
    async with bench(tmp_path, options_of(table, 2, "--seed 6")) as running:
        assert await running.to_the_end() == ["settled"] * 2
        running.judge()
        assert not running.complaints and not running.filmed("irregularity") and running.filmed("table_closed")
        assert "hand" in table or (tmp_path / "shoe").is_symlink(), "the devices stay up"


@with_source(1)
@in_memory
async def test_a_station_killed_at_any_moment_costs_no_round_no_card_and_no_chip(table: str, tmp_path: Path) -> None:
    rounds = rounds_of(table)
    async with bench(tmp_path, options_of(table, rounds, "--seed 5")) as running:
        assert await running.killed_until_the_end(random.Random(20)) == ["settled"] * rounds
        running.judge(away=True)


@pytest.mark.parametrize("table", [TABLES[0], TABLES[8], *map(in_soak, (*TABLES[1:8], TABLES[9]))])
@in_memory
async def test_an_answer_lost_late_refused_or_overtaken_costs_no_round_no_card_and_no_chip(
    table: str, tmp_path: Path
) -> None:
    chance = random.Random(20)

    def fault_of(items: list[Item]) -> Fault | None:
        if items[0]["kind"] == "complaint":  # answers no step: entered again under another id it would be a second one
            return None if running.accepted("complaint") else "answer lost"
        fault = chance.choice(FAULTS) if chance.random() < 0.2 else None
        often = fault == "late" and running.station.struck["late"] > 1  # each takes long, even in made-up time
        return None if often or (fault == "overtaken" and "kao" in table and items[0]["kind"] in BY_HAND) else fault

    rounds = rounds_of(table)
    async with bench(tmp_path, options_of(table, rounds, "--seed 5"), ["dealer:complaint@round=2"]) as running:
        running.station.fault_of = fault_of
        assert await running.to_the_end() == ["settled"] * rounds
        running.judge()
        assert all(running.station.struck[fault] for fault in FAULTS)
        assert len(running.accepted("complaint")) == 1


@pytest.mark.parametrize("table", [TABLES[0], TABLES[9], *map(in_soak, TABLES[3:9:2])])
@in_memory
async def test_the_same_seed_plays_the_same_cards_bets_and_answers_whatever_the_devices_do(
    table: str, tmp_path: Path
) -> None:
    films = []
    faults = ["shuffler:bytewise@for=9", "shoe:bytewise@for=9"] if "kao" not in table else []
    for name, wished in (("sound", []), ("faulty", faults)):
        running = await played(tmp_path / name, options_of(table, 2, "--seed 77"), wished, "ss")
        films.append([line for line in running.film if line["event"] not in ("lamp", "fault", "sign")])
    assert films[0] == films[1]


PINS = {"ana": "274951", "josé": "862043"}
HIT = [{"input_id": "1", "kind": "confirm_hit", "actor": "ana"}]
Fields = dict[str, str]


class Station:
    """Answers each request with the next of these, and keeps what was asked."""

    def __init__(self, *answers: tuple[int, dict[str, Any]]) -> None:
        self._answers = iter(answers)
        self.asked: list[tuple[str, Fields, Any]] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        fields = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:] if line)}
        body = json.loads(await reader.readexactly(int(fields["content-length"])))
        self.asked.append((head[0].split()[1], fields, body))
        status, answer = next(self._answers)
        text = json.dumps(answer).encode()
        cookie = "set-cookie: c=1; HttpOnly\r\n" if "key" in answer else ""
        writer.write(
            f"HTTP/1.1 {status} x\r\n{cookie}connection: close\r\ncontent-length: {len(text)}\r\n\r\n".encode() + text
        )
        writer.close()


def posted(station: Station, pins: Callable[[], dict[str, str]] | None = lambda: PINS) -> StationAnswer:
    """What a post of the robot's comes to there."""

    async def post() -> StationAnswer:
        async with await asyncio.start_server(station.serve, "127.0.0.1", 0) as server:
            face = StationFace("127.0.0.1", server.sockets[0].getsockname()[1], lambda: None, pins)
            answer = await face.post(HIT)
            face.close()
            return answer

    return asyncio.run(post())


LET_IN: tuple[int, dict[str, Any]] = (200, {"persons": [], "key": "k", "screen": "s.t"})
TAKEN: tuple[int, dict[str, Any]] = (200, {"answers": []})


def wanted(error: str, who: str, status: int = 403) -> tuple[int, dict[str, Any]]:
    return status, {"error": error, "who": who}


def test_it_logs_in_and_signs_with_the_pins_it_is_asked_for() -> None:
    station = Station(wanted("log_in", "ana", 401), LET_IN, wanted("pin", "ana"), wanted("pin", "josé"), TAKEN)
    assert posted(station).accepted
    assert [path for path, _, _ in station.asked] == ["/inputs", "/session", "/inputs", "/inputs", "/inputs"]
    given = [fields.get("dealer-station-pin") for _, fields, _ in station.asked]
    assert given == [None, None, None, "ana=274951", "ana=274951,jos%C3%A9=862043"]
    for path, fields, body in station.asked[2:]:
        shown = [fields.get(name) for name in ("cookie", "dealer-station-key", "dealer-station-screen")]
        assert (path, shown, body) == ("/inputs", ["c=1", "k", "s.t"], HIT)


def test_what_is_asked_again_or_of_a_person_it_has_no_pin_of_is_its_answer() -> None:
    again = Station(wanted("pin", "ana"), wanted("pin", "ana"))
    assert posted(again).body == {"error": "pin", "who": "ana"} and len(again.asked) == 2
    assert "has no PIN" in posted(Station(wanted("pin", "rui"))).body["reason"]
    assert posted(Station(wanted("pin", "ana")), None).body["error"] == "pin"
    assert posted(Station(wanted("pin", "ana"), wanted("wrong_pin", "ana"))).body["error"] == "wrong_pin"
