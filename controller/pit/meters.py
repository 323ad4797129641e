"""The amounts that a table's messages move on a jackpot, as sums that can be added. No I/O here.

Amounts named `_e4` count in 1/10 000 of a minor unit, as on the meter.
"""

from collections.abc import Callable
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from controller.link.messages import E4, Contributed, Entry, Paid, Returned, SettledOnPaper
from controller.pit.inbox import Message

EVENT = "dealer.station.event."
Amount = Annotated[int, Meta(ge=-(2**48), le=2**48 - 1)]
"""An amount of which a million add up to less than 64 bits."""
AmountE4 = Annotated[int, Meta(ge=-(2**62), le=2**62 - 1)]


class Moved(Struct, frozen=True):
    """Sums over messages. `opened` counts meters that were opened, `through` is the last entry of a linked pot.

    Of a linked pot only chips, contributions, returns and payments are here: its parts are the pit's.
    """

    opened: int = 0
    through: int = 0
    chips: int = 0
    initial_e4: int = 0
    contributions_e4: int = 0
    returned_e4: int = 0
    house_funded_e4: int = 0
    paid_e4: int = 0
    adjustments_e4: int = 0
    pot_e4: int = 0
    reserve_e4: int = 0
    overflow_e4: int = 0
    pending_e4: int = 0

    def plus(self, other: "Moved") -> "Moved":
        """Both together."""
        found = (a + b for a, b in zip(msgspec.structs.astuple(self), msgspec.structs.astuple(other), strict=True))
        return msgspec.structs.replace(Moved(*found), through=max(self.through, other.through))

    @property
    def sum_e4(self) -> int:
        """The sum of the meter's parts."""
        return self.pot_e4 + self.reserve_e4 + self.overflow_e4 + self.pending_e4

    @property
    def balance_e4(self) -> int:
        """Income minus payments: equal to `sum_e4` if nothing is missing."""
        came_in = self.initial_e4 + self.contributions_e4 - self.returned_e4 + self.house_funded_e4
        return came_in - self.paid_e4 + self.adjustments_e4


SUMS = Moved.__struct_fields__


class Movement(Struct, frozen=True):
    """The amounts that one message moved: on the table's own meter, or on the linked pot `link`, under the entry's
    journal.
    """

    link: str
    journal: str
    currency: str | None
    exponent: int | None
    moved: Moved


class _Data(Struct, frozen=True):
    currency: str | None = None
    exponent: Annotated[int, Meta(ge=-(2**31), le=2**31 - 1)] | None = None
    pot: Amount | None = None
    reserve: Amount | None = None
    to_pot_e4: AmountE4 | None = None
    to_reserve_e4: AmountE4 | None = None
    to_overflow_e4: AmountE4 | None = None
    from_pot_e4: AmountE4 | None = None
    from_reserve_e4: AmountE4 | None = None
    from_overflow_e4: AmountE4 | None = None
    from_house_e4: AmountE4 | None = None
    amount: Amount | None = None
    from_pot: Amount | None = None
    from_house: Amount | None = None
    linked: bool | None = None
    part: str | None = None
    sent: msgspec.Raw = msgspec.Raw(b"null")


class _Envelope(Struct, frozen=True):
    data: _Data


class _Tag(Struct, frozen=True):
    type: str


_decode = msgspec.json.Decoder(_Envelope).decode
_decode_tag = msgspec.json.Decoder(_Tag | None).decode
_decode_entry = msgspec.json.Decoder(Entry).decode


def movement(message: Message) -> Movement | None:
    """The change of the pot in a message; None without one. Raises msgspec.MsgspecError if it cannot be read."""
    kind = message.type.removeprefix(EVENT)
    if kind not in MOVING:
        return None
    data = _decode(message.content).data
    if kind == "link_recorded":
        tag = _decode_tag(data.sent)
        return None if tag is None or tag.type != "entry" else _of_entry(_decode_entry(data.sent), data)
    return Movement("", message.journal.name, data.currency, data.exponent, _OF_METER[kind](data))


def _of_entry(entry: Entry, data: _Data) -> Movement:
    moved = Moved(through=entry.seq)
    match entry.body:
        case Contributed(chip_count=chips, units_e4=units):
            moved = Moved(through=entry.seq, chips=chips, contributions_e4=units)
        case Returned(chip_count=chips, units_e4=units):
            moved = Moved(through=entry.seq, chips=-chips, returned_e4=units)
        case Paid(amount=amount) | SettledOnPaper(amount=amount):
            moved = Moved(through=entry.seq, paid_e4=amount * E4)
    return Movement(entry.link, entry.journal, data.currency, data.exponent, moved)


def _opened(data: _Data) -> Moved:
    pot, reserve = (data.pot or 0) * E4, (data.reserve or 0) * E4
    return Moved(opened=1, initial_e4=pot + reserve, pot_e4=pot, reserve_e4=reserve)


def _contributed(data: _Data) -> Moved:
    parts = data.to_pot_e4 or 0, data.to_reserve_e4 or 0, data.to_overflow_e4 or 0
    pot, reserve, overflow = parts
    return Moved(chips=1, contributions_e4=sum(parts), pot_e4=pot, reserve_e4=reserve, overflow_e4=overflow)


def _returned(data: _Data) -> Moved:
    parts = data.from_pot_e4 or 0, data.from_reserve_e4 or 0, data.from_overflow_e4 or 0
    pot, reserve, overflow = parts
    return Moved(chips=-1, returned_e4=sum(parts), pot_e4=-pot, reserve_e4=-reserve, overflow_e4=-overflow)


def _locked(data: _Data, sign: int = 1) -> Moved:
    """`sign` is -1 if the hit was withdrawn. An amount that a linked pot gave is not part of this meter."""
    from_meter = 0 if data.linked else data.from_pot or 0
    from_others = (data.from_pot or 0) + (data.from_house or 0) - from_meter
    return Moved(
        pot_e4=-sign * from_meter * E4,
        house_funded_e4=sign * from_others * E4,
        pending_e4=sign * (data.amount or 0) * E4,
    )


def _paid(data: _Data) -> Moved:
    amount = (data.amount or 0) * E4
    return Moved(paid_e4=amount, pending_e4=-amount)


def _restarted(data: _Data, sign: int = 1) -> Moved:
    reserve, house = sign * (data.from_reserve_e4 or 0), sign * (data.from_house_e4 or 0)
    return Moved(house_funded_e4=house, pot_e4=reserve + house, reserve_e4=-reserve)


def _adjusted(data: _Data) -> Moved:
    amount = (data.amount or 0) * E4
    parts = {f"{data.part}_e4": amount} if data.part in {"pot", "reserve", "overflow"} else {}
    return Moved(adjustments_e4=amount, **parts)


_OF_METER: dict[str, Callable[[Any], Moved]] = {
    "meter_opened": _opened,
    "chip_contributed": _contributed,
    "contribution_returned": _returned,
    "hit_locked": _locked,
    "hit_withdrawn": lambda data: _locked(data, -1),
    "hit_paid": _paid,
    "pot_restarted": _restarted,
    "restart_withdrawn": lambda data: _restarted(data, -1),
    "meter_adjusted": _adjusted,
}
MOVING = frozenset((*_OF_METER, "link_recorded"))
