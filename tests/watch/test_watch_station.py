"""`dealer-station watch` beside a real station that is killed and started again, on a terminal and off one."""

import os
import pty
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.interruptible import interruptible
from tests.station.processes import Daemon, ended_at_last, lone_daemon, patiently
from tests.station.screen import entered, post

PATIENCE_SECONDS = 40.0
BACK_FROM_THE_SCREEN = b"\x1b[?1049l"


class Watching:
    """A running watch and what it has printed so far; on a terminal of its own where `terminal` says so."""

    def __init__(self, address: tuple[str, int], terminal: bool) -> None:
        command = interruptible("controller", "watch", "--url", f"http://{address[0]}:{address[1]}")
        environment = {**os.environ, "TERM": "xterm", "COLUMNS": "120", "LINES": "50"}
        read, write = pty.openpty() if terminal else os.pipe()
        self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=write, stderr=write, env=environment)
        os.close(write)
        self.printed = b""
        self._reading = threading.Thread(target=self._read, args=(read,))
        self._reading.start()

    def _read(self, descriptor: int) -> None:
        with open(descriptor, "rb", buffering=0) as pipe:
            try:
                while octets := pipe.read(65536):
                    self.printed += octets
            except OSError:
                pass  # a terminal whose last user has left

    def wait(self, text: str) -> None:
        """Wait until it has printed this."""
        patiently(lambda: text.encode() in self.printed, PATIENCE_SECONDS, text)

    def interrupt(self) -> int:
        """Ctrl-C; the exit code."""
        self._process.send_signal(signal.SIGINT)
        code = self._process.wait(PATIENCE_SECONDS)
        self._reading.join()
        return code

    def stop(self) -> None:
        """End it, if it runs."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        self._reading.join()


@contextmanager
def watched(address: tuple[str, int], terminal: bool) -> Iterator[Watching]:
    watching = Watching(address, terminal)
    try:
        yield watching
    finally:
        watching.stop()


def opened(daemon: Daemon) -> None:
    assert post(daemon.address, entered(daemon.wait_answering(), "open_table"))[0] == 200


def test_the_watch_waits_for_a_station_follows_it_and_survives_its_restart(tmp_path: Path) -> None:
    daemon = lone_daemon(tmp_path)
    with ended_at_last(daemon), watched(daemon.address, False) as plain, watched(daemon.address, True) as live:
        for screen in (plain, live):
            screen.wait("Connection refused; trying again")
        daemon.start()
        for screen in (plain, live):
            screen.wait("The table is closed. Open it to begin.")
        opened(daemon)
        for screen in (plain, live):
            screen.wait("the table is open")
        refusals = plain.printed.count(b"trying again")
        daemon.kill()
        patiently(lambda: plain.printed.count(b"trying again") > refusals, PATIENCE_SECONDS, "the daemon away")
        daemon.start()
        plain.wait("answers again")
        begins = entered(daemon.wait_answering(), "begin_round")
        assert post(daemon.address, begins)[0] == 200
        for screen in (plain, live):
            screen.wait("round 1 begins")
        assert (plain.interrupt(), live.interrupt()) == (130, 130)
        assert BACK_FROM_THE_SCREEN in live.printed[-40:]
        assert b"\x1b" not in plain.printed and b"Traceback" not in plain.printed + live.printed
