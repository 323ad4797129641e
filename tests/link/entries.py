"""Keys, tables, entries and a ledger for tests of one linked pot."""

from functools import cache
from hashlib import sha256
from pathlib import Path

from msgspec.structs import replace

from controller.engine.state.jackpot import MeterOpened
from controller.link.messages import BEFORE_ANY, Announced, Body, Contributed, Entry, Grant, head_after, units_of
from controller.pit.ledger.claims import grant_claim, waiting_claims
from controller.pit.ledger.entries import apply_entry
from controller.pit.ledger.state import PotLedger, new_ledger
from controller.rulebook.jackpot_award import Parameters, Win
from controller.tlog.notes import Signer


@cache
def key_of(name: str) -> Signer:
    """A private key under a name."""
    return Signer(name, sha256(name.encode()).digest())


PIT_KEY = key_of("pit.example/hall")
PUBLIC = str(PIT_KEY.verifier)


def table_key(table: str) -> Signer:
    """That of a table, such as macau-1/table-1."""
    return key_of(f"dealer/{table}")


def table_keys(*tables: str) -> dict[str, str]:
    """The public ones, as a pit knows them."""
    return {table: str(table_key(table).verifier) for table in tables}


def place_key(folder: Path, table: str) -> None:
    """Where the station of a simulated table finds its key."""
    (folder / "state").mkdir(parents=True)
    (folder / "state" / "table.key").write_text(table_key(table).private, encoding="ascii")


FORTUNE, BLACKJACK = "fortune-3-card-poker-2025", "blackjack-21"
PARAMETERS = Parameters(
    chip=100,
    minimum=20_000,
    increment_bp=3333,
    reserve_bp=1111,
    ceiling=20_700,
    overflow_to="overflow",
    unreasonable_chips=5,
    fixed={"royal_flush": 9_000, "straight_flush": 900, "four_of_a_kind": 500, "full_house": 200, "flush": 100},
)
TO_POT, TO_RESERVE = units_of(1, PARAMETERS)


class Teller:
    """A table that says one thing after the other, and a ledger that receives it."""

    def __init__(self, game: str = FORTUNE, tables: tuple[str, ...] = ("t1", "t2"), **other: object) -> None:
        self.opened = MeterOpened(pot=20_100, reserve=300, parameters=replace(PARAMETERS, **other))
        self.game, self.tables = game, tables
        self.ledger = self.fresh()
        self.entries: dict[str, list[Entry]] = {}
        for table in tables:
            self.say(table, Announced())

    def fresh(self) -> PotLedger:
        return new_ledger("link", self.game, self.tables, self.opened)

    def say(self, table: str, body: Body, journal: str = "") -> Entry:
        """The next entry of a table's journal, applied; a claim is granted at once."""
        journal = journal or self.ledger.current.get(table, f"{table}-1")
        entries = self.entries.setdefault(journal, [])
        entry = Entry("link", table, journal, len(entries) + 1, body)
        self.ledger = apply_entry(self.ledger, entry)
        entries.append(entry)
        for name in () if self.ledger.stopped else waiting_claims(self.ledger):
            self.ledger = grant_claim(self.ledger, name)
        return entry

    def chips(self, table: str, chips: int, round: int = 1) -> Entry:
        terms = len(self.ledger.terms)
        units = sum(units_of(chips, self.ledger.terms[-1]))
        return self.say(table, Contributed(round, chips, terms, units))

    def head(self, journal: str) -> str:
        return head_after(BEFORE_ANY, self.entries[journal])

    def grant(self, claim: str) -> Grant:
        found = self.ledger.claims[claim].grant
        assert found is not None
        return found

    @property
    def grants(self) -> list[Grant]:
        return [claim.grant for claim in self.ledger.claims.values() if claim.grant is not None]


def wins(*won: tuple[int, str]) -> tuple[Win, ...]:
    return tuple(Win(seat, tier) for seat, tier in won)
