"""Recorded wires played through ptys into the real daemon: it publishes to the floor what it reported then."""

import json
import stat
from pathlib import Path

import pytest

from controller.config.file import read_config
from controller.journal.reading import opened_journal as opened_journal
from controller.journal.sealing import Seal, read_key
from controller.journal.wires import blocks_of, folder_of, unseal
from controller.runtime.recording import CannotRecord, Recording
from simulators.playback_file import read_recording
from tests.recordings.make import EXPECTED, SCENES, main
from tests.recordings.playing import by_topic, names, read_expected, replay, unpack
from tests.station.forked import forked_run
from tests.station.processes import Mosquitto, patiently

# Of the others, one of these or a table in memory shows the same.
IN_MAKE_TEST = {"noise_lost_doubled", "shuffler_restarted_in_the_deal", "slots_and_sign_unplugged"}
DISPENSE = 0x84
ANOTHER_DISPENSE = "03018402030106" + "0c050375aa00"  # order 3077, three cards
LATE = 10.0  # seconds: the shoe is then waited for 9, a shuffler that sends nothing for 5 and then 8
WIRES = ("screen", "shoe", "shuffler", "sign", "slots")


@pytest.mark.parametrize(
    ("argument", "code", "printed"),
    [("--help", 0, "shoe_lost_report"), ("shoe_lost_rapport", 2, "did you mean shoe_lost_report?")],
)
def test_what_makes_the_recordings_says_which_there_are(
    argument: str, code: int, printed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([argument])
    assert ended.value.code == code
    assert printed in "".join(capsys.readouterr())


def test_every_scene_is_recorded() -> None:
    assert names() == sorted(SCENES)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.soak] * (name not in IN_MAKE_TEST)) for name in names()]
)
def test_a_recording_is_played_as_it_was(name: str, tmp_path: Path) -> None:
    recording = unpack(name, tmp_path / "recording")
    replayed = replay(recording, tmp_path)
    assert replayed.exit_code == 0, replayed.complaint
    wanted, published = by_topic(read_expected(recording / EXPECTED)), by_topic(replayed.published)
    assert published.keys() == wanted.keys()
    for topic, sequence in wanted.items():
        assert published[topic] == sequence, topic
    assert "Traceback" not in replayed.log
    octets_of = recorded_in_flight(tmp_path / "table")
    for wire in read_recording(recording):
        if wire.name in ("shoe", "shuffler"):  # slots answer as often as they are asked
            printed = b"".join(entry.octets for entry in wire.entries if entry.source == "device")
            assert octets_of.get(wire.name, b"") == printed, wire.name


