"""Device messages to inputs, and effects to device orders: the only place that knows both. No I/O here."""

from collections.abc import Iterator

from controller.engine.decisions.betting import ChipGone, ChipPassed, ChipSensed, LockInPressed
from controller.engine.decisions.cards import DeckChecked, ReportsMissed, ShuffleReported
from controller.engine.decisions.decision import DeviceInput
from controller.engine.decisions.devices import DeviceFound, DeviceMissed, DeviceReport, ShufflerGreeted
from controller.engine.decisions.played import CardsReported
from controller.engine.decisions.session import InsertionReported
from controller.engine.shown.device_orders import Effects
from controller.engine.state.events import DeviceRemark
from controller.engine.state.table import Table, next_step
from controller.rulebook.cards import Card
from controller.rulebook.parts.faults import DeviceName
from controller.rulebook.refusal import Value
from drivers import messages
from drivers.messages import Message, SlotsRead
from drivers.orders import DispenseOrder, LampStates, NoOrder, Order, ShoeLock, ShuffleOrder, SignFace
from drivers.wiring import Wiring

COUNTER_RANGE = 65536
TEST_PAGE, TEST_AMOUNT = "TEST {amount}", "0123456789"
UNREAD_CARD = 1  # the shoe's error: a card on its way out that it did not recognise


class Translator:
    """Translates devices' messages into inputs; it knows how the slots are wired, and has no state.

    If it `follows` another controller, cards from the shuffler count as those due, since that controller gave the
    orders.
    """

    def __init__(self, wiring: Wiring | None, follows: bool = False) -> None:
        self._wiring, self._follows = wiring, follows

    def inputs(self, device: DeviceName, message: Message, table: Table) -> Iterator[DeviceInput]:
        """The inputs that a message causes at the present table; none for a message without meaning there."""
        match message:
            case messages.LinkUp(outage_seconds=outage, tries=tries):
                yield DeviceFound(device=device, outage_ms=round(outage * 1000), tries=tries)
            case messages.LinkLost(reason=reason, cause=cause):
                yield DeviceMissed(device=device, reason=reason, cause=cause)
            case messages.PacketDispensed(order=order, cards=cards):
                due = next_step(table).order if self._follows else order
                yield CardsReported(source="shuffler", cards=tuple(map(_card, cards)), order=due)
            case messages.CardDrawn(card=card):
                yield CardsReported(source="shoe", cards=(_card(card),))
            case messages.CardDrawnOutOfTurn(card=card):
                # In error or before the lock was open, it left the shoe and was read all the same.
                yield from _reported(device, message)
                yield CardsReported(source="shoe", cards=(_card(card),))
            case messages.CardDispensed(card=card):
                yield CardsReported(source="shuffler", cards=(_card(card),))
            case messages.ShuffleDone(order=order, count=count):
                done = next_step(table).order if self._follows else order
                yield ShuffleReported(order=order if done is None else done, count=count)
            case messages.ShufflerHello(boot=boot, mode=mode, last_order=last_order):
                yield ShufflerGreeted(boot=boot, last_order=last_order, mode=mode)
            case messages.DeckChecked(found=found, missing=missing, duplicate=duplicate):
                yield from _reported(device, message)
                yield DeckChecked(found=found, missing=len(missing), duplicated=len(duplicate))
            case messages.ReportsLost(count=count) if device == "shoe":
                yield from _reported(device, message)
                yield ReportsMissed(count=count, gap_cause="reports_lost")
            case messages.ShoeStarted():
                yield from _reported(device, message)
                yield ReportsMissed(count=None, gap_cause="restarted")
            case messages.CardsInserted(count=count):
                yield InsertionReported(count=count)
            case SlotsRead():
                yield from self._slots(message, table)
            case messages.ShoeError(code=code) if code == UNREAD_CARD:
                # No CardDrawn follows: the error is all that is received a card that has left the shoe.
                yield CardsReported(source="shoe", cards=(None,))
                yield from _reported(device, message)
            case messages.ShoeError():
                # Two cards at once, a card pushed back, a draw that took too long: what left the shoe must be counted.
                yield from _reported(device, message)
                yield ReportsMissed(count=None, gap_cause="error")
            case _:
                yield from _reported(device, message)

    def _slots(self, read: SlotsRead, table: Table) -> Iterator[DeviceInput]:
        wiring = self._wiring
        if wiring is None:
            return
        # The first reading of a link is the measure: a press that no one was listening to does not lock a table. A chip
        # placed meanwhile shows in the counter, where an earlier one was.
        first = read.before is None
        before = read.counters if read.before is None else read.before
        for line, seat in sorted(wiring.seats.items()):
            counter, is_covered = read.counters[line], seat in table.slots
            edges = _edges(table.slots[seat].counter if first and is_covered else before[line], counter)
            if is_covered and (not read.levels[line] or edges):
                yield ChipGone(seat=seat, counter=counter)
                is_covered = False
            if read.levels[line] and not is_covered:
                # Over an outage several edges are several chips; within one poll they are a bouncing sensor.
                yield ChipSensed(seat=seat, counter=counter, edges=1 if first else max(edges, 1))
            elif edges:
                yield ChipPassed(seat=seat, counter=counter, edges=edges)
        if read.counters[wiring.button_input] != before[wiring.button_input]:
            yield LockInPressed()

    def orders(self, effects: Effects) -> dict[str, Order]:
        """The state each device shall be in."""
        work = effects.shuffler
        shuffler: Order = NoOrder()
        if work is not None:
            shuffler = DispenseOrder(work.order, work.count) if work.count else ShuffleOrder(work.order)
        orders: dict[str, Order] = {"shuffler": shuffler, "shoe": ShoeLock(effects.shoe_locked)}
        if self._wiring is not None:
            wiring = self._wiring
            lamps = {seat: line for line, seat in wiring.seats.items()} if wiring.lamps is None else wiring.lamps
            lit = {lamp for seat, lamp in lamps.items() if seat in effects.lamps.lit_seats}
            if effects.lamps.lock:
                lit.add(wiring.lock_lamp_relay)
            orders["slots"] = LampStates(tuple(line in lit for line in range(wiring.lines)), effects.in_play)
        if effects.sign is not None:
            orders["sign"] = SignFace(tuple(page.text for page in effects.sign.pages), effects.sign.amount_text)
        return orders

    def trials(self, effects: Effects) -> dict[str, tuple[DeviceName, Order]]:
        """The tests that a technician may start on the devices of a closed table."""
        trials: dict[str, tuple[DeviceName, Order]] = {"lock": ("shoe", ShoeLock(not effects.shoe_locked))}
        if self._wiring is not None:
            wiring = self._wiring
            lit = {*(wiring.seats if wiring.lamps is None else wiring.lamps.values()), wiring.lock_lamp_relay}
            trials["lamps"] = "slots", LampStates(tuple(line in lit for line in range(wiring.lines)), in_play=False)
        return {**trials, "sign": ("sign", SignFace((TEST_PAGE,), TEST_AMOUNT))}


