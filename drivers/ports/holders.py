"""Which other programs have a device open, as far as the system shows it: root sees all, anyone else his own."""

import os
from collections.abc import Sequence
from pathlib import Path

PROCESSES = Path("/proc")
NAMED = 3  # a reason is one line


def holders(device: str) -> list[str]:
    """The other programs that have this device file open, such as ``cat (process 4711)``. Takes some milliseconds.

    The program at the far end of a pseudo-terminal is left out, although it often keeps the near end open.
    """
    path = os.path.realpath(device)
    found: list[str] = []
    for process in PROCESSES.iterdir():
        if process.name.isdigit() and int(process.name) != os.getpid():
            try:
                links = [(os.readlink(link), link.name) for link in (process / "fd").iterdir()]
                if any(link == path for link, _ in links) and not _is_far_end(process, links, path):
                    name = (process / "comm").read_bytes().decode(errors="replace").strip()  # any octets
                    found.append(f"{name} (process {process.name})")
            except OSError:
                continue  # ended meanwhile, or not ours to see
    return found


def in_use(port: str, programs: Sequence[str] = ()) -> str:
    """The sentence that other programs have the device open; with their names, if these are known."""
    if not programs:
        return f"{port} is in use by another program"
    more = f" and {len(programs) - NAMED} more" if len(programs) > NAMED else ""
    return f"{port} is in use by another program: {', '.join(programs[:NAMED])}{more}"


def _is_far_end(process: Path, links: list[tuple[str, str]], path: str) -> bool:
    if not is_pseudo_terminal(path):
        return False
    number = path.rpartition("/")[2]
    masters = [name for link, name in links if link.endswith("/ptmx")]
    return any(f"tty-index:\t{number}\n" in (process / "fdinfo" / name).read_text() for name in masters)


def is_pseudo_terminal(device: str) -> bool:
    return os.path.realpath(device).startswith("/dev/pts/")
