"""What the two makes of slots send and take. No I/O here."""

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
from drivers.numato.codec import (
    NOTIFY,
    READ_ALL,
    VERSION,
    Notification,
    NumatoAnswer,
    NumatoCodec,
    Received,
    directions,
    mask,
    write_all,
)
from drivers.numato.edges import EdgeCounts
from tests.codecs.chunks import summed_up


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


READING = b"gpio readall\n\r0005\n\r>"
NOTICE = b"# 0004 0005 00FF\n\r"


def receive(octets: bytes) -> list[Received]:
    return NumatoCodec().receive(octets)


def test_commands_as_they_are_typed() -> None:
    assert READ_ALL.octets == b"gpio readall\r"
    assert write_all(0x8001).octets == b"gpio writeall 8001\r"
    assert directions(0x00FF).octets == b"gpio iodir 00ff\r"
    assert mask(0xFF00).octets == b"gpio iomask ff00\r"
    assert NOTIFY.octets == b"gpio notify on\r"
    with pytest.raises(ValueError, match="10000"):
        write_all(0x10000)


@pytest.mark.parametrize("line_end", [b"\n\r", b"\r\n", b"\n", b"\r"])
def test_an_answer_is_echo_value_and_prompt_whatever_ends_the_lines(line_end: bytes) -> None:
    (answer,) = receive(READING.replace(b"\n\r", line_end))
    assert isinstance(answer, NumatoAnswer) and answer.value_of(READ_ALL) == "0005"


def test_a_value_belongs_to_the_command_that_was_echoed() -> None:
    assert NumatoAnswer("GPIO READALLFFFF").value_of(READ_ALL) == "ffff"
    assert NumatoAnswer("gpio readallfffg").value_of(READ_ALL) is None
    assert NumatoAnswer("gpio readall").value_of(READ_ALL) is None
    assert NumatoAnswer("gpi readall0005").value_of(READ_ALL) is None
    assert NumatoAnswer("gpio writeall 00ff").value_of(write_all(0xFF)) == ""
    assert NumatoAnswer("gpio writeall 00fe").value_of(write_all(0xFF)) is None  # not what was sent: noise on the way
    assert NumatoAnswer("verA0M10.01").value_of(VERSION) == "a0m10.01"
    assert NumatoAnswer("gpio notify ongpio notify enabled").value_of(NOTIFY) == "gpio notify enabled"


@pytest.mark.parametrize("place", range(len(READING) + 1))
def test_a_notification_can_interrupt_an_answer_anywhere(place: int) -> None:
    received = receive(READING[:place] + NOTICE + READING[place:])
    assert [item for item in received if isinstance(item, Notification)] == [Notification((4, 5, 0xFF))]
    assert [item for item in received if isinstance(item, NumatoAnswer)] == [NumatoAnswer("gpio readall0005")]


def test_edges_come_by_xor_whatever_the_order_of_the_fields() -> None:
    for fields in ((4, 5, 0xFF), (5, 4, 0xFF), (0xFF, 4, 5), (4, 0xFF, 5)):
        assert Notification(fields).edges(0xFF) == 1
    assert Notification((0xFF, 0xFE, 0xFF)).edges(0xFF) == 1  # all inputs high look like the directions
    assert Notification((4, 5, 0xFE)).edges(0xFF) == 0  # not the directions that were set: not to be trusted


def test_what_is_no_notification_is_noise_and_text() -> None:
    assert receive(b"#" + READING) == [NumatoAnswer("gpio readall0005"), LineNoise(1)]
    assert receive(b"# 00z4 0005 00FF") == [LineNoise(1)]
    assert receive(b"\x00\xff" + READING) == [NumatoAnswer("gpio readall0005"), LineNoise(2)]


STREAM = READING + NOTICE + b"gpio iomask ffff\n\r>" + READING[:17] + NOTICE + READING[17:]


