"""A broker that refuses, is away or knows another password: the table continues, and all arrives in
order afterwards."""

import base64
import hashlib
import json
import re
from pathlib import Path
from typing import Any

from tests.station.floor_ear import BASE, FloorEar, alarm_is_over, kept_messages, round_messages, sequenced
from tests.station.journal_eye import outbox_rows
from tests.station.processes import Bench, Daemon, Mosquitto, fast_table, patiently
from tests.station.screen import acknowledged, active_alarms, get_table
from tests.station.simulated import judged

AFTER_BACK_OFF_SECONDS = 60  # the client waits up to 30 s between two tries
ROUNDS = 16  # more than are played while a busy machine lets the test wait for seconds


def floor_alarm(daemon: Daemon) -> Any:
    """The alarm about the floor while it remains, else None."""
    return active_alarms(get_table(daemon.address)).get("device-floor")


def all_arrived(ear: FloorEar, bench: Bench, daemon: Daemon, rounds: int) -> None:
    """Everything is there, once, in order, and as the referee has it; the outbox empties and the alarm goes."""
    patiently(lambda: floor_alarm(daemon) is None, AFTER_BACK_OFF_SECONDS, "the end of the alarm")
    ear.wait_sequence(get_table(daemon.address)["as_of"], AFTER_BACK_OFF_SECONDS)
    journal = bench.config.parent / "state" / "journal.db"
    patiently(lambda: outbox_rows(journal) == 0, 10, "the end of the outbox")
    assert len(sequenced(ear.messages)) == get_table(daemon.address)["as_of"]
    assert judged(bench.config, bench.camera, round_messages(ear.messages)).rounds == rounds


def test_a_denied_publish_is_reported_with_its_reason_and_nothing_overtakes_it(tmp_path: Path) -> None:
    acl = tmp_path / "acl"
    mine = ("events/#", "status", "state", "jackpot", "statistics", "devices/#", "alarms/#")
    acl.write_text("topic read dealer/#\n" + "".join(f"topic write {BASE}/{topic}\n" for topic in mine))
    with (
        Mosquitto(tmp_path / "broker", f"allow_anonymous true\nacl_file {acl}") as broker,
        fast_table(tmp_path / "table", "--rounds", "4", "--seed", "3", "--broker", broker.url) as (bench, daemon),
        FloorEar(broker.port) as ear,
    ):
        daemon.start()
        bench.wait_finished(60)
        patiently(lambda: floor_alarm(daemon), 10, "the alarm")
        alarm = floor_alarm(daemon)
        assert "the broker does not permit the table to do this" in alarm["texts"]["en"], alarm
        assert f"refuses {BASE}/rounds: Not authorized" in alarm["details"]
        as_of = get_table(daemon.address)["as_of"]
        assert round_messages(ear.messages) == [] and len(sequenced(ear.messages)) < as_of
        journal = bench.config.parent / "state" / "journal.db"
        patiently(
            lambda: outbox_rows(journal) == as_of - len(sequenced(ear.messages)),
            20,
            "an outbox with all the rest",
        )
        acl.write_text("topic readwrite #\n")
        broker.read_settings_again()
        all_arrived(ear, bench, daemon, 4)
        # No one plays any more who would have acknowledged it.
        ear.wait(lambda messages: alarm_is_over(messages, "device-floor"), 10, "the retained alarm that is over")
        logged = acknowledged(daemon.address, "device-floor", "rui")
        assert logged["raised"] < logged["cleared"] < logged["acknowledged"]
        assert daemon.terminate() == 0
        assert f"{BASE}/alarms/device-floor" not in kept_messages(broker.port)


def test_a_broker_that_is_down_for_a_while_gets_everything_afterwards(tmp_path: Path, broker: Mosquitto) -> None:
    options = ("--rounds", str(ROUNDS), "--seed", "4", "--broker", broker.url)
    with fast_table(tmp_path / "table", *options) as (bench, daemon), FloorEar(broker.port) as ear:
        daemon.start()
        bench.wait_rounds(3, 40)
        broker.stop()
        bench.wait_rounds(7, 40)
        patiently(lambda: floor_alarm(daemon), 10, "the alarm")
        assert bench.rounds < ROUNDS, "the broker comes back in mid-play"
        broker.start()
        bench.wait_finished(60)
        all_arrived(ear, bench, daemon, ROUNDS)
        lost = [envelope["data"] for topic, envelope in sequenced(ear.messages) if topic.endswith("/device_lost")]
        assert "floor" in [event["device"] for event in lost]


def password_line(user: str, password: str) -> str:
    """A line of mosquitto's password file (PBKDF2 with SHA-512, as its own tool writes it)."""
    salt, iterations = b"salt of test", 101
    digest = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, iterations, 64)
    return f"{user}:$7${iterations}${base64.b64encode(salt).decode()}${base64.b64encode(digest).decode()}\n"


def test_a_wrong_password_is_an_alarm_and_the_table_plays_on_until_it_is_right(tmp_path: Path) -> None:
    passwords = tmp_path / "passwords"
    ears = password_line("ear", "listening")
    passwords.write_text(ears + password_line("table-1", "another one"))
    passwords.chmod(0o600)
    with (
        Mosquitto(tmp_path / "broker", f"allow_anonymous false\npassword_file {passwords}") as broker,
        fast_table(tmp_path / "table", "--rounds", "3", "--seed", "6", "--broker", broker.url) as (bench, daemon),
        FloorEar(broker.port, username="ear", password="listening") as ear,
    ):
        floor = f'broker = "{broker.url}"'
        text = bench.config.read_text()
        mine = f'{floor}\nusername = "table-1"\npassword_file = "broker.password"'
        bench.config.write_text(text.replace(floor, mine))
        (bench.config.parent / "broker.password").write_text("correct horse\n")
        daemon.start()
        patiently(lambda: daemon.running and daemon.wait_answering() and floor_alarm(daemon), 10, "the alarm")
        alarm = floor_alarm(daemon)
        assert "the broker does not let the table in" in alarm["texts"]["en"]
        assert re.search("authori[sz]ed|password", alarm["details"], re.I), alarm
        bench.wait_finished(60)
        assert sequenced(ear.messages) == []
        log = daemon.log.read_text()
        assert "correct horse" not in log and log.count("device=floor") == 1, "edges are logged, not attempts"
        passwords.write_text(ears + password_line("table-1", "correct horse"))
        broker.read_settings_again()
        all_arrived(ear, bench, daemon, 3)
        assert not any(b"correct horse" in message.payload for message in ear.messages)


def test_the_will_shows_that_a_killed_daemon_is_offline_and_its_successor_is_online(
    tmp_path: Path, broker: Mosquitto
) -> None:
    options = ("--rounds", "500", "--broker", broker.url)
    with fast_table(tmp_path / "table", *options) as (_, daemon), FloorEar(broker.port) as ear:

        def online() -> list[bool]:
            sent = [message.payload for message in ear.messages if message.topic == f"{BASE}/status"]
            return [json.loads(payload)["data"]["online"] for payload in sent]

        daemon.start()
        ear.wait(lambda _: online() == [True], 20, "online")
        daemon.kill()
        ear.wait(lambda _: online() == [True, False], 20, "offline, by the will")
        daemon.start()
        ear.wait(lambda _: online() == [True, False, True], 20, "online again")
