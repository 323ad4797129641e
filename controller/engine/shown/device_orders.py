"""Orders to devices and displays that follow from the table: posted notice, sign, lamps, shuffler. No I/O here.

Effects are levels, not edges: after a restart the station derives them afresh from the table, and the drivers bring
their devices there.
"""

import msgspec

from controller.engine.shown.places import bank_shown
from controller.engine.state.current import Settings
from controller.engine.state.events import DeviceLost
from controller.engine.state.table import Table, next_step
from controller.link.table import Shown
from controller.rulebook.citations import LegalStatus, RegulationState
from controller.rulebook.events import Terms
from controller.rulebook.games import GAMES
from controller.rulebook.house import AddedBet, Authorisation, BasicBets
from controller.rulebook.reading import Limits
from controller.words import Words, in_every_language, on_the_sign, shown_amount


class SignPage(msgspec.Struct, frozen=True):
    """One page of the sign; ``{amount}`` is replaced by the pot."""

    lang: str
    text: str


class Sign(msgspec.Struct, frozen=True):
    """The sign's pages, shown in turn, and their pot."""

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
    """All orders that follow from the table."""

    sign: Sign | None
    lamps: Lamps
    in_play: bool
    shuffler: ShufflerWork | None
    shoe_locked: bool


def react(table: Table, exponent: int, settings: Settings | None = None, linked: Shown | None = None) -> Effects:
    """The orders to the devices that follow from the table; `exponent` is the currency's (2: cents).

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
    """The pages of the sign. While a hit is not paid, WIN with amount and seat alternates with the pot; devices out of
    order come last.

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


class Posted(msgspec.Struct, frozen=True):
    """The regulation as it is cited, its state and by what it ended, the same in words, and the authorisations.

    `limits` are those of each wager, minor units. `basic_bets` says how the house offers them, null where it may not
    choose; `bets` are those authorised beside the regulation's. `act` is that of the present round or of the last one,
    `act_scheduled` the one that two persons agreed on for the day `act_in_force`; each is empty where there is none.
    """

    regulation: str
    act: str
    act_scheduled: str
    act_in_force: str
    state: RegulationState
    by: str
    legal_status: Words
    authorisations: tuple[Authorisation, ...]
    limits: dict[str, Limits]
    basic_bets: BasicBets | None
    bets: tuple[AddedBet, ...]


def posted(table: Table, settings: Settings) -> Posted:
    """The posted notice for the present round, or for the next one."""
    terms = settings.terms if table.round is None else table.round.terms
    legal_status = GAMES[terms.game].legal_status
    return Posted(
        regulation=legal_status.regulation,
        act=table.law.act,
        act_scheduled=table.law.scheduled,
        act_in_force=table.law.in_force,
        state=legal_status.state,
        by=legal_status.by,
        legal_status=legal_status_in_words(legal_status),
        authorisations=terms.house.authorisations,
        limits=limits_of(terms),
        basic_bets=GAMES[terms.game].betting.posted(terms.house),
        bets=terms.house.bets,
    )


def limits_of(terms: Terms) -> dict[str, Limits]:
    """The limits of every wager that is on offer and has some."""
    return {wager: terms.limits_of(wager) for wager in GAMES[terms.game].betting.limited(terms)}


def legal_status_in_words(legal_status: LegalStatus) -> Words:
    """``Macau, Despacho SEF 78/2008; revoked by Despacho SEF 89/2025, n.º 4``, by language."""
    return in_every_language("legal_states", legal_status.state, regulation=legal_status.regulation, by=legal_status.by)


def limits_shown(table: Table, settings: Settings) -> Words | None:
    """The limits of the next round by language; None in a round, and where all wagers have the same.

    They are shown while no one plays, since changing the number of pages hides the pot for a moment.
    """
    in_play = table.round is not None and not table.round.confirmed
    if in_play or not table.open or not settings.terms.house.limits:
        return None
    limits = []
    for wager, limit in limits_of(settings.terms).items():
        bounds = f"{shown_amount(limit.min, settings.exponent)} - {shown_amount(limit.max, settings.exponent)}"
        limits.append(on_the_sign("limits/one", wager=on_the_sign(f"wager/{wager}"), bounds=bounds))
    listed = {language: ", ".join(limit[language] for limit in limits) for language in limits[0]}
    return on_the_sign("limits", limits=listed)
