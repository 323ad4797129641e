"""What the world around the table shall show, as one state derived from the table, never replayed. No I/O here.

Effects are levels, not edges: after a restart the station derives them afresh, and the drivers bring their devices
there.
"""

import msgspec

from controller.engine.events import DeviceLost
from controller.engine.money import shown_amount
from controller.engine.table import Table, next_step

LANGUAGES = ("pt", "en")


class SignPage(msgspec.Struct, frozen=True):
    """One page of the sign; ``{amount}`` stands where the meter runs."""

    lang: str
    text: str


class Sign(msgspec.Struct, frozen=True):
    """Pages in turn and the amount they show."""

    pages: tuple[SignPage, ...]
    amount: str


class Lamps(msgspec.Struct, frozen=True):
    """Seat lamps lit, and the lock lamp."""

    seats: tuple[int, ...]
    lock: bool


class ShufflerWork(msgspec.Struct, frozen=True):
    """The order the shuffler is to carry out: shuffle, or dispense `count` cards (0 for a shuffle)."""

    order: int
    count: int


class Effects(msgspec.Struct, frozen=True):
    """Everything outside that follows the table."""

    sign: Sign | None
    lamps: Lamps
    shuffler: ShufflerWork | None
    shoe_locked: bool


def react(table: Table, exponent: int) -> Effects:
    """The effects of the table as it stands; `exponent` is the currency's (2: cents)."""
    step = next_step(table)
    round = table.round
    locked = round is not None and round.locked and not round.confirmed
    work = None
    if step.order is not None and step.kind in ("shuffle", "deal"):
        work = ShufflerWork(order=step.order, count=len(step.to))
    return Effects(
        sign=_sign(table, exponent),
        lamps=Lamps(seats=round.seats_in_play if round is not None and locked else (), lock=locked),
        shuffler=work,
        shoe_locked=not (step.kind == "deal" and round is not None and round.terms.source == "shoe"),
    )


def _sign(table: Table, exponent: int) -> Sign | None:
    """The pot; WIN with amount and seat while a hit is not paid; fault text in turn with the amount, slots away."""
    meter = table.meter
    if meter is None:
        return None
    waiting = [hit for hit in meter.hits if hit.state != "paid"]
    if waiting:
        hit = waiting[0]
        pages = (
            SignPage(lang="pt", text=f"{{green}}GANHOU {{amount}} LUGAR {hit.seat}"),
            SignPage(lang="en", text=f"{{green}}WIN {{amount}} SEAT {hit.seat}"),
        )
        return Sign(pages=pages, amount=shown_amount(hit.amount, exponent))
    pot: tuple[SignPage, ...] = (
        SignPage(lang="pt", text="{red}JACKPOT PROGRESSIVO {amount}"),
        SignPage(lang="en", text="{red}PROGRESSIVE JACKPOT {amount}"),
    )
    slots = table.devices.get("slots")
    if isinstance(slots, DeviceLost):
        fault = (
            SignPage(lang="pt", text="{amber}SEM APOSTAS NO JACKPOT"),
            SignPage(lang="en", text="{amber}NO JACKPOT BETS"),
        )
        pot = (*pot, *fault)
    return Sign(pages=pot, amount=shown_amount(meter.pot, exponent))
