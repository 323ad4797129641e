"""The flight recorder on real ptys: what both ends reported is sealed with the key of its round, in a bounded ring."""

import base64
import os
import stat
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.commands.wires import decoded, wire_line
from controller.journal.sealing import Seal, SealBroken
from controller.journal.wires import blocks_of, unseal
from controller.runtime.flight import FlightRecorder, Ring
from drivers.angel_eye.dialogue import ShoeTiming
from drivers.angel_eye.shoe import AngelEye
from drivers.messages import CardDrawn, LinkUp
from tests.wire.test_wire_shoe import EIGHT_OF_SPADES, LOCK, FarShoe

SEAL = Seal(bytes(32))
DAY = 24 * 3600.0


def key_of(round: int) -> bytes:
    return SEAL.wires_key("here", round)


class Recorded:
    """A recorder whose thread is not started: it writes when it is asked to."""

    def __init__(self, folder: Path, octets: int = 1 << 20) -> None:
        self.folder, self.round, self.now = folder, 3, 0.0
        self.failures: list[str] = []
        self.dropped: list[int] = []
        self.recorder = FlightRecorder(
            Ring(folder, 600.0, octets, 7 * DAY), "here", key_of, lambda: self.round,
            self.failures.append, self.dropped.append, lambda: self.now,
        )  # fmt: skip

    def entries(self, round: int) -> Iterator[tuple[str, str, bytes]]:
        for block in blocks_of(self.folder, "here", round):
            for _, wire, by, what in unseal(block, "here", key_of(round)).rows:
                yield wire, by, what

    @property
    def files(self) -> list[Path]:
        return sorted(self.folder.iterdir())


@pytest.fixture
def recorded(tmp_path: Path) -> Iterator[Recorded]:
    found = Recorded(tmp_path / "ring")
    yield found
    found.recorder._close()


async def test_what_a_shoe_and_its_host_say_is_played_into_the_codec_with_the_key_of_its_round_alone(
    recorded: Recorded, peer: Any, running: Any, quick: Any
) -> None:
    tap = recorded.recorder.wire("shoe", "angel-eye")
    shoe = AngelEye(
        port=str(peer.path), timing=ShoeTiming(answer=5.0, retry=0.03, copies=0.0), link_timing=quick, tap=tap
    )
    FarShoe(peer)
    async with running(shoe) as received:
        await received.until(lambda: received.of(LinkUp))
        for octets in (EIGHT_OF_SPADES[:3], EIGHT_OF_SPADES[3:]):
            peer.send(octets)
        await received.until(lambda: received.of(CardDrawn))
    recorded.recorder.turn()
    entries = list(recorded.entries(3))
    by = {name: b"".join(what for _, who, what in entries if who == name) for name in ("host", "device")}
    assert by["host"].startswith(LOCK) and EIGHT_OF_SPADES in by["device"]
    assert [what.split()[0] for _, who, what in entries if who == "link"] == [b"opened", b"closed"]
    messages = [
        line for block in blocks_of(recorded.folder, "here", 3) for line in decoded([unseal(block, "here", key_of(3))])
    ]
    [card] = [message for message in messages if message.message == "CardDrawn"]
    assert card.fields == {"number": 1, "card": "8s"} and "CardDrawn number=1 card=8s" in wire_line(card)
    for block in blocks_of(recorded.folder, "here", 3):
        for other in (key_of(4), SEAL.round_key("here", 3)):
            with pytest.raises(SealBroken):
                unseal(block, "here", other)
        with pytest.raises(SealBroken):
            unseal(block, "there", key_of(3))
    [file] = recorded.files
    content = file.read_bytes()
    assert EIGHT_OF_SPADES not in content and base64.b64encode(EIGHT_OF_SPADES) not in content
    assert stat.S_IMODE(file.stat().st_mode) == 0o600 and stat.S_IMODE(recorded.folder.stat().st_mode) == 0o700


def test_each_round_is_sealed_with_its_own_key_and_found_by_its_number(recorded: Recorded) -> None:
    tap = recorded.recorder.wire("slots", "adu218")
    for round in (3, 4, 3):
        recorded.round = round
        tap.received(bytes([round]))
    recorded.recorder.turn()
    assert [list(recorded.entries(round)) for round in (2, 4)] == [[], [("slots", "device", b"\4")]]
    assert [what for _, _, what in recorded.entries(3)] == [b"\3", b"\3"]
    assert list(blocks_of(recorded.folder, "there", 3)) == []
    [file] = recorded.files
    whole = file.read_bytes()
    for cut in (1, 20, 60):  # as a kill leaves it, or one that is being written
        file.write_bytes(whole[:-cut])
        assert [what for _, _, what in recorded.entries(3)] == [b"\3"]
    file.write_bytes(b"")
    assert list(recorded.entries(3)) == []


