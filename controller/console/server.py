"""The web server inside the station's loop: uvicorn without its hold on the process's signals."""

import asyncio
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp

from controller.console.connections import AT_ONCE, Connection, ConnectionLimits, Connections, Listener
from controller.console.gate import Gate
from controller.console.session_routes import is_signed_in

KEEP_ALIVE_SECONDS = 5
FIRST_KEPT = 3  # descriptor
GRACE_SECONDS = 1  # open streams are cut after this: they have no end of their own

App = ASGIApp


class CannotListen(Exception):
    """The address is taken or not this machine's."""


def bound_socket(address: tuple[str, int], named: str) -> socket.socket:
    """A socket that holds the address of a setting. Raises CannotListen where it is taken or not this machine's."""
    host, port = address
    # The protocol named, asyncio sets TCP_NODELAY; left at 0 it does not, and every answer waits 40 ms for an ACK.
    bound = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((host, port))
    except OSError as error:
        bound.close()
        raise CannotListen(f"{named} = {host}:{port}: {error.strerror}") from None
    return bound


def kept_socket(address: tuple[str, int], named: str) -> socket.socket | None:
    """The socket that the service manager keeps while the station restarts (sd_listen_fds protocol), if it has one.

    Raises CannotListen where it listens elsewhere than the setting says.
    """
    if os.environ.get("LISTEN_PID") != str(os.getpid()) or os.environ.get("LISTEN_FDS") != "1":
        return None
    for name in ("LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"):
        os.environ.pop(name, None)
    os.set_inheritable(FIRST_KEPT, False)
    kept = socket.socket(fileno=FIRST_KEPT)
    if kept.getsockname()[:2] != address:
        host, port = kept.getsockname()[:2]
        kept.close()
        raise CannotListen(f"{named} = {address[0]}:{address[1]}: the socket unit listens at {host}:{port}")
    return kept


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.answers = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.answers.set()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        # SIGTERM ends the station in its own order; uvicorn would take it for itself.
        yield


class ConsoleServer:
    """Serves the app on one address until `stop`; `gate` knows who is logged in.

    `kept` says whether the address stays the station's while it restarts.
    """

    def __init__(
        self, app: App, address: tuple[str, int], gate: Gate | None, limits: ConnectionLimits | None = None
    ) -> None:
        connections = Connections(limits or ConnectionLimits(), lambda scope: is_signed_in(gate, scope))

        class Limited(Connection):
            everybody = connections

        kept = kept_socket(address, "console.listen")
        self.kept = kept is not None
        self._socket = Listener(kept or bound_socket(address, "console.listen"), connections.crowded)
        self._server = _Server(
            uvicorn.Config(
                app,
                http=Limited,
                backlog=AT_ONCE,
                timeout_keep_alive=KEEP_ALIVE_SECONDS,
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

    async def answers(self) -> None:
        """Wait until whoever connects is answered."""
        await self._server.answers.wait()

    def close(self) -> None:
        """Give the address back, if it was never served."""
        self._socket.close()

    def stop(self) -> None:
        """Let `run` return soon."""
        self._server.should_exit = True
