"""The shuffler link's golden frames, any chunking, garbage, and corrupted octets. No I/O here."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.faults import LineNoise
from drivers.messages import (
    CardDispensed,
    CardsInserted,
    Cleared,
    DamagedCard,
    DeckChecked,
    Jammed,
    LidClosed,
    LidOpened,
    Message,
    Misread,
    PacketDispensed,
    ShuffleDone,
    ShufflerHello,
    ShufflerStatus,
    ShuffleStarted,
)
from drivers.shuffler_link.codec import LONGEST_FRAME, Hello, Numbered, Received, ShufflerCodec
from tests.codecs.chunks import cut, summed_up

HELLO = "03 01 01 08 01 1a 2b 3c 4d 01 01 01 0f 0c 03 04 44 53 2d 31 05 31 2e 30 2e 32 82 01 00"
STATUS = "03 01 02 02 07 01 03 34 02 01 05 0c 03 8e 34 00"
SHUFFLE_STARTED = "03 01 03 02 08 01 05 0c 04 a9 ab 00"
SHUFFLE_DONE = "03 01 04 02 09 01 03 0c 04 04 34 dc 7a 00"
PACKET = "03 01 05 02 0a 01 09 0c 05 03 31 1d 0a 74 82 00"
CARDS_INSERTED = "03 01 07 02 0b 04 12 ee e6 00"

GOLDEN: list[tuple[str, Received]] = [
    (HELLO, Hello(1, ShufflerHello(0x1A2B3C4D, "batch", 1, 3075, "DS-1", "1.0.2"))),
    (STATUS, Numbered(7, ShufflerStatus(False, 52, "ready", 3075))),
    (SHUFFLE_STARTED, Numbered(8, ShuffleStarted(3076))),
    (SHUFFLE_DONE, Numbered(9, ShuffleDone(3076, 52))),
    (PACKET, Numbered(10, PacketDispensed(3077, ("As", "Kd", "Tc")))),
    (CARDS_INSERTED, Numbered(11, CardsInserted(18))),
    ("03 01 06 05 0c 21 ed ea 00", Numbered(12, CardDispensed("Ah"))),
    ("03 01 08 04 0d 8a 78 00", Numbered(13, LidOpened())),
    ("03 01 09 04 0e 8d 2b 00", Numbered(14, LidClosed())),
    ("03 01 0a 02 0f 02 34 04 33 01 2c 03 ab e6 00", Numbered(15, DeckChecked(52, 51, ("Qh",), ()))),
    ("03 01 0b 02 10 01 05 0c 05 2c 50 00", Numbered(16, Jammed(3077))),
    ("03 01 0c 02 11 04 07 c4 2f 00", Numbered(17, Misread(7))),
    ("03 01 0d 02 12 04 1f a4 17 00", Numbered(18, DamagedCard(31))),
    ("03 01 0e 04 13 cb 27 00", Numbered(19, Cleared())),
]
GOLDEN_TO_THE_SHUFFLER = [
    "03 01 82 01 05 1a 2b 3c 4d 04 08 32 4b 00",  # RESEND
    "03 01 81 02 01 04 0a 55 4b 00",  # ACK
    "03 01 83 02 02 01 05 0c 04 44 fc 00",  # SHUFFLE
    "03 01 84 02 03 01 06 0c 05 03 75 aa 00",  # DISPENSE
    "03 01 85 04 04 62 5a 00",  # LOCK
    "03 01 86 04 05 2b 2b 00",  # UNLOCK
]
STREAM = b"".join(bytes.fromhex(text) for text, _ in GOLDEN)


@pytest.mark.parametrize(("text", "meaning"), GOLDEN)
def test_golden_frame_from_the_shuffler(text: str, meaning: Received) -> None:
    assert ShufflerCodec().receive(bytes.fromhex(text)) == [meaning]


def test_the_specification_shows_the_same_frames() -> None:
    shown = Path(__file__).with_name("shuffler_frames.txt").read_text(encoding="utf-8")
    assert [text for text, _ in GOLDEN if text not in shown] == []
    assert [text for text in GOLDEN_TO_THE_SHUFFLER if text not in shown] == []


def test_golden_frames_to_the_shuffler_count_themselves() -> None:
    codec = ShufflerCodec()
    sent = [
        codec.resend(0x1A2B3C4D, 8),
        codec.ack(10),
        codec.shuffle(3076),
        codec.dispense(3077, 3),
        codec.lock(),
        codec.unlock(),
    ]
    assert [frame.hex(" ") for frame in sent] == GOLDEN_TO_THE_SHUFFLER
    assert ShufflerCodec().resend(0, 0).hex(" ") == "03 01 82 01 01 01 01 01 01 01 03 f7 a9 00"


def test_a_card_that_could_not_be_read_is_none_and_not_a_guess() -> None:
    message = packet_of(bytes([0xFF, 0x00, 0x0E, 0x41, 0x3D]))
    assert message == PacketDispensed(1, (None, None, None, None, "Ks"))


def test_no_repr_shows_a_card() -> None:
    for text, _ in GOLDEN:
        assert not any(card in repr(ShufflerCodec().receive(bytes.fromhex(text))) for card in ("As", "Kd", "Qh", "Ah"))


@given(st.lists(st.integers(0, 10_000)))
def test_any_chunking_gives_the_same_messages(places: list[int]) -> None:
    codec = ShufflerCodec()
    received = [item for piece in cut(STREAM, places) for item in codec.receive(piece)]
    assert received == [meaning for _, meaning in GOLDEN]


@given(st.lists(st.one_of(st.binary(max_size=40), st.sampled_from([bytes.fromhex(t) for t, _ in GOLDEN]))), st.data())
def test_any_chunking_of_anything_gives_the_same_messages_and_the_same_noise(
    pieces: list[bytes], data: st.DataObject
) -> None:
    octets = b"".join(pieces)
    whole = summed_up(ShufflerCodec().receive(octets))
    codec = ShufflerCodec()
    places = data.draw(st.lists(st.integers(0, len(octets))))
    assert summed_up([item for piece in cut(octets, places) for item in codec.receive(piece)]) == whole


@given(st.binary(max_size=2000))
def test_garbage_never_raises_and_the_next_good_frame_is_received(garbage: bytes) -> None:
    codec = ShufflerCodec()
    codec.receive(garbage)
    codec.receive(b"\0")
    assert codec.receive(bytes.fromhex(PACKET)) == [Numbered(10, PacketDispensed(3077, ("As", "Kd", "Tc")))]


@pytest.mark.parametrize("size", [LONGEST_FRAME, LONGEST_FRAME + 1, 100_000])
def test_babble_without_an_end_is_bounded_and_counted(size: int) -> None:
    codec = ShufflerCodec()
    noise = sum(summed_up(codec.receive(b"\x55" * 977))[1] for _ in range(size // 977))
    noise += summed_up(codec.receive(b"\x55" * (size % 977)))[1]
    assert len(codec._frame) <= LONGEST_FRAME
    noise += summed_up(codec.receive(b"\0"))[1]
    assert noise == size + 1


def test_every_corrupted_octet_yields_no_wrong_card() -> None:
    good = bytes.fromhex(PACKET)
    for place in range(len(good)):
        for wrong in set(range(256)) - {good[place]}:
            codec = ShufflerCodec()
            received, noise = summed_up(codec.receive(good[:place] + bytes([wrong]) + good[place + 1 :] + b"\0"))
            assert received == [] and noise >= 1, (place, wrong)


@pytest.mark.parametrize(
    "body",
    ["02 05 00 01 00 00 00 01 01 31", "01 0f 00 01", "01 85 00 01", "01 05 00 01 00 00 00 01 02 31", "01 08 00 01 00"],
    ids=["version", "unknown type", "a host's type", "fewer cards than announced", "payload where none belongs"],
)
def test_a_frame_with_a_good_crc_that_is_not_ours_is_noise(body: str) -> None:
    frame = framed(bytes.fromhex(body))
    assert ShufflerCodec().receive(frame) == [LineNoise(len(frame))]


def test_the_longest_hello_is_received() -> None:
    frame = framed(bytes([1, 1, 0, 1]) + bytes(3) + bytes([9, 2, 8]) + bytes(4) + (b"\xff" + b"m" * 255) * 2)
    assert len(frame) <= LONGEST_FRAME + 1
    (hello,) = ShufflerCodec().receive(frame)
    assert isinstance(hello, Hello) and hello.message.mode == "continuous" and hello.message.model == "m" * 255


def packet_of(cards: bytes) -> Message:
    frame = framed(bytes([1, 5, 0, 1, 0, 0, 0, 1, len(cards)]) + cards)
    (received,) = ShufflerCodec().receive(frame)
    assert isinstance(received, Numbered)
    return received.message


def framed(body: bytes) -> bytes:
    """COBS and CRC written out again, so that the codec is not tested with itself."""
    crc = 0xFFFF
    for octet in body:
        crc ^= octet << 8
        for _ in range(8):
            crc = (crc << 1 ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
    out = b""
    for block in (body + crc.to_bytes(2, "big")).split(b"\0"):
        while len(block) >= 254:
            out += b"\xff" + block[:254]
            block = block[254:]
        out += bytes([len(block) + 1]) + block
    return out + b"\0"
