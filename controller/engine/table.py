"""The table as it stands, and what each event makes of it. No I/O here."""

from typing import Literal, get_args

import msgspec
from msgspec.structs import replace

from controller.engine import jackpot
from controller.engine.events import (
    ChipCleared,
    ChipLaid,
    DealerTold,
    DeviceForgotten,
    DeviceLost,
    DeviceReported,
    DeviceUp,
    Event,
    OrdersSpent,
    TableClosed,
    TableOpened,
)
from controller.engine.jackpot import ChipContributed, ContributionReturned, JackpotEvent, Meter
from controller.rulebook.events import BettingClosed, ClaimsClosed, RoundBegun, RoundEvent, RoundVoided
from controller.rulebook.fortune_3_card_poker import round as law
from controller.rulebook.fortune_3_card_poker.round import Round
from controller.rulebook.steps import Step

SCHEMA = 1
NOTICES_KEPT = 20  # a dealer reads the last few; a stuck button must not fill the screen
ROUND_EVENTS = get_args(RoundEvent)
JACKPOT_EVENTS = get_args(JackpotEvent)


class SlotChip(msgspec.Struct, frozen=True):
    """A chip on a sensor: `placed` counts at the next lock-in, `counted` waits to be swept, the others never count."""

    state: Literal["placed", "counted", "late", "invalid"]
    counter: int


class Notice(msgspec.Struct, frozen=True):
    """Something the dealer was told in this round."""

    notice: str
    seat: int | None
    text: str | None


class Table(msgspec.Struct, frozen=True):
    """Everything the station knows of its table; cards not yet shown are not part of it.

    `version` counts the events applied. `contributed` holds this round's contributions, so that each can be given back
    exactly.
    """

    schema: int = SCHEMA
    version: int = 0
    open: bool = False
    rounds: int = 0
    openings: int = 0
    orders_spent: int = 0
    round: Round | None = None
    meter: Meter | None = None
    contributed: tuple[ChipContributed, ...] = ()
    slots: dict[int, SlotChip] = {}
    notices: tuple[Notice, ...] = ()
    devices: dict[str, DeviceUp | DeviceLost] = {}


def next_step(table: Table) -> Step:
    """What the table waits for."""
    if not table.open:
        return Step(id=f"open/{table.openings + 1}", kind="open")
    if table.round is None:
        return Step(id=f"{table.rounds + 1}/begin", kind="begin")
    return law.next_step(table.round)


def apply(table: Table, event: Event) -> Table:
    """The table after an event; never refuses, for the event has happened."""
    after = _apply(table, event)
    return replace(after, version=table.version + 1)


def _apply(table: Table, event: Event) -> Table:
    if isinstance(event, ROUND_EVENTS):
        return _apply_round(table, event)
    if isinstance(event, JACKPOT_EVENTS):
        meter = jackpot.advance(table.meter, event)
        match event:
            case ChipContributed():
                return replace(table, meter=meter, contributed=(*table.contributed, event))
            case ContributionReturned(seat=seat):
                kept = tuple(chip for chip in table.contributed if chip.seat != seat)
                return replace(table, meter=meter, contributed=kept)
            case _:
                return replace(table, meter=meter)
    match event:
        case TableOpened():
            return replace(table, open=True, openings=table.openings + 1)
        case TableClosed():
            return replace(table, open=False)
        case ChipLaid(seat=seat, counter=counter, late=late):
            chip = SlotChip(state="late" if late else "placed", counter=counter)
            return replace(table, slots={**table.slots, seat: chip})
        case ChipCleared(seat=seat):
            return replace(table, slots={at: chip for at, chip in table.slots.items() if at != seat})
        case DealerTold():
            told = Notice(notice=event.notice, seat=event.seat, text=event.text)
            earlier = tuple(notice for notice in table.notices if notice != told)
            return replace(table, notices=(*earlier, told)[-NOTICES_KEPT:])
        case DeviceUp(device=device) | DeviceLost(device=device):
            return replace(table, devices={**table.devices, device: event})
        case DeviceForgotten(device=device):
            return replace(table, devices={name: link for name, link in table.devices.items() if name != device})
        case OrdersSpent(last_order=last_order):
            return replace(table, orders_spent=last_order)
        case DeviceReported():
            return table
        case _:
            raise TypeError(f"{type(event).__name__} is no event of a table")


def _apply_round(table: Table, event: RoundEvent) -> Table:
    if isinstance(event, RoundBegun):
        return replace(table, rounds=event.round, round=law.open_round(event), contributed=(), notices=())
    if table.round is None:
        raise TypeError(f"{type(event).__name__} outside a round")
    match event:
        case BettingClosed(chips=chips, returned=returned):
            slots = {
                seat: replace(chip, state="counted" if seat in chips else "invalid")
                if chip.state == "placed" and seat in (*chips, *returned)
                else chip
                for seat, chip in table.slots.items()
            }
            return replace(table, round=law.advance(table.round, event), slots=slots)
        case RoundVoided():
            # The chip goes back to its player, with everything else that was laid.
            slots = {
                seat: replace(chip, state="invalid") if chip.state == "counted" else chip
                for seat, chip in table.slots.items()
            }
            return replace(table, round=law.advance(table.round, event), slots=slots)
        case ClaimsClosed():
            return replace(table, round=None)
        case _:
            return replace(table, round=law.advance(table.round, event))
