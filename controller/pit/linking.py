"""A linked pot at work: the tables' entries go into the books, and the answers and the pot come from the books."""

import asyncio
from collections.abc import Callable, Iterable

import aiomqtt
import msgspec
import structlog

from controller.link.messages import Entry, PitAnswer, Pot, SentEntry
from controller.link.signing import sealed, verified_message
from controller.pit.archive import OPEN_SECONDS, Superseded, within
from controller.pit.books import Books
from controller.pit.database import connected
from controller.pit.inbox import BadMessage
from controller.pit.leader import MOST, Leader
from controller.pit.lease import LEASE_SECONDS
from controller.pit.ledger.decisions import is_key_of
from controller.pit.ledger.state import PitDecision, PotLedger
from controller.pit.marks import LOOK_SECONDS, Marks, by_mark, by_pot, published
from controller.tlog.notes import BadKey, BadNote, Signer, VerifierKey

BEAT_SECONDS = 0.25
AT_ONCE = 500  # entries of a transaction

log = structlog.get_logger()

_decode = msgspec.json.Decoder(SentEntry).decode


class Linking:
    """One link, while this process leads. If the books have no link of this name, it begins with `opening`.

    Its messages are signed by `signer`, and a table's message is accepted if the table's own key verifies it.
    """

    def __init__(self, opening: PotLedger, database: str, signer: Signer, marks: Marks) -> None:
        self.link = opening.link
        self._signer, self._marks = signer, marks
        self._opening, self._database = opening, database
        self._pots = [
            f"dealer/{site}/links/{self.link}/pot"
            for site in sorted({table.partition("/")[0] for table in opening.tables})
        ]
        self._leader: Leader | None = None
        self.above = 0
        """The highest epoch that was seen: a leader begins with a higher one."""
        self._epoch = 0
        self._looks = False
        self._news = asyncio.Event()

    async def lead(self, client: aiomqtt.Client, epoch: int, leads: Callable[[], bool]) -> None:
        """Lead in an epoch until it is cancelled. `leads` returns false as soon as another process may lead.

        First it looks at published pots: one that the books do not have stops the link. Raises psycopg.Error and
        Superseded; the next process that leads finds in the database how far this one got.
        """
        async with within(OPEN_SECONDS):
            connection = await connected(self._database)
        try:
            books = Books(connection, epoch)
            async with within(OPEN_SECONDS):
                ledger = await books.open(self._opening)
            if (ledger.game, ledger.tables) != (self._opening.game, self._opening.tables):
                log.warning("linked as it began, not as configured", link=self.link, tables=ledger.tables)
            leader = Leader(ledger, epoch, looks=True)
            self._leader, self._epoch = leader, epoch
            await self._look(client, books, leader)
            log.info("linked", link=self.link, epoch=epoch, revision=leader.ledger.revision)
            async with asyncio.TaskGroup() as group:
                group.create_task(self._write(client, books, leader))
                group.create_task(self._beat(client, leader, leads))
        finally:
            self._leader = None
            await connection.close()

    async def _look(self, client: aiomqtt.Client, books: Books, leader: Leader) -> None:
        """Reads this computer's mark, the retained pot, and the tables' answers to the acknowledgements."""
        mark = await asyncio.to_thread(self._marks.read, self.link)
        if mark is None:
            log.info("this computer has no mark of the linked pot yet", link=self.link)
        async with within(OPEN_SECONDS):
            leader.notice(await by_mark(books, leader.ledger, mark))
        self._raise_above(0 if mark is None else mark.epoch)
        self._looks = True
        try:
            for topic in self._pots:
                await client.subscribe(topic)
            await self._say(client, leader.acknowledged())
            await asyncio.sleep(LOOK_SECONDS)
        finally:
            self._looks = False
        for topic in self._pots:
            await client.unsubscribe(topic)

    def receive_pot(self, topic: str, content: bytes) -> None:
        """The retained pot, while the leader looks: this leader has published none.

        Raises Superseded where its epoch is as high as this leader's: the next one begins above it.
        """
        pot = published(self._signer.verifier, topic, content) if self._looks else None
        if pot is not None and self._leader is not None:
            self._leader.notice(by_pot(self._leader.ledger, pot))
            self._raise_above(pot.epoch)

    def _raise_above(self, epoch: int) -> None:
        self.above = max(self.above, epoch)
        if epoch >= self._epoch:
            raise Superseded(f"epoch {epoch} of {self.link} was published before: {self._epoch} is not above it")

    async def receive(self, client: aiomqtt.Client, site: str, table: str, content: bytes) -> None:
        """Receives a message of a table. Raises BadMessage."""
        if (leader := self._leader) is None:
            return
        name, topic = f"{site}/{table}", f"dealer/{site}/{table}/link/{self.link}"
        known = leader.ledger.keys.get(name)
        try:
            sent = _decode(verified_message(() if known is None else (VerifierKey.read(known),), topic, content))
            key = ""
        except BadNote as bad:
            sent = _signed_by_itself(name, topic, content, bad)
            key = sent.key
        except (msgspec.DecodeError, RecursionError) as error:
            raise BadMessage(f"{name}: expected an entry of a linked pot, {error}") from None
        if (sent.link, sent.table) != (self.link, name):
            raise BadMessage(f"{name}: expected an entry of that table, not of {sent.table!r}")
        if sent.epoch >= MOST:
            raise BadMessage(f"{name}: expected an epoch below {MOST}, not {sent.epoch}")
        if not key and sent.epoch > self._epoch:  # the table believes nothing of this leader
            self._raise_above(sent.epoch)
        entry = Entry(sent.link, sent.table, sent.journal, sent.seq, sent.body)
        answers = leader.offer(entry, key) if key else leader.receive(entry, sent.session)
        self._news.set()
        await self._say(client, answers)

    def decide(self, decided: PitDecision) -> None:
        """Records the decision of a person. Raises DecisionRefused, and LookupError while another process leads."""
        if self._leader is None:
            raise LookupError(self.link)
        self._leader.ask(decided)
        self._news.set()

    async def _write(self, client: aiomqtt.Client, books: Books, leader: Leader) -> None:
        await self._say(client, leader.begin())
        if leader.beats() and leader.ledger.ahead is None:
            await asyncio.to_thread(self._marks.write, leader.ledger)
        while True:
            batch, refused = leader.batch(AT_ONCE)
            await self._say(client, refused)
            if batch is None:
                await self._news.wait()
                self._news.clear()
                continue
            async with within(LEASE_SECONDS):
                await books.commit(batch)
            if batch.after.ahead is None:  # else the mark of the right books stays
                await asyncio.to_thread(self._marks.write, batch.after)
            await self._say(client, leader.committed())

    async def _beat(self, client: aiomqtt.Client, leader: Leader, leads: Callable[[], bool]) -> None:
        while True:
            if leads() and leader.beats():
                pot = leader.beat()
                for topic in self._pots:
                    await self._publish(client, topic, pot, retain=True)
            await asyncio.sleep(BEAT_SECONDS)

    async def _say(self, client: aiomqtt.Client, answers: Iterable[PitAnswer]) -> None:
        for answer in answers:
            await self._publish(client, f"dealer/{answer.table}/linked/{self.link}", answer)

    async def _publish(
        self, client: aiomqtt.Client, topic: str, message: PitAnswer | Pot, retain: bool = False
    ) -> None:
        """Publishes messages, without a retry: a table repeats its request, and each pot is soon replaced by the
        next.
        """
        await client.publish(topic, sealed(self._signer, topic, message), qos=0, retain=retain)


def _signed_by_itself(name: str, topic: str, content: bytes, why: BadNote) -> SentEntry:
    """An entry that the key in it verifies, but no known key: persons decide about the key. Raises BadMessage."""
    try:
        key = VerifierKey.read(_decode(content).key)
        if not is_key_of(name, str(key)):
            raise BadKey(f"it is a key of {key.name}")
        return _decode(verified_message((key,), topic, content))
    except (msgspec.DecodeError, RecursionError, BadKey, BadNote):
        raise BadMessage(f"{name}: expected an entry that is signed by the key of the table, {why}") from None
