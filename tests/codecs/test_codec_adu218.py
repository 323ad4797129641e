"""The ADU218's reports as in public transcripts. No I/O here."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.adu218.codec import (
    COUNTERS,
    DEBOUNCE,
    INPUTS,
    RELAYS,
    AduAnswer,
    ask,
    decode,
    levels,
    set_debounce,
    set_relays,
)
from drivers.faults import LineNoise


def test_golden_question_and_answer() -> None:
    assert ask(COUNTERS[2]).hex(" ") == "01 52 45 32 00 00 00 00"
    answer = decode(bytes.fromhex("01 31 30 34 34 39 00 00"))
    assert answer == AduAnswer(5, 10449) and answer.fits(COUNTERS[2])


def test_commands() -> None:
    assert ask(INPUTS) == b"\x01PI\0\0\0\0\0" and ask(RELAYS) == b"\x01PK\0\0\0\0\0"
    assert set_relays((True, False, False, False, False, False, False, True)) == b"\x01MK129\0\0"
    assert set_relays((False,) * 8) == b"\x01MK000\0\0"
    assert set_debounce(0) == b"\x01DB0\0\0\0\0"
    assert all(question.command.startswith("RE") for question in COUNTERS)  # RC would clear


def test_orders_that_cannot_be_are_refused() -> None:
    with pytest.raises(ValueError, match="7 relays"):
        set_relays((True,) * 7)
    with pytest.raises(ValueError, match="debounce"):
        set_debounce(3)


def test_bit_0_is_input_0() -> None:
    assert levels(0b10000001) == (True, False, False, False, False, False, False, True)


def test_the_shape_of_an_answer_identifies_its_question() -> None:
    inputs, counter, debounce = AduAnswer(3, 129), AduAnswer(5, 129), AduAnswer(1, 0)
    fits = [[a.fits(q) for q in (INPUTS, COUNTERS[0], DEBOUNCE)] for a in (inputs, counter, debounce)]
    assert fits == [[True, False, False], [False, True, False], [False, False, True]]
    assert not AduAnswer(3, 256).fits(INPUTS) and not AduAnswer(5, 65536).fits(COUNTERS[0])


@given(st.binary(max_size=16))
def test_no_report_raises(report: bytes) -> None:
    answer = decode(report)
    assert isinstance(answer, AduAnswer) or answer == LineNoise(len(report))


@pytest.mark.parametrize(
    "report", [b"", b"\x01", b"\x02129\0\0\0\0", b"\x01\0\0\0\0\0\0\0", b"\x0112a\0\0\0\0", b"\x01129"]
)
def test_what_is_no_answer_is_noise(report: bytes) -> None:
    assert decode(report) == LineNoise(len(report))


def test_what_an_older_answer_left_behind_the_nul_is_not_read() -> None:
    assert decode(b"\x01129\x0049\0") == AduAnswer(3, 129)
