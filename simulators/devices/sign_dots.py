"""The dots of a sign: what its pages look like on a matrix of 120 by 7, with letters that are drawn by hand. No I/O
here.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from simulators.devices.sign_protocol import AMBER, GREEN, RED, ROTATE, Page

HEIGHT = 7
LIT = "#"

_DRAWN = (
    ("0123456789", """
.###. ..#.. .###. ##### ...#. ##### ..##. ##### .###. .###.
#...# .##.. #...# ...#. ..##. #.... .#... ....# #...# #...#
#..## ..#.. ....# ..#.. .#.#. ####. #.... ...#. #...# #...#
#.#.# ..#.. ...#. ...#. #..#. ....# ####. ..#.. .###. .####
##..# ..#.. ..#.. ....# ##### ....# #...# ..#.. #...# ....#
#...# ..#.. .#... #...# ...#. #...# #...# ..#.. #...# ...#.
.###. .###. ##### .###. ...#. .###. .###. ..#.. .###. .##..
"""),
    ("ABCDEFGHIJKLM", """
.###. ####. .###. ###.. ##### ##### .###. #...# .###. ..### #...# #.... #...#
#...# #...# #...# #..#. #.... #.... #...# #...# ..#.. ...#. #..#. #.... ##.##
#...# #...# #.... #...# #.... #.... #.... #...# ..#.. ...#. #.#.. #.... #.#.#
##### ####. #.... #...# ####. ####. #.### ##### ..#.. ...#. ##... #.... #.#.#
#...# #...# #.... #...# #.... #.... #...# #...# ..#.. ...#. #.#.. #.... #...#
#...# #...# #...# #..#. #.... #.... #...# #...# ..#.. #..#. #..#. #.... #...#
#...# ####. .###. ###.. ##### #.... .#### #...# .###. .##.. #...# ##### #...#
"""),
    ("NOPQRSTUVWXYZ", """
#...# .###. ####. .###. ####. .#### ##### #...# #...# #...# #...# #...# #####
##..# #...# #...# #...# #...# #.... ..#.. #...# #...# #...# #...# #...# ....#
#.#.# #...# #...# #...# #...# #.... ..#.. #...# #...# #...# .#.#. .#.#. ...#.
#..## #...# ####. #...# ####. .###. ..#.. #...# #...# #.#.# ..#.. ..#.. ..#..
#...# #...# #.... #.#.# #.#.. ....# ..#.. #...# #...# #.#.# .#.#. ..#.. .#...
#...# #...# #.... #..#. #..#. ....# ..#.. #...# .#.#. ##.## #...# ..#.. #....
#...# .###. #.... .##.# #...# ####. ..#.. .###. ..#.. #...# #...# ..#.. #####
"""),
    ("abcdefghijklm", """
..... #.... ..... ....# ..... ..##. ..... #.... ..#.. ...#. #.... .##.. .....
..... #.... ..... ....# ..... .#..# ..... #.... ..... ..... #.... ..#.. .....
.###. #.##. .###. .##.# .###. .#... .#### #.##. .##.. ..##. #..#. ..#.. ##.#.
....# ##..# #.... #..## #...# ###.. #...# ##..# ..#.. ...#. #.#.. ..#.. #.#.#
.#### #...# #.... #...# ##### .#... .#### #...# ..#.. ...#. ##... ..#.. #.#.#
#...# #...# #...# #...# #.... .#... ....# #...# ..#.. #..#. #.#.. ..#.. #...#
.#### ####. .###. .#### .###. .#... .###. #...# .###. .##.. #..#. .###. #...#
"""),
    ("nopqrstuvwxyz", """
..... ..... ..... ..... ..... ..... .#... ..... ..... ..... ..... ..... .....
..... ..... ..... ..... ..... ..... .#... ..... ..... ..... ..... ..... .....
#.##. .###. ####. .##.# #.##. .###. ###.. #...# #...# #...# #...# #...# #####
##..# #...# #...# #..## ##..# #.... .#... #...# #...# #...# .#.#. #...# ...#.
#...# #...# ####. .#### #.... .###. .#... #...# #...# #.#.# ..#.. .#### ..#..
#...# #...# #.... ....# #.... ....# .#..# #..## .#.#. #.#.# .#.#. ....# .#...
#...# .###. #.... ....# #.... ####. ..##. .##.# ..#.. .#.#. #...# .###. #####
"""),
    (".,:;!?'\"`-_+=*/\\", """
..... ..... ..... ..... ..#.. .###. ..#.. .#.#. .#... ..... ..... ..... ..... ..... ..... .....
..... ..... .##.. .##.. ..#.. #...# ..#.. .#.#. ..#.. ..... ..... ..#.. ..... ..#.. ....# #....
..... ..... .##.. .##.. ..#.. ....# .#... .#.#. ...#. ..... ..... ..#.. ##### #.#.# ...#. .#...
..... ..... ..... ..... ..#.. ...#. ..... ..... ..... ##### ..... ##### ..... .###. ..#.. ..#..
..... .##.. .##.. .##.. ..#.. ..#.. ..... ..... ..... ..... ..... ..#.. ##### #.#.# .#... ...#.
.##.. ..#.. .##.. ..#.. ..... ..... ..... ..... ..... ..... ..... ..#.. ..... ..#.. #.... ....#
.##.. .#... ..... .#... ..#.. ..#.. ..... ..... ..... ..... ##### ..... ..... ..... ..... .....
"""),
    ("()[]{}<>|~^#$%&@", """
