"""The view of a table for a terminal: coloured, drawn again as it changes, below it what happened, latest first."""

import time
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.rule import Rule
from rich.table import Table as Grid
from rich.text import Text

from controller.commands.watch import Sight
from controller.commands.watched import (
    Row,
    Table,
    alarm_state,
    hits,
    pot,
    progress,
    prompt,
    rows,
    signed,
    title,
    told_of_round,
)
from controller.commands.watched_changes import changes

KEPT_HAPPENINGS = 200  # more than any terminal has lines
DRAWN_A_SECOND = 8
LINK_STYLES = {"up": "green", "down": "bold white on red"}


def show_once(sight: Sight) -> None:
    """Print one view."""
    Console(highlight=False).print(_felt(sight))


def show_live(sights: Iterator[Sight], station: str) -> None:
    """Draw the view again for each sight, on a screen of its own, until interrupted."""
    console = Console(highlight=False)
    happened: deque[Text] = deque(maxlen=KEPT_HAPPENINGS)
    last: Sight | None = None
    with Live(console=console, screen=True, refresh_per_second=DRAWN_A_SECOND) as live:
        for sight in sights:
            now = time.strftime("%H:%M:%S")
            if sight.away is not None:
                live.update(drawn(last, f"since {now} {station}: {sight.away}; trying again", happened))
                continue
            for line in changes(last.table if last is not None else None, sight.table):
                happened.appendleft(Text(f"{now} {line}", style=_style(line)))
            last = sight
            live.update(drawn(sight, None, happened))


def drawn(sight: Sight | None, away: str | None, happened: Iterable[Text]) -> RenderableType:
    """The whole screen; where the station is away, that, above the table as it was last seen."""
    parts: list[RenderableType] = []
    if away is not None:
        parts.append(Text(away, style="bold white on red"))
    if sight is not None:
        parts.append(_felt(sight))
    return Group(*parts, Rule(style="dim"), *happened)


def _felt(sight: Sight) -> RenderableType:
    table = sight.table
    head = Text()
    if table["mode"] == "simulation":
        head.append(" SIMULATION ", style="black on yellow").append(" ")
    head.append(title(table, sight.game), style="bold").append(f"   {progress(table)}")
    parts: list[RenderableType] = [head, Text(prompt(table), style="bold cyan")]
    parts += [Text(alarm_state(alarm), style=_alarm_style(alarm)) for alarm in table["alarms"]]
    parts += [Text(notice["en"], style="yellow") for notice in table["notices"]]
    parts += [Text(line, style=_style(line)) for line in told_of_round(table)]
    lying = rows(table)
    if lying:
        parts += [Text(), _grid(table, lying), Text()]
    if (meter := pot(table)) is not None:
        parts.append(Text("pot ", style="dim").append(meter, style="bold green"))
    parts += [Text(hit, style="bold green") for hit in hits(table)]
    links = Text("devices", style="dim")
    for device, link in table["devices"].items():
        links.append(f"  {device} ").append(link, style=LINK_STYLES.get(link, ""))
    return Group(*parts, links)


def _alarm_style(alarm: dict[str, Any]) -> str:
    """Red is what nobody has acknowledged; bold what stands."""
    if alarm["over"]:
        return "red"
    return "bold red" if alarm["acknowledged_by"] is None else "bold yellow"


def _grid(table: Table, lying: list[Row]) -> Grid:
    grid = Grid.grid(padding=(0, 2))
    for justify in ("left", "left", "left", "left", "right", "left"):
        grid.add_column(justify=justify)
    for row in lying:
        net = "" if row.net is None else signed(table, row.net)
        colour = "" if not row.net else "green" if row.net > 0 else "red"
        grid.add_row(
            Text(f"{'▸' if row.due else ' '} {row.place}", style="bold cyan" if row.due else "bold", no_wrap=True),
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
