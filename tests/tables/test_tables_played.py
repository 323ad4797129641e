"""Whole tables from the wires to the referee: with the second makes of devices, Pai Kao, a game from elsewhere."""

import json
import re
import threading
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from controller.engine.state.table import Table, next_step
from controller.rulebook.cards import RANKS
from controller.rulebook.taiwan_pai_kao.state import tiles_of
from tests.floor.test_floor_asyncapi import checks_of, kind_of
from tests.games import TAIWAN_PAI_KAO
from tests.station.floor_ear import check_envelopes, round_messages
from tests.station.forked import forked_run
from tests.station.journal_eye import JournalEye
from tests.station.kill_play import KillPlay, Sight
from tests.station.processes import Bench, Daemon
from tests.station.screen import Stream
from tests.station.simulated import Played, judged, simulate
from tests.station.test_station_faults import checked_against_the_referee, edges

SECOND_MAKES = ("--slots", "numato", "--sign", "betabrite")


@pytest.mark.parametrize(("source", "seats"), [("shuffler", 6), pytest.param("shoe", 7, marks=pytest.mark.soak)])
def test_a_table_with_the_second_makes_plays_as_any_other(tmp_path: Path, source: str, seats: int) -> None:
    options = ("--source", source, "--seats", str(seats), "--seed", "7")
    played = simulate(tmp_path, 8, *SECOND_MAKES, *options)
    assert not checked_against_the_referee(played)
    film = played.film()
    lit = {line["lamp"] for line in film if line["event"] == "lamp" and line["on"]}
    chips = {f"seat {line['seat']}" for line in film if line["event"] == "chip"}
    assert lit == chips | {"lock"}, "every chip is seen, and its lamp lit"
    # A sign takes its time for a text, and a busy computer too: the last one may be written after the round of it.
    assert max(line["round"] for line in film if line["event"] == "sign") > 5, "the sign was written to the end"
    for device in ("slots", "sign"):
        assert edges(played, device) == ["back"]


@pytest.mark.soak
def test_whatever_goes_wrong_with_the_second_makes_every_round_is_what_the_camera_calls_for(tmp_path: Path) -> None:
    played = simulate(tmp_path, 12, *SECOND_MAKES, "--seed", "7", "--faults", "0.8")
    checked_against_the_referee(played)
    struck = {f"{line['device']}:{line['kind']}" for line in played.film() if line["event"] == "fault"}
    assert {kind.partition(":")[0] for kind in struck} >= {"slots", "sign"}
    assert "slots:watchdog" not in struck, "the board has none"


@pytest.mark.soak
def test_each_second_make_unplugged_in_mid_round_is_lost_and_back_once_each_time(tmp_path: Path) -> None:
    # Rounds of about a second: a link is back before the lock-in after the next.
    pulled = {"slots": ("wagers", "reveal"), "sign": ("deal", "decisions")}
    rounds = {"slots": (2, 5), "sign": (4, 7)}
    options = [
        option
        for device in pulled
        for phase, number in zip(pulled[device], rounds[device], strict=True)
        for option in ("--fault", f"{device}:unplug@round={number},phase={phase},for=0.4")
    ]
    played = simulate(tmp_path, 9, *SECOND_MAKES, "--seed", "3", *options, speed="60")
    checked_against_the_referee(played)
    for device in pulled:
        # The first is the start's: the link is there.
        assert edges(played, device) == ["back", "lost", "back", "lost", "back"], device


def test_whatever_goes_wrong_at_pai_kao_every_round_is_what_the_camera_calls_for(tmp_path: Path) -> None:
    options = ("--game", TAIWAN_PAI_KAO, "--places", "mixed", "--seed", "5", "--faults", "0.6")
    played = simulate(tmp_path, 8, *options)
    checked_against_the_referee(played)
    film = played.film()
    assert sum(line["event"] in ("fault", "irregularity") and line.get("on", True) for line in film) > 4
    assert {line["number"] for line in film if line["event"] == "places"} == {4, 8}
    report = judged(played.config, played.camera, round_messages(played.messages))
    assert report.bankers and report.limited, "the bank goes around, and its capital is reached"


DICE, ARRANGE, CUT = "dice", "arrange", "a settlement cut by the capital"
STEPS = {
    DICE: re.compile(rb'"step":\{"id":"\d+/dice/'),
    ARRANGE: re.compile(rb'"step":\{"id":"\d+/arrange"'),
    CUT: re.compile(rb'"step":\{"id":"\d+/confirm".*"limited":true'),
}


def hit(table: Table) -> str | None:
    """At which of the steps a table remains."""
    step = next_step(table)
    if step.kind == "confirm" and table.round is not None:
        settled = tiles_of(table.round).settlement
        return CUT if settled is not None and settled.banker and settled.banker.limited else None
    return {"dice": DICE, "arrange": ARRANGE}.get(step.kind)


