"""The checkpoints in the configuration file: the key that signs them, and whose cosignatures are believed."""

from pathlib import Path

import msgspec

from controller.config.section import Section
from controller.tlog.notes import COSIGNATURE, ED25519, BadKey, Verifier

WITHIN_MINUTES = 15
_KEYS = {
    ED25519: ("a table", "first", "checkpoints"),
    COSIGNATURE: ("a witness", "second", "cosignatures"),
}


class Checkpointing(msgspec.Struct, frozen=True):
    """Where the signing key is, and by whom a checkpoint is to be cosigned within so many seconds."""

    key_file: Path
    witnesses: tuple[Verifier, ...]
    within: int


def read_checkpointing(top: Section, folder: Path) -> Checkpointing | None:
    """The section ``[checkpoint]``; without it nothing is signed."""
    section = top.optional("checkpoint")
    if section is None:
        return None
    witnesses = read_verifiers(section, "witnesses", COSIGNATURE) if "witnesses" in section else ()
    minutes = section.integer("cosigned_minutes", 2, 24 * 60, default=WITHIN_MINUTES)
    found = Checkpointing(folder / section.text("key_file"), witnesses, 60 * minutes)
    section.end()
    return found


def read_verifiers(section: Section, key: str, kind: int) -> tuple[Verifier, ...]:
    """A list of public keys as `dealer-station key` says them, all of one kind."""
    whose, which, what = _KEYS[kind]
    found = []
    for text in section.texts(key):
        try:
            found.append(Verifier.read(text))
            if found[-1].kind != kind:
                section.report(key, text, f"the {which} key that `dealer-station key` says: of {what}")
        except BadKey as bad:
            section.report(key, text, f"NAME+ID+KEY of {whose}; {bad}")
    return tuple(found)
