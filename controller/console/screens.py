"""The screens on which somebody has logged in once: what such a screen shows for it, and how it is known again.

It is an identifier and its code (HMAC-SHA256) under a key that lies beside the PINs, so that it outlives a restart. The
page keeps it and sends it in a header: a cookie would reach every other port of the computer.
"""

import hashlib
import hmac
import os
import secrets
import stat
from pathlib import Path

import structlog

from controller.console.pins import OF_OTHERS
from controller.files import write_whole

KEY_FILE = "screens.key"
KEY_BYTES = 32
ID_BYTES = 8

log = structlog.get_logger()


class Screens:
    """The known screens of one station; `key` is what their codes are made with."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def fresh(self) -> str:
        """What a screen that was not known before shows from now on."""
        id = secrets.token_hex(ID_BYTES)
        return f"{id}.{self._code(id)}"

    def id_of(self, shown: str | None) -> str:
        """The screen that shows this; empty for one that is not known."""
        id, _, code = (shown or "").partition(".")
        right = hmac.compare_digest(code.encode(errors="replace"), self._code(id).encode())
        return id if right and id else ""

    def _code(self, id: str) -> str:
        return hmac.new(self._key, id.encode(errors="replace"), hashlib.sha256).hexdigest()


def screens_key(path: Path) -> bytes:
    """The key in a file, made where there is none that can be used; it blocks.

    Where none can be kept there either, the screens are unknown again after a restart, and the log says so.
    """
    try:
        with path.open("rb") as file:
            mode, key = os.fstat(file.fileno()).st_mode, file.read(KEY_BYTES + 1)
        if stat.S_ISREG(mode) and not mode & OF_OTHERS and len(key) == KEY_BYTES:
            return key
        log.warning(
            "the key of the known screens cannot be used; they are unknown until somebody logs in", file=str(path)
        )
    except FileNotFoundError:
        pass
    except OSError as error:
        log.warning("the key of the known screens cannot be read", file=str(path), reason=error.strerror)
    key = secrets.token_bytes(KEY_BYTES)
    try:
        write_whole(path, key)
    except OSError as error:
        log.warning("the key of the known screens cannot be kept", file=str(path), reason=error.strerror)
    return key
