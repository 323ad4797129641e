"""`python -m tests.benchmarks console`: the console's first paint, and a card from the shoe's wire to the screen.

Three processes: this one is the shoe and the clock, one runs the station, one is the browser. Cards come about as
slowly as at a table, each at another place between two frames. A card is on the screen when the frame that shows it was
presented.
"""

import argparse
import random
import re
import sys
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from controller.command_line.argument import count
from controller.commands.bench_table import (
    CARDS_A_ROUND,
    BenchFailed,
    Dealer,
    Figures,
    ProcessOutput,
    ShoeWire,
    add_bench,
    child,
    percentiles,
    print_head,
    print_line,
    print_progress,
    print_row,
    run_bench,
    serve,
    write_config,
)
from controller.system.addresses import free_port
from tests.benchmarks.browser import PAINT_TICK_MS, Chromium, Load, Marks, PageClock, running_chromium
from tests.benchmarks.rows import Row

PAUSE_SECONDS = 0.1  # before a card, and a part of a frame more
HURRY_SECONDS = 0.02  # before one that is not counted
FRAME_SECONDS = 1 / 60
CLOCK_AT_FIRST, CLOCK_A_ROUND = 50, 5  # how often the page's clock is asked for
STREAM = "/stream"
VERSION = re.compile(rb'"version":(\d+)')
LOADS = {
    "first_paint": "first contentful paint",
    "table_drawn": "the table drawn (the element with data-step)",
    "table_shown": "the frame with the table presented",
}
STAGES = {
    "durable": "durable in the journal",
    "sent": "sent on the stream (projection, JSON, socket)",
    "received": "received by the page",
    "drawn": "drawn (its elements there)",
    "shown": "presented (style, layout, paint)",
}


@dataclass(frozen=True)
class SentCard:
    """A card as far as the station had it: its place in the deal from 1, the table's version; nanoseconds."""

    place: int
    version: int
    began: int
    durable: int
    sent: int


EXAMPLES = """\
examples:
  python -m tests.benchmarks console                             20 loads, 500 cards: about a minute and a half
  python -m tests.benchmarks console --cards 2000 --json
  python -m tests.benchmarks console --dir /var/lib/dealer-station   with the journal on the disk that will hold it

exit codes: 0 measured, 2 an argument that cannot be, 69 playwright, chromium or broker is missing or does not answer"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Looks at the console of a station of its own in Debian's chromium, without a screen, through playwright, a "
        "development dependency. Cards come about nine a second."
    )
    parser.epilog = EXAMPLES
    parser.add_argument("--cards", type=count, default=500, metavar="N", help="to measure (default: %(default)s)")
    parser.add_argument("--loads", type=count, default=20, metavar="N", help="of the page (default: %(default)s)")
    add_bench(parser)


def run(options: argparse.Namespace) -> int:
    """Measure and print; returns the exit code."""
    return run_bench(options, _measure, _print)


def _measure(stack: ExitStack, folder: Path, broker: tuple[str, int], options: argparse.Namespace) -> Figures:
    browser = stack.enter_context(running_chromium())
    wire = ShoeWire()
    port = free_port()
    config = write_config(folder, broker, port, wire.path)
    station = stack.enter_context(child(__name__, "station", str(config)))
    dealer = Dealer(port)
    dealer.until_the_deal(1)
    address = f"http://127.0.0.1:{port}/"
    loads = []
    for _ in range(options.loads):
        loads.append(browser.load(address))
        print_progress(len(loads), options.loads, "loads")
    figures = {"browser": browser.version, "loads": len(loads), **load_figures(loads)}
    return figures | _card_figures(browser, address, wire, station, dealer, options.cards)


def _card_figures(
    browser: Chromium, address: str, wire: ShoeWire, station: ProcessOutput, dealer: Dealer, cards: int
) -> Figures:
    times: list[dict[str, int]] = []
    with browser.screen(address) as screen:
        screen.ask_clock(CLOCK_AT_FIRST)
        number = 1  # whose cards find cold code, and are not counted
        screen.marks(_deal(wire, station, CARDS_A_ROUND, HURRY_SECONDS)[-1].version)
        while len(times) < cards:
            dealer.after_the_deal(number)
            number += 1
            dealer.until_the_deal(number)
            dealt = _deal(wire, station, min(CARDS_A_ROUND, cards - len(times)))
            marks = screen.marks(dealt[-1].version)
            screen.ask_clock(CLOCK_A_ROUND)
            times += [stages(card, marks, screen.clock) for card in dealt]
            print_progress(len(times), cards, "cards")
    figures = {name: percentiles([card[name] for card in times]) for name in (*STAGES, "card_to_screen")}
    return {"cards": len(times), **figures, "clock_bound_ms": round(screen.clock.bound_ms, 3)}


def _deal(wire: ShoeWire, station: ProcessOutput, cards: int, pause: float = PAUSE_SECONDS) -> list[SentCard]:
    dealt = []
    for place in range(1, cards + 1):
        time.sleep(pause + random.uniform(0, FRAME_SECONDS))
        began = wire.card(place - 1)
        version, durable, sent = map(int, station.line().split())
        dealt.append(SentCard(place=place, version=version, began=began, durable=durable, sent=sent))
    return dealt


def load_figures(loads: list[Load]) -> Figures:
    """The loads' spread, without the 99th of a hundred: there are too few."""
    figures = {
        "first_paint": percentiles([load.first_paint for load in loads]),
        "table_drawn": percentiles([load.drawn for load in loads]),
        "table_shown": percentiles([load.shown for load in loads]),
    }
    return {name: {key: found[key] for key in ("p50_ms", "longest_ms")} for name, found in figures.items()}


