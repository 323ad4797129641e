"""Deciders for the chips on sensors and for the end of betting. No I/O here."""

from controller.engine.decisions.decision import Course, DeviceInput, Input, Row, at
from controller.engine.reasons import TableReason
from controller.engine.state import jackpot
from controller.engine.state.current import is_lost, refuse_unless
from controller.engine.state.events import ChipCleared, ChipPassedBy, ChipPlaced, DealerNotified, Notice, SensorDoubted
from controller.engine.state.jackpot import E4
from controller.engine.state.persons import PersonInput
from controller.engine.state.table import PIT
from controller.rulebook.events import BettingClosed, Deal, DealAnnounced, IncrementEntered, WagerPlaced
from controller.rulebook.parts.faults import DeviceName
from controller.rulebook.reading import check_name
from controller.rulebook.refusal import Refusal, because
from controller.rulebook.steps import seat_place

STOPPED: dict[DeviceName, Notice] = {"slots": "slots_lost", "sign": "sign_lost"}
"""The devices without which no jackpot chip counts, and the report made if one of them is missing."""
MOST_EDGES = 4  # hands place a chip, take it back and place another; a sensor that says more is not believed


class PlaceWager(PersonInput, frozen=True, tag="wager"):
    """Sets the amount on a betting space, in minor units; 0 takes the wager back. In a box for several players it is
    this player's part.
    """

    seat: int
    wager: str
    amount: int
    player: str | None = None


def place_wager(course: Course, input: PlaceWager) -> None:
    """Places or changes the wager on a betting space; 0 takes it back."""
    seat, wager, amount, player = input.seat, input.wager, input.amount, input.player
    if player is not None:
        check_name(player, seat_place(seat), wager)
    course.game.check_wager(course.round, seat, wager, amount, player)
    course.record(WagerPlaced(seat=seat, wager=wager, amount=amount, player=player))


class ChipSensed(DeviceInput, frozen=True):
    """A chip came onto the sensor of a seat; `counter` is the sensor's event counter, which moved by `edges`."""

    seat: int
    counter: int
    edges: int = 1


class ChipPassed(DeviceInput, frozen=True):
    """A chip came and went between two readings of a sensor: its counter moved by `edges`."""

    seat: int
    counter: int
    edges: int


class ChipGone(DeviceInput, frozen=True):
    """The sensor of a seat is free."""

    seat: int
    counter: int


def chip_reported(course: Course, input: ChipSensed | ChipPassed | ChipGone) -> None:
    """A sensor moved. One that moves faster than hands can is doubted and ignored for the rest of this betting."""
    table, seat, counter = course.table, input.seat, input.counter
    chip = table.slots.get(seat)
    if chip is not None and chip.state == "doubtful":
        return
    if isinstance(input, ChipGone):
        course.record(ChipCleared(seat=seat, counter=counter))
        return
    bounces = isinstance(input, ChipSensed) and input.edges > 1
    if bounces or table.edges.get(seat, 0) + input.edges > MOST_EDGES:
        course.record(SensorDoubted(seat=seat, counter=counter))
        course.notify("doubtful_sensor", seat)
    elif isinstance(input, ChipPassed):
        course.record(ChipPassedBy(seat=seat, counter=counter, edges=input.edges))
        course.notify("chip_came_and_went", seat)
    else:
        # Once a round is paid its lamps are out: a chip placed then is for the next one.
        late = table.round is not None and table.round.locked and not table.round.confirmed
        course.record(ChipPlaced(seat=seat, counter=counter, late=late, edges=input.edges))
        if late:
            course.notify("late_chip", seat)


class Announce(PersonInput, frozen=True):
    """Which spaces get a card (Fortune 8, 4.º 6), or how many places the casino deals to (Taiwan-Pai Kao, 2.º d))."""

    deal: Deal


def announce(course: Course, input: Announce) -> None:
    """The dealer says which places are dealt to, at Taiwan-Pai Kao for the casino."""
    course.game.deck.refuse_deal(input.deal)
    course.record(DealAnnounced(deal=input.deal, actor=input.actor))


class LockInPressed(DeviceInput, frozen=True):
    """The lock-in button beside the slots."""