def test_an_answer_of_the_shoe_waits_for_no_other_wire(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a busy computer: all that follows the last command of the shoe is later than its answer is waited for."""
    recording = unpack("shoe_lost_report", tmp_path / "copy")
    for path in recording.glob("*.wire"):
        head, *lines = (json.loads(line) for line in path.read_text().splitlines())
        late = [line | {"t": line["t"] + LATE * (line["t"] > 2.1294)} for line in lines]  # the command is at 2.12938
        path.write_text("".join(json.dumps(line) + "\n" for line in (head, *late)))
    monkeypatch.setenv("SHOE_ANSWER_SECONDS", "3.0")  # three times
    replayed = replay(recording, tmp_path, "--speed", "1")
    assert replayed.exit_code == 0, replayed.complaint
    assert by_topic(replayed.published) == by_topic(read_expected(recording / EXPECTED))


def recorded_in_flight(table: Path) -> dict[str, bytes]:
    """What the devices reported, by wire, out of the sealed ring, opened round by round."""
    config = read_config(table / "station.toml")
    with opened_journal(config.journal, config.mode) as (_, journal):
        seal = Seal(read_key(config.seal_key_file, create=False))
    found: dict[str, bytes] = {}
    blocks = [
        unseal(block, journal, seal.wires_key(journal, round))
        for round in range(10)
        for block in blocks_of(folder_of(config.journal), journal, round)
    ]
    for block in sorted(blocks, key=lambda block: block.monotonic_ns):
        for _, wire, by, what in block.rows:
            if by == "device":
                found[wire] = found.get(wire, b"") + what
    return found


def changed_line(recording: Path, wire: str, wanted: str, before: str, after: str) -> int:
    """Change one line of a recording, the first that holds `wanted`; its number."""
    path = recording / f"{wire}.wire"
    lines = path.read_text().splitlines()
    number = next(number for number, line in enumerate(lines) if wanted in line)
    assert before in lines[number]
    lines[number] = lines[number].replace(before, after)
    path.write_text("\n".join(lines) + "\n")
    return number + 1


def test_another_answer_is_named_with_its_line(tmp_path: Path) -> None:
    recording = unpack("shuffler_jackpot_chips", tmp_path / "copy")
    line = changed_line(recording, "screen", '"wager"', '"status":200', '"status":422')
    replayed = replay(tmp_path / "copy", tmp_path)
    assert replayed.exit_code == 1
    assert f"screen.wire line {line}" in replayed.complaint and "answered 200, then 422" in replayed.complaint


def test_what_the_host_did_not_say_then_is_named(tmp_path: Path) -> None:
    recording = unpack("shuffler_jackpot_chips", tmp_path / "copy")
    host = [entry for wire in read_recording(recording) if wire.name == "shuffler" for entry in wire.entries]
    frame = next(entry.octets for entry in host if entry.source == "host" and entry.octets[2] == DISPENSE)
    changed_line(recording, "shuffler", f'"{frame.hex()}"', frame.hex(), ANOTHER_DISPENSE)
    replayed = replay(tmp_path / "copy", tmp_path)
    assert replayed.exit_code == 1
    assert "shuffler.wire: the daemon says DISPENSE" in replayed.complaint


SPOILT, UNPLUGGED = "numato_spoilt_betabrite_nak", "numato_and_betabrite_unplugged"
PLACES = [  # of the wires of the second makes: recording, wire, before, after, what is named
    (SPOILT, "slots", b"gpio iodir 607f", b"gpio iodir 607e", "did not send 'gpio iodir 607e'"),
    (SPOILT, "slots", b"gpio writeall 9c00", b"gpio writeall 9c80", "did not set the lamps to 40064"),
    (SPOILT, "slots", b"# 0007 0003 607F", b"# 0017 0003 607F", ""),
    (UNPLUGGED, "slots", '"closed","by":"device"', '"closed","by":"host"', ""),
    (SPOILT, "sign", b"PROGRESSIVE", b"PROGRESSIVA", "did not send octets"),
    (SPOILT, "sign", '"hex":"15"', '"hex":""', ""),
    (UNPLUGGED, "sign", '"closed","by":"device"', '"closed","by":"host"', "did not close the port"),
]


@pytest.mark.parametrize(
    ("name", "wire", "before", "after", "named"),
    [pytest.param(*place, marks=[pytest.mark.soak] * (place not in PLACES[::4])) for place in PLACES],
)
def test_a_change_of_the_wires_of_second_makes_is_noticed(
    name: str, wire: str, before: bytes | str, after: bytes | str, named: str, tmp_path: Path
) -> None:
    old, new = (value.hex() if isinstance(value, bytes) else value for value in (before, after))
    recording = unpack(name, tmp_path / "copy")
    line = changed_line(recording, wire, old, old, new)
    replayed = replay(tmp_path / "copy", tmp_path)
    if named:
        assert replayed.exit_code == 1
        assert f"{wire}.wire line {line}" in replayed.complaint and named in replayed.complaint
    else:
        wanted, published = by_topic(read_expected(recording / EXPECTED)), by_topic(replayed.published)
        assert replayed.exit_code == 1 or published != wanted


def test_what_is_no_recording_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert replay(tmp_path / "empty", tmp_path).exit_code == 1
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "shoe.wire").write_text('{"schema":1,"wire":"shoe","device":"angel-eye","port":"tty"}\n{}\n')
    replayed = replay(tmp_path / "broken", tmp_path)
    assert replayed.exit_code == 1 and "shoe.wire line 2" in replayed.complaint
    changed_line(unpack("shoe_lost_report", tmp_path / "copy"), "shoe", '"device"', "angel-eye", "other-eye")
    replayed = replay(tmp_path / "copy", tmp_path)
    assert replayed.exit_code == 1 and "shoe: no make other-eye is on the bench" in replayed.complaint


def test_the_files_are_their_owners_alone_and_whole(tmp_path: Path, broker: Mosquitto) -> None:
    folder = tmp_path / "rec"
    command = ["simulate", "--rounds", "1", "--speed", "max", "--json", "--record", str(folder)]
    command += ["--broker", broker.url]  # without one its end would wait for it
    _, _, complaint = forked_run("controller", *command, seconds=200)
    assert "in the clear" in complaint.splitlines()[0]
    assert {path.name for path in folder.iterdir()} == {*(f"{name}.wire" for name in WIRES), "station.toml"}
    assert all(stat.S_IMODE(path.stat().st_mode) == 0o600 for path in folder.iterdir())
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    headers = {name: json.loads((folder / f"{name}.wire").read_text().partition("\n")[0]) for name in WIRES}
    assert all(header["schema"] == 1 and header["started"].endswith("Z") for header in headers.values())
    assert (headers["shoe"]["baud"], headers["sign"]["format"]) == (4800, "7E1")
    assert headers["slots"]["port"] == "usb" and headers["shuffler"]["port"] == "tty"
    wires = read_recording(folder)
    times = [entry.t for wire in wires for entry in wire.entries]
    assert len(set(times)) == len(times)
    for wire in wires:
        if wire.name != "screen":
            assert (wire.entries[0].edge, wire.entries[-1].edge) == ("open", "closed")
    code, _, complaint = forked_run("controller", *command, seconds=200)
    assert code == 78 and "already holds a recording" in complaint


def test_a_live_table_is_not_recorded(tmp_path: Path) -> None:
    with pytest.raises(CannotRecord, match="live"):
        Recording(tmp_path / "rec", "live", tmp_path / "station.toml")
    assert not (tmp_path / "rec").exists()


def test_a_live_service_with_a_recording_does_not_start(tmp_path: Path) -> None:
    recording = unpack("shuffler_jackpot_chips", tmp_path / "recording")
    text = (recording / "station.toml").read_text().replace('"simulation"', '"live"')
    lines = [line for line in text.splitlines() if not line.startswith(("usb_backend", "usb_socket"))]
    (tmp_path / "station.toml").write_text("\n".join(lines))
    command = ["run", "--config", str(tmp_path / "station.toml"), "--record", str(tmp_path / "rec")]
    code, _, complaint = forked_run("controller", *command, seconds=200)
    assert code == 78 and "cards in the clear" in complaint, complaint
    assert not (tmp_path / "rec").exists()


def test_a_full_disk_ends_the_recording_and_nothing_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "station.toml").write_text("")
    recording = Recording(tmp_path / "rec", "simulation", tmp_path / "station.toml")
    (tmp_path / "rec" / "shoe.wire").symlink_to("/dev/full")
    tap = recording.wire("shoe", "angel-eye")
    tap.opened("tty", {"baud": 4800, "format": "8N1"})
    patiently(lambda: "recording ended" in capsys.readouterr().out, 5, "the end of the recording")
    for _ in range(1000):
        tap.received(b"\x05")
    recording.close()
    assert "recording ended" not in capsys.readouterr().out


def test_a_kill_loses_little(tmp_path: Path) -> None:
    (tmp_path / "station.toml").write_text("")
    recording = Recording(tmp_path / "rec", "simulation", tmp_path / "station.toml")
    tap = recording.wire("shoe", "angel-eye")
    tap.opened("tty", {"baud": 4800, "format": "8N1"})
    tap.received(b"\x05\x31")
    file = tmp_path / "rec" / "shoe.wire"
    patiently(lambda: file.exists() and file.read_text().count("\n") == 3, 10, "the file to have it")
    torn = file.read_text()
    recording.close()
    file.write_text(torn + '{"t":1.0,"fr')
    (wire,) = read_recording(tmp_path / "rec")
    assert [entry.octets for entry in wire.entries] == [b"", b"\x05\x31"]
