"""Tables, pits, broker and database of one linked pot in one process, in made-up time: a seed is a whole history.

Messages are lost, doubled, delayed and overtaken; everything crashes, is cut off, freezes and comes back; the outcome
of a transaction gets lost. After every step it is checked that no money appeared or vanished.

    python -m tests.link.simulation SEED      reports that seed's story
"""

import sys
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from heapq import heappop, heappush
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from controller.engine.state.jackpot import ConservationBroken, MeterOpened
from controller.link.messages import (
    Announced,
    Claimed,
    Contributed,
    Counted,
    Entry,
    Grant,
    Paid,
    PitAnswer,
    Pot,
    Returned,
    SentEntry,
    SettledOnPaper,
    Vouched,
    Withdrawn,
)
from controller.link.signing import sealed, verified_message
from controller.link.table import (
    ANOTHER_GRANT,
    OLDER_COPY,
    WENT_BACK,
    Broken,
    Doubted,
    Event,
    GrantReceived,
    NotNow,
    TableAtLink,
    TableClaim,
    Through,
    compared,
)
from controller.pit.leader import Leader, LedgerTransaction
from controller.pit.lease import EPOCHS
from controller.pit.ledger.decisions import is_key_of
from controller.pit.ledger.recovery import rebuild
from controller.pit.ledger.state import (
    AcceptLoss,
    Admit,
    Ahead,
    Approve,
    Close,
    DecisionRefused,
    EntriesMissing,
    PitDecision,
    PotLedger,
    Propose,
    Release,
    Resume,
    new_ledger,
)
from controller.pit.marks import LedgerMark, by_pot, published
from controller.rulebook.jackpot_award import Win
from controller.rulebook.roles import Role
from controller.tlog.notes import BadKey, BadNote, VerifierKey
from tests.link.acts import YEARS, Acts
from tests.link.entries import BLACKJACK, FORTUNE, PARAMETERS, PIT_KEY, table_key, table_keys
from tests.link.model import model_of

E4 = 10_000
BEAT = 0.5  # seconds
LEASE = 2.0
LENGTH = 30.0
AWAY = 8.0  # a table whose journal someone replaces: longer than any message takes
KEPT_BY_COPIES = Announced | Paid | Returned | SettledOnPaper | Vouched | Withdrawn  # of what persons have seen happen
LOOK = 0.6  # a new leader
QUIET = 60.0  # two persons settle one thing after the other, each four seconds later
TIERS = {
    FORTUNE: ("royal_flush", "straight_flush", "straight_flush", "four_of_a_kind", "flush"),
    BLACKJACK: ("four_aces_one_colour", "three_aces", "two_aces_one_suit", "two_aces"),
}


POT_TOPIC = "dealer/site/links/link/pot"
read_answer = msgspec.json.Decoder(PitAnswer | Pot).decode
read_entry = msgspec.json.Decoder(SentEntry).decode


def topic_of(table: str) -> str:
    """Where a table sends its entries."""
    return f"dealer/{table}/link/link"


def answers_of(table: str) -> str:
    """Where the pit answers a table."""
    return f"dealer/{table}/linked/link"


def as_entry(sent: SentEntry) -> Entry:
    """What the journal has of it."""
    return Entry(sent.link, sent.table, sent.journal, sent.seq, sent.body)


class Violation(AssertionError):
    """Something that must never be, with the history that led to it."""


class Compared(msgspec.Struct, frozen=True):
    """Two persons have compared a claim with the page of the pit."""

    claim: str
    amount: int


def take(table: TableAtLink, event: Event | Compared) -> None:
    """This is durable."""
    if isinstance(event, Compared):
        table.kept = compared(table.kept, event.claim, event.amount)
    else:
        table.apply([event])


