"""The Alpha sign protocol's packets, one command each, with checksum; not confirmed on hardware. No I/O here."""

import unicodedata
from collections.abc import Sequence
from typing import Final

AMOUNT_LABEL: Final = "J"  # labels 1 to 5 are reserved by common software
PAGE_LABELS: Final = tuple("ABCDEFGHIKLMNOPQRSTUVWXYZ")  # without J
LONGEST_STRING: Final = 125
PAGE_ROOM: Final = 256  # octets of memory for each page: most texts can change without clearing the memory
AMOUNT_MARK: Final = "{amount}"

_START, _STX, _ETX, _EOT = b"\0\0\0\0\0\x01", b"\x02", b"\x03", b"\x04"
_EVERY_SIGN = "Z"
_MIDDLE, _HOLD = b"\x20", b"b"
_GREEN, _AMBER = b"\x1c2", b"\x1c3"
_CALL_STRING = b"\x10"
_PLAIN = {
    "\u00a0": " ", "\u202f": " ", "\u2009": " ",  # the spaces of printed amounts
    "\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u00ab": '"', "\u00bb": '"',
    "\u2010": "-", "\u2011": "-", "\u2013": "-", "\u2014": "-", "\u2212": "-", "\u2026": "...", "\u00b7": ".",
    "\u20ac": "EUR", "\u00a3": "GBP", "\u00a5": "JPY", "\u00df": "ss", "\u00e6": "ae", "\u00c6": "AE",
    "\u00f8": "o", "\u00d8": "O",
}  # fmt: skip


def packet(command: bytes, address: str = "00", kind: str = _EVERY_SIGN, checksum: bool = True) -> bytes:
    """Frame one command for the signs of `kind` at the two hex digits of `address` ("00": every one).

    With the checksum a sign drops what noise has changed instead of showing it.

    >>> packet(write_string("1", b"$12,345.67")).hex(" ")
    '00 00 00 00 00 01 5a 30 30 02 47 31 24 31 32 2c 33 34 35 2e 36 37 03 30 32 36 37 04'
    """
    text = _STX + command + (_ETX if checksum else b"")
    total = b"%04X" % (sum(text) & 0xFFFF) if checksum else b""
    return _START + kind.encode("ascii") + address.encode("ascii") + text + total + _EOT


def write_text(label: str, text: bytes) -> bytes:
    r"""Command: TEXT file `label` shows `text`, still, in the middle.

    >>> write_text("A", b"JACKPOT \x10J")
    b'AA\x1b bJACKPOT \x10J'
    """
    return b"A" + label.encode("ascii") + b"\x1b" + _MIDDLE + _HOLD + text


def write_string(label: str, text: bytes) -> bytes:
    """Command: STRING file `label`; a text that calls it does not start again. Raises ValueError over 125 octets.

    >>> write_string("J", b"600,003.50")
    b'GJ600,003.50'
    """
    if len(text) > LONGEST_STRING:
        raise ValueError(f"{len(text)} octets do not fit into a STRING of {LONGEST_STRING}")
    return b"G" + label.encode("ascii") + text


def configure_memory(page_rooms: Sequence[int]) -> bytes:
    """Command: clear the memory and make a TEXT file of so many octets for each page, and the amount's STRING.

    >>> configure_memory([256, 512])
    b'E$AAU0100FF00BAU0200FF00JBL007D0000'
    """
    pages = b"".join(_text_file(label, room) for label, room in zip(PAGE_LABELS, page_rooms, strict=False))
    return b"E$" + pages + AMOUNT_LABEL.encode("ascii") + b"BL%04X0000" % LONGEST_STRING


def run_sequence(pages: int) -> bytes:
    """Command: show the first `pages` pages in turn.

    >>> run_sequence(2)
    b'E.TUAB'
    """
    return b"E.TU" + "".join(PAGE_LABELS[:pages]).encode("ascii")


def page_text(page: str) -> bytes:
    r"""A page's octets: green, with the amount's STRING in amber in place of "{amount}".

    >>> page_text("JACKPOT {amount} MOP")
    b'\x1c2JACKPOT \x1c3\x10J\x1c2 MOP'
    """
    return _GREEN + (_AMBER + _CALL_STRING + AMOUNT_LABEL.encode("ascii") + _GREEN).join(
        plain(piece) for piece in page.split(AMOUNT_MARK)
    )


def page_room(text: bytes) -> int:
    """Octets of memory to reserve for a page: PAGE_ROOM, or the multiple of it that the page needs.

    >>> page_room(b"JACKPOT"), page_room(b"." * 300)
    (256, 512)
    """
    octets = len(write_text("A", text)) - 2
    return -(-octets // PAGE_ROOM) * PAGE_ROOM


def plain(text: str) -> bytes:
    """Printable ASCII: accents dropped, printers' signs replaced, "?" for a sign without a similar one; no control
    codes.

    >>> plain("Prémio “ação” — 600 €")
    b'Premio "acao" - 600 EUR'
    >>> plain("大獎")
    b'??'
    """
    if text.isascii() and text.isprintable():
        return text.encode("ascii")
    replaced = "".join(_PLAIN.get(character, character) for character in text)
    bare = (c for c in unicodedata.normalize("NFKD", replaced) if not unicodedata.combining(c))
    return "".join(c if " " <= c <= "~" else "?" for c in bare).encode("ascii")


def _text_file(label: str, room: int) -> bytes:
    return label.encode("ascii") + b"AU%04XFF00" % room  # FF00: at all times
