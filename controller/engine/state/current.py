"""The present terms, game, step and phase of the table, and the effect of a device's trouble. No I/O here."""

from typing import Any, Literal, get_args

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from controller.engine.reasons import TableReason
from controller.engine.state.events import DeviceLost
from controller.engine.state.jackpot import Hit
from controller.engine.state.table import Table, next_step
from controller.rulebook.events import CardSource, Terms
from controller.rulebook.game import Game
from controller.rulebook.games import GAMES, game_of
from controller.rulebook.moments import INFORMED
from controller.rulebook.parts import prize, source
from controller.rulebook.parts.faults import AnyPhase, Cell, DeviceName, Trouble
from controller.rulebook.refusal import STEP_BY_STEP, Refusal
from controller.rulebook.roles import People
from controller.rulebook.round import Round
from controller.rulebook.settlement import Settlement
from controller.rulebook.steps import Phase, StepKind, seat_place
from controller.rulebook.units import Minor

SOURCES = get_args(CardSource)
COMPLAINTS, OLDER_COPY = "policy: complaints", "policy: two persons resume from an older copy"
JACKPOT = "jackpot"
_FLOOR: Trouble = ("floor", "lost")
TROUBLES = (*source.TROUBLES, *prize.TROUBLES, _FLOOR)


Mode = Literal["simulation", "live", "shadow"]
"""A shadow table plays its rounds beside a table of another controller, whose devices it reads and never orders."""


class Make(Struct, frozen=True):
    """The code of a device's make: its driver, its package and version, SHA-256 over names and octets of its files."""

    driver: str
    package: str
    version: str
    sha256: str


class Settings(Struct, frozen=True):
    """The terms of the next round, the connected sources, who may act in which role, and how amounts are written.

    `exponent`: a unit of the currency has 10^exponent minor units. `chips` are those of the tray. `makes`, by device,
    decide nothing: they are recorded, so that an inspector knows whose code read the cards.
    """

    terms: Terms
    people: People
    sources: tuple[CardSource, ...] = ()
    exponent: int = 0
    chips: tuple[int, ...] = ()
    makes: dict[DeviceName, Make] = {}


def cell(game: Game, device: DeviceName, trouble: str, phase: AnyPhase, source: CardSource) -> Cell:
    """What happens when `device` is in `trouble` during `phase` of a round of `game` dealt from `source`.

    Raises KeyError for a device or a trouble that no table has.
    """
    if (device, trouble) not in TROUBLES:
        raise KeyError((device, trouble))
    if (device, trouble) == _FLOOR:
        return Cell("continue", "policy: the floor is informed later")
    if device in SOURCES:
        return game.source.fault(device, trouble, phase, source)
    return game.prize.fault(device, trouble, phase)


def phase_or_between(phase: Phase | None) -> AnyPhase:
    """The phase of a round, or the time between two."""
    return "between" if phase is None else phase


def game_at(table: Table, settings: Settings) -> Game:
    """The game of the present round, or of the next one."""
    return GAMES[settings.terms.game] if table.round is None else game_of(table.round)


def source_of(table: Table, settings: Settings) -> CardSource:
    """The source of the cards of the present round, or of the next one."""
    if table.round is not None:
        return table.round.terms.source
    chosen = table.source
    return chosen if chosen is not None and chosen in settings.sources else settings.terms.source


def complaints_article(table: Table, settings: Settings) -> str:
    """The article under which a complaint is no longer accepted; a game may have its own for a shuffler."""
    citations = game_at(table, settings).citations
    return citations.complaints if source_of(table, settings) == "shuffler" else COMPLAINTS


def terms_of(table: Table, settings: Settings) -> Terms:
    """The next round's terms: the source in use, and the running pot's chip (a new value waits until it is won)."""
    terms = replace(settings.terms, source=source_of(table, settings))
    if table.meter is None or not terms.chip:
        return terms
    return replace(terms, chip=table.meter.parameters.chip)


def public_setting(settings: Settings) -> dict[str, Any]:
    """The facts that a screen needs beside the projection: terms, people, and the possible actions.

    Money in minor units. It is the same until the configuration is read again.
    """
    game = GAMES[settings.terms.game]
    return {
        "terms": msgspec.to_builtins(settings.terms),
        "sources": list(settings.sources),
        "chips": list(settings.chips),
        "people": settings.people,
        "own_words": game.own_words,
        "offers": msgspec.to_builtins(game.offers(settings.terms)),
    }


def refuse_unless(table: Table, *kinds: StepKind) -> None:
    """Raises Refusal unless the table waits for one of these."""
    step = next_step(table)
    if step.kind not in kinds:
        wanted = " or ".join(repr(kind) for kind in kinds)
        article = STEP_BY_STEP if table.round is None else game_of(table.round).citations.play
        raise Refusal("table", TableReason.ANOTHER_TIME, article, now=step.kind, wanted=wanted)


def refuse_when_over(table: Table) -> None:
    """Raises Refusal if there is no round that can still change."""
    round = table.round
    if round is None or round.confirmed or round.void is not None:
        article = STEP_BY_STEP if round is None else game_of(round).citations.irregularities
        raise Refusal("table", TableReason.NO_ROUND_TO_CHANGE, article)


