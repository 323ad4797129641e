"""How each event changes the table: a function for each topic, in one table. No I/O here."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, get_args

import msgspec
from msgspec.structs import force_setattr, replace

from controller.engine.state import jackpot
from controller.engine.state.alarms import (
    LASTING,
    ActiveAlarm,
    AlarmAcknowledged,
    AlarmCleared,
    AlarmEvent,
    AlarmRaised,
    active,
    after_alarm,
    without_alarms,
)
from controller.engine.state.events import (
    CLOSING,
    OPENING,
    RENEWING,
    SIGN_IN_EVENTS,
    ActsRecorded,
    CardsExtracted,
    ChipCleared,
    ChipPassedBy,
    ChipPlaced,
    ComplaintDecided,
    ComplaintOpened,
    CutCardOut,
    DamagedCardReplaced,
    DamagedCardReported,
    DealerNotified,
    DeckDoubted,
    DeviceForgotten,
    DeviceLost,
    DeviceReported,
    DeviceUp,
    EpochBegun,
    GrantCompared,
    InspectionInformed,
    JournalOvertaken,
    JournalPruned,
    KeyReleased,
    LinkJoined,
    LinkOnPaper,
    LinkRecorded,
    LinkVouched,
    MessageSetAside,
    MessageUntaken,
    NoBetMade,
    OrdersSpent,
    PacketLoaded,
    PitAccepted,
    PitKeysConfigured,
    RoundAdjusted,
    SensorDoubted,
    ShufflerCleared,
    ShufflerExchanged,
    ShufflerKnown,
    ShufflerLoaded,
    SignInEvent,
    SlipPrinted,
    TableClosed,
    TableOpened,
)
from controller.engine.state.jackpot import (
    ChipContributed,
    ContributionReturned,
    JackpotEvent,
    PotRestarted,
    RestartWithdrawn,
)
from controller.engine.state.law import RegulationEvent
from controller.engine.state.law import advance as after_regulation
from controller.engine.state.persons import ChangeEntered, ChangeRejected, ChangesApproved
from controller.engine.state.rounds import apply_round, begin_round
from controller.engine.state.table import (
    CLEARING_NOT_ENTERED,
    DAMAGED_CARD,
    DECK_COUNT,
    DECK_TROUBLE,
    FLOOR,
    INSPECTION_NOT_INFORMED,
    SHUFFLER_JAM,
    Complaint,
    Linked,
    Load,
    NotTaken,
    OnPaper,
    Restart,
    SlotChip,
    Table,
    after_adjusting,
    after_linked,
    aside_alarm,
    without_paper,
)
from controller.link.table import StoredLink, compared, forgotten
from controller.rulebook.events import (
    EventBase,
    RoundBegun,
    SourceChosen,
)
from controller.rulebook.games import EventInRound, RoundEvent, dealt_from
from controller.rulebook.jackpot_award import Parameters
from controller.rulebook.parts.deck import ShoeDecks

SlotEvent = ChipPlaced | ChipPassedBy | ChipCleared | SensorDoubted


SessionEvent = (
    TableOpened
    | PacketLoaded
    | ShufflerLoaded
    | CardsExtracted
    | DamagedCardReported
    | DamagedCardReplaced
    | InspectionInformed
    | ShufflerCleared
    | TableClosed
    | ActsRecorded
    | NoBetMade
    | DealerNotified
    | CutCardOut
    | SourceChosen
)


DeviceEvent = (
    DeviceUp
    | DeviceLost
    | DeviceForgotten
    | DeviceReported
    | OrdersSpent
    | ShufflerKnown
    | ShufflerExchanged
    | DeckDoubted
    | MessageUntaken
    | MessageSetAside
    | SlipPrinted
)


ChangeEvent = (
    RoundAdjusted | ChangeEntered | ChangesApproved | ChangeRejected | KeyReleased | ComplaintOpened | ComplaintDecided
)


LinkEvent = LinkJoined | PitKeysConfigured | PitAccepted | GrantCompared | LinkOnPaper | LinkVouched | LinkRecorded


RecordEvent = JournalPruned | JournalOvertaken | EpochBegun | AlarmEvent


TableEvent = SlotEvent | SessionEvent | DeviceEvent | ChangeEvent | LinkEvent | RecordEvent


if TYPE_CHECKING:  # with the union of 120, mypy needs many times as long
    Event = EventBase
else:
    Event = TableEvent | RoundEvent | JackpotEvent | RegulationEvent | SignInEvent

decode_event = msgspec.json.Decoder(Event).decode
"""An event as the journal has it. Raises msgspec.DecodeError."""


OF_ROUND = (
    *get_args(RoundEvent), ChipPlaced, ChipCleared, DealerNotified, ChangeEntered, ChangesApproved, ChangeRejected
)  # fmt: skip
"""The events that belong to the round in play; a payment or a lost link does not."""


NOTICES_KEPT = 20  # a dealer reads the last few; a stuck button must not fill the screen


def parameters_on_paper(table: Table) -> Parameters:
    """The last parameters received from the pit; if none were, the table's own."""
    learnt = table.link.kept.learnt if table.link is not None else None
    if learnt is not None:
        return learnt.parameters
    assert table.meter is not None
    return table.meter.parameters


