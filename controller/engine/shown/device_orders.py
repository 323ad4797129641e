"""What the world around the table shall show, as one state derived from the table, never replayed. No I/O here.

Effects are levels, not edges: after a restart the station derives them afresh, and the drivers bring their devices
there.
"""

import msgspec

from controller.engine.shown.places import bank_shown
from controller.engine.shown.posted import limits_shown
from controller.engine.state.current import Settings
from controller.engine.state.events import DeviceLost
from controller.engine.state.table import Table, next_step
from controller.link.table import Shown
from controller.words import Words, on_the_sign, shown_amount


class SignPage(msgspec.Struct, frozen=True):
    """One page of the sign; ``{amount}`` stands where the pot runs."""

    lang: str
    text: str


class Sign(msgspec.Struct, frozen=True):
    """Pages in turn, and the pot that they show."""

    pages: tuple[SignPage, ...]
    amount_text: str


class Lamps(msgspec.Struct, frozen=True):
    """The seats whose lamps are lit, where a jackpot chip counts, and the lock lamp."""

    lit_seats: tuple[int, ...]
    lock: bool


class ShufflerWork(msgspec.Struct, frozen=True):
    """The order the shuffler is to carry out: shuffle, or dispense `count` cards (0 for a shuffle)."""

    order: int
    count: int


class Effects(msgspec.Struct, frozen=True):
    """Everything outside that follows the table."""

    sign: Sign | None
    lamps: Lamps
    in_play: bool
    shuffler: ShufflerWork | None
    shoe_locked: bool


def react(table: Table, exponent: int, settings: Settings | None = None, linked: Shown | None = None) -> Effects:
    """The effects of the table as it stands; `exponent` is the currency's (2: cents).

    With `settings` the sign shows the next round's limits too; `linked` is what it shows of a pot that tables share.
    """
    step = next_step(table)
    round = table.round
    locked = round is not None and round.locked and not round.confirmed
    work = None
    if step.order is not None and step.kind in ("shuffle", "deal"):
        work = ShufflerWork(order=step.order, count=len(step.to))
    return Effects(
        sign=_with_limits(_sign(table, exponent, linked), table, settings),
        lamps=Lamps(lit_seats=round.chips if round is not None and locked and round.void is None else (), lock=locked),
        in_play=round is not None,
        shuffler=work,
        shoe_locked=not (step.kind in ("deal", "burn") and round is not None and round.terms.source == "shoe"),
    )


def _with_limits(sign: Sign | None, table: Table, settings: Settings | None) -> Sign | None:
    shown = None if sign is None or settings is None else limits_shown(table, settings)
    if sign is None or shown is None:
        return sign
    return Sign(pages=(*sign.pages, *_pages(shown)), amount_text=sign.amount_text)


def _sign(table: Table, exponent: int, linked: Shown | None) -> Sign | None:
    """The pot; before it, in turn, WIN with amount and seat while a hit is not paid; after it what is out of order.

    The amount won is part of its page's text: what the sign calls from its one string is always the pot. Without a
    jackpot there is the bank of Taiwan-Pai Kao, and at other games no sign.
    """
    meter = table.meter
    if meter is None:
        shown = bank_shown(table)
        return None if shown is None else Sign(pages=_pages(shown), amount_text="")
    pot = meter.pot if linked is None else linked.pot
    pages = _pages(on_the_sign("jackpot", amount="{amount}")) if pot is not None else ()
    waiting = [hit for hit in meter.hits if hit.state != "paid"]
    if waiting:
        won = on_the_sign("won", won=shown_amount(waiting[0].amount, exponent), seat=waiting[0].seat)
        pages = (*_pages(won), *pages)
    if isinstance(table.devices.get("slots"), DeviceLost):
        pages = (*pages, *_pages(on_the_sign("no_bets")))
    if linked is not None and linked.fault:
        pages = (*pages, *_pages(on_the_sign("pit_lost")))
    return Sign(pages=pages, amount_text="" if pot is None else shown_amount(pot, exponent))


def _pages(shown: Words) -> tuple[SignPage, ...]:
    return tuple(SignPage(lang=language, text=text) for language, text in shown.items())
