"""Driver messages to inputs: every message is received or left out on purpose, and none reports a card as text."""

from typing import Any, get_args

import pytest

from controller.engine.decisions.betting import ChipGone, ChipPassed, ChipSensed, LockInPressed
from controller.engine.decisions.cards import DeckChecked, ReportsMissed, ShuffleReported
from controller.engine.decisions.devices import DeviceFound, DeviceMissed, DeviceReport, ShufflerGreeted
from controller.engine.decisions.played import CardsReported
from controller.engine.decisions.session import BeginRound, InsertionReported, OpenTable
from controller.engine.shown.device_orders import Effects, react
from controller.engine.shown.device_orders import Lamps as LampsLit
from controller.engine.state.applied import apply
from controller.engine.state.events import ChipCleared, ChipPlaced, DeviceReported
from controller.engine.state.table import Table
from controller.queries.shown_words import Speech, words_of
from controller.rulebook.cards import Card
from controller.rulebook.parts.faults import DeviceName
from controller.runtime.translation import Translator
from controller.words import SPOKEN
from drivers import messages
from drivers.messages import SlotsRead
from drivers.orders import DispenseOrder, LampStates, NoOrder, ShoeLock, ShuffleOrder, SignFace
from drivers.wiring import Wiring
from tests.engine.playing import Play

WIRING = Wiring(seats={0: 1, 1: 2, 2: 3}, button_input=7, lock_lamp_relay=6)
CARD = "Qh"

TRANSLATED: dict[Any, Any] = {
    messages.LinkUp(outage_seconds=1.2345, tries=3): [DeviceFound(device="sign", outage_ms=1234, tries=3)],
    messages.LinkLost(reason="gone"): [DeviceMissed(device="sign", reason="gone")],
    messages.NoiseReceived(count=4): ["noise"],
    messages.ReportsLost(count=2): ["reports_lost"],
    messages.ShufflerHello(boot=1, mode="batch", decks=1, last_order=0, model="m", firmware="f"): [
        ShufflerGreeted(boot=1, last_order=0, mode="batch")
    ],
    messages.ShufflerStatus(lid_open=False, hopper=52, state="idle", last_order=0): [],
    messages.ShuffleStarted(order=257): [],
    messages.ShuffleDone(order=257, count=52): [ShuffleReported(order=257, count=52)],
    messages.PacketDispensed(order=258, cards=(CARD, None, CARD)): ["cards"],
    messages.CardDispensed(card=CARD): ["cards"],
    messages.CardsInserted(count=52): [InsertionReported(count=52)],
    messages.LidOpened(): ["lid_opened"],
    messages.LidClosed(): ["lid_closed"],
    messages.DeckChecked(expected=52, found=51, missing=(CARD,), duplicate=(CARD,)): [
        "deck_check",
        DeckChecked(found=51, missing=1, duplicated=1),
    ],
    messages.Jammed(order=258): ["jam"],
    messages.Misread(position=4): ["misread"],
    messages.DamagedCard(position=4): ["damaged_card"],
    messages.Cleared(): ["cleared"],
    messages.ShoeStarted(): ["restarted", ReportsMissed(count=None, gap_cause="restarted")],
    messages.ShoeStandby(): [],
    messages.CutCardSeen(): ["cut_card"],
    messages.CardDrawn(card=CARD): ["cards"],
    messages.CardDrawnOutOfTurn(state="locked", card=CARD): ["out_of_turn", "cards"],
    messages.ReportRepeated(): [],
    messages.ReportUnknown(code=9): [],
    messages.ShoeError(code=3, text="button misused"): ["error", ReportsMissed(count=None, gap_cause="error")],
    messages.ShoeErrorCleared(code=3): ["error_cleared"],
    messages.ShoeLocked(locked=True): [],
    messages.ShoeRefused(code=1, text="busy"): ["refused"],
    messages.PresetChanged(): [],
    SlotsRead(levels=(False,) * 8, counters=(0,) * 8): [],
}


def translated(message: Any, device: DeviceName = "sign") -> list[Any]:
    return list(Translator(WIRING).inputs(device, message, Table()))


def test_every_driver_message_is_translated_or_left_out_on_purpose() -> None:
    assert {type(message) for message in TRANSLATED} == set(get_args(messages.Message))


@pytest.mark.parametrize(("message", "expected"), TRANSLATED.items(), ids=lambda value: type(value).__name__)
def test_what_each_driver_message_means(message: Any, expected: list[Any]) -> None:
    inputs = translated(message)
    kinds = [
        input.what if isinstance(input, DeviceReport) else "cards" if isinstance(input, CardsReported) else input
        for input in inputs
    ]
    assert kinds == expected


@pytest.mark.parametrize("message", TRANSLATED, ids=lambda value: type(value).__name__)
def test_art_18_3_no_report_of_a_device_names_a_card(message: Any) -> None:
    for input in translated(message):
        assert CARD not in repr(input)


SPEECH = Speech(Play().to_wagers().round.terms, "MOP", 2)


