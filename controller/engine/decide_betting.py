"""What chips on sensors and the closing of the bets mean. No I/O here."""

from collections.abc import Iterator

from controller.engine import inputs as heard
from controller.engine import jackpot
from controller.engine.due import is_lost, require
from controller.engine.events import ChipCleared, ChipLaid, ChipPassedBy, DealerTold, Event, SensorDoubted
from controller.engine.jackpot import E4
from controller.engine.jackpot_events import ChipContributed, ContributionReturned
from controller.engine.table import Table
from controller.rulebook.events import BettingClosed, IncrementEntered
from controller.rulebook.games import game_of
from controller.rulebook.refusal import Refusal
from controller.rulebook.round import Round

MOST_EDGES = 4  # hands lay a chip, take it back and lay another; a sensor that says more is not believed


def chip_heard(table: Table, input: heard.ChipSensed | heard.ChipPassed | heard.ChipGone) -> Iterator[Event]:
    """A sensor moved. One that moves faster than hands is doubted, and not listened to in this betting any more."""
    seat, counter = input.seat, input.counter
    chip = table.slots.get(seat)
    if chip is not None and chip.state == "doubtful":
        return
    if isinstance(input, heard.ChipGone):
        yield ChipCleared(seat=seat, counter=counter)
        return
    bounces = isinstance(input, heard.ChipSensed) and input.edges > 1
    if bounces or table.edges.get(seat, 0) + input.edges > MOST_EDGES:
        yield SensorDoubted(seat=seat, counter=counter)
        yield DealerTold(notice="doubtful_sensor", seat=seat)
    elif isinstance(input, heard.ChipPassed):
        yield ChipPassedBy(seat=seat, counter=counter, edges=input.edges)
        yield DealerTold(notice="chip_came_and_went", seat=seat)
    else:
        # Once a round is paid its lamps are out: a chip laid then is for the next one.
        late = table.round is not None and table.round.locked and not table.round.confirmed
        yield ChipLaid(seat=seat, counter=counter, late=late, edges=input.edges)
        if late:
            yield DealerTold(notice="late_chip", seat=seat)


def lock_in(table: Table) -> Iterator[Event]:
    """No more bets (10.º 3): which chips count, what each of the others is told, what the meter takes in."""
    round = require(table, "wagers")
    laid = tuple(sorted(seat for seat, chip in table.slots.items() if chip.state == "placed"))
    stopped = next((device for device in ("slots", "sign") if is_lost(table, device)), None)
    meter = table.meter
    too_many = meter is not None and len(laid) > meter.parameters.unreasonable_chips
    offered = bool(round.terms.chip) and stopped is None and not too_many
    closed = game_of(round).close_betting(round, laid if offered else ())
    yield closed
    for seat in closed.returned:
        yield DealerTold(notice="chip_without_basic_bet", seat=seat)
    for seat in closed.carried_back:
        yield DealerTold(notice="carried_chip_back", seat=seat)
    for seat, chip in sorted(table.slots.items()):
        if stopped is not None:
            yield DealerTold(notice="slots_lost" if stopped == "slots" else "sign_lost", seat=seat)
        elif chip.state == "placed" and seat in closed.carried:
            yield DealerTold(notice="chip_beside_carried", seat=seat)
        elif chip.state == "counted" and seat not in closed.carried_back:
            yield DealerTold(notice="unswept_chip", seat=seat)
        elif chip.state in ("late", "invalid", "doubtful"):
            yield DealerTold(notice="chip_not_taken_back", seat=seat)
    if too_many:
        yield DealerTold(notice="unreasonable_chips", text=str(len(laid)))
    yield from move_contributions(table, round, closed)


def move_contributions(
    table: Table, round: Round, closed: BettingClosed
) -> Iterator[ChipContributed | ContributionReturned]:
    """What the meter takes in for the chips that count now, and gives back for those that do not."""
    meter = table.meter
    if meter is None:
        return
    for contributed in table.contributed:
        if contributed.seat not in closed.chips:
            returned = jackpot.give_back(contributed)
            meter = jackpot.advance(meter, returned)
            yield returned
    has = {contributed.seat for contributed in table.contributed}
    for seat in closed.chips:
        if seat not in has:
            made = jackpot.contribution(meter, round.id, seat)
            meter = jackpot.advance(meter, made)
            yield made


def increment(table: Table, input: heard.EnterIncrement) -> Iterator[Event]:
    """What the dealer put on the display must be what the chips of this round add to the pot (black-jack 41 b))."""
    require(table, "increment")
    meter = table.meter
    if meter is None:
        raise TypeError("chips without a meter")
    before_e4 = meter.pot_e4 - sum(chip.to_pot_e4 for chip in table.contributed)
    due = meter.pot - before_e4 // E4
    if input.amount != due:
        raise Refusal("amount", f"{len(table.contributed)} chips add {due}, not {input.amount}", "41 b)")
    yield IncrementEntered(amount=input.amount, actor=input.actor)
