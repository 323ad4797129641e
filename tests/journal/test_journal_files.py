"""A small file is on the disk whole or not at all, its name with it, and of anyone who owns the folder."""

import asyncio
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.console.pins import changing_pins
from controller.console.screens import Screens
from controller.journal.sealing import read_key
from controller.system.files import write_whole


def _pin(path: Path) -> None:
    with changing_pins(path) as pins:
        pins["ana"] = "a hash"


def _seal(path: Path) -> None:
    read_key(path, create=True)


def _screens(path: Path) -> None:
    asyncio.run(Screens(path, {"ana": "dealer"}).mark("ana", None))


@pytest.mark.parametrize("write", [_pin, _screens, _seal])
def test_it_is_synced_with_its_name_and_given_by_root_to_the_owner_of_the_folder(
    write: Callable[[Path], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[str] = []
    given: list[tuple[int, int]] = []
    fsync = os.fsync

    def watched(file: int) -> None:
        synced.append("folder" if stat.S_ISDIR(os.fstat(file).st_mode) else "file")
        fsync(file)

    monkeypatch.setattr(os, "fsync", watched)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(os, "fchown", lambda file, user, group: given.append((user, group)))
    write(tmp_path / "kept")
    assert synced == ["file", "folder"]
    assert given == [(tmp_path.stat().st_uid, tmp_path.stat().st_gid)]
    assert [one.name for one in tmp_path.iterdir()] == ["kept"] and (tmp_path / "kept").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("write", [_pin, _screens, _seal])
def test_one_that_cannot_be_written_leaves_nothing_and_one_that_was_cut_off_is_in_nobodys_way(
    write: Callable[[Path], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "getpid", lambda: 7)
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        try:
            write(tmp_path / "kept")
        except Exception as error:
            assert "No space left on device" in str(error)
    assert list(tmp_path.iterdir()) == []
    (tmp_path / ".kept.7").write_bytes(b"cut off by a power cut under the same process number")
    write(tmp_path / "kept")
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]


def test_a_link_in_the_place_of_the_file_is_replaced_and_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "precious").write_bytes(b"kept")
    for name in ("file", f".file.{os.getpid()}"):
        (tmp_path / name).symlink_to(tmp_path / "precious")
    write_whole(tmp_path / "file", b"new")
    assert (tmp_path / "precious").read_bytes() == b"kept" and (tmp_path / "file").read_bytes() == b"new"
    assert not (tmp_path / "file").is_symlink()


def test_a_seal_key_is_read_through_a_link(tmp_path: Path) -> None:
    made = read_key(tmp_path / "made", create=True)
    (tmp_path / "seal.key").symlink_to(tmp_path / "made")
    assert read_key(tmp_path / "seal.key", create=False) == made
