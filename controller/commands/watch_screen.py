"""The view of a table for a terminal: coloured, redrawn at changes, with the latest events below it, newest first."""

import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from types import TracebackType
from typing import Any, Self

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.live import Live
from rich.rule import Rule
from rich.table import Table as Grid
from rich.text import Text

from controller.commands.watched import (
    FeltRow,
    PublicDict,
    Sight,
    alarm_state,
    felt_rows,
    hit_lines,
    lines_of_round,
    pot,
    progress_line,
    prompt_line,
    signed,
    title,
    unseen_alarms,
)
from controller.commands.watched_changes import change_lines

KEPT_HAPPENINGS = 200  # more than any terminal has lines
NARROW = 60  # columns: below, a place is a letter
LINK_STYLES = {"up": "green", "down": "bold white on red"}


def show_once(sight: Sight) -> None:
    """Print one view."""
    Console(highlight=False).print(_felt(sight))


def show_live(sights: Iterator[Sight], station: str) -> None:
    """Draw the view again for each sight, until interrupted."""
    with TerminalScreen() as screen:
        for sight in sights:
            if sight.away is None:
                screen.show(sight)
            else:
                screen.away(f"since {_now()} {station}: {sight.away}; trying again")


class TerminalScreen:
    """A terminal's whole screen: a fixed `head`, then the table as last seen and the latest events."""

    def __init__(self, head: Sequence[Text] = (), console: Console | None = None) -> None:
        self._head = head
        self._happened: deque[Text] = deque(maxlen=KEPT_HAPPENINGS)
        self._last: Sight | None = None
        self._live = Live(
            Group(*head),
            console=console or Console(highlight=False),
            screen=True,
            auto_refresh=False,
        )

    def __enter__(self) -> Self:
        self._live.start(refresh=True)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.stop()

    def show(self, sight: Sight) -> None:
        """The table is now this."""
        before = self._last.table if self._last is not None else None
        for line in change_lines(before, sight.table):
            self._happened.appendleft(Text(f"{_now()} {line}", style=_style(line)))
        self._last = sight
        self._draw(None)

    def add(self, line: Text) -> None:
        """Adds a line about something that the table does not show; it is drawn with the next change."""
        self._happened.appendleft(line)

    def away(self, why: str) -> None:
        """The station does not answer any more."""
        self._draw(why)

    def _draw(self, away: str | None) -> None:
        self._live.update(Group(*self._head, drawn(self._last, away, self._happened)), refresh=True)


def _now() -> str:
    return time.strftime("%H:%M:%S")


def drawn(sight: Sight | None, away: str | None, happened: Iterable[Text]) -> RenderableType:
    """The whole screen; if the station does not answer, says so above the table's last state."""
    parts: list[RenderableType] = []
    if away is not None:
        parts.append(Text(away, style="bold white on red"))
    if sight is not None:
        parts.append(_felt(sight))
    return Group(*parts, Rule(style="dim"), *happened)


def _felt(sight: Sight) -> RenderableType:
    table = sight.table
    head = Text()
    if table["mode"] != "live":
        head.append(f" {table['mode'].upper()} ", style="black on yellow").append(" ")
    head.append(title(table, sight.game), style="bold").append(f"   {progress_line(table)}")
    parts: list[RenderableType] = [head, Text(prompt_line(table), style="bold cyan")]
    parts += [Text(alarm_state(alarm), style=_alarm_style(alarm)) for alarm in table["alarms"]]
    if unseen := unseen_alarms(table):
        parts.append(Text(unseen, style="bold red"))
    parts += [Text(notice["en"], style="yellow") for notice in table["notices"]]
    parts += [Text(line, style=_style(line)) for line in lines_of_round(table)]
    lying = felt_rows(table)
    if lying:
        parts += [Text(), _Places(table, lying), Text()]
    if (meter := pot(table)) is not None:
        parts.append(Text("pot ", style="dim").append(meter, style="bold green"))
    parts += [Text(hit, style="bold green") for hit in hit_lines(table)]
    links = Text("devices", style="dim")
    for device, link in table["devices"].items():
        links.append(f"  {device} ").append(link, style=LINK_STYLES.get(link, ""))
    return Group(*parts, links)


def _alarm_style(alarm: dict[str, Any]) -> str:
    """Red for alarms without an acknowledgement, bold for the others."""
    if alarm["over"]:
        return "red"
    return "bold red" if alarm["acknowledged_by"] is None else "bold yellow"


class _Places:
    """The places of the table, a row for each, in the available width."""

    def __init__(self, table: PublicDict, places: list[FeltRow]) -> None:
        self._table = table
        self._places = places

    def __rich_console__(self, _: Console, options: ConsoleOptions) -> RenderResult:
        yield _grid(self._table, self._places, narrow=options.max_width < NARROW)


def _short(place: str) -> str:
    """A place in a letter: `B` for the bank, `3` for seat 3."""
    number = place.rpartition(" ")[2]
    return number if number.isdecimal() else place[:1].upper()


def _grid(table: PublicDict, lying: list[FeltRow], narrow: bool) -> Grid:
    grid = Grid.grid(padding=(0, 1 if narrow else 2))
    for justify in ("left", "left", "left", "left", "right", "left"):
        grid.add_column(justify=justify)
    for row in lying:
        place = _short(row.place) if narrow else row.place
        net = "" if row.net is None else signed(table, row.net)
        colour = "" if not row.net else "green" if row.net > 0 else "red"
        grid.add_row(
            Text(
                f"{'▸' if row.due else ' '} {place}",
                style="bold cyan" if row.due else "bold",
                no_wrap=True,
            ),
            Text("\n".join(row.wagers)),
            Text(row.cards),
            Text(row.says),
            Text(net, style=colour, no_wrap=True),
            Text(", ".join(row.results), style="dim"),
        )
    return grid


def _style(line: str) -> str:
    if line.startswith(("alarm:", "void:")) or line.endswith(" is down"):
        return "red"
    return "bold green" if line.startswith("jackpot:") else ""
