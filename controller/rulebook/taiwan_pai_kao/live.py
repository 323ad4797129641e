"""Taiwan-Pai Kao at the live table: the bank, the dice, 8 or 4 places with four tiles each. No I/O here."""

from collections.abc import Iterator

from msgspec.structs import replace

from controller.rulebook.cards import Card
from controller.rulebook.citations import UNREAD_CARDS, Citations, LegalStatus, OtherReading
from controller.rulebook.events import BankLeft, BettingClosed, CardsExposed, Deal, RoundBegun, Terms
from controller.rulebook.game import Exposure
from controller.rulebook.jackpot_award import JackpotTerms
from controller.rulebook.offers import (
    CORRECTION_OF_CARDS,
    CORRECTION_OF_SEAT,
    MISDEALT,
    CorrectionOffer,
    Offers,
    ReportOffer,
)
from controller.rulebook.packets import PacketGame, packets_of
from controller.rulebook.parts.betting import Betting, Seats
from controller.rulebook.parts.prize import NoPrizeOnSign
from controller.rulebook.refusal import STEP_BY_STEP, Refusal, quoted
from controller.rulebook.report import (
    BankResult,
    CasinoResult,
    Holder,
    Irregularity,
    PlacedBet,
    RoundReport,
    TilesReport,
)
from controller.rulebook.round import Play, Round
from controller.rulebook.steps import PHASE_OF, Phase, Step, StepKind, seat_of, seat_place
from controller.rulebook.taiwan_pai_kao import wagers as law
from controller.rulebook.taiwan_pai_kao.articles import (
    BEFORE_THE_DICE,
    BESIDE_BANKER,
    CAPITAL,
    CASINO_IN_PROPORTION,
    COMMISSION,
    COMMISSION_OF_PLAYERS,
    ERRORS_CORRECTED,
    FIRST_PLACE,
    FOUR_TILES,
    GAME,
    JOINED,
    MATERIAL,
    MISDEAL,
    MORE_THAN_ONE,
    OPENED,
    OVER_THE_ROUND,
    PLACES,
    SEEN,
    SHUFFLED,
    TABLE_LIMITS,
    VALIDITY,
)
from controller.rulebook.taiwan_pai_kao.moments import MOMENTS
from controller.rulebook.taiwan_pai_kao.pairs import TileHand, correct_pairs
from controller.rulebook.taiwan_pai_kao.parts import HandDealt, TileSession, TileSet
from controller.rulebook.taiwan_pai_kao.places import NUMBERS_OF_PLACES, dealing_order, first_place, settling_order
from controller.rulebook.taiwan_pai_kao.reasons import PaiKaoReason
from controller.rulebook.taiwan_pai_kao.settle import Bank, settle_places, void_places
from controller.rulebook.taiwan_pai_kao.settlement import PaiKaoSettlement
from controller.rulebook.taiwan_pai_kao.state import CAPITAL_WAGER, CASINO_WAGER, PlacesRound, tiles_of
from controller.rulebook.taiwan_pai_kao.tiles import Tile
from controller.rulebook.taiwan_pai_kao.turn import check_money, least_of, offered
from controller.rulebook.taiwan_pai_kao.wagers import Wager, holder_of

WAGER = "place"
TILES = 4  # of a place
PLACES_OF: dict[Deal, int] = dict(zip(TileSet.deals, NUMBERS_OF_PLACES, strict=True))
ANSWERS = ("take", "refuse", "absent")