class Station:
    """A table with a disk: what its journal holds survives, nothing else."""

    def __init__(self, world: "World", name: str) -> None:
        self.world, self.name, self.clock = world, name, world.chance.uniform(0, 1000)
        self.wall = 0.0  # seconds by which its time of day differs from the true one
        self.disk: list[Event | Compared] = []
        self.up, self.journals, self.round = True, 0, 0
        self.step = "idle"
        self.given: Entry | None = None
        self.won: list[Win] = []
        self.begin_again()

    def _started(self) -> TableAtLink:
        self.session = f"{self.name} {self.world.numbered}"
        key = str(table_key(self.name).verifier)
        table = TableAtLink("link", self.world.game, self.name, (), self.session, key)
        for event in self.disk:
            take(table, event)
        return table

    @property
    def now(self) -> float:
        return self.world.now + self.clock

    def record(self, events: list[Event]) -> bool:
        """Write it through, and only then count it; False where the power went before or behind that."""
        if not events:
            return True
        fate = self.world.chance.random() if self.world.rough else 1.0
        if fate < 0.01:
            self.crash("before it was written")
            return False
        self.disk += events
        for event in events:
            self.world.written(self, event)
        if fate < 0.02:
            self.crash("behind what was written")
            return False
        self.table.apply(events)
        return True

    def crash(self, why: str) -> None:
        self.world.log(self.name, "crashes", why)
        self.world.count("crash of a table")
        self.up = False
        self.world.after(self.world.chance.uniform(0.1, 4), self.start)

    def start(self) -> None:
        if self.up:
            return
        self.up = True
        self.begin_again()
        self.world.log(self.name, "starts")
        self.world.hand_retained(self)

    def begin_again(self) -> None:
        self.table = self._started()
        learnt = self.table.kept.learnt
        self.seen = (learnt.epoch if learnt is not None else 0), 0

    def receive(self, topic: str, content: bytes, retained: bool = False) -> None:
        if not self.up:
            return
        try:
            message = read_answer(verified_message([PIT_KEY.verifier], topic, content))
        except (BadNote, msgspec.DecodeError):
            self.world.count("a message that the pit has not signed")
            return
        if isinstance(message, Pot):
            events = self.table.receive_pot(message, self.now, retained)
            self.world.check_shown(self, message, retained)
        else:
            events = self.table.receive(message, self.now)
        self.record(events)

    def tick(self) -> None:
        self.world.after(0.4, self.tick)
        if not self.up:
            return
        for entry in self.table.due(self.now):
            self.world.to_pits(self.name, entry)
        if self.up:
            self.play()

    def play(self) -> None:
        """The next step of a round: it is taken again where the power went before it was written."""
        kept, chance = self.table.kept, self.world.chance
        if not kept.journal:
            self.journals += 1
            self.record(self.table.begin(f"{self.name}-{self.journals}"))
            return
        if kept.broken and self.step != "idle" and kept.hits.get(self.claim) is None:
            self.step = "idle"
        if kept.pending_entries and self.table.is_compared and chance.random() < 0.3:
            admitted = chance.random() < 0.6
            self.record(
                self.table.vouch(
                    kept.pending_entries[0].journal, kept.pending_entries[0].entry, admitted, ("ana", "rui")
                )
            )
        elif self.step == "idle":
            self.idle()
        elif self.step == "play":
            self.over()
        elif self.step == "won":
            self.prize()

    @property
    def claim(self) -> str:
        """The last claim of this round."""
        hits = self.table.kept.hits.items()
        return next((claim for claim, hit in hits if hit.round == self.round and hit.state != "withdrawn"), "")

    def idle(self) -> None:
        chance = self.world.chance
        if self.table.is_to_count(self.now):
            self.record(self.table.count(self.now))
        elif self.table.kept.broken in (OLDER_COPY, ANOTHER_GRANT):
            self.begin_another()
        elif self.world.rough and chance.random() < 0.03:
            if chance.random() < 0.5:
                self.restore()
                if chance.random() < 0.7 and self.world.now < LENGTH - AWAY:
                    self.up = False
                    self.world.acts.forget(self.table.kept.journal, self.table.kept.seq)
                    self.world.after(AWAY, self.start_copy)
                    return
            self.begin_another()
        elif chance.random() < 0.05 and self.table.is_compared and not self.world.ended:
            self.world.miscount(self)
        elif not self.world.ended:
            self.round += 1
            self.step, self.given = "play", None
            if self.table.takes_chips(self.now):
                self.world.check_taken(self)
                chips = chance.choice((1, 2, 3, 3, 4, 5, 9 if chance.random() < 0.3 else 1))
                events = self.table.contribute(self.round, chips)
                self.given = events[0] if isinstance(events[0], Entry) else None
                if not self.record(events) and events[0] not in self.disk:
                    self.given = None

    def begin_another(self) -> None:
        """The journal continues under another name."""
        self.journals += 1
        begun = self.table.begin(f"{self.name}-{self.journals}")
        self.disk += begun
        self.world.written(self, begun[0])
        self.table.apply(begun)

    def start_copy(self) -> None:
        """An older copy continues under its own name, from the round it knows: whatever was under way
        has come by now."""
        self.start()
        self.round = max(
            (
                event.body.round
                for event in self.disk
                if isinstance(event, Entry) and isinstance(event.body, Contributed | Claimed)
            ),
            default=0,
        )
        kept = self.table.kept
        counted = self.world.database.truth.journals.get(kept.journal)
        if counted is None or counted.through <= kept.seq:
            self.world.forget(kept.journal, kept.seq)  # no one has received what it lacks
            self.world.acts.forget(kept.journal, kept.seq)
        else:
            self.world.count("a copy that the pit has more of")

    def restore(self) -> None:
        """Someone puts an older copy of the journal in place: what was behind it is gone."""
        lost = 0
        while self.disk and lost < 4:
            last = self.disk[-1]
            if isinstance(last, Entry) and not isinstance(last.body, Contributed | Counted):
                break
            self.disk.pop()
            lost += 1
        self.world.log(self.name, "continues from an older copy without", lost)
        self.world.count("an older copy of a journal")
        self.begin_again()

    def over(self) -> None:
        chance = self.world.chance
        if self.given is None:
            self.step = "idle"
        elif chance.random() < 0.15:
            body = self.given.body
            assert isinstance(body, Contributed)
            if self.record(self.table.give_back(self.given, chance.randrange(1, body.chip_count + 1))) or (
                isinstance(self.disk[-1], Entry) and isinstance(self.disk[-1].body, Returned)
            ):
                self.step = "idle"
        elif chance.random() < 0.35:
            seats = chance.sample(range(1, 8), chance.choice((1, 1, 2, 3)))
            self.won = [Win(seat, chance.choice(TIERS[self.world.game])) for seat in seats]
            self.step = "won"
        else:
            self.step = "idle"

    def pays(self, claim: str) -> bool:
        """Whether this claim is the one of the round that is at its end."""
        return self.step == "won" and self.claim == claim

    def lose(self) -> None:
        """The disk is gone with this claim: an older copy continues under another name."""
        while self.disk and not (isinstance(self.disk[-1], Entry) and isinstance(self.disk[-1].body, KEPT_BY_COPIES)):
            self.disk.pop()
        self.world.log(self.name, "has lost", self.claim)
        self.world.count("a claim that its table has lost")
        self.begin_again()
        self.step = "idle"
        self.begin_another()

    def prize(self) -> None:
        chance, claim = self.world.chance, self.claim
        if claim and self.world.rough and chance.random() < 0.03:
            self.lose()
            return
        if not claim:
            self.record(self.table.claim(self.round, self.won))
            return
        hit = self.table.kept.hits[claim]
        known = self.world.database.ledger.claims.get(claim)
        try:
            if hit.state == "pending" and known is not None and known.closed:
                self.record(self.table.withdraw(claim))
            elif hit.state in ("pending", "granted") and self.world.rough and chance.random() < 0.03:
                amount = chance.randrange(1, 9000)
                self.record(self.table.settle_on_paper(claim, amount, ("ana", "rui")))
            elif hit.state == "granted" and hit.doubt:
                self.compare(hit)
            elif hit.state == "granted":
                if chance.random() < 0.1:
                    self.record(self.table.withdraw(claim))
                    self.step = "idle"
                else:
                    self.record(self.table.pay(claim))
            elif hit.state in ("paid", "on_paper"):
                self.step = "idle"
        except NotNow:
            self.step = "idle"

    def compare(self, hit: TableClaim) -> None:
        """Two persons enter what the page of the pit has, or pay that on paper where another grant came instead."""
        known = self.world.database.ledger.claims.get(hit.claim)
        if known is None or known.grant is None:
            return
        self.world.count(f"a doubted grant: {hit.doubt}")
        if known.grant not in (hit.grant, hit.other):
            self.record(self.table.settle_on_paper(hit.claim, known.grant.amount, ("ana", "rui")))
        else:
            compared = Compared(hit.claim, known.grant.amount)
            self.disk.append(compared)
            take(self.table, compared)


