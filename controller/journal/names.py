"""The names of files: which file has one, and that they are on the disk.

A file that was removed or replaced takes all the same what is written by whoever has it open.
"""

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


def sync_folder(folder: Path) -> None:
    """Put the names of its files on the disk. Raises OSError."""
    file = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)
