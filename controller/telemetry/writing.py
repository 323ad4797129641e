"""A thread that writes to a descriptor whose reader may stop at any time: no one else waits for the reader."""

import os
import sys
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import TextIO

MOST_LINES = 10_000
MOST_CHARACTERS = 4_000_000


class TextWriter:
    """Writes texts to a descriptor. Safe from any thread.

    While too much text waits, new text is dropped and counted, until the waiting text is written; then follows the text
    that `lost` makes of the count. `failure` is the reason if the descriptor can no longer be written.
    """

    def __init__(self, descriptor: int, lost: Callable[[int], str], encoding: str = "utf-8") -> None:
        self.encoding = encoding
        self.failure: OSError | None = None
        self._descriptor, self._lost = descriptor, lost
        self._texts: deque[str] = deque()
        self._buffered = self._dropped = 0
        self._writing = False
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    def write(self, text: str) -> None:
        """Takes a text, or counts it as dropped; never waits."""
        with self._changed:
            if self._dropped or len(self._texts) >= MOST_LINES or self._buffered + len(text) > MOST_CHARACTERS:
                self._dropped += 1
                return
            self._texts.append(text)
            self._buffered += len(text)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def wait(self, seconds: float | None = None) -> None:
        """Waits until everything is written, but no longer than `seconds`."""
        with self._changed:
            self._changed.wait_for(lambda: not self._texts and not self._writing, seconds)

    def _run(self) -> None:
        while True:
            content = self._next().encode(self.encoding, errors="replace")
            try:
                # Past Python's own stream: its lock would be kept for as long as the descriptor blocks.
                while content:
                    content = content[os.write(self._descriptor, content) :]
                self.failure = None
            except OSError as failure:
                self.failure = failure

    def _next(self) -> str:
        with self._changed:
            self._writing = False
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._texts)
            text, self._writing = self._texts.popleft(), True
            self._buffered -= len(text)
            if not self._texts and self._dropped:
                text, self._dropped = text + self._lost(self._dropped), 0
            return text


class PrintedText:
    """A text file for `print`: text for a standard stream of the process is written by a thread.

    `stream` returns the present stream; a stream in memory gets the text at once.
    """

    def __init__(self, descriptor: int, stream: Callable[[], TextIO], lost: Callable[[int], str]) -> None:
        self.writer = TextWriter(descriptor, lost)
        self._descriptor, self._stream = descriptor, stream

    def write(self, text: str) -> int:
        """Raises OSError once the descriptor takes no more."""
        if not self.is_real():
            return self._stream().write(text)
        self.writer.write(text)
        if self.writer.failure is not None:
            raise self.writer.failure
        return len(text)

    def flush(self) -> None:
        """Does nothing: a line that was accepted is already on its way."""

    def isatty(self) -> bool:
        """Whether a person reads the stream."""
        return self._stream().isatty()

    @property
    def encoding(self) -> str:
        """The encoding of the stream."""
        return self._stream().encoding

    def is_real(self) -> bool:
        """Whether the stream is the process's own."""
        with suppress(OSError, ValueError):
            self.writer.encoding = self.encoding
            return self._stream().fileno() == self._descriptor
        return False


def stdout_aside(lost: Callable[[int], str]) -> PrintedText:
    """Standard output at the time of the write, and not as it was at the start."""
    return PrintedText(1, lambda: _own(sys.stdout), lost)


def stderr_aside(lost: Callable[[int], str]) -> PrintedText:
    """Standard error likewise."""
    return PrintedText(2, lambda: _own(sys.stderr), lost)


def _own(stream: TextIO) -> TextIO:
    """The stream itself: Rich puts itself before it while it draws."""
    own: TextIO = getattr(stream, "rich_proxied_file", stream)
    return own