class Pit:
    """A process: while it leads it has a ledger in memory. It may freeze, and not know how long."""

    def __init__(self, world: "World", name: str) -> None:
        self.world, self.name = world, name
        self.up, self.frozen = True, False
        self.leader: Leader | None = None
        self.looks = 0.0  # until then
        self.mark: LedgerMark | None = None
        self.epoch, self.until, self.run = 0, 0.0, 0
        self.clock = world.chance.uniform(0, 1000)  # monotonic, of this computer alone
        self.wall = 0.0  # seconds by which its time of day differs from the true one
        self.row: tuple[str, int, int] | None = None  # of the lease, as it was seen last, and since when
        self.since, self.above = 0.0, 0
        self.turned, self.reached = 0.0, 0.0
        self.late: list[Callable[[], None]] = []

    @property
    def now(self) -> float:
        return self.world.now + self.clock

    def do(self, what: Callable[[], None]) -> None:
        """Now, or when it is no longer frozen."""
        if self.frozen:
            self.late.append(what)
        elif self.up:
            what()

    def thaw(self) -> None:
        self.frozen = False
        late, self.late = self.late, []
        for what in late:
            self.do(what)

    def crash(self) -> None:
        self.world.log(self.name, "crashes")
        self.world.count("crash of a pit")
        self.up, self.frozen, self.late = False, False, []
        self.row, self.above, self.turned = None, 0, -LENGTH
        self.resign()
        self.world.after(self.world.chance.uniform(0.2, 5), self.start)

    def start(self) -> None:
        self.up = True

    def resign(self) -> None:
        self.leader, self.epoch = None, 0
        self.run += 1

    def tick(self) -> None:
        self.world.after(BEAT / 2, self.tick)
        self.do(self.turn)

    def turn(self) -> None:
        world = self.world
        if world.reaches_database(self.name):
            if world.now - self.turned > BEAT:
                self.reached = world.now  # it was away
            self.turned = world.now
            epoch = world.database.lead(self)
            self.check_led()
            if epoch is None:
                self.resign()
            else:
                self.until = self.now + LEASE
                if self.leader is None:
                    self.leader, self.epoch = Leader(world.database.ledger, epoch, looks=True), epoch
                    world.log(self.name, "leads", epoch)
                    self.looks = world.now + LOOK
                    self.say(self.leader.acknowledged())
        if self.leader is not None:
            if self.now >= self.until:
                self.resign()
            else:
                self.work(self.leader)

    def check_led(self) -> None:
        """A pit that reaches the database takes the lead once its holder is gone, whatever the time of day is."""
        gone = self.world.now - max(self.reached, self.world.database.led_at)
        if gone > LEASE + 3 * BEAT:
            self.world.fail(f"{self.name} reaches the database, and no one has led for {gone:.1f} s")

    def look(self, leader: Leader) -> None:
        """Evidence that the database went back, before the first beat."""
        world, ledger, mark = self.world, leader.ledger, self.mark
        if mark is not None and world.database.chain_at(mark) not in (None, mark.chain):
            leader.notice(Ahead("the mark", mark.epoch, mark.revision))
        self.above = max(self.above, 0 if mark is None else mark.epoch)
        if world.retained is not None and self.name not in world.cut:
            pot = published(PIT_KEY.verifier, POT_TOPIC, world.retained)
            if pot is not None:
                leader.notice(by_pot(ledger, pot))
                self.above = max(self.above, pot.epoch)

    def has_looked(self, leader: Leader) -> bool:
        if self.looks and self.world.now >= self.looks and self.name in self.world.cut:
            self.resign()  # without its broker it does not lead
            return False
        if self.looks and self.world.now >= self.looks:
            self.look(leader)
            self.looks = 0.0
            if self.epoch <= self.above:
                self.resign()  # what it published would be of an epoch that tables have left behind
                return False
            self.say(leader.begin())
        return not self.looks

    def work(self, leader: Leader) -> None:
        if not self.has_looked(leader):
            return
        batch, refused = leader.batch(self.world.chance.choice((1, 3, 50)))
        self.say(refused)
        if batch is not None:
            self.world.database.submit(self, batch)

    def beat(self) -> None:
        self.world.after(BEAT, self.beat)
        self.do(self.show)

    def show(self) -> None:
        if self.leader is not None and self.now < self.until and self.leader.beats():
            self.world.publish(self.name, self.leader.beat())

    def receive(self, table: str, content: bytes) -> None:
        if self.leader is None:
            return
        known = VerifierKey.read(self.leader.ledger.keys[table])
        try:
            sent = read_entry(verified_message([known], topic_of(table), content))
        except (BadNote, msgspec.DecodeError):
            self.world.count("an entry that its table has not signed")
            with suppress(msgspec.DecodeError, BadKey, BadNote):
                key = VerifierKey.read(read_entry(content).key)
                sent = read_entry(verified_message([key], topic_of(table), content))
                if is_key_of(table, str(key)):
                    self.say(self.leader.offer(as_entry(sent), str(key)))
            return
        if sent.epoch > self.epoch:
            self.above = max(self.above, sent.epoch)
            self.resign()
        elif sent.table == table:
            self.say(self.leader.receive(as_entry(sent), sent.session))

    def outcome(self, run: int, outcome: str) -> None:
        """What it learns of its transaction, if it is still the one that asked."""
        if run != self.run or self.leader is None:
            return
        if outcome == "committed":
            assert self.leader._batch is not None
            after = self.leader._batch.after
            if after.ahead is None:
                self.mark = LedgerMark(after.epoch, after.revision, after.chain)
            self.say(self.leader.committed())
        else:
            self.world.log(self.name, "gives the lead up:", outcome)
            self.resign()

    def say(self, answers: list[PitAnswer]) -> None:
        for answer in answers:
            self.world.to_table(self.name, answer)


