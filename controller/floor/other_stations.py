"""Whether a message on a table's topic is a second station's of the same table, or of a later time. No I/O here."""

import json
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress

from controller.engine.events import JournalOvertaken
from controller.floor.messages import DIGITS

LONGEST_NAME = 64  # of a journal, in ASCII: what an alarm says of it is written down
PUT_RIGHT_TIMES = 3  # on each topic; then two stations that put each other right would go on without end


class OtherStations:
    """Stations are known by the journal in the source of their messages."""

    def __init__(self) -> None:
        self._ours = ""
        self._session = 0
        self._times: Counter[str] = Counter()

    def begin(self, status: bytes) -> None:
        """From now on the table's own messages are those of this status, of its source and its session."""
        self._ours, self._session, _ = _said(status)

    def is_earlier_will(self, payload: bytes) -> bool:
        """Whether a message is the will of an earlier session of this station: it may come after the next has begun."""
        source, session, online = _said(payload)
        return source == self._ours and 0 < session < self._session and online is False

    def source(self, payload: bytes) -> str | None:
        """The source of another station of this table, if a message is one's."""
        source = _said(payload)[0]
        table, _, journal = source.rpartition("/")
        a_name = 0 < len(journal) <= LONGEST_NAME and journal.isascii() and journal.isprintable()
        same_table = a_name and table == self._ours.rpartition("/")[0]
        return source if same_table and source != self._ours else None

    def is_put_right(self, topic: str) -> bool:
        """Whether what another station has put there now is replaced once more."""
        self._times[topic] += 1
        return self._times[topic] <= PUT_RIGHT_TIMES

    def has_left(self, payload: bytes) -> bool:
        """Whether this message is another station's last."""
        return self.source(payload) is not None and _said(payload)[2] is False

    def forget(self) -> None:
        """From now on all is put right again."""
        self._times.clear()


def _said(payload: bytes) -> tuple[str, int, object]:
    """The source of a message, its session, and whether its station is online; where it says so."""
    source, session, data = _read(payload)
    return source, session, data.get("online")


def overtaken(payload: bytes, names: Sequence[str], known: int) -> JournalOvertaken | None:
    """What a message shows of a journal whose last message is `known`: that it has been further, if it shows that.

    `names` are those of its epochs, the present one last. What was said in an earlier one overtakes nothing.
    """
    source, _, data = _read(payload)
    name, said = source.rpartition("/")[2], data.get("as_of")
    if type(said) is not int or not 0 < said < 10**DIGITS:
        return None
    another_epoch = name.partition(".")[0] == names[0] and name not in names
    if not (another_epoch and len(name) <= LONGEST_NAME) and not (name == names[-1] and said > known):
        return None
    return JournalOvertaken(name, said, known) if name.isascii() and name.isprintable() else None


def _read(payload: bytes) -> tuple[str, int, dict[str, object]]:
    """The source of a message, its session and what it says; nothing of one that is none."""
    with suppress(ValueError, RecursionError):
        message = json.loads(payload)
        if isinstance(message, dict) and isinstance(message.get("source"), str):
            data, session = message.get("data"), message.get("session")
            return message["source"], session if type(session) is int else 0, data if isinstance(data, dict) else {}
    return "", 0, {}
