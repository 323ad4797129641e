"""The interface between a floor client and its table."""

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple, Protocol

from controller.floor.outbox import UnsentMessage
from controller.rulebook.parts.faults import LossCause


class Topics(NamedTuple):
    """The topics that a table handles, beside those of its outbox."""

    own: Sequence[str] = ()
    """Topics of the table's own: a message of another client there is replaced. Only over MQTT 5, where the broker does
    not return the station's own messages.
    """
    subscribed: Sequence[str] = ()
    """Filters: messages there go to the handler."""
    probed_topic: str = ""
    """A retained message here may show that the floor has received more than this journal has."""
    left: Collection[str] = ()
    """Topics on which an earlier station of this table may have left messages; these are cleared unless they still
    hold.
    """
    maybe_retained: Collection[str] = ()
    """Topics with such messages, once the broker shows that there are any; over MQTT 3.1.1 at once."""


class FloorHandler(Protocol):
    """The table, as a floor client knows it."""

    def begin_session(self) -> None:
        """A connection begins: later results of `status` and `retained` belong to it."""

    def status(self, online: bool) -> tuple[str, bytes]:
        """The topic of the status and its message. The one for offline is the will too."""

    def retained(self) -> dict[str, bytes]:
        """The present content of each other retained topic."""

    def differences(self) -> Iterable[tuple[str, bytes]]:
        """The changes on retained topics since the last call, up to the state that `retained` returned; they are
        published before it.
        """

    def due(self) -> Iterable[tuple[str, bytes]]:
        """A message to publish once, outside the outbox; a callback reports its arrival if wanted."""

    def on_hold(self) -> bool:
        """Whether the outbox waits."""

    def overtakes(self, payload: bytes) -> bool:
        """Whether this message, on a topic of the table's own, shows that the floor has received more than this journal
        has.
        """

    def on_link(self, reason: str | None, outage_seconds: float, tries: int, cause: LossCause) -> None:
        """The connection to the broker is lost, with this reason and cause; without a reason, it is back."""

    def on_acknowledged(self, sequence: int) -> None:
        """The broker has acknowledged this message of the outbox."""

    def on_undelivered(self, row: UnsentMessage) -> None:
        """The broker has acknowledged this message, but no client has subscribed to it."""

    def on_untaken(self, row: UnsentMessage, reason: str) -> None:
        """The broker refuses this message, or closes the connection on it repeatedly; called once for each message."""

    def on_refused(self, reasons: Sequence[str]) -> None:
        """The retained topics that the broker refuses now, with its reasons; the others are not delayed."""

    def on_forged(self, topic: str) -> None:
        """Another client has published on a topic of the table."""

    def on_overflow(self, topic: str) -> None:
        """A message on this topic was dropped, as messages arrive faster than they are read."""

    def on_other(self, source: str) -> None:
        """A second station of the same table is online; reported once, until it has left."""

    def on_contested(self) -> None:
        """Another client seems to take the table's connection again and again; called once, until that has ended."""

    def on_received(self, topic: str, payload: bytes, retained: bool) -> None:
        """A message came on a topic that the table receives."""
