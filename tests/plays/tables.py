"""What each game has of its own at a wild table: its stock of cards, its bets, and the mistakes of its dealer."""

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, ClassVar

from msgspec.structs import replace

from controller.engine.decisions.betting import PlaceWager
from controller.engine.decisions.cards import ReportsMissed
from controller.engine.decisions.decision import Input
from controller.engine.decisions.hands import UnaskedCard
from controller.engine.decisions.played import CardsReported, Decide
from controller.engine.state.applied import Event
from controller.rulebook.blackjack_21.table_state import hands_of
from controller.rulebook.cards import DECK, Card
from controller.rulebook.events import BankLeft, Deal, RoundBegun
from controller.rulebook.taiwan_pai_kao.tiles import COPIES, SET, Tile
from tests.engine.hands import CHIP, Hands
from tests.engine.places import TILE, Places
from tests.engine.playing import Stock, source_of
from tests.engine.spaces import Spaces
from tests.engine.table_2008 import TERMS
from tests.games import BLACKJACK_21, FORTUNE_3_2008, FORTUNE_3_2025, FORTUNE_8, TAIWAN_PAI_KAO
from tests.high_card.rules import HighCard
from tests.plays.wild import Wild

PLAYERS = (None, "Rui", "Inês", "Zé")
STOCK_LOW = 80  # cards; more are put behind them, for no round shall run out of them


class WildPackets(Wild):
    """Fortune 3 Card Poker: packets or single cards, and a jackpot with chips."""

    wagers: ClassVar[tuple[str, ...]] = ("ante", "pair_plus", "six_card_bonus")
    masked = 1

    def bet_something(self) -> None:
        for seat in self.chance.sample(range(1, 7), self.chance.randint(1, 3)):
            self.bet(seat, ante=100)
            if self.settings.terms.chip and seat not in self.table.slots:
                self.chips(seat)

    def usual(self) -> None:
        if self.at("wagers") and self.chance.random() < 0.3:
            self.attempt(PlaceWager, seat=self.chance.randint(1, 6), wager=self.chance.choice(self.wagers), amount=100)
        super().usual()

    def answer_by_chance(self) -> None:
        if self.at("decisions") and self.attempt(
            Decide, seat=self.step.waiting[0], decision=self.chance.choice(("play", "fold"))
        ):
            return
        super().answer_by_chance()

    def lose_reports(self, may_draw: bool) -> None:
        if not may_draw:
            super().lose_reports(may_draw)
            return
        unreported, more = self.chance.randrange(3), self.chance.randrange(2)
        for _ in range(unreported):
            self.draw_unreported()
        lost = max(unreported, 1) + more if self.chance.random() < 0.6 else None
        # Room for a card that was missed before and no one noticed, or one that makes up for a card reported in vain.
        self.mistakes += lost != unreported or (unreported > 0 and self.mistakes > 0)
        self.receive(ReportsMissed(count=lost, gap_cause="reports_lost"))
        if more and self.at("count") and self.round.gaps:
            self.draw()

    def card_not_due(self) -> None:
        if self.at("deal") and self.round.terms.source == "shuffler" and self.chance.random() < 0.3:
            self.deal_one(count=self.chance.randrange(5))


class Wild2008(WildPackets):
    """The regulation of 2008: a shuffler that failed is replaced at once, and nothing is dealt beyond the deck."""

    wagers = ("ante", "pair_plus")

    def enter(self, kind: type[Input]) -> None:
        if self.table.round is None or self.dealt < MOST_DEALT or kind.__name__ not in ("Exposed", "ToEmptySeat"):
            super().enter(kind)


MOST_DEALT = 25  # a deck has 52 cards: what a deal may need beyond these is there in any case


class WildHighCard(WildPackets):
    """The game that proves what a game needs."""

    wagers = ("high",)

    def bet_something(self) -> None:
        self.bet(self.chance.randint(1, 6), high=100)


