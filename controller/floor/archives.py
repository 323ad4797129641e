"""The progress of each archive of the floor: its retained message, and whether it lags. No I/O here."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from controller.floor import shapes
from controller.floor.messages import Identity, unnumbered

TOPIC = "archives/{name}"


class Archives:
    """The configured archives; `has` is the last message that each is durably known to have."""

    def __init__(
        self,
        identity: Identity,
        names: Sequence[str],
        has: Callable[[], Mapping[str, int]],
        now: Callable[[], str],
        most: int,
        seconds: float,
    ) -> None:
        self._identity = identity
        self._names = names
        self._has = has
        self._now = now
        self._most = most
        self._seconds = seconds
        self._since: dict[str, tuple[int, float]] = {}  # what one had when it began to lag, and when that was
        self._reported: set[str] = set()
        self._messages: dict[str, tuple[tuple[int, int], bytes]] = {}  # each with its content and its session

    def retained(self, session: int) -> dict[str, bytes]:
        """The retained message of each archive that was received, as of this session with the broker."""
        has = self._has()
        for name in self._names:
            through = has.get(name)
            if through is not None and self._messages.get(name, (None,))[0] != (through, session):
                content = shapes.PublishedArchive(shapes.SCHEMA, name, self._identity.journal, through)
                message = unnumbered(self._identity, "archive", content, self._now(), session)
                self._messages[name] = (through, session), message
        base = self._identity.base
        return {f"{base}/{TOPIC.format(name=name)}": message for name, (_, message) in self._messages.items()}

    def lagging(self, oldest: int, last: int, at: float) -> Iterator[tuple[str, int]]:
        """The archives that are behind by too many messages or for too long, with the number of messages; each is given
        once until it has caught up.

        Messages are kept from `oldest` to `last`; `at` is now, in seconds.
        """
        has = self._has()
        for name in self._names:
            through = max(has.get(name, 0), oldest - 1)
            if through >= last:
                self._since.pop(name, None)
                self._reported.discard(name)
                continue
            if self._since.get(name, (-1, 0.0))[0] != through:
                self._since[name] = through, at
            behind = last - through
            if (behind > self._most or at - self._since[name][1] > self._seconds) and name not in self._reported:
                self._reported.add(name)
                yield name, behind
