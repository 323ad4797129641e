"""What the table is at: the step to be answered, the phase, and what a device's trouble means now. No I/O here."""

from controller.engine.reasons import TableReason
from controller.engine.state.device_faults import cell, phase_or_between
from controller.engine.state.events import DeviceLost
from controller.engine.state.table import Table, next_step
from controller.rulebook.events import CardSource
from controller.rulebook.game import Game
from controller.rulebook.games import game_of
from controller.rulebook.moments import INFORMED
from controller.rulebook.parts.faults import AnyPhase, Cell, DeviceName
from controller.rulebook.refusal import STEP_BY_STEP, Refusal
from controller.rulebook.steps import StepKind


def refuse_unless(table: Table, *kinds: StepKind) -> None:
    """Raises Refusal unless the table waits for one of these."""
    step = next_step(table)
    if step.kind not in kinds:
        wanted = " or ".join(repr(kind) for kind in kinds)
        article = STEP_BY_STEP if table.round is None else game_of(table.round).citations.play
        raise Refusal("table", TableReason.ANOTHER_TIME, article, now=step.kind, wanted=wanted)


def refuse_when_over(table: Table) -> None:
    """Raises Refusal unless there is a round that something can still change."""
    round = table.round
    if round is None or round.confirmed or round.void is not None:
        article = STEP_BY_STEP if round is None else game_of(round).citations.irregularities
        raise Refusal("table", TableReason.NO_ROUND_TO_CHANGE, article)


def refuse_while_changes_wait(table: Table) -> None:
    """Raises Refusal while changes of the round wait to be approved or rejected."""
    if table.waiting:
        listed = ", ".join(str(one.change) for one in table.waiting)
        raise Refusal("table", TableReason.CHANGES_WAIT, INFORMED, waiting=listed)


def rounds_over(table: Table) -> int:
    """The number of the last round that is confirmed; 0 if none is."""
    return table.rounds - (table.round is not None and not table.round.confirmed)


def phase_of(table: Table) -> AnyPhase:
    """The phase of the round in play, or the time between two."""
    return phase_or_between(None if table.round is None else game_of(table.round).phase(next_step(table).kind))


def trouble_now(table: Table, game: Game, device: DeviceName, trouble: str) -> Cell:
    """The cell of a device's trouble as the table stands; between two rounds as if the device were in use."""
    in_use: CardSource = "shoe" if device == "shoe" else "shuffler"
    source = table.round.terms.source if table.round is not None else in_use
    return cell(game, device, trouble, phase_of(table), source)


def has_failed(table: Table, game: Game) -> bool:
    """Whether the shuffler has failed so often that no round begins from it (17.º 2; 2008: 11.º 4))."""
    return game.source.has_failed(table.shuffler_failures)


def is_lost(table: Table, device: DeviceName) -> bool:
    """Whether a device that the configuration has is away."""
    return isinstance(table.devices.get(device), DeviceLost)
