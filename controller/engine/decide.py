"""What an input means at the table as it stands: events, or a refusal with who, why and which article. No I/O here."""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from controller.engine import inputs as heard
from controller.engine import jackpot
from controller.engine.decide_jackpot import award_hits, confirm_hit, give_chips_back, payable_after, read_parameters
from controller.engine.events import (
    ChipCleared,
    ChipLaid,
    DealerTold,
    DeviceForgotten,
    DeviceLost,
    DeviceReported,
    DeviceUp,
    Event,
    OrdersSpent,
    TableClosed,
    TableOpened,
)
from controller.engine.inputs import FromPerson, Input, PersonInput
from controller.engine.table import Table, next_step
from controller.rulebook.cards import Card
from controller.rulebook.events import (
    CardsDealt,
    CardsShown,
    CardsShuffled,
    ClaimsClosed,
    DecisionMade,
    RoundBegun,
    RoundConfirmed,
    RoundSettled,
    RoundVoided,
    Terms,
    WagerPlaced,
)
from controller.rulebook.fortune_3_card_poker import round as law
from controller.rulebook.fortune_3_card_poker.round import Round
from controller.rulebook.fortune_3_card_poker.settle import JackpotTerms
from controller.rulebook.refusal import Refusal
from controller.rulebook.steps import StepKind

Vault = Mapping[int, Card | None]
"""The values of this round's cards by draw number; None is a card its source could not read."""


AT_THE_TABLE = ("dealer", "supervisor")


class Settings(msgspec.Struct, frozen=True):
    """What the configuration says of play: the terms of the next round, and who may act in which role."""

    terms: Terms
    people: dict[str, str]


class Decision(msgspec.Struct, frozen=True):
    """The events of an input, and the values of the cards it drew, which belong in the vault and nowhere else."""

    events: tuple[Event, ...]
    drawn: dict[int, Card | None] = {}

    def __repr__(self) -> str:
        return f"Decision({len(self.events)} events, {len(self.drawn)} cards)"


class StaleStep(Exception):
    """An answer to a step that is no longer the table's; `current` is the one that is."""

    def __init__(self, current: str) -> None:
        super().__init__(current)
        self.current = current


def check_answers(table: Table, answers: Sequence[FromPerson], settings: Settings) -> None:
    """Raise StaleStep or Refusal where a person answers another step, or is nobody the configuration knows.

    All answers given together answer the step that the person saw, though the first of them may lead to the next.
    """
    for answer in answers:
        if answer.actor not in settings.people:
            raise Refusal("actor", f"{answer.actor!r} is not in the configuration's [people]", "policy: named actors")
        if settings.people[answer.actor] not in AT_THE_TABLE:
            role = settings.people[answer.actor]
            raise Refusal(
                "actor", f"{answer.actor} is a {role}; {' or '.join(AT_THE_TABLE)} acts here", "policy: roles"
            )
        step = f"hit/{answer.hit}" if isinstance(answer, heard.ConfirmHit) else next_step(table).id
        if answer.step_id != step:
            raise StaleStep(step)


def decide(table: Table, input: Input, settings: Settings, vault: Vault) -> Decision:
    """The events an input causes. Raises Refusal. Only revealing reads the vault."""
    if isinstance(input, heard.CardsHeard):
        return _cards(table, input)
    if isinstance(input, PersonInput):
        return Decision(events=tuple(_answer(table, input, settings, vault)))
    return Decision(events=tuple(_signal(table, input)))


