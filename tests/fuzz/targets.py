"""What may receive anything from outside, each as a function of bytes that raises only where the product is wrong."""

import asyncio
import binascii
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import h11
import msgspec
import uvicorn
from cobs import cobs
from uvicorn.server import ServerState

from controller.config.document import BadConfiguration
from controller.config.file import read_config
from controller.console.app import make_app
from controller.console.connections import Connection, ConnectionLimits, Connections
from controller.console.gate import Gate
from controller.floor.broker import Broker
from controller.floor.client import FloorClient
from controller.floor.handler import Topics
from controller.floor.messages import Identity, status
from controller.floor.other_stations import LONGEST_NAME
from controller.floor.outbox import Outbox
from controller.rulebook.refusal import Refusal
from controller.rulebook.round_file import settle_text
from controller.system.tasks import ProgramStops
from controller.words import SPOKEN, sentence
from drivers.adu218.codec import decode
from drivers.angel_eye.codec import AngelEyeCodec
from drivers.faults import LineNoise
from drivers.numato.codec import NumatoCodec
from drivers.shuffler_link.codec import LONGEST_FRAME, ShufflerCodec
from tests.console.gates import LIMITS, PEOPLE, QUICK, keep_pins
from tests.console.test_console_page import Face
from tests.floor.informing_station import QuietTable


class Codec(Protocol):
    def receive(self, octets: bytes) -> list[Any]: ...


def adu218(octets: bytes) -> None:
    """A HID report is an answer or noise."""
    decode(octets)


def angel_eye(octets: bytes) -> None:
    """The shoe's wire."""
    _in_pieces(AngelEyeCodec, octets, _rest=16)


def numato(octets: bytes) -> None:
    """The wire of a Numato board."""
    _in_pieces(NumatoCodec, octets, _rest=16, _text=64)


def shuffler(octets: bytes) -> None:
    """The shuffler's wire."""
    _in_pieces(ShufflerCodec, octets, _frame=LONGEST_FRAME)


def shuffler_frames(octets: bytes) -> None:
    """The shuffler's wire, where each part of the octets comes in a frame whose check sum is right."""
    frames = b""
    for body in octets[1:].split(b"\xff\xff"):
        frames += cobs.encode(body + binascii.crc_hqx(body, 0xFFFF).to_bytes(2)) + b"\0"
    _in_pieces(ShufflerCodec, octets[:1] + frames, _frame=LONGEST_FRAME)


def _in_pieces(codec: Callable[[], Codec], octets: bytes, **most_kept: int) -> None:
    """The first octet says how long the pieces are: messages, noise and what is kept do not depend on it.

    `most_kept`: octets that the codec may keep of a frame that has not ended, by the attribute that holds them.
    """
    size, octets = 1 + (octets[0] if octets else 0), octets[1:]
    decoder = codec()
    received = []
    for at in range(0, len(octets), size):
        received += decoder.receive(octets[at : at + size])
        for name, most in most_kept.items():
            assert len(getattr(decoder, name)) <= most, f"{name} holds more than {most} octets"
    whole = codec().receive(octets)
    assert _messages(received) == _messages(whole)
    assert _noise(received) == _noise(whole) <= len(octets)


def _messages(received: list[Any]) -> list[Any]:
    return [item for item in received if not isinstance(item, LineNoise)]


def _noise(received: list[Any]) -> int:
    return sum(item.octets for item in received if isinstance(item, LineNoise))


def settle(octets: bytes) -> None:
    """A file of a round is settled, or refused with a sentence in every language."""
    try:
        settle_text(octets)
    except Refusal as refusal:
        assert sentence(refusal) and all(words.reason_text(refusal.reason) for words in SPOKEN.values())


_TEMPORARY = tempfile.TemporaryDirectory(prefix="fuzz-")  # removed with the process
_FOLDER = Path(_TEMPORARY.name)


def configuration(octets: bytes) -> None:
    """A configuration is read, or each of its mistakes is reported."""
    path = _FOLDER / "station.toml"
    path.write_bytes(octets)
    try:
        read_config(path)
    except BadConfiguration as bad:
        assert bad.mistakes and all(str(mistake).isprintable() for mistake in bad.mistakes)


class _Ending(Face):
    """A table whose streams end at once."""

    async def changed(self, since: bytes, shown: Callable[[], bytes]) -> bytes:
        raise ProgramStops


class _Transport(asyncio.Transport):
    """A client that reads whatever the console writes."""

    def __init__(self) -> None:
        super().__init__({"peername": ("127.0.0.1", 4), "sockname": ("127.0.0.1", 8000)})
        self.closed = self.paused = False

    def write(self, data: bytes | bytearray | memoryview) -> None: ...

    def is_closing(self) -> bool:
        return self.closed

    def close(self) -> None:
        self.closed = True

    abort = close

    def pause_reading(self) -> None:
        self.paused = True

    def resume_reading(self) -> None:
        self.paused = False

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None: ...