class Database:
    """One that keeps its word: a transaction is there or not, anyone who receives it."""

    def __init__(self, world: "World", ledger: PotLedger) -> None:
        self.world, self.ledger = world, ledger
        self.holder, self.epoch, self.beat = "", 0, 0
        self.ahead = 0.0  # seconds by which its clock differs from the true time
        self.led_at = 0.0  # when the row was changed last
        self.life = 0  # another one once it was restored: no transaction continues in it
        self.up = True
        self.history = [ledger]
        self.right: list[PotLedger] = []  # the history that the database had before it was put back
        self.right_epoch = 0  # the last one of that history

    def lead(self, pit: Pit) -> int | None:
        """As the row of a lease: its holder changes it, the others watch it by clocks of their own."""
        if pit.epoch and (pit.name, pit.epoch) == (self.holder, self.epoch):
            self.beat += 1
        else:
            row = self.holder, self.epoch, self.beat
            if row != pit.row:
                pit.row, pit.since = row, pit.now
            if self.holder and pit.now - pit.since < LEASE:
                return None
            last, now = max(self.epoch, pit.above), self.time
            epoch = now if now > last else last + 1 + self.world.chance.randrange(EPOCHS)
            self.holder, self.epoch, self.beat = pit.name, epoch, 0
        self.led_at = self.world.now
        return self.epoch

    @property
    def time(self) -> int:
        """Its time of day, in milliseconds since 1970."""
        return int(1000 * (YEARS + self.world.now + self.ahead))

    def submit(self, pit: Pit, batch: LedgerTransaction) -> None:
        world, run = self.world, pit.run
        is_delayed = world.chance.random() < 0.04 and world.rough
        delay = world.chance.uniform(1, 6) if is_delayed else world.chance.uniform(0.005, 0.1)
        life = self.life
        world.after(delay, lambda: self._arrive(pit, run, batch, life))

    def _arrive(self, pit: Pit, run: int, batch: LedgerTransaction, life: int) -> None:
        world = self.world
        reached = self.up and life == self.life and (not world.rough or world.chance.random() > 0.02)
        outcome = self.commit(batch) if reached else "no connection"
        lost = world.rough and world.chance.random() < 0.04
        if lost:
            world.count("a transaction whose outcome no one received")
            outcome = "no one knows"
        world.after(world.chance.uniform(0.005, 0.1), lambda: pit.do(lambda: pit.outcome(run, outcome)))

    def commit(self, batch: LedgerTransaction) -> str:
        if not self.fence(batch):
            self.world.count("a transaction of one that was superseded")
            return "superseded"
        before, self.ledger = self.ledger, batch.after
        self.history.append(batch.after)
        self.world.committed(before, batch)
        return "committed"

    def chain_at(self, mark: LedgerMark) -> str | None:
        """The hash at a revision; None where the history skips it."""
        if mark.revision > self.ledger.revision:
            return ""
        return next((books.chain for books in self.history if books.revision == mark.revision), None)

    @property
    def truth(self) -> PotLedger:
        """The right books, wherever they are."""
        return self.right[-1] if self.right else self.ledger

    def put_back(self) -> None:
        """A backup is restored."""
        world, chance = self.world, self.world.chance
        later = chance.choice((chance.randrange(1, 12), max(1, len(self.history) - 1)))
        if self.right or len(self.history) <= later or self.history[-1].ahead is not None or world.retained is None:
            return
        back = self.history[-1 - later].revision
        pot = published(PIT_KEY.verifier, POT_TOPIC, world.retained)
        by_marks = all(pit.mark is not None and pit.mark.revision > back for pit in world.pits)
        if by_marks and world.chance.random() < 0.8:
            world.count("a broker that lost what it retained")
            world.retained = None
        elif pot is None or pot.stopped == WENT_BACK or pot.revision <= back:
            return  # of what is lost nothing was published: no one can know
        self.world.count("a database that is put back")
        self.right, self.right_epoch = self.history, self.epoch
        self.restored(self.history[:-later])

    def restored(self, history: list[PotLedger]) -> None:
        """Its connections end; its lease is that of the backup, whose holder does not renew it."""
        self.history, self.life = list(history), self.life + 1
        self.ledger, self.holder = history[-1], "the holder of the backup"
        self.epoch, self.led_at = self.ledger.epoch, self.world.now
        self.world.log("database is restored to", self.ledger.revision, "of epoch", self.ledger.epoch)
        for pit in self.world.pits:
            pit.resign()

    def fence(self, batch: LedgerTransaction) -> bool:
        return batch.after.epoch == self.epoch and batch.before.revision == self.ledger.revision


