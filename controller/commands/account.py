"""The output of a simulation for a person: the table on a terminal, else a line for each round, or a progress bar."""

import asyncio
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Any, TextIO, cast

from msgspec import UNSET
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.text import Text

from controller.commands.account_places import PLAY, Money, lines_of_places
from controller.commands.watch import sight_of
from controller.commands.watch_screen import TerminalScreen
from controller.config.file import Config
from controller.engine.shown.prompts import notice
from controller.engine.state.applied import Event
from controller.engine.state.events import DealerNotified, DeviceLost, DeviceUp
from controller.engine.state.jackpot import HitLocked, HitPaid, PotRestarted
from controller.engine.state.table import Table
from controller.rulebook.cards import show_cards
from controller.rulebook.events import (
    BettingClosed,
    CardsDealt,
    CardsShown,
    DealAnnounced,
    RoundBegun,
    RoundConfirmed,
    RoundSettled,
)
from controller.rulebook.games import GAMES, step_of
from controller.rulebook.packets import PacketsRound
from controller.rulebook.round import Play, Round
from controller.rulebook.settlement import SettledDealer
from controller.rulebook.steps import seat_place
from controller.runtime.bus import Committed
from controller.runtime.view import View
from controller.system.tasks import ProgramStops
from controller.telemetry.logs import STDERR
from controller.telemetry.writing import stdout_aside
from controller.words import cards_shown, english, shown_amount

BAR_FROM_ROUNDS = 50  # above this many rounds a bar says more than the rounds themselves
DRAWN_EVERY_SECONDS = 0.1  # at most


class _Out(Console):
    def on_broken_pipe(self) -> None:
        raise BrokenPipeError  # rich would leave the process from inside a commit


