"""The table as everybody may see it: what console, floor and sign are made from. No I/O here.

It is made from the table alone, and the table holds no card that the rules have not shown.
"""

from typing import Any

import msgspec

from controller.engine.events import DeviceLost
from controller.engine.jackpot import E4, Hit, Meter
from controller.engine.prompts import Words, notices, prompt
from controller.engine.react import Effects
from controller.engine.table import Table, next_step
from controller.rulebook.cards import show_cards
from controller.rulebook.fortune_3_card_poker.round import Round
from controller.rulebook.fortune_3_card_poker.settle import Settlement
from controller.rulebook.steps import PHASE_OF, Phase

SCHEMA = 1


class PublicStep(msgspec.Struct, frozen=True, omit_defaults=True):
    """The step awaited, with its prompt by language."""

    id: str
    kind: str
    prompt: Words
    to: tuple[str, ...] = ()
    order: int | None = None
    waiting: tuple[int, ...] = ()


class PublicDealt(msgspec.Struct, frozen=True):
    """Cards that left the source together: the shuffler's order number, and their places."""

    order: int | None
    to: tuple[str, ...]


class PublicRound(msgspec.Struct, frozen=True):
    """A round without what still lies face down. Money in minor units."""

    id: int
    phase: Phase
    source: str
    wagers: dict[int, dict[str, int]]
    players: dict[int, str]
    chips: tuple[int, ...]
    returned_chips: tuple[int, ...]
    locked: bool
    dealt: tuple[PublicDealt, ...]
    decisions: dict[int, str]
    shown: dict[str, str]
    settlement: Settlement | None


class PublicJackpot(msgspec.Struct, frozen=True):
    """The meter in minor units, with the hits not yet paid and the last 25 that were."""

    pot: int
    minimum: int
    reserve: int
    overflow: int
    pending: int
    fixed: dict[str, int]
    chip: int
    hits: tuple[Hit, ...]


class PublicAlarm(msgspec.Struct, frozen=True):
    """An alarm that stands: its name on the floor's topics and its text by language."""

    name: str
    text: Words


class PublicTable(msgspec.Struct, frozen=True):
    """The whole projection; identity and connection states are the station's to add."""

    open: bool
    version: int
    step: PublicStep
    round: PublicRound | None
    jackpot: PublicJackpot | None
    lamps: dict[str, Any]
    sign: Any
    slots: dict[int, str]
    notices: list[Words]
    devices: dict[str, str]
    alarms: list[PublicAlarm]


def project(table: Table, effects: Effects) -> PublicTable:
    """The public projection of a table."""
    step = next_step(table)
    return PublicTable(
        open=table.open,
        version=table.version,
        step=PublicStep(
            id=step.id, kind=step.kind, prompt=prompt(table), to=step.to, order=step.order, waiting=step.waiting
        ),
        round=_round(table.round, PHASE_OF[step.kind]) if table.round is not None else None,
        jackpot=public_jackpot(table.meter) if table.meter is not None else None,
        lamps=msgspec.to_builtins(effects.lamps),
        sign=msgspec.to_builtins(effects.sign),
        slots={seat: chip.state for seat, chip in sorted(table.slots.items())},
        notices=notices(table),
        devices={name: _link(state) for name, state in sorted(table.devices.items())},
        alarms=alarms(table),
    )


def _link(state: object) -> str:
    return "down" if isinstance(state, DeviceLost) else "up"


def alarms(table: Table) -> list[PublicAlarm]:
    """The alarms that follow from the table: a device that is away."""
    return [
        PublicAlarm(
            name=f"device-{name}",
            text={
                "en": f"The {name} does not answer: {state.reason}",
                "pt": f"O dispositivo {name} não responde: {state.reason}",
            },
        )
        for name, state in sorted(table.devices.items())
        if isinstance(state, DeviceLost)
    ]


def public_jackpot(meter: Meter) -> PublicJackpot:
    """The meter in whole minor units, rounded down."""
    return PublicJackpot(
        pot=meter.pot,
        minimum=meter.parameters.minimum,
        reserve=meter.reserve_e4 // E4,
        overflow=meter.overflow_e4 // E4,
        pending=meter.pending_e4 // E4,
        fixed=meter.parameters.fixed,
        chip=meter.parameters.chip,
        hits=meter.hits,
    )


def _round(round: Round, phase: Phase) -> PublicRound:
    return PublicRound(
        id=round.id,
        phase=phase,
        source=round.terms.source,
        wagers=round.wagers,
        players=round.players,
        chips=round.chips,
        returned_chips=round.returned_chips,
        locked=round.locked,
        dealt=tuple(PublicDealt(order=dealt.order, to=dealt.to) for dealt in round.dealt),
        decisions=round.decisions,
        shown={place: show_cards(cards) for place, cards in round.shown.items()},
        settlement=round.settlement,
    )