def stages(card: SentCard, marks: Marks, clock: PageClock) -> dict[str, int]:
    """What each stage of a card's way took, and all of them together. Raises BenchFailed where it is not drawn."""
    draw = marks.draw_of(card.version)
    if draw.cards < card.place:
        raise BenchFailed(f"the page shows {draw.cards} cards where {card.place} were dealt")
    received_at = clock.moment(marks.shown_at(card.version))
    drawn, shown = clock.moment(draw.drawn), clock.moment(draw.shown)
    return {
        "durable": card.durable - card.began,
        "sent": card.sent - card.durable,
        "received": received_at - card.sent,
        "drawn": drawn - received_at,
        "shown": shown - drawn,
        "card_to_screen": shown - card.began,
    }


def rows(figures: Figures) -> list[Row]:
    """The lines of a table."""
    painted, drawn, shown = figures["first_paint"], figures["table_drawn"], figures["card_to_screen"]
    return [
        Row("first paint of the console, nothing cached, p50", f"{painted['p50_ms']:.0f} ms"),
        Row("its table drawn, p50", f"{drawn['p50_ms']:.0f} ms"),
        Row("a card to the screen, p50", f"{shown['p50_ms']:.0f} ms"),
        Row("a card to the screen, p99", f"{shown['p99_ms']:.0f} ms"),
    ]


def _print(figures: Figures) -> None:
    columns = ("p50", "longest")
    print_head(f"{figures['loads']} loads with nothing cached, from the navigation's start to", columns)
    for name, text in LOADS.items():
        print_row(text, figures[name], columns)
    print()
    print_head(f"{figures['cards']} cards, from complete on the pseudo-terminal to")
    print_row("the screen", figures["card_to_screen"])
    print("of that, one after the other")
    for name, text in STAGES.items():
        print_row(text, figures[name])
    print(
        f"The browser's clock is known to {figures['clock_bound_ms']:.2f} ms; it rounds what it says of a presentation "
        f"up to {PAINT_TICK_MS} ms.\nChromium {figures['browser']}, without a screen."
    )


def run_station(config_file: str) -> None:
    """The station as `run` runs it; says of each card the version that has it, when it was durable and when sent."""
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from controller.config.file import read_config
    from controller.journal.records import Batch
    from controller.journal.sealing import Seal, read_key
    from controller.journal.writer import Writer
    from controller.rulebook.events import CardsDealt
    from controller.runtime.composition import compose
    from controller.station import Station

    durable: list[int] = []  # of a card that is not yet sent

    class TimedWriter(Writer):
        async def commit(self, batch: Batch) -> None:
            await super().commit(batch)
            if any(isinstance(entry.event, CardsDealt) for entry in batch.entries):
                durable.append(time.monotonic_ns())

    def around(app: ASGIApp) -> ASGIApp:
        async def timed(scope: Scope, receive: Receive, send: Send) -> None:
            async def sending(message: Message) -> None:
                await send(message)
                now = time.monotonic_ns()
                table = VERSION.search(message.get("body", b"")) if durable else None
                if table is not None:
                    print_line(f"{int(table[1])} {durable.pop()} {now}")

            await app(scope, receive, sending if scope.get("path") == STREAM else send)

        return timed

    async def opened() -> Station:
        config = read_config(Path(config_file))
        writer = await TimedWriter.open(config.journal, Seal(read_key(config.seal_key_file, create=True)), config.mode)
        return Station(**vars(compose(config, writer, around=around)))

    serve(opened())


if __name__ == "__main__":
    run_station(sys.argv[2])
