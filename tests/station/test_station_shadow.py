"""A shadow table reads the wires of another table, plays its rounds beside it, and writes nothing."""

import fcntl
import io
import json
import os
import re
import select
import struct
import termios
import tty
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from controller.__main__ import main
from drivers.adu218.slots import IDENTITY
from simulators.broker import free_port
from simulators.games import GAMES
from simulators.playback_file import SCREEN, WireEntry, read_recording
from tests.open_files import open_files
from tests.recordings.playing import END
from tests.station.floor_ear import FloorEar, Published
from tests.station.processes import Daemon, Mosquitto, ended_at_last, patiently
from tests.station.screen import request
from tests.station.simulated import simulate

PATIENCE_SECONDS = 60.0
LOOK_SECONDS = 0.001
ENDS = {"device": "", "host": "-controller"}


class UsbTap:
    """What usbmon shows of an ADU218, in a folder as another computer has it. Nothing can come back."""

    def __init__(self, folder: Path) -> None:
        place = folder / "devices" / "1-2"
        place.mkdir(parents=True)
        vendor, product = f"{IDENTITY.vendor:04x}", f"{IDENTITY.product:04x}"
        for file, text in {"idVendor": vendor, "idProduct": product, "busnum": "3", "devnum": "12"}.items():
            (place / file).write_text(f"{text}\n")
        self.path = folder / "3u"
        os.mkfifo(self.path)
        self._pipe: int | None = None

    def is_open(self) -> bool:
        """Whether someone reads it."""
        try:
            self._pipe = self._pipe or os.open(self.path, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            return False
        return True

    def send(self, end: str, octets: bytes, seconds: float) -> None:
        """A transfer of one end at a time, as usbmon writes it."""
        assert self._pipe is not None, "it is open"
        event = "S Io:3:012:1 -115:8" if end == "host" else "C Ii:3:012:1 0:8"
        os.write(
            self._pipe,
            f"ffff888105aec0c0 {seconds * 1_000_000:.0f} {event} {len(octets)} = {octets.hex(' ', 4)}\n".encode(),
        )

    def wait_taken(self) -> None:
        """Until everything that was sent has been read."""
        patiently(self._is_empty, PATIENCE_SECONDS, str(self.path), LOOK_SECONDS)

    def close(self) -> None:
        if self._pipe is not None:
            os.close(self._pipe)

    def _is_empty(self) -> bool:
        assert self._pipe is not None, "it is open"
        waiting: int = struct.unpack("i", fcntl.ioctl(self._pipe, termios.FIONREAD, b"\0\0\0\0"))[0]
        return not waiting


class TapEnd:
    """A pty whose slave the shadow table reads; `written` is what came back, which must be nothing."""

    def __init__(self, path: Path) -> None:
        self._master, slave = os.openpty()
        tty.setraw(slave, termios.TCSANOW)
        self._slave = os.ttyname(slave)
        os.close(slave)
        os.set_blocking(self._master, False)
        path.symlink_to(self._slave)
        self.written = b""

    def is_open(self) -> bool:
        """Whether someone reads the slave."""
        try:
            self.written += os.read(self._master, 4096)
        except BlockingIOError:
            return True
        except OSError:
            return False
        return True

    def send(self, octets: bytes) -> None:
        while octets:
            octets = octets[os.write(self._master, octets) :]

    def wait_taken(self) -> None:
        """Until everything that was sent has been read."""
        slave = os.open(self._slave, os.O_RDONLY | os.O_NOCTTY | os.O_NONBLOCK)
        try:
            patiently(lambda: not select.select([slave], [], [], 0)[0], PATIENCE_SECONDS, self._slave, LOOK_SECONDS)
        finally:
            os.close(slave)

    def close(self) -> None:
        self.is_open()
        os.close(self._master)


@dataclass
class Shadowed:
    """What a shadow table did."""

    config: Path
    messages: list[Published] = field(default_factory=list)
    written: int = 0
    writable: list[str] = field(default_factory=list)
    screen: bytes = b""


def shadow_toml(text: str, wires: list[str], broker: str, port: int, usbmon: Path) -> str:
    """The other table's configuration as that of a shadow table, with the devices whose wires are tapped."""
    head, *sections = re.split(r"(?m)^(?=\[)", text)
    kept = []
    for section in sections:
        name = section[1 : section.index("]")]
        device = name.split(".")[1] if name.startswith("devices.") else None
        if name == "simulation" or (device is not None and device not in wires):
            continue
        if name.startswith("devices.") and name.count(".") == 1:
            section = re.sub(r"(?m)^(port = .*)$", rf'\1\ncontroller_port = "{device}-controller"', section)
            section = re.sub(r"(?m)^usb_backend = .*\nusb_socket = .*$", f'usbmon = "{usbmon}"', section)
        kept.append(section)
    whole = head.replace('mode = "simulation"', 'mode = "shadow"') + "".join(kept)
    whole = re.sub(r"(?m)^broker = .*$", f'broker = "{broker}"', whole)
    return re.sub(r"(?m)^listen = .*$", f'listen = "127.0.0.1:{port}"', whole)


def descriptors(pid: int, taps: dict[str, Path]) -> Iterator[str]:
    """The taps that a process has open for writing."""
    targets = {os.path.realpath(path): name for name, path in taps.items()}
    return (targets[file.path] for file in open_files(pid) if file.writable and file.path in targets)


def shadow(recording: Path, folder: Path, wires: list[str]) -> Shadowed:
    """Play a recording to a shadow table in `folder`."""
    broker, port = Mosquitto(folder / "broker"), free_port()
    config = folder / "station.toml"
    (folder / "state").mkdir()
    with ended_at_last(broker), ExitStack() as closing:
        broker.start()
        text = (recording / "station.toml").read_text()
        config.write_text(shadow_toml(text, wires, broker.url, port, folder / "usbmon"))
        on_usb = [wire.name for wire in read_recording(recording) if wire.name in wires and wire.port == "usb"]
        serial = [wire for wire in wires if wire not in on_usb]
        paths = {f"{wire}{suffix}": folder / f"{wire}{suffix}" for wire in serial for suffix in ENDS.values()}
        taps: dict[str, TapEnd | UsbTap] = {name: TapEnd(path) for name, path in paths.items()}
        for wire in on_usb:
            taps[wire] = slots = UsbTap(folder / "usbmon")
            paths[wire] = slots.path
        ear = FloorEar(broker.port)
        closing.callback(ear.close)
        daemon = Daemon(config, ("127.0.0.1", port))
        shadowed = Shadowed(config)
        with ended_at_last(daemon):
            daemon.start()
            daemon.wait_answering()
            for name, tap in taps.items():
                patiently(tap.is_open, PATIENCE_SECONDS, f"an opening of {name}", LOOK_SECONDS)
            shadowed.writable = list(descriptors(daemon.pid, paths))
            shadowed.screen = request(("127.0.0.1", port), "GET", "/")[1]
            for entry in _entries(recording, wires):
                _play(entry, taps, ("127.0.0.1", port))
            ear.wait(lambda seen: any(message.topic == END for message in seen), PATIENCE_SECONDS, "its closing")
            daemon.terminate()
        for tap in taps.values():
            tap.close()
            shadowed.written += len(tap.written) if isinstance(tap, TapEnd) else 0
        shadowed.messages = ear.messages
    return shadowed


def _entries(recording: Path, wires: list[str]) -> list[WireEntry]:
    found = [entry for wire in read_recording(recording) if wire.name in (*wires, SCREEN) for entry in wire.entries]
    return sorted(found, key=lambda event: event.t)


def _play(entry: WireEntry, taps: Mapping[str, TapEnd | UsbTap], address: tuple[str, int]) -> None:
    if entry.source in ENDS:
        serial = taps.get(entry.wire + ENDS["host"])
        own = taps[entry.wire + ENDS[entry.source]] if serial is not None else taps[entry.wire]
        for tap in taps.values():
            if tap is not own:
                tap.wait_taken()
        if isinstance(own, UsbTap):
            own.send(entry.source, entry.octets, entry.t)
        else:
            own.send(entry.octets)
    elif entry.source == "screen":
        for tap in taps.values():
            tap.wait_taken()
        status, answered = request(address, "POST", "/inputs", json.dumps(entry.body).encode())
        assert status == entry.status, f"{entry.place}: {entry.body}: {answered[:300]!r}"


WITH_SLOTS = {"fortune-3-card-poker-2025", "blackjack-21"}  # at others there is no jackpot
FIRST, *OTHERS = ((game, "adu218" if game in WITH_SLOTS else "", ()) for game in GAMES)
SHADOWED = [  # game, the driver of its slots, options
    FIRST,
    *(pytest.param(*other, marks=pytest.mark.soak) for other in OTHERS),
    pytest.param("fortune-3-card-poker-2025", "numato", ("--slots", "numato"), marks=pytest.mark.soak),
    pytest.param("blackjack-21", "", ("--marking", "manual"), marks=pytest.mark.soak),
]
OF_ITS_OWN = {"mode", "began", "confirmed", "sequence", "journal"}


def rounds(messages: list[Published]) -> list[dict[str, Any]]:
    datas = [json.loads(message.payload)["data"] for message in messages if message.topic.endswith("/rounds")]
    return [{key: value for key, value in data.items() if key not in OF_ITS_OWN} for data in datas]


def compared(config: Path, other: Path, *options: str) -> tuple[int, list[dict[str, Any]]]:
    shown = io.StringIO()
    with redirect_stdout(shown):
        code = main(["audit", "differences", str(other), "--config", str(config), "--json", *options])
    found = json.loads(shown.getvalue())
    assert found["mode"] == "shadow" and code == (65 if found["differences"] else 0)
    return found["rounds"], found["differences"]


def assert_differences_are_found(config: Path, messages: list[Published], file: Path) -> None:
    """None where the other table did the same; each one where it errs, by messages and as a person enters it."""
    published = [json.loads(message.payload) for message in messages if message.topic.endswith("/rounds")]
    file.write_text("".join(f"{json.dumps(message)}\n" for message in published))
    assert compared(config, file) == (5, [])
    seat = published[1]["data"]["seats"][0]
    right, name = seat["net"], f"seats/{seat['seat']}/net"
    seat["net"] += 100
    shown = next(card for card in published[3]["data"]["shown_cards"] if card["cards"])
    cards = " ".join(shown["cards"])
    shown["cards"] = shown["cards"][::-1] if len(set(shown["cards"])) > 1 else ["??"]
    file.write_text("".join(f"{json.dumps(message['data'])}\n" for message in published[:4]))
    both, found = compared(config, file)
    assert both == 4
    assert {"round": 2, "name": name, "here": str(right), "there": str(right + 100)} in found
    assert [difference["here"] for difference in found if difference["name"].startswith("shown_cards/")] == [cards]
    assert {"round": 5, "name": "round", "here": "confirmed", "there": None} in found and len(found) == 3
    file.write_text(f"round,{name},outcome\n102,{right + 1},settled\n", encoding="utf-8")
    both, found = compared(config, file, "--first", "101")
    assert both == 1 and {"round": 2, "name": name, "here": str(right), "there": str(right + 1)} in found


@pytest.mark.parametrize(("game", "slots", "chosen"), SHADOWED)
def test_its_rounds_are_those_of_the_other_table(
    game: str, slots: str, chosen: tuple[str, ...], tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "shadow").mkdir()
    record = tmp_path / "record"
    options = ("--game", game, "--record", str(record), "--seed", "5", *chosen)
    other = simulate(tmp_path / "other", 5, *options)
    wires = sorted(path.stem for path in record.glob("*.wire") if path.stem in ("shoe", "shuffler", "slots"))
    played = {wire.name: wire.device for wire in read_recording(record)}
    assert played.get("slots", "") == slots
    beside = shadow(record, tmp_path / "shadow", wires)
    assert (beside.written, beside.writable) == (0, [])
    assert rounds(beside.messages) == rounds(other.messages) and len(rounds(beside.messages)) == 5
    assert_differences_are_found(beside.config, other.messages, tmp_path / "other.jsonl")
    modes = {json.loads(sent.payload)["data"]["mode"] for sent in beside.messages if sent.topic.endswith("/rounds")}
    assert modes == {"shadow"} and b"SHADOW" in beside.screen
