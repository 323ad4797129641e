"""Requests to the station over MQTT: send messages again, send retained topics again, acknowledge for an archive.

The answer goes to the request's response topic, or below the table's answers to the `asker` that it names, or to the
archive that acknowledges. A request that is malformed, impossible or one too many is answered with a problem (RFC
9457). A request without a topic for the answer is counted and reported. Answers wait here until the client has nothing
else to send. No I/O here.
"""

import re
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from controller.floor import shapes
from controller.floor.messages import Identity, unnumbered
from controller.floor.outbox import UnsentMessage
from controller.floor.reasons import STATUS, RequestReason
from controller.rulebook.refusal import Refusal
from controller.words import english

LONGEST = 512  # octets of a request
LONGEST_TOPIC = 256  # octets of where it is answered
LONGEST_CORRELATION = 128  # octets
MOST_WAITING = 8  # requests, and as many problems
PAGE = 500  # messages read at once
REBIRTH_SECONDS = 5.0  # between two
CLOUD_EVENT, PROBLEM = "application/cloudevents+json", "application/problem+json"
PROBLEM_TYPE = "urn:dealer-station:problem"

ASKER = re.compile(r"[A-Za-z0-9._-]{1,64}")  # one level of a topic
UNANSWERABLE = "unanswerable"  # the outcome of a request that nothing can be answered to

Number = Annotated[int, Meta(ge=0, lt=1 << 53)]


