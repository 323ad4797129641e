"""What a table has, in the shapes of the messages. No I/O here."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, to_builtins
from msgspec.structs import asdict

from controller.engine.shown.alarms import PublicAlarm, alarm_words
from controller.engine.shown.changes import PublicChange
from controller.engine.shown.places import PublicBank
from controller.engine.shown.projection import PublicJackpot, PublicRound, PublicTable, PublicWhy
from controller.engine.state.alarms import row_of
from controller.engine.state.changes import Changing
from controller.engine.state.events import AlarmRaised, ChangeEntered, Event
from controller.engine.state.jackpot import Hit, Meter
from controller.floor import shapes
from controller.floor.shapes import (
    ConfirmedRound,
    Entered,
    Ledger,
    Proposed,
    ToldHit,
    ToldJackpot,
    ToldReason,
    ToldVoid,
    ToldWhy,
    names_in,
)
from controller.rulebook.corrected import reported
from controller.rulebook.events import CardsShown, InputCorrected, NetChange
from controller.rulebook.games import SettlingEvent, game_of
from controller.rulebook.refusal import Reason, Value
from controller.rulebook.report import Answered, BankResult, CasinoResult, Holder, Laid
from controller.rulebook.round import Round, Voided


def event_data(event: Event, of: int | None, round: Round | None, money: Mapping[str, Any], sequence: int) -> Struct:
    """The data of an event; `of` is the round it belongs to, `round` the one in play."""
    shape = shapes.shape_of(type(event))
    own = asdict(event)
    named = names_in(shape)
    said: dict[str, Any] = {"schema": shapes.SCHEMA, "sequence": sequence}
    if "round" in named and of is not None:
        said["round"] = of
    if "currency" in named:
        said |= money
    if "player" in own:
        own["player"] = own["player"] or None
    if isinstance(event, CardsShown) and round is not None:
        own["draws"] = event.draws or game_of(round).draws_at(round, event.to)
    if isinstance(event, SettlingEvent):
        own["settlement"] = event.settlement.result()
    if isinstance(event, NetChange):
        own["net_difference"] = event.net_difference
    if isinstance(event, AlarmRaised):
        own["texts"], own["level"] = alarm_words(event.code, event.values), row_of(event.code, event.values).level
    if isinstance(event, ChangeEntered):
        own["entered"] = _entered(event.input)
    if "values" in own:
        own["values"] = _texts(own["values"])
    if isinstance(event, InputCorrected):
        replaced = reported(event)
        own |= {key: getattr(replaced, key) for key in ("before", "after", "amount_before", "amount_after")}
    return shape(**said, **{name: value for name, value in own.items() if name in named and name not in said})


def round_data(
    round: Round, of_table: Mapping[str, Any], sequence: int, began: str | None, confirmed: str, actor: str
) -> ConfirmedRound:
    """A confirmed round as its game reports it; `of_table` are the mode and the currency."""
    return ConfirmedRound(
        **asdict(game_of(round).report(round)),
        **of_table,
        schema=shapes.SCHEMA,
        sequence=sequence,
        began=began,
        confirmed=confirmed,
        actor=actor,
        void=_void(round.void),
    )


def jackpot_data(meter: Meter, public: PublicJackpot, money: Mapping[str, Any], as_of: int) -> ToldJackpot:
    """The meter with its ledger, as the messages up to `as_of` leave it."""
    proposal = meter.proposal
    return ToldJackpot(
        schema=shapes.SCHEMA,
        as_of=as_of,
        **money,
        pot=public.pot,
        reserve=public.reserve,
        overflow=public.overflow,
        pending=public.pending,
        chips_counted=meter.chips_counted,
        parameters=meter.parameters,
        ledger=Ledger(**_like(Ledger, meter)),
        hits=tuple(map(_hit, public.hits)),
        held_back={hit: _why(why) for hit, why in public.held_back.items()},
        turns=public.turns,
        proposed=Proposed(**asdict(proposal)) if proposal is not None else None,
        scheduled=public.scheduled,
    )


def state_data(table: PublicTable, mode: str, money: Mapping[str, Any], as_of: int, clock_synchronised: bool) -> Struct:
    """The whole public table, and whether the clock by which it writes times is synchronised."""
    own = asdict(table)
    del own["jackpot"]
    step = asdict(table.step)
    step["illegal"] = {answer: _why(why) for answer, why in table.step.illegal.items()}
    own["step"] = _renamed(shapes.STEP, step, shapes.STEP_NAMES)
    own["round"] = None if table.round is None else _in_play(table.round)
    own["lamps"] = _renamed(shapes.LAMPS, table.lamps, shapes.LAMPS_NAMES)
    own["sign"] = None if table.sign is None else _renamed(shapes.SIGN, table.sign, shapes.SIGN_NAMES)
    of_station = {"schema": shapes.SCHEMA, "as_of": as_of, "mode": mode, "clock_synchronised": clock_synchronised}
    return _renamed(shapes.STATE, {**of_station, **money, **own}, shapes.STATE_NAMES)


def alarm_data(alarm: PublicAlarm) -> Struct:
    """An alarm that is listed."""
    own = asdict(alarm)
    return shapes.ALARM(schema=shapes.SCHEMA, alarm=own.pop("name"), **own)


def _in_play(round: PublicRound) -> Struct:
    own = asdict(round)
    for gone in ("bets", "players"):
        del own[gone]
    own["wagers"] = round.bets or [
        Laid(seat, wager, round.players.get(seat), amount)
        for seat, wagers in round.wagers.items()
        for wager, amount in wagers.items()
    ]
    own["decisions"] = [Answered(seat, None, one) for seat, one in round.decisions.items()]
    own["changes_waiting"] = [_change(one) for one in round.changes_waiting]
    own["dealt"] = [_renamed(shapes.DEALT, asdict(one), shapes.DEALT_NAMES) for one in round.dealt]
    own["shown"] = {place: _pieces(cards) for place, cards in round.shown.items()}
    own["hands"] = {
        seat: [shapes.OPEN_HAND(**asdict(hand) | {"cards": _pieces(hand.cards)}) for hand in hands]
        for seat, hands in round.hands.items()
    }
    if round.bank is not None:
        own["bank"] = shapes.OPEN_BANK(cards=_pieces(round.bank.cards), total=round.bank.total)
    own["banker"] = None if round.banker is None else _banker(round.banker)
    own["holders"] = [Holder(seat, player) for seat, player in round.holders.items()]
    own["used"] = _pieces(round.used)
    own["void"] = _void(round.void)
    return _renamed(shapes.ROUND, own, shapes.ROUND_NAMES)


def _renamed(shape: type[Struct], own: Mapping[str, Any], names: Mapping[str, str]) -> Struct:
    return shape(**{names.get(key, key): one for key, one in own.items()})


def _texts(values: Mapping[str, Value], within: str = "") -> dict[str, str]:
    """Values as text under their names; one that is a reason itself is its code, with its own values behind a dot."""
    found: dict[str, str] = {}
    for name, value in values.items():
        if isinstance(value, Reason):
            found |= {within + name: value.code, **_texts(value.values, f"{within}{name}.")}
        else:
            found[within + name] = str(value)
    return found


def _why(why: PublicWhy) -> ToldWhy:
    return ToldWhy(why.code, _texts(why.values), why.rule, why.reason)


def _void(void: Voided | None) -> ToldVoid | None:
    return None if void is None else ToldVoid(void.article, void.reason, void.code, _texts(void.values))


def _change(one: PublicChange) -> Struct:
    why = one.why_not
    return shapes.CHANGE(**asdict(one) | {"why_not": None if why is None else ToldReason(why.code, _texts(why.values))})


def _entered(input: Changing) -> Entered:
    own = to_builtins(input)
    if "cards" in own:
        own["cards"] = _pieces(own["cards"])
    return Entered(**{name: value for name, value in own.items() if name in names_in(Entered)})


def _banker(bank: PublicBank) -> BankResult:
    casino = CasinoResult(bank.casino) if bank.casino else None
    return BankResult(seat=bank.place, capital=bank.capital, turn_rounds=bank.rounds, casino=casino, joiners=())


def _hit(hit: Hit) -> ToldHit:
    own = {key: getattr(hit, key) for key in names_in(ToldHit) if key != "roles"}
    return ToldHit(**{**own, "player": hit.player or None, "roles": hit.confirmed_roles})


def _like(shape: type[Struct], one: Struct) -> dict[str, Any]:
    return {key: getattr(one, key) for key in names_in(shape)}


def _pieces(text: str) -> tuple[str, ...]:
    return tuple(text.split())
