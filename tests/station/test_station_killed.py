"""The daemon or its broker is killed, or its journal put back or cut: no round is lost, and no money is paid twice."""

import json
import os
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from controller.__main__ import main
from controller.command_line.output import EXIT_CORRUPT
from controller.config.file import read_config
from controller.journal.high_water import HighWaterFile
from controller.tlog.notes import Signer
from tests.engine.playing import Play
from tests.journal.keeping import KEY
from tests.slips.keeping_slips import keep, won
from tests.station.asking import played
from tests.station.floor_ear import BASE, FloorEar
from tests.station.forked import Forked
from tests.station.journal_eye import event_bodies
from tests.station.kill_play import KillPlay
from tests.station.processes import END_SECONDS, Daemon, Mosquitto, ended_at_last, fast_table, lone_daemon, patiently
from tests.station.screen import active_alarms, entered, get_table, post, request


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


SECONDS = 20.0
STATION, WITNESS = Signer(BASE, bytes([7]) * 32), Signer("witness.example/w1", bytes([8]) * 32)


@pytest.fixture
def station(tmp_path: Path, broker: Mosquitto) -> Iterator[Daemon]:
    daemon = lone_daemon(tmp_path, broker.url)
    (tmp_path / "checkpoint.key").write_text(STATION.private)
    signed = f'\n[checkpoint]\nkey_file = "checkpoint.key"\nwitnesses = ["{WITNESS.coverifier}"]\n'
    daemon.config.write_text(daemon.config.read_text(encoding="utf-8") + signed, encoding="utf-8")
    with ended_at_last(daemon):
        yield daemon


@contextmanager
def witness(folder: Path, broker: Mosquitto) -> Iterator[Forked]:
    (folder / "witness.key").write_text(WITNESS.private)
    (folder / "witness.toml").write_text(
        f'[floor]\nbroker = "{broker.url}"\nprotocol = "5"\n'
        f'[witness]\nkey_file = "witness.key"\nstate_file = "seen.json"\ntables = ["{STATION.verifier}"]\n'
    )
    with (folder / "witness.err").open("ab") as log:
        process = Forked("controller", "witness", "--config", str(folder / "witness.toml"), stdout=log, stderr=log)
    try:
        yield process
    finally:
        process.kill()
        process.wait(END_SECONDS)


def ran(station: Daemon, *kinds: str) -> None:
    """Let it run, with these inputs, and stop."""
    station.start()
    station.wait_answering()
    for kind in kinds:
        status, answer = post(station.address, entered(get_table(station.address), kind))
        assert status == 200, answer
    assert station.terminate() == 0


def cosigned(station: Daemon) -> float:
    """When the witness has cosigned last, 0 as long as the station knows of nothing."""
    _, body = request(station.address, "GET", "/metrics")
    name = f'dealer_station_cosigned_timestamp_seconds{{witness="{WITNESS.name}"}} '
    return float((re.findall(rf"^{re.escape(name)}(.+)$", body.decode(), re.M) or ["0"])[0])


def test_a_witness_cosigns_what_continues_and_refuses_a_journal_that_was_put_back(
    tmp_path: Path, station: Daemon, broker: Mosquitto
) -> None:
    began = int(time.time())
    ran(station, "open_table")
    shutil.copytree(tmp_path / "state", tmp_path / "copy")
    ran(station, "close_table")
    with witness(tmp_path, broker) as process:
        station.start()
        station.wait_answering()
        patiently(lambda: cosigned(station), SECONDS, "a cosignature")
        assert began <= cosigned(station) <= time.time() and "witness" not in active_alarms(get_table(station.address))
        assert station.terminate() == 0

        shutil.rmtree(tmp_path / "state")
        shutil.copytree(tmp_path / "copy", tmp_path / "state")
        station.start()
        station.wait_answering()
        patiently(lambda: "witness" in active_alarms(get_table(station.address)), SECONDS, "the alarm")
        patiently(lambda: "rewound" in (tmp_path / "witness.err").read_text(), SECONDS, "the refusal")
        process.terminate()
        assert process.wait(END_SECONDS) == EXIT_CORRUPT
    complaint = (tmp_path / "witness.err").read_text()
    assert re.search(rf"{BASE}: it was rewound from \d+ events to \d+", complaint), complaint


def test_a_station_whose_log_is_cut_ends_with_65_and_publishes_nothing_more(tmp_path: Path, broker: Mosquitto) -> None:
    journal = tmp_path / "state" / "journal.db"
    with fast_table(tmp_path, "--broker", broker.url) as (bench, daemon):
        daemon.start()
        with FloorEar(broker.port) as ear:
            bench.wait_rounds(2, 30)
            os.truncate(journal.with_name("journal.db-wal"), 0)
            assert daemon.wait_exit() == 65
            ear.catch_up()
        log = daemon.log.read_text()
        assert "journal.db-wal was cut or overwritten" in log and "Traceback" not in log, log
        mark = HighWaterFile(journal).read()
        assert mark is not None
        published = [json.loads(message.payload) for message in ear.messages if message.payload]
        numbers = [int(message["sequence"]) for message in published if "sequence" in message]
        assert numbers and max(numbers) <= mark.sequence, "more was published than was certainly written"
        daemon.start()
        assert daemon.wait_exit() == 65, "an older journal is continued"