class Replay(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request to publish messages again, by their numbers; of a named journal only, if one is named.

    Without a response topic, which MQTT 3.1.1 does not have, they are sent on `answers/{asker}`.
    """

    first: Number
    last: Number
    journal: str | None = None
    asker: str | None = None


class Rebirth(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request to publish every retained topic again. Without a response topic the end is published on
    `answers/{asker}`.
    """

    asker: str | None = None


class Acknowledgement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An archive has the messages of this journal up to this number."""

    journal: str
    through: Number


class Problem(msgspec.Struct, frozen=True):
    """The reason why a request is refused; `code` is for machines, `title` for people. `oldest` is the first stored
    message.
    """

    type: str
    title: str
    status: int
    code: str
    oldest: int | msgspec.UnsetType = msgspec.UNSET


class PendingRequest(msgspec.Struct):
    """A request that waits, and its progress; without `last` it is about the retained topics."""

    topic: str
    correlation: bytes | None
    first: int = 0
    last: int = 0
    at: int = 0
    count: int = 0


class AnswerDue(msgspec.Struct, frozen=True):
    """A message to publish on a topic of answers."""

    topic: str
    payload: bytes
    correlation: bytes | None
    content_type: str
    asked: PendingRequest | None = None


_decode_replay = msgspec.json.Decoder(Replay).decode
_decode_rebirth = msgspec.json.Decoder(Rebirth).decode
_decode_acknowledgement = msgspec.json.Decoder(Acknowledgement).decode


class Requests:
    """The requests of one connection. `kept` says which messages there are, the oldest and the last.

    `read(first, limit)` returns some of them, or None if that fails now; `acknowledged` is called with what an archive
    has. `unanswerable` is called with the topic of a request that cannot be answered, and why.
    """

    def __init__(
        self,
        identity: Identity,
        archives: Sequence[str],
        kept: Callable[[], tuple[int, int]],
        read: Callable[[int, int], Sequence[UnsentMessage] | None],
        acknowledged: Callable[[str, int], None],
        now: Callable[[], str],
        counted: Callable[[str], None] = lambda outcome: None,
        unanswerable: Callable[[str, str], None] = lambda topic, why: None,
    ) -> None:
        self._identity = identity
        self._archives = archives
        self._kept = kept
        self._read = read
        self._acknowledged = acknowledged
        self._now = now
        self._counted = counted
        self._unanswerable = unanswerable
        self._waiting: deque[PendingRequest] = deque()
        self._problems: deque[AnswerDue] = deque()
        self._page: deque[UnsentMessage] = deque()
        self._reborn_at = float("-inf")

    @property
    def topics(self) -> list[str]:
        """The topics on which requests are received."""
        return [f"{self._base}{request}" for request in ("replay", "rebirth", "acknowledge/+")]

    @property
    def _base(self) -> str:
        return f"{self._identity.base}/requests/"

    def clear(self) -> None:
        """Forget all requests, since the connection is new; their senders ask again."""
        self._waiting.clear()
        self._problems.clear()
        self._page.clear()

    @property
    def waiting(self) -> bool:
        """Whether a request waits for an answer."""
        return bool(self._waiting or self._problems)

    def receive(self, topic: str, payload: bytes, properties: Any) -> bool:
        """Handle a message; returns whether it was on a topic of requests."""
        if not topic.startswith(self._base):
            return False
        name = topic.removeprefix(self._base)
        kind, _, archive = name.partition("/")
        response: object = getattr(properties, "ResponseTopic", None)
        answers = self._answers(response) or (self._among(archive) if kind == "acknowledge" else None)
        correlation: bytes | None = getattr(properties, "CorrelationData", None)
        too_long = correlation is not None and len(correlation) > LONGEST_CORRELATION
        asked = PendingRequest(answers or "", None if too_long else correlation)
        try:
            if too_long or len(payload) > LONGEST:
                raise Refusal("request", RequestReason.REQUEST_TOO_LONG, most=LONGEST)
            if kind == "acknowledge":
                self._acknowledge(archive, _decode_acknowledgement(payload))
            elif name == "replay":
                self._replay(asked, _decode_replay(payload))
            elif name == "rebirth":
                self._rebirth(asked, _decode_rebirth(payload or b"{}"))
            else:
                raise Refusal("request", RequestReason.REQUEST_UNKNOWN)
            refusal = None
        except msgspec.DecodeError:
            refusal = Refusal("request", RequestReason.REQUEST_MALFORMED)
        except Refusal as refused:
            refusal = refused
        if not asked.topic and (refusal is not None or name == "replay"):
            self._counted(UNANSWERABLE)
            self._unanswerable(topic, self._why_not(response, refusal))
        elif refusal is not None:
            self._refuse(refusal, asked)
        else:
            self._counted("taken")
        return True

    def _answers(self, topic: object) -> str | None:
        """Whether a topic is one of the answers. Only there may the station answer: it may publish more than anyone
        who asks.
        """
        within = f"{self._identity.base}/answers/"
        if not isinstance(topic, str) or not topic.startswith(within) or len(topic.encode()) > LONGEST_TOPIC:
            return None
        # A broker closes the connection of a client that publishes on a topic with a control character.
        return topic if topic.isprintable() and not set("+#") & set(topic) else None

    def _among(self, asker: str | None) -> str | None:
        return f"{self._identity.base}/answers/{asker}" if asker and ASKER.fullmatch(asker) else None

    def _why_not(self, response: object, refusal: Refusal | None) -> str:
        """The reason why a request gets no answer, and the reason why it would be refused."""
        where = "no response topic" if response is None else f"the response topic {str(response)[:LONGEST_TOPIC]!r}"
        why = f"it has {where} and no asker, and the answer goes below {self._identity.base}/answers/"
        return why if refusal is None else f"{why}; {english(refusal.reason)}"

    def _replay(self, asked: PendingRequest, request: Replay) -> None:
        asked.topic = asked.topic or self._among(request.asker) or ""
        oldest, last = self._kept()
        if request.journal not in (None, self._identity.journal):
            raise Refusal("journal", RequestReason.ANOTHER_JOURNAL, journal=self._identity.journal)
        if not 1 <= request.first <= request.last <= last:
            raise Refusal("first", RequestReason.NO_SUCH_MESSAGES, last=last)
        if request.first < oldest:
            raise Refusal("first", RequestReason.KEPT_NO_LONGER, oldest=oldest)
        asked.first, asked.last, asked.at = request.first, request.last, request.first
        if asked.topic:
            self._wait(asked)

    def _rebirth(self, asked: PendingRequest, request: Rebirth) -> None:
        asked.topic = asked.topic or self._among(request.asker) or ""
        if time.monotonic() - self._reborn_at < REBIRTH_SECONDS:
            raise Refusal("request", RequestReason.TOO_MANY_REQUESTS)
        self._wait(asked)
        self._reborn_at = time.monotonic()

    def _acknowledge(self, archive: str, acknowledgement: Acknowledgement) -> None:
        if archive not in self._archives:
            raise Refusal("archive", RequestReason.NO_SUCH_ARCHIVE)
        if acknowledgement.journal != self._identity.journal:
            raise Refusal("journal", RequestReason.ANOTHER_JOURNAL, journal=self._identity.journal)
        last = self._kept()[1]
        if acknowledgement.through > last:
            raise Refusal("through", RequestReason.NO_SUCH_MESSAGES, last=last)
        self._acknowledged(archive, acknowledgement.through)

    def _wait(self, asked: PendingRequest) -> None:
        if len(self._waiting) >= MOST_WAITING:
            raise Refusal("request", RequestReason.TOO_MANY_REQUESTS)
        self._waiting.append(asked)

    def _refuse(self, refusal: Refusal, asked: PendingRequest) -> None:
        code = refusal.reason.code
        self._counted(code)
        if asked.topic and len(self._problems) < MOST_WAITING:
            kind = f"{PROBLEM_TYPE}:{code.replace('_', '-')}"
            oldest = self._kept()[0] if code == RequestReason.KEPT_NO_LONGER else msgspec.UNSET
            problem = Problem(kind, english(refusal.reason), STATUS[RequestReason(code)], code, oldest)
            self._problems.append(AnswerDue(asked.topic, msgspec.json.encode(problem), asked.correlation, PROBLEM))

    @property
    def rebirth(self) -> PendingRequest | None:
        """The request for which the retained topics must be sent again before the next result of `take`."""
        return self._waiting[0] if self._waiting and not self._waiting[0].last and not self._problems else None

    def take(self, most: int) -> list[AnswerDue]:
        """The next messages to publish, up to a number."""
        if self._problems:
            return [self._problems.popleft() for _ in range(min(most, len(self._problems)))]
        if not self._waiting:
            return []
        asked = self._waiting[0]
        rows = list(self._next_rows(asked, most)) if asked.last else []
        asked.count += len(rows)
        answers = [AnswerDue(asked.topic, row.payload, asked.correlation, CLOUD_EVENT, asked) for row in rows]
        # Its end is behind the last call that gave messages: it counts those that could be sent.
        if not answers and self._waiting and self._waiting[0] is asked:
            self._waiting.popleft()
            content = shapes.PublishedAnswer(
                shapes.SCHEMA,
                request="replay" if asked.last else "rebirth",
                first=asked.first or None,
                last=asked.last or None,
                count=asked.count,
            )
            end = unnumbered(self._identity, "answer", content, self._now())
            if asked.topic:
                answers.append(AnswerDue(asked.topic, end, asked.correlation, CLOUD_EVENT))
        return answers

    def _next_rows(self, asked: PendingRequest, most: int) -> Iterable[UnsentMessage]:
        for _ in range(most):
            if not self._page and asked.at <= asked.last:
                found = self._read(asked.at, PAGE)
                if found is None:
                    self._waiting.popleft()
                    unreadable = Refusal("request", RequestReason.MESSAGES_UNREADABLE)
                    self._refuse(unreadable, asked)
                    return
                self._page.extend(row for row in found if row.sequence <= asked.last)
                if not self._page:
                    asked.at = asked.last + 1
            if not self._page:
                return
            row = self._page.popleft()
            asked.at = row.sequence + 1
            yield row

    def no_listener(self, asked: PendingRequest) -> None:
        """No client receives the answers of this request, or no client may."""
        if self._waiting and self._waiting[0] is asked:
            self._waiting.popleft()
            self._page.clear()
