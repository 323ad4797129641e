"""Whether a message on a table's topic comes from a second station of the same table, or from a later time. No I/O
here.
"""

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress

import msgspec

from controller.engine.state.events import JournalOvertaken
from controller.floor.messages import DIGITS

LONGEST_NAME = 64  # of a journal, in ASCII: what an alarm says of it is written down
REPLACED_TIMES = 3  # on each topic; then two stations that put each other right would continue without end
MOST_TOPICS = 256  # of a table that are remembered: anyone who may write there may name as many as they like


class _Data(msgspec.Struct, frozen=True):
    online: bool | None = None
    as_of: int | None = None


class _Message(msgspec.Struct, frozen=True):
    """The part that is read of a message that anyone may have published."""

    source: str = ""
    session: int = 0
    data: _Data = _Data()


_NONE = _Message()
_decode = msgspec.json.Decoder(_Message).decode


class OtherStations:
    """The other stations of the table, known by the journal in the source of their messages."""

    def __init__(self) -> None:
        self._ours = ""
        self._session = 0
        self._times: Counter[str] = Counter()

    def begin(self, status: bytes) -> None:
        """Takes this status for the table's own: from now on its source and session identify the table's messages."""
        own = _read(status)
        self._ours, self._session = own.source, own.session

    def is_earlier_will(self, payload: bytes) -> bool:
        """Whether a message is the will of an earlier session of this station: it may come after the next has begun."""
        message = _read(payload)
        is_ours = message.source == self._ours
        return is_ours and 0 < message.session < self._session and message.data.online is False

    def source(self, payload: bytes) -> str | None:
        """The source of another station of this table, if a message is one's."""
        return self._other(_read(payload))

    def _other(self, message: _Message) -> str | None:
        source = message.source
        table, _, journal = source.rpartition("/")
        a_name = 0 < len(journal) <= LONGEST_NAME and journal.isascii() and journal.isprintable()
        same_table = a_name and table == self._ours.rpartition("/")[0]
        return source if same_table and source != self._ours else None

    def may_replace(self, topic: str) -> bool:
        """Whether another station's retained message may be replaced again."""
        if topic not in self._times and len(self._times) >= MOST_TOPICS:
            return False
        self._times[topic] += 1
        return self._times[topic] <= REPLACED_TIMES

    def has_left(self, payload: bytes) -> bool:
        """Whether this message is another station's last."""
        message = _read(payload)
        return self._other(message) is not None and message.data.online is False

    def forget(self) -> None:
        """Other stations' messages may be replaced again from now on."""
        self._times.clear()


def overtaken_by(payload: bytes, names: Sequence[str], known: int) -> JournalOvertaken | None:
    """Whether a message shows that a journal whose last message is `known` has been further, and how far.

    `names` are those of its epochs, the present one last. Messages of an earlier epoch show nothing.
    """
    message = _read(payload)
    name, sequence = message.source.rpartition("/")[2], message.data.as_of
    if sequence is None or not 0 < sequence < 10**DIGITS:
        return None
    another_epoch = name.partition(".")[0] == names[0] and name not in names
    if not (another_epoch and len(name) <= LONGEST_NAME) and not (name == names[-1] and sequence > known):
        return None
    return JournalOvertaken(name, sequence, known) if name.isascii() and name.isprintable() else None


def _read(payload: bytes) -> _Message:
    """The message; an empty one if there is none."""
    with suppress(ValueError, RecursionError):  # what is not decoded is a ValueError too
        return _decode(payload)
    return _NONE