def apply(table: Table, event: Event) -> Table:
    """The table after an event; never refuses, for the event has happened."""
    after = _APPLIED[type(event)](table, event)
    if after is table:
        return replace(table, version=table.version + 1)
    force_setattr(after, "version", table.version + 1)  # it was made just now, and no one else has it: no second copy
    return after


def fold(table: Table, events: Iterable[Event]) -> Table:
    """The table after events, one after the other."""
    for event in events:
        table = apply(table, event)
    return table


def _apply_session(table: Table, event: SessionEvent) -> Table:
    match event:
        case TableOpened(load=cards):
            load = Load(cards=cards) if cards else None
            openings = table.openings + 1
            opened = replace(table, open=True, openings=openings, load=load, troubles=_over(table, DECK_COUNT))
            return replace(opened, shoe=ShoeDecks(), left=None, acts=_ticked(table.acts, OPENING))
        case PacketLoaded(count=cards) if table.load is not None:
            return replace(table, load=replace(table.load, packets=(*table.load.packets, cards)))
        case ShufflerLoaded() if table.load is not None:
            return replace(table, load=replace(table.load, done=True))
        case CardsExtracted(count=cards, missing=missing):
            after = replace(table, load=None, on_hold=())
            return _in_trouble(after, active("deck_count", count=cards, missing=missing)) if missing else after
        case DamagedCardReported(to=to):
            return _in_trouble(table, active("damaged_card/place", place=to) if to else active("damaged_card"))
        case DamagedCardReplaced(reason=reason, authorised_by=by):
            replaced = replace(table, troubles=_over(table, DAMAGED_CARD))
            if by:
                return _with_shoe_to_prepare(replaced)
            return _in_trouble(replaced, active("inspection_not_informed", text=reason))
        case InspectionInformed():
            return replace(table, troubles=_over(table, INSPECTION_NOT_INFORMED))
        case ShufflerCleared():
            return replace(table, troubles=_over(table, CLEARING_NOT_ENTERED))
        case TableClosed():
            return replace(table, open=False, acts=_ticked(table.acts, CLOSING))
        case ActsRecorded(acts=acts, actor=actor):
            ticked = {act: (*table.acts.get(act, ()), actor) for act in acts}
            after = replace(table, acts={**table.acts, **ticked})
            if not set(acts) & set(RENEWING):
                return after
            return _with_shoe_to_prepare(replace(after, troubles=_over(after, DAMAGED_CARD)))
        case NoBetMade(spread=spread):
            # Play that begins again begins with the lowest seat (black-jack 8).
            shoe = ShoeDecks() if spread else table.shoe
            return replace(table, round=None, contributed=(), restart=None, shoe=shoe, left=None)
        case DealerNotified():
            earlier = tuple(notice for notice in table.notices if notice != event)
            return replace(table, notices=(*earlier, event)[-NOTICES_KEPT:])
        case CutCardOut(one_more=one_more):
            return replace(table, shoe=replace(table.shoe, cut_card_out=True, one_more=one_more))
        case SourceChosen(source=source):
            chosen = None if table.round is None else dealt_from(table.round, source)
            return replace(table, source=source, round=chosen, shoe=ShoeDecks())
        case _:
            raise TypeError(f"{type(event).__name__} at a table that is not loaded")


