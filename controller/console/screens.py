"""The screens on which persons have logged in: the secret of each, and who has logged in there.

The page keeps a secret and sends it in a header: a cookie would be sent to every other port of the computer too. The
hash of each secret is in a file beside the PINs, for each person who has logged in on that screen, so that a screen is
still known after a restart.
"""

import asyncio
import hashlib
import os
import secrets
from pathlib import Path
from typing import Literal

import msgspec
import structlog

from controller.console.pins import OF_OTHERS
from controller.rulebook.roles import People
from controller.system.files import open_regular, write_whole

MARKS_FILE = "screens.json"
MOST_MARKS = 8  # of a person; the one that was used longest ago goes
SECRET_BYTES = 16
ID_DIGITS = 32  # hexadecimal, of the hash of the secret

log = structlog.get_logger()


class Screen(msgspec.Struct, frozen=True):
    """A screen, by its id, with the persons who have logged in there; both are empty if no one has."""

    id: str = ""
    persons: tuple[str, ...] = ()


class _Kept(msgspec.Struct, forbid_unknown_fields=True):
    schema: Literal[1]
    marks: dict[str, list[str]]  # by person, the ids of the screens, the one used last at the end


class Screens:
    """The persons known on each screen of one station, kept in a file. Blocks while it reads the file."""

    def __init__(self, path: Path, people: People) -> None:
        self._path = path
        self._marks = {name: ids for name, ids in _read(path).items() if name in people}
        self._writing = asyncio.Lock()

    def of(self, shown: str | None) -> Screen:
        """The screen that shows this."""
        id = _id_of(shown) if shown else ""
        persons = tuple(name for name, ids in self._marks.items() if id in ids)
        return Screen(id, persons) if persons else Screen()

    async def mark(self, name: str, shown: str | None) -> str:
        """Record that a person has logged in on the screen with this secret; returns the screen's new secret.

        If it cannot be stored, it is lost at a restart, and the log says so.
        """
        if shown is None or not self.of(shown).persons:
            shown = secrets.token_hex(SECRET_BYTES)
        id, before = _id_of(shown), self._marks.get(name, [])
        after = [*(mark for mark in before if mark != id), id][-MOST_MARKS:]
        if after != before:
            self._marks[name] = after
            async with self._writing:
                await asyncio.to_thread(_write, self._path, _Kept(schema=1, marks=dict(self._marks)))
        return shown


def _id_of(shown: str) -> str:
    return hashlib.sha256(shown.encode(errors="replace")).hexdigest()[:ID_DIGITS]


def _read(path: Path) -> dict[str, list[str]]:
    """The marks in a file; empty, with a line in the log, if it cannot be used."""
    try:
        with open_regular(path) as file:
            if not os.fstat(file.fileno()).st_mode & OF_OTHERS:
                return msgspec.json.decode(file.read(), type=_Kept).marks
            reason = "it is open to others"
    except FileNotFoundError:
        return {}
    except OSError as error:
        reason = str(error.strerror)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        reason = str(error)
    log.warning("the known screens cannot be read: each is unknown until a log-in", file=str(path), reason=reason)
    return {}


def _write(path: Path, kept: _Kept) -> None:
    try:
        write_whole(path, msgspec.json.format(msgspec.json.encode(kept, order="sorted")) + b"\n")
    except OSError as error:
        log.warning("the known screens cannot be kept", file=str(path), reason=error.strerror)
