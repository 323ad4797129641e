"""The rounds played last, read back from the journal's end, as the screen gets them.

They are the rounds as published to the floor, with times and persons.
"""

from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from msgspec.structs import asdict

from controller.engine.state.applied import decode_event
from controller.engine.state.events import KeyReleased, RoundAdjusted
from controller.floor.messages import Identity
from controller.journal.creation import SAYS_MORE
from controller.journal.past import Past
from controller.journal.reading import reading
from controller.journal.segments import round_begun
from controller.queries.following import Rounds, concerns_a_round
from controller.queries.history import Further, OfComplaint, Played, newest_first, played
from controller.queries.search import Query
from controller.rulebook.events import RoundConfirmed
from controller.rulebook.games import game_of
from controller.rulebook.report import RoundReport
from controller.rulebook.round import Voided

MOST_ROWS = 50_000  # a hundred rounds are some 6000; behind a storm of a device's messages fewer are found
SEARCHED = 20_000  # events in memory at a time, and as many more as the round has with which they begin
PARTS = 10  # of so many events, in one answer
ENOUGH = 100  # rounds found, behind which no other part is searched

_Row = tuple[int, str, bytes]  # number, time, event; no sealed card


class PastRound(RoundReport, frozen=True, kw_only=True):
    """A confirmed round as the console shows it: the game's report, when it was played, and later changes."""

    began: str
    confirmed: str
    confirmed_by: str
    void: Voided | None
    adjustments: tuple[RoundAdjusted, ...]
    released: KeyReleased | None
    complaints: tuple[OfComplaint, ...]


def rows_of_last(past: Past, events: int, rounds: int, before: int | None) -> list[_Row]:
    """The rows of the last `rounds` begun, or of the last before a given round, oldest first; the journal has `events`
    events.

    One round more than wanted is read: the newest may not be confirmed yet. Later events about these rounds are
    included.
    """
    found: list[_Row] = []
    begins = None if before is None else past.begins(before)
    end, begun = begins or events + 1, 0
    for number, time, _, _, _, body, *_ in islice(past.before(end), MOST_ROWS):
        found.append((number, time, body))
        round = round_begun(body)
        if round and (before is None or round < before):
            begun += 1
            if begun > rounds:
                break
    found.reverse()
    if begins is not None and before is not None:
        least = before - rounds - 1
        later = past.texts_of(SAYS_MORE, begins, events + 1, lambda segment: segment.says_no_more(least, before))
        found += [(number, "", body) for number, body in later][::-1]
    return found


def rounds_in(rows: list[_Row], last: int, before: int | None) -> list[Played]:
    """The last rounds confirmed in these rows, newest first."""
    return newest_first(played((time, decode_event(body)) for _, time, body in rows), last, before)


def last_rounds(path: Path, events: int, identity: Identity, last: int, before: int | None) -> dict[str, Any]:
    """The rounds confirmed in the first `events` of a journal, newest first, at most `last`.

    Raises JournalUnavailable, JournalCorrupt or WrongJournal. It blocks.
    """
    return {"rounds": [_past(round) for round in _last_played(path, events, identity, last, before)]}


def last_reports(path: Path, events: int, identity: Identity, last: int) -> list[RoundReport]:
    """The same rounds as their games report them."""
    found = _last_played(path, events, identity, last, None)
    return [game_of(round.round).report(round.round) for round in found]


def _last_played(path: Path, events: int, identity: Identity, last: int, before: int | None) -> list[Played]:
    with reading(path, identity.mode) as (past, _):
        rows = rows_of_last(past, events, last, before)
    return rounds_in(rows, last, before)


def found_rounds(path: Path, events: int, identity: Identity, query: Query, on: Sequence[int]) -> dict[str, Any]:
    """The confirmed rounds that a query takes, newest first, of the last events of so many; and where to search `on`.

    `on` of an answer has the event before which to read next, then those read already that concern earlier rounds; it
    is null where the search is over. `read_to` is the oldest round that was looked at. One answer is of 200 000 events
    at most.

    Raises JournalUnavailable, JournalCorrupt or WrongJournal. It blocks.
    """
    rounds: list[PastRound] = []
    read_to = None
    for _ in range(PARTS):
        part = _found_in_part(path, events, identity, query, on)
        rounds += part["rounds"]
        read_to, on = part["read_to"] or read_to, part["on"]
        if on is None or len(rounds) >= ENOUGH:
            break
    return {"rounds": rounds, "read_to": read_to, "on": on}


def _found_in_part(path: Path, events: int, identity: Identity, query: Query, on: Sequence[int]) -> dict[str, Any]:
    before, *carried = on or (events + 1,)
    rows: list[Any] = []
    over = True
    with reading(path, identity.mode) as (past, _):
        later = [row for number in sorted(carried) for row in islice(past.before(number + 1), 1)]
        for row in past.before(before):
            rows.append(row)
            if len(rows) >= SEARCHED and round_begun(row[5]):
                over = False
                break
    rounds, confirmed, further = Rounds(), dict[int, Played](), Further()
    carried = []
    for number, time, _, _, _, body, *_ in (*reversed(rows), *later):
        event = decode_event(body)
        of = rounds.receive(number, time, event)
        if of is None:
            carried += [number] if concerns_a_round(event) else []
        elif isinstance(event, RoundConfirmed) and rounds.present is not None:
            confirmed[of] = Played(rounds.present, rounds.found[of].began, time, event.actor)
        else:
            further.receive(event)
    oldest = next(iter(rounds.found.values()), None)
    over = over or (oldest is not None and query.is_over(oldest.round, oldest.began))
    found = [id for id, round in reversed(rounds.found.items()) if id in confirmed and query.takes(round)]
    return {
        "rounds": [_past(further.of(confirmed[id])) for id in found],
        "read_to": None if oldest is None else {"round": oldest.round, "began": oldest.began},
        "on": None if over else [rows[-1][0], *carried],
    }


def _past(round: Played) -> PastRound:
    return PastRound(
        **asdict(game_of(round.round).report(round.round)),
        began=round.began,
        confirmed=round.confirmed,
        confirmed_by=round.actor,
        void=round.round.void,
        adjustments=round.adjustments,
        released=round.released,
        complaints=round.complaints,
    )
