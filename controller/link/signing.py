"""Signed messages of a linked pot. No I/O here.

A message is an object of JSON whose last key is `signature`: a signature line of a note (c2sp.org/signed-note). The
text of that note is one line with DOMAIN and the topic, and one line with the object without that key, byte for byte.
"""

from collections.abc import Iterable

import msgspec
from msgspec import Struct

from controller.tlog.notes import BadNote, Note, Signer, VerifierKey, read_signature_line, signature_line

DOMAIN = "dealer-station/link"
_KEY = b',"signature":'


def sealed(signer: Signer, topic: str, message: Struct) -> bytes:
    """A message with its signature for this topic, which has site, link and table. The same each time it is made."""
    content = msgspec.json.encode(message)
    [signature] = signer.sign(_text(topic, content)).signatures
    return content[:-1] + _KEY + msgspec.json.encode(signature_line(*signature)) + b"}"


def verified_message(keys: Iterable[VerifierKey], topic: str, content: bytes) -> bytes:
    """The message that one of the keys has signed for this topic. Raises BadNote before it decodes anything."""
    start = content.rfind(_KEY)
    if start < 0 or not content.endswith(b"}"):
        raise BadNote("it is not signed")
    message = content[:start] + b"}"
    try:
        line = msgspec.json.decode(content[start + len(_KEY) : -1], type=str)
        note = Note(_text(topic, message), (read_signature_line(line),))
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise BadNote("its signature cannot be read") from None
    for key in keys:
        if (key.name, key.id) == (note.signatures[0][0], note.signatures[0][1][: len(key.id)]):
            key.signed(note)
            return message
    raise BadNote(f"{note.signatures[0][0]} {note.signatures[0][1][:4].hex()} is none of the keys that are accepted")


def _text(topic: str, content: bytes) -> str:
    return f"{DOMAIN} {topic}\n{content.decode()}\n"
