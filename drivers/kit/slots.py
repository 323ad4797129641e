"""Assertions about jackpot slots: sensors with their counters, the button, the lamps, power and cable."""

import asyncio
from collections.abc import Collection

from drivers.kit.assertion import REPORT_SECONDS, Assertion, Bench
from drivers.messages import SlotsRead
from drivers.orders import LampStates

BRIEF = 2.0
REST = 3.0
QUICK_READING = 0.5
WATCHDOG = 65.0  # the longest watchdog of a known board is 60 s
AWAY = 60.0
TIMES = 10


def _seats(bench: Bench) -> list[int]:
    return sorted(bench.wiring.seats.values())


def _input(bench: Bench, seat: int) -> int:
    return next(line for line, its in bench.wiring.seats.items() if its == seat)


def _last(bench: Bench) -> SlotsRead:
    return bench.of(SlotsRead)[-1]


def _covered(bench: Bench) -> list[int]:
    last = _last(bench)
    return sorted(seat for line, seat in bench.wiring.seats.items() if last.levels[line])


def _count(bench: Bench, line: int) -> int:
    return _last(bench).counters[line]


def _counts(bench: Bench) -> list[int]:
    return [_count(bench, _input(bench, seat)) for seat in _seats(bench)]


def _presses(bench: Bench) -> int:
    return _count(bench, bench.wiring.button_input)


async def _ready(bench: Bench) -> None:
    await bench.ready()
    await bench.until(lambda: bench.of(SlotsRead), REPORT_SECONDS, "a first reading")


async def _shown(bench: Bench, seats: Collection[int], seconds: float = REPORT_SECONDS) -> None:
    wanted = sorted(seats)
    await bench.until(lambda: _covered(bench) == wanted, seconds, f"chips at {wanted}", lambda: _covered(bench))


async def _risen(bench: Bench, line: int, before: int, chips: int) -> None:
    await bench.read_again()
    risen = _count(bench, line) - before
    bench.check(risen >= chips, f"{chips} counted at least", risen)


async def _place(bench: Bench) -> None:
    """A chip at the first seat, shown and read again."""
    seat = _seats(bench)[0]
    await bench.ask("place", seat)
    await _shown(bench, [seat])
    await bench.read_again()


async def _counts_stay(bench: Bench, seconds: float) -> None:
    before = _counts(bench)
    await bench.pause(seconds)
    await bench.read_again()
    bench.check(_counts(bench) == before, f"the counts {before}", _counts(bench))


def _light(bench: Bench, seats: Collection[int] = (), lock: bool = False, in_play: bool = True) -> None:
    wiring = bench.wiring
    lamps = {seat: line for line, seat in wiring.seats.items()} if wiring.lamps is None else wiring.lamps
    lit = {lamps[seat] for seat in seats} | ({wiring.lock_lamp_relay} if lock else set())
    bench.order(LampStates(tuple(line in lit for line in range(wiring.lines)), in_play))


async def _lit(bench: Bench, seats: Collection[int] = (), lock: bool = False) -> None:
    await bench.pause(BRIEF)
    wanted = {*map(str, seats), *(["lock"] if lock else [])}
    typed = set((await bench.ask("lamps")).lower().replace(",", " ").split()) - {"none"}
    bench.check(typed == wanted, f"lit: {' '.join(sorted(wanted)) or 'none'}", " ".join(sorted(typed)) or "none")


async def _answers(bench: Bench) -> None:
    await bench.start()
    await bench.up(REST)


async def _no_chip(bench: Bench) -> None:
    await _ready(bench)
    first = bench.of(SlotsRead)[0]
    found = [seat for line, seat in bench.wiring.seats.items() if first.levels[line]]
    bench.check(not found, "no chip in the first reading", f"seats {found}")


async def _each_alone(bench: Bench) -> None:
    await _ready(bench)
    for seat in _seats(bench):
        await bench.ask("place", seat)
        await _shown(bench, [seat])
        await bench.ask("lift", seat)
        await _shown(bench, [])