def refuse_while_changes_wait(table: Table) -> None:
    """Raises Refusal while changes of the round wait to be approved or rejected."""
    if table.waiting:
        listed = ", ".join(str(change.change) for change in table.waiting)
        raise Refusal("table", TableReason.CHANGES_WAIT, INFORMED, waiting=listed)


def rounds_over(table: Table) -> int:
    """The number of the last round that is confirmed; 0 if none is."""
    return table.rounds - (table.round is not None and not table.round.confirmed)


def phase_of(table: Table) -> AnyPhase:
    """The phase of the round in play, or the time between two."""
    return phase_or_between(None if table.round is None else game_of(table.round).phase(next_step(table).kind))


def trouble_now(table: Table, game: Game, device: DeviceName, trouble: str) -> Cell:
    """The cell of a device's trouble as the table is; between two rounds as if the device were in use."""
    in_use: CardSource = "shoe" if device == "shoe" else "shuffler"
    source = table.round.terms.source if table.round is not None else in_use
    return cell(game, device, trouble, phase_of(table), source)


def has_failed(table: Table, game: Game) -> bool:
    """Whether the shuffler has failed so often that no round begins from it (17.º 2; 2008: 11.º 4))."""
    return game.source.has_failed(table.shuffler_failures)


def is_spare(table: Table, settings: Settings, device: object) -> bool:
    """Whether this is a source of cards that the table does not use now."""
    source = source_of(table, settings)
    return device in SOURCES and (device != source or not game_at(table, settings).source.needs_device(source))


def is_lost(table: Table, device: DeviceName) -> bool:
    """Whether a configured device is offline."""
    return isinstance(table.devices.get(device), DeviceLost)


class Payout(msgspec.Struct, frozen=True):
    """A seat's money in minor units: `now` is paid with the round, negative if the seat lost; `later` comes from the
    pot.

    `now` is the result of all bets at the seat, without the jackpot, whose chips were collected before the deal.
    """

    now: Minor
    later: Minor


def payouts(table: Table) -> dict[int, Payout]:
    """The payout of each seat that has won of the pot in the round in play and is not paid yet, by seat."""
    round = table.round
    if round is None or table.meter is None or not isinstance(round.settled, Settlement):
        return {}
    later: dict[int, int] = {}
    for hit in table.meter.hits:
        if hit.round == round.id and hit.state != "paid":
            later[hit.seat] = later.get(hit.seat, 0) + hit.amount
    lines = {seat: round.settled.seats[str(seat)].lines for seat in later}
    return {
        seat: Payout(sum(line.net for line in lines[seat] if (line.wager, line.outcome) != (JACKPOT, "win")), amount)
        for seat, amount in sorted(later.items())
    }


def open_hits(table: Table) -> tuple[Hit, ...]:
    """The hits of the present round that keep its cards on the table: not paid, and the cards not recorded as seen."""
    round = table.round
    if round is None or table.meter is None or not game_of(round).citations.unpaid:
        return ()
    return tuple(
        hit for hit in table.meter.hits if hit.round == round.id and hit.state != "paid" and not hit.witnessed_by
    )


def refuse_open_hits(table: Table) -> None:
    """Raises Refusal while hits keep the cards of this round: they are neither gathered nor kept over."""
    hits = open_hits(table)
    if hits and table.round is not None:
        citations = game_of(table.round).citations
        code = TableReason.HIT_UNPAID_OR_SEEN if citations.witnessed else TableReason.HIT_UNPAID
        raise Refusal(f"seat {hits[0].seat}", code, citations.unpaid, hit=hits[0].hit)


def to_put_in(table: Table, round: Round) -> int:
    """The number of cards that go into the shuffler after this round: its own, and those kept from earlier ones (59,
    61).
    """
    return round.draws + sum(pending_round.cards for pending_round in table.on_hold)


def taken_too_early(table: Table, inserted: int) -> bool:
    """Whether winning cards must be among the number of cards that were put in.

    A machine reports only how many cards it was given: as long as enough other cards exist, they count as others.
    """
    round, hits = table.round, open_hits(table)
    if round is None or not hits:
        return False
    game = game_of(round)
    places = {place for hit in hits for place in game.prize_places(hit.seat)}
    stay = sum(len(game.draws_at(round, place)) for place in places)
    return inserted > to_put_in(table, round) - stay


def cards_are_in(table: Table) -> bool:
    round = table.round
    return round is not None and 0 < to_put_in(table, round) <= round.inserted


def refuse_undecided(table: Table, settings: Settings) -> None:
    """Raises Refusal while a complaint is open: cards may not be cleared away or mixed with those of another round."""
    if table.complaints:
        complaint = table.complaints[0]
        raise Refusal(
            seat_place(complaint.seat),
            TableReason.COMPLAINT_UNDECIDED,
            complaints_article(table, settings),
            complaint=complaint.complaint,
        )


def refuse_clearing(table: Table, settings: Settings) -> None:
    """Raises Refusal while something of the round keeps its cards on the table: a hit, or a complaint."""
    refuse_open_hits(table)
    refuse_undecided(table, settings)


def refuse_overtaken(table: Table) -> None:
    """Raises Refusal while the floor has received more of this journal than it has: the newest copy
    may be elsewhere."""
    if table.overtaken is not None:
        at = table.overtaken
        raise Refusal("journal", TableReason.OVERTAKEN, OLDER_COPY, message=at.message, known=at.known)
