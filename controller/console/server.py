"""The web server inside the station's loop: uvicorn without its signal handlers."""

import asyncio
import logging
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import cast

import uvicorn
from starlette.types import ASGIApp

from controller.console.acceptor import Acceptor
from controller.console.connections import Connection, ConnectionLimits, Connections
from controller.console.gate import Gate
from controller.console.listening import bound_socket, kept_socket
from controller.console.sessions import Credential

KEEP_ALIVE_SECONDS = 5
GRACE_SECONDS = 1  # open streams are cut after this: they have no end of their own

App = ASGIApp


class _NoCuts(logging.Filter):
    """Keeps connections that are cut at the end of the grace period out of the application's log of failures."""

    def filter(self, record: logging.LogRecord) -> bool:
        cut = record.exc_info is not None and isinstance(record.exc_info[1], asyncio.CancelledError)
        return not cut and not record.getMessage().startswith("Cancel ")


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, acceptor: Acceptor) -> None:
        super().__init__(config)
        self.answers = asyncio.Event()
        self._acceptor = acceptor

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        # Not uvicorn's own, whose server accepts whatever comes, at once.
        self.servers = []
        protocol = cast(type[Connection], self.config.http_protocol_class)
        self._acceptor.start(partial(protocol, self.config, self.server_state, self.lifespan.state))
        self.started = True
        self.answers.set()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._acceptor.close()
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        # SIGTERM ends the station in its own order; uvicorn would take it for itself.
        yield


class ConsoleServer:
    """Serves the app on one address until `stop`; `gate` knows who is logged in.

    `kept` says whether the address remains reserved while the station restarts.
    """

    def __init__(
        self, app: App, address: tuple[str, int], gate: Gate | None, limits: ConnectionLimits | None = None
    ) -> None:
        def signed_in(credential: Credential) -> bool:
            # Where no one logs in, no one is a stranger.
            return gate is None or gate.stranger(credential) is None

        connections = Connections(limits or ConnectionLimits(), signed_in)

        class Limited(Connection):
            everybody = connections

        errors = logging.getLogger("uvicorn.error")
        if not any(isinstance(known, _NoCuts) for known in errors.filters):
            errors.addFilter(_NoCuts())
        kept = kept_socket(address, "console.listen")
        self.kept = kept is not None
        self._acceptor = Acceptor(kept or bound_socket(address, "console.listen"), connections)
        self._server = _Server(
            uvicorn.Config(
                app,
                http=Limited,
                timeout_keep_alive=KEEP_ALIVE_SECONDS,
                log_config=None,
                access_log=False,
                lifespan="off",
                timeout_graceful_shutdown=GRACE_SECONDS,
                ws="none",
                server_header=False,
            ),
            self._acceptor,
        )

    async def run(self) -> None:
        """Serve until stopped."""
        await self._server.serve()

    async def answers(self) -> None:
        """Wait until connections are answered."""
        await self._server.answers.wait()

    def close(self) -> None:
        """Release the address, if it was never served."""
        self._acceptor.close()

    def stop(self) -> None:
        """Let `run` return soon."""
        self._server.should_exit = True