def _edges(before: int, now: int) -> int:
    """Chips sensed between two values of a wrapping counter; none if a unit without power counts from 0 again."""
    edges = (now - before) % COUNTER_RANGE
    return edges if edges < COUNTER_RANGE // 2 else 0


def _card(text: str | None) -> Card | None:
    return None if text is None else Card(text)


def _reported(device: DeviceName, message: Message) -> Iterator[DeviceInput]:
    reported = _report(message)
    if reported is not None:
        what, values = reported
        details = message.text if isinstance(message, messages.ShoeError | messages.ShoeRefused) else ""
        yield DeviceReport(device, what, details, values)


def _report(message: Message) -> tuple[DeviceRemark, dict[str, Value]] | None:
    """The report of a device about itself, with values that name no card."""
    match message:
        case messages.NoiseReceived(count=count):
            return "noise", {"count": count}
        case messages.ReportsLost(count=count):
            return "reports_lost", {"count": count}
        case messages.ShoeError(code=code):
            return "error", {"code": code}
        case messages.ShoeErrorCleared(code=code):
            return "error_cleared", {"code": code}
        case messages.ShoeRefused(code=code):
            return "refused", {"code": code}
        case messages.CardDrawnOutOfTurn(state=state):
            return "out_of_turn", {"state": state}
        case messages.CutCardSeen():
            return "cut_card", {}
        case messages.Jammed(order=order):
            return "jam", {"order": order}
        case messages.Cleared():
            return "cleared", {}
        case messages.Misread(position=position):
            return "misread", {"position": position}
        case messages.DamagedCard(position=position):
            return "damaged_card", {"position": position}
        case messages.DeckChecked(expected=expected, found=found):
            return "deck_check", {"found": found, "expected": expected}
        case messages.LidOpened():
            return "lid_opened", {}
        case messages.LidClosed():
            return "lid_closed", {}
        case messages.ShoeStarted():
            return "restarted", {}
        case _:
            return None
