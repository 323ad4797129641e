"""The rows that messages become: rounds, lines, hits, adjustments, alarms, persons; and sums. No I/O here."""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from controller.engine.state.current import JACKPOT
from controller.pit.inbox import Message
from controller.pit.meters import EVENT, Moved, movement

Amount = Annotated[int, Meta(ge=-(2**53), le=2**53)]
"""An amount in minor units; the sum of a message's amounts fits a bigint."""
Small = Annotated[int, Meta(ge=-(2**31), le=2**31 - 1)]
Large = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1)]
ALARM = "dealer.station.event.alarm_"
LOG_IN = "dealer.station.event.entry_"

COLUMNS = {
    "rounds": (
        "site", '"table"', "journal", "sequence", "round", "confirmed", "received", "began", "game", "mode", "outcome",
        "confirmed_by", "currency", "exponent", "void_article", "void_reason", "occupied", "handle", "win", "pot",
    ),
    "lines": (
        "site", '"table"', "journal", "sequence", "round", "confirmed", "received", "game", "mode", "currency",
        "exponent", "seat", "wager", "player", "outcome", "odds", "stake", "net", "commission", "article",
    ),
    "hits": (
        "site", '"table"', "journal", "round", "locked", "received", "hit", "seat", "tier", "amount", "currency",
        "exponent", "article",
    ),
    "adjustments": (
        "site", '"table"', "journal", "sequence", "time", "received", "what", "round", "seat", "part", "amount",
        "currency", "exponent", "actor", "second", "reason",
    ),
    "alarms": ("site", '"table"', "journal", "sequence", "time", "received", "what", "alarm", "actor", "texts"),
    "persons": ("site", '"table"', "journal", "sequence", "time", "received", "what", "name", "role", "screen"),
}  # fmt: skip
"""The columns of each table of the schema `pit`, in the order in which a row is given."""
TABLES = tuple(COLUMNS)
Row = tuple[Any, ...]


class MessageRows(msgspec.Struct, frozen=True):
    """The rows that a batch of messages adds: rows by table, payments and withdrawals of hits, and movements of
    jackpots.

    A payment is site, table, journal, hit, when it was paid, slip, and who confirmed it, as JSON. A withdrawal is site,
    table, journal, hit, and when. Movements are by site, table, journal, link ("" for the table's own meter), hour of
    UTC, currency and exponent.
    """

    rows: dict[str, list[Row]]
    payments: list[Row] = []
    withdrawals: list[Row] = []
    moved: dict[Row, Moved] = {}


class _Line(msgspec.Struct, frozen=True):
    wager: str | None = None
    player: str | None = None
    outcome: str | None = None
    odds: str | None = None
    stake: Amount | None = None
    net: Amount | None = None
    commission: Amount | None = None
    article: str | None = None


class _Seat(msgspec.Struct, frozen=True):
    seat: Small | None = None
    lines: tuple[_Line, ...] | None = None


class _Joiner(msgspec.Struct, frozen=True):
    net: Amount | None = None


class _Bank(msgspec.Struct, frozen=True):
    net: Amount | None = None
    joiners: tuple[_Joiner, ...] | None = None


class _Void(msgspec.Struct, frozen=True):
    article: str | None = None
    reason: str | None = None


class _Jackpot(msgspec.Struct, frozen=True):
    pot_after: Amount | None = None


class _Round(msgspec.Struct, frozen=True):
    began: datetime | None = None
    game: str | None = None
    mode: str | None = None
    outcome: str | None = None
    actor: str | None = None
    currency: str | None = None
    exponent: Small | None = None
    void: _Void | None = None
    seats: tuple[_Seat, ...] | None = None
    bank: _Bank | None = None
    jackpot: _Jackpot | None = None


class _Hit(msgspec.Struct, frozen=True):
    hit: Large | None = None
    seat: Small | None = None
    tier: str | None = None
    amount: Large | None = None
    currency: str | None = None
    exponent: Small | None = None
    article: str | None = None


class _Paid(msgspec.Struct, frozen=True):
    hit: Large | None = None
    slip: Large | None = None
    confirmed_by: msgspec.Raw = msgspec.Raw()


class _Withdrawn(msgspec.Struct, frozen=True):
    hit: Large | None = None


class _Adjustment(msgspec.Struct, frozen=True):
    round: Large | None = None
    seat: Small | None = None
    part: str | None = None
    amount: Amount | None = None
    currency: str | None = None
    exponent: Small | None = None
    actor: str | None = None
    second: str | None = None
    reason: str | None = None


class _Alarm(msgspec.Struct, frozen=True):
    alarm: str | None = None
    actor: str | None = None
    texts: dict[str, str] | None = None


class _LogIn(msgspec.Struct, frozen=True):
    name: str | None = None
    role: str | None = None
    screen: str | None = None


def message_rows(messages: Iterable[Message], received: datetime) -> tuple[MessageRows, list[Message]]:
    """The rows of messages, and the messages: one of whose content no row can be made is unreadable."""
    added = MessageRows({table: [] for table in TABLES})
    found = []
    for message in messages:
        if not message.unreadable:
            try:
                if (make := _maker(message.type)) is not None:
                    make(added, message, received)
                _add_movement(added, message)
            except (msgspec.MsgspecError, RecursionError) as error:
                message = msgspec.structs.replace(message, unreadable=f"it is no {message.type} of a station: {error}")
        found.append(message)
    return added, found