def _answer(table: Table, input: FromPerson, settings: Settings, vault: Vault) -> Iterator[Event]:
    match input:
        case heard.OpenTable():
            _require(table, "open")
            yield TableOpened(actor=input.actor)
        case heard.CloseTable():
            _require(table, "begin")
            yield TableClosed(actor=input.actor)
        case heard.BeginRound():
            _require(table, "begin")
            number = table.rounds + 1
            orders_from = max(number * law.ORDERS_PER_ROUND, table.orders_spent)
            yield RoundBegun(round=number, terms=_terms(table, settings), orders_from=orders_from)
        case heard.Shuffled():
            if _require(table, "shuffle").terms.source == "shuffler":
                raise Refusal("table", "the shuffler shuffles and says itself when it is done", "9.º 3")
            yield CardsShuffled(count=None)
        case heard.PlaceWager(seat=seat, wager=wager, amount=amount):
            law.check_wager(_require(table, "wagers"), seat, wager, amount)
            yield WagerPlaced(seat=seat, wager=wager, amount=amount, player=input.player)
        case heard.LockIn():
            yield from _lock_in(table)
        case heard.Decide(seat=seat, decision=decision, hand=hand):
            law.check_decision(_require(table, "decisions"), seat, decision)
            if hand != 1:
                raise Refusal(f"seat {seat}", "has one hand, number 1", "11.º")
            yield DecisionMade(seat=seat, hand=hand, decision=decision)
        case heard.Reveal(to=place):
            yield from _reveal(table, place, vault)
        case heard.Confirm():
            round_id = _require(table, "confirm").id
            yield RoundConfirmed(actor=input.actor)
            yield from payable_after(table, round_id)
        case heard.CloseClaims():
            _require(table, "claims")
            yield ClaimsClosed(cards=None)
        case heard.ConfirmHit(hit=number):
            yield from confirm_hit(table, number, input.actor, settings.people[input.actor])


def _signal(table: Table, input: Input) -> Iterator[Event]:
    match input:
        case heard.ChipSensed(seat=seat, counter=counter):
            # Once a round is paid its lamps are out: a chip laid then is for the next one.
            late = table.round is not None and table.round.locked and not table.round.confirmed
            yield ChipLaid(seat=seat, counter=counter, late=late)
            if late:
                yield DealerTold(notice="late_chip", seat=seat)
        case heard.ChipGone(seat=seat, counter=counter):
            yield ChipCleared(seat=seat, counter=counter)
        case heard.LockInPressed():
            try:
                yield from tuple(_lock_in(table))
            except Refusal as refusal:
                # A button has no screen of its own: what it is refused must be told on the dealer's.
                yield DealerTold(notice="lock_in_refused", text=str(refusal))
        case heard.ShuffleHeard(order=order, count=count):
            step = next_step(table)
            if step.kind == "shuffle" and step.order == order:
                yield CardsShuffled(count=count)
        case heard.InsertionHeard(count=count):
            if next_step(table).kind == "claims":
                yield ClaimsClosed(cards=count)
        case heard.ShufflerGreeted(last_order=last_order):
            yield from _orders_spent(table, last_order)
        case heard.DevicesConfigured(devices=devices):
            for device in sorted(set(table.devices) - set(devices)):
                yield DeviceForgotten(device=device)
        case heard.DeviceFound(device=device, outage_ms=outage_ms, tries=tries):
            if not isinstance(table.devices.get(device), DeviceUp):
                yield DeviceUp(device=device, outage_ms=outage_ms, tries=tries)
        case heard.DeviceMissed(device=device, reason=reason):
            if not isinstance(table.devices.get(device), DeviceLost):
                yield DeviceLost(device=device, reason=reason)
        case heard.DeviceSaid(device=device, what=what, text=text):
            yield DeviceReported(device=device, what=what, text=text)
            if what == "reports_lost" and device == "shoe" and _deals_from(table, "shoe"):
                # Which place the card went to is not known: every later card would be counted for the wrong hand.
                yield from _void(table, "policy: every card heard", "the shoe's report of a card never arrived")
        case heard.ParametersRead():
            yield from read_parameters(table, input)


def _deals_from(table: Table, source: str) -> bool:
    return table.round is not None and table.round.terms.source == source and next_step(table).kind == "deal"


def _orders_spent(table: Table, last_order: int) -> Iterator[Event]:
    """A machine that has carried out orders this journal never gave ignores every number up to its last one."""
    step = next_step(table)
    given = step.order if step.order is not None else table.rounds * law.ORDERS_PER_ROUND + law.ORDERS_PER_ROUND - 1
    if last_order <= max(given, table.orders_spent):
        return
    yield OrdersSpent(last_order=last_order)
    if step.order is not None:
        yield from _void(table, "policy: another shuffler", "the shuffler was replaced in the middle of a round")


def _require(table: Table, kind: StepKind) -> Round:
    step = next_step(table)
    if step.kind != kind:
        raise Refusal("table", f"this is the time for {step.kind!r}, not for {kind!r}", "8.º")
    return table.round  # type: ignore[return-value]  # "open" and "begin" have no round and their callers want none


