"""Assertions about a shoe: each card once and in order, its lock, its errors, power and cable, the accuracy sign-off.

A reader of tiles is a shoe too: its cards are tiles, typed such as 6-5.
"""

import asyncio

from drivers.kit.assertion import REPORT_SECONDS, Assertion, Bench, message_kinds
from drivers.messages import (
    CardDrawn,
    CardDrawnOutOfTurn,
    CutCardSeen,
    LinkUp,
    ReportsLost,
    ShoeError,
    ShoeErrorCleared,
    ShoeLocked,
    ShoeRefused,
    ShoeStarted,
)
from drivers.orders import ShoeLock

SOON = 2.0
REST = 3.0
AWAY = 60.0
NUMBERS = 12  # reports: more than the numbers 1 to 9 that a shoe has
COMMANDS = 8

Card = CardDrawn | CardDrawnOutOfTurn


def _drawn(bench: Bench) -> list[str | None]:
    return [received.message.card for received in bench.received if isinstance(received.message, Card)]


def _count(bench: Bench) -> str:
    return f"{len(_drawn(bench))} cards"


def _locks(bench: Bench) -> list[bool]:
    return [lock.locked for lock in bench.of(ShoeLocked)]


async def _lock(bench: Bench, locked: bool, seconds: float = 3 * REPORT_SECONDS) -> None:
    """Orders the lock, and waits until the shoe has moved it."""
    before = len(_locks(bench))
    bench.order(ShoeLock(locked))
    if not before or _locks(bench)[-1] != locked:
        what = "locked" if locked else "unlocked"
        await bench.until(
            lambda: _locks(bench)[before:] and _locks(bench)[-1] == locked,
            seconds,
            f"a shoe that is {what}",
            lambda: message_kinds([received.message for received in bench.received]),
        )


async def _unlocked(bench: Bench) -> None:
    await bench.ready()
    await _lock(bench, False)


async def _draw(bench: Bench, act: str = "draw", seconds: float = REPORT_SECONDS) -> None:
    """Draws one card, and waits for one more report."""
    before = len(_drawn(bench))
    await bench.ask(act)
    await bench.until(lambda: len(_drawn(bench)) > before, seconds, "a report of the card")


async def _deals(bench: Bench) -> None:
    """Draws one card from a shoe that should be unlocked."""
    await _draw(bench)
    bench.check(bench.of(CardDrawn), "a card drawn", "a card out of turn")


def _none_lost(bench: Bench) -> None:
    lost = [message.count for message in bench.of(ReportsLost)]
    bench.check(not lost, "no report lost", lost)


async def _lost(bench: Bench, cable: bool) -> None:
    """Draws one card whose report no one receives, and one more."""
    await _unlocked(bench)
    await _draw(bench)
    await bench.pause(SOON)
    if cable:
        await bench.unplug()
    else:
        await bench.stop()
    await bench.ask("draw")
    await bench.pause(SOON)
    if cable:
        await bench.ask("plug")
    else:
        await bench.start()
    await bench.up()
    await _draw(bench)
    lost = [message.count for message in bench.of(ReportsLost)]
    bench.check(lost == [1], "one report lost", lost or "none")


async def _answers(bench: Bench) -> None:
    await bench.start()
    await bench.up(SOON)


async def _locks_at_once(bench: Bench) -> None:
    await _unlocked(bench)
    before = len(bench.of(ShoeRefused))
    await _lock(bench, True)
    bench.check(len(bench.of(ShoeRefused)) == before, "the lock at the first command", "a refusal")


async def _unlocks_at_once(bench: Bench) -> None:
    await bench.ready()
    before = len(bench.of(ShoeRefused))
    await _lock(bench, False)
    bench.check(len(bench.of(ShoeRefused)) == before, "the lock open at the first command", "a refusal")


async def _locked_gives_none(bench: Bench) -> None:
    await bench.ready()
    await _lock(bench, True)
    typed = await bench.ask("try to draw")
    if typed.lower() != "none":
        await bench.until(
            lambda: _drawn(bench), REPORT_SECONDS, "no card, or one out of turn", lambda: "a card without a report"
        )
        bench.check(not bench.of(CardDrawn), "a card out of turn", "a card drawn")


async def _reported_soon(bench: Bench) -> None:
    await _unlocked(bench)
    await _draw(bench, seconds=SOON)


async def _once(bench: Bench) -> None:
    await _unlocked(bench)
    await _draw(bench)
    await bench.pause(REST)
    bench.check(len(_drawn(bench)) == 1, "one card", _count(bench))


