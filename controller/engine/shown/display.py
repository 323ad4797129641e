"""What the players' display shows: made from the public table alone, and less of it. No I/O here.

No name stands in it, of nobody who works or plays here, and no card before the round is settled or void.
"""

from typing import Literal

import msgspec

from controller.engine.shown.projection import PublicRound, PublicTable
from controller.engine.state.settings import Settings
from controller.rulebook.games import GAMES
from controller.rulebook.house import BasicBets
from controller.rulebook.reading import Limits

Stage = Literal["closed", "waiting", "bets", "no_more", "result", "void"]


class PublicDisplay(msgspec.Struct, frozen=True):
    """The display. Money in minor units; `pot` null where no jackpot is offered.

    `pot_fault` says that the pot is shared, and may be another by now.

    `own_words` ends the keys of what the game words otherwise. What is on offer are the bets with `limits` and those
    `without_limits`, a jackpot's chip among them.

    `last_round`: the cut card is out, and the round in play is the last of its shoe (black-jack 11). `cards` by place
    and `nets` by seat are there once the round is settled or void.
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
    fixed: dict[str, int]
    cards: dict[str, str] = {}
    nets: dict[str, int] = {}


def display(table: PublicTable, settings: Settings) -> PublicDisplay:
    """The display of a table as everybody sees it, and of what the configuration offers."""
    terms, round = settings.terms, table.round
    game, jackpot = GAMES[terms.game], table.jackpot if terms.chip else None
    linked = None if jackpot is None else jackpot.linked
    stage = _stage(table)
    over = round if stage in ("result", "void") else None
    return PublicDisplay(
        game=terms.game,
        own_words=game.own_words,
        stage=stage,
        round=None if round is None else round.id,
        last_round=round is not None and table.shoe.cut_card_out and stage != "waiting",
        limits=table.posted.limits,
        basic_bets=table.posted.basic_bets,
        without_limits=tuple(wager for wager in terms.additional if wager not in table.posted.limits),
        chip=terms.chip if jackpot is None else jackpot.chip,
        pot=None if jackpot is None else linked.pot if linked is not None else jackpot.pot,
        pot_fault=linked is not None and linked.fault,
        fixed={} if jackpot is None else jackpot.fixed,
        cards={} if over is None else _cards(over),
        nets={}
        if over is None or over.settlement is None
        else {str(one.seat): one.net for one in over.settlement.seats},
    )


def _stage(table: PublicTable) -> Stage:
    round = table.round
    if not table.open or table.step.kind == "load":
        return "closed"
    if round is None:
        return "waiting"
    if round.void is not None:
        return "void"
    if round.settlement is not None:
        return "result"
    return "no_more" if round.locked else "bets" if table.step.kind == "wagers" else "waiting"


def _cards(round: PublicRound) -> dict[str, str]:
    hands = {f"seat {seat}": " · ".join(hand.cards for hand in hands) for seat, hands in round.hands.items()}
    bank = {} if round.bank is None else {"bank": round.bank.cards}
    return {**round.shown, **hands, **bank}
