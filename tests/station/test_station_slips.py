"""A jackpot hit paid over HTTP: one slip, whatever is repeated and whenever the daemon is killed."""

import json
from pathlib import Path
from typing import Any

import pytest

from controller.__main__ import main
from tests.journal.keeping import KEY
from tests.slips.keeping_slips import keep, won
from tests.station.journal_eye import event_bodies
from tests.station.processes import Daemon
from tests.station.screen import post, request


def slip(daemon: Daemon, number: int) -> tuple[int, dict[str, Any]]:
    status, body = request(daemon.address, "GET", f"/slips/{number}")
    return status, json.loads(body)


def confirms(actor: str, hit: int, input_id: str) -> dict[str, Any]:
    return {"input_id": input_id, "step_id": f"hit/{hit}", "actor": actor, "kind": "confirm_hit", "hit": hit}


def test_a_hit_is_paid_once_with_one_slip_though_the_daemon_is_killed_and_everything_repeated(
    lone: Daemon, capfd: pytest.CaptureFixture[str]
) -> None:
    state = Path(lone.config.parent / "state")
    state.mkdir()
    (state / "seal.key").write_bytes(KEY)
    keep(state / "journal.db", won())
    lone.start()
    hits = lone.wait_answering()["jackpot"]["hits"]
    assert [(hit["hit"], hit["state"], hit["slip"]) for hit in hits] == [(1, "payable", 0), (2, "payable", 0)]

    inputs = [confirms("ana", 1, "one"), confirms("rui", 1, "two")]
    first = post(lone.address, inputs[0])
    assert slip(lone, 1) == (404, {"error": "no_slip", "slip": 1, "last": 0, "expected": "no hit was paid yet"})
    second = post(lone.address, inputs[1])
    assert (first[0], second[0]) == (200, 200)
    lone.kill()
    lone.start()
    lone.wait_answering()
    assert [post(lone.address, input) for input in inputs] == [first, second]
    for number, actor in enumerate(("ana", "rui")):
        status, refusal = post(lone.address, confirms(actor, 1, f"again-{number}"))
        assert (status, refusal["reason"]) == (422, "is paid already")

    status, answer = slip(lone, 1)
    assert (status, answer["slip"], answer["hit"], answer["cards"]) == (200, 1, 1, "9s 8s 7s Js Ts")
    assert [person["name"] for person in answer["confirmed"]] == ["ana", "rui"]
    # The command reads the journal beside the running daemon, and the table continues writing to it.
    assert main(["slip", "--config", str(lone.config), "1", "--json"]) == 0
    assert json.loads(capfd.readouterr().out) == answer
    assert post(lone.address, [confirms("rui", 2, "three"), confirms("ana", 2, "four")])[0] == 200
    assert slip(lone, 2)[1]["hit"] == 2 and slip(lone, 3)[0] == 404 and slip(lone, 1)[1] == answer
    assert lone.terminate() == 0
    paid = [body for body in event_bodies(state / "journal.db") if body["type"] == "hit_paid"]
    assert [(payment["hit"], payment["slip"]) for payment in paid] == [(1, 1), (2, 2)]
