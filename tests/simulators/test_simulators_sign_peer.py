"""Packets built by somebody else's library: equal to the driver's, and read by the simulated sign."""

from collections.abc import Sequence
from typing import Any

import pytest
from alphasign.commands.special import WriteSpecialFunction
from alphasign.commands.string_file import WriteString
from alphasign.commands.text import WriteText
from alphasign.packet import Packet
from alphasign.protocol import DELAY, Color, DisplayMode, DisplayPosition, FileProtection, FileType

from drivers.alpha import codec as alpha_codec
from simulators.devices.sign import Sign


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
    sign = Sign(shown.append)
    for command in (
        memory([256, 256]),
        WriteString(b"600.003,50", label="J"),
        text("A", b"JACKPOT \x10J"),
        text("B", b"BOA SORTE"),
        WriteSpecialFunction.set_run_sequence("TUAB"),
    ):
        sign.heard(theirs(command))
    assert shown[-1] == "JACKPOT 600.003,50 | BOA SORTE"
    spoilt = theirs(WriteString(b"999.999,99", label="J")).replace(b"999.999", b"899.999")
    sign.heard(spoilt)
    assert sign.readable == "JACKPOT 600.003,50 | BOA SORTE"
