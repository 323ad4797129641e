"""Device messages to inputs, effects to device orders: the only place that knows both. No I/O here."""

from collections.abc import Iterator

import msgspec

from controller.engine import inputs
from controller.engine.inputs import DeviceSaid, FromDevice
from controller.engine.react import Effects
from controller.engine.table import Table
from controller.rulebook.cards import Card
from drivers import messages
from drivers.messages import Message, SlotsRead
from drivers.orders import DispenseOrder, Lamps, NoOrder, Order, ShoeLock, ShuffleOrder, SignFace

INPUTS = 8  # of an ADU218, and as many relays
UNREAD_CARD = 1  # the shoe's error: a card on its way out that it did not recognise


class Wiring(msgspec.Struct, frozen=True):
    """Which slot input and relay belong to which seat, and the button's and the lock lamp's."""

    seats: dict[int, int]
    button_input: int
    lock_lamp_relay: int


class Translator:
    """Holds what is not the table's: the event counters of the slots at their last reading on this link."""

    def __init__(self, wiring: Wiring | None) -> None:
        self._wiring = wiring
        self._counters: tuple[int, ...] | None = None

    def inputs(self, device: str, message: Message, table: Table) -> Iterator[FromDevice]:
        """What a message means to the table as it stands; a message that means nothing gives nothing."""
        match message:
            case messages.LinkUp(outage_seconds=outage, tries=tries):
                yield inputs.DeviceFound(device=device, outage_ms=round(outage * 1000), tries=tries)
            case messages.LinkLost(reason=reason):
                self._counters = None
                yield inputs.DeviceMissed(device=device, reason=reason)
            case messages.PacketDispensed(order=order, cards=cards):
                yield inputs.CardsHeard(source="shuffler", cards=tuple(map(_card, cards)), order=order)
            case messages.CardDrawn(card=card):
                yield inputs.CardsHeard(source="shoe", cards=(_card(card),))
            case messages.CardDispensed(card=card):
                yield inputs.CardsHeard(source="shuffler", cards=(_card(card),))
            case messages.ShuffleDone(order=order, count=count):
                yield inputs.ShuffleHeard(order=order, count=count)
            case messages.ShufflerHello(last_order=last_order):
                yield inputs.ShufflerGreeted(last_order=last_order)
            case messages.CardsInserted(count=count):
                yield inputs.InsertionHeard(count=count)
            case SlotsRead():
                yield from self._slots(message, table)
            case messages.ShoeError(code=code) if code == UNREAD_CARD:
                # No CardDrawn follows: the error is all that is heard of a card that has left the shoe.
                yield inputs.CardsHeard(source="shoe", cards=(None,))
                yield from _reported(device, message)
            case _:
                yield from _reported(device, message)

    def _slots(self, read: SlotsRead, table: Table) -> Iterator[FromDevice]:
        wiring = self._wiring
        if wiring is None:
            return
        # The first reading of a link is the measure: a unit that lost its power counts from 0 again, so that what lies
        # there is no new chip, and a press that nobody was listening to does not lock a table.
        before = self._counters if self._counters is not None else read.counters
        self._counters = read.counters
        for line, seat in sorted(wiring.seats.items()):
            counter, lies = read.counters[line], seat in table.slots
            if lies and (not read.levels[line] or counter != before[line]):
                yield inputs.ChipGone(seat=seat, counter=counter)
                lies = False
            if read.levels[line] and not lies:
                yield inputs.ChipSensed(seat=seat, counter=counter)
        if read.counters[wiring.button_input] != before[wiring.button_input]:
            yield inputs.LockInPressed()

    def orders(self, effects: Effects) -> dict[str, Order]:
        """The state each device shall be in."""
        work = effects.shuffler
        shuffler: Order = NoOrder()
        if work is not None:
            shuffler = DispenseOrder(work.order, work.count) if work.count else ShuffleOrder(work.order)
        orders: dict[str, Order] = {"shuffler": shuffler, "shoe": ShoeLock(effects.shoe_locked)}
        if self._wiring is not None:
            lit = {line for line, seat in self._wiring.seats.items() if seat in effects.lamps.seats}
            if effects.lamps.lock:
                lit.add(self._wiring.lock_lamp_relay)
            orders["slots"] = Lamps(tuple(relay in lit for relay in range(INPUTS)))
        if effects.sign is not None:
            orders["sign"] = SignFace(tuple(page.text for page in effects.sign.pages), effects.sign.amount)
        return orders


def _card(text: str | None) -> Card | None:
    return None if text is None else Card(text)


def _reported(device: str, message: Message) -> Iterator[FromDevice]:
    said = _said(message)
    if said is not None:
        yield DeviceSaid(device=device, what=said[0], text=said[1])  # type: ignore[arg-type]


def _said(message: Message) -> tuple[str, str] | None:
    """What a device says of itself, as a kind and a text without any card."""
    match message:
        case messages.NoiseHeard(count=count):
            return "noise", f"{count} bytes made no message"
        case messages.ReportsLost(count=count):
            return "reports_lost", f"{count} reports never arrived"
        case messages.ShoeError(code=code, text=text):
            return "error", f"{code}: {text}"
        case messages.ShoeErrorCleared(code=code):
            return "error_cleared", str(code)
        case messages.ShoeRefused(code=code, text=text):
            return "refused", f"{code}: {text}"
        case messages.CardDrawnOutOfTurn(state=state):
            return "out_of_turn", f"a card was drawn while the shoe was {state}"
        case messages.CutCardSeen():
            return "cut_card", "the cut card was drawn"
        case messages.Jammed(order=order):
            return "jam", f"jam at order {order}"
        case messages.Cleared():
            return "cleared", "the jam is cleared"
        case messages.Misread(position=position):
            return "misread", f"card {position} could not be read"
        case messages.DamagedCard(position=position):
            return "damaged_card", f"card {position} is damaged"
        case messages.DeckChecked(expected=expected, found=found):
            return "deck_check", f"{found} cards found, {expected} expected"
        case messages.LidOpened():
            return "lid_opened", "the lid is open"
        case messages.LidClosed():
            return "lid_closed", "the lid is closed"
        case messages.ShoeStarted():
            return "restarted", "the shoe was switched on"
        case _:
            return None
