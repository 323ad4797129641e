"""A linked pot at a running table: receives and shows the pit's messages, and sends it the journal's entries."""

import asyncio
from collections.abc import Callable, Iterable
from typing import Final

import msgspec
import structlog

from controller.engine.decisions.decision import DeviceInput
from controller.engine.decisions.devices import DeviceFound, DeviceMissed
from controller.engine.decisions.link import LinkConfigured, LinkReceived, LinkToCount
from controller.engine.state.alarms import active
from controller.engine.state.table import PIT, Table
from controller.link.messages import Acknowledged, Entry, Granted, KeyUnknown, PitAnswer, Pot, SentEntry
from controller.link.signing import sealed, verified_message
from controller.link.table import STALE_AFTER, WINDOW, Shown
from controller.link.table import TableAtLink as AtTheLink
from controller.rulebook.jackpot_award import Parameters
from controller.rulebook.parts.faults import LossCause
from controller.runtime.bus import Bus, Committed, FromStation, PublicationDue, StationAlarm
from controller.tlog.notes import BadNote, Signer, VerifierKey

TICK_SECONDS = 0.1
FIRST_SECONDS = 10.0  # in which the pit answers a new table, whose chips do not count until then
LONGEST: Final = 65_536  # bytes of a message
MOST: Final = 10**15  # whatever is counted

log = structlog.get_logger()

_decode_pot = msgspec.json.Decoder(Pot).decode
_decode_answer = msgspec.json.Decoder(PitAnswer).decode


