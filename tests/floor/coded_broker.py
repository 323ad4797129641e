"""A broker of MQTT 5 that answers with the code that a test is about."""

import asyncio
from collections.abc import Callable
from typing import Self

from tests.floor.moody_broker import CONNECT, PINGREQ, PINGRESP, PUBLISH, SUBSCRIBE, UNSUBSCRIBE, read_packet


class CodedBroker:
    """Gives these codes: in its CONNACK, of a PUBLISH, or in a DISCONNECT once it has let a client in."""

    def __init__(self, connack: int = 0, puback: int = 0, disconnect: int | None = None, old: bool = False) -> None:
        self._connack, self._puback, self._disconnect, self._old = connack, puback, disconnect, old
        self.published: list[str] = []  # topics, in order
        self._changed = asyncio.Event()
        self.before_acknowledgement: dict[str, bytes] = {}  # what someone else publishes first, once for each topic

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port: int = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until this is true of `published`."""
        while not condition():
            self._changed.clear()
            await self._changed.wait()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                kind, _, body = await read_packet(reader)
                if kind == CONNECT and self._old:  # a broker of MQTT 3.1.1 (3.1.2.2)
                    writer.write(b"\x20\x02\x00\x01")
                    return
                if kind == CONNECT:
                    writer.write(bytes([0x20, 3, 0, self._connack, 0]))
                    if self._connack:
                        return
                    if self._disconnect is not None:
                        writer.write(bytes([0xE0, 2, self._disconnect, 0]))
                        return
                elif kind == PINGREQ:
                    writer.write(PINGRESP)
                elif kind == SUBSCRIBE:
                    writer.write(bytes([0x90, 4]) + body[:2] + b"\x00\x01")
                elif kind == UNSUBSCRIBE:
                    writer.write(bytes([0xB0, 4]) + body[:2] + b"\x00\x00")
                elif kind == PUBLISH:
                    end = 2 + int.from_bytes(body[:2])
                    topic = body[2:end].decode()
                    self.published.append(topic)
                    self._changed.set()
                    if (foreign := self.before_acknowledgement.pop(topic, None)) is not None:
                        writer.write(bytes([0x30, end + 1 + len(foreign)]) + body[:end] + b"\x00" + foreign)
                    writer.write(bytes([0x40, 4]) + body[end : end + 2] + bytes([self._puback, 0]))
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()