class TaiwanPaiKao(PacketGame):
    """The bank passes from place to place, and the banker throws the dice; the pairs of every place are compared with
    the banker's.
    """

    id = GAME
    legal_status = LegalStatus("Macau, Portaria 15/90/M", "lapsed", "Art. 2.º, 1990-07-22", VALIDITY)
    citations = Citations(
        play=STEP_BY_STEP,
        source=MATERIAL,
        by_machine=SHUFFLED,
        cut=SHUFFLED,
        material=MATERIAL,
        seats=PLACES,
        deal=FOUR_TILES,
        show=OPENED,
        broken_deal=MISDEAL,
        shuffler_failed=SHUFFLED,
        exposed=SEEN,
        irregularities=ERRORS_CORRECTED,
    )
    deck = TileSet(citations)
    source = HandDealt(citations)
    betting = Betting(wagers=(WAGER,), shared=True)
    prize = NoPrizeOnSign(citations)
    session = TileSession(citations)
    seats = Seats(range(4, 9, 4), "8 or 4 places (3.º a))")
    own_words = "/place"
    moments = MOMENTS
    other_readings = (
        OtherReading(
            BESIDE_BANKER,
            FIRST_PLACE,
            "Where the dice name the banker's place, the one at his right gets the first four tiles, and he the last.",
            "The odds are the same: it decides which hand is whose, and no hand is likelier than another.",
        ),
        OtherReading(
            OVER_THE_ROUND,
            CAPITAL,
            "The limit is that of the whole round, after commission: no wager is cut while the bank's net keeps to it, "
            "and where it would not, the last wagers of the side that wins, in the order of the dice.",
            "The odds are those of a bank whose limit is not met.",
        ),
        OtherReading(
            CASINO_IN_PROPORTION,
            JOINED,
            "The casino and the banker share the bank's net in proportion to what each has put up, before those who "
            "joined the bank; what cannot be divided is the banker's.",
            "The odds of a wager on a place are the same.",
        ),
        OtherReading(
            COMMISSION_OF_PLAYERS,
            COMMISSION,
            "Commission is taken of what a place wins, and of nothing that the bank wins.",
            "Of the bank's gain the house takes nothing.",
        ),
    )

    # ---- the course of a round

    def play(self, event: RoundBegun) -> Play:
        return PlacesRound(before=event.left if isinstance(event.left, BankLeft) else None)

    def _before_the_deal(self, round: Round) -> Step | None:
        if not round.shuffled:
            return Step(id=f"{round.id}/shuffle", kind="shuffle")
        places, state = places_of(round), tiles_of(round)
        if places is None:
            return Step(id=f"{round.id}/announce", kind="announce", legal=self.deck.deals)
        if state.bank is None:
            return _offer(round, places)
        if state.form is None:
            return Step(id=f"{round.id}/form", kind="form", seat=state.bank.seat)
        if not round.locked:
            return Step(id=f"{round.id}/wagers", kind="wagers")
        if not state.dice:
            return Step(id=f"{round.id}/dice/{state.null_dice + 1}", kind="dice", seat=state.bank.seat)
        return None

    def after_the_deal(self, round: Round) -> Step | None:
        """The pairs are placed (6.º a))."""
        return None if tiles_of(round).hands_set else Step(id=f"{round.id}/arrange", kind="arrange")

    def packets(self, round: Round) -> Iterator[tuple[str, ...]]:
        """Four tiles for each place, one by one, beginning at the place that the dice named (2.º b), d))."""
        places, state = places_of(round), tiles_of(round)
        if places is not None and state.bank is not None and state.dice:
            for place in dealing_order(named_first(round, state.bank.seat, places), places):
                yield from ((seat_place(place),) for _ in range(TILES))

    def places_to_show(self, round: Round) -> Iterator[str]:
        """The banker's first (6.º a)), then in the order of settling."""
        places, state = places_of(round), tiles_of(round)
        if places is not None and state.bank is not None and state.dice:
            banker = state.bank.seat
            yield seat_place(banker)
            yield from map(seat_place, settling_order(named_first(round, banker, places), banker, places))

    def seats_dealt(self, round: Round) -> tuple[int, ...]:
        """The places that get tiles: all, whether or not anyone has bet there (2.º d))."""
        return tuple(range(1, (places_of(round) or round.terms.seat_count) + 1))

    def phase(self, kind: StepKind) -> Phase:
        """The casino decides on 8 or 4 places before the bank is offered (2.º d))."""
        return "shuffle" if kind == "announce" else PHASE_OF[kind]

    # ---- wagers

    def check_seat(self, round: Round, seat: int) -> None:
        """Raises Refusal for a place that this round does not have."""
        places = places_of(round) or round.terms.seat_count
        if not 1 <= seat <= places:
            raise Refusal(seat_place(seat), PaiKaoReason.NO_SUCH_PLACE, PLACES, places=places)

    def check_wager(self, round: Round, seat: int, wager: str, amount: int, player: str | None = None) -> None:
        self.check_seat(round, seat)
        who, state = seat_place(seat), tiles_of(round)
        if wager != WAGER:
            raise Refusal(who, PaiKaoReason.NO_SUCH_WAGER, PLACES, wager=quoted(wager), known=WAGER)
        if player is None:
            raise Refusal(who, PaiKaoReason.NAME_THE_PLAYER, MORE_THAN_ONE)
        if state.bank is None:
            raise TypeError("no one has the bank")
        if amount == 0:
            return
        wagers = [placed for placed in wagers_of(round) if (placed.place, placed.player) != (seat, player)]
        law.check_wager(Wager(seat, player, amount), len(self.seats_dealt(round)), state.bank.seat, wagers)
        terms = round.terms
        if not terms.minimum <= amount <= terms.maximum:
            raise Refusal(
                who,
                PaiKaoReason.OUTSIDE_TABLE_LIMITS,
                TABLE_LIMITS,
                least=terms.minimum,
                most=terms.maximum,
                amount=amount,
            )

    def close_betting(self, round: Round, wagers: tuple[int, ...]) -> BettingClosed:
        """No more bets (2.º g))."""
        bank = tiles_of(round).bank
        if bank is None or not set(round.wagers) - {bank.seat}:
            raise Refusal("table", PaiKaoReason.NO_ONE_AGAINST_BANK, BEFORE_THE_DICE)
        return BettingClosed(chips=(), returned=())

    # ---- corrections

    def entered(self, round: Round, seat: int, wager: str, player: str | None) -> int:
        bank = tiles_of(round).bank
        if bank is not None and wager in (CAPITAL_WAGER, CASINO_WAGER):
            return bank.capital if wager == CAPITAL_WAGER else bank.casino_share
        return super().entered(round, seat, wager, player)

    def check_amount(self, round: Round, seat: int, wager: str, amount: int, player: str | None) -> None:
        """Checks the amount of a wager, of the capital, or of the casino's share of the bank."""
        state = tiles_of(round)
        if wager not in (CAPITAL_WAGER, CASINO_WAGER):
            return super().check_amount(round, seat, wager, amount, player)
        if state.bank is None or seat != state.bank.seat or player is not None:
            raise Refusal(seat_place(seat), PaiKaoReason.AT_BANKERS_PLACE, PLACES, wager=wager)
        capital = amount if wager == CAPITAL_WAGER else state.bank.capital
        casino = amount if wager == CASINO_WAGER else state.bank.casino_share
        return check_money(seat, capital, casino, least_of(state))

    def check_corrected(self, round: Round) -> None:
        """Raises Refusal if after the correction a player both joins the bank and bets against it (5.º e))."""
        places, bank = places_of(round), tiles_of(round).bank
        if places is None or bank is None:
            return
        wagers = list(wagers_of(round))
        for wager in wagers:
            law.check_wager(wager, places, bank.seat, wagers)

    # ---- the outcome

    def settle_round(self, round: Round, jackpot: JackpotTerms | None) -> PaiKaoSettlement:
        state, bank = tiles_of(round), bank_of(round)
        if bank is None:
            raise TypeError("no one has the bank")
        return settle_places(bank, state.dice, tile_hands(round), list(wagers_of(round)), round.terms.rules)

    def void_round(self, round: Round, article: str, pots: tuple[int, JackpotTerms] | None) -> PaiKaoSettlement:
        return void_places(bank_of(round), list(wagers_of(round)), article)

    def left(self, round: Round) -> BankLeft | None:
        """The facts that a confirmed round leaves to the next. A void round leaves the bank unchanged, and all tiles
        are washed.
        """
        state, bank = tiles_of(round), tiles_of(round).bank
        if round.void is not None or state.settlement is None or bank is None:
            return None if state.before is None else replace(state.before, used=())
        return BankLeft(
            seat=bank.seat,
            turn_rounds=state.rounds,
            capital=bank.capital,
            net=state.settlement.bank.net,
            betting_seats=tuple(sorted({bank.seat, *round.wagers})),
            used=tuple(tile for _, tiles in by_place(round) for tile in tiles) if keeps_open(round) else (),
        )

    # ---- irregularities

    def exposure(self, round: Round, place: str, count: int, which: tuple[int, ...]) -> Exposure:
        """Tiles that were seen while they were dealt stay valid (4.º)."""
        there = len(self.draws_at(round, place))
        if round.play.shown or not there:
            raise Refusal(place, PaiKaoReason.NO_TILE_FACE_DOWN, SEEN)
        if which or not 1 <= count <= there - packets_of(round).exposed.get(place, 0):
            left = there - packets_of(round).exposed.get(place, 0)
            raise Refusal(place, PaiKaoReason.HOW_MANY_SEEN, SEEN, left=left)
        return Exposure((CardsExposed(to=place, count=count),))

    def check_misdealt(self, round: Round) -> None:
        if not tiles_of(round).dice or round.play.shown:  # without a reader the first tile is dealt unreported
            code = PaiKaoReason.TILES_SHOWN if round.play.shown else PaiKaoReason.NO_TILE_DEALT
            raise Refusal("table", code, MISDEAL)

    def check_deal_error(self, round: Round, what: str, place: str) -> None:
        if what == "number":
            raise Refusal("what", PaiKaoReason.PLACE_OR_ORDER, ERRORS_CORRECTED)
        if round.play.shown:
            raise Refusal("table", PaiKaoReason.TILES_SHOWN, ERRORS_CORRECTED)
        if not self.draws_at(round, place):
            raise Refusal(place, PaiKaoReason.NO_TILE_DEALT_THERE, ERRORS_CORRECTED)

    def irregularities(self, round: Round) -> Iterator[Irregularity]:
        """The irregularities: tiles seen while dealt (4.º), errors corrected, tiles keyed in."""
        for place, count in packets_of(round).exposed.items():
            yield Irregularity("exposed", place, SEEN, count)
        for right in round.corrected_errors:
            yield Irregularity("error_corrected", right.to, ERRORS_CORRECTED, what=right.what)
        for place in self.unread_places(round):
            if place in round.play.shown:
                yield Irregularity("keyed_in", place, UNREAD_CARDS)

    # ---- what is reported

    def offers(self, terms: Terms) -> Offers:
        return Offers(
            corrections=(
                CorrectionOffer("correct_wager", wagers=(WAGER, CAPITAL_WAGER, CASINO_WAGER)),
                CORRECTION_OF_SEAT,
                CorrectionOffer("correct_dice"),
                CORRECTION_OF_CARDS,
            ),
            reports=(
                ReportOffer("tiles_moved"),
                ReportOffer("exposed"),
                MISDEALT,
                ReportOffer("deal_corrected", errors=("place", "order")),
                ReportOffer("acts_done"),
            ),
            beside={"wagers": ("tiles_moved",), "open": ("acts_done",)},
            acts=self.session.acts,
            acts_again=self.session.again,
            named="must",
            deals=self.deck.deals,
            pieces=self.deck.pieces(terms),
        )

    def report(self, round: Round) -> RoundReport:
        """The report, with the tiles and the bank of the round."""
        report, state, bank = super().report(round), tiles_of(round), bank_of(round)
        result = report.bank
        if bank is not None:
            result = result or BankResult(joiners=())
            result = replace(
                result,
                seat=bank.place,
                capital=bank.capital,
                turn_rounds=state.rounds,
                casino=result.casino or (CasinoResult(bank.casino) if bank.casino else None),
            )
        return replace(
            report,
            bank=result,
            tiles=TilesReport(
                place_count=places_of(round),
                form=state.form,
                dice=state.dice or None,
                null_dice=state.null_dice,
                moved=state.moved,
                holders=tuple(Holder(place, player) for place, player in holders_of(round).items()),
            ),
        )

    def bets_placed(self, round: Round) -> Iterator[PlacedBet]:
        return (PlacedBet(wager.place, WAGER, wager.player, wager.amount) for wager in wagers_of(round))