def test_the_ring_is_bounded_in_size_and_in_time(tmp_path: Path) -> None:
    recorded = Recorded(tmp_path / "ring", octets=50_000)
    tap = recorded.recorder.wire("shoe", "angel-eye")
    for number in range(400):
        tap.sent(number.to_bytes(2, "big") * (50 if number % 100 else 1500))
        recorded.recorder.turn()
        assert sum(file.stat().st_size for file in recorded.files) <= 50_000
    kept = [int.from_bytes(what[:2]) for _, _, what in recorded.entries(3)]
    assert kept == list(range(400 - len(kept), 400)) and len(kept) > 40
    for file in recorded.files:
        os.utime(file, (0, 0))
    recorded.now += 60.0
    tap.sent(b"\1")
    recorded.recorder.turn()
    assert list(recorded.entries(3)) == [("shoe", "host", b"\1")], "too old"
    again = Recorded(tmp_path / "ring")
    again.recorder.wire("shoe", "angel-eye").sent(b"\2")
    again.recorder.turn()
    assert [what for _, _, what in again.entries(3)] == [b"\1", b"\2"], "after a restart"
    for bench in (recorded, again):
        bench.recorder._close()


def test_what_has_no_room_in_the_queue_is_counted_and_reported_once(tmp_path: Path) -> None:
    recorded = Recorded(tmp_path / "ring", octets=4_800)
    tap = recorded.recorder.wire("shoe", "angel-eye")
    for _ in range(2):
        for _ in range(3):
            tap.received(bytes(100))
        recorded.recorder.turn()
    assert recorded.dropped == [200, 200] and len(recorded.failures) == 1 and "200 bytes" in recorded.failures[0]
    assert [unseal(block, "here", key_of(3)).dropped for block in blocks_of(recorded.folder, "here", 3)] == [200, 200]
    tap.received(b"\1")
    recorded.recorder.turn()
    tap.received(bytes(300))
    recorded.recorder.turn()
    assert len(recorded.failures) == 2, "it had worked again"
    recorded.recorder._close()


def test_a_folder_that_takes_nothing_and_a_full_disk_are_reported_and_tried_again(
    recorded: Recorded, monkeypatch: pytest.MonkeyPatch
) -> None:
    tap = recorded.recorder.wire("shoe", "angel-eye")
    recorded.folder.write_text("in the way")
    for _ in range(3):
        tap.received(b"\1\2")
        recorded.recorder.turn()
    recorded.folder.unlink()
    tap.received(b"\1\2")
    recorded.recorder.turn()
    assert not recorded.folder.exists(), "not before its time"
    assert recorded.failures == ["File exists"] and recorded.dropped == [2] * 4
    recorded.now += 10.0
    with monkeypatch.context() as full:
        full.setattr("controller.runtime.flight.os.fdopen", lambda *_, **__: open("/dev/full", "wb", buffering=0))  # noqa: SIM115 it outlives the line
        tap.received(b"\1\2")
        recorded.recorder.turn()
    assert recorded.failures == ["File exists"] and recorded.dropped == [2] * 5, "it is active since then"
    recorded.now += 10.0
    tap.received(b"\3")
    recorded.recorder.turn()
    assert [what for _, _, what in recorded.entries(3)] == [b"\3"]
    recorded.recorder._close()
    recorded.recorder._file = open("/dev/full", "wb", buffering=0)  # noqa: SIM115 it outlives the line
    tap.received(b"\4")
    recorded.recorder.turn()
    assert recorded.failures == ["File exists", "No space left on device"]


def come_round(recorded: Recorded) -> None:
    """All that the ring had is too old."""
    recorded.recorder._close()
    for file in recorded.folder.glob("*.wires"):
        file.unlink()


