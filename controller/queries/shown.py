"""One round of a journal for a person: its events in order, as sentences. All calls block."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path

import msgspec
from msgspec.structs import replace

from controller.engine.shown.device_orders import legal_status_in_words
from controller.engine.shown.prompts import alarm_words
from controller.engine.state.alarms import AlarmAcknowledged, AlarmCleared, AlarmRaised
from controller.engine.state.applied import Event
from controller.engine.state.events import SignedIn, SignedOut, SlipPrinted, TableClosed
from controller.engine.state.jackpot import HitPaid
from controller.floor.messages import Identity
from controller.journal.auditing import Report, unreported
from controller.journal.past import FoundEvent, Past
from controller.journal.reading import reading
from controller.journal.records import JournalCorrupt, Stamp
from controller.queries.following import FollowedEvents, persons_of
from controller.queries.register import raised_before
from controller.queries.shown_words import Speech, settlement_words, words_of
from controller.rulebook.events import CardsDealt, CardsShown, RoundBegun, RoundConfirmed
from controller.rulebook.games import GAMES, SettlingEvent, game_of
from controller.words import Words, in_own_words


class ShownEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that happened: `event` is its number in the journal, `time` UTC, `lines` those of a settlement.

    `who` did it; the clock was right if `synchronised`. `later` marks entries that belong to the round but came after
    its end.
    """

    event: int
    time: str
    synchronised: bool
    kind: str
    who: tuple[str, ...]
    text: Words
    lines: tuple[Words, ...] = ()
    later: bool = False


class Present(msgspec.Struct, frozen=True):
    """The persons who had logged in before the round began, as far as the journal knows, and when."""

    name: str
    role: Words
    since: str


class ShownRound(msgspec.Struct, kw_only=True):
    """A round: `sealed` of its cards no rule has shown. Times are UTC."""

    mode: str
    site: str
    table: str
    game: str
    journal: str
    legal_status: Words
    round: int
    currency: str
    began: str
    confirmed: str | None = None
    confirmed_by: str | None = None
    logged_in: tuple[Present, ...]
    sealed: int = 0
    entries: list[ShownEntry] = []


class NoRound(msgspec.Struct, frozen=True):
    """There is no such round; has the first and the last round, 0 if there are none."""

    first: int = 0
    last: int = 0

    def nearest(self, round: int) -> int | None:
        """The round whose number is nearest to this."""
        return min(max(round, self.first), self.last) or None


def round_shown(
    path: Path, identity: Identity, round: int, longest: int, report: Report = unreported
) -> ShownRound | NoRound:
    """A round of a journal. No one stays logged in for more than `longest` seconds; `report` receives what is read.

    Raises JournalUnavailable, JournalCorrupt, or WrongJournal where it is of the other mode.
    """
    with reading(path, identity.mode) as (past, uuid):
        begins = past.begins(round)
        if begins is None:
            return NoRound(*past.rounds())
        number, stamp, begun = next(past.where("1", lambda _: True, after=begins - 1))
        if not isinstance(begun, RoundBegun):
            raise JournalCorrupt(f"{path}: event {number} begins no round")
        game = GAMES[begun.terms.game]
        shown = ShownRound(
            mode=identity.mode,
            site=identity.site,
            table=identity.table,
            game=begun.terms.game,
            journal=uuid,
            legal_status=legal_status_in_words(game.legal_status),
            round=round,
            currency=identity.currency,
            began=stamp.time,
            logged_in=tuple(reversed([*_logged_in(past, number, stamp.time, longest, game.own_words)])),
        )
        speech = Speech(begun.terms, identity.currency, identity.exponent)
        last = past.last
        every = past.where("1", lambda _: True, after=begins - 1)
        _add_events(shown, speech, past, _of_round(round, every, lambda event: report(event, last)))
    return shown


def _logged_in(past: Past, number: int, began: str, longest: int, own_words: str) -> Iterator[Present]:
    first = datetime.fromisoformat(began) - timedelta(seconds=longest)
    seen: set[str] = set()
    for event, stamp, entry in past.of_kind("entry", newest_first=True):
        if event < number and datetime.fromisoformat(stamp.time) < first:
            break
        if event < number and isinstance(entry, SignedIn | SignedOut) and entry.name not in seen:
            seen.add(entry.name)
            if isinstance(entry, SignedIn):
                yield Present(entry.name, in_own_words(own_words, f"role.{entry.role}"), stamp.time)


def _of_round(
    round: int, found: Iterator[FoundEvent], report: Callable[[int], None]
) -> Iterator[tuple[FoundEvent, bool]]:
    """The events until the next round begins or the table closes, then later events of this round.

    The first event begins it.
    """
    followed = FollowedEvents()
    slips: set[int] = set()
    over = False
    for number, stamp, event in found:
        report(number)
        of = followed.of(event)
        over = over or (isinstance(event, RoundBegun) and of != round)
        if isinstance(event, HitPaid) and of == round:
            slips.add(event.slip)
        if not over or of == round or (isinstance(event, SlipPrinted) and event.slip in slips):
            yield (number, stamp, event), over
        over = over or isinstance(event, TableClosed)


def _add_events(shown: ShownRound, speech: Speech, past: Past, found: Iterator[tuple[FoundEvent, bool]]) -> None:
    followed = FollowedEvents()
    raised: dict[str, Words] = {}
    dealt: set[int] = set()
    opened: set[int] = set()
    together: CardsDealt | None = None
    for (number, stamp, event), later in found:
        followed.of(event)
        alarm: Words | None = None
        match event:
            case CardsDealt(draws=draws):
                dealt |= set(draws)
            case CardsShown() if followed.round is not None:
                draws = event.draws or game_of(followed.round).draws_at(followed.round, event.to)
                opened |= set(draws)
                if together is not None and together.draws == draws:
                    shown.entries.pop()  # it was dealt face up
            case RoundConfirmed():
                shown.confirmed, shown.confirmed_by = stamp.time, event.actor
            case AlarmRaised():
                alarm = raised[event.alarm] = alarm_words(event.code, event.values)
            case AlarmCleared() | AlarmAcknowledged():
                if event.alarm not in raised:
                    raised[event.alarm] = raised_before(past, number, event.alarm)
                alarm = raised[event.alarm]
        entry = _entry(number, stamp, event, words_of(event, speech, alarm), later)
        if entry is None:
            continue
        if isinstance(event, CardsDealt) and together is not None:
            together = _both(together, event)
            shown.entries[-1] = replace(shown.entries[-1], text=words_of(together, speech) or {})
            continue
        together = event if isinstance(event, CardsDealt) else None
        lines = settlement_words(event.settlement.result(), speech) if isinstance(event, SettlingEvent) else ()
        shown.entries.append(replace(entry, lines=tuple(lines)))
    shown.sealed = len(dealt - opened)


def _entry(number: int, stamp: Stamp, event: Event, text: Words | None, later: bool) -> ShownEntry | None:
    if text is None:
        return None
    return ShownEntry(
        event=number,
        time=stamp.time,
        synchronised=stamp.synchronised,
        kind=str(event.__struct_config__.tag),
        who=tuple(dict.fromkeys(persons_of(event))),
        text=text,
        later=later,
    )


def _both(deal: CardsDealt, other: CardsDealt) -> CardsDealt:
    """Two deals as one, one after the other."""
    return replace(
        deal, draws=deal.draws + other.draws, places=deal.places + other.places, unread=deal.unread + other.unread
    )
