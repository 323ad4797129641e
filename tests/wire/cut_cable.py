"""A sign behind a serial server, and a cable that is cut.

``python -m tests.wire.cut_cable socket|rfc2217 idle|written`` needs a network of its own. It prints what the link
reports.
"""

import asyncio
import fcntl
import os
import socket
import struct
import subprocess
import sys
import tty
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from drivers.alpha.serial_sign import SerialSign
from drivers.device import DeviceMessage
from drivers.messages import LinkLost, LinkUp
from drivers.orders import SignFace
from drivers.ports import network
from tests.wire.rfc2217_server import serving

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
        asyncio.run(watch(f"{scheme}://127.0.0.1:{port}", port, traffic == "written"))
        os._exit(0)  # pyserial's server waits for its own connection


if __name__ == "__main__":
    main()