def _apply_device(table: Table, event: DeviceEvent) -> Table:
    match event:
        case DeviceUp(device=device) | DeviceLost(device=device):
            taken = device == FLOOR and isinstance(event, DeviceUp)
            untaken = None if taken else table.untaken
            return replace(table, devices={**table.devices, device: event}, untaken=untaken)
        case DeviceForgotten(device=device):
            devices = {name: link for name, link in table.devices.items() if name != device}
            return replace(table, devices=devices, troubles=without_alarms(table.troubles, device))
        case DeviceReported():
            return _after_report(table, event)
        case OrdersSpent(last_order=last_order):
            round = table.round
            if round is not None and not round.locked:
                round = replace(round, orders_from=max(round.orders_from, last_order))
            return replace(table, orders_spent=last_order, round=round)
        case ShufflerKnown(boot=boot):
            # A machine switched on again has no jam to report any more; the deck is what it was.
            deck = {name: doubt for name, doubt in table.troubles.items() if name == DECK_TROUBLE}
            known = replace(table, shuffler_boot=boot, troubles=without_alarms(table.troubles, "shuffler") | deck)
            return _after_jam(known) if SHUFFLER_JAM in table.troubles else known
        case ShufflerExchanged():
            return replace(table, shuffler_failures=0)
        case DeckDoubted(found=found, missing=missing, duplicated=duplicated):
            doubt = active("trouble/deck", device="shuffler", found=found, missing=missing, duplicated=duplicated)
            return _in_trouble(table, doubt)
        case MessageUntaken(message=sequence, topic=topic):
            return replace(table, untaken=NotTaken(sequence, topic, event.details))
        case MessageSetAside(message=sequence, topic=topic):
            return replace(table, untaken=None, aside=(*table.aside, NotTaken(sequence, topic, event.reason)))
        case SlipPrinted(slip=slip, times=times):
            return replace(table, prints={**table.prints, slip: times})


def _apply_change(table: Table, event: ChangeEvent) -> Table:
    match event:
        case RoundAdjusted(round=number):
            return replace(table, complaints=after_adjusting(table.complaints, number))
        case ChangeEntered(change=number):
            return replace(table, waiting=(*table.waiting, event), changes=number)
        case ChangesApproved(changes=numbers):
            return replace(table, waiting=tuple(change for change in table.waiting if change.change not in numbers))
        case ChangeRejected(change=number):
            return replace(table, waiting=tuple(change for change in table.waiting if change.change != number))
        case KeyReleased(round=number):
            return replace(table, released=(*table.released, number))
        case ComplaintOpened(complaint=number, round=round):
            opened = Complaint(number, round, event.seat, event.what, event.by, event.actor)
            return replace(table, complaints=(*table.complaints, opened), complaints_opened=number)
        case ComplaintDecided(complaint=number):
            return replace(
                table, complaints=tuple(complaint for complaint in table.complaints if complaint.complaint != number)
            )


def _apply_link(table: Table, event: LinkEvent) -> Table:
    if isinstance(event, LinkJoined):
        return replace(table, link=Linked(StoredLink(event.link, event.game, event.table), event.keys, event.keys))
    link = table.link
    if link is None:
        raise TypeError(f"{type(event).__name__} at a table without a linked pot")
    match event:
        case PitKeysConfigured(keys=keys):
            return replace(table, link=replace(link, configured=keys))
        case PitAccepted(keys=keys):
            return replace(table, link=replace(link, keys=keys, kept=forgotten(link.kept)))
        case GrantCompared(claim=claim, amount=amount):
            return replace(table, link=replace(link, kept=compared(link.kept, claim, amount)))
        case LinkOnPaper(claim=claim, amounts=amounts):
            terms, persons = parameters_on_paper(table).terms(event.pot), (event.actor, event.second)
            papers = *without_paper(link, claim), OnPaper(claim, terms, sum(amounts), persons)
            return replace(table, link=replace(link, papers=papers))
        case LinkVouched():
            return table
        case LinkRecorded(content=link_event):
            return replace(table, link=after_linked(link, link_event, (*table.contributed, *table.carried)))


def _apply_record(table: Table, event: RecordEvent) -> Table:
    match event:
        case JournalPruned(last=last):
            return replace(table, pruned=last)
        case JournalOvertaken():
            return replace(table, overtaken=event)
        case EpochBegun():
            return replace(table, overtaken=None)
        case AlarmAcknowledged(alarm=name):
            aside = tuple(message for message in table.aside if aside_alarm(message).name != name)
            return replace(table, alarms=after_alarm(table.alarms, event), aside=aside)
        case AlarmRaised() | AlarmCleared():
            return replace(table, alarms=after_alarm(table.alarms, event))


