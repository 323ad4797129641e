"""Recordings of devices: those in the packages are decoded as they were, and no change of one goes unnoticed."""

import asyncio
import hashlib
import itertools
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.__main__ import main
from controller.commands.device_recordings import run_device
from drivers.kit.assertion import Instruction
from drivers.recorded_orders import DeckOrders
from drivers.recording import (
    BLOTTED,
    LONGEST_FILE,
    BadRecording,
    DeviceRecording,
    RecordingHeader,
    RecordingWriter,
    read_file,
    read_text,
    replay_differences,
)
from drivers.registry import make_of
from drivers.shuffler_link.shuffler import Shuffler
from simulators.devices import shoe_frames, shuffler_frames
from simulators.devices.shuffler import MACHINE
from simulators.felt.cards import FULL_DECK
from tests.kit.shuffler import PACKET, FarShuffler, PersonAtShuffler
from tests.kit.wires import wired
from tests.made_up_time import MadeUpTime
from tests.recordings.devices import DRIVERS, NAME, PUBLIC, again, published, recordings, written
from tests.station.forked import Forked
from tests.station.processes import PATIENCE_SECONDS, patiently

SHOE = DRIVERS / "angel_eye" / "recordings" / NAME
ROOT = Path(__file__).parents[2]


def differ(recording: DeviceRecording) -> list[str]:
    return list(replay_differences(recording, make_of(recording.header.driver)))


@pytest.mark.parametrize("file", recordings(), ids=lambda file: "/".join(file.parts[-3::2]))
def test_a_recording_is_decoded_as_it_was(file: Path) -> None:
    recording = read_file(file)
    assert differ(recording) == []
    assert again(recording) == file.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", PUBLIC)
def test_the_first_recordings_are_made_of_public_transcripts(name: str) -> None:
    text = published(name)
    assert (DRIVERS / name.partition("/")[0] / "recordings" / NAME).read_text(encoding="utf-8") == text
    assert "not recorded" in read_text(text.encode()).header.by


def is_noticed(text: str) -> bool:
    try:
        return bool(differ(read_text(text.encode())))
    except (BadRecording, KeyError):  # no such driver
        return True


def test_no_character_of_a_recording_can_be_changed_unnoticed() -> None:
    text = SHOE.read_text(encoding="utf-8")
    for at, sign in enumerate(text):
        assert is_noticed(text[:at] + ("1" if sign == "0" else "0") + text[at + 1 :]), (at, sign)


def test_no_line_can_be_left_out_doubled_or_moved_unnoticed() -> None:
    lines = SHOE.read_text(encoding="utf-8").splitlines(keepends=True)
    for at in range(len(lines)):
        assert is_noticed("".join(lines[:at] + lines[at + 1 :])), at
        assert is_noticed("".join(lines[: at + 1] + lines[at:])), at
    for number, two in itertools.pairwise(range(len(lines))):
        if lines[number] != lines[two]:
            assert is_noticed("".join([*lines[:number], lines[two], lines[number], *lines[two + 1 :]])), number


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("< 05 31 44 81 b8 03 34 46", "< 05 31 44 81 b9 03 34 46"),  # an octet of the device
        ('card="8s"', 'card="9s"'),
        ("= CommandAccepted\n", ""),
        ("= ShoeStarted\n", "= ShoeStarted\n= ShoeStandby\n"),
        ("cards: clear", "cards: blotted"),
    ],
)
def test_what_the_device_sent_is_compared_also_where_the_sum_was_made_again(old: str, new: str) -> None:
    text = SHOE.read_text(encoding="utf-8")
    assert old in text
    changed = text.replace(old, new, 1).rpartition("end ")[0]
    recording = read_text(f"{changed}end {hashlib.sha256(changed.encode()).hexdigest()}\n".encode())
    assert recording.sum_is_right and differ(recording)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("version 1", "version 2", "line 1: expected # recording"),
        ("# model: Angel Eye II-EX\n", "", "line 3: expected # model: TEXT"),
        ("# model: Angel Eye II-EX", "# model: ", "line 3: expected # model: TEXT"),
        ("consent: public", "consent: perhaps", "line 7: expected one of public, private, not perhaps"),
        ("cards: clear", "cards: some", "line 9: expected one of blotted, clear, none, not some"),
        ("0.150 <", "0.010 <", "expected a time from 0.100 on"),
        ("05 31 44", "05 3 44", "expected a time with open"),
        ("0.000 open", "= CardDrawn\n0.000 open", "line 10: expected a time with open"),
        ("Angel", "Angel\x1b[2J", "line 3: expected at most"),
        ("Angel", "A" * 5000, "line 3: expected at most"),
        ("end ", "end 00", "expected a time with open"),
        ("0.050 <", f"{'9' * 400}.000 <", "expected a time with open"),
    ],
)
def test_what_is_no_recording_is_refused_with_its_line(old: str, new: str, expected: str) -> None:
    text = SHOE.read_text(encoding="utf-8")
    assert old in text
    with pytest.raises(BadRecording) as refused:
        read_text(text.replace(old, new, 1).encode())
    assert expected in str(refused.value)


