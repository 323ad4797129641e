"""Folders that a command of the pit writes: whole or not at all."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from controller.pit.refusals import CannotReport
from controller.system.files import sync_folder


def write_synced(path: Path, content: bytes) -> None:
    """Write a file; it is on the disk on return. Raises OSError."""
    with path.open("xb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def whole_folder(folder: Path) -> Iterator[Path]:
    """A folder that gets its name once its content is complete. Raises CannotReport if the name is taken, and OSError.

    What a process that was killed had written is in a folder with a point before its name, and is of no use.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise CannotReport(f"{folder} is not an empty folder: name another one")
    folder.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        fresh.chmod(0o755)
        yield fresh
        sync_folder(fresh)
        os.rename(fresh, folder)
    except BaseException:
        shutil.rmtree(fresh, ignore_errors=True)
        raise
    sync_folder(folder.parent)
