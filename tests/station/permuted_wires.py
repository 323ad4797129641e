"""A shuffler and a shoe on pseudo-terminals that say what a script reports them, and whose wires can be unplugged."""

from collections.abc import Sequence
from functools import reduce
from operator import xor

from tests.simulators.shuffler_host import shuffler_frame, shuffler_messages
from tests.wire.peer import Peer

UNREAD = 0xFF
_RESEND, _ACK = 0x82, 0x81
_BOOT = 0x1A2B
_LOCK_BYTES = 10
_FIRST_CARD = 10  # where it is in the frame of a packet whose sequence and order have no other zeros than these do


class ScriptedShuffler:
    """Says HELLO when asked, holds what is not acknowledged, and carries out no order by itself."""

    def __init__(self, line: Peer) -> None:
        self._line = line
        self._next = 1
        self._kept: dict[int, bytes] = {}
        self._rest = b""
        line.answer = self._receive

    def shuffled(self, order: int, count: int = 52) -> None:
        """SHUFFLE_DONE."""
        self._say(0x04, order.to_bytes(4, "big") + count.to_bytes(2, "big"))

    def packet(self, order: int, cards: Sequence[str | None], corrupt: bool = False) -> None:
        """PACKET; `corrupt`: what is on the wire the first time is not what was reported."""
        octets = bytes(map(_link_octet, cards))
        self._say(0x05, order.to_bytes(4, "big") + bytes([len(octets)]) + octets, corrupt)

    def checked(self, missing: Sequence[str], duplicate: Sequence[str]) -> None:
        """DECK_CHECK: which cards the deck lacks, and which it has twice."""
        lists = [bytes(map(_link_octet, cards)) for cards in (missing, duplicate)]
        found = 52 - len(missing) + len(duplicate)
        counted = b"".join(bytes([len(octets)]) + octets for octets in lists)
        self._say(0x0A, (52).to_bytes(2, "big") + found.to_bytes(2, "big") + counted)

    def misread(self, position: int) -> None:
        """MISREAD."""
        self._say(0x0C, position.to_bytes(2, "big"))

    def hello(self) -> None:
        """HELLO, which has the number of the message after it."""
        payload = _BOOT.to_bytes(4, "big") + b"\x01\x01" + (0).to_bytes(4, "big") + b"\x01M\x01F"
        self._line.send(shuffler_frame(0x01, payload, self._next))

    def _say(self, kind: int, payload: bytes, corrupt: bool = False) -> None:
        frame = shuffler_frame(kind, payload, self._next)
        self._kept[self._next] = frame
        self._next += 1
        if corrupt:
            frame = frame[:_FIRST_CARD] + bytes([frame[_FIRST_CARD] ^ 0x80]) + frame[_FIRST_CARD + 1 :]
        self._line.send(frame)
        if corrupt:  # the next message shows the gap, and this one is asked for again
            self.misread(position=1)

    def _receive(self, octets: bytes) -> None:
        *frames, self._rest = (self._rest + octets).split(b"\0")
        for kind, _, payload in shuffler_messages(frames):
            if kind == _RESEND:
                begin = int.from_bytes(payload[4:6], "big")
                self.hello()
                for sequence, kept_frame in self._kept.items():
                    if sequence >= begin:
                        self._line.send(kept_frame)
            elif kind == _ACK:
                upto = int.from_bytes(payload, "big")
                self._kept = {number: kept_frame for number, kept_frame in self._kept.items() if number > upto}


class ScriptedShoe:
    """Acknowledges every order; its reports are numbered 1 to 9."""

    def __init__(self, line: Peer) -> None:
        self._line = line
        self._last = 0
        self._rest = b""
        line.answer = self._receive

    def card(self, card: str | None, out_of_turn: bool = False) -> None:
        """A card left the shoe; `out_of_turn`: although it was locked. None is error 1, "cannot be read"."""
        if card is None:
            self._report(b"E", b"\x81")
        elif out_of_turn:
            self._report(b"d", bytes([0x80, _shoe_octet(card)]))
        else:
            self._report(b"D", bytes([0x81, _shoe_octet(card)]))

    def error_cleared(self) -> None:
        """Error 1 is over."""
        self._report(b"e", b"\x81")

    def lose_a_report(self) -> None:
        """The next report shows that one before it never came."""
        self._last = self._last % 9 + 1

    def _report(self, code: bytes, text: bytes) -> None:
        self._last = self._last % 9 + 1
        covered = b"%d" % self._last + code + text + b"\x03"
        self._line.send(b"\x05" + covered + b"%02X" % reduce(xor, covered))

    def _receive(self, octets: bytes) -> None:
        self._rest += octets
        while len(self._rest) >= _LOCK_BYTES:
            self._rest = self._rest[_LOCK_BYTES:]
            self._line.send(b"\x06")


def _link_octet(card: str | None) -> int:
    return UNREAD if card is None else "cdhs".index(card[1]) << 4 | "A23456789TJQK".index(card[0]) + 1


def _shoe_octet(card: str) -> int:
    return 0x80 | ("dcsh".index(card[1]) + 1) << 4 | "A23456789TJQK".index(card[0]) + 1
