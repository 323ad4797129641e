"""Random bytes on every wire while rounds are played: counted, never answered, and no round is any different for it."""

import re
from pathlib import Path

import pytest

from tests.station.floor_ear import FloorEar, events, round_messages, sequenced
from tests.station.judging import judged
from tests.station.noisy_wires import NoisySerial, NoisyUsb
from tests.station.processes import Bench, Daemon, Mosquitto, daemon_of, ended_at_last, patiently
from tests.station.screen import get_table, request


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
