"""Journals that earlier stations wrote, and what they were read to: screen and messages at each event."""

import hashlib
import lzma
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec

from controller.engine.events import Event
from controller.engine.projection import PublicTable, project
from controller.engine.react import react
from controller.engine.settings import Settings
from controller.engine.table import Table, apply
from controller.floor.messages import Identity, publications
from controller.journal.records import Restored
from tests.journal.keeping import STAMP, open_journal

HERE = Path(__file__).parent
IDENTITY = Identity(site="hall", table="1", journal="recorded", mode="simulation", currency="MOP", exponent=2)


class Kept(msgspec.Struct, frozen=True):
    """A journal's file, and the settings of its table."""

    settings: Settings
    journal: bytes


def write_journal(game: str, kept: Kept) -> None:
    """Keep it, compressed."""
    (HERE / f"{game}.xz").write_bytes(lzma.compress(msgspec.msgpack.encode(kept), preset=9))


def read_journal(game: str) -> Kept:
    """What `write_journal` kept."""
    return msgspec.msgpack.decode(lzma.decompress((HERE / f"{game}.xz").read_bytes()), type=Kept)


def restored(kept: Kept, folder: Path) -> Restored:
    """The table as a station finds it that starts with this journal: from its snapshot on."""
    path = folder / "journal.db"
    path.write_bytes(kept.journal)
    journal = open_journal(path)
    try:
        return journal.restore()
    finally:
        journal.close()


def readings(kept: Kept, folder: Path) -> Iterator[tuple[str, Table]]:
    """For each event its type with a hash of the screen and of the messages after it, and the table then."""
    (folder / "events.db").write_bytes(kept.journal)
    with closing(sqlite3.connect(folder / "events.db")) as db:
        bodies = [body for (body,) in db.execute("SELECT body FROM events ORDER BY id")]
    table, sequence = Table(), 0
    for body in bodies:
        event: Event = msgspec.json.decode(body, type=Event)
        assert msgspec.json.encode(event) == body, "an event is written as it was"
        before, version = table, table.version
        table = apply(table, event)
        assert (before.version, table.version) == (version, version + 1), "the table before stays as it was"
        told = publications(IDENTITY, event, before, table, sequence, STAMP.time)
        sequence += len(told)
        screen = _as_before(project(table, react(table, kept.settings.exponent), kept.settings))
        hashed = hashlib.sha256(screen + b"".join(one.topic.encode() + one.payload for one in told))
        yield f"{event.__struct_config__.tag} {hashed.hexdigest()[:16]}", table


def _as_before(public: PublicTable) -> bytes:
    """The screen without what it has had since: the code and the values of a reason."""
    screen = msgspec.to_builtins(public, str_keys=True)
    jackpot = screen["jackpot"] or {"held_back": {}}
    for whys in (screen["step"].get("illegal", {}), jackpot["held_back"]):
        whys |= {answer: {"reason": why["reason"], "rule": why["rule"]} for answer, why in whys.items()}
    return msgspec.json.encode(screen)


def readings_of(game: str) -> list[str]:
    """The readings of a kept journal."""
    with tempfile.TemporaryDirectory(prefix="journal-") as folder:
        return [reading for reading, _ in readings(read_journal(game), Path(folder))]


def write_readings(game: str, found: list[str]) -> None:
    """One event a line."""
    (HERE / f"{game}.txt").write_text("\n".join(found) + "\n", encoding="utf-8")


def read_readings(game: str) -> list[str]:
    """What `write_readings` wrote."""
    return (HERE / f"{game}.txt").read_text(encoding="utf-8").splitlines()
