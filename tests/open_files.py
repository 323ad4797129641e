"""Which files a process has open, as the kernel's /proc shows it."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple


class OpenFile(NamedTuple):
    """A descriptor, the path behind it, and whether it can be written to."""

    number: int
    path: str
    writable: bool


def open_files(process: int | str = "self") -> Iterator[OpenFile]:
    """One that is closed meanwhile is left out."""
    for link in Path(f"/proc/{process}/fd").iterdir():
        try:
            path, about = os.readlink(link), Path(f"/proc/{process}/fdinfo/{link.name}").read_text()
        except FileNotFoundError:
            continue
        # A watch or a timer has lines of its own after it, with flags of another kind.
        [flags] = re.findall(r"^flags:\s+(\d+)", about, re.MULTILINE)
        yield OpenFile(int(link.name), path, int(flags, 8) & os.O_ACCMODE != os.O_RDONLY)