async def _lift_among_others(bench: Bench) -> None:
    await _ready(bench)
    seats = _seats(bench)
    await bench.ask("place all", *seats)
    await _shown(bench, seats)
    for seat in seats:
        await bench.ask("lift", seat)
        await _shown(bench, [other for other in seats if other != seat])
        await bench.ask("place", seat)
        await _shown(bench, seats)


async def _counts_once(bench: Bench) -> None:
    await _ready(bench)
    line = _input(bench, _seats(bench)[0])
    before = _count(bench, line)
    await _place(bench)
    count = _count(bench, line) - before
    bench.check(count == 1, "one chip counted", count)


async def _lifting_counts_nothing(bench: Bench) -> None:
    await _ready(bench)
    await _place(bench)
    before = _counts(bench)
    await bench.ask("lift", _seats(bench)[0])
    await _shown(bench, [])
    await bench.read_again()
    bench.check(_counts(bench) == before, f"the counts {before}", _counts(bench))


async def _passing_counts(bench: Bench) -> None:
    await _ready(bench)
    seat = _seats(bench)[0]
    line = _input(bench, seat)
    before = _count(bench, line)
    await bench.ask("pass", seat)
    await _risen(bench, line, before, 1)


async def _resting_counts_once(bench: Bench) -> None:
    await _ready(bench)
    await _place(bench)
    await _counts_stay(bench, REST)


async def _press_counts_once(bench: Bench) -> None:
    await _ready(bench)
    before = _presses(bench)
    await bench.ask("hold")
    button = bench.wiring.button_input
    await bench.until(lambda: _last(bench).levels[button], REPORT_SECONDS, "the button pressed", lambda: "not pressed")
    await bench.read_again()
    bench.check(_presses(bench) == before + 1, "one press", _presses(bench) - before)


async def _press_moves_no_seat(bench: Bench) -> None:
    await _ready(bench)
    before = _covered(bench), _counts(bench)
    await bench.ask("hold")
    await bench.read_again()
    after = _covered(bench), _counts(bench)
    bench.check(after == before, f"seats and counts {before}", after)


async def _kept_pressed_counts_once(bench: Bench) -> None:
    await _ready(bench)
    await bench.ask("hold")
    await bench.read_again()
    before = _presses(bench)
    await bench.pause(REST)
    await bench.read_again()
    bench.check(_presses(bench) == before, "no further press", _presses(bench) - before)


async def _release_is_no_press(bench: Bench) -> None:
    await _ready(bench)
    await bench.ask("hold")
    await bench.read_again()
    before = _presses(bench)
    await bench.ask("release")
    await bench.pause(BRIEF)
    await bench.read_again()
    bench.check(_presses(bench) == before, "no further press", _presses(bench) - before)


async def _chip_before_press(bench: Bench) -> None:
    await _ready(bench)
    seat, button = _seats(bench)[0], bench.wiring.button_input
    line = _input(bench, seat)
    first = _last(bench)
    await bench.ask("place and press", seat)
    before = first.counters[button]
    await bench.until(lambda: _presses(bench) != before, REPORT_SECONDS, "a press")
    reading = next(message for message in bench.of(SlotsRead) if message.counters[button] != before)
    bench.check(reading.counters[line] != first.counters[line], "the chip in the reading of the press", "none")


async def _lamp_by_lamp(bench: Bench) -> None:
    await _ready(bench)
    for seat in _seats(bench):
        _light(bench, [seat])
        await _lit(bench, [seat])
    _light(bench, lock=True)
    await _lit(bench, lock=True)


async def _all_lamps(bench: Bench) -> None:
    await _ready(bench)
    _light(bench, _seats(bench), lock=True)
    await _lit(bench, _seats(bench), lock=True)


async def _all_dark(bench: Bench) -> None:
    await _ready(bench)
    _light(bench, _seats(bench)[:1])
    await bench.pause(BRIEF)
    _light(bench)
    await _lit(bench)


