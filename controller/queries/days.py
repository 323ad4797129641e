"""What a journal has of a day, with the round that was in play when it began. It blocks."""

from itertools import islice
from pathlib import Path

from controller.journal.reading import reading
from controller.journal.segments import round_begun

MOST_ROWS = 200_000  # a busy day has some 60 000

DayRow = tuple[str, bytes]  # the time, and the event


def rows_of_day(path: Path, mode: str, events: int, day: str) -> list[DayRow]:
    """The rows of a day (UTC, ``2026-01-31``) and after it, oldest first, of a journal of so many events.

    They begin with the last round that had begun before that day, or where the journal does.

    Raises JournalUnavailable, JournalCorrupt or WrongJournal.
    """
    found: list[DayRow] = []
    with reading(path, mode) as (past, _):
        for _, time, _, _, _, body, *_ in islice(past.before(events + 1), MOST_ROWS):
            found.append((time, body))
            if time[:10] < day and round_begun(body):
                break
    found.reverse()
    return found