def test_a_round_is_kept_aside_until_it_is_over_and_opened_though_the_ring_has_come_round(recorded: Recorded) -> None:
    tap = recorded.recorder.wire("shoe", "angel-eye")
    tap.received(b"\1")
    recorded.recorder.turn()
    recorded.recorder.keep(3)
    for number in (2, 3):
        tap.received(bytes([number]))
        recorded.recorder.turn()
    come_round(recorded)
    assert [what for _, _, what in recorded.entries(3)] == [b"\1", b"\2"], "what came behind is copied a minute later"
    recorded.now += 60.0
    tap.received(b"\4")
    recorded.round = 4
    tap.received(b"\5")
    recorded.recorder.turn()
    assert [what for _, _, what in recorded.entries(3)] == [b"\1", b"\2", b"\4"], (
        "each once, kept aside and in the ring"
    )
    come_round(recorded)
    assert [what for _, _, what in recorded.entries(3)] == [b"\1", b"\2", b"\4"] and list(recorded.entries(4)) == []
    [file] = recorded.files
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert not recorded.recorder._aside, "it is over"
    recorded.recorder.keep(4)
    tap.received(b"\6")
    recorded.recorder.turn(last=True)
    come_round(recorded)
    assert [what for _, _, what in recorded.entries(4)] == [b"\6"], "however the station ends"


def test_what_is_kept_aside_is_bounded_in_size_and_in_time(tmp_path: Path) -> None:
    recorded = Recorded(tmp_path / "ring", octets=50_000)
    tap = recorded.recorder.wire("shoe", "angel-eye")
    for recorded.round in range(3, 7):
        recorded.recorder.keep(recorded.round)
        for number in range(40):
            tap.sent(number.to_bytes(2, "big") * 50)
            recorded.recorder.turn()
        recorded.now += 60.0
        recorded.recorder.turn()
        aside = [file.stat() for file in recorded.folder.glob("*.aside")]
        assert sum(file.st_size for file in aside) <= 50_000 and max(file.st_size for file in aside) <= 27_000
    come_round(recorded)
    kept = [[int.from_bytes(what[:2]) for _, _, what in recorded.entries(round)] for round in range(3, 7)]
    assert kept[0] == [] and kept[3] == list(range(40 - len(kept[3]), 40)), "the newest of the newest"
    assert len(kept[3]) > 10
    for file in recorded.files:
        os.utime(file, (time.time() - 7 * DAY - 60,) * 2)
    tap.sent(b"\1")
    recorded.recorder.turn()
    assert not list(recorded.folder.glob("*.aside"))
    recorded.recorder._close()


def test_what_was_kept_aside_and_is_damaged_does_not_end_the_recorder(recorded: Recorded) -> None:
    recorded.recorder.wire("shoe", "angel-eye").received(b"\1")
    recorded.recorder.turn()
    (recorded.folder / "here-00000003.aside").write_bytes(b"\xc1")
    assert [what for _, _, what in recorded.entries(3)] == [b"\1"], "it is read all the same"
    recorded.recorder.keep(3)
    recorded.recorder.turn()
    come_round(recorded)
    assert [what for _, _, what in recorded.entries(3)] == [b"\1"]


def test_a_disk_that_does_not_keep_a_round_aside_is_reported_and_tried_again(
    recorded: Recorded, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    recorded.recorder.wire("shoe", "angel-eye").received(b"\1")
    recorded.recorder.keep(3)
    with monkeypatch.context() as patched:
        patched.setattr("controller.runtime.flight.write_whole", full)
        recorded.recorder.turn()
    assert recorded.failures == ["No space left on device"]
    recorded.now += 10.0
    recorded.recorder.turn()
    come_round(recorded)
    assert [what for _, _, what in recorded.entries(3)] == [b"\1"]


def test_its_thread_writes_what_waits_at_the_end(recorded: Recorded) -> None:
    recorded.recorder.start()
    recorded.recorder.wire("sign", "alpha").sent(b"\1")
    recorded.recorder.stop()
    assert list(recorded.entries(3)) == [("sign", "host", b"\1")]


def test_a_recorder_that_broke_keeps_nothing_in_memory_and_counts_what_is_lost(tmp_path: Path) -> None:
    dropped: list[int] = []
    failed = threading.Event()

    def no_key(round: int) -> bytes:
        raise ValueError

    recorder = FlightRecorder(
        Ring(tmp_path, 600.0, 1 << 20), "here", no_key, lambda: 3, lambda _: failed.set(), dropped.append
    )
    tap = recorder.wire("shoe", "angel-eye")
    recorder.start()
    tap.received(b"\1\2")
    assert failed.wait(60)
    recorder.stop()
    tap.received(b"\3")
    assert not recorder._entries and sum(dropped) == 3
