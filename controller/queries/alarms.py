"""The alarms that were raised, as a journal has them: since when, until when, and who took note. All calls block."""

from pathlib import Path

import msgspec

from controller.engine.shown.prompts import alarm_words
from controller.engine.state.alarms import AlarmAcknowledged, AlarmCleared, AlarmRaised
from controller.journal.reading import reading
from controller.words import Words


class LoggedAlarm(msgspec.Struct, frozen=True):
    """A raised alarm. Times are UTC, None for what has not happened.

    `text` is its sentence as it was raised, in the present catalogues. An alarm that was raised again before its
    acknowledgement is never acknowledged; the later one is.
    """

    alarm: str
    text: Words
    raised: str
    cleared: str | None = None
    acknowledged: str | None = None
    acknowledged_by: str | None = None
    details: str = ""


def last_alarms(path: Path, mode: str, last: int) -> list[LoggedAlarm]:
    """The last alarms raised in a journal, newest first. Raises JournalUnavailable, JournalCorrupt, or WrongJournal if
    it is of the other mode.
    """
    found: list[LoggedAlarm] = []
    cleared: dict[str, str] = {}  # by name, of an alarm whose beginning is yet to come: the rows are read backwards
    acknowledged: dict[str, tuple[str, str]] = {}
    with reading(path, mode) as (past, _):
        for _, stamp, event in past.of_kind("alarm", newest_first=True):
            match event:
                case AlarmCleared(alarm=name, at=at):
                    cleared[name] = at
                case AlarmAcknowledged(alarm=name, actor=actor):
                    acknowledged[name] = (stamp.time, actor)
                case AlarmRaised(alarm=name):
                    when, who = acknowledged.pop(name, (None, None))
                    over, text = cleared.pop(name, None), alarm_words(event.code, event.values)
                    found.append(LoggedAlarm(name, text, event.at, over, when, who, event.details))
                    if len(found) == last:
                        break
    return found
