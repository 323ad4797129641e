"""Tables on which things go wrong: devices, noise on the wires, too many connections, a resolver without an answer."""

import os
import re
import resource
import signal
import socket
import subprocess
import sys
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.station.floor_ear import FloorEar, events, round_messages, sequenced
from tests.station.noisy_wires import NoisySerial, NoisyUsb
from tests.station.processes import Bench, Daemon, Mosquitto, daemon_of, ended_at_last, fast_table, patiently
from tests.station.screen import entered, get_table, post, request
from tests.station.simulated import Played, check_ledger, decided_again, judged, simulate

# One line of the log, as a person reads it in a terminal or a pipe.
EDGE = re.compile(r"(lost|back)\s+(?:cause=\w+ )?device=(\w+)(.*)")


def edges(played: Played, device: str) -> list[str]:
    """When a device was reported to be lost, and back, in order; but for the silence of simulators that stopped."""
    found = [(what, rest) for what, named, rest in EDGE.findall(played.log) if named == device]
    still = sum(line["event"] == "stalled" for line in played.film())
    silent = [at for at, (what, rest) in enumerate(found) if what == "lost" and "no answer" in rest][:still]
    return [what for at, (what, _) in enumerate(found) if at not in silent and at - 1 not in silent]


def checked_against_the_referee(played: Played) -> Counter[str]:
    """The causes of the void rounds; raises AssertionError where table, floor and meter do not agree."""
    report = judged(played.config, played.camera, round_messages(played.messages))
    assert report.rounds == played.rounds == played.tally["rounds"]
    check_ledger(report, played.tally)
    decided_again(played.journal)
    assert played.tally["acknowledged"] == played.tally["last_sequence"]
    assert played.log.count("[info     ] running") == 1, "the daemon was started once"
    assert "defect" not in played.log
    return report.void_by


def test_whatever_goes_wrong_by_chance_every_round_is_what_the_camera_calls_for(tmp_path: Path) -> None:
    played = simulate(tmp_path, 10, "--source", "shoe", "--seed", "6", "--faults", "0.7")
    checked_against_the_referee(played)
    assert sum(line["event"] in ("fault", "irregularity") for line in played.film()) > 4


@pytest.mark.soak
def test_art_17_every_irregularity_ends_as_its_item_says(tmp_path: Path) -> None:
    """17.º 1 1) to 3) and 4 in rounds of their own; 17.º 2 twice in a row, and the shoe in its place."""
    wishes = [
        *("dealer:order@round=2", "dealer:number@round=4", "dealer:expose=bank@round=6"),
        *("dealer:expose=seat 2@round=8", "dealer:empty_seat@round=9", "shuffler:short@round=10,card=2"),
        *("shuffler:jam@round=12,card=1", "shuffler:restart@round=13,phase=deal"),
    ]
    options = [option for wish in wishes for option in ("--fault", wish)]
    played = simulate(tmp_path, 20, "--seed", "11", *options)
    causes = checked_against_the_referee(played)
    assert causes["17.º 1 1)"] == 3 and causes["17.º 1 2)"] == 1 and causes["17.º 2"] == 2
    rounds = {message["round"]: message for message in round_messages(played.messages)}
    assert rounds[13]["void"]["article"] == "17.º 2" and rounds[14]["source"] == "shoe"
    assert rounds[20]["source"] == "shuffler", "replaced, and used again"
    carried = {line["chip_carried"] for seat in rounds[2]["seats"] for line in seat["lines"] if "chip_carried" in line}
    returned = {line["chip_carried"] for seat in rounds[6]["seats"] for line in seat["lines"] if "chip_carried" in line}
    assert (carried, returned) == ({True}, {False})
    noted = [irregularity["article"] for irregularity in rounds[9]["irregularities"]]
    assert rounds[9]["outcome"] == "settled" and (not noted or noted == ["17.º 4 2)"])


