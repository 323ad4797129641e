"""The shoe's golden frames, its three copies, its gaps and wraps, any chunking and garbage. No I/O here."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.angel_eye.codec import (
    REFUSALS,
    AngelEyeCodec,
    CommandAccepted,
    CommandRefused,
    Received,
    Report,
    clear_error,
    lock,
)
from drivers.angel_eye.dialogue import Fresh, ReportOrder
from drivers.faults import LineNoise
from drivers.messages import (
    CardDrawn,
    CardDrawnOutOfTurn,
    CutCardSeen,
    Message,
    PresetChanged,
    ReportRepeated,
    ReportUnknown,
    ShoeError,
    ShoeErrorCleared,
    ShoeLocked,
    ShoeStandby,
    ShoeStarted,
)
from tests.codecs.chunks import cut, summed_up

EIGHT_OF_SPADES = bytes.fromhex("05 31 44 81 b8 03 34 46")
CUT_CARD = bytes.fromhex("05 33 43 03 37 33")
CANNOT_READ = bytes.fromhex("05 34 45 c1 03 42 33")
TILE_6_5 = bytes.fromhex("05 31 44 e0 e5 03 37 33")
TILE_1_1 = bytes.fromhex("05 32 44 e0 91 03 30 34")
LOCKED = bytes.fromhex("05 35 4c 81 03 46 42")
START = bytes.fromhex("05 43 53 03 31 33")
GOLDEN: list[tuple[bytes, int | None, Message]] = [
    (EIGHT_OF_SPADES, 1, CardDrawn("8s")),
    (CUT_CARD, 3, CutCardSeen()),
    (CANNOT_READ, 4, ShoeError(1, "card cannot be read")),
    (TILE_6_5, 1, CardDrawn("6-5")),
    (TILE_1_1, 2, CardDrawn("1-1")),
    (LOCKED, 5, ShoeLocked(True)),
    (START, None, ShoeStarted()),
]


def frame(sequence: int, text: bytes) -> bytes:
    """A report with its check, XOR from sequence to ETX, written out again."""
    body = b"%d" % sequence + text + b"\x03"
    check = 0
    for octet in body:
        check ^= octet
    return b"\x05" + body + f"{check:02X}".encode()


def receive(octets: bytes) -> list[Received]:
    return AngelEyeCodec().receive(octets)


@pytest.mark.parametrize(("octets", "sequence", "message"), GOLDEN)
def test_golden_report(octets: bytes, sequence: int | None, message: Message) -> None:
    assert receive(octets) == [Report(sequence, message, octets)]


def test_golden_lock_command() -> None:
    assert lock(True).hex(" ") == "02 4f 50 4c 4b 30 32 03 31 42"
    assert lock(False).hex(" ") == "02 4f 50 4c 4b 30 31 03 31 38"


def test_golden_clear_error_command_has_two_digits() -> None:
    assert clear_error(1).hex(" ") == "02 4f 50 45 43 30 31 03 31 39"
    assert clear_error(7).hex(" ") == "02 4f 50 45 43 30 37 03 31 46"
    assert clear_error(99).hex(" ") == "02 4f 50 45 43 39 39 03 31 38"
    with pytest.raises(ValueError, match="100"):
        clear_error(100)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"P", ShoeStandby()),
        (b"D\x90\x91", CardDrawn("Ad")),
        (b"D\xc0\xad", CardDrawn("Kc")),
        (b"D\x80\xca", CardDrawn("Th")),
        (b"D\x80\xce", CardDrawn(None)),
        (b"D\x80\xf1", CardDrawn(None)),
        (b"D\xe0\xb1", CardDrawn("3-1")),
        (b"D\xe1\xee", CardDrawn(None)),
        (b"D\xe0\xe0", CardDrawn(None)),
        (b"D\xe0\xd6", CardDrawn(None)),
        (b"D\xe0\xf1", CardDrawn(None)),
        (b"d\x80\xb8", CardDrawnOutOfTurn("locked", "8s")),
        (b"d\x90\xb8", CardDrawnOutOfTurn("error", "8s")),
        (b"d\xa0\xb8", CardDrawnOutOfTurn("setting", "8s")),
        (b"R\x81\xb8", ReportRepeated()),
        (b"E\xc7", ShoeError(7, "draw timed out")),
        (b"e\xc1", ShoeErrorCleared(1)),
        (b"L\x80", ShoeLocked(False)),
        (b"M", PresetChanged()),
        (b"D\x80", ReportUnknown(ord("D"))),
        (b"X\x80\x80\x80", ReportUnknown(ord("X"))),
    ],
)
def test_report_means(text: bytes, message: Message) -> None:
    (report,) = receive(frame(2, text))
    assert isinstance(report, Report) and report.message == message


def test_answers_to_a_command_are_named() -> None:
    assert receive(b"\x06\x15\x02\x15\x21\x15\xff") == [
        CommandAccepted(),
        CommandRefused(2),
        CommandRefused(0x21),
        CommandRefused(0xFF),
    ]
    assert REFUSALS[0x21] == "busy" and REFUSALS[0x13] == "unknown command"
    assert receive(b"\x15" + EIGHT_OF_SPADES)[0] == LineNoise(1)


def test_a_tile_is_one_of_21_and_no_card_is_one() -> None:
    faces = {f"{larger}-{smaller}" for larger in range(1, 7) for smaller in range(1, larger + 1)}
    read = [receive(frame(2, b"D" + bytes((first, second)))) for first in (0xE0, 0xE7) for second in range(0x80, 0x100)]
    cards = [message.card for [report] in read if isinstance(report, Report) and (message := report.message)]  # type: ignore[union-attr]
    assert len(cards) == 256 and set(cards) - {None} == faces and cards.count(None) == 2 * (128 - 21)
    for kind in (*range(6), 7):
        [report] = receive(frame(2, b"D" + bytes((0x80 | kind << 4, 0xB1))))
        assert isinstance(report, Report) and report.message == CardDrawn("As")


def test_no_repr_shows_a_card() -> None:
    assert "8s" not in repr(receive(EIGHT_OF_SPADES)) and "b8" not in repr(receive(EIGHT_OF_SPADES))


STREAM = b"".join(octets * 3 for octets, _, _ in GOLDEN) + b"\x06\x15\x21"


@given(
    st.lists(st.one_of(st.binary(max_size=12), st.sampled_from([octets for octets, _, _ in GOLDEN]))),
    st.lists(st.integers(0, 500)),
)
def test_any_chunking_gives_the_same_messages_and_the_same_noise(pieces: list[bytes], places: list[int]) -> None:
    octets = STREAM + b"".join(pieces)
    codec = AngelEyeCodec()
    received = [item for piece in cut(octets, places) for item in codec.receive(piece)]
    assert summed_up(received) == summed_up(receive(octets))


@given(st.binary(max_size=300))
def test_garbage_never_raises_and_the_next_good_frame_is_received(garbage: bytes) -> None:
    codec = AngelEyeCodec()
    codec.receive(garbage)
    assert len(codec._rest) <= 13
    assert any(isinstance(r, Report) and r.message == CardDrawn("8s") for r in codec.receive(EIGHT_OF_SPADES))


def test_every_corrupted_octet_yields_no_wrong_card() -> None:
    for place in range(len(EIGHT_OF_SPADES)):
        for wrong in set(range(256)) - {EIGHT_OF_SPADES[place]}:
            octets = EIGHT_OF_SPADES[:place] + bytes([wrong]) + EIGHT_OF_SPADES[place + 1 :]
            codec = AngelEyeCodec()
            received = codec.receive(octets) + codec.receive(CUT_CARD)
            reports = [item for item in received if isinstance(item, Report)]
            assert [report.message for report in reports] == [CutCardSeen()], (place, wrong)


def order_of(sequence: int | None, *frames: bytes, copies_possible: bool = False) -> list[Fresh | None]:
    order = ReportOrder(sequence)
    return [
        order.take(report, copies_possible)
        for octets in frames
        for report in receive(octets)
        if isinstance(report, Report)
    ]


def test_the_first_good_copy_of_three_counts() -> None:
    spoilt = EIGHT_OF_SPADES[:4] + b"\xb9" + EIGHT_OF_SPADES[5:]
    assert order_of(None, spoilt, EIGHT_OF_SPADES, EIGHT_OF_SPADES) == [Fresh(0, 0, 1), None]


def test_a_gap_is_lost_reports() -> None:
    assert order_of(None, frame(1, b"M"), frame(4, b"M")) == [Fresh(0, 0, 1), Fresh(2, 1, 4)]


def test_the_number_wraps_from_nine_to_one() -> None:
    assert order_of(8, frame(9, b"M"), frame(1, b"M"), frame(3, b"M")) == [
        Fresh(0, 8, 9),
        Fresh(0, 9, 1),
        Fresh(1, 1, 3),
    ]


def test_the_same_number_with_other_octets_is_eight_lost_and_not_a_copy() -> None:
    assert order_of(None, frame(4, b"M"), frame(4, b"C")) == [Fresh(0, 0, 4), Fresh(8, 4, 4)]


def test_after_a_restart_the_marked_number_is_a_copy_only_while_copies_can_come() -> None:
    assert order_of(4, frame(4, b"M"), frame(4, b"M"), frame(5, b"M"), copies_possible=True) == [
        None,
        None,
        Fresh(0, 4, 5),
    ]
    assert order_of(4, frame(4, b"M")) == [Fresh(8, 4, 4)]


def test_a_start_report_begins_the_numbers_again() -> None:
    assert order_of(5, START, START, frame(1, b"M")) == [Fresh(0, 0, 0), None, Fresh(0, 0, 1)]
    assert order_of(0, frame(3, b"M")) == [Fresh(2, 0, 3)]