def _apply_regulation(table: Table, event: RegulationEvent) -> Table:
    return replace(table, law=after_regulation(table.law, event))


def _apply_jackpot(table: Table, event: JackpotEvent) -> Table:
    meter = jackpot.advance(table.meter, event)
    match event:
        case ChipContributed():
            return replace(table, meter=meter, contributed=(*table.contributed, event))
        case ContributionReturned(seat=seat, player=player):
            kept = tuple(chip for chip in table.contributed if (chip.seat, chip.player) != (seat, player))
            carried = tuple(chip for chip in table.carried if (chip.seat, chip.player) != (seat, player))
            return replace(table, meter=meter, contributed=kept, carried=carried)
        case PotRestarted() if table.meter is not None:
            before = Restart(event, table.meter.parameters, table.meter.scheduled)
            return replace(table, meter=meter, restart=before)
        case RestartWithdrawn():
            return replace(table, meter=meter, restart=None)
        case _:
            return replace(table, meter=meter)


def _ticked(acts: dict[str, tuple[str, ...]], still: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """The acts of the session that begins now, without those of the session before."""
    return {act: by for act, by in acts.items() if act in still}


def _apply_slot(table: Table, event: SlotEvent) -> Table:
    seat, slots, edges = event.seat, table.slots, table.edges
    match event:
        case ChipPlaced(counter=counter, late=late):
            slots = {**slots, seat: SlotChip(state="late" if late else "placed", counter=counter)}
            edges = {**edges, seat: edges.get(seat, 0) + event.edges}
        case ChipPassedBy():
            edges = {**edges, seat: edges.get(seat, 0) + event.edges}
        case SensorDoubted(counter=counter):
            slots = {**slots, seat: SlotChip(state="doubtful", counter=counter)}
        case ChipCleared():
            slots = {at: chip for at, chip in slots.items() if at != seat}
    return replace(table, slots=slots, edges=edges)


def _in_trouble(table: Table, trouble: ActiveAlarm) -> Table:
    return replace(table, troubles={**table.troubles, trouble.name: trouble})


def _with_shoe_to_prepare(table: Table) -> Table:
    """A round in play is the last of its shoe; the next one begins with shuffle and cut (black-jack 8 to 10)."""
    renewed = replace(table.shoe, cut_card_out=True, one_more=False) if table.round is not None else ShoeDecks()
    return replace(table, shoe=renewed if table.shoe.decks else table.shoe)


def _over(table: Table, name: str) -> dict[str, ActiveAlarm]:
    return {other: trouble for other, trouble in table.troubles.items() if other != name}


def _after_report(table: Table, event: DeviceReported) -> Table:
    """The table after a report of a device: its trouble is active until the device reports the end."""
    if event.what == "damaged_card" and table.load is not None:
        return _in_trouble(table, active("damaged_card"))
    for trouble, begins, ends in LASTING:
        if event.what == begins:
            return _in_trouble(table, active(f"trouble/{trouble}", event.details, device=event.device, **event.values))
        if event.what in ends and (name := f"{event.device}-{trouble}") in table.troubles:
            after = replace(table, troubles=_over(table, name))
            return _after_jam(after) if name == SHUFFLER_JAM else after
    return table


def _after_jam(table: Table) -> Table:
    """A person has opened a shuffler that keeps its cards: who it was is entered before the next round (51, 60)."""
    return table if table.load is None else _in_trouble(table, active("clearing_not_entered"))


_APPLIED: dict[type, Callable[[Table, Any], Table]] = {
    **dict.fromkeys(get_args(SessionEvent), _apply_session),
    **dict.fromkeys(get_args(DeviceEvent), _apply_device),
    **dict.fromkeys(get_args(ChangeEvent), _apply_change),
    **dict.fromkeys(get_args(LinkEvent), _apply_link),
    **dict.fromkeys(get_args(RecordEvent), _apply_record),
    RoundBegun: begin_round,
    **dict.fromkeys(get_args(EventInRound), apply_round),
    **dict.fromkeys(get_args(JackpotEvent), _apply_jackpot),
    **dict.fromkeys(get_args(RegulationEvent), _apply_regulation),
    **dict.fromkeys(get_args(SlotEvent), _apply_slot),
    **dict.fromkeys(SIGN_IN_EVENTS, lambda table, event: table),
}
