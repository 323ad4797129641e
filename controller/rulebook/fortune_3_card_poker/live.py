"""Fortune 3 Card Poker at the live table, either regulation. No I/O here."""

from collections.abc import Iterator, Sequence
from typing import get_args

from msgspec.structs import replace

from controller.rulebook.cards import Card
from controller.rulebook.citations import EVERY_CARD_REPORTED
from controller.rulebook.events import BettingClosed, Terms
from controller.rulebook.fortune_3_card_poker import dealing, irregularities, outcome
from controller.rulebook.fortune_3_card_poker.moments import moments_of
from controller.rulebook.fortune_3_card_poker.paytables import Rules
from controller.rulebook.fortune_3_card_poker.reasons import ThreeCardReason
from controller.rulebook.fortune_3_card_poker.table_rules import COUNT_UNREPORTED, TableRules
from controller.rulebook.fortune_3_card_poker.versions import RULES
from controller.rulebook.fortune_3_card_poker.wagers import (
    LIMITED_WAGERS,
    check_wager,
    close_betting,
    is_obliged,
    refuse_decision,
    stakes,
)
from controller.rulebook.game import Exposure, PlayView
from controller.rulebook.house import BasicBets
from controller.rulebook.jackpot_award import JackpotTerms, SettledJackpot, Win, award_jackpot
from controller.rulebook.offers import (
    CORRECTION_OF_CARDS,
    CORRECTION_OF_DECISION,
    CORRECTION_OF_SEAT,
    MISDEALT,
    SHUFFLER_FAILED,
    CorrectionOffer,
    Offers,
    ReportOffer,
)
from controller.rulebook.packets import PacketGame, packets_of
from controller.rulebook.parts.betting import Betting
from controller.rulebook.parts.prize import Jackpot, Prize
from controller.rulebook.parts.session import Session
from controller.rulebook.parts.source import BatchShuffler
from controller.rulebook.pay_table import PayRow, rows_at_odds
from controller.rulebook.refusal import Refusal
from controller.rulebook.report import Irregularity, PlacedBet
from controller.rulebook.round import Round
from controller.rulebook.settlement import Settlement
from controller.rulebook.steps import seat_place

FROM_THE_LEFT = "15.º 3"
ROYAL_LAST = "15.º 5"


