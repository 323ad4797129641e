"""The web server inside the station's loop: uvicorn without its hold on the process's signals."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from starlette.applications import Starlette

GRACE_SECONDS = 1  # open streams are cut after this: they have no end of their own


class CannotListen(Exception):
    """The address is taken or not this machine's."""


def check_free(address: str) -> None:
    """Raise CannotListen where somebody listens on host:port already."""
    host, _, port = address.rpartition(":")
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host.strip("[]"), int(port)))
        except OSError as error:
            raise CannotListen(f"{address}: {error.strerror}") from None


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        # SIGTERM ends the station in its own order; uvicorn would take it for itself.
        yield


class ConsoleServer:
    """Serves the app on one address until `stop`."""

    def __init__(self, app: Starlette, address: tuple[str, int]) -> None:
        host, port = address
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        # The protocol named, asyncio sets TCP_NODELAY; left at 0 it does not, and every answer waits 40 ms for an ACK.
        self._socket = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        try:
            self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            self._socket.bind((host, port))
        except OSError as error:
            self._socket.close()
            raise CannotListen(f"console.listen = {host}:{port}: {error.strerror}") from None
        self._server = _Server(
            uvicorn.Config(
                app,
                log_config=None,
                access_log=False,
                lifespan="off",
                timeout_graceful_shutdown=GRACE_SECONDS,
                ws="none",
                server_header=False,
            )  # fmt: skip
        )

    async def run(self) -> None:
        """Serve until stopped."""
        await self._server.serve(sockets=[self._socket])

    def close(self) -> None:
        """Give the address back, if it was never served."""
        self._socket.close()

    def stop(self) -> None:
        """Let `run` return soon."""
        self._server.should_exit = True
