"""The simulated sign against golden packets of the Alpha protocol, and what a viewer reads."""

from simulators.devices.sign import Sign
from simulators.devices.sign_packets import PacketReader, SignCommand

TEXT = bytes.fromhex("00 00 00 00 00 01 5a 30 30 02 41 41 1b 20 62 4a 41 43 4b 50 4f 54 20 10 4a 04")
STRING = bytes.fromhex("00 00 00 00 00 01 5a 30 30 02 47 31 24 31 32 2c 33 34 35 2e 36 37 03 30 32 36 37 04")


def packet(*fields: bytes, address: bytes = b"00") -> bytes:
    return b"\0" * 5 + b"\x01Z" + address + b"".join(b"\x02" + field for field in fields) + b"\x04"


def sign_with_memory() -> tuple[Sign, list[str]]:
    shown: list[str] = []
    sign = Sign(shown.append)
    sign.heard(packet(b"E$AAU0100FF00BAU0100FF00JBU00200000"))
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


def test_another_signs_address_is_not_heard_and_its_own_is() -> None:
    for address, count in ((b"05", 1), (b"06", 0), (b"00", 1)):
        assert len(PacketReader(b"05").feed(packet(b"AAx", address=address), 0.0)) == count


def test_a_text_calls_the_string_and_only_the_string_changes() -> None:
    sign, shown = sign_with_memory()
    sign.heard(packet(b"AA\x1b bJACKPOT \x10J"))
    sign.heard(packet(b"GJ600.000,00"))
    sign.heard(packet(b"GJ600.003,50"))
    sign.heard(packet(b"GJ600.003,50"))
    assert shown == ["JACKPOT", "JACKPOT 600.000,00", "JACKPOT 600.003,50"]


def test_pages_of_the_run_sequence_are_joined_and_codes_leave_no_trace() -> None:
    sign, _ = sign_with_memory()
    sign.heard(packet(b"AA\x1b0a\x1c1PT\x1a3 \x10J\x0cDOIS", b"AB\x1b n4\x1c2EN\x0d\x1e1LINE", b"GJ\x1c35"))
    assert sign.readable == "PT 5 | DOIS | EN LINE"
    sign.heard(packet(b"E.TUB"))
    assert sign.readable == "EN LINE"


def test_portuguese_letters_in_seven_and_eight_bits() -> None:
    sign, _ = sign_with_memory()
    sign.heard(packet(b"E.TUA", b"AA\x1b b\x87\x08\x27\x82\x08\x22"))
    assert sign.readable == "ççéé"


def test_the_priority_file_wins_until_it_is_written_empty() -> None:
    sign, shown = sign_with_memory()
    sign.heard(packet(b"AA\x1b bJACKPOT"))
    sign.heard(packet(b"A0\x1b bFAULT"))
    sign.heard(packet(b"GJ1"))
    sign.heard(packet(b"A0"))
    assert shown == ["JACKPOT", "FAULT", "JACKPOT"]


def test_what_has_no_memory_or_too_little_is_not_shown() -> None:
    sign, shown = sign_with_memory()
    sign.heard(packet(b"AC\x1b blost", b"GK1", b"GJ" + b"9" * 33, b"AJ\x1b bwrong kind"))
    assert shown == []


def test_memory_configuration_empties_every_file() -> None:
    sign, _ = sign_with_memory()
    sign.heard(packet(b"AA\x1b bJACKPOT"))
    sign.heard(packet(b"E$AAU0100FF00"))
    assert sign.readable == ""