@pytest.mark.soak
@pytest.mark.parametrize("phase", ["deal", "wagers", "decisions", "reveal"])
def test_each_device_unplugged_in_mid_round_is_lost_once_and_back_once_without_a_restart(
    tmp_path: Path, phase: str
) -> None:
    pulled = {"shuffler": 2, "slots": 4, "sign": 6, "shoe": 8}
    options = [
        option
        for device, number in pulled.items()
        for option in ("--fault", f"{device}:unplug@round={number},phase={phase}")
    ]
    played = simulate(tmp_path, 16, "--seed", "3", *options)
    checked_against_the_referee(played)
    for device in pulled:
        # The first is the start's: the link is there.
        assert edges(played, device) == ["back", "lost", "back"], (device, phase)


# Pulled as the deal begins, the shoe may not have received yet that it is unlocked, and then no card leaves it
# meanwhile.
@pytest.mark.soak
@pytest.mark.parametrize("when", ["card=2", "phase=deal", "phase=wagers", "phase=decisions"])
def test_the_shoe_unplugged_while_cards_come_from_it(tmp_path: Path, when: str) -> None:
    fault = f"shoe:unplug@round=3,{when},for=1.5"
    played = simulate(tmp_path, 6, "--source", "shoe", "--seed", "3", "--fault", fault)
    checked_against_the_referee(played)
    assert edges(played, "shoe") == ["back", "lost", "back"]
    if when == "card=2":
        third = next(message for message in round_messages(played.messages) if message["round"] == 3)
        assert third["outcome"] == "settled"
        assert {irregularity["kind"] for irregularity in third["irregularities"]} == {"keyed_in"}


def noise_counted(daemon: Daemon) -> dict[str, float]:
    """The octets that made no message, by device, as the metrics have them."""
    text = request(daemon.address, "GET", "/metrics")[1].decode()
    found = re.findall(r'^dealer_station_noise_bytes_total\{device="(\w+)"\} (\S+)$', text, re.M)
    return {device: float(count) for device, count in found}


def both_up(daemon: Daemon) -> bool:
    """Now, that is: where noise has spoiled each answer of two seconds, the shuffler is rightly
    reported to be silent."""
    devices = get_table(daemon.address)["devices"]
    return bool(devices["shuffler"] == devices["shoe"] == "up")


@pytest.mark.parametrize(("source", "rounds"), [pytest.param("shuffler", 8, marks=pytest.mark.soak), ("shoe", 8)])
def test_noise_between_the_frames_changes_no_round(tmp_path: Path, broker: Mosquitto, source: str, rounds: int) -> None:
    options = ("--rounds", str(rounds), "--speed", "max", "--seed", "9", "--source", source, "--broker", broker.url)
    bench = Bench(tmp_path / "t", *options)
    bench.wait_ready()
    text = bench.config.read_text()
    for name in ("shuffler", "shoe", "sign"):
        text = text.replace(f'port = "{name}"', f'port = "noisy-{name}"')
    bench.config.write_text(text.replace('usb_socket = "usb.sock"', 'usb_socket = "noisy-usb.sock"'))
    wires: list[NoisySerial | NoisyUsb] = [
        NoisySerial(bench.config.parent, "shuffler", seed=1, share=0.3, ends=b"\0"),
        NoisySerial(bench.config.parent, "shoe", seed=2, share=0.5),
        NoisySerial(bench.config.parent, "sign", seed=3, share=0.5),
        NoisyUsb(bench.config.parent, "usb.sock", seed=4, share=0.05),
    ]
    daemon = daemon_of(bench)
    with ended_at_last(*wires, daemon, bench), FloorEar(broker.port) as ear:
        daemon.start()
        bench.wait_finished(100)
        ear.wait_sequence(get_table(daemon.address)["as_of"], 20)
        counted = noise_counted(daemon)
        patiently(lambda: both_up(daemon), 20, "both devices are back")
        assert daemon.terminate() == 0
    assert judged(bench.config, bench.camera, round_messages(ear.messages)).rounds == rounds
    assert sequenced(ear.messages)
    assert all(wire.octets > 200 for wire in wires if isinstance(wire, NoisySerial))
    assert all(counted[name] > 0 for name in ("shuffler", "shoe")), counted
    reported = {event["device"] for event in events(ear.messages, "device_reported") if event["what"] == "noise"}
    assert {"shuffler", "shoe", "slots"} <= reported
    assert "Traceback" not in daemon.log.read_text()


