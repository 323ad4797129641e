"""The moments from which changes are informed at Fortune 3 Card Poker, in either regulation. No I/O here."""

from collections.abc import Callable

from controller.rulebook.corrected import Corrected
from controller.rulebook.fortune_3_card_poker.table_rules import TableRules
from controller.rulebook.moments import KEYED, Moment, Moments
from controller.rulebook.packets import packets_of
from controller.rulebook.round import Round


def moments_of(table: TableRules, next_places: Callable[[Round], tuple[str, ...]]) -> Moments:
    """The moments of this game: bets may be corrected freely until the deal ends and the players look at their cards.

    `next_places` are those of the cards that are still due.
    """

    def deal_over(round: Round, corrected: Corrected | None) -> bool:
        return (bool(round.dealt) and not next_places(round)) or decided_or_turned(round, corrected)

    return Moments(
        bet=Moment("the last card of the deal is dealt", table.bets_closed, deal_over),
        decision=Moment("the bank's cards are turned", table.citations.decision, bank_turned),
        cards=KEYED,
        void=Moment("a player has decided, or a hand is turned", table.citations.irregularities, decided_or_turned),
    )


def bank_turned(round: Round, corrected: Corrected | None) -> bool:
    """Whether the bank's cards are open."""
    return "bank" in round.play.shown


def decided_or_turned(round: Round, corrected: Corrected | None) -> bool:
    """Whether anyone has used the cards that were dealt."""
    return bool(packets_of(round).decisions or round.play.shown)