def test_a_recording_that_is_cut_off_or_too_long_is_refused(tmp_path: Path) -> None:
    octets = SHOE.read_bytes()
    with pytest.raises(BadRecording, match="cut off"):
        read_text(octets[: octets.rindex(b"end ")])
    with pytest.raises(BadRecording, match="nothing behind the end"):
        read_text(octets + b"more\n")
    with pytest.raises(BadRecording, match="expected UTF-8; octet 0"):
        read_text(b"\xff" + octets)
    (tmp_path / "long").write_bytes(b"#" * (LONGEST_FILE + 1))
    with pytest.raises(BadRecording, match="at most 8000000 octets"):
        read_file(tmp_path / "long")


@given(st.binary(max_size=300), st.integers(0, 2000))
def test_no_octets_are_worse_than_no_recording(octets: bytes, at: int) -> None:
    known = SHOE.read_bytes()
    assert is_noticed((known[:at] + octets + known[at + 1 :]).decode("latin-1")) or octets == known[at : at + 1]


def header(driver: str) -> RecordingHeader:
    return RecordingHeader(driver, "m", "f", "w", "2026-11-27T00:00:00Z", "public", "d", BLOTTED)


def in_pieces(octets: bytes, cuts: Sequence[int]) -> list[tuple[float, str, str]]:
    places = sorted({0, len(octets), *(cut % len(octets) for cut in cuts)})
    return [(0.0, "<", octets[place:two].hex(" ")) for place, two in itertools.pairwise(places)]


def shown(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("= ") and "LineNoise" not in line]


CARDS = st.lists(st.sampled_from(FULL_DECK), min_size=1, max_size=8)
CUTS = st.lists(st.integers(0, 500), max_size=12)
NOISE = st.binary(max_size=6)


@given(CARDS, CUTS, NOISE)
def test_a_shoe_blots_every_card_out_and_nothing_else(cards: list[object], cuts: list[int], noise: bytes) -> None:
    frames = [
        shoe_frames.report(str(at % 9 + 1), "D", shoe_frames.card_content(0, at, card))  # type: ignore[arg-type]
        for at, card in enumerate(cards)
    ]
    spoilt = frames[0][:-1] + b"Z"  # a copy that shows its card, though its check is wrong
    lines = [(0.0, "open", "tty"), *in_pieces(noise + spoilt + b"".join(frames), cuts)]
    text = written(header("angel-eye"), lines)
    recording = read_text(text.encode())
    assert differ(recording) == []
    drawn = [line for line in shown(text) if "CardDrawn" in line]
    assert len(drawn) >= len(cards) and all('card="As"' in line or "card=null" in line for line in drawn)
    assert [line.split()[2] for line in drawn[-len(cards) :]] == [f"number={at % 9 + 1}" for at in range(len(cards))]
    octets = b"".join(entry.octets for entry in recording.entries)
    seconds = {octets[at + 4] for at in range(len(octets) - 4) if octets[at] == 5 and octets[at + 2 : at + 3] == b"D"}
    assert seconds <= {0xB1, 0x80, 0x91}


@given(CARDS, CUTS, NOISE)
def test_a_shuffler_blots_every_card_out_and_nothing_else(cards: list[object], cuts: list[int], noise: bytes) -> None:
    content = bytes(shuffler_frames.card_byte(card) for card in cards)  # type: ignore[arg-type]
    packet = (7).to_bytes(4, "big") + bytes([len(content)]) + content
    check = bytes([0, 52, 0, 51, len(content)]) + content + bytes([1, content[0]])
    payloads = {shuffler_frames.PACKET: packet, shuffler_frames.CARD: content[:1], shuffler_frames.DECK_CHECK: check}
    frames = [
        shuffler_frames.encode(shuffler_frames.Frame(kind, number, payload))
        for number, (kind, payload) in enumerate(payloads.items(), 1)
    ]
    spoilt = b"\x01" + frames[0]
    lines = [(0.0, "open", "tty"), *in_pieces(noise + b"\0" + spoilt + b"".join(frames), cuts)]
    text = written(header("shuffler-link"), lines)
    recording = read_text(text.encode())
    assert differ(recording) == []
    blots = ", ".join(['"As"'] * len(cards))
    assert shown(text)[-3:] == [
        f"= PacketDispensed number=1 order=7 cards=[{blots}]",
        '= CardDispensed number=2 card="As"',
        f'= DeckChecked number=3 expected=52 found=51 missing=[{blots}] duplicate=["As"]',
    ]
    octets = b"".join(entry.octets for entry in recording.entries)
    assert set(content) == {0x31} or frames[0] not in octets
    assert len(content) < 3 or set(content) == {0x31} or content not in octets


def test_a_disk_that_takes_nothing_more_ends_the_recording() -> None:
    text: list[str] = []

    def write(line: str) -> None:
        if len(text) == 12:
            raise OSError(28, "No space left on device")
        text.append(line)

    writer = RecordingWriter(write, header("angel-eye"), make_of("angel-eye"), lambda: 0.0)
    writer.opened("tty", {"baud": 4800})
    for _ in range(5):
        writer.received(b"\x06")
    assert writer.stopped == "No space left on device" and len(text) == 12
    for _ in range(300):
        writer.received(bytes(1000))
    assert len(text) == 12


