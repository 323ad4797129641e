"""The MQTT broker of a bench: mosquitto as a child process, or amqtt in this one."""

import asyncio
import ctypes
import shutil
import signal
import socket
import subprocess
from pathlib import Path
from typing import Any

MOSQUITTO_OFF_THE_PATH = Path("/usr/sbin/mosquitto")  # where Debian puts it, not on every user's PATH
START_SECONDS = 60.0  # on a busy machine too
PR_SET_PDEATHSIG = 1
AMQTT_CONNECTIONS = 100

MOSQUITTO_CONFIGURATION = """\
listener {port} 127.0.0.1
allow_anonymous true
persistence false
max_queued_messages 100000
max_packet_size 65536
set_tcp_nodelay true
"""


class BrokerFailed(Exception):
    """No broker could be started; the text says why."""


def find_mosquitto() -> Path | None:
    """Debian's mosquitto, if it is installed."""
    found = shutil.which("mosquitto")
    if found:
        return Path(found)
    return MOSQUITTO_OFF_THE_PATH if MOSQUITTO_OFF_THE_PATH.exists() else None


def free_port() -> int:
    """A TCP port on the loopback interface that no one uses now.

    No other program gets it by chance as long as this process lives; a program that asks for its number can listen
    there.
    """
    probe = socket.socket()
    probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    probe.bind(("127.0.0.1", 0))
    port: int = probe.getsockname()[1]
    probe.detach()  # never closed
    return port


class Mosquitto:
    """A mosquitto that ends with the bench, even when the bench is killed."""

    protocol = "5"

    def __init__(self, program: Path, directory: Path, port: int) -> None:
        self._program = program
        self._directory = directory
        self._port = port
        self._process: subprocess.Popen[bytes] | None = None

    async def start(self) -> None:
        """Starts the broker and waits until it listens. Raises BrokerFailed."""
        log = self._directory / "mosquitto.log"
        self._process = process = self._spawn(log)
        try:
            async with asyncio.timeout(START_SECONDS):
                while not await is_listening(self._port):
                    if process.poll() is not None:
                        raise BrokerFailed(f"mosquitto ended at once, see {log}")
                    await asyncio.sleep(0.02)
        except TimeoutError:
            raise BrokerFailed(f"mosquitto does not listen on port {self._port}, see {log}") from None

    def _spawn(self, log: Path) -> subprocess.Popen[bytes]:
        configuration = self._directory / "mosquitto.conf"
        configuration.write_text(MOSQUITTO_CONFIGURATION.format(port=self._port), encoding="utf-8")
        with log.open("wb") as output:
            return subprocess.Popen(
                [self._program, "-c", configuration],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                preexec_fn=end_with_parent,
            )

    async def stop(self) -> None:
        """Ends the broker."""
        if self._process:
            self._process.kill()  # mosquitto loses a SIGTERM that comes while it starts
            self._process.wait(timeout=60)


class Amqtt:
    """amqtt inside this process: MQTT 3.1.1 only."""

    protocol = "3.1.1"

    def __init__(self, port: int) -> None:
        self._port = port
        self._broker: Any = None

    async def start(self) -> None:
        """Starts the broker. Raises BrokerFailed if amqtt is not installed or does not start."""
        try:
            from amqtt.broker import Broker
        except ImportError:
            raise BrokerFailed("neither mosquitto nor amqtt is installed; install one or name a --broker") from None
        self._broker = Broker(
            {
                "listeners": {
                    "default": {"type": "tcp", "bind": f"127.0.0.1:{self._port}", "max_connections": AMQTT_CONNECTIONS}
                },
                "plugins": {"amqtt.plugins.authentication.AnonymousAuthPlugin": {"allow_anonymous": True}},
            }
        )
        try:
            await self._broker.start()
        except Exception as failure:  # amqtt raises its own kinds and those of its plugins
            raise BrokerFailed(f"amqtt did not start: {failure}") from failure

    async def stop(self) -> None:
        """Ends the broker."""
        if self._broker:
            await self._broker.shutdown()


def end_with_parent() -> None:
    """In the child: ask Linux for SIGTERM when the bench dies."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


async def is_listening(port: int) -> bool:
    """Whether a program accepts connections on this loopback port."""
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    writer.close()
    return True
