"""A changed [jackpot] over HTTP: it waits, whatever is killed and repeated, until two persons have approved it."""

from pathlib import Path
from typing import Any

from controller.config.file import read_config
from tests.engine.playing import Play
from tests.journal.keeping import KEY
from tests.slips.keeping_slips import keep
from tests.station.journal_eye import event_bodies
from tests.station.processes import Daemon
from tests.station.screen import get_table, post


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
