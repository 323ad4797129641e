"""The parts of the public table for players and strangers. No I/O here.

The display names no person, and no card before a rule has shown it. A stranger at the console sees a list of
what is in; everything else keeps its key and is empty, so that a reader of the public table can read this one too.
"""

from collections.abc import Mapping
from typing import Any, Final, Literal

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from controller.engine.reasons import TableReason
from controller.engine.shown.public import PublicRound, PublicTable
from controller.engine.state.current import Settings
from controller.rulebook.games import GAMES
from controller.rulebook.house import BasicBets
from controller.rulebook.pay_table import PayRow, with_fixed
from controller.rulebook.reading import Limits
from controller.rulebook.refusal import Reason
from controller.rulebook.report import RoundResult
from controller.rulebook.results import PaidSeat, ShownHand, names_of_hands, paid_seats
from controller.rulebook.round import Voided
from controller.rulebook.steps import StepKind

Stage = Literal["closed", "waiting", "bets", "until_card", "no_more", "result", "void"]
WITHOUT_CARDS: tuple[Stage, ...] = ("closed", "waiting", "bets")


class ShownVoid(msgspec.Struct, frozen=True):
    """Why a round is void: the article, and the reason without what a person wrote."""

    article: str
    why: Reason | None


class PublicDisplay(msgspec.Struct, frozen=True):
    """The display. Money in minor units; `pot` null where no jackpot is offered.

    `pot_fault` says that the pot is shared, and may be another by now.

    `own_words` ends the keys of what the game words otherwise. What is on offer are the bets with `limits` and those
    `without_limits`, a jackpot's chip among them.

    `last_round`: the cut card is out, and the round in play is the last of its shoe (black-jack 11). `banker` is the
    seat that holds the bank. `cards` by place are those that are open. `hands` by place, `nets` by seat and what the
    rows of the pay table `paid` are there once the round is settled or void; `bank_plays` is null where the bank plays
    always.
    """

    game: str
    own_words: str
    stage: Stage
    round: int | None
    last_round: bool
    limits: dict[str, Limits]
    basic_bets: BasicBets | None
    without_limits: tuple[str, ...]
    chip: int
    pot: int | None
    pot_fault: bool
    pays: tuple[PayRow, ...]
    banker: int | None = None
    cards: dict[str, str] = {}
    hands: dict[str, tuple[ShownHand, ...]] = {}
    bank_plays: bool | None = None
    nets: dict[str, int] = {}
    paid: tuple[PaidSeat, ...] = ()
    void: ShownVoid | None = None


def display(table: PublicTable, settings: Settings) -> PublicDisplay:
    """The display of a table for everybody, with the bets that the configuration offers."""
    terms, round = settings.terms, table.round
    game, jackpot = GAMES[terms.game], table.jackpot if terms.chip else None
    linked = None if jackpot is None else jackpot.linked
    stage = _stage(table, game.offers(terms).betting)
    over = round if stage in ("result", "void") else None
    chip = terms.chip if jackpot is None else jackpot.chip
    rows = game.pay_table(replace(terms, chip=chip))
    pays = rows if jackpot is None else with_fixed(rows, jackpot.fixed)
    return PublicDisplay(
        game=terms.game,
        own_words=game.own_words,
        stage=stage,
        round=None if round is None else round.id,
        last_round=round is not None and table.shoe.cut_card_out and stage != "waiting",
        limits=table.posted.limits,
        basic_bets=table.posted.basic_bets,
        without_limits=tuple(wager for wager in terms.additional if wager not in table.posted.limits),
        chip=chip,
        pot=None if jackpot is None else linked.pot if linked is not None else jackpot.pot,
        pot_fault=linked is not None and linked.fault,
        pays=pays,
        banker=None if round is None or round.banker is None else round.banker.place,
        cards={} if round is None or stage in WITHOUT_CARDS else _cards(round),
        void=None if round is None or round.void is None else _why_void(round.void),
        **({} if over is None or over.settlement is None else _results(over, over.settlement, pays)),
    )


def _results(round: PublicRound, result: RoundResult, pays: tuple[PayRow, ...]) -> dict[str, Any]:
    plays = None if result.bank is None else result.bank.qualifies
    return {
        "hands": names_of_hands(result, round.hands),
        "bank_plays": None if plays is UNSET else plays,
        "nets": {str(seat.seat): seat.net for seat in result.seats},
        "paid": paid_seats(result, pays),
    }


