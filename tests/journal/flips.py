"""Single bits flipped in the files of a journal, and whether the next start notices."""

import shutil
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from controller.engine.state.applied import apply
from controller.engine.state.table import Table
from controller.journal.auditing import audit
from controller.journal.records import DeviceMark, JournalCorrupt, JournalUnavailable, WrongJournal
from controller.journal.sealing import BadSealKey, Seal
from controller.journal.verifying import Verifier
from tests.journal.keeping import KEY, batch, contents, entries_of, open_journal, played

FILES = ("j.db", "j.db-wal", "j.db.mark")
CHECKPOINT_AT = 20  # commits: what came before is in the database, and what came after is in the log


class State(msgspec.Struct, frozen=True):
    """What a journal holds: the table, and every row but the snapshots, which only save time."""

    table: Table
    rows: dict[str, list[tuple[Any, ...]]]


class Found(msgspec.Struct):
    """What became of flipped bits: noticed, or of no consequence; and those that no one noticed."""

    noticed: int = 0
    harmless: int = 0
    silent: list[str] = []


class Journals(msgspec.Struct, frozen=True):
    """A journal's files as they were at a kill and after a stop, and what it kept after each commit."""

    killed: dict[str, bytes]
    stopped: dict[str, bytes]
    states: list[State]


def written(folder: Path) -> Journals:
    """A journal at work: rounds, messages, answers, marks, snapshots, and messages that the floor has acknowledged."""
    folder.mkdir()
    journal, table, states = open_journal(folder / "j.db"), Table(), []
    for number, entry in enumerate(entries_of(played(1)), start=1):
        table = apply(table, entry.event)
        journal.commit(
            batch(
                [entry],
                outbox=[(number, b"%d" % number * 9)],
                answers=[f"input-{number}"],
                marks=[DeviceMark(device=("shoe", "shuffler")[number % 2], boot=1, sequence=number)],
                snapshot=table if number % 15 == 0 else None,
            ),
            acknowledged=number // 2,
        )
        states.append(State(table, _contents(folder / "j.db")))
        if number == CHECKPOINT_AT:
            journal._checkpoint()
    killed = _files(folder)
    journal.close()
    return Journals(killed=killed, stopped=_files(folder), states=states)


def _files(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in FILES if (folder / name).exists()}


def flipped(folder: Path, files: dict[str, bytes], lawful: list[State], flips: int, chance: Random) -> Found:
    """Flip one bit after the other, each in files as they were; `lawful` is what a start may find then."""
    found = Found()
    names = [name for name in files if files[name]]
    for _ in range(flips):
        # Half of the bits in the log, which is short.
        name = chance.choice(names)
        at, bit = chance.randrange(len(files[name])), chance.randrange(8)
        content = bytearray(files[name])
        content[at] ^= 1 << bit
        _put(folder, {**files, name: bytes(content)})
        try:
            table = _started(folder / "j.db")
        except (JournalCorrupt, WrongJournal, BadSealKey):
            found.noticed += 1
        except JournalUnavailable as error:
            found.silent.append(f"{name} byte {at} bit {bit}: would be tried for ever: {error}")
        else:
            if State(table, _contents(folder / "j.db")) in lawful:
                found.harmless += 1
            else:
                found.silent.append(f"{name} byte {at} bit {bit}")
    return found


def audited(folder: Path, files: dict[str, bytes], changes: int, chance: Random) -> Found:
    """Change one byte after the other, each in files as they were, and verify the whole without opening it."""
    found, path = Found(), folder / "j.db"
    _put(folder, files)
    lawful = _contents(path)
    for _ in range(changes):
        name = chance.choice([name for name in files if name != "j.db.mark" and files[name]])
        at = chance.randrange(len(files[name]))
        content = bytearray(files[name])
        content[at] ^= chance.randrange(1, 256)
        _put(folder, {**files, name: bytes(content)})
        try:
            audit(path, "simulation", Seal(KEY), lambda *_: None)
        except (JournalCorrupt, JournalUnavailable, WrongJournal, BadSealKey):
            found.noticed += 1
        else:
            if _contents(path) == lawful:
                found.harmless += 1
            else:
                found.silent.append(f"{name} byte {at}")
    return found


def _put(folder: Path, files: dict[str, bytes]) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content)


def _started(path: Path) -> Table:
    journal = open_journal(path)
    try:
        table = journal.restore().table
        Verifier(path, lambda: journal.end, lambda _: None).verify()  # what is older than the last checkpoint
        return table
    finally:
        journal.close()


def _contents(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    return contents(path, but="snapshots")