class Stocked(Wild, Stock):
    """Cards are dealt from one stock for many rounds."""

    def receive(self, input: Input) -> tuple[Event, ...]:
        events = super().receive(input)
        if len(self.deck) - self.dealt < STOCK_LOW:
            self.deck = [*self.deck, *self.first]
        return events

    def card_not_due(self) -> None:
        """A card leaves the source in use; one that was not due is set aside."""
        if self.table.round is None:
            self.receive(CardsReported(source="shoe", cards=(Card(self.reserve[0]),)))
            return
        drawn = self.round.draws
        self.receive(CardsReported(source=self.round.terms.source, cards=self.take()))
        if self.table.round is not None and self.round.draws == drawn:
            self.dealt -= 1
            self.deck = [*self.deck[: self.dealt], *self.deck[self.dealt + 1 :]]
        else:
            self.after_a_card_not_due()

    def after_a_card_not_due(self) -> None:
        """What the dealer reports of it."""


class WildSpaces(Stocked, Spaces):
    """Fortune 8."""

    wagers = ("low", "eight", "high")
    amounts = (0, 100, 200, 500, 50, 10_000, 10_001)
    players = PLAYERS

    def bet_something(self) -> None:
        self.place_bet(self.chance.randint(1, 7), self.chance.choice(PLAYERS), high=100)

    def cards_move_with_bets(self) -> bool:
        return self.round.deal != "every_space"

    def lose_reports(self, may_draw: bool) -> None:
        if not may_draw or not self.at("deal"):
            super().lose_reports(may_draw)
            return
        unreported = min(self.chance.randrange(3), len(self.step.to) * 2)
        for _ in range(unreported):
            self.draw_unreported()
        known, more = self.chance.random() < 0.6, self.chance.randrange(2)
        self.report_lost(self.round.claimed + unreported + more if known else None)
        if more and self.at("count"):
            self.comes_out()


class WildHands(Stocked, Hands):
    """Black-jack/21."""

    wagers = ("bet", "backing", "vacant", "jackpot")
    amounts = (0, 100, 200, 400, 3_000, 3_100, CHIP, 150, -100)
    players = PLAYERS
    decisions_of = (
        "hit", "stand", "double", "split", "give_up", "no", "even_money", "insure 50", "insure 50,100", "follow 1", "x",
    )  # fmt: skip
    truth = False

    def bet_something(self) -> None:
        seat, choice = self.chance.randint(1, 3), self.chance.randrange(4)
        self.place_bet(seat, 200, "Rui", **({"Zé": 400} if choice % 2 else {}))
        if choice > 1:
            self.place_bet(5, 100).vacant(6, Rui=300, Zé=300)
        if self.settings.terms.chip and choice != 1:
            self.mark(seat) if self.settings.terms.manual else self.sweep().chips(seat, 5)

    def close_the_bets(self) -> None:
        super().close_the_bets() if self.seats_that_bet() else self.bet_something()

    def answer_by_chance(self) -> None:
        step, chance = self.step, self.chance
        if self.at("ask") and any(card.seen is None and not card.taken for card in hands_of(self.round).uncalled):
            self.attempt(UnaskedCard, seen=chance.random() < 0.5) or self.proceed()
        elif not self.at("ask"):
            super().answer_by_chance()
        elif step.question == "decision":
            self.answer(chance.choice(step.legal))
        elif step.question == "follow":
            self.answer("follow " + ",".join(chance.choice("01") for _ in step.backers))
        elif step.question == "insurance":
            insures = chance.randrange(2)  # those who bet along may only where the seat does
            self.answer("insure " + ",".join(str(most * insures) for most in step.most))
        else:
            self.answer(chance.choice(("yes", "no", "no", "no", "no")))

    def bets(self, bets: dict[tuple[int, str, str], int]) -> dict[Any, int]:
        """By seat alone: what is placed where no one sits becomes a bet, and bets beside it."""
        stakes = Counter[int]()
        for (seat, _, _), amount in super().bets(bets).items():
            stakes[seat] += amount
        return stakes

    def after_a_card_not_due(self) -> None:
        if self.chance.random() < 0.5:
            self.attempt(UnaskedCard, seen=self.chance.random() < 0.5)

    def holds(self) -> None:
        super().holds()
        if self.table.round is not None:
            play = hands_of(self.round)
            assert play.from_the_bets(self.round) == play


