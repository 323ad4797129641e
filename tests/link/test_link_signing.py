"""Signed messages of a linked pot: what a key has signed for a topic is opened there, and nothing else."""

import msgspec
import pytest

from controller.link.messages import Acknowledged, Announced, SentEntry
from controller.link.signing import sealed, verified_message
from controller.tlog.notes import BadNote, Note, Signer
from tests.link.entries import PIT_KEY, key_of

TOPIC = "dealer/macau-1/table-1/linked/hall"
ANSWER = Acknowledged("hall", "macau-1/table-1", "j-1", 17, 2, 4711)
NEXT = key_of("pit.example/next")


def test_linked_pot_2_a_message_is_opened_by_the_key_that_signed_it_whichever_of_two() -> None:
    for signer in (PIT_KEY, NEXT):
        content = sealed(signer, TOPIC, ANSWER)
        keys = [PIT_KEY.verifier, NEXT.verifier]
        assert msgspec.json.decode(verified_message(keys, TOPIC, content), type=Acknowledged) == ANSWER
        assert sealed(signer, TOPIC, ANSWER) == content, "an entry that is sent again is the same"


def test_a_signature_is_one_of_a_note_that_other_programs_verify() -> None:
    content = sealed(PIT_KEY, TOPIC, ANSWER)
    text = f"dealer-station/link {TOPIC}\n{msgspec.json.encode(ANSWER).decode()}\n"
    signature = msgspec.json.decode(content)["signature"]
    PIT_KEY.verifier.signed(Note.read(f"{text}\n{signature}\n".encode()))
    assert list(msgspec.json.decode(content))[-1] == "signature"


OTHERS_OF_THAT_NAME = Signer(PIT_KEY.name, b"another key of that name is made")


@pytest.mark.parametrize(
    ("content", "topic"),
    [
        (b"", TOPIC),
        (msgspec.json.encode(ANSWER), TOPIC),
        (sealed(PIT_KEY, TOPIC, ANSWER), TOPIC.replace("table-1", "table-2")),
        (sealed(PIT_KEY, TOPIC, ANSWER), TOPIC.replace("hall", "other")),
        (sealed(PIT_KEY, TOPIC, ANSWER).replace(b"4711", b"4712"), TOPIC),
        (sealed(PIT_KEY, TOPIC, ANSWER).replace(b'"through":17', b'"through":18'), TOPIC),
        (sealed(PIT_KEY, TOPIC, ANSWER) + b" ", TOPIC),
        (sealed(PIT_KEY, TOPIC, ANSWER).replace(b'{"type"', b'{"through":99,"type"'), TOPIC),
        (sealed(NEXT, TOPIC, ANSWER), TOPIC),
        (sealed(OTHERS_OF_THAT_NAME, TOPIC, ANSWER), TOPIC),
        (msgspec.json.encode(ANSWER)[:-1] + b',"signature":"\xe2\x80\x94 a b"}', TOPIC),
        (msgspec.json.encode(ANSWER)[:-1] + b',"signature":5}', TOPIC),
        (msgspec.json.encode(ANSWER)[:-1] + b',"signature":"\xff"}', TOPIC),
        (b'\xff,"signature":"\xe2\x80\x94 a YWJjZGVmZw=="}', TOPIC),
        (b"[" * 100_000 + b',"signature":' + b"[" * 100_000 + b"}", TOPIC),
    ],
)
def test_linked_pot_2_what_the_key_has_not_signed_for_the_topic_is_not_opened(content: bytes, topic: str) -> None:
    with pytest.raises(BadNote):
        verified_message([PIT_KEY.verifier], topic, content)


def test_a_message_that_quotes_another_signature_is_opened_as_it_was_signed() -> None:
    entry = SentEntry("hall", "macau-1/table-1", 'j","signature":"x', 1, Announced())
    content = sealed(PIT_KEY, TOPIC, entry)
    assert msgspec.json.decode(verified_message([PIT_KEY.verifier], TOPIC, content), type=SentEntry) == entry
