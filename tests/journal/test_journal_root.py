"""Root puts a journal back, and begins one, with the rights of the folder's owner; no link, pipe or device is read."""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from controller.__main__ import main
from controller.command_line.output import EXIT_CORRUPT, EXIT_TEMPORARY
from controller.journal import copies
from controller.journal.auditing import Audited, Report, audit
from controller.journal.closing import close_messages
from controller.journal.sealing import Seal
from controller.system.files import as_owner, copy_whole, open_one, open_regular
from tests.journal.keeping import batch
from tests.journal.test_journal_copies import KEY, PERSONS, commit, config, journal, new, opened

pytestmark = pytest.mark.long

__all__ = ["config"]

SERVICE = 65534  # any user but root
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="root alone has rights to give up: run as root")


@pytest.fixture
def path(config: Path) -> Path:
    """A live journal with a file of messages and a backup; it is gone."""
    path = config.parent / "journal.db"
    assert new(config, "rui", "ana") == 0
    commit(path, 1, 2, 3, 4, 5, 6)
    with closing(opened(path)) as running:
        running.restore()
        running.commit(batch(outbox=[(7, b"7")]), acknowledged=6)
        running.forget(7)
        written = close_messages(path, "2026", messages=3)
        assert written is not None
        running.take_up(written)
        running.forget(7)
    assert journal(config, "backup", str(path.parent / "backup")) == 0
    for file in path.parent.glob("journal.db*"):
        file.unlink()
    return path


def messages(folder: Path) -> Path:
    [file] = folder.glob("*.messages.*.zst")
    return file


def link(file: Path) -> None:
    file.rename(file.parent / "elsewhere")
    file.symlink_to(file.parent / "elsewhere")


def hard_link(file: Path) -> None:
    os.link(file, file.parent / "elsewhere")


def pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


def device(file: Path) -> None:
    file.unlink()
    file.symlink_to("/dev/zero")