def lock_in_pressed(course: Course, _: LockInPressed) -> None:
    """The button beside the slots was pressed. It has no screen: a refusal is shown on the dealer's."""
    try:
        refuse_unless(course.table, "wagers")
        close_betting(course)
    except Refusal as refusal:
        why = because(TableReason.REFUSED_AT, who=refusal.who, why=refusal.reason, article=refusal.article or "-")
        course.record(DealerNotified(notice="lock_in_refused", why=why))


class LockIn(PersonInput, frozen=True):
    """No more bets: count and contribute the jackpot chips."""


def lock_in(course: Course, _: LockIn) -> None:
    """The dealer closes the bets."""
    close_betting(course)


def close_betting(course: Course) -> None:
    """The end of betting (10.º 3): which chips count, the notices for the others, and the contributions to the
    meter.
    """
    table, round = course.table, course.round
    placed = tuple(sorted(seat for seat, chip in table.slots.items() if chip.state == "placed"))
    stopped = next((notice for device, notice in STOPPED.items() if is_lost(table, device)), None)
    # A pot whose pit does not accept this round is not on display, whatever the sign shows.
    without_pit = table.link is not None and table.link.accepts != round.id
    if without_pit:
        stopped = stopped or "sign_lost"
    meter = table.meter
    too_many = meter is not None and len(placed) > meter.parameters.unreasonable_chips
    offered = bool(round.terms.chip) and stopped is None and not too_many
    closed = course.game.close_betting(round, placed if offered else ())
    course.record(closed)
    for seat in closed.returned:
        course.notify("chip_without_basic_bet", seat)
    for seat in closed.carried_back:
        course.notify("carried_chip_back", seat)
    for seat, chip in sorted(table.slots.items()):
        if stopped is not None:
            course.notify(stopped, seat, text=PIT if without_pit and stopped == "sign_lost" else None)
        elif chip.state == "placed" and seat in closed.carried:
            course.notify("chip_beside_carried", seat)
        elif chip.state == "counted" and seat not in closed.carried_back:
            course.notify("unswept_chip", seat)
        elif chip.state in ("late", "invalid", "doubtful"):
            course.notify("chip_not_taken_back", seat)
    if too_many:
        course.notify("unreasonable_chips", text=str(len(placed)))
    move_contributions(course, closed)


def move_contributions(course: Course, closed: BettingClosed) -> None:
    """The contributions to the meter for chips that count now, and those given back for chips that do not."""
    if course.table.meter is None:
        return
    for contributed in course.table.contributed:
        if (contributed.seat, contributed.player or "") not in closed.counted:
            course.record(jackpot.give_back(contributed))
    has = {(contributed.seat, contributed.player or "") for contributed in course.table.contributed}
    for seat, player in closed.counted:
        if (seat, player) not in has:
            course.record(jackpot.contribution(course.meter, course.round.id, seat, player))


class EnterIncrement(PersonInput, frozen=True, tag="increment"):
    """The increment that the dealer entered on the display for the chips of this round, minor units (black-jack 41
    b)).
    """

    amount: int


def increment(course: Course, input: EnterIncrement) -> None:
    """Checks that the dealer's amount on the display is the sum of this round's chips (black-jack 41 b))."""
    meter, contributed = course.meter, course.table.contributed
    before_e4 = meter.pot_e4 - sum(chip.to_pot_e4 for chip in contributed)
    due = meter.pot - before_e4 // E4
    if input.amount != due:
        raise Refusal("amount", TableReason.CHIPS_ADD, "41 b)", chips=len(contributed), due=due, amount=input.amount)
    course.record(IncrementEntered(amount=input.amount, actor=input.actor))


ROWS: dict[type[Input], Row] = {
    Announce: Row(announce, at("announce")),
    PlaceWager: Row(place_wager, at("wagers")),
    LockIn: Row(lock_in, at("wagers")),
    EnterIncrement: Row(increment, at("increment")),
    ChipSensed: Row(chip_reported),
    ChipPassed: Row(chip_reported),
    ChipGone: Row(chip_reported),
    LockInPressed: Row(lock_in_pressed),
}