class WildPlaces(Wild, Places):
    """Taiwan-Pai Kao."""

    wagers = ("place",)
    amounts = (0, 100, 700, 99, 2_500, 100_000, -5)
    players = ("Ana", "Bo", "Cy")
    named = TILE

    def begun(self, event: RoundBegun) -> set[str]:
        return set(event.left.used) if isinstance(event.left, BankLeft) else set()

    def copies(self, card: str) -> int:
        return COPIES[Tile(card)]

    def as_shown(self, cards: Sequence[str]) -> list[str]:
        return sorted(cards)

    def bet_something(self) -> None:
        self.place_bet(self.banker % self.places + 1, "Ana", 100)


def _packets(chance: Random, deck: list[Card], **terms: Any) -> dict[str, Any]:
    source, sizes = chance.choice([("shuffler", (3,)), ("shuffler", (2, 3)), ("shoe", ())])
    return {"deck": deck, "source": source, "packet_sizes": sizes, **terms}


def _rich(chance: Random, deck: list[Card]) -> list[Card]:
    """Often the cards of one suit on top, so that rare hands come up."""
    return sorted(deck, key=lambda card: card[1] != "s") if chance.random() < 0.7 else deck


def _faulty(chance: Random, cards: list[Card]) -> list[Card]:
    """Now and then one card is there more often than it should, and soon."""
    if chance.random() < 0.2:
        cards[3:10:2] = [cards[0]] * 4
    return cards


def _aces(chance: Random, cards: list[Card]) -> list[Card]:
    """Often many pairs on top."""
    top = [card for card in cards if card[0] in "A8T"][:20] if chance.random() < 0.5 else []
    return [*top, *cards]


def table_of(game: str, seed: int, order: Callable[[list[Card]], list[Card]] = list) -> Wild:
    """The wild table of a seed; its cards are in this order of the one that the seed has."""
    chance = Random(f"{game}/{seed}")
    decks = {FORTUNE_8: chance.randint(1, 2), BLACKJACK_21: 4}.get(game, 1)
    cards = [Card(tile) for tile in SET] if game == TAIWAN_PAI_KAO else [*DECK] * decks
    chance.shuffle(cards)
    match game:
        case _ if game == FORTUNE_3_2025:
            return WildPackets(chance, **_packets(chance, order(_rich(chance, cards))))
        case _ if game == FORTUNE_3_2008:
            return Wild2008(chance, **_packets(chance, order(cards)), **TERMS)
        case _ if game == HighCard.id:
            terms = {"game": game, "source": "shoe", "additional": (), "packet_sizes": (), "chip": 0}
            high_card = WildHighCard(chance, order(cards), **terms)
            high_card.settings = replace(high_card.settings, sources=("shoe",))
            return high_card
        case _ if game == FORTUNE_8:
            deal: Deal = "every_space" if chance.random() < 0.5 else "spaces_with_bets"
            first = " ".join(order(_faulty(chance, cards)))
            source = source_of(chance.choice(("shoe", "shuffler")))
            return WildSpaces(chance, first, decks=decks, source=source, deal=deal, announced=deal)
        case _ if game == BLACKJACK_21:
            first = " ".join(order(_faulty(chance, _aces(chance, cards))))
            source, prize = source_of(chance.choice(("shoe", "shuffler"))), chance.choice(("", "auto", "manual"))
            return WildHands(chance, first, source=source, prize=prize)
    table = WildPlaces(
        chance,
        reader=chance.random() < 0.7,
        seats=chance.choice((4, 8)),
        capital=3_000,
        announced=chance.choice(("four_places", "eight_places")),
        watched=True,
    )
    table.deck = order(_faulty(chance, cards))
    return table


def played(game: str, seed: int, things: int = 100, order: Callable[[list[Card]], list[Card]] = list) -> Wild:
    """So many things happen at a table, then the way out."""
    table = table_of(game, seed, order)
    table.anything(things)
    table.to_rest()
    return table
