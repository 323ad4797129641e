"""The sign's golden packets, its memory and its letters. No I/O here."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.alpha.codec import (
    LONGEST_STRING,
    PAGE_LABELS,
    configure_memory,
    packet,
    page_text,
    plain,
    run_sequence,
    write_string,
    write_text,
)
from drivers.alpha.sign import SignMemory


def test_golden_text() -> None:
    sent = packet(write_text("A", b"JACKPOT \x10J"), checksum=False)
    assert sent.hex(" ") == "00 00 00 00 00 01 5a 30 30 02 41 41 1b 20 62 4a 41 43 4b 50 4f 54 20 10 4a 04"


def test_golden_string_with_checksum() -> None:
    sent = packet(write_string("1", b"$12,345.67"))
    assert sent.hex(" ") == "00 00 00 00 00 01 5a 30 30 02 47 31 24 31 32 2c 33 34 35 2e 36 37 03 30 32 36 37 04"


def test_the_memory_has_a_text_for_each_page_and_the_string_of_the_amount() -> None:
    assert configure_memory([256, 512]) == b"E$AAU0100FF00BAU0200FF00JBL007D0000"
    assert run_sequence(2) == b"E.TUAB"


def test_no_page_has_the_label_of_the_amount_or_a_reserved_one() -> None:
    assert len(set(PAGE_LABELS)) == 25 and not set(PAGE_LABELS) & set("J012345")


def test_a_page_calls_the_amount_and_colours_it() -> None:
    assert page_text("JACKPOT {amount} MOP") == b"\x1c2JACKPOT \x1c3\x10J\x1c2 MOP"


def test_letters_become_what_the_sign_can_show() -> None:
    assert plain("Prémio \u201cação\u201d \u2014 600\u00a0003,50 \u20ac") == b'Premio "acao" - 600 003,50 EUR'
    assert plain("\u5927\u734e") == b"??"


@given(st.text())
def test_no_text_can_say_a_control_code(text: str) -> None:
    assert all(0x20 <= octet <= 0x7E for octet in plain(text))


def test_a_string_is_never_cut() -> None:
    write_string("J", b"9" * LONGEST_STRING)
    with pytest.raises(ValueError, match="126"):
        write_string("J", b"9" * (LONGEST_STRING + 1))


def commands(memory: SignMemory, pages: tuple[bytes, ...], amount: bytes) -> list[bytes]:
    return list(iter(lambda: memory.next_command(pages, amount), None))


def test_everything_is_written_once_after_an_opening() -> None:
    sent = commands(SignMemory(), (b"one", b"two"), b"1,00")
    assert [command[:2] for command in sent] == [b"E$", b"GJ", b"AA", b"AB", b"E."]


def test_a_new_amount_is_one_string() -> None:
    memory = SignMemory()
    commands(memory, (b"one", b"two"), b"1,00")
    assert commands(memory, (b"one", b"two"), b"2,00") == [b"GJ2,00"]


def test_a_new_page_leaves_the_memory_alone() -> None:
    memory = SignMemory()
    commands(memory, (b"one", b"two"), b"1,00")
    assert [command[:2] for command in commands(memory, (b"one", b"TWO"), b"1,00")] == [b"AB"]


@pytest.mark.parametrize("pages", [(b"one",), (b"one", b"two", b"three"), (b"one", b"2" * 300)])
def test_another_number_or_room_of_pages_writes_everything_again(pages: tuple[bytes, ...]) -> None:
    memory = SignMemory()
    commands(memory, (b"one", b"two"), b"1,00")
    sent = commands(memory, pages, b"1,00")
    assert sent[0].startswith(b"E$") and len(sent) == len(pages) + 3
