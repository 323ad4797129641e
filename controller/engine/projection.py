"""The table as everybody may see it: what console, floor and sign are made from. No I/O here.

It is made from the table alone, and the table holds no card that the rules have not shown.
"""

from typing import Any

import msgspec

from controller.engine.device_faults import SOURCES, STANDING
from controller.engine.due import has_failed
from controller.engine.events import DeviceLost
from controller.engine.jackpot import E4, Hit, Meter
from controller.engine.prompts import FAILED, Words, notices, prompt
from controller.engine.react import Effects
from controller.engine.settings import Settings, game_at, source_of
from controller.engine.table import DAMAGED_CARD, DECK_COUNT, DECK_TROUBLE, SHUFFLER_LID, Table, next_step
from controller.rulebook.cards import show_cards
from controller.rulebook.events import InputCorrected
from controller.rulebook.game import BankView, Game, HandView
from controller.rulebook.games import game_of
from controller.rulebook.round import Round, Voided
from controller.rulebook.settlement import Line, Settlement
from controller.rulebook.steps import PHASE_OF, Phase, Step

SCHEMA = 1


class PublicStep(Step, frozen=True, kw_only=True, omit_defaults=True):
    """The step awaited, with its prompt by language."""

    prompt: Words


class PublicDealt(msgspec.Struct, frozen=True):
    """Cards that left the source together: the shuffler's order number, and their places; null ones (17.º 5) too."""

    order: int | None
    to: tuple[str, ...]
    null: bool


class PublicBet(msgspec.Struct, frozen=True):
    """One player's bet in a box that several may share; minor units, `player` null where nobody was named."""

    seat: int
    wager: str
    player: str | None
    amount: int


class PublicShoe(msgspec.Struct, frozen=True):
    """A shoe that is dealt from for many rounds: loaded or not, and whether its cut card came out."""

    loaded: bool
    cut_card_out: bool


class PublicRound(msgspec.Struct, frozen=True):
    """A round without what still lies face down. Money in minor units."""

    id: int
    phase: Phase
    source: str
    wagers: dict[int, dict[str, int]]
    bets: tuple[PublicBet, ...]
    players: dict[int, str]
    deal: str | None
    chips: tuple[int, ...]
    carried_chips: tuple[int, ...]
    returned_chips: tuple[int, ...]
    locked: bool
    dealt: tuple[PublicDealt, ...]
    unread: tuple[str, ...]
    exposed: dict[str, int]
    aside: tuple[int, ...]
    decisions: dict[int, str]
    shown: dict[str, str]
    hands: dict[int, tuple[HandView, ...]]
    bank: BankView | None
    lines: dict[int, list[Line]]
    pending_cards: int
    corrections: tuple[InputCorrected, ...]
    settlement: Settlement | None
    void: Voided | None


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
    source: str
    sources: tuple[str, ...]
    shuffler_failures: int
    shoe: PublicShoe
    carried_chips: tuple[int, ...]
    held_claims: tuple[int, ...]
    lid_open: bool | None
    step: PublicStep
    round: PublicRound | None
    jackpot: PublicJackpot | None
    lamps: dict[str, Any]
    sign: Any
    slots: dict[int, str]
    notices: list[Words]
    devices: dict[str, str]
    alarms: list[PublicAlarm]


def project(table: Table, effects: Effects, settings: Settings) -> PublicTable:
    """The public projection of a table."""
    step = next_step(table)
    return PublicTable(
        open=table.open,
        version=table.version,
        source=source_of(table, settings),
        sources=settings.sources,
        shuffler_failures=table.shuffler_failures,
        shoe=PublicShoe(loaded=bool(table.shoe.decks), cut_card_out=table.shoe.cut_card_out),
        carried_chips=tuple(chip.seat for chip in table.carried),
        held_claims=tuple(one.round for one in table.held),
        lid_open=SHUFFLER_LID in table.troubles if table.load is not None else None,
        step=PublicStep(prompt=prompt(table, settings), **msgspec.structs.asdict(step)),
        round=_round(table.round, PHASE_OF[step.kind]) if table.round is not None else None,
        jackpot=public_jackpot(table.meter) if table.meter is not None else None,
        lamps=msgspec.to_builtins(effects.lamps),
        sign=msgspec.to_builtins(effects.sign),
        slots={seat: chip.state for seat, chip in sorted(table.slots.items())},
        notices=notices(table, game_at(table, settings)),
        devices={name: _link(state) for name, state in sorted(table.devices.items())},
        alarms=alarms(table, game_at(table, settings)),
    )


def _link(state: object) -> str:
    return "down" if isinstance(state, DeviceLost) else "up"


ALARMS = (
    *(f"{link}-{trouble}" for link in SOURCES for trouble, _, _ in STANDING),
    *(DECK_TROUBLE, DAMAGED_CARD, DECK_COUNT, "shuffler-failed"),
)
"""Every alarm of a device but its absence and the seats' sensors."""


def alarms(table: Table, game: Game) -> list[PublicAlarm]:
    """The alarms that follow from the table, so that they outlive a restart: links, troubles, doubtful sensors."""
    away = [
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
    troubles = [
        PublicAlarm(name=name, text={"en": f"{name.partition('-')[0]}: {text}", "pt": _trouble(name, text)})
        for name, text in sorted(table.troubles.items())
        if name != SHUFFLER_LID or table.load is None  # a session's shuffler opens its lid by itself (60)
    ]
    sensors = [
        PublicAlarm(
            name=f"slots-seat-{seat}",
            text={"en": f"The sensor of seat {seat} is not believed", "pt": f"O sensor do lugar {seat} não é fiável"},
        )
        for seat, chip in sorted(table.slots.items())
        if chip.state == "doubtful"
    ]
    if has_failed(table, game):
        article = game.citations.shuffler_failed
        told = {"en": FAILED[0].format(article=article), "pt": FAILED[1].format(article=article)}
        troubles.append(PublicAlarm(name="shuffler-failed", text=told))
    return [*away, *troubles, *sensors]


def _trouble(name: str, text: str) -> str:
    device, _, trouble = name.partition("-")
    words = {
        "jam": "encravado",
        "lid": "a tampa está aberta",
        "error": "erro",
        "machine": "não é o baralhador deste jogo",
        "card": "uma carta está danificada: o fiscal-chefe substitui-a (51)",
        "count": "a contagem das cartas não está certa (55)",
    }
    return f"{device}: {words.get(trouble, text)}"


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
    game = game_of(round)
    play = game.view(round)
    return PublicRound(
        id=round.id,
        phase=phase,
        source=round.terms.source,
        wagers=round.wagers,
        bets=tuple(
            PublicBet(seat, wager, player or None, amount)
            for seat, boxes in sorted(round.bets.items())
            for wager, here in boxes.items()
            for player, amount in here.items()
        ),
        players=round.players,
        deal=round.deal,
        chips=round.chips,
        carried_chips=round.carried_chips,
        returned_chips=round.returned_chips,
        locked=round.locked,
        dealt=tuple(
            PublicDealt(order=one.dealt.order, to=one.to, null=one.dealt.null is not None) for one in game.laid(round)
        ),
        unread=game.unread_places(round),
        exposed=round.exposed,
        aside=tuple(draw for one in round.aside for draw in one.draws),
        decisions=round.decisions,
        shown={place: show_cards(cards) for place, cards in round.shown.items()},
        hands=play.hands,
        bank=play.bank,
        lines=play.lines,
        pending_cards=sum(one.waits for one in round.uncalled),
        corrections=round.corrections,
        settlement=round.settlement,
        void=round.void,
    )
