"""A broker of MQTT 5 that answers with the code that a test is about."""

import asyncio

from tests.floor.moody_broker import CONNECT, PUBLISH, SUBSCRIBE, UNSUBSCRIBE, ScriptedBroker


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
