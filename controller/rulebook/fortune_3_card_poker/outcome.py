"""What a live round comes to: settled on the cards shown, or void with every wager taken back. No I/O here."""

from msgspec import UNSET

from controller.rulebook.fortune_3_card_poker.round import GAME, Round, stakes
from controller.rulebook.fortune_3_card_poker.settle import (
    DealerAnswer,
    JackpotAnswer,
    JackpotTerms,
    Line,
    SeatAnswer,
    SeatRound,
    Settlement,
    settle,
)
from controller.rulebook.steps import seat_place

BROKEN_DEAL = "17.º 1 1)"
BANK_EXPOSED = "17.º 1 2)"
PLAYERS_EXPOSED = "17.º 1 3)"
SHUFFLER_FAILED = "17.º 2"
CHIPS_GO_ON = (BROKEN_DEAL, SHUFFLER_FAILED)  # 17.º 3
PLAYER_CARDS_EXPOSED_AT_MOST = 1  # 17.º 1 3), 17.º 4 1)


def settle_round(round: Round, jackpot: JackpotTerms | None) -> Settlement:
    """Settle the round on the cards that were shown; a hand the rules did not show has none."""
    seats = {
        seat: SeatRound(
            wagers=stakes(round, seat),
            decision=round.decisions.get(seat),
            cards=round.shown.get(seat_place(seat)),
        )
        for seat in round.seats_in_play
    }
    return settle(seats, round.shown["bank"], round.shown.get("community"), jackpot)


def carried_by(round: Round, article: str) -> tuple[int, ...]:
    """The seats whose jackpot chip goes on to the next round when `article` voids this one (17.º 3)."""
    return round.chips if article in CHIPS_GO_ON else ()


def void_round(round: Round, article: str, pots: tuple[int, int] | None) -> Settlement:
    """Every wager taken back (17.º 1): nothing won and nothing lost, each line under what voids the round.

    `pots` is the meter before and after chips took their contributions back, minor units, None without a jackpot.
    """
    carried = carried_by(round, article)
    seats = {
        str(seat): SeatAnswer(
            hand=None,
            net=0,
            lines=[
                Line(
                    wager=wager,
                    stake=stake,
                    outcome="void",
                    odds=None,
                    net=0,
                    combination=None if wager in ("six_card_bonus", "jackpot") else UNSET,
                    article=article,
                    carried=seat in carried if wager == "jackpot" else UNSET,
                )
                for wager, stake in stakes(round, seat).items()
            ],
        )
        for seat in round.seats_in_play
    }
    return Settlement(
        game=GAME,
        outcome="void",
        dealer=DealerAnswer(hand=None, qualifies=None),
        seats=seats,
        jackpot=UNSET if pots is None else JackpotAnswer(pot_before=pots[0], pot_after=pots[1], awards=[]),
    )
