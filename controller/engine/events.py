"""Everything that can happen at the table; rounds and jackpot have their own events. No I/O here."""

from typing import Literal

import msgspec

from controller.engine.jackpot import JackpotEvent
from controller.rulebook.events import RoundEvent

Told = Literal[
    "late_chip", "chip_without_basic_bet", "unswept_chip", "chip_not_taken_back", "slots_lost", "card_not_due",
    "lock_in_refused"
]  # fmt: skip


class TableOpened(msgspec.Struct, frozen=True, tag_field="type", tag="table_opened"):
    """The table is open for play."""

    actor: str


class TableClosed(msgspec.Struct, frozen=True, tag_field="type", tag="table_closed"):
    """The table is closed."""

    actor: str


class ChipLaid(msgspec.Struct, frozen=True, tag_field="type", tag="chip_laid"):
    """A chip came onto a sensor. `late`: the betting was closed, it never counts (10.º 3)."""

    seat: int
    counter: int
    late: bool


class ChipCleared(msgspec.Struct, frozen=True, tag_field="type", tag="chip_cleared"):
    """A sensor is free again."""

    seat: int
    counter: int


class DealerTold(msgspec.Struct, frozen=True, tag_field="type", tag="dealer_told"):
    """Something the dealer must know or put right; shown until the next round begins."""

    notice: Told
    seat: int | None = None
    text: str | None = None


class DeviceUp(msgspec.Struct, frozen=True, tag_field="type", tag="device_up"):
    """A device answers again."""

    device: str
    outage_ms: int
    tries: int


class DeviceLost(msgspec.Struct, frozen=True, tag_field="type", tag="device_lost"):
    """A device is away."""

    device: str
    reason: str


class DeviceReported(msgspec.Struct, frozen=True, tag_field="type", tag="device_reported"):
    """What a device said of itself."""

    device: str
    what: str
    text: str


class DeviceForgotten(msgspec.Struct, frozen=True, tag_field="type", tag="device_forgotten"):
    """The configuration no longer has this device."""

    device: str


class OrdersSpent(msgspec.Struct, frozen=True, tag_field="type", tag="orders_spent"):
    """The shuffler has carried out orders up to this number for somebody else, an earlier journal perhaps."""

    last_order: int


TableEvent = (
    TableOpened
    | TableClosed
    | ChipLaid
    | ChipCleared
    | DealerTold
    | DeviceUp
    | DeviceLost
    | DeviceForgotten
    | DeviceReported
    | OrdersSpent
)
Event = TableEvent | RoundEvent | JackpotEvent
