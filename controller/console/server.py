"""The web server inside the station's loop: uvicorn without its hold on the process's signals."""

import asyncio
import logging
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp

from controller.console.connections import AT_ONCE, Connection, ConnectionLimits, Connections, Listener
from controller.console.gate import Gate
from controller.console.listening import bound_socket, kept_socket
from controller.console.session_routes import is_signed_in

KEEP_ALIVE_SECONDS = 5
GRACE_SECONDS = 1  # open streams are cut after this: they have no end of their own

App = ASGIApp


class _NoCuts(logging.Filter):
    """What is cut when the grace is over is no failure of the application."""

    def filter(self, record: logging.LogRecord) -> bool:
        cut = record.exc_info is not None and isinstance(record.exc_info[1], asyncio.CancelledError)
        return not cut and not record.getMessage().startswith("Cancel ")


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

        errors = logging.getLogger("uvicorn.error")
        if not any(isinstance(one, _NoCuts) for one in errors.filters):
            errors.addFilter(_NoCuts())
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