def _offer(round: Round, places: int) -> Step:
    """The place that is asked whether it takes the bank (5.º a), b))."""
    state = tiles_of(round)
    offer = offered(state, places)
    id = f"{round.id}/bank/{len(state.answers) + 1}"
    if offer is None:
        return Step(id=id, kind="bank")  # only until the void that follows from the last answer
    asked = Step(id=id, kind="bank", seat=offer.place, legal=ANSWERS, least=offer.least)
    return replace(asked, waiting=offer.waiting, elsewhere=offer.elsewhere)


def places_of(round: Round) -> int | None:
    """The number of places in this round; None before it is announced. A second round with four places also has four
    (2.º d)).
    """
    if tiles_of(round).used or round.terms.seat_count == PLACES_OF["four_places"]:
        return PLACES_OF["four_places"]
    return None if round.deal is None else PLACES_OF[round.deal]


def keeps_open(round: Round) -> bool:
    """Whether the round's tiles stay open on the table while the others are dealt in the next round (2.º d))."""
    settled = round.void is None and tiles_of(round).settlement is not None
    return settled and places_of(round) == PLACES_OF["four_places"] and not tiles_of(round).used


def named_first(round: Round, banker: int, places: int) -> int:
    """The place that the dice name, by the reading of this round (2.º b))."""
    return first_place(tiles_of(round).dice, banker, places, round.terms.reads_otherwise(BESIDE_BANKER))


