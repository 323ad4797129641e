"""The dots of the simulated sign: its letters, and what stands in the middle, comes after, or scrolls."""

from collections.abc import Callable

from simulators.devices.sign import Sign
from simulators.devices.sign_dots import WIDTH, Frame, frames
from simulators.devices.sign_font import HEIGHT, letter
from simulators.devices.sign_text import pages_of

PRINTABLE = [chr(code) for code in range(0x20, 0x7F)]


def shown(text: bytes, amount: bytes = b"") -> list[Frame]:
    string: Callable[[str], bytes] = {"J": amount}.__getitem__
    return frames(pages_of(text, string))


def lit(frame: Frame) -> set[str]:
    return set("".join(frame.rows)) - {"."}


def test_every_printable_character_is_drawn_and_none_like_another() -> None:
    drawn = {character: letter(character) for character in PRINTABLE}
    assert all(len(rows) == HEIGHT and len({len(row) for row in rows}) == 1 for rows in drawn.values())
    assert len(set(drawn.values())) == len(PRINTABLE)
    assert letter("陸") == letter("é") and letter("陸") not in drawn.values()


def test_an_amount_that_runs_stands_still() -> None:
    assert {len(letter(digit)[0]) for digit in "0123456789"} == {5}
    one, other = shown(b"\x1b b\x10J", b"600,001.11"), shown(b"\x1b b\x10J", b"600,888.00")
    left = [min(row.find("r") % WIDTH for row in frame.rows) for frame in (*one, *other)]
    assert left[0] == left[1] and one != other


def test_a_held_page_stands_in_the_middle_in_the_colours_of_its_parts() -> None:
    [frame] = shown(b"\x1b b\x1c2POT \x1c3\x10J\x1c2 MOP", b"1.50")
    assert not frame.scrolls and {len(row) for row in frame.rows} == {WIDTH} and lit(frame) == {"g", "a"}
    columns = [column for column in range(WIDTH) if any(row[column] != "." for row in frame.rows)]
    assert abs(columns[0] - (WIDTH - 1 - columns[-1])) <= 1


def test_a_letter_is_drawn_dot_by_dot() -> None:
    [frame] = shown(b"\x1b b\x1c1L")
    left = (WIDTH - 5) // 2
    assert [row[left : left + 5] for row in frame.rows] == ["r...."] * 6 + ["rrrrr"]
    assert sum(row.count("r") for row in frame.rows) == 11


def test_what_has_no_room_comes_after_word_by_word_and_every_page_in_its_turn() -> None:
    long = shown(b"\x1b bJACKPOT PROGRESSIVO 600,014.00\x0cEN")
    assert long == [*shown(b"\x1b bJACKPOT PROGRESSIVO"), *shown(b"\x1b b600,014.00"), *shown(b"\x1b bEN")]
    assert not any(frame.scrolls for frame in long)


def test_the_mode_rotate_and_a_word_longer_than_the_sign_scroll() -> None:
    [rotating] = shown(b"\x1b aPOT")
    assert rotating.scrolls and len(rotating.rows[0]) == 5 * 3 + 2
    [long] = shown(b"\x1b b" + b"M" * 25)
    assert long.scrolls and len(long.rows[0]) == 25 * 6 - 1


def test_the_dots_follow_the_bytes_on_the_wire() -> None:
    sign = Sign(lambda text: None)
    packets = (b"E$AAU0100FF00JBU00200000", b"AA\x1b bPOT \x10J", b"E.TUA", b"GJ1.00")
    seen = []
    for command in (*packets, b"GJ2.00"):
        sign.heard(b"\0" * 5 + b"\x01Z00\x02" + command + b"\x04")
        seen.append(frames(sign.pages))
    assert seen[-1] == shown(b"\x1b bPOT 2.00") and seen[-2] == shown(b"\x1b bPOT 1.00") and not seen[0]
    sign.lose_memory()
    assert frames(sign.pages) == []
