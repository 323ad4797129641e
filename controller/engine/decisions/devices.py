"""Decides what the state of links and devices means to the table. No I/O here."""

from typing import Literal

import msgspec

from controller.engine.decisions.decision import (
    REPORT,
    TABLE,
    CoSigned,
    Course,
    DeviceInput,
    Input,
    Row,
    When,
    at,
    co_signed,
    documented,
    require_second,
)
from controller.engine.decisions.settling import void
from controller.engine.reasons import SupervisorAct, TableReason
from controller.engine.state.current import OLDER_COPY, trouble_now
from controller.engine.state.events import (
    CutCardOut,
    DeviceForgotten,
    DeviceLost,
    DeviceRemark,
    DeviceReported,
    DeviceUp,
    EpochBegun,
    JournalOvertaken,
    MessageSetAside,
    MessageUntaken,
    Notice,
    OrdersSpent,
    ShufflerExchanged,
    ShufflerKnown,
)
from controller.engine.state.persons import PersonInput
from controller.rulebook.events import ShuffleLost
from controller.rulebook.parts.faults import DeviceName, LossCause
from controller.rulebook.refusal import STEP_BY_STEP, Refusal, Value, because
from controller.rulebook.round import ORDERS_PER_ROUND, next_order

SET_ASIDE = "policy: a message that no broker takes"
NOTICE_OF: dict[str, Notice] = {"cut_card": "cut_card", "damaged_card": "damaged_card"}


class DevicesConfigured(DeviceInput, frozen=True):
    """The links the configuration has, received once at every start."""

    devices: tuple[str, ...]


def devices_configured(course: Course, input: DevicesConfigured) -> None:
    """Forget the devices that the configuration no longer has."""
    for device in sorted(set(course.table.devices) - set(input.devices)):
        course.record(DeviceForgotten(device=device))


class DeviceFound(DeviceInput, frozen=True):
    """A link works again."""

    device: DeviceName
    outage_ms: int
    tries: int


def found(course: Course, input: DeviceFound) -> None:
    """A link is up; only the change is an event."""
    if not isinstance(course.table.devices.get(input.device), DeviceUp):
        course.record(DeviceUp(device=input.device, outage_ms=input.outage_ms, tries=input.tries))


class DeviceMissed(DeviceInput, frozen=True):
    """A link is lost, with the driver's reason."""

    device: DeviceName
    reason: str
    cause: LossCause = "unknown"


def missed(course: Course, input: DeviceMissed) -> None:
    """A link is down; the change is an event, and so is a new cause."""
    known = course.table.devices.get(input.device)
    if not isinstance(known, DeviceLost):
        course.record(DeviceLost(device=input.device, reason=input.reason, cause=input.cause))
    elif known.cause != input.cause:
        course.record(DeviceLost(device=input.device, reason=input.reason, cause=input.cause, again=True))


class MessageNotTaken(DeviceInput, frozen=True):
    """The broker does not take this message of the outbox."""

    event: MessageUntaken


def not_taken(course: Course, input: MessageNotTaken) -> None:
    """The broker refuses this message, and the following ones wait for it; reported once."""
    untaken = course.table.untaken
    if untaken is None or untaken.sequence != input.event.message:
        course.record(input.event)


class SetAside(PersonInput, frozen=True):
    """The outbox continues without a message that the broker refuses. Answers ``table``."""

    message: int
    reason: str


def set_aside(course: Course, input: SetAside) -> None:
    """A supervisor puts a message aside: it is not sent to the floor."""
    untaken = course.table.untaken
    if untaken is None or untaken.sequence != input.message:
        raise Refusal("message", TableReason.NOT_REFUSED, SET_ASIDE, message=input.message)
    reason = documented(input.reason)
    course.record(MessageSetAside(input.message, untaken.topic, actor=input.actor, reason=reason))


class FloorBeyond(DeviceInput, frozen=True):
    """The broker has a message of this journal that the journal does not have."""

    event: JournalOvertaken


def overtaken(course: Course, input: FloorBeyond) -> None:
    """The floor has received more than the journal has; reported once, until it is settled."""
    if course.table.overtaken is None:
        course.record(input.event)


class BeginEpoch(CoSigned, frozen=True):
    """A supervisor resumes an older copy of the journal, under another name. Answers ``epoch``."""

    reason: str


def epoch_begun(course: Course, input: BeginEpoch) -> None:
    """Two persons confirm that no newer copy exists, or that the message on the floor was forged."""
    table = course.table
    require_second(course.settings.people, input.actor, input.second, OLDER_COPY)
    if table.overtaken is None:
        raise Refusal("journal", TableReason.NOT_OVERTAKEN, OLDER_COPY)
    if table.round is not None:
        raise Refusal("table", TableReason.ROUND_FIRST, OLDER_COPY)
    course.record(co_signed(course, EpochBegun, input, input.reason))


