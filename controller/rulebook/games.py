"""The games that are played at the live table, by the name a configuration gives them. No I/O here."""

from typing import cast

from controller.rulebook.blackjack_21.events import HandsEvent
from controller.rulebook.blackjack_21.live import BlackJack21
from controller.rulebook.blackjack_21.table_state import HandsRound
from controller.rulebook.derived import derived
from controller.rulebook.events import CardSource, RoundBegun, RoundSettled, SharedEvent
from controller.rulebook.fortune_3_card_poker.live import FortuneThreeCardPoker
from controller.rulebook.fortune_3_card_poker.table_rules import TABLE_2008, TABLE_2025
from controller.rulebook.fortune_8.live import Fortune8
from controller.rulebook.game import Game
from controller.rulebook.packets import PacketGame, PacketsRound, SpacesRound
from controller.rulebook.round import Round, with_source
from controller.rulebook.settlement import AnySettlement, Settlement
from controller.rulebook.steps import Step
from controller.rulebook.taiwan_pai_kao.events import PlacesEvent, PlacesSettled
from controller.rulebook.taiwan_pai_kao.live import TaiwanPaiKao
from controller.rulebook.taiwan_pai_kao.settlement import PaiKaoSettlement
from controller.rulebook.taiwan_pai_kao.state import PlacesRound

AnyPlay = PacketsRound | SpacesRound | HandsRound | PlacesRound
EventInRound = SharedEvent | HandsEvent | PlacesEvent
RoundEvent = RoundBegun | EventInRound
"""Everything that happens in a round of any game."""
SettlingEvent = RoundSettled | PlacesSettled
"""The events of a settlement, whichever shape its game gives it."""

GAMES: dict[str, Game] = {
    game.id: game
    for game in (
        FortuneThreeCardPoker(TABLE_2025),
        FortuneThreeCardPoker(TABLE_2008),
        Fortune8(),
        BlackJack21(),
        TaiwanPaiKao(),
    )
}


FIRST_GAME = next(iter(GAMES))
"""The game of examples and measurements, and of a simulation that names none."""


def game_of(round: Round) -> Game:
    """The game a round is played by."""
    return GAMES[round.terms.game]


@derived
def step_of(round: Round) -> Step:
    """The step of a round."""
    return game_of(round).next_step(round)


def dealt_from(round: Round, source: CardSource) -> Round:
    """The round after its source of cards has changed."""
    return with_source(round, source, game_of(round).source.is_ready(source))


def packet_game_of(round: Round) -> PacketGame:
    """The game of a round that deals packets. Raises TypeError for other games."""
    game = game_of(round)
    if not isinstance(game, PacketGame):
        raise TypeError(f"{game.id} deals no packets")
    return game


def settled_as(settlement: AnySettlement) -> SettlingEvent:
    """The event of a settlement, in the shape of its game."""
    match settlement:
        case Settlement():
            return RoundSettled(settlement=settlement)
        case PaiKaoSettlement():
            return PlacesSettled(settlement=settlement)
        case _:
            raise TypeError(f"{type(settlement).__name__} is the settlement of no game")


class LiveRound(Round, frozen=True):
    """A round as it is decoded, with any of the known kinds of play."""

    play: AnyPlay


def open_round(event: RoundBegun) -> LiveRound:
    """A new round. A dispenser's cards are always ready; a shoe's are if they are so from the round before."""
    game = GAMES[event.terms.game]
    ready = event.ready or game.source.is_ready(event.terms.source)
    return LiveRound(
        id=event.round,
        terms=event.terms,
        play=cast(AnyPlay, game.play(event).prepared(ready)),
        orders_from=event.orders_from,
        carried_chips=event.carried,
        shuffled=ready,
        cut=ready,
    )