@given(st.lists(st.sampled_from([READING, NOTICE, b">", b"#", b"\x80", b"# 0"])), st.lists(st.integers(1, 40)))
def test_any_chunking_gives_the_same(pieces: list[bytes], sizes: list[int]) -> None:
    octets = b"".join(pieces) + STREAM
    codec, received, at = NumatoCodec(), [], 0
    for size in [*sizes, len(octets)]:
        received += codec.receive(octets[at : at + size])
        at += size
    assert summed_up(received) == summed_up(receive(octets))


@given(st.binary(max_size=400))
def test_garbage_never_raises_and_is_not_kept(garbage: bytes) -> None:
    codec = NumatoCodec()
    codec.receive(garbage)
    assert len(codec._rest) <= 16 and len(codec._text) <= 64
    answers = codec.receive(b"\x80>" + READING)
    assert answers[-1] == NumatoAnswer("gpio readall0005") or answers[-2] == NumatoAnswer("gpio readall0005")


def counted(*steps: tuple[str, int], inputs: int = 0xFFFF, first: int = 0) -> int:
    """The counter of line 0 after readings ("r", level) and notifications ("n", 1), 20 ms apart.

    ("m", 1) is a notification during a reading that finds the line high.
    """
    edges, now = EdgeCounts(inputs, first), 0.0
    for kind, value in steps:
        now += 0.02
        if kind == "n":
            edges.notified(value)
        elif kind == "r":
            edges.read(value, now)
        elif kind == "m":
            edges.read(1, now, [value])
        else:
            now += value
    return edges.counters[0]


R0, R1, N, LATER = ("r", 0), ("r", 1), ("n", 1), ("wait", 1)


@pytest.mark.parametrize(
    ("steps", "rises"),
    [
        ([R0, R0], 0),
        ([R1], 1),
        ([R1, R1, R0, R1], 2),
        ([N, R1, R1], 1),  # notified, then read
        ([R1, N, R1, R1], 1),  # read, then notified
        ([R1, R0, N, N, R0], 1),
        ([N, N, R0], 1),  # a chip between two readings
        ([N, R0, N, R0, R0], 1),  # its second notification after the reading
        ([R1, N, N, N, R1], 2),  # lifted and placed again between two readings, the first rise notified late
        ([N, N, N, N, N, N, R0], 3),  # a bouncing contact
        ([N, N, N, N, N, R1], 3),
        ([N, N, N, R1], 1),
        ([R1, LATER, ("m", 1), R1], 1),  # the station stopped behind a reading, the board did not
        ([R1, LATER, N, N, R1], 2),  # the first rise was never notified
        ([R1, R0, LATER, R0, N, N, R0], 2),
    ],
)
def test_rises_are_counted_once(steps: list[tuple[str, int]], rises: int) -> None:
    assert counted(*steps) == rises


def test_counting_begins_with_the_first_reading_and_minds_the_inputs_only() -> None:
    assert counted(R1, R1, first=1) == 0
    assert counted(R1, N, inputs=0xFFFE) == 0
    edges = EdgeCounts(0x00FF, 0xFFFF)
    assert edges.levels == (True,) * 8 + (False,) * 8 and edges.counters == [0] * 16


def test_a_counter_wraps() -> None:
    edges = EdgeCounts(1, 0)
    edges.counters[0] = 65535
    edges.read(1, 0.0)
    assert edges.counters[0] == 0


@given(st.lists(st.sampled_from(["up and down", "change", "read"]), max_size=40), st.booleans())
def test_without_loss_every_visit_between_readings_counts(acts: list[str], late: bool) -> None:
    """The last notification of each act may come after the reading that has seen it."""
    edges = EdgeCounts(1, 0)
    level = rises = 0
    waiting: list[int] = []
    for now, act in enumerate(acts, start=1):
        waiting += [1] * {"up and down": 2, "change": 1, "read": 0}[act]
        if act == "change":
            level ^= 1
            rises += level
        rises += act == "up and down"
        while len(waiting) > late:
            edges.notified(waiting.pop())
        edges.read(level, now / 1000)
        while waiting:
            edges.notified(waiting.pop())
        edges.read(level, now / 1000)
    assert edges.counters[0] == rises