class CutCard(PersonInput, frozen=True):
    """The cut card came out of the shoe, and the station did not receive it. Answers ``<round>/report``."""


def cut_card(course: Course, input: CutCard) -> None:
    """The dealer reports that the cut card came out; after the last card of a round this must be known before the next
    begins.
    """
    cut_card_out(course, input.actor)


def cut_card_out(course: Course, actor: str | None = None) -> None:
    """The cut card came out of a shoe that is kept; the shoe reports it, or else the dealer.

    If it comes between two rounds of black-jack, the next round is still played; then the cards are shuffled (11).
    """
    round, game, shoe = course.table.round, course.game, course.table.shoe
    elsewhere = round is not None and not game.deck.is_kept(round.terms.source)
    if shoe.decks and not shoe.cut_card_out and not elsewhere:
        course.record(CutCardOut(actor=actor, one_more=game.deck.allows_one_more(in_round=round is not None)))
        if actor is None and game.deck.is_misplaced(shoe):
            course.notify("warning_card_misplaced", text=str(shoe.left))
    elif actor is not None:
        raise Refusal("table", TableReason.NO_CUT_CARD, STEP_BY_STEP)


class DeviceReport(DeviceInput, frozen=True):
    """Something a device reports of itself that changes no round: noise, an error, a lid. Fields as in its event."""

    device: DeviceName
    what: DeviceRemark
    details: str = ""
    values: dict[str, Value] = msgspec.field(default_factory=dict)


def device_reported(course: Course, input: DeviceReport) -> None:
    """A device reports of itself; a jam in the deal is its failure (17.º 2)."""
    course.record(DeviceReported(input.device, input.what, input.details, input.values))
    if input.what == "cut_card":
        cut_card_out(course)
    if input.what in NOTICE_OF:
        course.notify(NOTICE_OF[input.what])
    if input.what == "jam":
        cell = trouble_now(course.table, course.game, "shuffler", "jam")
        if cell.action == "void":
            void(course, cell.citation, because(TableReason.SHUFFLER_JAMMED))


class ShufflerReplaced(PersonInput, frozen=True):
    """Another shuffler is at the table (17.º 2); entered by a supervisor."""


def exchanged(course: Course, input: ShufflerReplaced) -> None:
    """Another shuffler is at the table."""
    course.record(ShufflerExchanged(actor=input.actor))


class ShufflerGreeted(DeviceInput, frozen=True):
    """The shuffler reported its boot id, the last order it carried out, and its model."""

    boot: int
    last_order: int
    mode: Literal["batch", "continuous"] | None = None  # None: it was not reported


def greeted(course: Course, input: ShufflerGreeted) -> None:
    """The shuffler identifies itself: after a restart it has forgotten the order of the deck, and its orders."""
    before, round = course.table, course.table.round
    another = input.boot != before.shuffler_boot
    given = before.rounds * ORDERS_PER_ROUND + ORDERS_PER_ROUND - 1 if round is None else next_order(round)
    spent = input.last_order > max(given, before.orders_spent)
    if another:
        course.record(ShufflerKnown(boot=input.boot))
    if spent:
        # A machine that has carried out orders this journal never gave ignores every number up to its last one.
        course.record(OrdersSpent(last_order=input.last_order))
    # A shuffler that deals in packets and one that gives single cards do not replace each other.
    source = course.game.source
    if not source.takes(input.mode):
        values: dict[str, Value] = {"connected": str(input.mode), "needed": source.machine}
        course.record(DeviceReported("shuffler", "wrong_machine", values=values))
    elif "shuffler-machine" in before.troubles:
        course.record(DeviceReported("shuffler", "right_machine"))
    if (another and before.shuffler_boot) or spent:
        cell = trouble_now(course.table, course.game, "shuffler", "restarted")
        if cell.action == "void":
            void(course, cell.citation, because(TableReason.SHUFFLER_RESTARTED))
        elif cell.action == "hold":
            course.record(ShuffleLost())


ROWS: dict[type[Input], Row] = {
    ShufflerReplaced: Row(exchanged, at("begin"), only=SupervisorAct.EXCHANGES_SHUFFLER),
    SetAside: Row(set_aside, only=SupervisorAct.PUTS_ASIDE, answers=TABLE),
    BeginEpoch: Row(
        epoch_begun,
        When("between two rounds, while `older-copy` is active"),
        only=SupervisorAct.BEGINS_EPOCH,
        answers="epoch",
    ),
    CutCard: Row(cut_card, answers=REPORT),
    ShufflerGreeted: Row(greeted),
    DevicesConfigured: Row(devices_configured),
    DeviceFound: Row(found),
    DeviceMissed: Row(missed),
    DeviceReport: Row(device_reported),
    MessageNotTaken: Row(not_taken),
    FloorBeyond: Row(overtaken),
}
