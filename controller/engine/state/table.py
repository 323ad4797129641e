"""The table as it is, the parts that it is made of, and the step it waits for. No I/O here."""

from collections.abc import Iterable
from typing import Final, Literal

import msgspec
from msgspec.structs import replace

from controller.engine.state.alarms import ActiveAlarm, RecordedAlarm, active
from controller.engine.state.events import DealerNotified, DeviceLost, DeviceUp, JournalOvertaken
from controller.engine.state.jackpot import ChipContributed, Meter, PotRestarted
from controller.engine.state.law import Law
from controller.engine.state.persons import ChangeEntered
from controller.link.messages import Announced, Contributed, Entry, Returned, SettledOnPaper, Withdrawn
from controller.link.table import Event, StoredLink, advance
from controller.link.table import TableClaim as LinkedHit
from controller.rulebook.events import CardSource, Left
from controller.rulebook.games import LiveRound, step_of
from controller.rulebook.jackpot_award import JackpotTerms, Parameters
from controller.rulebook.parts.deck import ShoeDecks
from controller.rulebook.parts.faults import DeviceName
from controller.rulebook.round import Round
from controller.rulebook.steps import Step


class SlotChip(msgspec.Struct, frozen=True):
    """A chip on a sensor: `placed` counts at the next lock-in, `counted` waits to be swept, the others never count.

    The chip at a `doubtful` sensor is unknown.
    """

    state: Literal["placed", "counted", "late", "invalid", "doubtful"]
    counter: int


class Load(msgspec.Struct, frozen=True):
    """The cards of a session in the dispenser: how many there are, the packets that were put in, and who was there."""

    cards: int
    packets: tuple[int, ...] = ()
    done: bool = False


class CardsOnHold(msgspec.Struct, frozen=True):
    """The cards of a round that could not be put back yet: its claims are open (black-jack 61, 62)."""

    round: int
    cards: int


class ReturnableChips(msgspec.Struct, frozen=True):
    """Chips of a round that may still be returned, and the entry in which they were sent to the pit."""

    entry: Entry
    round: int
    chips: int


class OnPaper(msgspec.Struct, frozen=True):
    """A claim's settlement on paper by two persons without a grant: the terms of its awards, and the awards."""

    claim: str
    terms: JackpotTerms
    amount: int
    persons: tuple[str, str]


class Linked(msgspec.Struct, frozen=True):
    """The pot that the table shares with others. `accepts` is the last round that began while its pit was online.

    What was settled on one of the `papers` is paid as settled, even if a later grant differs. `keys` are the accepted
    public keys of the pit, and `configured` those of the configuration: while they differ, no message of the pit is
    accepted.
    """

    kept: StoredLink
    keys: tuple[str, ...] = ()
    configured: tuple[str, ...] = ()
    returnable: tuple[ReturnableChips, ...] = ()
    accepts: int = 0
    papers: tuple[OnPaper, ...] = ()

    @property
    def keys_accepted(self) -> bool:
        """Whether the configured keys are the accepted ones, in any order."""
        return set(self.keys) == set(self.configured)


class NotTaken(msgspec.Struct, frozen=True):
    """A message of the outbox, and why the broker did not take it."""

    sequence: int
    topic: str
    reason: str


class Complaint(msgspec.Struct, frozen=True):
    """A complaint that is not decided yet. `adjusted`: its round was corrected, voided or adjusted since."""

    complaint: int
    round: int
    seat: int
    what: str
    by: str
    actor: str
    adjusted: bool = False


class Restart(msgspec.Struct, frozen=True):
    """The pot's restart in this round, and the parameters it replaced, should its settlement be withdrawn."""

    event: PotRestarted
    parameters: Parameters
    scheduled: Parameters | None


SCHEMA = 1
FLOOR: Final = "floor"
PIT: Final = "pit"
DECK_TROUBLE, SHUFFLER_JAM, SHUFFLER_LID = "shuffler-deck", "shuffler-jam", "shuffler-lid"
INSPECTION_NOT_INFORMED = "inspection-not-informed"
CLEARING_NOT_ENTERED = "clearing-not-entered"
DAMAGED_CARD, DECK_COUNT, WARNING_CARD = "damaged-card", "deck-count", "shoe-warning-card"


