"""Relays between a simulated device and the daemon that put noise between the device's frames."""

import contextlib
import os
import random
import select
import socket
import struct
import threading
import tty
from pathlib import Path

IDLE_SECONDS = 0.02
MOST_NOISE = 40  # octets at once
READ, WRITE = 5, 4  # operations of the simulated USB cable (its module in the bench)
REPORT_OCTETS = 8


class NoisySerial:
    """A pty named `noisy-NAME`; what the device at NAME sends comes out of it with random bytes between its frames.

    The daemon's own bytes go through unharmed: noise is what a host receives. `ends` may close what noise has begun:
    on the shuffler's link a frame ends with 00, and noise without one spoils the frame after it.
    """

    def __init__(self, directory: Path, name: str, seed: int, share: float, ends: bytes = b"") -> None:
        self.octets = 0
        self._random = random.Random(seed)
        self._share, self._ends = share, ends
        self._near, self._far = os.openpty()
        tty.setraw(self._far)
        self._device = os.open(directory / name, os.O_RDWR | os.O_NOCTTY)
        (directory / f"noisy-{name}").symlink_to(os.ttyname(self._far))
        self._stop, self._stopped = os.pipe()
        self._thread = threading.Thread(target=self._relay)
        self._thread.start()

    def stop(self) -> None:
        """Cut the wire."""
        os.write(self._stopped, b".")
        self._thread.join()
        for end in (self._near, self._far, self._device, self._stop, self._stopped):
            os.close(end)

    def _relay(self) -> None:
        while True:
            ready, _, _ = select.select([self._stop, self._device, self._near], [], [], IDLE_SECONDS)
            if self._stop in ready:
                return
            if self._near in ready:
                os.write(self._device, os.read(self._near, 4096))
            frames = os.read(self._device, 4096) if self._device in ready else b""
            os.write(self._near, self._noise() + frames)

    def _noise(self) -> bytes:
        if self._random.random() >= self._share:
            return b""
        noise = self._random.randbytes(self._random.randint(1, MOST_NOISE))
        if self._random.random() < 0.7:
            noise += self._ends
        self.octets += len(noise)
        return noise


class NoisyUsb:
    """A USB cable on the socket `noisy-NAME`; before the device's own report comes now and then one of random bytes.

    None of them looks like an answer: a report that does is the device's are, not the wire's noise.
    """

    def __init__(self, directory: Path, name: str, seed: int, share: float) -> None:
        self.reports = 0
        self._random = random.Random(seed)
        self._share = share
        self._device = str(directory / name)
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(directory / f"noisy-{name}"))
        self._listener.listen()
        self._open: list[socket.socket] = []
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    def stop(self) -> None:
        """Pull the cable."""
        for line in (self._listener, *self._open):
            with contextlib.suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)
            line.close()
        for thread in self._threads:
            thread.join()

    def _accept(self) -> None:
        while True:
            try:
                host, _ = self._listener.accept()
            except OSError:
                return
            device = socket.socket(socket.AF_UNIX)
            device.connect(self._device)
            self._open += [host, device]
            thread = threading.Thread(target=self._serve, args=(host, device))
            self._threads.append(thread)
            thread.start()

    def _serve(self, host: socket.socket, device: socket.socket) -> None:
        try:
            while True:
                asked = _message(host)
                if asked[0] == READ and self._random.random() < self._share:
                    self.reports += 1
                    noise = bytes([self._random.choice((0, 2, 0xFF))]) + self._random.randbytes(REPORT_OCTETS - 1)
                    host.sendall(struct.pack(">Hb", 1 + len(noise), 0) + noise)
                    continue
                device.sendall(struct.pack(">H", len(asked)) + asked)
                answer = _message(device)
                host.sendall(struct.pack(">H", len(answer)) + answer)
        except OSError:
            host.close()
            device.close()


def _message(line: socket.socket) -> bytes:
    (length,) = struct.unpack(">H", _exactly(line, 2))
    return _exactly(line, length)


def _exactly(line: socket.socket, count: int) -> bytes:
    received = b""
    while len(received) < count:
        piece = line.recv(count - len(received))
        if not piece:
            raise ConnectionError
        received += piece
    return received
