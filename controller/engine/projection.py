"""The table as everybody may see it: what console, floor and sign are made from. No I/O here.

It is made from the table alone, and the table holds no card that the rules have not shown.
"""

from collections.abc import Iterator
from typing import Any

import msgspec

from controller.engine.device_faults import SOURCES, STANDING
from controller.engine.due import has_failed
from controller.engine.events import DeviceLost
from controller.engine.jackpot import E4, Hit, Meter
from controller.engine.languages import Words, words
from controller.engine.notices import notices
from controller.engine.prize_cards import taken_too_early, unpaid_hits
from controller.engine.prompts import DEVICES, FAILED, prompt
from controller.engine.public_places import PublicPlaces, public_places
from controller.engine.react import Effects
from controller.engine.settings import Settings, game_at, source_of
from controller.engine.table import (
    DAMAGED_CARD,
    DECK_COUNT,
    DECK_TROUBLE,
    SHUFFLER_LID,
    WARNING_CARD,
    Table,
    next_step,
)
from controller.engine.table_parts import is_overdue
from controller.rulebook.cards import show_cards
from controller.rulebook.events import InputCorrected
from controller.rulebook.game import BankView, Game, HandView
from controller.rulebook.games import game_of
from controller.rulebook.refusal import Refusal
from controller.rulebook.round import Round
from controller.rulebook.round_parts import Voided
from controller.rulebook.settlement import Line, Settlement
from controller.rulebook.steps import Phase, Step, Why, seat_place
from controller.rulebook.taiwan_pai_kao.answer import PaiKaoSettlement

DECISIONS = ("play", "fold")  # of a seat where all decide at once
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


class PublicRound(PublicPlaces, frozen=True, kw_only=True):
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
    settlement: Settlement | PaiKaoSettlement | None
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
        step=PublicStep(prompt=prompt(table, settings), **msgspec.structs.asdict(_explained(table, step))),
        round=_round(table.round, game_of(table.round).phase(step.kind)) if table.round is not None else None,
        jackpot=public_jackpot(table.meter) if table.meter is not None else None,
        lamps=msgspec.to_builtins(effects.lamps),
        sign=msgspec.to_builtins(effects.sign),
        slots={seat: chip.state for seat, chip in sorted(table.slots.items())},
        notices=notices(table, game_at(table, settings)),
        devices={name: _link(state) for name, state in sorted(table.devices.items())},
        alarms=alarms(table, game_at(table, settings)),
    )


def _explained(table: Table, step: Step) -> Step:
    """The step, with why one may not cut or decide now: ``seat 3``, ``3/fold``. A hand that is asked says so itself."""
    round = table.round
    if round is None or step.kind not in ("cut", "decisions"):
        return step
    refused = _refused_cuts if step.kind == "cut" else _refused_decisions
    return msgspec.structs.replace(step, illegal=dict(refused(game_of(round), round)))


def _refused_cuts(game: Game, round: Round) -> Iterator[tuple[str, Why]]:
    for seat in (None, *range(1, round.terms.seats + 1)):
        why = game.why_not_cut(round, seat)
        if why:
            yield "bank" if seat is None else seat_place(seat), Why(reason=why, rule=game.citations.cut)


def _refused_decisions(game: Game, round: Round) -> Iterator[tuple[str, Why]]:
    for seat in game.waiting(round):
        for decision in DECISIONS:
            try:
                game.check_decision(round, seat, decision)
            except Refusal as refusal:
                yield f"{seat}/{decision}", Why(reason=refusal.reason, rule=refusal.article or "")


def _link(state: object) -> str:
    return "down" if isinstance(state, DeviceLost) else "up"


PRIZE_CARDS = "prize-cards"
ALARMS = (
    *(f"{link}-{trouble}" for link in SOURCES for trouble, _, _ in STANDING),
    *(DECK_TROUBLE, DAMAGED_CARD, DECK_COUNT, "shuffler-failed", WARNING_CARD, PRIZE_CARDS),
)
"""Every alarm of a device but its absence and the seats' sensors."""


