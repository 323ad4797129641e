"""Fortune 8 at the live table: seven spaces with a card each, face up. No I/O here."""

from collections.abc import Iterator

from controller.rulebook.citations import UNREAD_CARDS, Citations, LegalStatus
from controller.rulebook.events import BettingClosed, RoundBegun, Terms
from controller.rulebook.fortune_8.dealing import spaces_dealt
from controller.rulebook.fortune_8.moments import MOMENTS
from controller.rulebook.fortune_8.paytable import (
    AUTHORISED,
    BEHIND_CUT_CARD,
    BOX_NAMES,
    BOXES,
    DEALS,
    DECKS,
    GAME,
    THE_DEAL,
    VALIDITY,
    boxes_at,
)
from controller.rulebook.fortune_8.reasons import Fortune8Reason
from controller.rulebook.fortune_8.settle import settle_spaces, void_spaces
from controller.rulebook.fortune_8.wagers import Bet, check_bet
from controller.rulebook.game import Exposure
from controller.rulebook.jackpot_award import JackpotTerms
from controller.rulebook.offers import (
    CORRECTION_OF_CARDS,
    CORRECTION_OF_DECISION,
    CORRECTION_OF_SEAT,
    CUT_CARD,
    MISDEALT,
    SHUFFLER_FAILED,
    CorrectionOffer,
    Offers,
    ReportOffer,
)
from controller.rulebook.packets import PacketGame, SpacesRound, packets_of
from controller.rulebook.parts.betting import Betting, Seats
from controller.rulebook.parts.deck import KeptDeck
from controller.rulebook.parts.prize import Prize
from controller.rulebook.parts.session import Session
from controller.rulebook.parts.source import DispenserSource
from controller.rulebook.pay_table import PayRow
from controller.rulebook.reasons import LawReason
from controller.rulebook.refusal import Refusal
from controller.rulebook.report import Irregularity, PlacedBet
from controller.rulebook.round import Play, Round
from controller.rulebook.settlement import Settlement
from controller.rulebook.steps import seat_of, seat_place

ERRORS = "5.º"
FACE_UP = "3.º"


class SpacesDeck(KeptDeck):
    """One to eight decks; some cards stay behind the cut card (1.º, 2.º 1)."""

    numbers = tuple(DECKS)
    deals = early_deals = DEALS
    behind = BEHIND_CUT_CARD


