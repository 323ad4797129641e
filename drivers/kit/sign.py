"""Assertions about a progressive sign, which a person reads: a sign reports nothing."""

import asyncio

from drivers.kit.assertion import REPORT_SECONDS, Assertion, Bench
from drivers.orders import SignFace

UP = 3.0
WRITTEN = 3.0  # all packets of three pages are on the sign by then
SCREEN_SAVER = 70.0
POWER = 10.0
AMOUNTS, AMOUNT_SECONDS = 60, 0.05
POT = ("POT {amount}",)
LONG = ("ABCDEFGHIJ " * 28 + "END",)


def _text(pages: tuple[str, ...], amount: str) -> str:
    return " | ".join(" ".join(page.format(amount=amount).split()) for page in pages)


def _order(bench: Bench, pages: tuple[str, ...], amount: str) -> None:
    bench.order(SignFace(pages, amount))


async def _read(bench: Bench, pages: tuple[str, ...], amount: str, seconds: float = WRITTEN) -> None:
    await bench.pause(seconds)
    wanted = _text(pages, amount)
    typed = " | ".join(" ".join(page.split()) for page in (await bench.ask("pages")).split("|"))
    bench.check(typed == wanted, wanted, typed or "nothing")


async def _shows(bench: Bench, pages: tuple[str, ...], amount: str) -> None:
    _order(bench, pages, amount)
    await bench.ready()
    await _read(bench, pages, amount)


async def _then(bench: Bench, pages: tuple[str, ...], amount: str) -> None:
    _order(bench, pages, amount)
    await _read(bench, pages, amount)


async def _opens(bench: Bench) -> None:
    _order(bench, POT, "1.00")
    await bench.start()
    await bench.up(UP)


async def _digits(bench: Bench) -> None:
    await _shows(bench, POT, "9876543210")


async def _capitals(bench: Bench) -> None:
    await _shows(bench, ("THE QUICK BROWN FOX JUMPS OVER THE LAZY DOG",), "1.00")


async def _small_letters(bench: Bench) -> None:
    await _shows(bench, ("the quick brown fox jumps over the lazy dog",), "1.00")


async def _signs(bench: Bench) -> None:
    await _shows(bench, ("1.000,50 - 5/6 (8) + 3% = 2: 4; 'A' & B!",), "1.00")


async def _grows(bench: Bench) -> None:
    await _shows(bench, POT, "900.00")
    await _then(bench, POT, "1000.00")


async def _last_amount(bench: Bench) -> None:
    await _shows(bench, POT, "100.00")
    for at in range(AMOUNTS):
        _order(bench, POT, f"100.{at:02}")
        await asyncio.sleep(AMOUNT_SECONDS)
    await _read(bench, POT, f"100.{AMOUNTS - 1:02}")


async def _three_pages(bench: Bench) -> None:
    await _shows(bench, ("POT {amount}", "SEAT 3 WINS", "GOOD NIGHT"), "1.00")


async def _shorter_page(bench: Bench) -> None:
    await _shows(bench, ("SEAT 3 WINS THE POT",), "1.00")
    await _then(bench, ("SEAT 3",), "1.00")


async def _fewer_pages(bench: Bench) -> None:
    await _shows(bench, ("POT {amount}", "SEAT 3 WINS"), "1.00")
    await _then(bench, POT, "1.00")


async def _more_pages(bench: Bench) -> None:
    await _shows(bench, POT, "1.00")
    await _then(bench, ("POT {amount}", "SEAT 3 WINS"), "1.00")


async def _long_amount(bench: Bench) -> None:
    await _shows(bench, POT, "MOP 123 456 890.12")


async def _long_page(bench: Bench) -> None:
    _order(bench, LONG, "1.00")
    await bench.ready()
    await bench.pause(WRITTEN)
    typed = await bench.ask("end")
    bench.check(typed.lower() in ("yes", "y"), "the word END", typed)


async def _text_after_the_amount(bench: Bench) -> None:
    await _shows(bench, ("POT {amount} EUR",), "1.00")


async def _unplugging_is_noticed(bench: Bench) -> None:
    _order(bench, POT, "1.00")
    await bench.ready()
    await bench.unplug(REPORT_SECONDS)


async def _written_after_the_cable(bench: Bench) -> None:
    await _shows(bench, POT, "100.00")
    await bench.unplug()
    _order(bench, POT, "200.00")
    await bench.ask("plug")
    await bench.up()
    await _read(bench, POT, "200.00")


async def _shown_after_power(bench: Bench) -> None:
    await _shows(bench, POT, "100.00")
    await bench.ask("switch off and on")
    await _read(bench, POT, "100.00", POWER)


async def _stays(bench: Bench) -> None:
    await _shows(bench, POT, "100.00")
    await _read(bench, POT, "100.00", SCREEN_SAVER)


async def _no_noise(bench: Bench) -> None:
    _order(bench, POT, "1.00")
    await bench.ready()
    await bench.no_noise(REPORT_SECONDS, "nothing from the sign")


async def _shown_after_a_start(bench: Bench) -> None:
    await _shows(bench, POT, "100.00")
    await bench.stop()
    await _shows(bench, POT, "200.00")


SIGN = (
    Assertion("D-01", "The sign's port can be opened within three seconds.", "nothing", _opens),
    Assertion("D-02", "Every digit of an amount can be read.", "reads the sign", _digits),
    Assertion("D-03", "Every capital letter can be read.", "reads the sign", _capitals),
    Assertion("D-04", "Every small letter can be read.", "reads the sign", _small_letters),
    Assertion("D-05", "Points, commas and other signs can be read.", "reads the sign", _signs),
    Assertion("D-06", "An amount that grows by a digit is shown whole.", "reads the sign", _grows),
    Assertion("D-07", "Of many amounts in a row, the last one is shown.", "reads the sign", _last_amount),
    Assertion("D-08", "Three pages are shown in turn.", "reads the sign", _three_pages),
    Assertion("D-09", "A page that becomes shorter leaves nothing of the longer one.", "reads the sign", _shorter_page),
    Assertion("D-10", "A page that is taken away is not shown any more.", "reads the sign", _fewer_pages),
    Assertion("D-11", "A page that is added is shown.", "reads the sign", _more_pages),
    Assertion("D-12", "An amount of eighteen characters is shown whole.", "reads the sign", _long_amount),
    Assertion("D-13", "A page of 300 characters is shown to its end.", "watches the sign", _long_page),
    Assertion("D-14", "Text after the amount is shown.", "reads the sign", _text_after_the_amount),
    Assertion("D-15", "A cable that is pulled is noticed within five seconds.", "unplugs", _unplugging_is_noticed),
    Assertion(
        "D-16", "The newest amount is shown after the cable was out.", "unplugs, reads", _written_after_the_cable
    ),
    Assertion(
        "D-17", "What was shown is shown again after a loss of power.", "switches off and on", _shown_after_power
    ),
    Assertion("D-18", "What is shown stays for more than a minute.", "reads the sign", _stays),
    Assertion("D-19", "The sign sends nothing.", "nothing", _no_noise),
    Assertion("D-20", "A start of the station writes the sign again.", "reads the sign", _shown_after_a_start),
)