class KilledAtSteps(KillPlay):
    """Kills at each of the steps until it was hit, as the screen shows it and the journal says afterwards."""

    killed_again = 0.0

    def _note(self, eye: JournalEye) -> None:
        eye.look()
        self.account.hit[hit(eye.table) or "elsewhere"] += 1

    def _killed(self, bench: Bench, daemon: Daemon, sight: Sight) -> bool:
        """Kill the daemon as soon as the screen shows a step that is missing; false when the play was over first."""
        steps = [step for step in STEPS if not self.account.hit[step]]
        if not steps:
            time.sleep(0.005)
            return False
        killed = threading.Event()

        def seen(projection: bytes) -> None:
            if not killed.is_set() and any(STEPS[step].search(projection) for step in steps):
                daemon.kill()
                killed.set()

        stream = Stream(daemon.address, seen)
        try:
            while not killed.wait(0.05):
                if bench.finished.is_set() or bench.failed:
                    return False
        finally:
            stream.close()
        return True


@pytest.mark.soak
def test_a_daemon_killed_at_a_pai_kao_table_loses_and_doubles_nothing(tmp_path: Path) -> None:
    play = KilledAtSteps(tmp_path, 20, 3, 0, 3, "--game", "taiwan-pai-kao", "--places", "mixed")
    account = play.run(seconds=200)
    assert all(account.hit[step] for step in STEPS), account.hit


STATION = "tests.high_card.station"
ROUNDS = 6


def high_card(folder: Path, *options: str) -> Played:
    return simulate(folder, ROUNDS, "--game", "high-card", *options, program=STATION)


def answered(*arguments: str) -> str:
    code, output, complaints = forked_run(STATION, *arguments, seconds=60)
    assert code == 0, complaints
    return output


def expected(film: list[dict[str, Any]]) -> dict[int, dict[str, int]]:
    """What each seat wins by what the camera saw: the higher card takes the stake of the other."""
    stakes: dict[int, dict[int, int]] = defaultdict(dict)
    cards: dict[int, dict[str, int]] = defaultdict(dict)
    for line in film:
        if line["event"] == "wager":
            stakes[line["round"]][line["seat"]] = line["amount"]
        if line["event"] == "turned":
            cards[line["round"]][line["to"]] = RANKS.index(line["cards"][0])

    def net(number: int, seat: int) -> int:
        ahead = cards[number][f"seat {seat}"] - cards[number]["bank"]
        return stakes[number][seat] * ((ahead > 0) - (ahead < 0))

    return {number: {str(seat): net(number, seat) for seat in sorted(seats)} for number, seats in stakes.items()}


def published(rounds: list[dict[str, Any]]) -> dict[int, dict[str, int]]:
    """What each seat wins by the messages of the rounds."""
    return {round["round"]: {str(seat["seat"]): seat["net"] for seat in round["seats"]} for round in rounds}


def test_a_game_from_elsewhere_is_played_settled_published_and_decided_again(tmp_path: Path) -> None:
    played = high_card(tmp_path, "--seed", "7")
    assert played.tally["settled"] == ROUNDS and played.tally["last_sequence"] == played.tally["acknowledged"]
    rounds = round_messages(played.messages)
    nets = published(rounds)
    assert nets == expected(played.film())
    assert {net > 0 for by_seat in nets.values() for net in by_seat.values()} == {True, False}
    assert {round["game"] for round in rounds} == {"high-card"} and len(rounds) == ROUNDS

    assert check_envelopes(played.messages) > ROUNDS
    checks = checks_of(json.loads(answered("asyncapi")))
    for message in (json.loads(payload) for _, payload, _ in played.messages if payload):
        checks[kind_of(message)](message)
    assert json.loads(answered("audit", "replay", "--config", str(played.config)))["equal"] is True
    assert ": good" in answered("audit", "verify", "--config", str(played.config))
    listed = json.loads(answered("audit", "rounds", "--config", str(played.config)))
    assert {round["round"]: round["nets"] for round in listed} == nets
    assert "high-card: nowhere; in force" in answered("check-config", str(played.config))


@pytest.mark.soak
def test_a_game_from_elsewhere_is_played_on_whatever_goes_wrong(tmp_path: Path) -> None:
    played = high_card(tmp_path, "--seed", "5", "--faults", "0.8")
    rounds = round_messages(played.messages)
    assert len(rounds) == ROUNDS
    assert {"fault", "irregularity"} <= {line["event"] for line in played.film()}
    assert json.loads(answered("audit", "replay", "--config", str(played.config)))["equal"] is True
    voids = {round["round"] for round in rounds if round["void"]}
    right = expected([line for line in played.film() if line["round"] not in voids])
    assert right.items() <= published(rounds).items()
