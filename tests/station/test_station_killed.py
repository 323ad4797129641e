"""The daemon or its broker is killed, and inputs are repeated: no round is lost, and no money is paid twice."""

import json
from pathlib import Path
from typing import Any

import pytest

from controller.__main__ import main
from controller.config.file import read_config
from tests.engine.playing import Play
from tests.journal.keeping import KEY
from tests.slips.keeping_slips import keep, won
from tests.station.asking import played
from tests.station.journal_eye import event_bodies
from tests.station.kill_play import KillPlay
from tests.station.processes import Daemon
from tests.station.screen import get_table, post, request


def test_a_killed_daemon_loses_no_round_and_doubles_nothing(tmp_path: Path) -> None:
    KillPlay(tmp_path, rounds=12, kills=9, least=0, seed=11).run(seconds=220)


def test_every_message_is_there_though_the_broker_was_killed(tmp_path: Path) -> None:
    played(tmp_path, 4, 2, 60)


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


def approves(actor: str, input_id: str) -> dict[str, Any]:
    fields = {"kind": "approve_parameters", "number": 1, "step_id": "parameters/1"}
    return {"input_id": input_id, "actor": actor, **fields}


def logged(daemon: Daemon) -> list[str]:
    return [line for line in daemon.log.read_text().splitlines() if "parameters wait for two persons" in line]


def test_a_changed_ceiling_waits_for_two_persons_though_the_daemon_is_killed_and_everything_repeated(
    lone: Daemon,
) -> None:
    jackpot = read_config(lone.config).jackpot
    assert jackpot is not None
    journal = Path(lone.config.parent / "state" / "journal.db")
    journal.parent.mkdir()
    (journal.parent / "seal.key").write_bytes(KEY)
    keep(journal, Play(parameters=jackpot.parameters, pot=jackpot.initial_pot))
    text = lone.config.read_text(encoding="utf-8")
    lone.config.write_text(text.replace("ceiling = 200000000", "ceiling = 250000000"), encoding="utf-8")

    lone.start()
    lone.wait_answering()
    first = post(lone.address, approves("ana", "one"))
    waits = get_table(lone.address)["jackpot"]["proposed"]
    assert (first[0], waits["number"], waits["approved_by"]) == (200, 1, ["ana"])
    assert (waits["parameters_before"]["ceiling"], waits["parameters_after"]["ceiling"]) == (200_000_000, 250_000_000)
    lone.kill()
    lone.start()
    lone.wait_answering()
    assert post(lone.address, approves("ana", "one")) == first
    assert get_table(lone.address)["jackpot"]["proposed"] == waits
    assert post(lone.address, approves("ana", "again"))[1]["article"] == "policy: two persons change parameters"
    second = post(lone.address, approves("rui", "two"))
    assert second[0] == 200 and post(lone.address, approves("rui", "two")) == second
    after = get_table(lone.address)["jackpot"]
    assert (after["proposed"], after["scheduled"]) == (None, waits["parameters_after"])
    assert lone.terminate() == 0

    assert [body["type"] for body in event_bodies(journal) if "meter" in body["type"] or "param" in body["type"]] == [
        "meter_opened", "parameters_proposed", "parameters_approved", "parameters_approved", "parameters_scheduled",
    ]  # fmt: skip
    assert len(logged(lone)) == 2, "logged at each start, and of nothing but what is another"
    for line, approved_by in zip(logged(lone), ("[]", "['ana']"), strict=True):
        assert "proposal=1" in line and f"approved_by={approved_by}" in line
        assert "ceiling='200000000 -> 250000000'" in line and "minimum" not in line
