"""What the world does to a linked pot beside its faults: a forger on the wire, and tables that are away for long.

A forger sees everything that is sent, and sends what it likes on any topic. It has no key of a table, but knows how
messages are made, and makes keys of its own under their names. Of the pit it steals the key for one grant, which no
table can take for plausible: one that is plausible would be paid.
"""

import json
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from controller.link.messages import (
    Acknowledged,
    Claimed,
    Contributed,
    Counted,
    Grant,
    Granted,
    KeyUnknown,
    Paid,
    Pot,
    SentEntry,
)
from controller.link.signing import sealed
from controller.rulebook.games import GAMES
from controller.rulebook.jackpot_award import Win
from controller.tlog.notes import Signer
from tests.link.entries import PIT_KEY, table_key

if TYPE_CHECKING:
    from tests.link.simulation import Station, World

FAR = 10**15  # an epoch of the year 33658
HOUR, DAY, YEARS = 3600.0, 86_400.0, 1.8e9  # as a computer without a battery begins in 1970
AWAY_LONG = 15.0  # seconds: as long as half a history


@cache
def forged_key(name: str) -> Signer:
    """Another key under a name."""
    return Signer(name, sha256(f"forged {name}".encode()).digest())


class Acts:
    """Acts on a world, each by chance."""

    def __init__(self, world: "World") -> None:
        self.world, self.chance = world, world.chance
        self.overheard: list[tuple[str, bytes]] = []
        self.robbed = ""  # the claim to which the stolen key has signed a grant

    def receive(self, topic: str, content: bytes) -> None:
        """Something was sent."""
        self.overheard.append((topic, content))

    def forget(self, journal: str, seq: int) -> None:
        """An older copy continues under its own name: what it lacks is lost on the wire too, or it still counts."""
        marks = [b'"journal":"%s","seq":%d,' % (journal.encode(), number) for number in range(seq + 1, seq + 10)]
        self.overheard = [sent for sent in self.overheard if not any(mark in sent[1] for mark in marks)]
        for pit in self.world.pits:
            if pit.leader is not None:
                pit.leader._waiting.pop(journal, None)

    def begin(self) -> None:
        """From now on, until the world heals."""
        self.world.after(self.chance.uniform(0.5, 3.0), self.act)

    def act(self) -> None:
        if not self.world.rough:
            return
        self.world.after(self.chance.uniform(0.2, 2.0), self.act)
        self.chance.choice(
            (
                *(self.forge, self.forge, self.forge, self.replay, self.replay),
                *(self.steal, self.leave, self.set_clock),
            )
        )()

    # ---- a forger

    def replay(self) -> None:
        """What was sent comes once more, whenever it was; on its own topic, on another one, or changed on its way."""
        if not self.overheard:
            return
        topic, content = self.chance.choice(self.overheard)
        how = self.chance.random()
        if how < 0.2:
            topic, _ = self.chance.choice(self.overheard)
        elif how < 0.4:
            content = self.changed(content)
        self.world.count("a message that comes again, elsewhere or changed")
        self.send(topic, content, how >= 0.7)

    def changed(self, content: bytes) -> bytes:
        """One number in it is another one, or one octet."""
        if self.chance.random() < 0.5:
            at = self.chance.randrange(len(content))
            return content[:at] + bytes([self.chance.randrange(32, 127)]) + content[at + 1 :]
        message = json.loads(content)
        numbers = [key for key, value in message.items() if type(value) is int]
        if not numbers:
            return content.replace(b"1", b"9", 1)
        message[self.chance.choice(numbers)] += self.chance.choice((1, -1, FAR))
        return json.dumps(message, separators=(",", ":")).encode()

    def forge(self) -> None:
        """A message that would move money or stop the link, signed by no one, or by a key of the forger's own."""
        world, station = self.world, self.chance.choice([*self.world.stations.values()])
        make: Callable[[Station], tuple[str, str, Any] | None] = self.chance.choice(
            (
                self.a_grant,
                self.a_grant,
                self.a_pot,
                self.an_acknowledgement,
                self.an_unknown_key,
                self.a_claim,
                self.an_entry,
            )
        )
        if (made := make(station)) is None:
            return
        topic, name, message = made
        if self.chance.random() < 0.3:
            content = msgspec.json.encode(message)
        else:
            key = forged_key(name)
            if isinstance(message, SentEntry) and self.chance.random() < 0.5:
                message = msgspec.structs.replace(message, key=str(key.verifier))
            content = sealed(key, topic, message)
        world.count(f"a forged {type(message).__name__}")
        world.log("a forger sends", topic, message)
        self.send(topic, content, isinstance(message, Pot) and self.chance.random() < 0.5)

    def steal(self) -> None:
        """The pit's own key signs a grant once: of a pot above the ceiling, or by parameters that were never agreed."""
        world, station = self.world, self.chance.choice([*self.world.stations.values()])
        known = world.database.ledger.meter.parameters
        made = None if self.robbed else self.a_grant(station)
        if made is None or (made[2].grant.parameters == known and made[2].grant.pot <= known.ceiling):
            return
        topic, _, message = made
        self.robbed = message.grant.claim
        world.count("a grant that is signed by the stolen key")
        world.log("a thief of the key sends", topic, message)
        self.send(topic, sealed(PIT_KEY, topic, message), False)

    def a_grant(self, station: "Station") -> tuple[str, str, Any] | None:
        """To a claim that waits or has its grant: of a pot and of parameters that the table would like."""
        kept = station.table.kept
        hits = [hit for hit in kept.hits.values() if hit.state in ("pending", "granted")]
        if not hits:
            return None
        hit = self.chance.choice(hits)
        ledger = self.world.database.ledger
        known = ledger.meter.parameters
        fixed = {name: 100 * amount for name, amount in known.fixed.items()}
        parameters = self.chance.choice((known, replace(known, fixed=fixed)))
        pot = self.chance.choice((known.ceiling, known.ceiling * 1000, 20_100))
        awards = tuple(GAMES[kept.game].award(hit.winners, parameters.chip, parameters.terms(pot)).awards)
        grant = Grant(
            claim=hit.claim, head=hit.head, number=1, pot=pot, terms_number=len(ledger.terms),
            parameters=parameters, awards=awards, cut={},
        )  # fmt: skip
        epoch = self.epoch(station)
        return self.answers(station), PIT_KEY.name, Granted(kept.link, station.name, epoch, FAR, grant)

    def a_pot(self, station: "Station") -> tuple[str, str, Any]:
        """Of the far future, or of now with a beat that no other reaches; with less than is known, or much more."""
        ledger = self.world.database.ledger
        beat, revision = self.chance.choice(((FAR, 0), (1, FAR), (FAR, FAR), (1, 0)))
        much = self.chance.choice((1, 900_000))
        pot = Pot(
            link="link", epoch=self.epoch(station), beat=beat, revision=revision, pot=much,
            cycle=ledger.cycle, terms_number=len(ledger.terms), parameters=ledger.meter.parameters,
            tables=len(ledger.tables), stopped=self.chance.choice(("", "meters_differ")),
        )  # fmt: skip
        return "dealer/site/links/link/pot", PIT_KEY.name, pot

    def an_acknowledgement(self, station: "Station") -> tuple[str, str, Any]:
        """Of entries that the pit has not, of fewer than it had, or a refusal."""
        kept = station.table.kept
        through, head, refused = self.chance.choice(
            (
                (kept.seq, "", ""),
                (0, "", ""),
                (kept.seq + 5, "", ""),
                (kept.seq, "f" * 64, ""),
                (0, "", "unknown_journal"),
            )
        )
        message = Acknowledged(
            link="link", table=station.name, journal=kept.journal, through=through,
            epoch=self.epoch(station), revision=self.chance.choice((0, FAR)), refused=refused, head=head,
            session=station.session, beat=FAR, released_revision=FAR,
        )  # fmt: skip
        return self.answers(station), PIT_KEY.name, message

    def an_unknown_key(self, station: "Station") -> tuple[str, str, Any]:
        """That the pit does not know the table's key."""
        key = str(table_key(station.name).verifier)
        return self.answers(station), PIT_KEY.name, KeyUnknown("link", station.name, self.epoch(station), FAR, key)

    def a_claim(self, station: "Station") -> tuple[str, str, Any]:
        """As the next entry of the table."""
        tier = "royal_flush" if self.world.game.startswith("fortune") else "four_aces_one_colour"
        kept = station.table.kept
        return self.entry(station, Claimed(f"{kept.journal}/{station.round + 1}", station.round + 1, (Win(1, tier),)))

    def an_entry(self, station: "Station") -> tuple[str, str, Any]:
        """Chips that no one placed, a payment that no one made, a sum that is wrong."""
        kept = station.table.kept
        claim = next(iter(kept.hits), "none")
        bodies = (Contributed(1, 3, 1, 12), Paid(claim, 1), Counted(replace(kept.totals, paid=10**6)))
        return self.entry(station, self.chance.choice(bodies))

    def entry(self, station: "Station", body: Any) -> tuple[str, str, Any]:
        kept = station.table.kept
        seq = self.chance.choice((kept.seq + 1, kept.seq, kept.through + 1))
        message = SentEntry("link", station.name, kept.journal, seq, body, station.session)
        return f"dealer/{station.name}/link/link", f"dealer/{station.name}", message

    def answers(self, station: "Station") -> str:
        return f"dealer/{station.name}/linked/link"

    def epoch(self, station: "Station") -> int:
        return self.chance.choice((FAR, station.seen[0], station.seen[0] + 1))

    def send(self, topic: str, content: bytes, retained: bool) -> None:
        """To everyone who reads the topic."""
        world = self.world
        _, table, kind, *_ = topic.split("/")
        for station in world.stations.values():
            if kind == "links" or (kind == "linked" and table == station.name):
                world.after(0.01, lambda station=station: station.receive(topic, content, retained))  # type: ignore[misc]
        for pit in world.pits:
            if kind == "link":
                world.after(0.01, lambda pit=pit: pit.do(lambda: pit.receive(table, content)))  # type: ignore[misc]
        # One that takes the evidence of a database that went back leaves no one who knows: that is documented.
        if retained and kind == "links" and not world.database.right:
            world.retained = content

    # ---- clocks and tables

    def set_clock(self) -> None:
        """The time of day of a pit, of a table or of the database is another one."""
        jump = self.chance.choice((HOUR, -HOUR, DAY, -DAY, -YEARS, 0.0))
        which = self.chance.choice((None, *self.world.pits, *self.world.stations.values()))
        if which is None:
            self.world.database.ahead = jump
        else:
            which.wall = jump
        self.world.count("a clock that jumps")
        self.world.log("database" if which is None else which.name, "has a clock that differs by", jump)

    def leave(self) -> None:
        """A table is away for long: other tables win meanwhile, and parameters change."""
        station = self.chance.choice([*self.world.stations.values()])
        if not station.up or self.chance.random() < 0.7:
            return
        self.world.count("a table that is away for long")
        self.world.log(station.name, "is away")
        station.up = False
        self.world.after(self.chance.uniform(AWAY_LONG / 2, AWAY_LONG), station.start)