class World:
    """Everything, and what only someone outside can know: all that was ever written, shown and paid."""

    def __init__(self, seed: int, stations: int = 3, pits: int = 2) -> None:
        self.seed, self.chance = seed, Random(seed)
        self.now, self.rough, self.ended = 0.0, True, False
        self.steps: list[tuple[float, int, Callable[[], None]]] = []
        self.numbered = 0
        self.story: list[tuple[Any, ...]] = []
        self.faults: Counter[str] = Counter()
        self.game = self.chance.choice((FORTUNE, BLACKJACK))
        parameters = replace(PARAMETERS, overflow_to=self.chance.choice(("overflow", "reserve")))
        names = tuple(f"t{number}" for number in range(stations))
        opened = MeterOpened(20_100, 300, parameters)
        self.opened = opened.pot, opened.reserve, parameters
        self.database = Database(self, new_ledger("link", self.game, names, opened, table_keys(*names)))
        self.cut: set[str] = set()
        self.retained: bytes | None = None
        self.entries: dict[str, list[Entry]] = {}
        self.sums: dict[str, list[tuple[int, int]]] = {}
        self.grants: dict[str, Grant] = {}
        self.paid: dict[str, int] = {}
        self.numbers: dict[int, str] = {}
        self.shown: dict[int, tuple[int, str]] = {0: (20_100, "")}
        self.alive: dict[str, float] = {}
        self.wrong: set[tuple[str, int]] = set()
        self.differences: dict[str, int] = {}  # of each journal, in what was counted of the one before it
        self.stations = {name: Station(self, name) for name in names}
        self.pits = [Pit(self, f"p{number}") for number in range(pits)]
        self.acts = Acts(self)

    # ---- what happens when

    def after(self, delay: float, what: Callable[[], None]) -> None:
        self.numbered += 1
        heappush(self.steps, (self.now + delay, self.numbered, what))

    def log(self, *what: Any) -> None:
        self.story.append((self.now, *what))

    def count(self, fault: str) -> None:
        self.faults[fault] += 1

    def run(self) -> None:
        for station in self.stations.values():
            self.after(self.chance.uniform(0, 0.4), station.tick)
        for pit in self.pits:
            self.after(self.chance.uniform(0, 0.4), pit.tick)
            self.after(self.chance.uniform(0, BEAT), pit.beat)
        self.go_wrong(LENGTH)
        if self.chance.random() < 0.3:
            self.rebuild()
            self.go_wrong(LENGTH / 2)

    def go_wrong(self, length: float) -> None:
        """For some time everything goes wrong; then all heals, and it is looked at what has become of it."""
        self.rough, self.ended = True, False
        self.after(1.0, self.trouble)
        self.acts.begin()
        self.until(self.now + length)
        self.rough, self.ended, self.cut, self.database.up = False, True, set(), True
        for pit in self.pits:
            pit.up = True
            pit.thaw()
        for station in self.stations.values():
            station.start()
        self.log("everything heals")
        self.after(4.0, self.persons)
        self.until(self.now + QUIET, self.is_quiet)
        self.again = self.check_end()

    def rebuild(self) -> None:
        """The database is lost with all its backups: the books are built again from the journals of the tables."""
        lost = self.database
        self.database = Database(self, self.again)
        self.database.ahead = lost.ahead
        epoch = self.database.time
        after = replace(self.again, keys=lost.ledger.keys, revision=epoch, epoch=epoch)
        self.database.ledger, self.database.epoch, self.database.history = after, epoch, [after]
        self.shown[epoch] = after.pot.pot, after.stopped
        for pit in self.pits:
            pit.resign()
        self.count("books that are built again")
        self.log("the books are built again at", epoch)

    def until(self, end: float, done: Callable[[], bool] | None = None) -> None:
        steps = 0
        while self.steps and self.steps[0][0] <= end:
            self.now, _, what = heappop(self.steps)
            try:
                what()
            except (
                ArithmeticError,
                LookupError,
                RuntimeError,
                ConservationBroken,
                DecisionRefused,
                EntriesMissing,
                NotNow,
            ) as wrong:
                self.fail(f"{type(wrong).__name__}: {wrong}")
            steps += 1
            if done is not None and not steps % 20 and done():
                return
        self.now = end

    def trouble(self) -> None:
        """Something goes wrong, or is repaired."""
        if not self.rough:
            return
        self.after(self.chance.uniform(0.3, 2.0), self.trouble)
        which = self.chance.random()
        pit = self.chance.choice(self.pits)
        if which < 0.15 and pit.up:
            pit.crash()
        elif which < 0.35 and pit.up and not pit.frozen:
            self.count("a pit that freezes")
            self.log(pit.name, "freezes")
            pit.frozen = True
            self.after(self.chance.uniform(0.5, 6), pit.thaw)
        elif which < 0.75:
            broken = self.chance.choice((*self.stations, "p0", "p1", "p0 database", "p1 database", "all"))
            self.count("a cut")
            self.log(broken, "is cut off")
            cut = {*self.stations, "p0", "p1"} if broken == "all" else {broken}
            self.cut |= cut
            self.after(self.chance.uniform(0.5, 5), lambda: self.heal(cut))
        elif which < 0.77:
            self.database.put_back()
        elif which < 0.85:
            self.count("a database that is away")
            self.database.up = False
            self.after(self.chance.uniform(0.2, 3), lambda: setattr(self.database, "up", True))
        else:
            self.persons()

    def heal(self, cut: set[str]) -> None:
        self.cut -= cut
        for name in sorted(cut & set(self.stations)):
            self.hand_retained(self.stations[name])

    def persons(self) -> None:
        """Two persons at the pit do what waits for them."""
        if self.ended:
            self.after(4.0, self.persons)
        ledger = self.database.ledger
        if ledger.ahead is not None and self.database.right:
            right, self.database.right = self.database.right, []
            self.database.restored(right)
            return
        for pit in self.pits:
            if pit.leader is None or pit.frozen or not pit.up:
                continue
            persons: tuple[tuple[str, Role], ...] = ("carla", "supervisor"), ("nuno", "dealer")
            for person, role in persons:
                for what in self.wanted(ledger):
                    try:
                        pit.leader.ask(PitDecision(what, person, role))
                    except DecisionRefused:
                        continue
                    self.log(person, "decides", type(what).__name__)

    def wanted(self, ledger: PotLedger) -> list[Any]:
        wanted: list[Any] = []
        if ledger.ahead is not None:
            return [AcceptLoss()]
        if ledger.stopped:
            wanted.append(Resume())
        for table in () if self.database.right else ledger.broken:
            self.count("a table that is released")
            return [Release(table)]
        for station in self.stations.values():
            kept = station.table.kept
            if kept.broken and kept.unsaid and kept.unsaid[0].journal not in ledger.admitted:
                wanted.append(Admit(station.name, kept.unsaid[0].journal))
                break
        unpaid = [name for name, claim in ledger.claims.items() if claim.is_open]
        if self.ended:  # else some of them are about to be paid
            unpaid = [name for name in unpaid if not self.stations[ledger.claims[name].table].pays(name)]
        if not wanted and unpaid and (self.ended or self.chance.random() < 0.5):
            self.count("a claim that is closed")
            wanted.append(Close(unpaid[0], "its table has lost it"))
        elif not wanted and not self.ended:
            proposal = ledger.meter.proposal
            if proposal is not None:
                wanted.append(Approve(proposal.number))
            elif self.chance.random() < 0.5:
                parameters = ledger.meter.agreed
                wanted.append(Propose(replace(parameters, increment_bp=self.chance.randrange(1000, 4000))))
        return wanted

    def miscount(self, station: Station) -> None:
        """A table's sum is wrong: no one has to find out but the comparison."""
        if self.chance.random() < 0.3:
            entry = station.table.count(station.now)[0]
            assert isinstance(entry, Entry) and isinstance(entry.body, Counted)
            totals = replace(entry.body.totals, paid=entry.body.totals.paid + 1)
            self.count("a sum that is wrong")
            self.wrong.add((entry.journal, entry.seq))
            if not station.record([replace(entry, body=Counted(totals))]) and station.disk[-1:] != [entry]:
                self.wrong = {place for place in self.wrong if place[1] <= len(self.entries[place[0]])}
        else:
            station.record(station.table.count(station.now))

    # ---- the broker

    def reaches_database(self, pit: str) -> bool:
        return self.database.up and f"{pit} database" not in self.cut

    def carry(self, sender: str, other: str, what: Callable[[], None]) -> None:
        if not self.rough:
            self.after(self.chance.uniform(0.005, 0.05), what)
            return
        if sender in self.cut or other in self.cut or self.chance.random() < 0.1:
            self.faults["a message lost"] += 1
            return
        for _ in range(2 if self.chance.random() < 0.05 else 1):
            late = self.chance.random() < 0.05
            self.after(self.chance.uniform(0.3, 4) if late else self.chance.uniform(0.005, 0.1), what)

    def to_pits(self, name: str, entry: Entry) -> None:
        session = self.stations[name].session
        epoch = self.stations[name].table.epoch
        sent = SentEntry(entry.link, entry.table, entry.journal, entry.seq, entry.body, session, "", epoch)
        content = sealed(table_key(name), topic_of(name), sent)
        self.acts.receive(topic_of(name), content)
        for pit in self.pits:
            if pit.leader is not None:
                self.carry(name, pit.name, partial(pit.do, partial(pit.receive, name, content)))

    def to_table(self, pit: str, answer: PitAnswer) -> None:
        topic = answers_of(answer.table)
        content = sealed(PIT_KEY, topic, answer)
        self.acts.receive(topic, content)
        self.carry(pit, answer.table, lambda: self.stations[answer.table].receive(topic, content))

    def publish(self, pit: str, pot: Pot) -> None:
        if pit in self.cut:
            return
        self.retained = content = sealed(PIT_KEY, POT_TOPIC, pot)
        self.acts.receive(POT_TOPIC, content)
        for station in self.stations.values():
            self.carry(pit, station.name, partial(station.receive, POT_TOPIC, content))

    def hand_retained(self, station: Station) -> None:
        if self.retained is not None and station.name not in self.cut:
            content = self.retained
            self.after(0.01, lambda: station.receive(POT_TOPIC, content, retained=True))

    # ---- what must hold after every step

    def fail(self, what: str) -> None:
        self.log("VIOLATION", what)
        raise Violation(f"seed {self.seed}: {what}\n{self.last_lines()}")

    def last_lines(self, last: int = 60) -> str:
        return "\n".join(f"{at:8.3f} " + " ".join(map(str, what)) for at, *what in self.story[-last:])

    def forget(self, journal: str, seq: int) -> None:
        """What a journal reported behind this was lost before anybody received it."""
        del self.entries[journal][seq:], self.sums[journal][seq + 1 :]
        self.wrong = {place for place in self.wrong if place[0] != journal or place[1] <= seq}

    def written(self, station: Station, event: Event) -> None:
        """A table's journal has something more, for good."""
        if isinstance(event, Entry):
            message, sums = self.entries.setdefault(event.journal, []), self.sums.setdefault(event.journal, [(0, 0)])
            if event.seq != len(message) + 1:
                self.fail(f"{event.journal} has {event.seq} where {len(message) + 1} is next")
            message.append(event)
            body, (came, paid) = event.body, sums[-1]
            self.log(station.name, "writes", event.seq, body)
            if isinstance(body, Contributed):
                came += body.units_e4
            elif isinstance(body, Returned):
                came -= body.units_e4
            elif isinstance(body, Vouched) and not body.admitted:
                unreal = self.entries[body.journal][body.of - 1].body
                if isinstance(unreal, Announced):
                    came -= abs(self.differences[body.journal])
                    self.count("chips that never were")
                else:
                    assert isinstance(unreal, Contributed | Returned)
                    came -= unreal.units_e4 if isinstance(unreal, Contributed) else -unreal.units_e4
            elif isinstance(body, Paid | SettledOnPaper):
                self.check_payment(station, body)
                paid += body.amount
            sums.append((came, paid))
        elif isinstance(event, GrantReceived):
            self.log(station.name, "is granted", event.grant.claim, event.grant.amount)
            doubted = event.doubt and event.grant.claim == self.acts.robbed
            if self.grants.get(event.grant.claim) != event.grant and not doubted:
                self.fail(f"{station.name} holds a grant for {event.grant.claim} that is nowhere in the database")
        elif event == Broken(ANOTHER_GRANT) and self.acts.robbed not in station.table.kept.hits:
            self.fail(f"{station.name} holds another grant than the pit's for possible")
        elif isinstance(event, Through):
            journal = self.database.truth.journals.get(event.journal)
            if (0 if journal is None else journal.through) < event.through:
                self.fail(f"{station.name} forgets entries of {event.journal} that the database does not have")

    def check_payment(self, station: Station, body: Paid | SettledOnPaper) -> None:
        doubts = [own for own in station.disk if isinstance(own, Doubted | Compared) and own.claim == body.claim]
        if isinstance(body, Paid) and doubts and isinstance(doubts[-1], Doubted):
            self.fail(f"{body.claim} has two grants that no one has compared, and is paid")
        if body.claim in self.paid:
            self.fail(f"{body.claim} is paid twice")
        self.paid[body.claim] = body.amount
        if isinstance(body, Paid):
            grant = self.grants.get(body.claim)
            if grant is None or grant.amount != body.amount:
                self.fail(f"{body.claim} is paid {body.amount}, granted was {grant and grant.amount}")

    def committed(self, before: PotLedger, batch: LedgerTransaction) -> None:
        """The database has a transaction more."""
        after = batch.after
        if self.database.right:
            self.check_put_back(before, batch)
            return
        self.log("database has", after.revision, "of epoch", after.epoch, "pot", after.pot.pot, after.stopped)
        if after.revision != before.revision + 1 or after.epoch < before.epoch:
            self.fail(f"revision {after.revision} of epoch {after.epoch} behind {before.revision} of {before.epoch}")
        if after.revision in self.shown:
            self.fail(f"revision {after.revision} comes a second time")
        self.shown[after.revision] = after.pot.pot, after.stopped
        for entry in batch.entries:
            if entry != self.entries[entry.journal][entry.seq - 1]:
                self.fail(f"{entry.journal} says something else at {entry.seq}")
            if (entry.journal, entry.seq) in self.wrong and not after.stopped:
                self.fail(f"{entry.journal} has another sum at {entry.seq}, and the link continues")
            if isinstance(entry.body, Announced):
                self.compare(after, entry, entry.body)
                self.check_announced(batch, entry, entry.body)
        came_in = paid = 0
        for name, journal in after.journals.items():
            message = self.entries.get(name, ())
            was = before.journals.get(name)
            if was is not None and was.through > journal.through:
                self.fail(f"{name} goes back from {was.through} to {journal.through}")
            if journal.through > len(message):
                self.fail(f"{name} is counted through {journal.through} and has {len(message)}")
            came, out = self.sums[name][journal.through]
            came_in, paid = came_in + came, paid + out
        for name, claim in after.claims.items():
            earlier = before.claims.get(name)
            if claim.paid is not None and claim.grant is None:
                paid -= claim.paid
            if claim.closed and claim.paid is not None and (earlier is None or earlier.paid is None):
                self.count("a closed claim that is paid")
                if not after.stopped:
                    self.fail(f"{name} was closed and is paid, and the link continues")
            if claim.grant is not None:
                self.check_grant(claim.grant, name)
                if (
                    not claim.closed
                    and claim.paid not in (None, claim.grant.amount)
                    and (earlier is None or None in (earlier.grant, earlier.paid))
                ) and not after.stopped:
                    self.fail(f"{name} is paid {claim.paid}, granted {claim.grant.amount}, and the link continues")
        meter = after.pot
        balance = meter.pot_e4 + meter.reserve_e4 + meter.overflow_e4 + meter.pending_e4 + after.pending_e4
        due = meter.initial_e4 + came_in + meter.house_funded_e4 - paid * E4
        if balance != due:
            self.fail(f"{balance - due} (1/10 000) appeared: {balance} are there, by the tables it is {due}")

    def check_put_back(self, before: PotLedger, batch: LedgerTransaction) -> None:
        """A database that was put back takes no entry, and grants nothing."""
        if batch.entries or (batch.after.claims != before.claims and not batch.decided):
            self.fail(f"a database that was put back has {batch.entries}")
        if batch.after.ahead is None:
            self.fail("a database that was put back changes, and the link is not stopped")

    def compare(self, after: PotLedger, entry: Entry, body: Announced) -> None:
        """What the pit has counted of the journal before it, and what that journal has by its own account."""
        last = after.journals.get(body.predecessor)
        if body.totals is None or last is None or last.successor != entry.journal:
            return
        through = last.through
        there = sum(
            sent.body.units_e4 if isinstance(sent.body, Contributed) else -sent.body.units_e4
            for sent in self.entries[body.predecessor][:through]
            if isinstance(sent.body, Contributed | Returned)
        )
        difference = there - body.totals.contributed_e4 + body.totals.returned_e4
        self.differences[entry.journal] = difference
        if difference:
            self.count("a journal with other chips than were counted")
            message = [sent.body for sent in self.entries[entry.journal] if isinstance(sent.body, Vouched)]
            if f"{entry.journal}/1" not in after.pending and (entry.journal, 1) not in [
                (vouched.journal, vouched.of) for vouched in message
            ]:
                self.fail(f"of {body.predecessor} {difference} is counted that it does not have")
        if difference < 0:  # it waits for two persons
            sums = self.sums[entry.journal]
            self.sums[entry.journal] = [sums[0], *((came - difference, paid) for came, paid in sums[1:])]

    def check_announced(self, batch: LedgerTransaction, entry: Entry, body: Announced) -> None:
        """A journal that continues does so from all that is counted of the one before it, or two
        persons reported so."""
        counted = self.database.ledger.journals.get(body.predecessor)
        if entry.journal in batch.after.admitted or (counted is None and not batch.before.current.get(entry.table)):
            return
        if counted is None or counted.through != body.through:
            self.fail(f"{entry.journal} continues from {body.predecessor} at {body.through}, counted is {counted}")

    def check_grant(self, grant: Grant, name: str) -> None:
        known = self.grants.get(name)
        if known is None:
            known = self.grants[name] = grant
            self.log("database grants", name, grant.number, grant.amount, "of", grant.pot)
        if known != grant:
            self.fail(f"{name} has two grants")
        for number in range(grant.number, grant.number + len(grant.awards)):
            if self.numbers.setdefault(number, name) != name:
                self.fail(f"hit {number} is {self.numbers[number]} and {name}")
        claimed = [entry.body for entry in self.entries[name.partition("/")[0]] if isinstance(entry.body, Claimed)]
        if name not in [body.claim for body in claimed]:
            self.fail(f"{name} was never claimed")

    def check_shown(self, station: Station, pot: Pot, retained: bool) -> None:
        """What a table takes for the pot: of one epoch after the other, and what the database had."""
        taken = station.table._pot
        if taken is pot:
            if not retained:
                self.alive[station.name] = self.now
            if (pot.epoch, pot.revision) < station.seen:
                self.fail(f"{station.name} shows {pot.epoch, pot.revision} behind {station.seen}")
            station.seen = pot.epoch, pot.revision
            if not pot.stopped and self.shown.get(pot.revision) != (pot.pot, pot.stopped):
                self.fail(f"{station.name} shows {pot.pot} of {pot.revision}: {self.shown.get(pot.revision)}")
        elif pot.epoch > station.seen[0] and (pot.epoch, pot.revision) >= station.table.kept.at:
            self.fail(f"{station.name} does not take the pot of epoch {pot.epoch}")

    def check_taken(self, station: Station) -> None:
        """Chips are taken while the pit is received, and no longer."""
        pot = station.table.pot
        if self.database.right and pot is not None and pot.epoch > self.database.right_epoch and not pot.stopped:
            self.fail(f"{station.name} takes chips for the pot of a database that was put back")
        alive_at = self.alive.get(station.name, -10.0)
        if self.now - alive_at >= 3.0:
            self.fail(f"{station.name} takes chips and has received nothing for {self.now - alive_at:.1f} s")
        if station.seen[1] in self.shown and self.shown[station.seen[1]][1]:
            self.fail(f"{station.name} takes chips and the link is stopped")

    def is_quiet(self) -> bool:
        return (
            all(
                not station.table.kept.unsaid
                and not station.table.kept.broken
                and station.step == "idle"
                and not station.table.kept.pending_entries
                and station.table.kept.counted == self.database.ledger.cycle
                for station in self.stations.values()
            )
            and not self.database.ledger.stopped
            and not self.database.right
            and not self.unpaid()
        )

    def unpaid(self) -> list[str]:
        """The claims that were granted and have no end: someone waits for money."""
        claims = self.database.ledger.claims.items()
        return [name for name, own in claims if own.grant and own.paid is None and not own.withdrawn and not own.closed]

    def check_end(self) -> PotLedger:
        """All is well again: everything has arrived, every claim is answered, and the journals prove the pot."""
        ledger = self.database.ledger
        if not self.is_quiet():
            for station in self.stations.values():
                kept = station.table.kept
                hit = kept.hits.get(station.claim)
                self.log(station.name, station.step, kept.broken, kept.pending_entries, kept.counted, kept.unsaid, hit)
            if self.unpaid():
                self.fail(f"granted, and no one looks at it: {self.unpaid()}")
            self.fail(
                f"it does not come to rest; stopped: {ledger.stopped!r}, cycle {ledger.cycle}, pending {ledger.pending}"
            )
        for name, journal in ledger.journals.items():
            if not journal.successor and journal.through != len(self.entries[name]):
                self.fail(f"{name} is counted through {journal.through} of {len(self.entries[name])}")
        counted = {name: self.entries[name][: journal.through] for name, journal in ledger.journals.items()}
        grants = list(self.grants.values())
        model = model_of(self.opened, counted, grants, ledger.closed)
        if ledger.pending or ledger.pending_e4:
            self.fail(f"two persons are still waited for: {ledger.pending}")
        if model.wrong:
            self.fail("; ".join(model.wrong))
        meter = ledger.pot
        if model.end() != (meter.pot_e4, meter.reserve_e4, meter.overflow_e4, meter.house_funded_e4):
            found = meter.pot_e4, meter.reserve_e4, meter.overflow_e4, meter.house_funded_e4
            self.fail(f"pot, reserve, overflow and house are {found}, computed again {model.end()}")
        start = new_ledger("link", self.game, ledger.tables, MeterOpened(*self.opened))
        again = rebuild(replace(start, admitted=ledger.admitted), counted, grants, ledger.closed)
        if (again.pot, again.journals, again.claims, again.cycle) != (
            replace(meter, proposal=again.meter.proposal, proposals=0, scheduled=again.meter.scheduled),
            ledger.journals,
            ledger.claims,
            ledger.cycle,
        ):
            self.fail("rebuilt from the tables' journals it is another ledger")
        return again


def run(seed: int) -> World:
    """One history. Raises Violation."""
    world = World(seed)
    world.run()
    return world


if __name__ == "__main__":
    world = World(int(sys.argv[1]))
    try:
        world.run()
    finally:
        print(world.last_lines(last=10_000))
        print(dict(world.faults))
