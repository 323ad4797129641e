"""The state of a linked pot's ledger, and what changes it. No I/O here.

Between two hits the pot is a sum, so the order of the tables' contributions does not matter. The pot before a hit
follows from the journals, and from the last entry counted of each.
"""

from collections.abc import Mapping
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from controller.engine.state import jackpot
from controller.engine.state.jackpot import E4, Meter, MeterOpened, PotRestarted
from controller.link.messages import BEFORE_ANY, Claimed, Contributed, Grant, Returned, Totals
from controller.rulebook.jackpot_award import Parameters
from controller.rulebook.roles import Role

Stop = Literal[
    "closed_claim_paid", "entry_makes_no_sense", "meters_differ", "paper_differs", "payments_differ", "went_back"
]
"""The reason why a link stops until two persons let it continue."""

RETURNABLE = 32  # contributions of a journal, the last ones, whose chips may still go back
KEYS_OFFERED = 3  # of a table: anyone who may publish there can offer more


class EntriesMissing(Exception):
    """An entry that is not next: one before it is missing, or it has been applied."""


class DecisionRefused(Exception):
    """A journal, or a person's request, is refused; a code."""


class Since(Struct, frozen=True):
    """The sums since the last hit; they do not depend on the order of entries."""

    pot_e4: int = 0
    reserve_e4: int = 0
    contributions_e4: int = 0
    returned_e4: int = 0
    house_funded_e4: int = 0
    chips: int = 0


class Open(Struct, frozen=True):
    """A contribution whose chips may go back. `left` of them count in this cycle or are `pending_entry`."""

    chips: int
    terms: int
    cycle: int
    pending: bool = False


class LedgerJournal(Struct, frozen=True):
    """The state of a table's journal. `successor` is the journal that follows it."""

    table: str
    through: int = 0
    head: str = BEFORE_ANY
    totals: Totals = Totals()
    open: dict[int, Open] = {}
    successor: str = ""


class Claim(Struct, frozen=True):
    """A claim; without a grant while the link is stopped.

    `head` is the hash over its journal's entries up to the claim. `paid` may be an amount that two persons paid before
    there was a grant. `restart` belongs to the pot that the grant emptied, and `cycle` is the one that it began. Two
    persons at the pit may have `closed` a claim after its grant; then its money returned to the pot, as with a
    withdrawn claim.
    """

    table: str
    journal: str
    head: str
    claimed: Claimed
    grant: Grant | None = None
    withdrawn: bool = False
    paid: int | None = None
    restart: PotRestarted | None = None
    cycle: int = 0
    closed: bool = False

    @property
    def is_open(self) -> bool:
        """Whether the claim was granted, and is neither paid nor closed."""
        return self.grant is not None and self.paid is None and not self.withdrawn and not self.closed


class Pending(Struct, frozen=True):
    """An entry that waits for two persons.

    `counted_of` is the journal under which it counts if the table's own journal has lost it: it counts until two
    persons decide that it never existed.
    """

    table: str
    entry: Contributed | Returned
    counted_of: str = ""


class Propose(Struct, frozen=True, tag="propose"):
    """A proposal of other parameters, for the next pot."""

    parameters: Parameters


class Approve(Struct, frozen=True, tag="approve"):
    """One of two persons approves a proposal."""

    number: int


class Resume(Struct, frozen=True, tag="resume"):
    """The link continues."""


class Admit(Struct, frozen=True, tag="admit"):
    """Decision: a table continues with this journal, even if entries of the journal before it are lost."""

    table: str
    journal: str


class Close(Struct, frozen=True, tag="close"):
    """A granted claim that will not be paid, for example because its table has lost it."""

    claim: str
    reason: str


class AcceptKey(Struct, frozen=True, tag="accept_key"):
    """Decision: only entries that this key verifies are the table's."""

    table: str
    key: str


class AcceptLoss(Struct, frozen=True, tag="accept_loss"):
    """The database went back and its entries are lost: the link resumes with the rest."""


class Release(Struct, frozen=True, tag="release"):
    """The right books lead again: a table that saw others may take chips again."""

    table: str


ByTwo = Resume | Admit | Close | AcceptKey | AcceptLoss | Release
"""A request that two persons make one after the other."""


class PendingDecision(Struct, frozen=True):
    """A request that waits for its second person, and the first person."""

    what: ByTwo
    person: str
    role: Role


class Ahead(Struct, frozen=True, tag="ahead"):
    """Evidence that the database was replaced by an older copy: `where` it was seen, with the epoch and revision seen
    there.

    `stopped` is the reason why the link was stopped before, if it was.
    """

    where: str
    epoch: int
    revision: int
    stopped: str = ""


class Offered(Struct, frozen=True, tag="offered"):
    """A table has sent an entry that an unknown key verifies."""

    table: str
    key: str


class PitDecision(Struct, frozen=True, tag="decided"):
    """What a person decides at the pit."""

    what: Propose | Approve | ByTwo
    person: str
    role: Role


class PotLedger(Struct, frozen=True):
    """The state of a linked pot. `meter` is the meter after the last hit, `since` has the entries after it."""

    link: str
    game: str
    tables: tuple[str, ...]
    meter: Meter
    terms: tuple[Parameters, ...]
    since: Since = Since()
    cycle: int = 1
    pending_e4: int = 0
    journals: dict[str, LedgerJournal] = {}
    current: dict[str, str] = {}  # each table's journal
    claims: dict[str, Claim] = {}
    pending: dict[str, Pending] = {}
    asked: PendingDecision | None = None
    admitted: tuple[str, ...] = ()  # journals
    closed: tuple[str, ...] = ()  # claims, since the last grant
    keys: dict[str, str] = {}  # of each table the public key that verifies its entries
    offered: dict[str, tuple[str, ...]] = {}  # of each table the keys that wait for two persons
    stopped: str = ""  # a Stop
    ahead: Ahead | None = None  # the highest revision that was seen elsewhere, of a database that went back
    broken: dict[str, int] = {}  # tables whose pit went back, and the revision that each received before
    released: dict[str, int] = {}  # by two persons, once the right books lead
    accepted: int = 0  # what was lost up to this epoch is accepted: it is no evidence any more
    revision: int = 0
    epoch: int = 0
    chain: str = BEFORE_ANY

    @property
    def pot(self) -> Meter:
        """The meter at present, its identity checked."""
        return settled_meter(self)


def new_ledger(
    link: str, game: str, tables: tuple[str, ...], opened: MeterOpened, keys: Mapping[str, str] | None = None
) -> PotLedger:
    """The ledger of a pot that has received no entry yet."""
    return PotLedger(link, game, tables, jackpot.advance(None, opened), (opened.parameters,), keys=dict(keys or {}))


def pending_key(journal: str, seq: int) -> str:
    """The name of an entry that waits for two persons."""
    return f"{journal}/{seq}"


def with_income(ledger: PotLedger, more: Since) -> PotLedger:
    """The ledger with amounts added to those since the last hit; an amount may be negative."""
    before = msgspec.structs.astuple(ledger.since)
    moved = Since(*(amount + other for amount, other in zip(before, msgspec.structs.astuple(more), strict=True)))
    return replace(ledger, since=moved)


def settled_meter(ledger: PotLedger) -> Meter:
    """Puts income into the pot up to the ceiling; the house gives an amount that no one has any more."""
    meter, since = ledger.meter, ledger.since
    pot, reserve, overflow = meter.pot_e4 + since.pot_e4, meter.reserve_e4 + since.reserve_e4, meter.overflow_e4
    past = max(0, pot - meter.parameters.ceiling * E4)
    if meter.parameters.overflow_to == "reserve":
        reserve += past
    else:
        overflow += past
    missing = max(0, -pot) + max(0, -reserve)
    settled = replace(
        meter,
        pot_e4=max(0, pot - past),
        reserve_e4=max(0, reserve),
        overflow_e4=overflow,
        contributions_e4=meter.contributions_e4 + since.contributions_e4,
        returned_e4=meter.returned_e4 + since.returned_e4,
        house_funded_e4=meter.house_funded_e4 + since.house_funded_e4 + missing,
        chips_counted=meter.chips_counted + since.chips,
    )
    jackpot.check_meter(settled)
    return settled


def with_journal(ledger: PotLedger, name: str, journal: LedgerJournal) -> PotLedger:
    """The ledger with another state of a journal."""
    return replace(ledger, journals={**ledger.journals, name: journal})


def with_claim(ledger: PotLedger, name: str, claim: Claim) -> PotLedger:
    """The ledger with another state of a claim."""
    return replace(ledger, claims={**ledger.claims, name: claim})


def with_stop(ledger: PotLedger, why: Stop) -> PotLedger:
    """The ledger, stopped; the first reason remains."""
    return replace(ledger, stopped=ledger.stopped or why)


def without_block(ledger: PotLedger, table: str) -> PotLedger:
    """The ledger with a table that may take chips again."""
    return replace(ledger, broken={name: revision for name, revision in ledger.broken.items() if name != table})
