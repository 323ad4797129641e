"""The wire flight recorder: a ring of the last minutes of every wire, sealed with the keys of its rounds.

It never delays the table: a tap puts octets into a bounded queue, and a thread seals and writes them. Octets without
room there are dropped and counted, a failure to write is reported, and the table continues.
"""

import json
import os
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from itertools import accumulate, groupby, takewhile
from pathlib import Path
from typing import IO

import msgspec
import structlog
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from controller.engine.state.applied import Event
from controller.engine.state.events import ComplaintOpened, KeyReleased, RoundAdjusted
from controller.journal.sealing import NONCE_BYTES
from controller.journal.wires import ASIDE, HEAD, SUFFIX, WireBlock, WireHeader, aside_of, blocks_of, bound, wire_files
from controller.rulebook.events import RoundVoided
from controller.runtime.bus import Committed
from controller.system.files import ONLY_OWNER, write_whole

SEAL_SECONDS = 0.5  # what a kill may lose, and for how long octets are in memory
RETRY_SECONDS = 10.0
PARTS = 10  # of the ring: the oldest is removed whole
WAITING = 16  # the queue is this part of the ring: what waits behind a disk that hangs fits into one file
ENTRY = 64  # octets that one costs beside its own
BLOCK = 1024  # likewise a block
END_SECONDS = 5.0

_encode_into = msgspec.json.Encoder().encode_into

log = structlog.get_logger()


class Ring(msgspec.Struct, frozen=True):
    """The folder of the files, how far back they reach, and their largest size.

    Blocks set aside are kept for the same time, with the same limit of size, and half of it for one round.
    """

    folder: Path
    seconds: float
    octets: int
    aside_seconds: float = 0.0


def looked_into(event: Event, present: int) -> int | None:
    """The round that someone may look into by its wires after this event; `present` was the last that had begun."""
    match event:
        case ComplaintOpened() | KeyReleased() | RoundAdjusted():
            return event.round
        case RoundVoided():
            return present
        case _:
            return None


