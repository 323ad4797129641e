"""Files and their names: which file has a name, whether it is on the disk, and files written whole or not at all.

A program that has a removed or replaced file open still writes into it.
"""

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from errno import EINVAL, ELOOP
from functools import partial
from pathlib import Path
from typing import IO

ONLY_OWNER = 0o600
COPIED_AT_ONCE = 1 << 20  # octets

Identity = tuple[int, int]


def identity(path: Path) -> Identity | None:
    """The identity of the file that now has this name; None if there is none."""
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


def copy_whole(content: IO[bytes], copy: Path, size: int | None = None) -> None:
    """Copy a regular file, as its owner's alone, under a name that it gets once it is completely on the disk.

    It has `size` octets, or as many as now. Raises OSError, also where it has another length; then nothing is changed.
    """
    left = os.fstat(content.fileno()).st_size if size is None else size
    with _whole(copy, f"{copy.name}.new") as target:
        while part := content.read(min(left, COPIED_AT_ONCE)):
            left -= target.write(part)
        if left or content.read(1):
            raise OSError(EINVAL, "it is not as long as expected", content.name)


def open_regular(path: Path, links: int | None = None) -> IO[bytes]:
    """Opens a regular file for reading: it follows no link, opens no device or pipe, and never waits.

    `links` is the number of hard links that it must have, if given. Raises OSError, which says what was found instead.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        if error.errno == ELOOP:
            raise OSError(ELOOP, "it is a link", str(path)) from None
        raise
    found = os.fstat(descriptor)
    if stat.S_ISREG(found.st_mode) and links in (None, found.st_nlink):
        return open(descriptor, "rb")
    os.close(descriptor)
    what = "it has more than one name (hard link)" if stat.S_ISREG(found.st_mode) else "it is no regular file"
    raise OSError(EINVAL, what, str(path))


OpenOne = Callable[[Path], IO[bytes]]
"""Opens a regular file that has only one name, for reading. Raises as `open_regular`."""

open_one: OpenOne = partial(open_regular, links=1)


@contextmanager
def as_owner(folder: Path) -> Iterator[OpenOne]:
    """Within the context, root has only the rights of the owner of a folder.

    For a folder that does not exist yet, those of its parent's owner. Yields a function that opens a file with the
    former rights. Raises OSError.
    """
    while not folder.exists():
        folder = folder.parent
    owner, user, group, groups = folder.stat(), os.geteuid(), os.getegid(), os.getgroups()
    if user != 0 or owner.st_uid == 0:
        yield open_one
        return

    def open_as_before(path: Path) -> IO[bytes]:
        os.seteuid(user)
        try:
            return open_one(path)
        finally:
            os.seteuid(owner.st_uid)

    os.setgroups([owner.st_gid])
    os.setegid(owner.st_gid)
    os.seteuid(owner.st_uid)
    try:
        yield open_as_before
    finally:
        os.seteuid(user)
        os.setegid(group)
        os.setgroups(groups)


def own_file(path: Path) -> IO[bytes]:
    """Opens a file that only its owner may read; creates it if there is none. It follows no link and changes no
    content.
    """
    return open(os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, ONLY_OWNER), "r+b")


def write_whole(path: Path, content: bytes) -> None:
    """Writes a file that only its owner may read, in place of the old one. Raises OSError; then nothing has changed."""
    with _whole(path, f".{path.name}.{os.getpid()}") as written:
        if os.geteuid() == 0:
            # Written by root, read by the station: the file belongs to the owner of the folder.
            owner = path.parent.stat()
            os.fchown(written.fileno(), owner.st_uid, owner.st_gid)
        written.write(content)


def write_shared(path: Path, content: bytes, mode: int) -> None:
    """As `write_whole`, but with these permissions, and by root for the group of its folder."""
    with _whole(path, f".{path.name}.new") as written:
        written.write(content)
        if os.geteuid() == 0:
            os.fchown(written.fileno(), -1, path.parent.stat().st_gid)
        os.fchmod(written.fileno(), mode)


@contextmanager
def _whole(path: Path, name: str) -> Iterator[IO[bytes]]:
    """A file that only its owner may read, with another `name` until it is completely on the disk; removed after a
    failure. Raises OSError.

    Raises OSError.
    """
    fresh = path.with_name(name)
    fresh.unlink(missing_ok=True)  # cut off; a number of a process comes again
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, ONLY_OWNER)
    try:
        with os.fdopen(descriptor, "wb") as written:
            yield written
            written.flush()
            os.fsync(written.fileno())
        os.replace(fresh, path)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)
