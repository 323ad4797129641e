"""Journals with paid hits, each event at a time of its own."""

from pathlib import Path
from typing import Any

from msgspec.structs import replace

from controller.engine.decisions.jackpot import Confirm
from controller.engine.state.applied import Event, apply
from controller.engine.state.jackpot import HitConfirmed, hit_of, payment
from controller.journal.records import Batch
from tests.configured import configured
from tests.engine.playing import Play, stacked
from tests.games import GAMES
from tests.journal.keeping import STAMP, entries_of, open_journal

DECK = stacked("As Ks Qs", "9s 8s 7s", "Qd 9c 4h", "3c Js Ts")  # a royal flush at seat 1, a straight flush at 2


def won(**changed: Any) -> Play:
    """Two hits that can be paid: 1, the straight flush of seat 2, then 2, the royal flush of seat 1."""
    play = Play(DECK, **changed).to_wagers().bet(1, ante=100).bet(2, ante=100).chips(1, 2)
    play.lock()
    play.until("confirm").say(Confirm)
    play.clear()
    return play


def paid(*hits: int, **changed: Any) -> Play:
    """The same, these paid in this order."""
    play = won(**changed)
    for number in hits:
        hit = hit_of(play.meter, number)
        confirmed = [HitConfirmed(number, "ana", "dealer"), HitConfirmed(number, "rui", "supervisor")]
        handed = payment(hit, play.meter.slips + 1, ("ana", "rui"), ("dealer", "supervisor"))
        events: list[Event] = [*confirmed, handed]
        for event in events:
            play.entries.append((event, {}))
            play.table = apply(play.table, event)
    return play


def time_of(event: int) -> str:
    """The recorded time of an event of these journals."""
    return f"2026-01-02T03:{event // 60:02}:{event % 60:02}.678Z"


def keep(path: Path, play: Play, mode: str = "simulation") -> None:
    """Write the events of a play, one a commit."""
    journal = open_journal(path, mode=mode)
    for number, entry in enumerate(entries_of(play), start=1):
        journal.commit(Batch(stamp=replace(STAMP, time=time_of(number)), entries=[entry]))
    journal.close()


def configuration(folder: Path, listen: str = "127.0.0.1:1", game: str = GAMES[0]) -> Path:
    """A simulated table's configuration; its journal is `state/journal.db`."""
    (folder / "state").mkdir(exist_ok=True)
    return configured(folder, game=game, seats=6, source="shuffler", listen=listen)
