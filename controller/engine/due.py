"""What the table is at: the step an input must answer, the terms of the next round, the phase. No I/O here."""

from msgspec import Struct
from msgspec.structs import replace

from controller.engine.device_faults import AnyPhase, Cell, cell, phase_or_between
from controller.engine.events import DeviceLost
from controller.engine.table import Table, next_step
from controller.rulebook.events import CardSource, Terms
from controller.rulebook.fortune_3_card_poker.round import Round
from controller.rulebook.refusal import Refusal
from controller.rulebook.steps import PHASE_OF, StepKind

FAILURES_OF_A_SHUFFLER = 2  # 17.º 2: it fails, the cards are shuffled again, it fails again


def require(table: Table, *kinds: StepKind) -> Round:
    """The round, at one of these steps. Raises Refusal at any other."""
    refuse_unless(table, *kinds)
    if table.round is None:
        raise TypeError(f"{kinds} are no steps of a round")
    return table.round


def refuse_unless(table: Table, *kinds: StepKind) -> None:
    """Raises Refusal unless the table waits for one of these."""
    step = next_step(table)
    if step.kind not in kinds:
        wanted = " or ".join(repr(kind) for kind in kinds)
        raise Refusal("table", f"this is the time for {step.kind!r}, not for {wanted}", "8.º")


class Settings(Struct, frozen=True):
    """What the configuration says of play: the terms of the next round, the sources at hand, and who may act."""

    terms: Terms
    people: dict[str, str]
    sources: tuple[CardSource, ...] = ()


def source_of(table: Table, settings: Settings) -> CardSource:
    """Where the cards of the present round come from, or of the next one."""
    if table.round is not None:
        return table.round.terms.source
    chosen = table.source
    return chosen if chosen is not None and chosen in settings.sources else settings.terms.source


def terms_of(table: Table, settings: Settings) -> Terms:
    """The next round's terms: the source in use, and the running pot's chip (a new value waits until it is won)."""
    terms = replace(settings.terms, source=source_of(table, settings))
    if table.meter is None or not terms.chip:
        return terms
    return replace(terms, chip=table.meter.parameters.chip)


def phase_of(table: Table) -> AnyPhase:
    """The phase of the round in play, or the time between two."""
    return phase_or_between(None if table.round is None else PHASE_OF[next_step(table).kind])


def trouble_now(table: Table, device: str, trouble: str) -> Cell:
    """The cell of a device's trouble as the table stands; between two rounds as if the device were in use."""
    in_use: CardSource = "shoe" if device == "shoe" else "shuffler"
    source = table.round.terms.source if table.round is not None else in_use
    return cell(device, trouble, phase_of(table), source)


def is_lost(table: Table, device: str) -> bool:
    """Whether a device that the configuration has is away."""
    return isinstance(table.devices.get(device), DeviceLost)