def _maker(kind: str) -> Callable[[MessageRows, Message, datetime], None] | None:
    if kind.startswith(ALARM):
        return _add_alarm if kind.removeprefix(ALARM) in {"raised", "cleared", "acknowledged"} else None
    return _add_log_in if kind.startswith(LOG_IN) else _MAKERS.get(kind)


def _decoder(data: type) -> Callable[[bytes], Any]:
    envelope = msgspec.defstruct(f"_Of{data.__name__}", [("data", data)], frozen=True)
    decode = msgspec.json.Decoder(envelope).decode
    return lambda content: decode(content).data  # type: ignore[attr-defined]


_decode_round, _decode_hit, _decode_paid, _decode_withdrawn = map(_decoder, (_Round, _Hit, _Paid, _Withdrawn))
_decode_adjustment = _decoder(_Adjustment)
_decode_alarm, _decode_log_in = map(_decoder, (_Alarm, _LogIn))


def _add_round(added: MessageRows, message: Message, received: datetime) -> None:
    data: _Round = _decode_round(message.content)
    void, seats, bank = data.void or _Void(), data.seats or (), data.bank or _Bank()
    counted = [line for _, line in _lines(seats) if line.wager not in (None, JACKPOT)]
    banked = (bank.net or 0) + sum(joiner.net or 0 for joiner in bank.joiners or ())
    own = *msgspec.structs.astuple(message.journal), message.sequence, message.round, message.time, received
    added.rows["rounds"].append(
        (
            *own, data.began, data.game, data.mode, data.outcome, data.actor, data.currency, data.exponent,
            void.article, void.reason, len({seat.seat for seat in seats} - {None}),
            sum(line.stake or 0 for line in counted), -sum(line.net or 0 for line in counted) - banked,
            None if data.jackpot is None else data.jackpot.pot_after,
        )
    )  # fmt: skip
    of_round = *own, data.game, data.mode, data.currency, data.exponent
    for seat, line in _lines(seats):
        added.rows["lines"].append(
            (
                *of_round, seat, line.wager, line.player, line.outcome, line.odds, line.stake, line.net,
                line.commission, line.article,
            )
        )  # fmt: skip


def _lines(seats: Iterable[_Seat]) -> Iterator[tuple[int | None, _Line]]:
    return ((seat.seat, line) for seat in seats for line in seat.lines or ())


def _add_hit(added: MessageRows, message: Message, received: datetime) -> None:
    data: _Hit = _decode_hit(message.content)
    own = *msgspec.structs.astuple(message.journal), message.round, message.time, received
    added.rows["hits"].append((*own, *msgspec.structs.astuple(data)))


def _add_payment(added: MessageRows, message: Message, received: datetime) -> None:
    data: _Paid = _decode_paid(message.content)
    own = msgspec.structs.astuple(message.journal)
    persons = bytes(data.confirmed_by).decode() or None
    added.payments.append((*own, data.hit, message.time, data.slip, persons))


def _add_withdrawal(added: MessageRows, message: Message, received: datetime) -> None:
    own = msgspec.structs.astuple(message.journal)
    added.withdrawals.append((*own, _decode_withdrawn(message.content).hit, message.time))


def _add_adjustment(added: MessageRows, message: Message, received: datetime) -> None:
    """Adds an adjustment; its kind is `round` or `meter`."""
    site, table, journal, sequence, time, at, what = _of_event(message, received, EVENT)
    own = site, table, journal, sequence, time, at, what.removesuffix("_adjusted")
    added.rows["adjustments"].append((*own, *msgspec.structs.astuple(_decode_adjustment(message.content))))


def _add_movement(added: MessageRows, message: Message) -> None:
    found = movement(message)
    if found is not None:
        hour = None if message.time is None else f"{message.time[:13]}:00:00+00:00"  # ISO 8601 in UTC
        money = found.currency, found.exponent
        key = message.journal.site, message.journal.table, found.journal, found.link, hour, *money
        added.moved[key] = added.moved.get(key, Moved()).plus(found.moved)


def _add_alarm(added: MessageRows, message: Message, received: datetime) -> None:
    data: _Alarm = _decode_alarm(message.content)
    texts = None if data.texts is None else msgspec.json.encode(data.texts).decode()
    added.rows["alarms"].append((*_of_event(message, received, ALARM), data.alarm, data.actor, texts))


def _add_log_in(added: MessageRows, message: Message, received: datetime) -> None:
    data: _LogIn = _decode_log_in(message.content)
    added.rows["persons"].append((*_of_event(message, received, LOG_IN), data.name, data.role, data.screen))


def _of_event(message: Message, received: datetime, prefix: str) -> Row:
    journal = message.journal
    what = message.type.removeprefix(prefix)
    return journal.site, journal.table, journal.name, message.sequence, message.time, received, what


_MAKERS = {
    "dealer.station.round": _add_round,
    "dealer.station.event.hit_locked": _add_hit,
    "dealer.station.event.hit_paid": _add_payment,
    "dealer.station.event.hit_withdrawn": _add_withdrawal,
    "dealer.station.event.meter_adjusted": _add_adjustment,
    "dealer.station.event.round_adjusted": _add_adjustment,
}