async def _lamps_stay(bench: Bench) -> None:
    await _ready(bench)
    seat = _seats(bench)[-1]
    _light(bench, [seat], in_play=False)
    await bench.pause(WATCHDOG)
    await _lit(bench, [seat])


async def _lamps_after_power(bench: Bench) -> None:
    await _ready(bench)
    seat = _seats(bench)[-1]
    _light(bench, [seat])
    await bench.pause(BRIEF)
    await bench.unplug()
    await bench.ask("plug")
    await bench.up()
    await _lit(bench, [seat])


async def _start_leaves_lamps(bench: Bench) -> None:
    await _ready(bench)
    seat = _seats(bench)[-1]
    _light(bench, [seat])
    await bench.pause(BRIEF)
    await bench.stop()
    bench.order(None)
    await _ready(bench)
    await _lit(bench, [seat])


async def _unplugging_is_noticed(bench: Bench) -> None:
    await _ready(bench)
    await bench.unplug(REPORT_SECONDS)


async def _chip_over_power(bench: Bench) -> None:
    await _ready(bench)
    seat = _seats(bench)[0]
    await bench.unplug()
    await bench.ask("place", seat)
    await bench.ask("plug")
    await bench.up()
    await _shown(bench, [seat])


async def _no_count_after_power(bench: Bench) -> None:
    await _ready(bench)
    await bench.unplug()
    read = len(bench.of(SlotsRead))
    await bench.ask("plug")
    await bench.up()
    await bench.until(lambda: len(bench.of(SlotsRead)) > read, REPORT_SECONDS, "a reading")
    await _counts_stay(bench, REST)


async def _ten_in_a_row(bench: Bench) -> None:
    await _ready(bench)
    seat = _seats(bench)[0]
    line = _input(bench, seat)
    before = _count(bench, line)
    await bench.ask("pass ten", seat)
    await _risen(bench, line, before, TIMES)


async def _at_the_same_moment(bench: Bench) -> None:
    await _ready(bench)
    seats = _seats(bench)[:2]
    before = _counts(bench)
    await bench.ask("place together", *seats)
    await _shown(bench, seats)
    await bench.read_again()
    risen = [now - then for now, then in zip(_counts(bench), before, strict=True)][: len(seats)]
    bench.check(all(risen), "a chip counted at each", risen)


async def _no_noise(bench: Bench) -> None:
    await _ready(bench)
    await bench.no_noise(2 * REPORT_SECONDS, "no noise on the wire")


async def _reads_quickly(bench: Bench) -> None:
    await _ready(bench)
    clock = asyncio.get_running_loop()
    began = clock.time()
    await bench.read_again()
    took = clock.time() - began
    bench.check(took < QUICK_READING, f"a reading within {QUICK_READING:g} s", f"{took:.2f} s")


async def _answers_after_a_pause(bench: Bench) -> None:
    await _ready(bench)
    await bench.stop()
    await bench.pause(AWAY)
    await bench.start()
    await bench.up(REST)


async def _chip_while_away(bench: Bench) -> None:
    await _ready(bench)
    await bench.stop()
    seat = _seats(bench)[1]
    await bench.ask("place", seat)
    await bench.pause(BRIEF)
    await _ready(bench)
    await _shown(bench, [seat])


async def _lamps_move_no_sensor(bench: Bench) -> None:
    await _ready(bench)
    before = _counts(bench), _presses(bench)
    for turn in range(TIMES):
        _light(bench, _seats(bench) if turn % 2 else [], lock=bool(turn % 2))
        await asyncio.sleep(QUICK_READING)
    await bench.read_again()
    after = _counts(bench), _presses(bench)
    bench.check(after == before and not _covered(bench), f"the counts {before}", after)


async def _chips_move_no_lamp(bench: Bench) -> None:
    await _ready(bench)
    first, *_, last = _seats(bench)
    _light(bench, [first])
    await bench.pause(BRIEF)
    await bench.ask("place", last)
    await _lit(bench, [first])