@pytest.mark.parametrize("message", TRANSLATED, ids=lambda value: type(value).__name__)
def test_what_a_device_reports_is_kept_as_code_and_values_and_read_in_every_language(message: Any) -> None:
    for input in translated(message, device="shoe"):
        if isinstance(input, DeviceReport):
            event = DeviceReported(input.device, input.what, input.details, input.values)
            texts = words_of(event, SPEECH)
            assert texts is not None and len(set(texts.values())) == len(SPOKEN)
            assert not input.details or not any(input.details in text for text in texts.values())


def test_cards_keep_their_order_and_their_source() -> None:
    assert translated(messages.PacketDispensed(order=258, cards=("As", None, "2c")))[0].cards == ("As", None, "2c")
    packet = translated(messages.PacketDispensed(order=258, cards=("As",)))[0]
    assert (packet.source, packet.order) == ("shuffler", 258)
    drawn = translated(messages.CardDrawn(card="As"))[0]
    assert (drawn.source, drawn.order, drawn.cards) == ("shoe", None, ("As",))
    assert translated(messages.CardDrawn(card=None))[0].cards == (None,)
    out_of_turn = messages.CardDrawnOutOfTurn(state="locked", card=CARD)
    assert translated(out_of_turn)[1] == CardsReported(source="shoe", cards=(Card(CARD),))


def test_an_unread_card_out_of_the_shoe_comes_as_an_error_alone_and_takes_its_place_in_the_deal() -> None:
    play = Play(source="shoe").to_wagers().bet(1, ante=100)
    play.lock()
    inputs = translated(messages.ShoeError(code=1, text="card cannot be read"), device="shoe")
    assert [type(input) for input in inputs] == [CardsReported, DeviceReport]
    assert inputs[0] == CardsReported(source="shoe", cards=(None,)) and inputs[1].what == "error"
    for input in inputs:
        play.receive(input)
    assert play.step.id == "1/deal/2" and play.vault == {1: None}
    play.dealt = 1
    play.deal().decisions().reveal_one()
    assert play.step.to == ("seat 1",) and play.step.key_in
    play.reveal()
    assert play.round.void is None and play.round.settlement is not None


def test_reports_of_the_shoe_that_never_came_may_have_been_cards_those_of_others_not() -> None:
    lost = messages.ReportsLost(count=2)
    own_message, missed = Translator(WIRING).inputs("shoe", lost, Table())
    assert isinstance(own_message, DeviceReport)
    assert missed == ReportsMissed(count=2, gap_cause="reports_lost")
    assert [type(input) for input in Translator(WIRING).inputs("shuffler", lost, Table())] == [DeviceReport]


# ---- the slots


class Slots:
    """A translator and a table that follows what it says; eight levels and counters."""

    def __init__(self) -> None:
        self.translator = Translator(WIRING)
        self.table = Table()
        self.levels, self.counters = [False] * 8, [0] * 8
        self.before: tuple[int, ...] | None = None

    def read(self) -> list[Any]:
        message = SlotsRead(tuple(self.levels), tuple(self.counters), self.before)
        self.before = message.counters
        inputs = list(self.translator.inputs("slots", message, self.table))
        for input in inputs:
            if isinstance(input, ChipSensed):
                self.table = apply(self.table, ChipPlaced(seat=input.seat, counter=input.counter, late=False))
            elif isinstance(input, ChipGone):
                self.table = apply(self.table, ChipCleared(seat=input.seat, counter=input.counter))
        return inputs

    def set(self, line: int, level: bool, more: int = 1) -> "Slots":
        self.levels[line], self.counters[line] = level, (self.counters[line] + more) % 65536
        return self


def test_a_chip_is_sensed_once_and_gone_once() -> None:
    slots = Slots()
    assert slots.set(1, True).read() == [ChipSensed(seat=2, counter=1)]
    assert slots.read() == []
    assert slots.set(1, False, 0).read() == [ChipGone(seat=2, counter=1)]
    assert slots.read() == []


def test_two_chips_in_one_reading_are_both_received() -> None:
    assert Slots().set(2, True).set(0, True).read() == [ChipSensed(seat=1, counter=1), ChipSensed(seat=3, counter=1)]


def test_a_chip_exchanged_between_two_readings_is_another_chip() -> None:
    slots = Slots()
    slots.set(0, True).read()
    assert slots.set(0, True).read() == [ChipGone(seat=1, counter=2), ChipSensed(seat=1, counter=2)]


def test_a_chip_that_came_and_went_between_two_readings_is_no_chip() -> None:
    slots = Slots()
    slots.read()
    assert slots.set(0, False).read() == [ChipPassed(seat=1, counter=1, edges=1)]
    assert slots.read() == []


def test_a_sensor_that_ran_away_between_two_readings_reports_how_often_it_moved() -> None:
    slots = Slots()
    slots.read()
    assert slots.set(0, True, 50).read() == [ChipSensed(seat=1, counter=50, edges=50)]
    assert slots.set(1, False, 7).read() == [ChipPassed(seat=2, counter=7, edges=7)]