...#. .#... .###. .###. ...## ##... ...#. .#... ..#.. ..... ..#.. .#.#. ..#.. ##... .##.. .###.
..#.. ..#.. .#... ...#. ..#.. ..#.. ..#.. ..#.. ..#.. ..... .#.#. .#.#. .#### ##..# #..#. #...#
.#... ...#. .#... ...#. ..#.. ..#.. .#... ...#. ..#.. .#... #...# ##### #.#.. ...#. #.#.. ....#
.#... ...#. .#... ...#. .#... ...#. #.... ....# ..#.. #.#.# ..... .#.#. .###. ..#.. .#... .##.#
.#... ...#. .#... ...#. ..#.. ..#.. .#... ...#. ..#.. ...#. ..... ##### ..#.# .#... #.#.# #.#.#
..#.. ..#.. .#... ...#. ..#.. ..#.. ..#.. ..#.. ..#.. ..... ..... .#.#. ####. #..## #..#. #.#.#
...#. .#... .###. .###. ...## ##... ...#. .#... ..#.. ..... ..... .#.#. ..#.. ...## .##.# .###.
"""),
)  # fmt: skip
_SPACE = ("...",) * HEIGHT
_UNKNOWN = ("#####", *("#...#",) * (HEIGHT - 2), "#####")


def _narrowed(rows: tuple[str, ...]) -> tuple[str, ...]:
    """The letter without dark columns on either side."""
    lit = [column for column in range(5) if any(row[column] == LIT for row in rows)]
    return tuple(row[lit[0] : lit[-1] + 1] for row in rows)


def _letters() -> dict[str, tuple[str, ...]]:
    letters = {" ": _SPACE}
    for characters, drawing in _DRAWN:
        rows = [line.split() for line in drawing.split("\n") if line]
        for character, *drawn in zip(characters, *rows, strict=True):
            # Digits are all of one width: an amount that runs stops.
            letters[character] = tuple(drawn) if character.isdecimal() else _narrowed(tuple(drawn))
    return letters


_LETTERS = _letters()


def letter(character: str) -> tuple[str, ...]:
    """The seven rows of a character, `#` for a lit dot; a box for an unknown character."""
    return _LETTERS.get(character, _UNKNOWN)


WIDTH = 120
DARK = "."
LETTER_OF = {RED: "r", GREEN: "g", AMBER: "a"}

Coloured = list[tuple[str, str]]  # each character with its colour


@dataclass(frozen=True, slots=True)
class DotFrame:
    """Seven rows of dots: `.` dark, `r`, `g` or `a` lit in that colour; a scrolling frame may be wider than the
    sign.
    """

    scrolls: bool
    rows: tuple[str, ...]


def frames(pages: Iterable[Page]) -> list[DotFrame]:
    """The pictures in their order.

    A kept page is in the middle, and what has no room on it comes after, word by word. A page in the mode "rotate",
    or a word longer than the sign, scrolls. Every other mode is shown as hold, the only one the station uses.
    """
    return [frame for page in pages for frame in _frames_of(page)]


def _frames_of(page: Page) -> Iterator[DotFrame]:
    words = list(_words(page))
    if page.mode == ROTATE:
        yield DotFrame(True, _drawn(_joined(words)))
        return
    while words:
        count = 1
        while count < len(words) and _width(_joined(words[: count + 1])) <= WIDTH:
            count += 1
        rows = _drawn(_joined(words[:count]))
        words = words[count:]
        wide = len(rows[0])
        left = (WIDTH - wide) // 2
        too_wide = wide > WIDTH
        yield DotFrame(too_wide, rows if too_wide else tuple((DARK * left + row).ljust(WIDTH, DARK) for row in rows))


def _words(page: Page) -> Iterator[Coloured]:
    word: Coloured = []
    for character, colour in [(character, run.colour) for run in page.runs for character in run.text] + [(" ", RED)]:
        if not character.isspace():
            word.append((character, colour))
        elif word:
            yield word
            word = []


def _joined(words: list[Coloured]) -> Coloured:
    line: Coloured = []
    for word in words:
        line += [(" ", word[0][1]), *word] if line else word
    return line


def _width(line: Coloured) -> int:
    return sum(len(letter(character)[0]) + 1 for character, _ in line) - 1


def _drawn(line: Coloured) -> tuple[str, ...]:
    """The rows of a line, one dark column between two letters."""
    return tuple(
        DARK.join(letter(character)[row].replace(LIT, LETTER_OF[colour]) for character, colour in line)
        for row in range(HEIGHT)
    )
