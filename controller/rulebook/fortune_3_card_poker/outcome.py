"""The outcome of a live round: settled on the cards shown, or void with every wager taken back. No I/O here."""

from msgspec import UNSET
from msgspec.structs import replace

from controller.rulebook.fortune_3_card_poker.dealing import COMMUNITY, places_to_show
from controller.rulebook.fortune_3_card_poker.paytables import Rules
from controller.rulebook.fortune_3_card_poker.settle import SeatRound, settle
from controller.rulebook.fortune_3_card_poker.wagers import stakes
from controller.rulebook.jackpot_award import JackpotTerms, SettledJackpot
from controller.rulebook.packets import packets_of
from controller.rulebook.report import LineResult
from controller.rulebook.round import Round
from controller.rulebook.settlement import Line, SettledDealer, SettledSeat, Settlement
from controller.rulebook.steps import seat_place


def settle_round(round: Round, jackpot: JackpotTerms | None, rules: Rules) -> Settlement:
    """Settles the round on the shown cards; a hand that the rules keep hidden has no cards."""
    shown = round.play.shown
    return settle(_seats(round), shown["bank"], shown.get("community"), jackpot, rules, round.terms.rules)


def _without_chip(wagers: dict[str, int]) -> dict[str, int]:
    return {wager: amount for wager, amount in wagers.items() if wager != "jackpot"}


def _seats(round: Round) -> dict[int, SeatRound]:
    return {
        seat: SeatRound(
            wagers=stakes(round, seat),
            decision=packets_of(round).decisions.get(seat),
            cards=round.play.shown.get(seat_place(seat)),
        )
        for seat in round.seats_in_play
    }


def lines_before_community(round: Round, rules: Rules) -> dict[int, tuple[LineResult, ...]]:
    """The result of every wager but the chip, while only the community cards are still to be turned (13.º 1) to 6))."""
    if round.settlement or round.void or set(places_to_show(round)) - set(round.play.shown) != {COMMUNITY}:
        return {}
    settled = settle(
        {seat: replace(played, wagers=_without_chip(played.wagers)) for seat, played in _seats(round).items()},
        round.play.shown["bank"],
        None,
        None,
        rules,
    )
    return {int(seat): tuple(line.result() for line in played.lines) for seat, played in settled.seats.items()}


def void_round(
    round: Round, article: str, carried: tuple[int, ...], pots: tuple[int, int] | None, rules: Rules
) -> Settlement:
    """Every wager is taken back: nothing is won or lost, and each line cites the article of the void.

    `carried` are the seats whose chip continues to the next round; `pots` is the meter before and after the others took
    their contributions back, minor units, None without a jackpot.
    """
    seats = {
        str(seat): SettledSeat(
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
        game=rules.game,
        outcome="void",
        dealer=SettledDealer(hand=None, qualifies=None),
        seats=seats,
        jackpot=UNSET if pots is None else SettledJackpot(pot_before=pots[0], pot_after=pots[1], awards=[]),
    )