class Account:
    """Reports the rounds to a person on a terminal; `quiet` leaves only a bar on stderr, and that only on a terminal.

    With `draws` the table is drawn on a screen of its own, below the addresses and `also`, instead of lines.
    """

    def __init__(
        self,
        config: Config,
        rounds: int | None,
        quiet: bool,
        on_gone: Callable[[], None],
        draws: bool = False,
        also: Sequence[str] = (),
    ) -> None:
        self._config = config
        self._on_gone = on_gone
        self._shows = not quiet
        self._shows_rounds = rounds is None or rounds < BAR_FROM_ROUNDS
        self._file = stdout_aside(lambda count: f"… {count} lines left out: no one read them\n")
        self._out = _Out(file=cast(TextIO, self._file), highlight=False, soft_wrap=True)
        self._bar: Progress | None = None
        self._task: TaskID | None = None
        if rounds is not None and (quiet or not self._shows_rounds) and sys.stderr.isatty():
            columns = (TextColumn("rounds"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
            self._bar = Progress(*columns, console=Console(file=cast(TextIO, STDERR), stderr=True))
            self._task = self._bar.add_task("rounds", total=rounds)
        self._also = also
        self._screen: TerminalScreen | None = None
        if draws and self._shows and self._shows_rounds:
            self._screen = TerminalScreen(self._head(), _Out(file=cast(TextIO, self._file), highlight=False))
            self._shows_rounds = False

    def __enter__(self) -> "Account":
        if self._bar is not None:
            self._bar.start()
        if self._screen is not None:
            self._screen.__enter__()
        elif self._shows:
            for line in [*self._head(), Text()]:
                self._say(line)
        return self

    def _head(self) -> list[Text]:
        config, source = self._config, GAMES[self._config.game].source
        host, port = config.listen
        floor = f"{'mqtts' if config.floor.tls else 'mqtt'}://{config.floor.host}:{config.floor.port}"
        lines = [
            "[black on yellow] SIMULATION [/] no real money, no real cards",
            f"{config.game}, {config.seats} seats, {source.described(config.card_source, config.shoe is not None)}",
            f"screen http://{host}:{port}/   floor {floor} dealer/{config.site}/{config.table}/#",
        ]
        if config.panel:
            lines.append(f"start  {config.panel}/start   every screen of this table on one page, and what to do first")
            lines.append(f"panel  {config.panel}/   to take over from the dealer and let things go wrong")
        lines.append(f"configuration and journal in {config.path.parent}   Ctrl-C ends the table")
        return [*map(Text.from_markup, lines), *map(Text, self._also)]

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()
        if self._screen is not None:
            with suppress(OSError):  # no one reads any more
                self._screen.__exit__(kind, error, trace)
        self._written()

    async def draw(self, view: View) -> None:
        """Draws the table after each change, if it is to be drawn, until the station stops or this is cancelled."""
        shown = b""
        with suppress(ProgramStops):
            while self._screen is not None:
                shown = await view.changed(shown, view.projection)
                try:
                    self._screen.show(sight_of(self._config.game, shown))
                except OSError:
                    self._on_gone()
                    return
                await asyncio.sleep(DRAWN_EVERY_SECONDS)

    def committed(self, committed: Committed) -> None:
        """Reports a commit."""
        for event in committed.events:
            if self._bar is not None and self._task is not None and isinstance(event, RoundConfirmed):
                self._bar.advance(self._task)
            elif self._shows_rounds:
                for line in self._lines(event, committed.table):
                    self._say(line)

    def fault(self, name: str, means: str) -> None:
        """Name a fault of the simulation, as `--fault` takes it, and what it means."""
        line = Text(f"  fault {name}: {means}", style="magenta")
        if self._screen is not None:
            self._screen.add(line)
        elif self._shows_rounds:
            self._say(line)

    def _say(self, line: str | Text) -> None:
        """Print, and stop reporting when no one reads: a closed pipe must not stop the table."""
        if self._shows:
            try:
                self._out.print(line)
            except OSError:
                self._shows = False
                self._on_gone()

    def total(self, tally: dict[str, Any]) -> None:
        """Print the totals of the simulation."""
        plural = "" if tally["rounds"] == 1 else "s"
        self._say(
            f"{tally['rounds']} round{plural}, {tally['settled']} settled, {tally['void']} void; "
            f"{tally['acknowledged']} of {tally['published']} messages acknowledged; {tally['wall_seconds']} s"
        )
        self._written()

    def _written(self) -> None:
        """The table has ended: wait for a slow reader."""
        self._file.writer.wait()

    def _lines(self, event: Event, table: Table) -> list[str | Text]:
        match event:
            case RoundBegun(round=number):
                return [f"[bold]Round {number}[/]"]
            case BettingClosed():
                return self._bets(table)
            case _ if table.round is not None and (lines := list(_lines_of_play(event, table.round, self._money))):
                return [*lines]
            case CardsShown(to=place, cards=cards):
                return [Text(f"  {place:<10} {cards_shown(show_cards(cards))}")]
            case RoundSettled() if table.round is not None:
                return self._settled(table.round)
            case HitLocked():
                return [f"  [bold green]JACKPOT[/] seat {event.seat} {event.tier}: {self._money(event.amount)}"]
            case PotRestarted() if table.meter is not None:
                return [f"  the pot starts again at {self._money(table.meter.pot)}"]
            case HitPaid():
                persons = " and ".join(event.confirmed_by)
                return [f"  hit {event.hit} paid: {self._money(event.amount)}, confirmed by {persons}"]
            case RoundConfirmed():
                return [f"  [dim]pot {self._money(table.meter.pot)}[/]\n" if table.meter is not None else ""]
            case DealAnnounced(deal=deal):
                return [f"  the deal: {deal.replace('_', ' ')}"]
            case DealerNotified():
                return [Text(f"  {notice(GAMES[self._config.game], event)['en']}", style="yellow")]
            case DeviceLost(device=device, reason=reason):
                return [Text.assemble("  ", (f"{device} lost", "red"), f": {reason}")]
            case DeviceUp(device=device):
                return [f"  [dim]{device} connected[/]"]
        return []

    def _bets(self, table: Table) -> list[str | Text]:
        round = table.round
        if round is None:
            return []
        lines: list[str | Text] = []
        for seat in round.seats_in_play:
            stakes = {**({"jackpot": round.terms.chip} if seat in round.chips else {}), **round.wagers[seat]}
            stakes_text = ", ".join(f"{wager} {self._money(amount)}" for wager, amount in stakes.items())
            lines.append(f"  seat {seat}     {stakes_text}")
        return lines

    def _settled(self, round: Round) -> list[str | Text]:
        settlement = round.settlement
        if settlement is None:
            return []
        lines: list[str | Text] = []
        if round.void is not None:
            lines = [f"  [red]void[/]: {english(round.void.why)} ({round.void.article})"]
        elif settlement.dealer:
            lines = [f"  bank: {_of_bank(settlement.dealer)}"]
        for seat, answer in settlement.seats.items():
            if all(line.outcome == "void" for line in answer.lines):
                continue
            colour = "green" if answer.net > 0 else "red" if answer.net < 0 else "white"
            hand = "" if answer.hand is UNSET else f"{answer.hand or 'folded, not shown'}: "
            why = ", ".join(f"{line.wager} {line.outcome} [dim]{line.article}[/]" for line in answer.lines)
            net = f"{'+' if answer.net > 0 else ''}{self._money(answer.net)}"
            lines.append(f"  {seat_place(int(seat)):<10} [{colour}]{net:>14}[/]  {hand}{why}")
        return lines

    def _money(self, minor: int) -> str:
        return f"{self._config.currency} {shown_amount(minor, self._config.exponent)}"


def _of_bank(answer: SettledDealer) -> str:
    if answer.cards is UNSET:
        return f"{answer.hand}, {'plays' if answer.qualifies else 'does not play'}"
    if answer.black_jack:
        return "black-jack"
    return "second card not turned" if answer.total is None else f"{answer.total} points"


def _lines_of_packets(event: Event, round: Round, money: Money) -> Iterator[str]:
    if isinstance(event, CardsDealt) and step_of(round).kind != "deal":
        yield f"  cards dealt face down to {len(round.seats_in_play)} seats and the bank"


_OF_PLAY: dict[type[Play], Callable[[Event, Round, Money], Iterator[str]]] = {
    PacketsRound: _lines_of_packets,
    PLAY: lines_of_places,
}


def _lines_of_play(event: Event, round: Round, money: Money) -> Iterator[str]:
    """The lines that an event has in this kind of play alone."""
    lines_of = _OF_PLAY.get(type(round.play))
    return iter(()) if lines_of is None else lines_of(event, round, money)
