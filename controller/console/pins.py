"""The file of the PINs: for each person a hash by a memory-hard function, in a file that is its owner's alone."""

import fcntl
import itertools
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import msgspec
from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError, VerifyMismatchError

from controller.system.files import open_regular, write_whole

LEAST_DIGITS, MOST_DIGITS = 6, 12
OF_OTHERS = 0o077
RUNS = (0, 1, 9)  # the same digit again, the next one, the one before; 9 continues with 0


class WeakPin(Exception):
    """A PIN that is not accepted; the text says what was expected."""


class PinsUnreadable(Exception):
    """The file of PINs exists and cannot be used."""


class _Kept(msgspec.Struct, forbid_unknown_fields=True):
    schema: Literal[1]
    pins: dict[str, str]
    set: dict[str, datetime]  # when each was set


class PinHasher:
    """Argon2id. Both calls take a tenth of a second or more, and 64 MiB: call them in a thread."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = PasswordHasher() if hasher is None else hasher

    def hash(self, pin: str) -> str:
        """The hash of a PIN, which is what the file stores."""
        return self._hasher.hash(pin)

    def verify(self, kept: str, pin: str) -> bool:
        """Whether the PIN matches the hash. Raises PinsUnreadable for an invalid hash."""
        try:
            return self._hasher.verify(kept, pin)
        except VerifyMismatchError:
            return False
        except (InvalidHashError, VerificationError) as error:
            raise PinsUnreadable(f"what is kept of a PIN is no hash of Argon2: {error}; set this PIN again") from None


def refuse_weak(pin: str) -> None:
    """Raises WeakPin for a PIN that is not 6 to 12 digits, or that is easy to guess."""
    if not (pin.isascii() and pin.isdecimal() and LEAST_DIGITS <= len(pin) <= MOST_DIGITS):
        raise WeakPin(f"a PIN is {LEAST_DIGITS} to {MOST_DIGITS} digits")
    steps = {(int(after) - int(before)) % 10 for before, after in itertools.pairwise(pin)}
    if len(steps) == 1 and steps <= set(RUNS):
        raise WeakPin("a PIN is not one digit again and again, and not digits that count up or down")


def read_pins(path: Path) -> dict[str, str]:
    """The hash of each person's PIN; none while there is no file. Raises PinsUnreadable."""
    return _read(path).pins


def pins_set(path: Path) -> dict[str, datetime]:
    """The time at which each person's PIN was set. Raises PinsUnreadable."""
    return _read(path).set


def _read(path: Path) -> _Kept:
    try:
        with open_regular(path) as file:
            found = os.fstat(file.fileno())
            if found.st_mode & OF_OTHERS:
                mode = stat.S_IMODE(found.st_mode)
                raise PinsUnreadable(f"{path} is open to others ({mode:04o}): chmod 600, and set every PIN again")
            kept = msgspec.json.decode(file.read(), type=_Kept)
        if kept.set.keys() != kept.pins.keys():
            raise PinsUnreadable(f"{path} is not as `dealer-station pin` wrote it: `pins` and `set` name other people")
        return kept
    except FileNotFoundError:
        return _Kept(schema=1, pins={}, set={})
    except OSError as error:
        raise PinsUnreadable(f"{path} cannot be read: {error.strerror}") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise PinsUnreadable(f"{path} is not as `dealer-station pin` wrote it: {error}") from None


@contextmanager
def changing_pins(path: Path) -> Iterator[dict[str, str]]:
    """The PINs, for changes in the context; they are then written to the file completely or not at all. Raises
    PinsUnreadable, OSError.
    """
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)  # one after the other: two changes at a time would lose one
        before = _read(path)
        pins = dict(before.pins)
        yield pins
        now = datetime.now(UTC)
        when = {name: now if kept != before.pins.get(name) else before.set[name] for name, kept in pins.items()}
        kept = _Kept(schema=1, pins=pins, set=when)
        write_whole(path, msgspec.json.format(msgspec.json.encode(kept, order="sorted")) + b"\n")
    finally:
        os.close(folder)