def _terms(table: Table, settings: Settings) -> Terms:
    """The configuration's terms, with the chip of the running pot: a new value waits until the pot is won."""
    if table.meter is None or not settings.terms.chip:
        return settings.terms
    return msgspec.structs.replace(settings.terms, chip=table.meter.parameters.chip)


def _lock_in(table: Table) -> Iterator[Event]:
    round = _require(table, "wagers")
    laid = tuple(sorted(seat for seat, chip in table.slots.items() if chip.state == "placed"))
    slots_lost = isinstance(table.devices.get("slots"), DeviceLost)
    closed = law.close_betting(round, laid if round.terms.chip and not slots_lost else ())
    meter = table.meter
    if meter is not None and len(closed.chips) > meter.parameters.unreasonable_chips:
        raise Refusal(
            "slots",
            f"{len(closed.chips)} chips at once, more than the {meter.parameters.unreasonable_chips} held reasonable",
            "policy: unreasonable contribution",
        )
    yield closed
    for seat in closed.returned:
        yield DealerTold(notice="chip_without_basic_bet", seat=seat)
    for seat, chip in table.slots.items():
        if slots_lost:
            yield DealerTold(notice="slots_lost", seat=seat)
        elif chip.state == "counted":
            yield DealerTold(notice="unswept_chip", seat=seat)
        elif chip.state in ("late", "invalid"):
            yield DealerTold(notice="chip_not_taken_back", seat=seat)
    if meter is not None:
        for seat in closed.chips:
            contributed = jackpot.contribution(meter, round.id, seat)
            meter = jackpot.advance(meter, contributed)
            yield contributed


def _cards(table: Table, input: heard.CardsHeard) -> Decision:
    step = next_step(table)
    round = table.round
    if round is None or step.kind != "deal" or step.order != input.order or round.terms.source != input.source:
        return Decision(events=(DealerTold(notice="card_not_due"),))
    first = round.draws + 1
    draws = tuple(range(first, first + len(input.cards)))
    drawn = dict(zip(draws, input.cards, strict=True))
    if len(draws) != len(step.to):
        reason = f"{len(draws)} cards came where {len(step.to)} were due"
        return Decision(events=tuple(_void(table, "17.º 1 1)", reason)), drawn=drawn)
    return Decision(events=(CardsDealt(draws=draws, to=step.to, order=input.order),), drawn=drawn)


def _reveal(table: Table, place: str, vault: Vault) -> Iterator[Event]:
    round = _require(table, "reveal")
    due = next_step(table).to[0]
    if place != due:
        raise Refusal(place, f"{due} is to be turned first", "13.º")
    cards = tuple(vault.get(draw) for draw in round.draws_at(place))
    known = tuple(card for card in cards if card is not None)
    every = [card for card in vault.values() if card is not None]
    if len(known) != len(cards) or len(set(every)) != len(every):
        # Which card is missing or doubled is not said: the others still lie face down.
        yield from _void(table, "policy: complete deck", "a card could not be read, or one card came twice")
        return
    yield CardsShown(to=place, cards=known)
    shown = law.advance(round, CardsShown(to=place, cards=known))
    if law.next_step(shown).kind == "confirm":
        yield from _settle(table, shown)


def _settle(table: Table, round: Round) -> Iterator[Event]:
    meter = table.meter
    terms = None
    if meter is not None and round.terms.chip:
        restarts_at = (meter.scheduled or meter.parameters).minimum
        terms = JackpotTerms(pot=meter.pot, minimum=restarts_at, fixed=meter.parameters.fixed)
    settlement = law.settle_round(round, terms)
    yield RoundSettled(settlement=settlement)
    if meter is not None:
        yield from award_hits(meter, round.id, settlement)


def _void(table: Table, article: str, reason: str) -> Iterator[Event]:
    round = table.round
    if round is None:
        raise TypeError("no round to void")
    yield RoundVoided(article=article, reason=reason)
    meter = table.meter
    for returned in give_chips_back(table):
        meter = jackpot.advance(meter, returned)
        yield returned
    pot = meter.pot if meter is not None and round.terms.chip else None
    yield RoundSettled(settlement=law.void_round(round, article, pot))
