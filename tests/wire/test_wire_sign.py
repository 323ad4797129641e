"""The sign driver against a pty that keeps what it is sent."""

import re
from pathlib import Path
from typing import Any

import pytest

from drivers.alpha.serial_sign import SerialSign
from drivers.link import LinkTiming
from drivers.messages import LinkLost, LinkUp, NoiseReceived
from drivers.orders import NoOrder, SignFace

PAGES = ("JACKPOT {amount}", "PRÉMIO {amount}")
PACKET = re.compile(rb"\x00{5}\x01Z00\x02([^\x03\x04]*)\x03([0-9A-F]{4})\x04")


def commands(peer: Any) -> list[bytes]:
    for packet in PACKET.finditer(bytes(peer.got)):
        assert b"%04X" % sum(b"\x02" + packet[1] + b"\x03") == packet[2]
    return [packet[1] for packet in PACKET.finditer(bytes(peer.got))]


@pytest.fixture
def sign_at(quick: LinkTiming) -> Any:
    def build(port: Path, **settings: Any) -> SerialSign:
        settings = {"baud": 115200, "packet_pause_seconds": 0.0, "write_wait_seconds": 0.1, **settings}
        return SerialSign(port=str(port), link_timing=quick, **settings)

    return build


async def test_at_an_opening_everything_is_written(peer: Any, sign_at: Any, running: Any) -> None:
    sign = sign_at(peer.path)
    sign.order(SignFace(PAGES, "600.003,50"))
    async with running(sign) as received:
        await received.until(lambda: len(commands(peer)) == 5)
        assert isinstance(received.messages[0], LinkUp) and len(received.messages) == 1
        assert commands(peer) == [
            b"E$AAU0100FF00BAU0100FF00JBL007D0000",
            b"GJ600.003,50",
            b"AA\x1b b\x1c2JACKPOT \x1c3\x10J\x1c2",
            b"AB\x1b b\x1c2PREMIO \x1c3\x10J\x1c2",
            b"E.TUAB",
        ]
        assert peer.got == b"".join(packet[0] for packet in PACKET.finditer(bytes(peer.got)))


async def test_a_new_amount_is_one_string_and_nothing_else(peer: Any, sign_at: Any, running: Any) -> None:
    sign = sign_at(peer.path)
    sign.order(SignFace(PAGES, "1,00"))
    async with running(sign) as received:
        await received.until(lambda: len(commands(peer)) == 5)
        sign.order(SignFace(PAGES, "2,00"))
        await received.until(lambda: len(commands(peer)) == 6)
        sign.order(SignFace(PAGES, "2,00"))
        sign.order(SignFace(("{amount}", PAGES[1]), "2,00"))
        await received.until(lambda: len(commands(peer)) == 7)
        assert [command[:2] for command in commands(peer)[5:]] == [b"GJ", b"AA"]


async def test_of_many_amounts_only_the_last_is_sent(peer: Any, sign_at: Any, running: Any) -> None:
    sign = sign_at(peer.path, packet_pause_seconds=0.03)
    sign.order(SignFace(PAGES, "start"))
    async with running(sign) as received:
        await received.until(lambda: len(commands(peer)) == 5)
        sign.order(SignFace(PAGES, "0"))
        await received.until(lambda: len(commands(peer)) == 6)
        for amount in range(1, 200):
            sign.order(SignFace(PAGES, str(amount)))
        await received.until(lambda: commands(peer)[-1] == b"GJ199")
        assert [command for command in commands(peer) if command.startswith(b"GJ")] == [b"GJstart", b"GJ0", b"GJ199"]


async def test_it_comes_back_with_its_whole_face(peer: Any, sign_at: Any, running: Any) -> None:
    sign = sign_at(peer.path)
    sign.order(SignFace(PAGES, "1,00"))
    async with running(sign) as received:
        await received.until(lambda: len(commands(peer)) == 5)
        peer.unplug()
        await received.until(lambda: received.of(LinkLost))
        sign.order(SignFace(PAGES, "9,00"))
        peer.got.clear()
        peer.plug()
        await received.until(lambda: len(commands(peer)) == 5)
        assert commands(peer)[1] == b"GJ9,00"
        assert [type(message) for message in received.messages] == [LinkUp, LinkLost, LinkUp]


async def test_a_sign_that_takes_nothing_is_lost(peer: Any, sign_at: Any, running: Any) -> None:
    peer.stop_reading()
    sign = sign_at(peer.path)
    sign.order(SignFace(("x" * 30_000,), "1,00"))
    async with running(sign) as received:
        await received.until(lambda: received.of(LinkLost))
        (lost,) = received.of(LinkLost)
        assert lost.reason.endswith("takes nothing for 0.1 s")


async def test_an_absent_sign_is_a_state(tmp_path: Path, sign_at: Any, running: Any) -> None:
    async with running(sign_at(tmp_path / "nothing")) as received:
        await received.until(lambda: received.messages)
        assert received.messages == [LinkLost(f"no device at {tmp_path}/nothing", "unplugged")]


async def test_what_a_sign_says_unasked_is_noise(peer: Any, sign_at: Any, running: Any) -> None:
    sign = sign_at(peer.path)
    sign.order(SignFace((), ""))
    async with running(sign) as received:
        await received.until(lambda: received.of(LinkUp))
        peer.send(b"hello")
        await received.until(lambda: received.of(NoiseReceived))
        assert received.of(NoiseReceived) == [NoiseReceived(5)]


def test_mistakes_are_refused_at_once() -> None:
    with pytest.raises(ValueError, match="address"):
        SerialSign(port="nowhere", address="0")
    with pytest.raises(ValueError, match="at most"):
        SerialSign(port="nowhere").order(SignFace(("x",) * 26, "1"))
    with pytest.raises(ValueError, match="at most"):
        SerialSign(port="nowhere").order(SignFace((), "1" * 126))
    with pytest.raises(TypeError, match="sign cannot be ordered"):
        SerialSign(port="nowhere").order(NoOrder())
