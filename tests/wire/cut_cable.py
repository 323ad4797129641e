"""A serial server of RFC 2217 with a sign behind it, and a cable that is cut."""

import asyncio
import fcntl
import os
import socket
import struct
import subprocess
import sys
import threading
import tty
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

import serial
import serial.rfc2217

from drivers.alpha.serial_sign import SerialSign
from drivers.device import DeviceMessage
from drivers.messages import LinkLost, LinkUp
from drivers.orders import SignFace
from drivers.ports import network


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


PATIENCE_SECONDS = 60.0
SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8913, 0x8914, 1  # linux/sockios.h, linux/if.h
CUT = (
    "add table ip cut; add chain ip cut out {{ type filter hook output priority 0; }}; "
    "add rule ip cut out tcp dport {} drop"
)


def bring_up_loopback() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        name, flags = struct.unpack("16sH", fcntl.ioctl(any_socket, SIOCGIFFLAGS, struct.pack("16sH", b"lo", 0)))
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sH", name, flags | IFF_UP))


@contextmanager
def server(scheme: str) -> Iterator[int]:
    if scheme == "rfc2217":
        near, far = os.openpty()
        tty.setraw(far)
        with serving(os.ttyname(far)) as port:
            yield port
        os.close(near)
        os.close(far)
        return
    with socket.create_server(("127.0.0.1", 0)) as listener:  # the kernel takes what comes
        yield listener.getsockname()[1]


async def watch(address: str, port: int, written: bool) -> None:
    over = asyncio.Event()
    sign = SerialSign(port=address, framing="8N1", packet_pause_seconds=0.0)

    def receive(report: DeviceMessage) -> None:
        message = report.message
        print(type(message).__name__, *([message.cause] if isinstance(message, LinkLost) else []), flush=True)
        if isinstance(message, LinkUp):
            subprocess.run(["nft", CUT.format(port)], check=True)
        else:
            over.set()

    running = asyncio.create_task(sign.run(receive))
    async with asyncio.timeout(PATIENCE_SECONDS):
        amount = 0
        while not over.is_set():
            sign.order(SignFace(("{amount}",), str(amount)))
            amount += written
            await asyncio.sleep(0.3)
    running.cancel()


def main() -> None:
    scheme, traffic = sys.argv[1:]
    warnings.simplefilter("ignore", DeprecationWarning)  # pyserial's own
    bring_up_loopback()
    network.GONE_SECONDS, network.KEEPALIVE_IDLE_SECONDS, network.KEEPALIVE_EVERY_SECONDS = 3.0, 1, 1
    with server(scheme) as port:
        more = "?timeout=60" if scheme == "rfc2217" else ""  # to pyserial; it waits for 3 otherwise
        asyncio.run(watch(f"{scheme}://127.0.0.1:{port}{more}", port, traffic == "written"))
        os._exit(0)  # pyserial's server waits for its own connection


if __name__ == "__main__":
    main()