async def _in_order(bench: Bench) -> None:
    await _unlocked(bench)
    typed = await bench.typed_cards("draw five")
    await bench.until(
        lambda: len(_drawn(bench)) >= len(typed), REPORT_SECONDS, f"{len(typed)} cards", lambda: _count(bench)
    )
    bench.check(_drawn(bench) == typed, "the cards in the order typed", "others")


async def _numbers_count_on(bench: Bench) -> None:
    await _unlocked(bench)
    for _ in range(NUMBERS):
        await _draw(bench)
    _none_lost(bench)


async def _start_reported(bench: Bench) -> None:
    await _unlocked(bench)
    await _restarted(bench, REPORT_SECONDS)


async def _restarted(bench: Bench, seconds: float = 6 * REPORT_SECONDS) -> None:
    """The shoe was switched off and on, and has reported it."""
    await bench.ask("switch off and on")
    await bench.until(lambda: bench.of(ShoeStarted), seconds, "a report of its start")


async def _locked_after_start(bench: Bench) -> None:
    await bench.ready()
    await _lock(bench, True)
    await _restarted(bench)
    await bench.pause(SOON)
    typed = await bench.ask("try to draw")
    if typed.lower() != "none":
        await bench.until(lambda: _drawn(bench), REPORT_SECONDS, "a report of the card")
        bench.check(not bench.of(CardDrawn), "no card of a locked shoe, or one out of turn", "a card drawn")


async def _numbers_begin_again(bench: Bench) -> None:
    await _unlocked(bench)
    await _restarted(bench)
    await bench.pause(SOON)
    await _draw(bench)
    _none_lost(bench)


async def _unplugging_is_noticed(bench: Bench) -> None:
    await bench.ready()
    await bench.unplug(REPORT_SECONDS)


async def _unplugged_within_a_report(bench: Bench) -> None:
    await _unlocked(bench)
    await bench.unplug(act="draw, unplug")
    await bench.ask("plug")
    await bench.up()
    await bench.pause(REST)
    bench.check(len(_drawn(bench)) <= 1, "one card at most", _count(bench))


async def _lost_over_the_cable(bench: Bench) -> None:
    await _lost(bench, cable=True)


async def _lost_while_stopped(bench: Bench) -> None:
    await _lost(bench, cable=False)


async def _lock_after_the_cable(bench: Bench) -> None:
    await _unlocked(bench)
    await bench.unplug()
    await bench.ask("plug")
    await bench.up()
    await bench.pause(SOON)
    await _deals(bench)


async def _start_within_copies(bench: Bench) -> None:
    await _unlocked(bench)
    await _draw(bench)
    await bench.stop()
    await bench.ready()
    await bench.pause(REST)
    bench.check(not _drawn(bench), "no card after the start", _count(bench))


async def _cut_card(bench: Bench) -> None:
    await _unlocked(bench)
    await bench.ask("draw cut card")
    await bench.until(lambda: bench.of(CutCardSeen), REPORT_SECONDS, "a report of the cut card")


async def _unread(bench: Bench) -> None:
    await _unlocked(bench)
    await bench.ask("draw unread")
    await bench.until(
        lambda: bench.of(ShoeError) or None in _drawn(bench),
        REPORT_SECONDS,
        "an error, or a card that was not read",
        lambda: "a card" if _drawn(bench) else "nothing",
    )


async def _error_cleared(bench: Bench) -> None:
    await _in_error(bench)
    await bench.until(lambda: bench.of(ShoeErrorCleared), 2 * REPORT_SECONDS, "the error cleared", lambda: "it is not")


async def _in_error(bench: Bench) -> None:
    await _unlocked(bench)
    await bench.ask("draw two")
    await bench.until(lambda: bench.of(ShoeError), 2 * REPORT_SECONDS, "an error")


async def _works_after_an_error(bench: Bench) -> None:
    await _in_error(bench)
    await bench.pause(REST)
    await _deals(bench)


async def _two_at_once(bench: Bench) -> None:
    await _unlocked(bench)
    await bench.ask("draw two")
    await bench.until(lambda: bench.of(ShoeError), REPORT_SECONDS, "an error", lambda: _count(bench))


async def _no_noise(bench: Bench) -> None:
    await bench.ready()
    await bench.no_noise(2 * REPORT_SECONDS, "no noise on the wire")


async def _no_phantom(bench: Bench) -> None:
    await _unlocked(bench)
    await bench.pause(2 * REPORT_SECONDS)
    bench.check(not _drawn(bench), "no card", _count(bench))


async def _awake(bench: Bench) -> None:
    await _unlocked(bench)
    await bench.pause(AWAY)
    await _draw(bench)