@pytest.mark.parametrize("change", [link, hard_link, pipe, device])
@pytest.mark.parametrize("which", ["journal.db", "messages"])
def test_a_backup_with_a_link_a_pipe_or_a_device_in_it_is_refused_and_nothing_is_put_back(
    config: Path, path: Path, change: Callable[[Path], None], which: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = path.parent / "backup"
    file = folder / which if which == path.name else messages(folder)
    change(file)
    before = sorted(path.parent.iterdir())
    assert journal(config, "restore", str(folder), *PERSONS) == EXIT_TEMPORARY
    assert str(file) in capsys.readouterr().err
    assert sorted(path.parent.iterdir()) == before


def test_a_file_that_no_verified_row_names_is_not_read(config: Path, path: Path) -> None:
    folder = path.parent / "backup"
    stray = folder / "journal.db.000000000001-000000000009.zst"
    os.mkfifo(stray)
    assert journal(config, "restore", str(folder), *PERSONS) == 0
    assert not (path.parent / stray.name).exists() and messages(path.parent).stat().st_nlink == 1


@pytest.mark.parametrize("octets", [b"", b"and more"])
def test_a_file_of_another_length_than_its_row_says_is_not_copied(config: Path, path: Path, octets: bytes) -> None:
    file = messages(path.parent / "backup")
    file.write_bytes(file.read_bytes() + octets if octets else b"")
    before = sorted(path.parent.iterdir())
    assert journal(config, "restore", str(file.parent), *PERSONS) == EXIT_TEMPORARY
    assert sorted(path.parent.iterdir()) == before


def test_what_is_put_back_is_what_was_verified_though_the_backup_changes_meanwhile(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = path.parent / "backup"
    file = messages(folder)
    content = {entry.name: entry.read_bytes() for entry in folder.iterdir()}

    def changed(copy: Path, mode: str, seal: Seal, report: Report) -> Audited:
        found = audit(copy, mode, seal, report)
        for entry in folder.iterdir():
            entry.write_bytes(b"x" * entry.stat().st_size)
        return found

    monkeypatch.setattr(copies, "audit", changed)
    copies.put_back(folder / path.name, path, "live", Seal(KEY))
    assert path.read_bytes() == content[path.name]
    assert path.with_name(file.name).read_bytes() == content[file.name]


def test_a_copy_that_differs_from_its_rows_puts_nothing_back(config: Path, path: Path) -> None:
    file = messages(path.parent / "backup")
    content = bytearray(file.read_bytes())
    content[-1] ^= 1
    file.write_bytes(content)
    before = sorted(path.parent.iterdir())
    assert journal(config, "restore", str(file.parent), *PERSONS) == EXIT_CORRUPT
    assert sorted(path.parent.iterdir()) == before


def test_a_link_in_the_place_of_the_copy_is_not_written_through(tmp_path: Path) -> None:
    other, file = tmp_path / "other", tmp_path / "file"
    other.write_bytes(b"kept")
    file.write_bytes(b"new")
    (tmp_path / "copy.new").symlink_to(other)
    (tmp_path / "copy").symlink_to(other)
    with open_regular(file) as content:
        copy_whole(content, tmp_path / "copy")
    assert other.read_bytes() == b"kept" and (tmp_path / "copy").read_bytes() == b"new"


@pytest.fixture
def owned() -> Iterator[Path]:
    """A folder of the service's user that he reaches, as no folder of root's is."""
    folder = Path(tempfile.mkdtemp(dir="/dev/shm"))
    try:
        os.chown(folder, SERVICE, SERVICE)
        yield folder
    finally:
        shutil.rmtree(folder)


def moved(config: Path, owned: Path) -> None:
    """The journal of a configuration is in that folder."""
    text = config.read_text(encoding="utf-8")
    config.write_text(text.replace(str(config.parent / "journal.db"), str(owned / "journal.db")), encoding="utf-8")


@as_root
@pytest.mark.parametrize("what", ["new", "restore", "epoch"])
def test_root_gives_no_file_away_that_a_link_of_the_service_leads_to(
    config: Path, path: Path, owned: Path, what: str
) -> None:
    moved(config, owned)
    secret = path.parent / "secret"
    secret.write_bytes(b"root's")
    secret.chmod(0o600)
    if what == "epoch":
        assert journal(config, "restore", str(path.parent / "backup"), *PERSONS) == 0
        (owned / "journal.db.mark").unlink()
    for name in ("journal.db.link", "journal.db.wires", "journal.db-own"):
        (owned / name).symlink_to(secret)
    words = [str(path.parent / "backup")] if what == "restore" else []
    journal(config, what, *words, *PERSONS)
    assert (secret.stat().st_uid, secret.stat().st_gid, secret.read_bytes()) == (0, 0, b"root's")
    made = [file for file in owned.iterdir() if not file.is_symlink()]
    assert made and all(file.stat().st_uid == SERVICE for file in made)
    assert os.geteuid() == 0 and os.getegid() == 0


@as_root
def test_root_writes_through_no_link_of_the_service(config: Path, path: Path, owned: Path) -> None:
    moved(config, owned)
    for name in ("journal.db-wal", "journal.db.mark", "journal.db.lock", ".journal.db.restored"):
        secret = path.parent / f"secret{name}"
        secret.write_bytes(b"root's")
        secret.chmod(0o600)
        (owned / name).symlink_to(secret)
        journal(config, "restore", str(path.parent / "backup"), *PERSONS)
        assert (secret.stat().st_uid, secret.read_bytes()) == (0, b"root's")
        (owned / name).unlink(missing_ok=True)
        for file in owned.iterdir():
            file.unlink()


@as_root
def test_within_a_folder_of_another_root_has_the_rights_of_its_owner_and_reads_one_file_with_its_own(
    tmp_path: Path, owned: Path
) -> None:
    secret = tmp_path / "secret"
    secret.write_bytes(b"root's")
    with as_owner(owned) as open_copy:
        assert (os.geteuid(), os.getegid(), os.getgroups()) == (SERVICE, SERVICE, [SERVICE])
        with pytest.raises(PermissionError):
            open_one(secret)
        with open_copy(secret) as content:
            assert content.read() == b"root's"
        assert os.geteuid() == SERVICE
    assert os.geteuid() == 0


@pytest.mark.parametrize("change", [link, pipe, device])
def test_a_journal_to_read_is_a_file_and_no_link_pipe_or_device(
    config: Path, path: Path, change: Callable[[Path], None], capsys: pytest.CaptureFixture[str]
) -> None:
    assert journal(config, "restore", str(path.parent / "backup"), *PERSONS) == 0
    change(path)
    for words in (["audit", "verify"], ["journal", "link"], ["slip", "1"], ["register"], ["entries"], ["dispute", "1"]):
        assert main([*words, "--config", str(config)]) == EXIT_TEMPORARY
        assert "it is no regular file" in capsys.readouterr().err
    assert journal(config, "backup", str(path.parent / "another")) == EXIT_TEMPORARY
    assert not (path.parent / "another").exists()
