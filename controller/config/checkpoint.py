"""The checkpoints in the configuration file: the key that signs them, and whose cosignatures are believed."""

from pathlib import Path

import msgspec

from controller.config.section import Section
from controller.tlog.notes import COSIGNATURE, BadKey, Verifier

WITHIN_MINUTES = 15


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
    witnesses = []
    for text in section.texts("witnesses") if "witnesses" in section else ():
        try:
            witnesses.append(Verifier.read(text))
            if witnesses[-1].kind != COSIGNATURE:
                section.report("witnesses", text, "the second key that `dealer-station key` says: of cosignatures")
        except BadKey as bad:
            section.report("witnesses", text, f"NAME+ID+KEY of a witness; {bad}")
    minutes = section.integer("cosigned_minutes", 2, 24 * 60) if "cosigned_minutes" in section else WITHIN_MINUTES
    found = Checkpointing(folder / section.text("key_file"), tuple(witnesses), 60 * minutes)
    section.end()
    return found
