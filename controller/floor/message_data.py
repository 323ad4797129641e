"""Messages that are not events, filled from the table. No I/O here."""

from collections.abc import Mapping
from typing import Any

from msgspec import to_builtins
from msgspec.structs import asdict, fields

from controller.engine.shown.places import PublicBank
from controller.engine.shown.public import PublicAlarm, PublicJackpot, PublicRound, PublicTable, PublicWhy
from controller.engine.state.jackpot import Hit, Meter
from controller.engine.state.persons import Changing
from controller.floor.shapes import (
    SCHEMA,
    Alarm,
    ConfirmedRound,
    Entered,
    Ledger,
    PublishedHit,
    PublishedJackpot,
    PublishedReason,
    PublishedRefusal,
    PublishedVoid,
)
from controller.floor.state_shapes import OpenBank, OpenHand, PublicChange, PublicDealt, RoundInPlay, State, StepAwaited
from controller.rulebook.filled import filled
from controller.rulebook.games import game_of
from controller.rulebook.refusal import Reason, Value
from controller.rulebook.report import Answered, BankResult, CasinoResult, Holder, PlacedBet
from controller.rulebook.round import Round, Voided
from controller.words import english


def round_data(
    round: Round, of_table: Mapping[str, Any], sequence: int, began: str | None, confirmed: str, actor: str
) -> ConfirmedRound:
    """A confirmed round as its game reports it; `of_table` are the mode and the currency."""
    return ConfirmedRound(
        **asdict(game_of(round).report(round)),
        **of_table,
        schema=SCHEMA,
        sequence=sequence,
        began=began,
        confirmed=confirmed,
        actor=actor,
        void=_void(round.void),
    )


def jackpot_data(meter: Meter, public: PublicJackpot, money: Mapping[str, Any], as_of: int) -> PublishedJackpot:
    """The meter with its ledger, after the messages up to `as_of`."""
    return filled(
        PublishedJackpot,
        public,
        schema=SCHEMA,
        as_of=as_of,
        **money,
        chips_counted=meter.chips_counted,
        parameters=meter.parameters,
        ledger=filled(Ledger, meter),
        hits=tuple(map(_hit, public.hits)),
        blocked={hit: _why(why) for hit, why in public.blocked.items()},
    )


def state_data(table: PublicTable, mode: str, money: Mapping[str, Any], as_of: int, clock_synchronised: bool) -> State:
    """The whole public table, and whether the clock by which it writes times is synchronised."""
    step = table.step
    return filled(
        State,
        table,
        schema=SCHEMA,
        as_of=as_of,
        mode=mode,
        clock_synchronised=clock_synchronised,
        **money,
        step=filled(
            StepAwaited,
            step,
            places=step.to,
            card_count=step.cards,
            illegal={answer: _why(why) for answer, why in step.illegal.items()},
        ),
        round_in_play=None if table.round is None else _in_play(table.round),
        ticked_acts=table.acts,
    )


def alarm_data(alarm: PublicAlarm) -> Alarm:
    """An alarm that is listed."""
    return filled(Alarm, alarm, schema=SCHEMA, alarm=alarm.name)


def _in_play(round: PublicRound) -> RoundInPlay:
    return filled(
        RoundInPlay,
        round,
        round=round.id,
        place_count=round.places,
        bank=None if round.banker is None else _banker(round.banker),
        settling_order=round.order,
        holders=tuple(Holder(seat, player) for seat, player in round.holders.items()),
        used=_pieces(round.used),
        wagers=round.bets or _placed(round),
        dealt={
            number: PublicDealt(order=deal.order, places=deal.to, null=deal.null)
            for number, deal in enumerate(round.dealt, start=1)
        },
        unread_places=round.unread,
        decisions=tuple(Answered(seat, None, decision) for seat, decision in round.decisions.items()),
        shown={place: _pieces(cards) for place, cards in round.shown.items()},
        hands={
            seat: tuple(filled(OpenHand, hand, cards=_pieces(hand.cards)) for hand in hands)
            for seat, hands in round.hands.items()
        },
        bank_hand=None if round.bank is None else OpenBank(_pieces(round.bank.cards), round.bank.total),
        lines_by_seat=round.lines,
        changes_waiting=tuple(
            filled(
                PublicChange,
                change,
                why_not=None
                if change.why_not is None
                else PublishedReason(change.why_not.code, texts(change.why_not.values)),
            )
            for change in round.changes_waiting
        ),
        void=_void(round.void),
    )


def _placed(round: PublicRound) -> tuple[PlacedBet, ...]:
    return tuple(
        PlacedBet(seat, wager, round.players.get(seat), amount)
        for seat, wagers in round.wagers.items()
        for wager, amount in wagers.items()
    )


def texts(values: Mapping[str, Value], within: str = "") -> dict[str, str]:
    """Values as text under their names; a value that is itself a reason is given as its code, and its own values under
    `name.value`.
    """
    found: dict[str, str] = {}
    for name, value in values.items():
        if isinstance(value, Reason):
            found |= {within + name: value.code, **texts(value.values, f"{within}{name}.")}
        else:
            found[within + name] = str(value)
    return found


def _why(why: PublicWhy) -> PublishedRefusal:
    return PublishedRefusal(why.code, texts(why.values), why.rule, why.reason)


def _void(void: Voided | None) -> PublishedVoid | None:
    return None if void is None else PublishedVoid(void.article, english(void.why), void.code, texts(void.values))


def entered(input: Changing) -> Entered:
    """The entry, with cards one by one."""
    own = to_builtins(input)
    if "cards" in own:
        own["cards"] = _pieces(own["cards"])
    return Entered(**{field.name: own[field.name] for field in fields(Entered) if field.name in own})


def _banker(bank: PublicBank) -> BankResult:
    casino = CasinoResult(bank.casino) if bank.casino else None
    return BankResult(seat=bank.place, capital=bank.capital, turn_rounds=bank.rounds, casino=casino, joiners=())


def _hit(hit: Hit) -> PublishedHit:
    return filled(PublishedHit, hit, player=hit.player or None, roles=hit.confirmed_roles)


def _pieces(text: str) -> tuple[str, ...]:
    return tuple(text.split())
