"""The checkpoints in the configuration file: the key that signs them, and the accepted witnesses."""

import os
from collections.abc import Callable
from pathlib import Path

import msgspec

from controller.config.section import Section
from controller.system.files import write_whole
from controller.tlog.notes import COSIGNATURE, ED25519, SEED_BYTES, BadKey, Signer, VerifierKey
from controller.tlog.witness import Seen, Witness

WITHIN_MINUTES = 15
PROVED_MINUTES = 10
_KEYS = {
    ED25519: ("a table, or of a pit", "first", "checkpoints, and messages of a linked pot"),
    COSIGNATURE: ("a witness", "second", "cosignatures"),
}


class Checkpointing(msgspec.Struct, frozen=True):
    """The file of the signing key, the witnesses that cosign a checkpoint, and their time limit in seconds."""

    key_file: Path
    witnesses: tuple[VerifierKey, ...]
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


def make_key(file: Path, name: str) -> Signer:
    """Make a private key of this name, in a file that is its owner's alone. Raises BadKey or OSError."""
    signer = Signer(name, os.urandom(SEED_BYTES))
    write_whole(file, signer.private.encode())
    return signer


def read_signing_key(file: Path) -> Signer:
    """The private key in a file. Raises BadKey, which names the file, if it cannot be read or has no key."""
    try:
        return Signer.read(file.read_text(encoding="ascii"))
    except (OSError, UnicodeDecodeError, BadKey) as error:
        why = "no text" if isinstance(error, UnicodeDecodeError) else getattr(error, "strerror", error)
        raise BadKey(f"{file}: {why}") from None


def read_signer(file: Path, name: str, create: bool) -> Signer:
    """The key of this name in a file; `create` makes one where there is no file. Raises BadKey."""
    if create and not file.exists():
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            make_key(file, name)
        except OSError as error:
            raise BadKey(f"{file}: {error.strerror}") from None
    signer = read_signing_key(file)
    if signer.name != name:
        raise BadKey(f"it signs as {signer.name}, and this table is {name}")
    return signer


class Witnessed(msgspec.Struct, frozen=True):
    """The tables whose checkpoints a witness cosigns, the file of its key, and the tables' time limit in seconds."""

    key_file: Path
    tables: tuple[VerifierKey, ...]
    within: int

    def ready(self) -> Callable[[dict[str, Seen]], Witness]:
        """The witness with its stored state. Raises BadKey if its key cannot be read."""
        signer = read_signing_key(self.key_file)
        return lambda seen: Witness(signer, self.tables, seen, self.within)


def read_witnessed(section: Section, folder: Path) -> Witnessed:
    """The settings that all sections ``[witness]`` share."""
    minutes = section.integer("proved_minutes", 1, 24 * 60, default=PROVED_MINUTES)
    return Witnessed(folder / section.text("key_file"), read_verifiers(section, "tables", ED25519), 60 * minutes)


def read_verifiers(section: Section, key: str, kind: int) -> tuple[VerifierKey, ...]:
    """A list of public keys as `dealer-station key` prints them, all of one kind."""
    whose, which, what = _KEYS[kind]
    found = []
    for text in section.texts(key):
        try:
            found.append(VerifierKey.read(text))
            if found[-1].kind != kind:
                section.report(key, text, f"the {which} key that `dealer-station key` says: of {what}")
        except BadKey as bad:
            section.report(key, text, f"NAME+ID+KEY of {whose}; {bad}")
    return tuple(found)
