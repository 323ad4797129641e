"""Which file has a name: one that was removed or replaced takes all the same what is written by whoever has it open."""

import os
from pathlib import Path

Identity = tuple[int, int]


def identity(path: Path) -> Identity | None:
    """Which file has this name now; None where none has."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino
