"""The messages between a table and the pit about a linked pot. No I/O here.

Amounts named `_e4` count in 1/10 000 of a minor unit, as on the meter; all others are minor units.
"""

from collections.abc import Sequence
from hashlib import sha256
from math import ceil

import msgspec
from msgspec import Struct

from controller.rulebook.jackpot_award import Award, Parameters, Win
from controller.rulebook.units import Minor, TenThousandths

E4 = 10_000  # units of a minor unit
ROUND_SECONDS = 10.0  # no table plays a round in less
ROUNDS_UNDER_WAY = 3  # of a table, whose chips are on their way to the pit
BEFORE_ANY = "0" * 64  # the head of a journal without an entry


class Totals(Struct, frozen=True):
    """The sums of a journal's entries."""

    chip_count: int = 0
    contributed_e4: TenThousandths = 0
    returned_e4: TenThousandths = 0
    claims: int = 0
    paid: Minor = 0


class Announced(Struct, frozen=True, tag="announced"):
    """Entry 1 of each journal: it begins. `predecessor` is the table's journal before it, "" for the first.

    `through` is the predecessor's last entry, `head` the hash over all its entries and `totals` their sums; None if
    they are not known.
    """

    predecessor: str = ""
    through: int = 0
    head: str = BEFORE_ANY
    totals: Totals | None = None


class Contributed(Struct, frozen=True, tag="contributed"):
    """The chips of a round count. `units_e4` is the amount that they add, by the parameters with the number `terms`."""

    round: int
    chip_count: int
    terms_number: int
    units_e4: TenThousandths


class Returned(Struct, frozen=True, tag="returned"):
    """`chip_count` chips of contribution `of` went back to their players."""

    of: int
    chip_count: int
    units_e4: TenThousandths


class Vouched(Struct, frozen=True, tag="vouched"):
    """Two persons looked at an entry that waits for them: entry `of` of `journal` counts (`admitted`), or never
    existed.
    """

    journal: str
    of: int
    admitted: bool
    persons: tuple[str, str]


class Claimed(Struct, frozen=True, tag="claimed"):
    """A round has won of the pot: all its winners, in one claim."""

    claim: str
    round: int
    winners: tuple[Win, ...]


class Withdrawn(Struct, frozen=True, tag="withdrawn"):
    """Withdraw the claim of a settlement that no longer applies."""

    claim: str


class Paid(Struct, frozen=True, tag="paid"):
    """Two persons paid the grant."""

    claim: str
    amount: Minor


class SettledOnPaper(Struct, frozen=True, tag="settled_on_paper"):
    """Two persons paid this settlement while no grant came."""

    claim: str
    amount: Minor
    persons: tuple[str, str]


class Counted(Struct, frozen=True, tag="counted"):
    """The table's totals of the entries before this one; the pit's must be equal."""

    totals: Totals


class WentBack(Struct, frozen=True, tag="went_back"):
    """The pit has less than the table has received of it: `epoch` and `revision` are the highest that the table
    received, `through` is the last entry of this journal that was acknowledged. It is no entry of the journal: its
    `seq` is 0.
    """

    epoch: int
    revision: int
    through: int


Body = Announced | Contributed | Returned | Vouched | Claimed | Withdrawn | Paid | SettledOnPaper | Counted | WentBack


class Entry(Struct, frozen=True, tag="entry"):
    """One of a journal's entries about a link. `seq` counts them from 1, without a gap; 0 is no entry."""

    link: str
    table: str
    journal: str
    seq: int
    body: Body


class SentEntry(Entry, frozen=True, tag="entry"):
    """An entry as it is sent. `session` is a number of the table's present start, which the answer repeats.

    `key` is the public key that verifies the table's entries, as long as the pit has not answered in this session.
    `epoch` is the highest that the table has received: it accepts no message of a lower one.
    """

    session: str = ""
    key: str = ""
    epoch: int = 0


class Grant(Struct, frozen=True):
    """The answer to a claim; it never changes. `number` is that of its first hit; later hits have the next numbers.

    `head` is the hash over the journal's entries up to the claim, so that the grant does not answer a claim of another
    history. `pot` is the amount the awards were computed from, by `parameters` with the number `terms_number`. `cut`
    has the last counted entry of each journal: with it, the pot can be computed from the journals alone. `restarted`
    has the parameters of the pot that begins with it, `closed` the claims that two persons at the pit have closed since
    the grant before it.
    """

    claim: str
    head: str
    number: int
    pot: Minor
    terms_number: int
    parameters: Parameters
    awards: tuple[Award, ...]
    cut: dict[str, int]
    restarted: Parameters | None = None
    closed: tuple[str, ...] = ()

    @property
    def amount(self) -> int:
        """The sum of all awards."""
        return sum(award.amount for award in self.awards)


class PendingEntry(Struct, frozen=True):
    """An entry of a journal that waits for two persons, by its number."""

    journal: str
    entry: int


class Acknowledged(Struct, frozen=True, tag="acknowledged"):
    """The entries up to `through` are durable at this revision; or the reason why the journal is `refused`.

    `pending_entries` are those of all the table's journals that wait for two persons. `head` is the hash over the
    entries up to `through` as the pit has them; "" in a refusal. `session` is the table's last one that the pit has
    received, and `beat` the number of the epoch's last pot: an earlier one was published before this answer. If the
    pit's database went back, two persons there have released the table up to `released_revision`.
    """

    link: str
    table: str
    journal: str
    through: int
    epoch: int
    revision: int
    pending_entries: tuple[PendingEntry, ...] = ()
    refused: str = ""
    head: str = ""
    session: str = ""
    beat: int = 0
    released_revision: int = 0


class Granted(Struct, frozen=True, tag="granted"):
    """A claim's grant, as it is kept at this revision."""

    link: str
    table: str
    epoch: int
    revision: int
    grant: Grant


class KeyUnknown(Struct, frozen=True, tag="key_unknown"):
    """An entry came that this key verifies: two persons at the pit have not accepted it for the table."""

    link: str
    table: str
    epoch: int
    revision: int
    key: str


class Pot(Struct, frozen=True, tag="pot"):
    """The present pot. `beat` rises with every such message of an epoch, `cycle` with every restart.

    `tables` is how many tables contribute; `stopped` says why none may.
    """

    link: str
    epoch: int
    beat: int
    revision: int
    pot: Minor
    cycle: int
    terms_number: int
    parameters: Parameters
    tables: int
    stopped: str = ""


PitAnswer = Acknowledged | Granted | KeyUnknown


def units_of(chips: int, terms: Parameters) -> tuple[int, int]:
    """What a number of chips adds to pot and reserve.

    >>> terms = Parameters(1000, 0, increment_bp=2000, reserve_bp=500, ceiling=0, overflow_to="reserve",
    ...                    unreasonable_chips=9, fixed={})
    >>> units_of(3, terms)
    (6000000, 1500000)
    """
    return chips * terms.chip * terms.increment_bp, chips * terms.chip * terms.reserve_bp


def contributable(seconds: float, tables: int, terms: Parameters) -> int:
    """The most that a number of tables can add to a pot in a time, in minor units, rounded up.

    These are the rounds under way and one more for each ROUND_SECONDS, each with as many chips as are reasonable.
    """
    rounds = ROUNDS_UNDER_WAY + ceil(max(0.0, seconds) / ROUND_SECONDS)
    to_pot, _ = units_of(tables * rounds * terms.unreasonable_chips, terms)
    return -(-to_pot // E4)


def head_after(head: str, structs: Sequence[Struct]) -> str:
    """The hash over everything that was reported, from the hash over what was before it.

    Table and pit compare their hashes: a field that a later version adds to an entry must not be written if it has its
    default.
    """
    for struct in structs:
        head = sha256(head.encode() + msgspec.json.encode(struct)).hexdigest()
    return head


def with_entry(totals: Totals, body: Body) -> Totals:
    """The totals with one entry more."""
    match body:
        case Contributed(chip_count=chips, units_e4=units):
            return msgspec.structs.replace(
                totals, chip_count=totals.chip_count + chips, contributed_e4=totals.contributed_e4 + units
            )
        case Returned(chip_count=chips, units_e4=units):
            return msgspec.structs.replace(
                totals, chip_count=totals.chip_count - chips, returned_e4=totals.returned_e4 + units
            )
        case Claimed():
            return msgspec.structs.replace(totals, claims=totals.claims + 1)
        case Paid(amount=amount) | SettledOnPaper(amount=amount):
            return msgspec.structs.replace(totals, paid=totals.paid + amount)
        case _:
            return totals
