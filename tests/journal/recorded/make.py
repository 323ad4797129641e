"""Plays the tables of this folder: `python -m tests.journal.recorded.make [GAME…]`.

Each is of a game with all that goes wrong in it, and ends in the middle of its last round. They are made again when an
event changes its fields.
"""

import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec

from controller.config.file import Config, read_config
from controller.config.settings import engine_settings
from controller.engine.recorded import Recorded
from controller.engine.state.applied import Event, apply
from controller.engine.state.table import Table
from controller.journal.records import JournalEntry
from controller.journal.sealing import Hidden, Seal, read_key
from controller.rulebook.games import GAMES
from tests.journal.recorded.kept import Kept, write_kept
from tests.station.simulated import simulate

ROUNDS = 8
SECONDS = 120.0

OPTIONS = {
    "fortune-3-card-poker-2025": ("--seed", "41", "--source", "shoe"),
    "fortune-3-card-poker-2008": ("--seed", "42", "--source", "shuffler"),
    "fortune-8": ("--seed", "43", "--source", "shuffler"),
    "blackjack-21": ("--seed", "44", "--source", "shoe"),
    "taiwan-pai-kao": ("--seed", "46"),
}


def make(game: str) -> None:
    """Play, and keep what happened up to the middle of the last round."""
    with tempfile.TemporaryDirectory(prefix="journal-") as folder:
        base = Path(folder)
        (base / "table").mkdir()
        options = ("--game", game, "--faults", "0.5", *OPTIONS[game])
        played = simulate(base / "table", ROUNDS, *options, speed="max", seconds=SECONDS)
        config = read_config(played.config)
        entries, times = zip(*_entries(played.journal, config), strict=True)
    end = _middle_of_the_last_round([entry.event for entry in entries])
    kept = write_kept(game, Kept(settings=engine_settings(config), entries=entries[:end], times=times[:end]))
    print(f"{game}: {kept.stat().st_size // 1024} kB", flush=True)


def _entries(path: Path, config: Config) -> Iterator[tuple[JournalEntry, str]]:
    seal = Seal(read_key(config.seal_key_file, create=False))
    with closing(sqlite3.connect(path)) as db:
        [[uuid]] = db.execute("SELECT value FROM meta WHERE key = 'uuid'")
        for number, time, body, sealed, input in db.execute(
            "SELECT id, time, body, sealed, input FROM events ORDER BY id"
        ):
            hidden = Hidden() if sealed is None else seal.open(sealed, bytes(uuid).decode(), number)
            asked = None if input is None else Recorded(input, hidden.named)
            yield JournalEntry(msgspec.json.decode(body, type=Event), hidden.drawn, asked), time


def _middle_of_the_last_round(events: list[Event]) -> int:
    """How many events there are before the last round comes to its end."""
    table, found = Table(), 0
    for number, event in enumerate(events, start=1):
        table = apply(table, event)
        round = table.round
        if round is not None and round.dealt and round.settled is None and round.void is None:
            found = number
    return found


if __name__ == "__main__":
    for game in sys.argv[1:] or GAMES:
        make(game)
