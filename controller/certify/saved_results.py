"""Results of a long job in files, so that a stopped run continues where it was."""

import hashlib
import os
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import msgspec

from controller.certify.result import Plain

PACKAGES = ("controller.rulebook", "controller.certify")


def code_and(*terms: bytes) -> str:
    """A fingerprint of the code of rulebook and certify, and of the given terms, such as the text of a paytable."""
    whole = hashlib.sha256()
    for package in PACKAGES:
        for name, text in sorted(_sources(files(package), package)):
            whole.update(f"{name} {len(text)}\n".encode() + text)
    for term in terms:
        whole.update(f"{len(term)}\n".encode() + term)
    return whole.hexdigest()[:32]


def _sources(folder: Traversable, name: str) -> list[tuple[str, bytes]]:
    found = []
    for entry in folder.iterdir():
        if entry.is_dir():
            found += _sources(entry, f"{name}/{entry.name}")
        elif entry.name.endswith(".py"):
            found.append((f"{name}/{entry.name}", entry.read_bytes()))
    return found


class KeptInFiles:
    """One file for each key, under a folder of its game and of the fingerprint of all that it was computed with.

    A truncated or foreign file is ignored: its part is computed again. Raises OSError where the folder cannot be
    written.
    """

    def __init__(self, folder: Path, game: str, fingerprint: str) -> None:
        self._folder = folder / f"{game}-{fingerprint}"
        self._folder.mkdir(parents=True, exist_ok=True)

    def load(self, key: str) -> Plain:
        try:
            kept = msgspec.json.decode(self._file(key).read_bytes())
        except (FileNotFoundError, msgspec.DecodeError):
            return None
        if not isinstance(kept, dict) or kept.get("key") != key:
            return None
        value: Plain = kept.get("value")
        return value

    def store(self, key: str, value: Plain) -> None:
        file = self._file(key)
        new = file.with_suffix(f".{os.getpid()}")
        with new.open("wb") as stream:
            stream.write(msgspec.json.encode({"key": key, "value": value}))
            stream.flush()
            os.fsync(stream.fileno())
        new.replace(file)

    def _file(self, key: str) -> Path:
        return self._folder / f"{hashlib.sha256(key.encode()).hexdigest()[:24]}.json"