class LinkedPot:
    """Connects the table with its pit. It publishes inputs, what is shown of the pot, and that entries are due.

    `now` is the table's own clock, in seconds. A malformed or absurd message is only counted, by `drop`; one that the
    pit has not signed also raises an alarm. `session` is another each start, and `signer` signs what the table sends.
    """

    def __init__(
        self,
        joined: LinkConfigured,
        chip: int,
        tiers: Iterable[str],
        *,
        bus: Bus,
        drop: Callable[[], None],
        now: Callable[[], float],
        signer: Signer,
        session: str,
    ) -> None:
        site = joined.table.partition("/")[0]
        self.answers = f"dealer/{joined.table}/linked/{joined.link}"
        self.pot = f"dealer/{site}/links/{joined.link}/pot"
        self._entries = f"dealer/{joined.table}/link/{joined.link}"
        self._joined, self._chip, self._tiers = joined, chip, set(tiers)
        self._bus, self._drop, self._now = bus, drop, now
        self._signer, self._session = signer, session
        self._key = str(signer.verifier)
        self._keys = tuple(map(VerifierKey.read, joined.keys))
        self._accepts = True  # whether the configured keys of the pit are those that persons have accepted
        self._sent: set[tuple[str, int]] = set()
        self._table = AtTheLink(joined.link, joined.game, joined.table, session=session, key=self._key)
        self._shown: Shown | None = None
        self._down: tuple[str, LossCause] | None = ("nothing was received from it yet", "no_answer")
        self._is_first = False  # whether the pit has these seconds
        self._since = now()
        self._counted = self._since - 1.0
        self._due: list[tuple[str, bytes]] = []

    def start(self, table: Table) -> None:
        """Continue from the journal; the pit is offline until its first message, at a new table unknown."""
        self.follow(table)
        self._show_pot()
        self._receive(self._joined)
        self._is_first = PIT not in table.devices
        if self._down is not None and not self._is_first:
            self._receive(DeviceMissed(PIT, *self._down))

    def committed(self, committed: Committed) -> None:
        """The new durable events may concern the link."""
        if committed.events:
            self.follow(committed.table)

    def follow(self, table: Table) -> None:
        """Takes over the table's state; forgets what two persons let it forget."""
        if (link := table.link) is None:
            return
        if link.kept.resets != self._table.kept.resets:
            joined = self._joined
            self._table = AtTheLink(joined.link, joined.game, joined.table, session=self._session, key=self._key)
        self._table.kept = link.kept
        self._accepts = link.keys_accepted and set(link.keys) == set(self._joined.keys)

    async def run(self) -> None:
        """Checks the time and sends due messages, until cancelled."""
        while True:
            self.look()
            await asyncio.sleep(TICK_SECONDS)

    def receive(self, topic: str, content: bytes, retained: bool) -> None:
        """A message came on one of the two topics."""
        try:
            if len(content) > LONGEST:
                raise ValueError
            if not self._accepts:
                return  # no alarm for each of them: two persons have to accept the keys
            content = verified_message(self._keys, topic, content)
            if topic == self.pot:
                pot = _decode_pot(content)
                self._refuse_absurd(pot)
                self._keep(self._table.receive_pot(pot, self._now(), retained))
            elif not retained and self._has_begun:  # the pit never says an answer so that it stays
                answer = _decode_answer(content)
                self._refuse_absurd(answer)
                self._keep(self._table.receive(answer, self._now()))
        except BadNote as bad:
            self._drop()
            self._bus.publish(StationAlarm(active("unsigned", str(bad), topic=topic), once=True))
            return
        except (msgspec.DecodeError, RecursionError, ValueError):
            self._drop()
            return
        self.look()

    def look(self) -> None:
        """The changes that time brings: a silent pit, entries to send again, sums to report."""
        now, down = self._now(), self._why_down()
        if (down is None) != (self._down is None):
            if down is None:
                self._receive(DeviceFound(device=PIT, outage_ms=round(1000 * (now - self._since)), tries=1))
            else:
                self._receive(DeviceMissed(PIT, *down))
            self._since, self._is_first = now, False
        elif down is not None and self._is_first and now - self._since >= FIRST_SECONDS:
            self._receive(DeviceMissed(PIT, *down))
            self._is_first = False
        if down != self._down:
            log.info("linked pot", link=self._joined.link, down=down)
        self._down = down
        self._show_pot()
        if now - self._counted >= 1.0 and self._table.is_to_count(now):
            self._table.count(now)
            self._counted = now
            self._receive(LinkToCount())
        if not self._due and self._has_begun:
            self._due = [(self._entries, self._sealed(entry)) for entry in self._table.due(now)]
        if self._due:
            self._bus.publish(PublicationDue())

    def due(self) -> list[tuple[str, bytes]]:
        """The messages to publish now."""
        due, self._due = self._due, []
        return due

    def _sealed(self, entry: Entry) -> bytes:
        """An entry as it is sent; with the key, as long as the pit may not have it."""
        place = entry.journal, entry.seq
        is_known = self._table.is_compared and place not in self._sent
        self._sent = {of for of in self._sent if of[0] == entry.journal and of[1] > entry.seq - WINDOW} | {place}
        of_table = self._session, "" if is_known else self._key, self._table.epoch
        message = SentEntry(entry.link, entry.table, entry.journal, entry.seq, entry.body, *of_table)
        return sealed(self._signer, self._entries, message)

    @property
    def _has_begun(self) -> bool:
        """Whether the journal has announced itself: messages about the journal before it are not about this one."""
        return self._table.kept.journal == self._joined.journal

    def _show_pot(self) -> None:
        shown = self._table.shown(self._now())
        if shown != self._shown:
            self._shown = shown
            self._bus.publish(shown)

    def _why_down(self) -> tuple[str, LossCause] | None:
        """The reason why no chip is accepted in a round that begins now."""
        kept, pot = self._table.kept, self._table.pot
        if not self._accepts:
            return "", "other_keys"
        if kept.broken:
            return kept.broken, "broken"
        if pot is not None and pot.stopped:
            return f"the pit has stopped the link: {pot.stopped}", "stopped"
        if pot is not None and pot.parameters.chip != self._chip:
            return f"its chips are worth {pot.parameters.chip}, those of this table {self._chip}", "other_chip"
        if self._table.takes_chips(self._now()):
            return None
        if not self._table.shown(self._now()).fault:
            return "the pit has not taken up this table's journal yet", "not_taken_up"
        return f"nothing was received for {STALE_AFTER:.0f} seconds", "no_answer"

    def _receive(self, input: DeviceInput) -> None:
        self._bus.publish(FromStation(input))

    def _keep(self, message: Iterable[object]) -> None:
        if news := tuple(message):
            self._receive(LinkReceived(news))  # type: ignore[arg-type]

    def _refuse_absurd(self, message: Pot | PitAnswer) -> None:
        """Raises ValueError for content that cannot be true, even if it is signed."""
        numbers = [message.epoch - 1]
        match message:
            case Pot():
                self._refuse_other(message.link, self._joined.table)
                numbers += [
                    message.beat,
                    message.revision,
                    message.pot,
                    message.cycle - 1,
                    message.terms_number - 1,
                    message.tables - 1,
                ]
                self._refuse_terms(message.parameters)
            case Acknowledged():
                self._refuse_other(message.link, message.table)
                numbers += [
                    message.revision,
                    message.through,
                    message.beat,
                    *(entry.entry - 1 for entry in message.pending_entries),
                ]
            case KeyUnknown():
                self._refuse_other(message.link, message.table)
                numbers.append(message.revision)
            case Granted():
                self._refuse_other(message.link, message.table)
                grant = message.grant
                numbers += [
                    message.revision,
                    grant.terms_number - 1,
                    grant.number - 1,
                    grant.pot,
                    *(award.amount for award in grant.awards),
                ]
                self._refuse_terms(grant.parameters)
        if not all(0 <= number <= MOST for number in numbers):
            raise ValueError(message)

    def _refuse_other(self, link: str, table: str) -> None:
        if (link, table) != (self._joined.link, self._joined.table):
            raise ValueError(link, table)

    def _refuse_terms(self, terms: Parameters) -> None:
        rates = terms.increment_bp, terms.reserve_bp
        amounts = terms.chip, terms.minimum, terms.unreasonable_chips, *terms.fixed.values()
        if (
            set(terms.fixed) != self._tiers
            or not all(1 <= amount <= MOST for amount in amounts)
            or min(rates) < 0
            or sum(rates) > 10_000
            or not terms.minimum <= terms.ceiling <= MOST
        ):
            raise ValueError(terms)