class Fortune8(PacketGame):
    """Bets by space, box and player; the announced deal; errors corrected at once, or the round is void."""

    id = GAME
    legal_status = LegalStatus("Macau, Despacho SEF 71/2009", validity=VALIDITY)
    citations = Citations(
        play="4.º",
        source="1.º",
        by_machine="2.º 2",
        cut="2.º 1",
        material="1.º 1)",
        seats="4.º 1",
        deal=THE_DEAL,
        show=FACE_UP,
        broken_deal=ERRORS,
        shuffler_failed=ERRORS,
        exposed=FACE_UP,
        irregularities=ERRORS,
    )
    deck = SpacesDeck(citations)
    source = DispenserSource(citations)
    betting = Betting(wagers=BOX_NAMES, added_by=AUTHORISED, shared=True)
    prize = Prize(citations)
    session = Session(citations)
    seats = Seats(range(7, 8), "7 spaces (4.º 1)")
    moments = MOMENTS

    def example(self) -> dict[str, str]:
        return super().example() | {"table.decks": str(self.deck.numbers[-1]), "table.deal": f'"{DEALS[0]}"'}

    def play(self, event: RoundBegun) -> Play:
        return SpacesRound()

    def packets(self, round: Round) -> Iterator[tuple[str, ...]]:
        """One card for each space of the announced deal, in order (4.º 6)."""
        deal = round.deal or round.terms.deal
        return ((seat_place(space),) for space in spaces_dealt(deal, round.seats_in_play))

    def places_to_show(self, round: Round) -> Iterator[str]:
        """The cards that were not read when they were dealt, space by space."""
        return (place for packet in self.packets(round) for place in packet)

    def check_wager(self, round: Round, seat: int, wager: str, amount: int, player: str | None = None) -> None:
        limits = round.terms.limits_of(wager)
        bet = Bet(seat, wager, player, amount or limits.min)  # 0 takes back what must be a bet all the same
        check_bet(bet, limits, [box.name for box in boxes_at(round.terms)])

    def close_betting(self, round: Round, chips: tuple[int, ...]) -> BettingClosed:
        """No more bets (4.º 5)."""
        if not round.seats_in_play:
            raise Refusal("table", Fortune8Reason.NO_ONE_HAS_BET, THE_DEAL)
        return BettingClosed(chips=(), returned=())

    def settle_round(self, round: Round, jackpot: JackpotTerms | None) -> Settlement:
        cards = {space: cards[0] for place, cards in round.play.shown.items() if (space := seat_of(place)) is not None}
        return settle_spaces(list(bets_of(round)), cards, boxes_at(round.terms))

    def void_round(self, round: Round, article: str, pots: tuple[int, JackpotTerms] | None) -> Settlement:
        return void_spaces(list(bets_of(round)), article, boxes_at(round.terms))

    def check_deal_error(self, round: Round, what: str, place: str) -> None:
        self.check_dealt_there(round, place)

    def deal_prompt(self, round: Round) -> str:
        return "deal/face_up"

    def exposure(self, round: Round, place: str, count: int, which: tuple[int, ...]) -> Exposure:
        raise Refusal(place, LawReason.DEALT_FACE_UP, FACE_UP)

    def irregularities(self, round: Round) -> Iterator[Irregularity]:
        """The irregularities: cards that came before they were called (3.º), errors corrected (5.º), cards keyed in."""
        for deal in self.placed(round):
            if set(deal.dealt.draws) & set(packets_of(round).came_early):
                yield Irregularity("early_card", deal.to[0], FACE_UP)
        for right in round.corrected_errors:
            yield Irregularity("error_corrected", right.to, ERRORS, what=right.what)
        for place in self.unread_places(round):
            if place in round.play.shown:
                yield Irregularity("keyed_in", place, UNREAD_CARDS)

    def pay_table(self, terms: Terms) -> tuple[PayRow, ...]:
        paid = [
            *((box.name, box.to_one, box.article) for box in BOXES),
            *((bet.name, pays.to_one, AUTHORISED) for bet in terms.house.bets for pays in bet.pays),
        ]
        return tuple(PayRow(wager=wager, odds=f"{to_one}:1", article=article) for wager, to_one, article in paid)

    def offers(self, terms: Terms) -> Offers:
        return Offers(
            corrections=(
                CorrectionOffer("correct_wager", wagers=tuple(box.name for box in boxes_at(terms))),
                CORRECTION_OF_SEAT,
                CORRECTION_OF_DECISION,
                CORRECTION_OF_CARDS,
            ),
            reports=(
                ReportOffer("deal_corrected", errors=("place", "order", "number")),
                MISDEALT,
                CUT_CARD,
                SHUFFLER_FAILED,
            ),
            beside={**self.deck.beside(), "wagers": ("announce",)},
            named="may",
            deals=DEALS,
            pieces=self.deck.pieces(terms),
        )

    def bets_placed(self, round: Round) -> Iterator[PlacedBet]:
        return (PlacedBet(bet.seat, bet.box, bet.player, bet.amount) for bet in bets_of(round))


def bets_of(round: Round) -> Iterator[Bet]:
    """Every bet on the felt, space by space from the player's box on; in a box in the order placed."""
    for seat, boxes in sorted(round.bets.items()):
        for box in boxes_at(round.terms):
            for player, amount in boxes.get(box.name, {}).items():
                yield Bet(seat, box.name, player or None, amount)