async def _counts_over_a_start(bench: Bench) -> None:
    await _ready(bench)
    seat = _seats(bench)[0]
    await bench.ask("place", seat)
    await _shown(bench, [seat])
    await bench.stop()
    await _ready(bench)
    await _counts_stay(bench, BRIEF)


SLOTS = (
    Assertion("C-01", "The board answers within three seconds of its opening.", "nothing", _answers),
    Assertion("C-02", "Without a chip, the first reading shows none.", "nothing", _no_chip),
    Assertion(
        "C-03", "A chip alone shows at its seat and no other.", "places and lifts a chip, seat by seat", _each_alone
    ),
    Assertion(
        "C-04",
        "A chip that is lifted among others is gone at its seat alone.",
        "lifts and places a chip, seat by seat",
        _lift_among_others,
    ),
    Assertion("C-05", "A chip that is placed counts once.", "places a chip", _counts_once),
    Assertion("C-06", "Lifting a chip counts nothing.", "places and lifts a chip", _lifting_counts_nothing),
    Assertion("C-07", "A chip that passes between two polls counts.", "passes a chip over a sensor", _passing_counts),
    Assertion("C-08", "A chip that rests on its sensor does not count again.", "places a chip", _resting_counts_once),
    Assertion("C-09", "The button counts once when it is pressed.", "presses the button", _press_counts_once),
    Assertion("C-10", "The button moves no seat.", "presses the button", _press_moves_no_seat),
    Assertion(
        "C-11",
        "A button that is kept pressed does not count again.",
        "keeps the button pressed",
        _kept_pressed_counts_once,
    ),
    Assertion("C-12", "Letting the button go is no press.", "presses the button and lets it go", _release_is_no_press),
    Assertion(
        "C-13",
        "A chip placed before a press is in the reading that shows the press.",
        "places a chip and presses",
        _chip_before_press,
    ),
    Assertion("C-14", "Each lamp is lit alone as ordered.", "names the lamps that are lit", _lamp_by_lamp),
    Assertion("C-15", "All lamps can be lit at once.", "names the lamps that are lit", _all_lamps),
    Assertion("C-16", "All lamps are dark when that is ordered.", "names the lamps that are lit", _all_dark),
    Assertion(
        "C-17", "A lamp stays lit for longer than a watchdog waits.", "names the lamps that are lit", _lamps_stay
    ),
    Assertion(
        "C-18",
        "A lamp is lit again after the board was without power.",
        "unplugs, names the lamps that are lit",
        _lamps_after_power,
    ),
    Assertion(
        "C-19",
        "A start of the station leaves the lamps as they are.",
        "names the lamps that are lit",
        _start_leaves_lamps,
    ),
    Assertion(
        "C-20", "A board that is unplugged is noticed within five seconds.", "unplugs the board", _unplugging_is_noticed
    ),
    Assertion(
        "C-21",
        "A chip placed while the board was without power shows afterwards.",
        "unplugs, places a chip",
        _chip_over_power,
    ),
    Assertion("C-22", "A return of power counts no chip.", "unplugs the board", _no_count_after_power),
    Assertion("C-23", "Ten chips that pass one after the other count ten.", "passes a chip ten times", _ten_in_a_row),
    Assertion(
        "C-24", "Two chips placed at the same moment count at both seats.", "places two chips", _at_the_same_moment
    ),
    Assertion("C-25", "The line carries nothing that is no answer.", "nothing", _no_noise),
    Assertion("C-26", "A reading that is asked for takes less than half a second.", "nothing", _reads_quickly),
    Assertion(
        "C-27", "The board answers at once after a minute without a question.", "nothing", _answers_after_a_pause
    ),
    Assertion(
        "C-28", "A chip placed while the station was stopped shows at its start.", "places a chip", _chip_while_away
    ),
    Assertion("C-29", "Lamps that change move no sensor.", "nothing", _lamps_move_no_sensor),
    Assertion("C-30", "A chip moves no lamp.", "places a chip, names the lamps that are lit", _chips_move_no_lamp),
    Assertion(
        "C-31", "A start of the station counts no chip that was there before.", "places a chip", _counts_over_a_start
    ),
)
