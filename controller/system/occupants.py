"""Which process has a lock or listens at a port, as Linux reports it in /proc (proc(5), locks and net/tcp)."""

import os
from collections.abc import Iterator
from pathlib import Path

PROC = Path("/proc")
LISTENS = "0A"  # TCP_LISTEN
MOST_SHOWN = 200  # characters of a command line


def lock_holder(path: Path) -> str:
    """The process that holds a flock(2) of this file, as `process 1234 (its command line)`; empty if not known."""
    try:
        found = path.stat()
        device = f"{os.major(found.st_dev):02x}:{os.minor(found.st_dev):02x}:{found.st_ino}"
        lines = (PROC / "locks").read_text().splitlines()
    except OSError:
        return ""
    for line in lines:
        words = line.split()  # 1: FLOCK ADVISORY WRITE 1234 fe:00:2155285 0 EOF
        if len(words) > 5 and words[1] == "FLOCK" and words[5] == device and words[4] != "0":
            return _shown(words[4])
    return ""


def listener_at(port: int) -> str:
    """As `lock_holder`, for the process that listens at this port of this computer; only root sees another user's."""
    sockets = set(_listening(port))
    if not sockets:
        return ""
    for folder in PROC.glob("[0-9]*/fd"):
        try:
            if any(os.readlink(file) in sockets for file in folder.iterdir()):
                return _shown(folder.parent.name)
        except OSError:  # another user's, or it has ended
            continue
    return ""


def _listening(port: int) -> Iterator[str]:
    for name in ("tcp", "tcp6"):
        try:
            _, *lines = (PROC / "net" / name).read_text().splitlines()
        except OSError:
            continue
        for words in map(str.split, lines):
            if words[3] == LISTENS and int(words[1].rpartition(":")[2], 16) == port:
                yield f"socket:[{words[9]}]"


def _shown(process: str) -> str:
    """The number and the command line, without characters that control a terminal."""
    try:
        words = (PROC / process / "cmdline").read_bytes().rstrip(b"\0").split(b"\0")
    except OSError:
        return f"process {process}"
    command = " ".join(os.path.basename(word) if n < 2 else word for n, word in enumerate(map(os.fsdecode, words)))
    printable = "".join(character if character.isprintable() else "?" for character in command)
    return f"process {process} ({printable[:MOST_SHOWN]})"