class Table(msgspec.Struct, frozen=True):
    """Everything the station knows of its table; cards not yet shown are not part of it.

    `version` counts the events applied. `contributed` holds this round's contributions, so that each can be given back
    exactly, and `carried` those whose chips continue to the next round (17.º 3). `edges` counts what each sensor did
    since the betting was last opened or closed. `source` is the one chosen at the table, None for the configuration's.
    """

    schema: int = SCHEMA
    version: int = 0
    open: bool = False
    game: str = ""  # of the last round, and so of every round of its journal
    law: Law = Law()
    rounds: int = 0
    openings: int = 0
    orders_spent: int = 0
    round: LiveRound | None = None
    meter: Meter | None = None
    contributed: tuple[ChipContributed, ...] = ()
    carried: tuple[ChipContributed, ...] = ()
    restart: Restart | None = None
    waiting: tuple[ChangeEntered, ...] = ()  # changes of the round that a supervisor has not approved
    changes: int = 0  # how many of them were entered in the round
    source: CardSource | None = None
    shoe: ShoeDecks = ShoeDecks()
    left: Left | None = None  # by the last confirmed round to the next one
    load: Load | None = None
    on_hold: tuple[CardsOnHold, ...] = ()
    complaints: tuple[Complaint, ...] = ()  # that are not decided
    complaints_opened: int = 0
    shuffler_boot: int = 0
    shuffled_by: int = 0  # the boot id of the shuffler that gave the deck its order
    shuffler_failures: int = 0
    slots: dict[int, SlotChip] = {}
    edges: dict[int, int] = {}
    troubles: dict[str, ActiveAlarm] = {}  # that are active until they are reported to be over
    notices: tuple[DealerNotified, ...] = ()  # of this round
    devices: dict[DeviceName, DeviceUp | DeviceLost] = {}
    acts: dict[str, tuple[str, ...]] = {}  # who ticked what, since the table was opened or closed last
    alarms: dict[str, RecordedAlarm] = {}  # listed until each is over and acknowledged
    untaken: NotTaken | None = None
    aside: tuple[NotTaken, ...] = ()  # until a person has acknowledged the alarm of each
    prints: dict[int, int] = {}  # of payment slips, how often each was printed
    pruned: int = 0  # the last event that the journal keeps no longer
    released: tuple[int, ...] = ()  # rounds whose cards' key was released
    overtaken: JournalOvertaken | None = None  # until two persons have settled it
    link: Linked | None = None  # the pot that is shared with other tables


def next_step(table: Table) -> Step:
    """The step for which the table waits."""
    if not table.open and table.load is not None:
        return Step(id=f"extract/{table.openings}", kind="extract")
    if not table.open:
        return Step(id=f"open/{table.openings + 1}", kind="open")
    if table.load is not None and not table.load.done:
        return Step(id=f"load/{table.openings}", kind="load")
    if table.round is None:
        return Step(id=f"{table.rounds + 1}/begin", kind="begin")
    step = step_of(table.round)
    return step if table.link is None else _after_the_grant(table.link, table.round, step)


def _after_the_grant(link: Linked, round: Round, step: Step) -> Step:
    """A round that has won from a linked pot is not settled before the pit has sent the grant."""
    over = step.kind == "confirm" or round.void is not None
    if over and round.settled is None and claim_of(link, round.id) is not None:
        return Step(id=f"{round.id}/grant", kind="grant")
    return step


def claim_of(link: Linked, round: int) -> LinkedHit | None:
    """The claim of a round on the pot, of any epoch, unless it is withdrawn or paid."""
    own = (hit for hit in link.kept.hits.values() if hit.round == round)
    return next((hit for hit in own if hit.state in ("pending", "granted")), None)


def doubted_hits(link: Linked) -> list[LinkedHit]:
    """The claims that are not paid before two persons have compared them with the pit's page."""
    return [hit for hit in link.kept.hits.values() if hit.doubt and hit.state in ("pending", "granted")]


def without_paper(link: Linked, claim: str) -> tuple[OnPaper, ...]:
    """The settlements on paper without that of this claim."""
    return tuple(paper for paper in link.papers if paper.claim != claim)


def after_linked(link: Linked, event: Event, on_the_meter: Iterable[ChipContributed]) -> Linked:
    """The linked pot after one of its events. Chips that are no longer `on_the_meter` of a round can never go back."""
    link = replace(link, kept=advance(link.kept, event))
    match event:
        case Entry(body=Contributed(round=round, chip_count=chips)):
            rounds = {chip.round for chip in on_the_meter}
            returnable = tuple(pile for pile in link.returnable if pile.round in rounds and pile.chips)
            return replace(link, returnable=(*returnable, ReturnableChips(event, round, chips)))
        case Entry(body=Withdrawn(claim=claim) | SettledOnPaper(claim=claim)):
            return replace(link, papers=without_paper(link, claim))
        case Entry(body=Announced()):
            # An entry of another journal can give nothing back; and the pit has not accepted this one yet.
            return replace(link, returnable=(), accepts=0)
        case Entry(body=Returned(of=of, chip_count=chips)):
            returnable = tuple(
                replace(pile, chips=pile.chips - chips) if pile.entry.seq == of else pile for pile in link.returnable
            )
            return replace(link, returnable=returnable)
        case _:
            return link


def aside_alarm(message: NotTaken) -> ActiveAlarm:
    """The alarm of a message that a supervisor put aside."""
    return active("message_aside", number=message.sequence, topic=message.topic, reason=message.reason)


def after_adjusting(complaints: tuple[Complaint, ...], round: int) -> tuple[Complaint, ...]:
    """The complaints once something of a round was corrected."""
    return tuple(
        replace(complaint, adjusted=complaint.adjusted or complaint.round == round) for complaint in complaints
    )
