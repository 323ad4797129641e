"""What is read at taps on the wires of another controller: each report once, gaps, orders of that controller."""

from typing import Any

from drivers.angel_eye.codec import lock
from drivers.angel_eye.passive import AngelEyePassive
from drivers.device import Mark
from drivers.faults import LineNoise
from drivers.messages import CardDrawn, CutCardSeen, ReportsLost, ShoeLocked, SlotsRead
from drivers.numato.passive import NumatoPassive
from drivers.passive import PassiveReader
from drivers.shuffler_link.passive import ShufflerPassive
from drivers.tap import End
from tests.codecs.test_codec_shuffler import CARDS_INSERTED, HELLO, PACKET, SHUFFLE_DONE, SHUFFLE_STARTED

EIGHT_OF_SPADES = bytes.fromhex("05 31 44 81 b8 03 34 46")
CUT_CARD = bytes.fromhex("05 33 43 03 37 33")
BOOT = 0x1A2B3C4D
BUTTON = 2


def read(reader: PassiveReader, octets: bytes | str, end: End = "device", now: float = 10.0) -> list[Any]:
    return list(reader.receive(end, bytes.fromhex(octets) if isinstance(octets, str) else octets, now))


def test_a_card_of_the_shoe_is_read_once_and_a_gap_is_known() -> None:
    reader = AngelEyePassive(None)
    assert read(reader, EIGHT_OF_SPADES * 3) == [(CardDrawn("8s"), Mark(0, 1))]
    assert read(reader, CUT_CARD) == [(ReportsLost(1), Mark(0, 2)), (CutCardSeen(), Mark(0, 3))]
    assert read(reader, b"\x99") == [LineNoise(1)]


def test_a_report_that_is_marked_is_a_copy_just_after_the_opening_and_later_eight_are_lost() -> None:
    reader = AngelEyePassive(Mark(0, 1))
    reader.opened(10.0)
    assert read(reader, EIGHT_OF_SPADES, now=10.1) == []
    reader = AngelEyePassive(Mark(0, 1))
    reader.opened(10.0)
    assert read(reader, EIGHT_OF_SPADES, now=11.0)[0] == (ReportsLost(8), Mark(0, 9))


def test_the_lock_is_known_once_the_shoe_has_acknowledged_what_the_other_controller_ordered() -> None:
    reader = AngelEyePassive(None)
    assert read(reader, b"\x06") == []
    assert read(reader, lock(True)[:4], "host") == [] and read(reader, lock(True)[4:], "host") == []
    assert read(reader, b"\x06") == [(ShoeLocked(True), None)]
    assert read(reader, lock(True) + lock(False), "host") == []
    assert read(reader, b"\x06") == [(ShoeLocked(False), None)] and read(reader, b"\x06") == []


def test_what_the_shuffler_sends_again_is_read_once_and_in_order() -> None:
    reader = ShufflerPassive(Mark(BOOT, 7))
    assert [message.boot for message, mark in read(reader, HELLO)] == [BOOT]
    assert [mark for _, mark in read(reader, SHUFFLE_STARTED)] == [Mark(BOOT, 8)]
    assert read(reader, PACKET + SHUFFLE_STARTED) == []  # 9 is missing, and may be sent again
    assert [mark for _, mark in read(reader, SHUFFLE_DONE, now=10.3)] == [Mark(BOOT, 9), Mark(BOOT, 10)]
    assert read(reader, PACKET) == []
    assert read(reader, HELLO, "host") == []


def test_what_the_shuffler_does_not_send_again_is_lost_after_a_second() -> None:
    reader = ShufflerPassive(Mark(BOOT, 7))
    read(reader, SHUFFLE_STARTED)
    assert read(reader, PACKET) == []
    found = read(reader, CARDS_INSERTED, now=11.5)
    assert found[0] == (ReportsLost(1), Mark(BOOT, 9))
    assert [mark for _, mark in found[1:]] == [Mark(BOOT, 10), Mark(BOOT, 11)]


def test_another_boot_of_the_shuffler_begins_with_its_first_message() -> None:
    reader = ShufflerPassive(Mark(7, 600))
    read(reader, HELLO)
    # HELLO says that number 1 is still to come: what is missing before 8 is awaited, then lost.
    assert read(reader, SHUFFLE_STARTED) == []
    assert read(reader, SHUFFLE_DONE, now=11.5)[0] == (ReportsLost(7), Mark(BOOT, 7))


def asked(reader: PassiveReader, levels: int, now: float) -> list[SlotsRead]:
    read(reader, b"gpio readall\r", "host", now)
    return [message for message, _ in read(reader, f"gpio readall\n\r{levels:04x}\n\r>".encode(), now=now)]


def test_a_board_is_read_where_the_other_controller_asks_it() -> None:
    reader = NumatoPassive(inputs=0b111, lamps=0b11000, button=BUTTON)
    [first] = asked(reader, 0b001, 1.0)
    assert first.levels[:3] == (True, False, False) and first.before is None and not any(first.counters)
    assert asked(reader, 0b001, 1.02) == []
    [chip] = asked(reader, 0b011, 1.04)
    assert chip.counters[:3] == (0, 1, 0) and chip.before == first.counters
    read(reader, b"# 0001 0003 FFE7\n\r# 0003 0001 FFE7\n\r", now=1.05)
    [passed] = asked(reader, 0b011, 1.06)
    assert passed.counters[:3] == (0, 2, 0)


def test_a_press_is_reported_after_two_more_readings() -> None:
    reader = NumatoPassive(inputs=0b111, lamps=0, button=BUTTON)
    asked(reader, 0, 1.0)
    assert asked(reader, 0b100, 1.02) == [] and asked(reader, 0b101, 1.04) == []
    [pressed] = asked(reader, 0b101, 1.06)
    assert pressed.counters[:3] == (1, 0, 1)
