"""The camera: what really happened on the felt, one JSON object a line, never anything the station reported."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

TIMED = ("lock_in", "fault", "stalled")


class Camera:
    """Writes and flushes line by line; without a file it only counts rounds. `watch` also gets every event."""

    def __init__(self, path: Path | None = None) -> None:
        self.round = 0
        self.watch: Callable[[str, dict[str, object]], None] = lambda event, what: None
        self._began = time.monotonic()
        self._file: TextIO | None = path.open("w", encoding="utf-8", buffering=1) if path else None

    def round_begin(self, source: str) -> None:
        """Count a new round, with its card source; lines before the first carry round 0."""
        self.round += 1
        self.saw("round_begin", source=source)

    def saw(self, event: str, **what: object) -> None:
        """Writes one line; with its time if a duration matters."""
        self.watch(event, what)
        if self._file:
            at = {"t": round(time.monotonic() - self._began, 3)} if event in TIMED else {}
            line = {"round": self.round, "event": event, **what, **at}
            self._file.write(json.dumps(line, ensure_ascii=False) + "\n")

    def close(self) -> None:
        """Stop filming."""
        if self._file:
            self._file.close()
