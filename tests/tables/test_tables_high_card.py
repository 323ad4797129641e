"""A game that the tests bring along is played on a whole simulated table: no shared module knows it."""

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from controller.rulebook.cards import RANKS
from tests.floor.test_floor_asyncapi import checks_of, kind_of
from tests.station.floor_ear import check_envelopes, round_messages
from tests.station.forked import forked_run
from tests.station.simulated import Played, simulate

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