async def _last_order_counts(bench: Bench) -> None:
    await _unlocked(bench)
    for turn in range(COMMANDS):
        bench.order(ShoeLock(turn % 2 == 0))
        await asyncio.sleep(0.1)
    await bench.pause(SOON)
    await _deals(bench)


async def _stays_up(bench: Bench) -> None:
    await bench.ready()
    for locked in (True, False) * 3:
        await _lock(bench, locked)
        await bench.pause(REST)
    links = len(bench.of(LinkUp))
    bench.check(links == 1, "one link", links)


async def _accurate(bench: Bench) -> None:
    await bench.ask("load", bench.cards)
    await _unlocked(bench)
    for at in range(1, bench.cards + 1):
        before = len(_drawn(bench))
        typed = await bench.typed_cards("draw")
        bench.progress(f"card {at} of {bench.cards}")
        await bench.until(lambda: len(_drawn(bench)) > before, REPORT_SECONDS, f"card {at}", lambda: "no report")  # noqa: B023
        new = _drawn(bench)[before:]
        bench.check(new == typed, f"card {at} as it was typed", "another card" if len(new) == 1 else f"{len(new)}")


SHOE = (
    Assertion("S-01", "The shoe answers within two seconds of its opening.", "nothing", _answers),
    Assertion("S-02", "It takes the command to lock at the first time.", "nothing", _locks_at_once),
    Assertion("S-03", "It takes the command to unlock at the first time.", "nothing", _unlocks_at_once),
    Assertion(
        "S-04", "A locked shoe gives no card, or reports it as out of turn.", "tries to draw a card", _locked_gives_none
    ),
    Assertion("S-05", "A card is reported within two seconds.", "draws a card", _reported_soon),
    Assertion("S-06", "A card is reported once.", "draws a card", _once),
    Assertion("S-07", "Cards that are drawn fast are reported in their order.", "draws five cards", _in_order),
    Assertion("S-08", "The numbers of reports continue over nine.", "draws twelve cards", _numbers_count_on),
    Assertion(
        "S-09", "A shoe that was switched on reports it within five seconds.", "switches it off and on", _start_reported
    ),
    Assertion(
        "S-10",
        "A shoe that was switched on is locked again as ordered.",
        "switches it off and on, tries to draw",
        _locked_after_start,
    ),
    Assertion(
        "S-11",
        "The numbers of reports begin again after a start.",
        "switches it off and on, draws a card",
        _numbers_begin_again,
    ),
    Assertion(
        "S-12", "A cable that is pulled is noticed within five seconds.", "unplugs the cable", _unplugging_is_noticed
    ),
    Assertion(
        "S-13",
        "A card drawn while the cable is out is known to be lost.",
        "unplugs the cable, draws cards",
        _lost_over_the_cable,
    ),
    Assertion(
        "S-14", "A card drawn while the station was stopped is known to be lost.", "draws cards", _lost_while_stopped
    ),
    Assertion(
        "S-15",
        "The lock is as ordered after the cable was out.",
        "unplugs the cable, draws a card",
        _lock_after_the_cable,
    ),
    Assertion(
        "S-16",
        "A card is not repeated to a station that starts within its report.",
        "draws a card",
        _start_within_copies,
    ),
    Assertion(
        "S-17",
        "A shoe that was unplugged within a report does not repeat its card.",
        "unplugs the cable while drawing",
        _unplugged_within_a_report,
    ),
    Assertion("S-18", "The cut card is reported.", "draws the cut card", _cut_card),
    Assertion("S-19", "A card that cannot be read is never reported as a card.", "draws a blank card", _unread),
    Assertion("S-20", "Two cards drawn at once are an error.", "draws two cards at once", _two_at_once),
    Assertion(
        "S-21", "An error is reported as cleared when the station clears it.", "draws two cards at once", _error_cleared
    ),
    Assertion(
        "S-22",
        "A shoe whose error was cleared gives cards again.",
        "draws two cards at once, then one",
        _works_after_an_error,
    ),
    Assertion("S-23", "The line carries nothing that is no report.", "nothing", _no_noise),
    Assertion("S-24", "No card is reported while none is drawn.", "nothing", _no_phantom),
    Assertion("S-25", "A card is reported after a minute of rest.", "draws a card", _awake),
    Assertion("S-26", "Of many orders in a second, the last one counts.", "draws a card", _last_order_counts),
    Assertion("S-27", "Each command of a row is acknowledged.", "nothing", _stays_up),
    Assertion(
        "S-28", "Accuracy: all cards of the sign-off are read as they are.", "draws and types every card", _accurate
    ),
)