def _stage(table: PublicTable, betting: tuple[StepKind, ...]) -> Stage:
    """The stage; at the steps `betting` bets are placed, though the prize is closed, until the bank has a card."""
    round = table.round
    if not table.open or table.step.kind == "load":
        return "closed"
    if round is None:
        return "waiting"
    if round.void is not None:
        return "void"
    if round.settlement is not None:
        return "result"
    if round.locked:
        return "until_card" if table.step.kind in betting and round.bank is None else "no_more"
    return "bets" if table.step.kind == "wagers" else "waiting"


def _why_void(void: Voided) -> ShownVoid:
    why: Any = void.why
    if why.code == TableReason.WITH_WORDS:
        why = why.values["why"]
    return ShownVoid(void.article, None if why.code == TableReason.AS_STATED else why)


def _cards(round: PublicRound) -> dict[str, str]:
    hands = {f"seat {seat}": " · ".join(hand.cards for hand in hands) for seat, hands in round.hands.items()}
    bank = {} if round.bank is None else {"bank": round.bank.cards}
    return {**round.shown, **hands, **bank}


ALL: Final = None


EACH: Final = "*"  # of an object by seat, place or number


Shape = Mapping[str, Any]


NO_KEY: Final[Shape] = {EACH: False}  # of an object that is in, with nothing of it


def _of(*names: str, **inside: object) -> Shape:
    return {**dict.fromkeys(names, ALL), **inside}


_LINE = _of(
    "wager", "hand", "stake", "outcome", "odds", "net", "combination", "article", "chip_carried", "commission"
)  # fmt: skip


_PARTY = _of("seat", "hand_name", "net", "front", "rear", "rearranged", "outcome", lines=_LINE)


_BANK = _of(
    "hand_name", "qualifies", "total", "black_jack", "seat", "capital", "net", "limited", "casino", "turn_rounds",
    joiners=_LINE,
)  # fmt: skip


_AWARD = _of("seat", "tier", "amount", "from_pot", "from_house", "article")


_SETTLEMENT = _of(
    "game", "outcome", "first_place", "settling_order", bank=_BANK, seats=_PARTY,
    jackpot=_of("pot_before", "pot_after", awards=_AWARD),
)  # fmt: skip


_BET = _of("seat", "wager", "amount")


_ROUND = _of(
    "id", "phase", "source", "wagers", "deal", "chips", "carried_chips", "returned_chips", "locked", "result_open",
    "dealt", "unread", "exposed", "aside", "decisions", "shown", "hands", "bank", "pending_cards", "payouts",
    "places", "banker", "form", "dice", "null_dice", "moved", "first_place", "order", "hands_set", "used", "pairs",
    bets=_BET, lines={EACH: _LINE}, settlement=_SETTLEMENT, void=_of("article", "carried", values=NO_KEY),
    players=NO_KEY, holders=NO_KEY,
)  # fmt: skip


_STEP = _of(
    "id", "kind", "to", "order", "waiting", "key_in", "cards", "question", "seat", "hand", "legal", "most", "least",
    "elsewhere", "prompt",
)  # fmt: skip


_HIT = _of("hit", "round", "seat", "tier", "amount", "article", "state", "cards")


_JACKPOT = _of(
    "pot", "minimum", "reserve", "overflow", "pending", "fixed", "chip", "linked", "turns",
    hits=_HIT, blocked=NO_KEY, doubted={}, claimed={}, compared={}, pit_keys={},
)  # fmt: skip


_TABLE = _of(
    "open", "version", "source", "sources", "shuffler_failures", "shoe", "carried_chips", "pending_claims", "lid_open",
    "lamps", "sign", "slots", "devices", "posted", "notices", step=_STEP, round=_ROUND, jackpot=_JACKPOT, acts=NO_KEY,
)  # fmt: skip


def for_strangers(table: PublicTable) -> dict[str, Any]:
    """The table for anyone who is not logged in, as JSON has it, with the number of alarms that no one acknowledged."""
    public = seen(msgspec.to_builtins(table, str_keys=True), _TABLE)
    if table.step.backers:
        public["step"]["prompt"] = dict.fromkeys(table.step.prompt, "")  # it asks them by their names
    return {**public, "alarms_waiting": sum(alarm.acknowledged_by is None for alarm in table.alarms)}


def seen(value: Any, shape: Shape | None) -> Any:
    """The fields of a value that are set; others are left out, or null."""
    if shape is None:
        return value
    if not shape:
        return None
    if isinstance(value, list | tuple):
        return [seen(item, shape) for item in value]
    if not isinstance(value, dict):
        return _empty(value)
    if EACH in shape:
        return {} if shape is NO_KEY else {key: seen(item, shape[EACH]) for key, item in value.items()}
    return {key: seen(item, shape[key]) if key in shape else _empty(item) for key, item in value.items()}


def _empty(value: Any) -> Any:
    return [] if isinstance(value, list | tuple) else "" if isinstance(value, str) else None
