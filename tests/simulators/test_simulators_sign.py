"""The simulated sign: golden packets, those of a foreign library, what a viewer reads, and its dots."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from alphasign.commands.special import WriteSpecialFunction
from alphasign.commands.string_file import WriteString
from alphasign.commands.text import WriteText
from alphasign.packet import Packet
from alphasign.protocol import DELAY, Color, DisplayMode, DisplayPosition, FileProtection, FileType

from drivers.alpha import codec as alpha_codec
from simulators.devices.sign import SimulatedSign
from simulators.devices.sign_dots import HEIGHT, WIDTH, DotFrame, frames, letter
from simulators.devices.sign_protocol import PacketReader, SignCommand, pages_of

TEXT = bytes.fromhex("00 00 00 00 00 01 5a 30 30 02 41 41 1b 20 62 4a 41 43 4b 50 4f 54 20 10 4a 04")
STRING = bytes.fromhex("00 00 00 00 00 01 5a 30 30 02 47 31 24 31 32 2c 33 34 35 2e 36 37 03 30 32 36 37 04")


def packet(*fields: bytes, address: bytes = b"00") -> bytes:
    return b"\0" * 5 + b"\x01Z" + address + b"".join(b"\x02" + field for field in fields) + b"\x04"


def sign_with_memory() -> tuple[SimulatedSign, list[str]]:
    shown: list[str] = []
    sign = SimulatedSign(shown.append)
    sign.receive(packet(b"E$AAU0100FF00BAU0100FF00JBU00200000"))
    return sign, shown


def test_golden_packets_decode() -> None:
    reader = PacketReader()
    assert reader.feed(TEXT, 0.0) == [SignCommand("A", b"A\x1b bJACKPOT \x10J")]
    assert reader.feed(STRING, 0.0) == [SignCommand("G", b"1$12,345.67")]


def test_golden_packets_decode_byte_by_byte() -> None:
    reader = PacketReader()
    commands = [command for index, byte in enumerate(TEXT) for command in reader.feed(bytes([byte]), index * 0.9)]
    assert [command.code for command in commands] == ["A"]


def test_more_than_a_second_between_bytes_ends_the_packet() -> None:
    reader = PacketReader()
    assert reader.feed(TEXT[:12], 0.0) == []
    assert reader.feed(TEXT[12:], 1.2) == []
    assert len(reader.feed(TEXT, 1.3)) == 1


def test_a_bad_checksum_is_dropped_silently() -> None:
    assert PacketReader().feed(STRING.replace(b"0267", b"0268"), 0.0) == []


def test_another_signs_address_is_not_received_and_its_own_is() -> None:
    for address, count in ((b"05", 1), (b"06", 0), (b"00", 1)):
        assert len(PacketReader(b"05").feed(packet(b"AAx", address=address), 0.0)) == count


def test_a_text_calls_the_string_and_only_the_string_changes() -> None:
    sign, shown = sign_with_memory()
    sign.receive(packet(b"AA\x1b bJACKPOT \x10J"))
    sign.receive(packet(b"GJ600.000,00"))
    sign.receive(packet(b"GJ600.003,50"))
    sign.receive(packet(b"GJ600.003,50"))
    assert shown == ["JACKPOT", "JACKPOT 600.000,00", "JACKPOT 600.003,50"]


def test_pages_of_the_run_sequence_are_joined_and_codes_leave_no_trace() -> None:
    sign, _ = sign_with_memory()
    sign.receive(packet(b"AA\x1b0a\x1c1PT\x1a3 \x10J\x0cDOIS", b"AB\x1b n4\x1c2EN\x0d\x1e1LINE", b"GJ\x1c35"))
    assert sign.readable == "PT 5 | DOIS | EN LINE"
    sign.receive(packet(b"E.TUB"))
    assert sign.readable == "EN LINE"


def test_portuguese_letters_in_seven_and_eight_bits() -> None:
    sign, _ = sign_with_memory()
    sign.receive(packet(b"E.TUA", b"AA\x1b b\x87\x08\x27\x82\x08\x22"))
    assert sign.readable == "ççéé"


def test_the_priority_file_wins_until_it_is_written_empty() -> None:
    sign, shown = sign_with_memory()
    sign.receive(packet(b"AA\x1b bJACKPOT"))
    sign.receive(packet(b"A0\x1b bFAULT"))
    sign.receive(packet(b"GJ1"))
    sign.receive(packet(b"A0"))
    assert shown == ["JACKPOT", "FAULT", "JACKPOT"]


def test_what_has_no_memory_or_too_little_is_not_shown() -> None:
    sign, shown = sign_with_memory()
    sign.receive(packet(b"AC\x1b blost", b"GK1", b"GJ" + b"9" * 33, b"AJ\x1b bwrong kind"))
    assert shown == []


def test_memory_configuration_empties_every_file() -> None:
    sign, _ = sign_with_memory()
    sign.receive(packet(b"AA\x1b bJACKPOT"))
    sign.receive(packet(b"E$AAU0100FF00"))
    assert sign.readable == ""


# ---- its dots

PRINTABLE = [chr(code) for code in range(0x20, 0x7F)]


def frames_of(text: bytes, amount: bytes = b"") -> list[DotFrame]:
    string: Callable[[str], bytes] = {"J": amount}.__getitem__
    return frames(pages_of(text, string))


def lit(frame: DotFrame) -> set[str]:
    return set("".join(frame.rows)) - {"."}


def test_every_printable_character_is_drawn_and_none_like_another() -> None:
    drawn = {character: letter(character) for character in PRINTABLE}
    assert all(len(rows) == HEIGHT and len({len(row) for row in rows}) == 1 for rows in drawn.values())
    assert len(set(drawn.values())) == len(PRINTABLE)
    assert letter("陸") == letter("é") and letter("陸") not in drawn.values()


def test_an_amount_that_runs_does_not_move() -> None:
    assert {len(letter(digit)[0]) for digit in "0123456789"} == {5}
    frames, other = frames_of(b"\x1b b\x10J", b"600,001.11"), frames_of(b"\x1b b\x10J", b"600,888.00")
    left = [min(row.find("r") % WIDTH for row in frame.rows) for frame in (*frames, *other)]
    assert left[0] == left[1] and frames != other


def test_a_fixed_page_is_in_the_middle_in_the_colours_of_its_parts() -> None:
    [frame] = frames_of(b"\x1b b\x1c2POT \x1c3\x10J\x1c2 MOP", b"1.50")
    assert not frame.scrolls and {len(row) for row in frame.rows} == {WIDTH} and lit(frame) == {"g", "a"}
    columns = [column for column in range(WIDTH) if any(row[column] != "." for row in frame.rows)]
    assert abs(columns[0] - (WIDTH - 1 - columns[-1])) <= 1


def test_a_letter_is_drawn_dot_by_dot() -> None:
    [frame] = frames_of(b"\x1b b\x1c1L")
    left = (WIDTH - 5) // 2
    assert [row[left : left + 5] for row in frame.rows] == ["r...."] * 6 + ["rrrrr"]
    assert sum(row.count("r") for row in frame.rows) == 11


def test_what_has_no_room_comes_after_word_by_word_and_every_page_in_its_turn() -> None:
    long = frames_of(b"\x1b bJACKPOT PROGRESSIVO 600,014.00\x0cEN")
    assert long == [*frames_of(b"\x1b bJACKPOT PROGRESSIVO"), *frames_of(b"\x1b b600,014.00"), *frames_of(b"\x1b bEN")]
    assert not any(frame.scrolls for frame in long)


def test_the_mode_rotate_and_a_word_longer_than_the_sign_scroll() -> None:
    [rotating] = frames_of(b"\x1b aPOT")
    assert rotating.scrolls and len(rotating.rows[0]) == 5 * 3 + 2
    [long] = frames_of(b"\x1b b" + b"M" * 25)
    assert long.scrolls and len(long.rows[0]) == 25 * 6 - 1


def test_the_dots_follow_the_bytes_on_the_wire() -> None:
    sign = SimulatedSign(lambda text: None)
    packets = (b"E$AAU0100FF00JBU00200000", b"AA\x1b bPOT \x10J", b"E.TUA", b"GJ1.00")
    seen = []
    for command in (*packets, b"GJ2.00"):
        sign.receive(b"\0" * 5 + b"\x01Z00\x02" + command + b"\x04")
        seen.append(frames(sign.pages))
    assert seen[-1] == frames_of(b"\x1b bPOT 2.00") and seen[-2] == frames_of(b"\x1b bPOT 1.00") and not seen[0]
    sign.lose_memory()
    assert frames(sign.pages) == []


# ---- a foreign library


def theirs(command: Any, checksum: bool = True, address: str = "00") -> bytes:
    packet: bytes = Packet(address=address).add(command, checksum=checksum).to_bytes()
    return packet.replace(DELAY, b"")  # a mark for their sender, which is never sent


def text(label: str, content: bytes) -> WriteText:
    return WriteText(content, label=label, position=DisplayPosition.MIDDLE_LINE, mode=DisplayMode.HOLD)


def memory(rooms: Sequence[int]) -> WriteSpecialFunction:
    pages: list[dict[str, object]] = [
        {"label": label, "type": FileType.TEXT, "size": room, "stop_time": 0}
        for label, room in zip("ABCDE", rooms, strict=False)
    ]
    amount = {"label": "J", "type": FileType.STRING, "protection": FileProtection.LOCKED, "size": 125}
    return WriteSpecialFunction.configure_memory([*pages, amount])


@pytest.mark.parametrize("checksum", [True, False])
@pytest.mark.parametrize("address", ["00", "3F"])
def test_framing_and_checksum_are_the_same(checksum: bool, address: str) -> None:
    for content in (b"", b"600.003,50", b"~" * 125):
        ours = alpha_codec.packet(alpha_codec.write_string("J", content), address, checksum=checksum)
        assert ours == theirs(WriteString(content, label="J"), checksum, address)


def test_texts_are_the_same() -> None:
    page = alpha_codec.page_text("JACKPOT {amount} MOP")
    green, amber = Color.GREEN.value, Color.AMBER.value
    assert page == green + b"JACKPOT " + amber + b"\x10J" + green + b" MOP"
    assert alpha_codec.packet(alpha_codec.write_text("B", page)) == theirs(text("B", page))


@pytest.mark.parametrize("rooms", [[256], [256, 512, 256]])
def test_memory_and_run_sequence_are_the_same(rooms: list[int]) -> None:
    assert alpha_codec.packet(alpha_codec.configure_memory(rooms)) == theirs(memory(rooms))
    sequence = "TU" + "ABC"[: len(rooms)]
    assert alpha_codec.packet(alpha_codec.run_sequence(len(rooms))) == theirs(
        WriteSpecialFunction.set_run_sequence(sequence)
    )


def test_the_simulated_sign_reads_them() -> None:
    shown: list[str] = []
    sign = SimulatedSign(shown.append)
    for command in (
        memory([256, 256]),
        WriteString(b"600.003,50", label="J"),
        text("A", b"JACKPOT \x10J"),
        text("B", b"BOA SORTE"),
        WriteSpecialFunction.set_run_sequence("TUAB"),
    ):
        sign.receive(theirs(command))
    assert shown[-1] == "JACKPOT 600.003,50 | BOA SORTE"
    spoilt = theirs(WriteString(b"999.999,99", label="J")).replace(b"999.999", b"899.999")
    sign.receive(spoilt)
    assert sign.readable == "JACKPOT 600.003,50 | BOA SORTE"
