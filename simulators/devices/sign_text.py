"""The content of a sign's TEXT and STRING files: pages, their mode and colours, and their words. No I/O here."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

RED, GREEN, AMBER = "red", "green", "amber"
HOLD, ROTATE = "b", "a"

_MODE, _NEW_PAGE, _NEW_LINE, _CALL_STRING, _EXTENDED, _COLOUR = 0x1B, 0x0C, 0x0D, 0x10, 0x08, 0x1C
_COLOURS = {b"1": RED, b"2": GREEN, b"3": AMBER}
_ARGUMENTS = {
    0x05: 1, 0x06: 1, 0x07: 1, _EXTENDED: 1, 0x0B: 1, _CALL_STRING: 1, 0x14: 1, 0x1A: 1, _MODE: 2, _COLOUR: 1,
    0x1D: 2, 0x1E: 1,
}  # fmt: skip
_SPECIAL = b"n"  # a mode that is followed by one letter more
_EXTENDED_OFFSET = 0x60  # 08 20 is character 80, on a wire of seven bits


@dataclass(frozen=True, slots=True)
class Run:
    """Characters of one colour."""

    text: str
    colour: str


@dataclass(slots=True)
class Page:
    """The text that is shown at one time, in the order written; `mode` is the protocol's letter."""

    mode: str = HOLD
    runs: list[Run] = field(default_factory=list)

    @property
    def words(self) -> str:
        """All readable text of the page, with single spaces."""
        return " ".join("".join(run.text for run in self.runs).split())


def pages_of(text: bytes, string: Callable[[str], bytes]) -> Iterator[Page]:
    """The pages of a TEXT on which something can be read; `string` gives the STRING of a label, which may be empty.

    Positions and speeds leave no trace. A colour holds until the next; the first is red.
    """
    page, colour = Page(), RED
    for code, argument in _codes(text):
        if code in (_MODE, _NEW_PAGE):
            if page.words:
                yield page
            page = Page(argument[1:2].decode("latin-1") if code == _MODE else page.mode)
        elif code == _CALL_STRING:
            for inner, its in _codes(string(argument.decode("latin-1"))):
                colour = _write(page, inner, its, colour)
        else:
            colour = _write(page, code, argument, colour)
    if page.words:
        yield page


def _codes(content: bytes) -> Iterator[tuple[int, bytes]]:
    """Each character or code, with its octets."""
    position = 0
    while position < len(content):
        code = content[position]
        end = position + 1 + _ARGUMENTS.get(code, 0)
        if code == _MODE and content[end - 1 : end] == _SPECIAL:
            end += 1
        yield code, content[position + 1 : end]
        position = end


def _write(page: Page, code: int, argument: bytes, colour: str) -> str:
    """Write a character on the page, if it is one; the colour from here on."""
    if code == _COLOUR:
        return _COLOURS.get(argument, colour)
    if code == _NEW_LINE:
        page.runs.append(Run(" ", colour))
    elif code == _EXTENDED:
        page.runs.append(Run(bytes(byte + _EXTENDED_OFFSET for byte in argument).decode("cp437"), colour))
    elif code >= 0x20:
        page.runs.append(Run(bytes([code]).decode("cp437"), colour))
    return colour