DESCRIPTORS = 1024  # what systemd gives a service that asks for nothing
HALF_OPEN = 1100


def test_a_thousand_half_open_connections_are_one_line_in_the_log_and_inputs_are_answered(
    tmp_path: Path, broker: Mosquitto
) -> None:
    least, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    assert most >= HALF_OPEN + 200, "this test needs more descriptors (ulimit -Hn)"
    options = ("--rounds", "1", "--broker", broker.url)
    with fast_table(tmp_path / "table", *options, service=True) as (bench, daemon), ExitStack() as stack:
        stack.callback(resource.setrlimit, resource.RLIMIT_NOFILE, (least, most))
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(DESCRIPTORS, most), most))
        daemon.start()
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        bench.wait_finished(60)
        for _ in range(HALF_OPEN):
            connection = stack.enter_context(socket.create_connection(daemon.address))
            connection.sendall(b"GET /table HTTP/1.1\r\nhost: 127.0.0.1\r\n")
        table = get_table(daemon.address)
        for _ in range(20):
            status, answer = post(daemon.address, entered(table, "confirm"))
            assert status == 422, answer
        log = daemon.log.read_text()
        assert log.count("too many connections") == 1 and "Traceback" not in log
        assert daemon.terminate() == 0


SILENT = "broker.silent.invalid"
CUSTOM = """
import socket, time
found = socket.getaddrinfo
def getaddrinfo(host, *more, **hints):
    if host == {silent!r}:
        open({asked!r}, "a").close()
        time.sleep(600)
    return found(host, *more, **hints)
socket.getaddrinfo = getaddrinfo
"""


def silent_names(folder: Path) -> tuple[dict[str, str], Path]:
    """The environment of such a process, and a file that is there once it has asked for `SILENT`."""
    folder.mkdir()
    asked = folder / "asked"
    (folder / "sitecustomize.py").write_text(CUSTOM.format(silent=SILENT, asked=str(asked)))
    return {"PYTHONPATH": str(folder)}, asked


SECONDS = 60.0
PIT = f"""
[archive]
name = "pit-1"
database = "host={SILENT} dbname=pit"
[floor]
broker = "mqtt://{SILENT}"
"""


def test_a_station_stops_while_neither_its_broker_nor_its_sign_has_an_address(tmp_path: Path) -> None:
    environment, asked = silent_names(tmp_path / "names")
    with fast_table(tmp_path / "table", "--rounds", "1", service=True) as (bench, daemon):
        text = bench.config.read_text()
        [broker] = [line for line in text.splitlines() if line.startswith("broker = ")]
        text = text.replace(broker, f'broker = "mqtt://{SILENT}"').replace(
            'port = "sign"', f'port = "socket://{SILENT}:1"'
        )
        assert text.count(SILENT) == 2
        bench.config.write_text(text)
        daemon._environment |= environment
        daemon.start()
        daemon.wait_answering()
        patiently(asked.exists, SECONDS, "the resolver")
        assert daemon.terminate() == 0
        assert "Traceback" not in daemon.log.read_text()


def test_a_pit_stops_while_neither_its_database_nor_its_broker_has_an_address(tmp_path: Path) -> None:
    environment, asked = silent_names(tmp_path / "names")
    (tmp_path / "pit.toml").write_text(PIT)
    with subprocess.Popen(
        [sys.executable, "-m", "controller.pit", "run", "--config", tmp_path / "pit.toml"],
        env={**os.environ, **environment},
        stderr=subprocess.PIPE,
        text=True,
    ) as pit:
        patiently(lambda: asked.exists() or pit.poll() is not None, SECONDS, "the resolver")
        pit.send_signal(signal.SIGTERM)
        try:
            _, complaint = pit.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            pit.kill()
            pytest.fail("it does not stop")
    assert pit.returncode == 0 and "Traceback" not in complaint, complaint
