"""pyserial's own server side of RFC 2217, over a tty."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

import serial
import serial.rfc2217


@contextmanager
def serving(tty_path: str) -> Iterator[int]:
    """A serial server of one connection on the loopback interface; gives its port."""
    listener = socket.create_server(("127.0.0.1", 0))
    over = threading.Event()

    def serve() -> None:
        tty = serial.Serial(tty_path, timeout=0.02)
        connection, _ = listener.accept()
        connection.settimeout(0.01)
        modem, network = cast(Any, _NoModem(tty)), cast(Any, _Network(connection))
        redirector = serial.rfc2217.PortManager(modem, network)
        while not over.is_set():
            if octets := tty.read(tty.in_waiting or 1):
                connection.sendall(b"".join(redirector.escape(octets)))
            try:
                if octets := connection.recv(100):
                    tty.write(b"".join(redirector.filter(octets)))
            except TimeoutError:
                pass
        connection.close()
        tty.close()

    server = threading.Thread(target=serve)
    server.start()
    try:
        yield listener.getsockname()[1]
    finally:
        over.set()
        server.join()
        listener.close()


class _Network:
    def __init__(self, connection: socket.socket) -> None:
        self.write = connection.sendall


class _NoModem:
    """A pty has no modem lines; the server of pyserial asks for them."""

    cts = dsr = ri = cd = False

    def __init__(self, tty: serial.Serial) -> None:
        object.__setattr__(self, "tty", tty)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.tty, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in ("dtr", "rts", "break_condition"):
            setattr(self.tty, name, value)