def test_a_recording_ends_before_it_is_too_long() -> None:
    text: list[str] = []
    writer = RecordingWriter(text.append, header("adu218"), make_of("adu218"), lambda: 0.0)
    writer.opened("usb", {})
    while not writer.stopped:
        writer.sent(bytes(5000))
    writer.end()
    octets = "".join(text).encode()
    assert len(octets) <= LONGEST_FILE and read_text(octets).sum_is_right


def test_replay_prints_messages_and_check_refuses_what_was_changed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["devices", "replay", str(SHOE)]) == 0
    assert '    CardDrawn number=1 card="8s"' in capsys.readouterr().out
    assert main(["devices", "replay", str(SHOE), "--check"]) == 0
    assert "as recorded" in capsys.readouterr().out
    changed = tmp_path / "changed.rec"
    changed.write_text(SHOE.read_text(encoding="utf-8").replace('"8s"', '"9s"'), encoding="utf-8")
    assert main(["devices", "replay", str(changed), "--check"]) == 65
    assert "line 25: the codec gives" in capsys.readouterr().err
    changed.write_text(SHOE.read_text(encoding="utf-8").replace("angel-eye", "demon-eye"), encoding="utf-8")
    assert main(["devices", "replay", str(changed)]) == 2
    assert "no package that is installed has a driver 'demon-eye'" in capsys.readouterr().err
    assert main(["devices", "replay", str(tmp_path / "none")]) == 2


def record(device: str, file: Path, config: Path) -> list[str]:
    about = ["--by", "Ana", "--done", "nothing", "--consent", "public", "--model", "simulated"]
    return ["devices", "record", device, str(file), "--config", str(config), *about]


def recorded(device: str, file: Path, config: Path, *parts: str) -> int:
    """Record until the file has these parts; the exit code."""
    with file.with_suffix(".log").open("wb") as log:
        recorder = Forked("controller", *record(device, file, config), stdout=log, stderr=log)
        try:
            patiently(
                lambda: (
                    recorder.poll() is not None or (file.exists() and all(map(file.read_text().__contains__, parts)))
                ),
                PATIENCE_SECONDS,
                f"{parts} of the {device}",
            )
            recorder.terminate()
            return recorder.wait(PATIENCE_SECONDS)
        finally:
            recorder.kill()


def test_each_device_of_a_bench_is_recorded_and_its_recording_is_decoded_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "simulators", "bench", "--dir", tmp_path / "table", "--broker=none", "--speed=max"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT,
    ) as bench:  # fmt: skip
        try:
            assert bench.stdout is not None and bench.stdout.readline().startswith("ready")
            config = tmp_path / "table" / "station.toml"
            wanted = {
                "shoe": ["CommandAccepted"],
                "shuffler": ["ShufflerHello", "ShuffleStarted", "ShuffleDone", 'cards=["As", "As", "As"]'],
                "slots": ["Answer"],
                "sign": [],
            }
            for device, kinds in wanted.items():
                file = tmp_path / f"{device}.rec"
                assert recorded(device, file, config, " > ", *kinds) == 0, file.with_suffix(".log").read_text()
                recording = read_file(file)
                assert differ(recording) == []
                assert recording.header.cards == (BLOTTED if device in ("shoe", "shuffler") else "none")
                assert any(entry.source == "host" for entry in recording.entries)
                messages = [message for entry in recording.entries for message in entry.messages]
                assert all(any(kind in message for message in messages) for kind in kinds)
                assert file.stat().st_mode & 0o777 == 0o600
            assert main(record("sign", file, config)) and "File exists" in capsys.readouterr().err
        finally:
            bench.kill()


def test_a_shuffler_is_recorded_over_whole_decks_and_its_reports_are_acknowledged() -> None:
    text: list[str] = []
    far = FarShuffler()
    person = PersonAtShuffler(far)

    async def deals() -> None:
        while True:
            await far.packet.wait()
            far.packet.clear()
            await person(Instruction("take packet"))
            if far.deck.count(MACHINE) < PACKET:
                await person(Instruction("load deck"))

    async def run() -> None:
        await far.switch_on()
        writer = RecordingWriter(text.append, header("shuffler-link"), make_of("shuffler-link"), lambda: 0.0)
        dealing = asyncio.create_task(deals())
        await run_device(Shuffler(port="port", tap=writer), DeckOrders(PACKET), 180)
        dealing.cancel()
        writer.end()

    with wired(far.line), asyncio.Runner(loop_factory=MadeUpTime) as runner:
        runner.run(run())
    recording = read_text("".join(text).encode())
    assert differ(recording) == []
    packets = [line for line in shown("".join(text)) if "PacketDispensed" in line]
    assert len(packets) > 40 and all('cards=["As", "As", "As"]' in packet for packet in packets)
    assert len(packets) == len(set(packets)) and sum("ShuffleDone" in line for line in shown("".join(text))) > 2