class FortuneThreeCardPoker(PacketGame):
    """`table` and its rules have the differences between 2008 and 2025."""

    def __init__(self, table: TableRules) -> None:
        self.id = table.rules.game
        self.legal_status = table.legal_status
        self.citations = table.citations
        self.seats = table.seats
        self.betting = Betting(
            wagers=tuple(wager for wager in LIMITED_WAGERS if wager in table.rules.wagers),
            additional=table.additional,
            basic_bets=get_args(BasicBets) if table.rules.articles.offered else ("either",),
        )
        self.deck = table.deck(table.citations)
        self.session = Session(table.citations)
        self.source = BatchShuffler(table.citations, table.failures_of_a_shuffler)
        tiers = tuple(table.rules.jackpot)
        self.prize = Jackpot(table.citations, tiers) if tiers else Prize(table.citations)
        self.other_readings = table.other_readings
        self.moments = moments_of(table, self.next_places)
        self._table = table
        self._rules = table.rules

    def _rules_of(self, round: Round) -> Rules:
        """The rules of the version that decides the round; bets and decisions are the same in every version."""
        version = round.terms.act
        return RULES[self.id][version] if version else self._rules

    def packets(self, round: Round) -> list[tuple[str, ...]]:
        return dealing.packets(round, self._table.bank_in_each_pass)

    def replacement(self, round: Round, to: str, count: int) -> list[tuple[str, ...]]:
        return dealing.replacement(round, to, count)

    def places_to_show(self, round: Round) -> Iterator[str]:
        return dealing.places_to_show(round)

    def waiting(self, round: Round) -> tuple[int, ...]:
        """Seats with an ante that have not reported whether they play (12.º 2; 2008: 9.º 1))."""
        decided = packets_of(round).decisions
        return tuple(seat for seat in round.seats_in_play if "ante" in round.wagers[seat] and seat not in decided)

    def obliged(self, round: Round) -> tuple[int, ...]:
        return tuple(seat for seat in self.waiting(round) if is_obliged(round.wagers[seat], self._rules))

    def cards_stay(self, round: Round, seat: int) -> bool:
        return dealing.stays(round, seat)

    def check_wager(self, round: Round, seat: int, wager: str, amount: int, player: str | None = None) -> None:
        self.check_seat(round, seat)
        check_wager(round, seat, wager, amount, self._rules)
        if amount and seat in packets_of(round).decisions:
            # A corrected amount is placed beside what was decided: 2008, 9.º 3), leaves no fold beside Pair Plus.
            wagers = {**round.wagers.get(seat, {}), wager: amount}
            refuse_decision(seat, wagers, packets_of(round).decisions[seat], self._rules)

    def close_betting(self, round: Round, chips: tuple[int, ...]) -> BettingClosed:
        return close_betting(round, chips, self._rules)

    def check_decision(self, round: Round, seat: int, decision: str) -> None:
        refuse_decision(seat, round.wagers.get(seat, {}), decision, self._rules)

    def view(self, round: Round) -> PlayView:
        return replace(super().view(round), lines=outcome.lines_before_community(round, self._rules_of(round)))

    def is_turned_apart(self, place: str) -> bool:
        """The community cards last, once every other wager is paid or collected (13.º 7))."""
        return place == dealing.COMMUNITY

    def settle_round(self, round: Round, jackpot: JackpotTerms | None) -> Settlement:
        return outcome.settle_round(round, jackpot, self._rules_of(round))

    def prize_cards(self, round: Round, seat: int) -> tuple[Card, ...]:
        """The player's three and the two community cards (15.º 1)."""
        return round.play.shown[seat_place(seat)] + round.play.shown["community"]

    def prize_places(self, seat: int) -> tuple[str, ...]:
        return (seat_place(seat), "community")

    def award(self, winners: Sequence[Win], chip: int, terms: JackpotTerms) -> SettledJackpot:
        return award_jackpot([(win.seat, win.tier) for win in winners], terms, self._rules.jackpot)

    def paid_after(self, earlier: str, later: str) -> str:
        """A royal flush after every straight flush (15.º 5), else from the bank's left (15.º 3)."""
        return ROYAL_LAST if (earlier, later) == ("straight_flush", "royal_flush") else FROM_THE_LEFT

    def carried_by(self, round: Round, article: str) -> tuple[int, ...]:
        """Whether jackpot chips continue: after a broken deal and a failure of the shuffler they do (17.º 3)."""
        return round.chips if article in self._table.chips_stay else ()

    def miscounted_by(self, round: Round) -> str:
        unreported = round.terms.reads_otherwise(COUNT_UNREPORTED)
        return EVERY_CARD_REPORTED if unreported else super().miscounted_by(round)

    def void_round(self, round: Round, article: str, pots: tuple[int, JackpotTerms] | None) -> Settlement:
        before_and_after = None if pots is None else (pots[0], pots[1].pot)
        return outcome.void_round(round, article, self.carried_by(round, article), before_and_after, self._rules)

    def exposure(self, round: Round, place: str, count: int, which: tuple[int, ...]) -> Exposure:
        if not round.locked or round.play.shown:
            raise Refusal(place, ThreeCardReason.NO_DEAL_NOW, self.citations.exposed)
        if place == "bank" and not self._table.bank_exposed:
            if round.gaps:
                # Until it is known which cards went unreported, no one can say which draw a card at the bank is.
                raise Refusal(place, ThreeCardReason.COUNT_FIRST, self.citations.exposed)
            return irregularities.left_out(place, self.draws_at(round, place), which, self._table)
        # As many as the place gets in this deal: what the dealer saw may be reported before its source has reported it.
        due = 0 if place == "discard" else sum(packet.count(place) for packet in self.packets(round))
        if count < 1 or count + packets_of(round).exposed.get(place, 0) > due:
            raise Refusal(place, ThreeCardReason.NOT_SO_MANY_SEEN, self.citations.exposed, count=count, due=due)
        return irregularities.exposure(round, place, count, self._table)

    def irregularities(self, round: Round) -> Iterator[Irregularity]:
        keyed_in = tuple(place for place in self.unread_places(round) if place in round.play.shown)
        return irregularities.irregularities(round, keyed_in, self._table)

    def pay_table(self, terms: Terms) -> tuple[PayRow, ...]:
        rules = self._table.rules
        tables = {"ante_bonus": rules.ante_bonus, "pair_plus": rules.pair_plus}
        if "six_card_bonus" in terms.additional:
            tables["six_card_bonus"] = rules.six_card_bonus
        rows = [
            row
            for wager, table in tables.items()
            for row in rows_at_odds(
                wager, ((f"hand.{name}", odds.to_one, odds.article) for name, odds in table.items())
            )
        ]
        if terms.chip:
            rows += [
                PayRow(wager="jackpot", name=f"hand.{name}", percent=tier.percent, article=tier.article)
                for name, tier in rules.jackpot.items()
            ]
        return tuple(rows)

    def offers(self, terms: Terms) -> Offers:
        wagers = ("ante", "pair_plus", *(name for name in terms.additional if name != "jackpot"))
        which = () if self._table.bank_exposed else ("bank",)  # of a bank's card that is left out
        to_empty_seat = (ReportOffer("to_empty_seat"),) if self.citations.null_cards else ()
        return Offers(
            corrections=(
                CorrectionOffer("correct_wager", wagers=wagers),
                CORRECTION_OF_SEAT,
                CORRECTION_OF_DECISION,
                CORRECTION_OF_CARDS,
            ),
            reports=(ReportOffer("exposed", which=which), MISDEALT, *to_empty_seat, SHUFFLER_FAILED),
            beside={"begin": ("shuffler_replaced",), **self.deck.beside()},
            pieces=self.deck.pieces(terms),
        )

    def bets_placed(self, round: Round) -> Iterator[PlacedBet]:
        for seat in round.seats_in_play:
            for wager, amount in stakes(round, seat).items():
                yield PlacedBet(seat, wager, round.players.get(seat), amount)