_AWAY = (
    "The {device} does not answer: {reason}",
    "O dispositivo {device} não responde: {reason}",
    "{name}沒有回應：{reason}",
)
_DOUBTFUL = (
    "The sensor of seat {seat} is not believed",
    "O sensor do lugar {seat} não é fiável",
    "{seat}號位的感應器不可信",
)
_TROUBLES = {
    "jam": ("encravado", "卡牌"),
    "lid": ("a tampa está aberta", "蓋已打開"),
    "error": ("erro", "錯誤"),
    "machine": ("não é o baralhador deste jogo", "不是這種遊戲的洗牌機"),
    "card": ("uma carta está danificada: o fiscal-chefe substitui-a (51)", "有損壞的牌，由主任稽查更換（51）"),
    "count": ("a contagem das cartas não está certa (55)", "牌的數目不符（55）"),
    "deck": ("o baralho não está completo", "牌不齊"),
}


_PRIZE_CARDS = (
    "Seat {seat}: winning cards went into the shuffler and hit {hit} is not paid (49)",
    "Lugar {seat}: entraram cartas premiadas no baralhador e o prémio {hit} não está pago (49)",
    "{seat}號位：獎項{hit}未派彩，中獎的牌已放入洗牌機（49）",
)
_OVERDUE = (
    "The warning card was not heard, {left} cards are left: if it is out, say so; else announce the last round (11)",
    "A carta-aviso não foi ouvida e restam {left} cartas: se saiu, indique-o; senão, anuncie a última jogada (11)",
    "未收到警示卡信號，只剩{left}張牌：如已出現請輸入，否則請宣布最後一局（11）",
)


def alarms(table: Table, game: Game) -> list[PublicAlarm]:
    """The alarms that follow from the table, so that they outlive a restart: links, troubles, doubtful sensors."""
    away = [
        PublicAlarm(
            name=f"device-{name}",
            text=words(_AWAY, device=name, name=DEVICES.get(name, name), reason=state.reason),
        )
        for name, state in sorted(table.devices.items())
        if isinstance(state, DeviceLost)
    ]
    troubles = [
        PublicAlarm(name=name, text=_trouble(name, text))
        for name, text in sorted(table.troubles.items())
        if name != SHUFFLER_LID or table.load is None  # a session's shuffler opens its lid by itself (60)
    ]
    sensors = [
        PublicAlarm(
            name=f"slots-seat-{seat}",
            text=words(_DOUBTFUL, seat=seat),
        )
        for seat, chip in sorted(table.slots.items())
        if chip.state == "doubtful"
    ]
    if has_failed(table, game):
        article = game.citations.shuffler_failed
        troubles.append(PublicAlarm(name="shuffler-failed", text=words(FAILED, article=article)))
    hits = unpaid_hits(table)
    if hits and table.round is not None and taken_too_early(table, table.round.inserted):
        troubles.append(PublicAlarm(name=PRIZE_CARDS, text=words(_PRIZE_CARDS, seat=hits[0].seat, hit=hits[0].hit)))
    if is_overdue(table.shoe):
        troubles.append(PublicAlarm(name=WARNING_CARD, text=words(_OVERDUE, left=table.shoe.left)))
    return [*away, *troubles, *sensors]


def _trouble(name: str, text: str) -> Words:
    device, _, trouble = name.partition("-")
    portuguese, chinese = _TROUBLES.get(trouble, (text, text))
    named = f"{DEVICES[device]}：" if device in DEVICES else ""
    return {"en": f"{device}: {text}", "pt": f"{device}: {portuguese}", "zh": f"{named}{chinese}"}


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
        settlement=round.settled,
        void=round.void,
        **msgspec.structs.asdict(public_places(round)),
    )