def bank_of(round: Round) -> Bank | None:
    """The banker's place, his capital and the casino's share; None before someone takes the bank."""
    taken = tiles_of(round).bank
    return None if taken is None else Bank(taken.seat, taken.capital, taken.casino_share)


def wagers_of(round: Round) -> Iterator[Wager]:
    """Every wager, place by place, and at a place in the order placed; those on the banker's place join him (5.º
    e)).
    """
    yield from sorted(tiles_of(round).wagers, key=lambda wager: wager.place)


def by_place(round: Round) -> Iterator[tuple[str, tuple[Card, ...]]]:
    """The tiles of every place that was shown, as they were placed, front pair then rear pair; ascending."""
    yield from sorted(round.play.shown.items(), key=lambda shown: seat_of(shown[0]) or 0)


def tile_hands(round: Round) -> dict[int, TileHand]:
    """The two pairs of every place that was shown, corrected where 6.º b) requires it."""
    hands = {}
    for place, cards in by_place(round):
        tiles = tuple(map(Tile, cards))
        hands[seat_of(place) or 0] = correct_pairs(tiles[:2], tiles[2:])
    return hands


def holders_of(round: Round) -> dict[int, str | None]:
    """The players who may hold the tiles of each place but the banker's (3.º b)); None if no one has bet."""
    places, bank = places_of(round), tiles_of(round).bank
    if places is None or bank is None:
        return {}
    wagers = list(wagers_of(round))
    return {place: holder_of(place, wagers) for place in range(1, places + 1) if place != bank.seat}
