"""The messages that tables are asked to publish again, and their answers. No I/O here but the log."""

import secrets
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import msgspec
import structlog

from controller.pit.inbox import Inbox, Number, TableJournal, read

ASK_AT_ONCE = 1000  # messages
MOST_REFUSALS = 1000  # tables whose refusals are remembered

log = structlog.get_logger()


class _Problem(msgspec.Struct, frozen=True):
    """The reason why a table does not publish messages again; `oldest` is the first message that it has."""

    code: str
    oldest: Number | None = None


class _Done(msgspec.Struct, frozen=True):
    """The end of a table's answer: the number of messages in it."""

    count: Number


class _End(msgspec.Struct, frozen=True):
    data: _Done


class MessagesAsked(msgspec.Struct):
    """Messages requested from a table under a name, and the hashes of those that have arrived.

    `at` is when they were requested, or when the last of them arrived.
    """

    first: int
    last: int
    at: float
    name: str
    came: set[int] = msgspec.field(default_factory=set)
    bad: str = ""  # why an answer to it is no message


class Questions:
    """One for each journal of which an inbox misses messages. Times are seconds, from any moment on.

    Missing messages may still arrive, so they are not requested before `ask_after`. They are requested again `again`
    seconds after the last answer to a question, or `refused` seconds after a refusal. The same question has the same
    name: an answer that takes longer than `again` ends it, too. `archive` is the name under which the tables know this
    archive.
    """

    def __init__(self, archive: str, inbox: Inbox, ask_after: float, again: float, refused: float) -> None:
        self._archive, self._inbox = archive, inbox
        self._ask_after, self._again, self._refused_for = ask_after, again, refused
        self._asked: dict[TableJournal, MessagesAsked] = {}
        self._not_taken: dict[tuple[str, str], str] = {}
        self._missing_since: dict[TableJournal, float] = {}

    def begin(self, inbox: Inbox) -> None:
        """Forget all earlier questions."""
        self._inbox = inbox
        self._asked.clear()
        self._missing_since.clear()

    def due(self, now: float) -> Iterator[tuple[TableJournal, MessagesAsked]]:
        """The questions that are to be sent now."""
        missing = self._inbox.missing()
        self._missing_since = {journal: self._missing_since.get(journal, now) for journal in missing}
        for journal, (first, last) in missing.items():
            asked = self._asked.get(journal)
            if now - self._missing_since[journal] < self._ask_after or (asked and now - asked.at < self._again):
                continue
            last = min(last, first + ASK_AT_ONCE - 1)
            if asked is None or (asked.first, asked.last) != (first, last):
                self._asked[journal] = asked = MessagesAsked(first, last, now, secrets.token_hex(8))
            asked.at = now
            yield journal, asked

    def receive(
        self, site: str, table: str, name: str, content: bytes, now: float
    ) -> tuple[TableJournal, int, str] | None:
        """An answer to the question of this name: a message, which the inbox takes, or how the question ended.

        Gives what a table no longer has: the journal, the message with which it continues, and the reason, which is ""
        where the archive begins there. An answer to an earlier question, such as another process's, is no answer to
        this one. Raises what `read` raises.
        """
        asked = next((question for question in self._asked.items() if question[1].name == name), None)
        if asked is not None:
            asked[1].at = now
        answer = _answer(content)
        if answer is None:
            self._take(site, table, content, None if asked is None else asked[1])
        elif asked is None:
            if isinstance(answer, _Problem) and not name:
                self._unacknowledged(site, table, answer.code)
        elif isinstance(answer, _Problem):
            return self._refused(*asked, answer, now)
        else:
            self._answered(*asked, answer)
        return None

    def _answered(self, journal: TableJournal, question: MessagesAsked, answer: _Done) -> None:
        if len(question.came) < answer.count:  # some were lost: they are asked for again
            question.came.clear()
            return
        del self._asked[journal]
        self._inbox.put_aside(journal, question.first, question.last, question.bad)

    def _take(self, site: str, table: str, content: bytes, question: MessagesAsked | None) -> None:
        if question is not None and len(question.came) < ASK_AT_ONCE:
            question.came.add(hash(content))
        try:
            self._inbox.receive(read(site, table, content))
        except Exception as bad:
            if question is not None:
                question.bad = str(bad)
            raise

    def _unacknowledged(self, site: str, table: str, code: str) -> None:
        """Logs that a table refuses an acknowledgement of this archive, once for each reason in a row."""
        if len(self._not_taken) >= MOST_REFUSALS:
            self._not_taken.clear()
        if self._not_taken.get((site, table)) != code:
            self._not_taken[site, table] = code
            log.warning("an acknowledgement is refused", site=site, table=table, archive=self._archive, reason=code)

    def _refused(
        self, journal: TableJournal, question: MessagesAsked, answer: _Problem, now: float
    ) -> tuple[TableJournal, int, str] | None:
        if answer.oldest is not None and answer.oldest > question.first:
            log.error("lost at the table", journal=journal.name, first=question.first, last=answer.oldest - 1)
            del self._asked[journal]
            begins = self._inbox.through(journal) == 0
            return journal, answer.oldest, "" if begins else "the table keeps it no longer"
        # The table has another journal by now, say.
        log.warning("not published again", journal=journal.name, first=question.first, reason=answer.code)
        question.at = now + self._refused_for
        return None


def _answer(content: bytes) -> _Problem | _Done | None:
    """An answer that is no message of a journal, but the end of the question."""
    with suppress(msgspec.DecodeError, RecursionError):
        found: dict[str, Any] = msgspec.json.decode(content, type=dict[str, Any])
        if found.get("type") == "dealer.station.answer":
            return msgspec.convert(found, _End).data
        if "specversion" not in found:
            return msgspec.convert(found, _Problem)
    return None
