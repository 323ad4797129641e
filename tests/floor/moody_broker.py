"""Brokers that do what a test wants: take, hang up, are mute, answer with a code; and a relay that falls silent."""

import asyncio
import threading
from collections.abc import Callable
from typing import Self

CONNECT, PUBLISH, SUBSCRIBE, UNSUBSCRIBE, PINGREQ = 1, 3, 8, 10, 12
SUBACK, UNSUBACK = 0x90, 0xB0
CONNACK, PUBACK, PINGRESP = b"\x20\x02\x00\x00", b"\x40\x02", b"\xd0\x00"

Takes = Callable[[str, bytes], bool]


class ScriptedBroker:
    """Reads packets and answers pings; `answer` does the rest, and returns whether the connection stays open."""

    def __init__(self) -> None:
        self._changed = asyncio.Event()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port: int = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until this holds after something came."""
        while not condition():
            self._changed.clear()
            await self._changed.wait()

    async def answer(self, kind: int, retained: bool, body: bytes, writer: asyncio.StreamWriter) -> bool:
        raise NotImplementedError

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            stays = True
            while stays:
                kind, retained, body = await read_packet(reader)
                if kind == PINGREQ:
                    writer.write(PINGRESP)
                else:
                    stays = await self.answer(kind, retained, body, writer)
                self._changed.set()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()
            self._changed.set()


class MoodyBroker(ScriptedBroker):
    """Lets everybody in; `messages` is what it took, in order. `takes` may be another one at any time.

    While it is `mute`, it takes no message and answers none. It answers once more than `late` messages wait for it; a
    retained one waits for no other.
    """

    def __init__(self, takes: Takes) -> None:
        super().__init__()
        self.takes = takes
        self.mute = False
        self.late = 0
        self.messages: list[tuple[str, bytes]] = []
        self.connections = 0
        self.hung_up = 0
        self._writer: asyncio.StreamWriter | None = None
        self._answers: list[bytes] = []

    async def __aexit__(self, *_: object) -> None:
        await super().__aexit__()
        self.hang_up()

    def hang_up(self) -> None:
        """Close the connection there is."""
        if self._writer is not None:
            self._writer.close()

    async def answer(self, kind: int, retained: bool, body: bytes, writer: asyncio.StreamWriter) -> bool:
        if kind == CONNECT:
            self.connections += 1
            self._writer, self._answers = writer, []
            writer.write(CONNACK)
        elif kind == SUBSCRIBE:
            writer.write(_answer(SUBACK, body[:2], bytes(_count_topics(body))))
        elif kind == UNSUBSCRIBE:
            writer.write(_answer(UNSUBACK, body[:2]))
        elif kind == PUBLISH and not self.mute:
            end = 2 + int.from_bytes(body[:2])
            topic, packet, payload = body[2:end].decode(), body[end : end + 2], body[end + 2 :]
            if not self.takes(topic, payload):
                self.hung_up += 1
                return False
            self.messages.append((topic, payload))
            if retained:
                writer.write(PUBACK + packet)
                return True
            self._answers.append(PUBACK + packet)
            if len(self._answers) > self.late:
                writer.write(b"".join(self._answers))
                self._answers.clear()
        return True


def _answer(kind: int, packet: bytes, codes: bytes = b"") -> bytes:
    return bytes([kind, len(packet + codes)]) + packet + codes


def _count_topics(subscribe: bytes) -> int:
    """How many topics a SUBSCRIBE has; each is its length, itself and its QoS."""
    at, count = 2, 0
    while at < len(subscribe):
        at += 2 + int.from_bytes(subscribe[at : at + 2]) + 1
        count += 1
    return count


async def read_packet(reader: asyncio.StreamReader) -> tuple[int, bool, bytes]:
    """Kind, whether it is retained, and what is behind its length."""
    first = (await reader.readexactly(1))[0]
    length = shift = 0
    while True:
        octet = (await reader.readexactly(1))[0]
        length |= (octet & 0x7F) << shift
        if octet < 0x80:
            return first >> 4, bool(first & 1), await reader.readexactly(length)
        shift += 7


class CodedBroker(ScriptedBroker):
    """Gives these codes: in its CONNACK, of a PUBLISH, or in a DISCONNECT once it has let a client in."""

    def __init__(self, connack: int = 0, puback: int = 0, disconnect: int | None = None, old: bool = False) -> None:
        super().__init__()
        self._connack, self._puback, self._disconnect, self._old = connack, puback, disconnect, old
        self.published: list[str] = []  # topics, in order
        self.before_acknowledgement: dict[str, bytes] = {}  # what someone else publishes first, once for each topic

    async def answer(self, kind: int, retained: bool, body: bytes, writer: asyncio.StreamWriter) -> bool:
        if kind == CONNECT and self._old:  # a broker of MQTT 3.1.1 (3.1.2.2)
            writer.write(b"\x20\x02\x00\x01")
            return False
        if kind == CONNECT:
            writer.write(bytes([0x20, 3, 0, self._connack, 0]))
            if self._disconnect is not None and not self._connack:
                writer.write(bytes([0xE0, 2, self._disconnect, 0]))
            return not self._connack and self._disconnect is None
        if kind == SUBSCRIBE:
            writer.write(bytes([0x90, 4]) + body[:2] + b"\x00\x01")
        elif kind == UNSUBSCRIBE:
            writer.write(bytes([0xB0, 4]) + body[:2] + b"\x00\x00")
        elif kind == PUBLISH:
            end = 2 + int.from_bytes(body[:2])
            topic = body[2:end].decode()
            self.published.append(topic)
            if (foreign := self.before_acknowledgement.pop(topic, None)) is not None:
                writer.write(bytes([0x30, end + 1 + len(foreign)]) + body[:end] + b"\x00" + foreign)
            writer.write(bytes([0x40, 4]) + body[end : end + 2] + bytes([self._puback, 0]))
        return True


class SilentProxy:
    """Relays to `target` on the loopback interface from a thread of its own, so that processes can use it too."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._silent: asyncio.Event | None = None  # of the connections there are
        self._lets_in = True
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: set[asyncio.StreamWriter] = set()

    def __enter__(self) -> Self:
        self._thread.start()
        self.port: int = asyncio.run_coroutine_threadsafe(self._listen(), self._loop).result()
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def silence(self, lets_in: bool = True) -> None:
        """Drop what comes through the present connections, and close none; `lets_in` whether new ones are relayed."""
        asyncio.run_coroutine_threadsafe(self._fall_silent(lets_in), self._loop).result()

    def refuse(self) -> None:
        """Accept no more connections."""
        asyncio.run_coroutine_threadsafe(self._refuse(), self._loop).result()

    async def _refuse(self) -> None:
        self._server.close()

    async def _fall_silent(self, lets_in: bool) -> None:
        assert self._silent is not None
        self._silent.set()
        self._silent, self._lets_in = asyncio.Event(), lets_in

    async def _listen(self) -> int:
        self._silent = asyncio.Event()
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    async def _close(self) -> None:
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for writer in self._writers:
            writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        silent = self._silent
        assert silent is not None
        if not self._lets_in:
            silent.set()
        to_read, to_write = await asyncio.open_connection("127.0.0.1", self._target)
        self._writers.add(to_write)
        for source, sink in ((reader, to_write), (to_read, writer)):
            task = asyncio.create_task(_relay(source, sink, silent))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)


async def _relay(source: asyncio.StreamReader, sink: asyncio.StreamWriter, silent: asyncio.Event) -> None:
    try:
        while octets := await source.read(65_536):
            if not silent.is_set():
                sink.write(octets)
                await sink.drain()
    except ConnectionError:
        pass
    if not silent.is_set():
        sink.close()
