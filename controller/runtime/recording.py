"""A recording of the wires: every octet with its time and the screen's requests, one file of JSON lines for each wire.

It holds cards in the clear. It never delays the table: a thread of its own writes, and a disk that takes nothing more
ends the recording.
"""

import json
import os
import queue
import threading
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import structlog

from controller.console.answers import status_of
from controller.console.app import Decide
from controller.engine.outcomes import OutcomeOfAll
from controller.engine.state.persons import PersonInput
from controller.system.files import ONLY_OWNER

SCHEMA = 1
SCREEN = "screen"
CONFIGURATION = "station.toml"
FLUSH_SECONDS = 0.1  # what a kill may lose
MOST_WAITING = 100_000  # lines, about 10 MB: behind a disk that hangs
END_SECONDS = 5.0

log = structlog.get_logger()


class CannotRecord(Exception):
    """This table cannot be recorded, or not into this folder; its text says why."""


class Recording:
    """One run of a station. Files appear when there is something to be written into them."""

    def __init__(self, directory: Path, mode: str, configuration: Path) -> None:
        """Raises CannotRecord."""
        if mode != "simulation":
            raise CannotRecord(f'a recording holds cards in the clear, and the table is mode = "{mode}"')
        try:
            directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            if any(directory.glob("*.wire")):
                raise CannotRecord(f"{directory} already holds a recording")
            text = configuration.read_bytes()
            with _create(directory / CONFIGURATION) as copy:
                _put(copy, text)
        except OSError as error:
            raise CannotRecord(f"{error.filename or directory}: {error.strerror}") from None
        self._directory = directory
        self._began = datetime.now(UTC)
        self._zero = time.monotonic_ns() // 1000
        self._last = 0
        self._order = threading.Lock()
        self._lines: queue.SimpleQueue[tuple[str, str] | None] = queue.SimpleQueue()
        self._stopped = False
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._write, name="recording", daemon=True)
        self._thread.start()
        log.warning("recording; cards are in it in the clear, guard it like the cards", directory=str(directory))

    def wire(self, name: str, driver: str) -> "WireTap":
        """The tap of a device's wire."""
        return WireTap(self, name, driver)

    def screen(self, decide: Decide) -> Decide:
        """Records the inputs decided for the station's screen. The time of a request is when it enters the queue, which
        is its place among the messages of the wires.
        """
        headed = False

        async def recorded(inputs: list[PersonInput]) -> OutcomeOfAll:
            nonlocal headed
            if not headed:
                headed = True
                self.header(SCREEN, {"device": SCREEN, "port": "http"})
            at, status = self.now(), "null"
            try:
                outcome = await decide(inputs)
                status = str(status_of(outcome))
                return outcome
            finally:
                # Also for a request that was cut off: it may have been taken all the same.
                body = msgspec.json.encode(inputs).decode()
                self.line(SCREEN, f'{{"t":{at / 1e6:.6f},"from":"screen","body":{body},"status":{status}}}')

        return recorded

    def now(self) -> int:
        """Microseconds since the beginning, all different: they give the order of everything on all wires."""
        with self._order:
            self._last = max(time.monotonic_ns() // 1000 - self._zero, self._last + 1)
            return self._last

    def header(self, wire: str, content: Mapping[str, Any]) -> None:
        """The first line of a file."""
        started = self._began.isoformat(timespec="microseconds").replace("+00:00", "Z")
        self.line(wire, json.dumps({"schema": SCHEMA, "wire": wire, "started": started, **content}))

    def line(self, wire: str, text: str) -> None:
        """Queues a line for a wire's file."""
        if self._stopped:
            return
        if self._lines.qsize() >= MOST_WAITING:
            self._stop("the disk does not keep up")
            return
        self._lines.put((wire, text))

    def close(self) -> None:
        """Writes the queued lines, and ends."""
        self._lines.put(None)
        self._ending.set()
        self._thread.join(END_SECONDS)

    def _stop(self, reason: str) -> None:
        if not self._stopped:
            self._stopped = True
            log.error("recording ended; the table continues", directory=str(self._directory), reason=reason)

    def _write(self) -> None:
        files: dict[str, Any] = {}
        try:
            ended = False
            while not ended:
                pieces: dict[str, list[str]] = {}
                entry = self._lines.get()
                while True:
                    if entry is None:
                        ended = True
                        break
                    pieces.setdefault(entry[0], []).append(entry[1] + "\n")
                    if self._lines.empty():
                        break
                    entry = self._lines.get()
                for wire, lines in pieces.items():
                    if wire not in files:
                        files[wire] = _create(self._directory / f"{wire}.wire")
                    _put(files[wire], "".join(lines).encode())
                self._ending.wait(FLUSH_SECONDS)
        except Exception as error:
            # Whatever it is: the table plays on without its recording, and the log says so.
            self._stop(getattr(error, "strerror", None) or type(error).__name__)
        finally:
            for file in files.values():
                file.close()


class WireTap:
    """Records one wire; a Tap of `drivers`."""

    def __init__(self, recording: Recording, wire: str, driver: str) -> None:
        self._recording = recording
        self._wire = wire
        self._driver = driver
        self._headed = self._settled = False  # the first line is written; the port's settings are

    def opened(self, port: str, settings: Mapping[str, int | str]) -> None:
        is_late = self._headed and not self._settled
        self._head({"port": port, **settings})
        self._edge("open", "," + json.dumps({"port": port, **settings})[1:-1] if is_late else "")
        self._settled = True

    def refused(self, reason: str) -> None:
        self._head({})
        self._edge("refused", f',"reason":{json.dumps(reason)}')

    def received(self, octets: bytes) -> None:
        self._octets("device", octets)

    def sent(self, octets: bytes) -> None:
        self._octets("host", octets)

    def closed(self, by: str, reason: str) -> None:
        self._edge("closed", f',"by":"{by}","reason":{json.dumps(reason)}')

    def _head(self, settings: Mapping[str, int | str]) -> None:
        if not self._headed:
            self._headed = True
            self._recording.header(self._wire, {"device": self._driver, **settings})

    def _octets(self, source: str, octets: bytes) -> None:
        at = self._recording.now()
        self._recording.line(self._wire, f'{{"t":{at / 1e6:.6f},"from":"{source}","hex":"{octets.hex()}"}}')

    def _edge(self, edge: str, more: str) -> None:
        at = self._recording.now()
        self._recording.line(self._wire, f'{{"t":{at / 1e6:.6f},"from":"link","edge":"{edge}"{more}}}')


def _create(path: Path) -> Any:
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, ONLY_OWNER), "wb", buffering=0)


def _put(file: Any, octets: bytes) -> None:
    rest = memoryview(octets)
    while rest:
        rest = rest[file.write(rest) :]
