"""A game that no one regulates: a card each and one for the bank, the higher one wins. It proves what a game needs."""

from collections.abc import Iterator

import msgspec

from controller.engine.reasons import TableReason
from controller.rulebook.cards import rank_of
from controller.rulebook.citations import Citations, LegalStatus
from controller.rulebook.events import BettingClosed, Terms
from controller.rulebook.game import Exposure
from controller.rulebook.jackpot_award import JackpotTerms
from controller.rulebook.moments import KEYED, Moment, Moments, any_turned
from controller.rulebook.offers import (
    CORRECTION_OF_CARDS,
    CORRECTION_OF_SEAT,
    MISDEALT,
    CorrectionOffer,
    Offers,
    ReportOffer,
)
from controller.rulebook.packets import PacketGame
from controller.rulebook.parts.betting import Betting, Seats
from controller.rulebook.parts.deck import Deck
from controller.rulebook.parts.prize import Prize
from controller.rulebook.parts.session import Session
from controller.rulebook.parts.source import Source
from controller.rulebook.reasons import LawReason
from controller.rulebook.refusal import Refusal, because
from controller.rulebook.report import Irregularity, Outcome
from controller.rulebook.round import Round
from controller.rulebook.settlement import Line, SettledSeat, Settlement
from controller.rulebook.steps import seat_place

RULE = "1"
TURNED = Moment("a card is turned", RULE, any_turned)


class HighCard(PacketGame):
    """Rule 1 is all there is."""

    id = "high-card"
    legal_status = LegalStatus("nowhere")
    citations = msgspec.convert(dict.fromkeys(Citations.__struct_fields__, RULE), Citations)
    seats = Seats(range(1, 8), "1 to 7")
    deck = Deck(citations)
    source = Source(citations)
    betting = Betting(wagers=("high",))
    prize = Prize(citations)
    session = Session(citations)
    moments = Moments(bet=TURNED, cards=KEYED, void=TURNED)

    def packets(self, round: Round) -> Iterator[tuple[str, ...]]:
        return ((place,) for place in (*map(seat_place, round.seats_in_play), "bank"))

    def places_to_show(self, round: Round) -> Iterator[str]:
        return (place for (place,) in self.packets(round))

    def check_wager(self, round: Round, seat: int, wager: str, amount: int, player: str | None = None) -> None:
        self.check_seat(round, seat)
        if wager != "high" or amount > round.terms.maximum:
            limit = round.terms.maximum
            raise Refusal(seat_place(seat), LawReason.ABOVE_MAXIMUM, RULE, wager=wager, amount=amount, limit=limit)

    def close_betting(self, round: Round, chips: tuple[int, ...]) -> BettingClosed:
        return BettingClosed(chips=(), returned=())

    def settle_round(self, round: Round, jackpot: JackpotTerms | None) -> Settlement:
        ranks = {place: rank_of(card) for place, (card,) in round.play.shown.items()}
        return _settlement(round, {seat: ranks[seat_place(seat)] - ranks["bank"] for seat in round.wagers}, RULE)

    def void_round(self, round: Round, article: str, pots: tuple[int, JackpotTerms] | None) -> Settlement:
        return _settlement(round, None, article)

    def exposure(self, round: Round, place: str, count: int, which: tuple[int, ...]) -> Exposure:
        return Exposure(void=(RULE, because(TableReason.AS_STATED, statement="a card was seen")))

    def irregularities(self, round: Round) -> Iterator[Irregularity]:
        return iter(())

    def offers(self, terms: Terms) -> Offers:
        corrections = (CorrectionOffer("correct_wager", wagers=("high",)), CORRECTION_OF_SEAT, CORRECTION_OF_CARDS)
        return Offers(
            corrections=corrections, reports=(ReportOffer("exposed"), MISDEALT), pieces=self.deck.pieces(terms)
        )


def _settlement(round: Round, ahead: dict[int, int] | None, article: str) -> Settlement:
    """`ahead` is by how much each seat's card is higher than the bank's; None where the round is void."""
    seats = {}
    for seat, wagers in round.wagers.items():
        by, stake = ahead[seat] if ahead is not None else 0, wagers["high"]
        outcome: Outcome = "void" if ahead is None else "win" if by > 0 else "lose" if by < 0 else "push"
        net = stake * ((by > 0) - (by < 0))
        line = Line(
            wager="high", stake=stake, outcome=outcome, odds="1:1" if net > 0 else None, net=net, article=article
        )
        seats[str(seat)] = SettledSeat(net=net, lines=[line])
    return Settlement(game=HighCard.id, outcome="settled" if ahead is not None else "void", seats=seats)