class FlightRecorder:
    """One run of a station. `key_of` gives the key of a round's wires, `round` the one in play or over last.

    `on_failure` is reported in the recorder's thread why something is not recorded, once until it has worked again, and
    `count_dropped` of how many octets.
    """

    def __init__(
        self,
        ring: Ring,
        journal: str,
        key_of: Callable[[int], bytes],
        round: Callable[[], int],
        on_failure: Callable[[str], None],
        count_dropped: Callable[[int], None],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._ring = ring
        self._journal, self._run = journal, uuid.uuid4().hex
        self._key_of, self._round = key_of, round
        self._on_failure, self._count_dropped, self._now = on_failure, count_dropped, now
        self._drivers: dict[str, str] = {}
        self._order = threading.Lock()
        self._entries: deque[tuple[int, int, str, str, bytes]] = deque()
        self._aside: dict[int, float] = {}  # rounds, and when each is copied next
        self._waiting = self._taken = self._dropped = self._number = 0
        self._file: IO[bytes] | None = None
        self._size, self._turned, self._again = 0, 0.0, 0.0
        self._troubled = self._over = False
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._write, name="flight recorder", daemon=True)

    def wire(self, name: str, driver: str) -> "FlightTap":
        """The tap of a device's wire."""
        self._drivers[name] = driver
        return FlightTap(self, name)

    def start(self) -> None:
        """Begins to write."""
        self._thread.start()

    def stop(self) -> None:
        """Writes what waits, and ends."""
        self._ending.set()
        self._thread.join(END_SECONDS)

    def keep(self, round: int) -> None:
        """Set aside the recorded blocks of a round, and those until it is over; from any thread, without waiting."""
        if self._ring.aside_seconds:
            with self._order:
                self._aside.setdefault(round, 0.0)

    def committed(self, committed: Committed) -> None:
        """Keep aside the rounds that someone may look into after this."""
        for event in committed.events:
            if (round := looked_into(event, committed.table.rounds)) is not None:
                self.keep(round)

    def receive(self, wire: str, source: str, octets: bytes) -> None:
        """Queues a report of a wire; from any thread, without waiting."""
        at, round = time.monotonic_ns(), self._round()
        with self._order:
            if self._over:
                self._count_dropped(len(octets))
            elif self._waiting + len(octets) + ENTRY > self._ring.octets // WAITING:
                self._dropped += len(octets)
            else:
                self._waiting += len(octets) + ENTRY
                self._entries.append((at, round, wire, source, octets))

    def _write(self) -> None:
        try:
            while not self._ending.wait(SEAL_SECONDS):
                self.turn()
            self.turn(last=True)
        except Exception as error:
            # Whatever it is: the table plays on without its recorder.
            self._trouble(type(error).__name__)
        finally:
            self._close()
            with self._order:
                self._over = True  # what no one will seal does not stay in memory
                self._count_dropped(self._taken + self._dropped + sum(len(octets) for *_, octets in self._entries))
                self._entries.clear()

    def turn(self, last: bool = False) -> None:
        """Seals and writes what waits."""
        present = self._round()  # of an earlier one nothing comes behind what is written now
        with self._order:
            entries, dropped = list(self._entries), self._dropped
            self._entries.clear()
            self._waiting = self._dropped = 0
        self._taken = sum(len(octets) for *_, octets in entries)
        if dropped:
            self._drop(dropped, f"{dropped} bytes had no room: the disk does not keep up")
        for round, of_round in groupby(entries, key=lambda entry: entry[1]):
            rows = list(of_round)
            lost = sum(len(octets) for *_, octets in rows)
            if self._now() < self._again:
                self._taken -= lost
                self._count_dropped(lost)
                continue
            try:
                self._append(round, rows, dropped)
            except OSError as error:
                self._close()
                self._again = self._now() + RETRY_SECONDS
                self._drop(lost, error.strerror or type(error).__name__)
            else:
                self._troubled, dropped = bool(dropped), 0
            self._taken -= lost
        with self._order:
            aside = [round for round, due in self._aside.items() if last or due <= self._now()]
        for round in aside:
            self._keep_aside(round, is_over=round != present)

    def _keep_aside(self, round: int, is_over: bool) -> None:
        again = self._ring.seconds / PARTS
        try:
            blocks = list(blocks_of(self._ring.folder, self._journal, round))
            reach = accumulate(len(block.sealed) for block in reversed(blocks))
            most = sum(1 for _ in takewhile(lambda octets: octets <= self._ring.octets // 2, reach))
            if blocks := blocks[len(blocks) - most :]:
                write_whole(aside_of(self._ring.folder, self._journal, round), msgspec.msgpack.encode(blocks))
            self._remove_aside()
        except OSError as error:
            is_over, again = False, RETRY_SECONDS
            self._trouble(error.strerror or type(error).__name__)
        with self._order:
            self._aside[round] = self._now() + again
            if is_over:
                del self._aside[round]

    def _remove_aside(self) -> None:
        """Removes blocks that were set aside for too long, and the oldest if there are too many."""
        left = self._ring.octets
        found = {path: path.stat() for path in self._ring.folder.glob(f"*{ASIDE}")}
        for path, about in sorted(found.items(), key=lambda item: item[1].st_mtime_ns, reverse=True):
            left -= about.st_size
            if left < 0 or time.time() - about.st_mtime > self._ring.aside_seconds:
                path.unlink()

    def _append(self, round: int, rows: list[tuple[int, int, str, str, bytes]], dropped: int) -> None:
        zero = rows[0][0]
        began = datetime.fromtimestamp((time.time_ns() - time.monotonic_ns() + zero) / 1e9, UTC)
        rows_of_block = tuple((at - zero, wire, source, octets) for at, _, wire, source, octets in rows)
        # One that is too short leaves copies behind.
        plain = bytearray(BLOCK + sum(ENTRY + 2 * len(octets) for *_, octets in rows))
        _encode_into(
            WireBlock(began.isoformat(timespec="milliseconds"), zero, self._drivers, dropped, rows_of_block), plain
        )
        nonce = os.urandom(NONCE_BYTES)
        about = bound(self._journal, self._run, self._number + 1)
        sealed = nonce + ChaCha20Poly1305(self._key_of(round)).encrypt(nonce, plain, about)
        plain[:] = bytes(len(plain))
        self._number += 1
        written = HEAD.pack(len(sealed), round, self._number) + sealed
        file = self._file_for(len(written))
        if file.write(written) != len(written):
            raise OSError(None, "the disk took only a part")
        self._size += len(written)

    def _file_for(self, octets: int) -> IO[bytes]:
        """The newest file of the ring, or a new one if it is full or old; removes files that are too old or too
        many.
        """
        share, now = self._ring.octets // (PARTS + 1), self._now()
        full = self._size + octets > share or now - self._turned >= self._ring.seconds / PARTS
        if self._file is not None and not full:
            return self._file
        self._close()
        self._ring.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        there = wire_files(self._ring.folder)
        number = 1 + (int(there[-1].stem) if there else 0)
        left = self._ring.octets - share
        for path in reversed(there):
            found = path.stat()
            left -= found.st_size
            if left < 0 or time.time() - found.st_mtime > self._ring.seconds:
                path.unlink()
        self._remove_aside()
        path = self._ring.folder / f"{number:08}{SUFFIX}"
        opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, ONLY_OWNER)
        self._file = os.fdopen(opened, "wb", buffering=0)
        self._size = self._file.write(msgspec.json.encode(WireHeader(self._journal, self._run)) + b"\n")
        self._turned = now
        return self._file

    def _drop(self, octets: int, reason: str) -> None:
        self._count_dropped(octets)
        self._trouble(reason)

    def _trouble(self, reason: str) -> None:
        if not self._troubled:
            self._troubled = True
            log.error("wires are not recorded; the table plays on", folder=str(self._ring.folder), reason=reason)
            self._on_failure(reason)

    def _close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None


class FlightTap:
    """Records one wire; a Tap of `drivers`."""

    def __init__(self, recorder: FlightRecorder, wire: str) -> None:
        self._recorder = recorder
        self._wire = wire

    def opened(self, port: str, settings: Mapping[str, int | str]) -> None:
        self._edge(f"opened {json.dumps({'port': port, **settings})}")

    def refused(self, reason: str) -> None:
        self._edge(f"refused {reason}")

    def received(self, octets: bytes) -> None:
        self._recorder.receive(self._wire, "device", bytes(octets))

    def sent(self, octets: bytes) -> None:
        self._recorder.receive(self._wire, "host", bytes(octets))

    def closed(self, by: str, reason: str) -> None:
        self._edge(f"closed by {by}: {reason}")

    def _edge(self, words: str) -> None:
        self._recorder.receive(self._wire, "link", words.encode())
