"""Either end of HTTP/1.1 over a stream of asyncio. h11 has the protocol."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Self

import h11

READ_OCTETS = 65536
Fields = Mapping[str, str]
BROKEN = (OSError, ValueError, h11.ProtocolError)  # how an exchange ends that has no answer


def host_field(host: str, port: int) -> str:
    """An address as the Host field and an URL have it.

    >>> host_field("127.0.0.1", 8080), host_field("::1", 8080)
    ('127.0.0.1:8080', '[::1]:8080')
    """
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


class HttpStream:
    """One connection. Calls that wait raise OSError, or h11.RemoteProtocolError if the other end breaks the
    protocol.
    """

    def __init__(
        self, connection: h11.Connection, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, octets: int
    ) -> None:
        self._connection, self._reader, self._writer, self._octets = connection, reader, writer, octets

    async def event(self) -> object:
        """The next event of the other end, an event of h11."""
        while (event := self._connection.next_event()) is h11.NEED_DATA:
            self._connection.receive_data(await self._reader.read(self._octets))
        return event

    async def body(self) -> AsyncIterator[bytes]:
        """The body of what was just received, piece by piece."""
        while isinstance(event := await self.event(), h11.Data):
            yield bytes(event.data)

    async def whole(self) -> bytes:
        """The body of what was just received."""
        return b"".join([piece async for piece in self.body()])

    async def send(self, *events: h11.Event) -> None:
        """Sends these events."""
        for event in events:
            self._writer.write(self._connection.send(event) or b"")
        await self._writer.drain()

    def close(self) -> None:
        """Closes the connection."""
        self._writer.close()


class HttpClient(HttpStream):
    """Sends requests, as often as the other end allows."""

    def __init__(self, host: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        super().__init__(h11.Connection(h11.CLIENT), reader, writer, READ_OCTETS)
        self._host = host

    @classmethod
    async def connect(cls, host: str, port: int) -> Self:
        """Raises OSError."""
        reader, writer = await asyncio.open_connection(host, port)
        return cls(host_field(host, port), reader, writer)

    async def ask(
        self, method: str, target: str, fields: Fields | None = None, body: bytes | None = None
    ) -> h11.Response:
        """Sends a request; returns the head of the response, whose body the caller reads. A body is sent with its
        length.
        """
        headers = {"Host": self._host, **(fields or {})}
        if body is not None:
            headers.setdefault("Content-Length", str(len(body)))
        await self.send(
            h11.Request(method=method, target=target, headers=list(headers.items())),
            h11.Data(data=body or b""),
            h11.EndOfMessage(),
        )
        answer = await self.event()
        if not isinstance(answer, h11.Response):
            raise h11.RemoteProtocolError(f"no answer to {method} {target}")
        return answer

    def asks_again(self) -> bool:
        """Prepare for the next request after the last answer was read; False if the server closes the connection."""
        if self._connection.our_state is h11.DONE:
            self._connection.start_next_cycle()
        return self._connection.our_state is h11.IDLE


@asynccontextmanager
async def asked(
    address: tuple[str, int], method: str, target: str, fields: Fields | None = None, body: bytes | None = None
) -> AsyncIterator[tuple[h11.Response, HttpClient]]:
    """One request on a connection of its own: the head of the response, and the stream of its body."""
    client = await HttpClient.connect(*address)
    try:
        yield await client.ask(method, target, fields, body), client
    finally:
        client.close()
