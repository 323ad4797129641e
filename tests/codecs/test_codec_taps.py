"""What is read at taps on the wires of another controller, and by usbmon: each report once, gaps, its orders."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.adu218.codec import COUNTERS, INPUTS, RELAYS, ask
from drivers.adu218.passive import Adu218Passive
from drivers.adu218.slots import IDENTITY
from drivers.angel_eye.codec import lock
from drivers.angel_eye.passive import AngelEyePassive
from drivers.device import Mark
from drivers.faults import LineNoise
from drivers.messages import CardDrawn, CutCardSeen, ReportsLost, ShoeLocked, SlotsRead
from drivers.numato.passive import NumatoPassive
from drivers.passive import PassiveReader, Read
from drivers.ports.usbmon import Transfer, UsbPlace, find, transfer
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


ANSWER = "ffff888105aec0c0 1 C Ii:3:012:1 0:8 8 = 01313239 00000000"
QUESTION = "ffff888105aec0c0 1 S Io:3:012:1 -115:8 8 = 01504900 00000000"


@pytest.mark.parametrize(
    "line",
    [
        "d5ea89a0 3575914555 S Ci:1:001:0 s a3 00 0000 0003 0004 4 <",
        "d5ea89a0 3575914560 C Ci:1:001:0 0 4 = 01050000",
        "dd65f0e8 4128379808 C Bo:1:005:2 0 31 >",
        "",
        "garbage",
    ],
)
def test_a_line_without_octets_of_an_endpoint_is_none(line: str) -> None:
    assert transfer(line) is None


def test_what_the_host_sends_is_read_as_it_is_submitted() -> None:
    line = (
        "dd65f0e8 4128379752 S Bo:1:005:2 -115 31 = "
        "55534243 ad000000 00800000 80010a28 20000000 20000040 00000000 000000"
    )
    found = transfer(line)
    assert found is not None and (found.end, found.place, found.endpoint) == ("host", UsbPlace(1, 5), 2)
    assert found.seconds == 4128.379752
    assert found.octets[:4] == b"USBC" and len(found.octets) == 31
    assert transfer(QUESTION) == Transfer("host", UsbPlace(3, 12), 1, ask(INPUTS), 0.000001)


def test_what_the_device_sends_is_read_as_it_is_complete() -> None:
    assert transfer(ANSWER) == Transfer("device", UsbPlace(3, 12), 1, b"\x01129\0\0\0\0", 0.000001)
    assert transfer(ANSWER.replace(" C ", " S ")) is None
    assert transfer(ANSWER.replace(" 0:8 8", " -2:8 8")) is None
    assert transfer(ANSWER.replace(" 8 = ", " 4 = ")) is None
    assert transfer(ANSWER[:-1]) is None


@given(st.text(st.characters(max_codepoint=127), max_size=80), st.integers(0, 60))
def test_no_line_raises(text: str, at: int) -> None:
    transfer(text)
    transfer(ANSWER[:at] + text + ANSWER[at:])


def test_a_device_is_found_by_its_numbers(tmp_path: Path) -> None:
    for name, product, device in (("1-1", "00db", 4), ("1-2", "00da", 12), ("usb1", "00da", 13)):
        folder = tmp_path / name
        folder.mkdir()
        for file, text in {"idVendor": "0a07", "idProduct": product, "busnum": "3", "devnum": str(device)}.items():
            (folder / file).write_text(f"{text}\n")
    assert find(IDENTITY, tmp_path) == UsbPlace(3, 12)
    assert find(IDENTITY, tmp_path / "1-1") is None


def adu218_asked(reader: Adu218Passive, levels: int, now: float) -> list[object]:
    assert list(reader.receive("host", ask(INPUTS), now)) == []
    return [report if isinstance(report, LineNoise) else report[0] for report in answered(reader, f"{levels:03}", now)]


def answered(reader: Adu218Passive, text: str, now: float) -> list[Read]:
    return list(reader.receive("device", b"\x01" + text.encode().ljust(7, b"\0"), now))


def test_levels_are_read_where_the_controller_asks_for_them_and_rises_are_counted() -> None:
    reader = Adu218Passive()
    [first] = adu218_asked(reader, 0b001, 1.0)
    assert isinstance(first, SlotsRead) and first.levels[:2] == (True, False) and first.before is None
    assert adu218_asked(reader, 0b001, 1.1) == []
    [chip] = adu218_asked(reader, 0b010, 1.2)
    assert isinstance(chip, SlotsRead) and chip.counters[:2] == (0, 1) and chip.before == (0,) * 8
    assert answered(reader, "xy", 1.3) == [LineNoise(8)]


def test_what_may_be_the_answer_to_another_question_is_not_read() -> None:
    reader = Adu218Passive()
    list(reader.receive("host", ask(RELAYS), 1.0))
    assert adu218_asked(reader, 0b001, 1.0) == []  # the first answer is of the relays
    assert answered(reader, "002", 1.0) != []
    assert answered(reader, "004", 1.0) == []  # no one has asked
    list(reader.receive("host", ask(COUNTERS[0]), 2.0))
    assert answered(reader, "00001", 2.0) == []
    list(reader.receive("host", ask(RELAYS), 3.0))
    assert adu218_asked(reader, 0b100, 5.0) != []  # that of the relays never came
    list(reader.receive("host", ask(RELAYS), 4095.5))
    assert adu218_asked(reader, 0b010, 0.6) != []  # the kernel's time began again


def counted(reader: Adu218Passive, input: int, value: int, now: float) -> None:
    assert list(reader.receive("host", ask(COUNTERS[input]), now)) == [] == answered(reader, f"{value:05}", now)


def test_a_press_between_two_questions_for_the_inputs_is_known_by_the_boards_own_counter() -> None:
    reader = Adu218Passive()
    counted(reader, 7, 65535, 1.0)
    assert adu218_asked(reader, 0b000, 1.0) != []
    counted(reader, 7, 0, 1.1)  # pressed and released
    [press] = adu218_asked(reader, 0b000, 1.1)
    assert isinstance(press, SlotsRead) and press.before is not None
    assert (press.before[7], press.counters[7]) == (0, 1)
    assert adu218_asked(reader, 0b000, 1.2) == []
    counted(reader, 7, 0, 1.3)
    [long] = adu218_asked(reader, 0b10000000, 1.3)  # the counter was read before it, the level after it
    assert isinstance(long, SlotsRead) and long.counters[7] == 2
    counted(reader, 7, 1, 1.4)
    assert adu218_asked(reader, 0b10000000, 1.4) == []
    counted(reader, 7, 3, 1.5)
    [twice] = adu218_asked(reader, 0b10000000, 1.5)
    assert isinstance(twice, SlotsRead) and twice.counters[7] == 4
    counted(reader, 7, 0, 1.6)  # the board was without power
    counted(reader, 7, 1, 1.7)
    [again] = adu218_asked(reader, 0b10000000, 1.7)
    assert isinstance(again, SlotsRead) and again.counters[7] == 5


def test_a_rise_before_the_first_reading_of_a_counter_hides_no_later_one() -> None:
    reader = Adu218Passive()
    assert adu218_asked(reader, 0b000, 1.0) != []
    counted(reader, 0, 1, 1.1)
    assert adu218_asked(reader, 0b001, 1.1) != []  # counted by the board before its counter was first read
    counted(reader, 0, 1, 1.2)
    assert adu218_asked(reader, 0b001, 1.2) == []
    counted(reader, 0, 2, 1.3)
    [bounce] = adu218_asked(reader, 0b001, 1.3)
    assert isinstance(bounce, SlotsRead) and bounce.counters[0] == 2