def test_a_counter_that_wraps_is_a_difference_like_any_other() -> None:
    slots = Slots()
    slots.counters[0] = 65534
    assert slots.set(0, True).read() == [ChipSensed(seat=1, counter=65535)]
    assert slots.set(0, True).read() == [ChipGone(seat=1, counter=0), ChipSensed(seat=1, counter=0)]


def test_an_input_that_belongs_to_no_seat_says_nothing() -> None:
    assert Slots().set(4, True).read() == []


def test_the_first_reading_of_a_link_measures_the_button_and_presses_nothing() -> None:
    slots = Slots()
    slots.counters[7] = 12
    assert slots.read() == []
    assert slots.set(7, True).read() == [LockInPressed()]
    assert slots.set(7, False, 0).read() == []
    slots.before = None
    slots.counters[7] += 3
    assert slots.read() == []
    assert slots.set(7, True).read() == [LockInPressed()]


def test_a_chip_and_the_button_in_one_reading_are_received_in_that_order() -> None:
    slots = Slots()
    slots.read()
    assert slots.set(0, True).set(7, True).read() == [ChipSensed(seat=1, counter=1), LockInPressed()]


def test_a_reading_means_the_same_however_often_it_is_translated() -> None:
    translator, levels = Translator(WIRING), (True, *(False,) * 6, True)
    pressed = SlotsRead(levels, (1, *(0,) * 6, 1), before=(0,) * 8)
    for _ in range(2):  # the second time after a failed commit, perhaps
        assert list(translator.inputs("slots", pressed, Table())) == [ChipSensed(seat=1, counter=1), LockInPressed()]


def test_a_button_pressed_after_another_device_went_away_is_received() -> None:
    slots = Slots()
    slots.read()
    list(slots.translator.inputs("sign", messages.LinkLost(reason="unplugged"), slots.table))
    assert slots.set(7, True).read() == [LockInPressed()]


def test_a_chip_exchanged_while_the_unit_was_away_is_another_chip() -> None:
    slots = Slots()
    slots.set(0, True).read()
    slots.before = None
    assert slots.set(0, True, 3).read() == [ChipGone(seat=1, counter=4), ChipSensed(seat=1, counter=4)]


def test_without_slots_a_reading_means_nothing() -> None:
    assert list(Translator(None).inputs("slots", SlotsRead((True,) * 8, (1,) * 8), Table())) == []


# ---- orders


def test_orders_follow_the_effects() -> None:
    play = Play(packet_sizes=(2, 3))
    translator = Translator(WIRING)
    assert translator.orders(react(play.table, 2)) == {
        "shuffler": NoOrder(),
        "shoe": ShoeLock(True),
        "slots": LampStates((False,) * 8, in_play=False),
        "sign": SignFace(("JACKPOT PROGRESSIVO {amount}", "PROGRESSIVE JACKPOT {amount}"), "6,000.00"),
    }
    play.say(OpenTable)
    play.say(BeginRound)
    assert translator.orders(react(play.table, 2))["shuffler"] == ShuffleOrder(257)
    play.receive(ShuffleReported(order=257, count=52))
    play.bet(1, ante=100).bet(3, ante=100).chips(1)
    play.lock()
    orders = translator.orders(react(play.table, 2))
    assert orders["shuffler"] == DispenseOrder(258, 3)
    assert orders["slots"] == LampStates((True, False, False, False, False, False, True, False))  # where a chip counts
    for _ in range(3):
        play.deal_one()
    assert translator.orders(react(play.table, 2))["shuffler"] == DispenseOrder(261, 2)


def test_the_shoe_is_unlocked_only_while_a_card_is_due() -> None:
    play = Play(source="shoe").to_wagers().bet(1, ante=100)
    locks = [play_lock(play)]
    play.lock()
    locks.append(play_lock(play))
    play.deal()
    locks.append(play_lock(play))
    assert locks == [True, False, True]


def play_lock(play: Play) -> bool:
    order = Translator(None).orders(react(play.table, 2))["shoe"]
    assert isinstance(order, ShoeLock)
    return order.locked


def test_a_table_without_slots_or_jackpot_orders_neither_lamps_nor_sign() -> None:
    effects = Effects(
        sign=None, lamps=LampsLit(lit_seats=(1,), lock=True), in_play=True, shuffler=None, shoe_locked=True
    )
    assert set(Translator(None).orders(effects)) == {"shuffler", "shoe"}


def test_a_unit_that_lost_its_power_places_no_new_chips() -> None:
    """An ADU218 is fed by USB: plugged in again it counts from 0, and the chip on its sensor was there before."""
    translator = Translator(WIRING)
    play = Play().to_wagers().bet(1, ante=100)
    play.receive(ChipSensed(seat=1, counter=5))
    levels = (True, *(False,) * 7)
    counters = (5, *(0,) * 7)
    readings = (messages.SlotsRead(levels, counters), messages.SlotsRead(levels, counters, counters))
    for read in (*readings, messages.SlotsRead(levels, (0,) * 8)):
        assert list(translator.inputs("slots", read, play.table)) == []