class Console:
    """A console on no network: one connection after the other, each fed with octets. It may have a gate, or none."""

    def __init__(self, gated: bool) -> None:
        self.loop = asyncio.new_event_loop()
        self.wrong: list[str] = []
        self.loop.set_exception_handler(lambda _, context: self.wrong.append(str(context)))
        keep_pins(_FOLDER / "pins.json", {"ana": "274951"})
        face = _Ending("live")
        gate = Gate(PEOPLE, _FOLDER / "pins.json", LIMITS, lambda note: None, QUICK) if gated else None
        everybody = Connections(
            ConnectionLimits(share=1.0), lambda credential: gate is None or gate.stranger(credential) is None
        )
        self.protocol = type("Limited", (Connection,), {"everybody": everybody})
        app = make_app(face, face.answer, "127.0.0.1", gate)
        self.config = uvicorn.Config(
            app, http=self.protocol, log_config=None, access_log=False, lifespan="off", ws="none"
        )
        self.config.load()

    def receive(self, octets: bytes, size: int) -> list[int]:
        """The statuses of the answers to a client that reported all this, so much at once, and hung up."""
        transport = _Transport()
        connection = self.protocol(self.config, ServerState(), {}, self.loop)
        statuses, send = [], connection.conn.send

        def sending(event: h11.Event) -> Any:
            if isinstance(event, h11.Response):
                statuses.append(event.status_code)
            return send(event)

        connection.conn.send = sending
        self.loop.run_until_complete(self._fed(connection, transport, octets, size))
        if not transport.closed:
            connection.eof_received()
        connection.connection_lost(None)
        self.loop.run_until_complete(asyncio.sleep(0))
        return statuses

    async def _fed(self, connection: Connection, transport: _Transport, octets: bytes, size: int) -> None:
        connection.connection_made(transport)
        for at in range(0, len(octets), size):
            while transport.paused and not transport.closed:  # noqa: ASYNC110
                await asyncio.sleep(0)
            if not transport.closed:
                connection.data_received(octets[at : at + size])
        while connection.waiting and not transport.closed:  # noqa: ASYNC110
            await asyncio.sleep(0)
        await asyncio.sleep(0)
        # No event says so: whatever is begun comes to an end, but a request whose body has not come.
        while connection.busy and not transport.closed and connection.conn.their_state is not h11.SEND_BODY:  # noqa: ASYNC110
            await asyncio.sleep(0)


@cache
def _console(gated: bool) -> Console:
    return Console(gated)


def http(octets: bytes) -> None:
    """Whatever comes, no answer of the console is its own failure.

    The first octet says whether persons log in, and how much comes at once.
    """
    first, octets = (octets[0] if octets else 0), octets[1:]
    console = _console(first < 128)
    statuses = console.receive(octets, 1 + 8 * (first % 128))
    assert not console.wrong, console.wrong
    assert all(status < 500 for status in statuses), statuses


_OWN = ("status", "state", "jackpot", "devices/shoe", "devices/x", "alarms/sign", "alarms/x", "events", "")
"""What the station receives, behind its base; the last of them is the base itself. A new topic is added at the end."""


class _Row(msgspec.Struct):
    sequence: int
    topic: str
    payload: bytes


class _Table(QuietTable):
    def __init__(self, identity: Identity) -> None:
        self._identity = identity
        self.forged: list[str] = []
        self.others: list[str] = []

    def status(self, online: bool) -> tuple[str, bytes]:
        return status(self._identity, 1, "2026-01-02T03:04:05.678Z" if online else None)

    def on_overflow(self, topic: str) -> None: ...

    def on_forged(self, topic: str) -> None:
        self.forged.append(topic)

    def on_other(self, source: str) -> None:
        self.others.append(source)


def mqtt(octets: bytes) -> None:
    """Whatever is on the topics that the station receives, each part of the octets a message.

    Its first octet says on which topic, and whether it was there before the station came; what follows is the payload.
    """
    identity = Identity("site", "t1", "00000000-0000", "simulation", "MOP", 2)
    outbox = Outbox(_nothing, 0)
    table = _Table(identity)
    client = FloorClient(Broker("127.0.0.1", 1883), outbox, table, Topics())
    parts = octets.split(b"\xff\xff")
    for part in parts:
        first, payload = (part[0] if part else 0), part[1:]
        client._received(f"{identity.base}/{_OWN[first % 128 % len(_OWN)]}", payload, first >= 128)
    assert len(table.forged) + len(table.others) <= len(parts) and outbox.empty
    assert all(len(journal.rpartition("/")[2].encode()) <= LONGEST_NAME for journal in table.others)


async def _nothing(after: int, limit: int) -> list[_Row]:
    return []


TARGETS: dict[str, Callable[[bytes], None]] = {
    "adu218": adu218,
    "angel-eye": angel_eye,
    "configuration": configuration,
    "http": http,
    "mqtt": mqtt,
    "numato": numato,
    "settle": settle,
    "shuffler": shuffler,
    "shuffler-frames": shuffler_frames,
}
