"""The exact value of every hand on an infinite deck, and the best strategy. No I/O here."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from math import lcm

from msgspec.structs import replace

from controller.certify.blackjack.bank import bank_ends, black_jack_chance
from controller.certify.blackjack.by_the_rulebook import net_of, net_of_even_money, net_of_giving_up, net_of_insurance
from controller.certify.blackjack.strategy import (
    ONE_SUIT,
    OPEN_CARDS,
    HandKind,
    PlayChoice,
    Preference,
    Strategy,
    StrategyRow,
    chances_of,
    first_of,
    hand_kind,
    is_pair,
    strategy_row,
)
from controller.certify.blackjack.variation import REGULATION, Variation
from controller.rulebook.blackjack_21.points import MOST_POINTS, is_ace, is_black_jack, value_of
from controller.rulebook.blackjack_21.state import Hand
from controller.rulebook.blackjack_21.waits import STANDS_ABOVE
from controller.rulebook.cards import DECK, Card

OPEN_ACE = Card("As")
NEVER_DEALT = (Card("Ts"), Card("7s"), Card("3s"))  # hard 20 is a pair, or comes by drawing

_End = tuple[int, bool, tuple[int, ...], bool]  # total, black-jack, bets on it, special prize


def hand_of(*cards: Card, split: bool = False) -> Hand:
    """A hand with one bet on it."""
    return Hand(times=(1,), cards=cards, split=split)


@cache
def dealt_hands() -> dict[HandKind, tuple[Hand, int]]:
    """For each kind of two cards: one hand of that kind, and the number of the 52 × 52 orders that give it."""
    hands = [hand_of(*cards) for cards in product(DECK, repeat=2)]
    counts = Counter(map(hand_kind, hands))
    return {hand_kind(hand): (hand, counts[hand_kind(hand)]) for hand in hands}


class InfiniteDeck:
    """The worth of hands, in first bets, under a variation of the rules: by best play, or by the strategy given."""

    def __init__(self, rules: Variation = REGULATION, follows: Strategy | None = None) -> None:
        if follows is not None and (rules.most_hands is not None or not rules.splits_aces_again):
            raise ValueError("a strategy is followed only where pairs are split again without end")
        self._rules = rules
        self._follows = follows
        self._ends = {card: bank_ends(card, rules) for card in OPEN_CARDS}
        self._worth: dict[tuple[Card, HandKind], Fraction] = {}
        self._stood: dict[tuple[Card, _End], Fraction] = {}
        self._nets: dict[tuple[_End, tuple[Card, ...]], Fraction] = {}
        self._split: dict[tuple[Card, int], Fraction] = {}

    def edge(self) -> Fraction:
        """The house edge of the main game, the special prize with it."""
        worth = weighed(
            (self.first_worth(open_card, hand), chances_of(open_card) * count)
            for open_card, (hand, count) in product(OPEN_CARDS, dealt_hands().values())
        )
        return -worth / (len(ONE_SUIT) * len(DECK) ** 2)

    def first_worth(self, open_card: Card, hand: Hand) -> Fraction:
        """The worth of two cards just dealt, with the choice to give up (36)."""
        looks = black_jack_chance(open_card) if self._rules.bank_looks else Fraction(0)
        worth = self.worth(open_card, hand)
        if self._rules.gives_up_late:
            worth = self._or_giving_up(open_card, hand, worth)
        if looks:
            black_jack = next((open_card, card) for card in ONE_SUIT if is_black_jack((open_card, card)))
            worth = looks * net_of(hand, black_jack).hand + (1 - looks) * worth
        if not self._rules.gives_up_late:
            worth = self._or_giving_up(open_card, hand, worth)
        return worth

    def worth(self, open_card: Card, hand: Hand) -> Fraction:
        """The worth of a hand of two or more cards; against a bank that looks, once it has no black-jack."""
        key = (open_card, hand_kind(hand))
        if key not in self._worth:
            may = self.may(hand)
            if not may:
                self._worth[key] = self._stood_with(open_card, hand)
            elif self._follows is None:
                self._worth[key] = max(self.plays(open_card, hand).values())
            else:
                play = self._follows.decide(value_of(open_card), hand.cards, may, hand.split)
                self._worth[key] = self._worth_of(play, open_card, hand)
        return self._worth[key]

    def may(self, hand: Hand) -> tuple[PlayChoice, ...]:
        """The plays allowed for a hand of two or more cards; empty if the hand is not asked (18)."""
        if hand.total >= MOST_POINTS:
            return ()
        draws = not hand.split_ace or self._rules.draws_to_split_aces
        splits = is_pair(hand.cards) and (not hand.split_ace or self._rules.splits_aces_again)
        if not draws and not splits:
            return ()
        plays: tuple[tuple[PlayChoice, bool], ...] = (
            ("split", splits),
            ("double", draws and self._doubles(hand)),
            ("hit", draws),
            ("stand", hand.total > STANDS_ABOVE),
        )
        return tuple(play for play, allowed in plays if allowed)

    def plays(self, open_card: Card, hand: Hand) -> dict[PlayChoice, Fraction]:
        """The worth of everything that a hand may do."""
        return {play: self._worth_of(play, open_card, hand) for play in self.may(hand)}

    def best(self) -> Strategy:
        """The best play of every kind of hand."""
        cells: dict[StrategyRow, dict[int, Preference]] = {}
        hands = [hand for hand, _ in dealt_hands().values() if not hand.black_jack] + [hand_of(*NEVER_DEALT)]
        for open_card, hand in product(OPEN_CARDS, hands):
            cells.setdefault(strategy_row(hand.cards), {})[value_of(open_card)] = self._preference(open_card, hand)
        cells |= dict(self._rows_after_a_split(cells, hands))
        return Strategy(cells=cells, insures=self.insurance() > 0, takes_even_money=self.even_money() > 0)

    def _rows_after_a_split(
        self, cells: Mapping[StrategyRow, Mapping[int, Preference]], dealt: Iterable[Hand]
    ) -> Iterator[tuple[StrategyRow, dict[int, Preference]]]:
        """The lines where the strategy plays a split hand differently from a hand that was just dealt."""
        for row, cards in {strategy_row(hand.cards): hand.cards for hand in dealt}.items():
            hand = hand_of(*sorted(cards, key=is_ace), split=True)  # one that began with an ace is not asked
            may = self.may(hand)
            if not may:
                continue
            after = {value_of(open_card): self._preference(open_card, hand) for open_card in OPEN_CARDS}
            if any(play[0] != first_of(cells[row][value], may) for value, play in after.items()):
                yield replace(row, split=True), after

    def insurance(self) -> Fraction:
        """The worth of insurance, in insurance bets (33)."""
        return sum((net_of_insurance((OPEN_ACE, card)) for card in ONE_SUIT), Fraction(0)) / len(ONE_SUIT)

    def even_money(self) -> Fraction:
        """How much more even money is worth than waiting with a black-jack, in bets (34)."""
        black_jack = hand_of(Card("Ah"), Card("Ts"))
        return net_of_even_money(black_jack, OPEN_ACE) - self._stood_with(OPEN_ACE, black_jack)

    def _preference(self, open_card: Card, hand: Hand) -> Preference:
        plays = self.plays(open_card, hand)
        preference = sorted(plays, key=lambda play: -plays[play])
        if self._gives_up(open_card, hand, plays[preference[0]]):
            preference.insert(0, "surrender")
        return tuple(preference)

    def _or_giving_up(self, open_card: Card, hand: Hand, worth: Fraction) -> Fraction:
        return self._worth_of("surrender", open_card, hand) if self._gives_up(open_card, hand, worth) else worth

    def _gives_up(self, open_card: Card, hand: Hand, worth: Fraction) -> bool:
        if hand.black_jack or hand.split or len(hand.cards) > 2:
            return False
        if value_of(open_card) not in self._rules.gives_up_against:
            return False
        if self._follows is None:
            return self._worth_of("surrender", open_card, hand) > worth
        return self._follows.gives_up(value_of(open_card), hand.cards)

    def _worth_of(self, play: PlayChoice, open_card: Card, hand: Hand) -> Fraction:
        match play:
            case "split":
                return self._worth_of_split(open_card, hand.cards[0])
            case "double":
                doubled = replace(hand, times=(2,), doubled=self._rules.doubled_ace_stays_one)
                return self._mean(open_card, doubled, self._stood_with)
            case "hit":
                return self._mean(open_card, hand, self.worth)
            case "stand":
                return self._stood_with(open_card, hand)
            case "surrender":
                return net_of_giving_up(hand, open_card).hand

    def _doubles(self, hand: Hand) -> bool:
        if hand.split and not self._rules.doubles_after_split:
            return False
        if len(hand.cards) != 2 and not (hand.split and self._rules.doubles_more):
            return False
        return self._rules.doubles_on is None or sum(map(value_of, hand.cards)) in self._rules.doubles_on

    def _worth_of_split(self, open_card: Card, card: Card) -> Fraction:
        """The worth of both halves of a pair: each gets a card, and one of the same value may be split again (27)."""
        key = (open_card, value_of(card))
        if key not in self._split:
            after, cards = hands_after(hand_of(card, split=True))
            ((pair, pairs),) = ((hand, count) for hand, count in after if is_pair(hand.cards))
            others = weighed((self.worth(open_card, hand), count) for hand, count in after if hand != pair)
            self._split[key] = self._both_halves(open_card, pair, others / cards, Fraction(pairs, cards))
        return self._split[key]

    def _both_halves(self, open_card: Card, pair: Hand, others: Fraction, chance: Fraction) -> Fraction:
        """`others` is the result of halves that are no pair, weighted by their chance; `chance` is that of another
        pair.
        """
        without_end = 2 * others / (1 - 2 * chance)
        if self._follows is not None:
            play = self._follows.decide(value_of(open_card), pair.cards, self.may(pair), split=True)
            return without_end if play == "split" else 2 * (others + chance * self._worth_of(play, open_card, pair))
        kept = max(self._worth_of(play, open_card, pair) for play in self._may_but_split(pair))
        once = 2 * (others + chance * kept)
        if pair.split_ace and not self._rules.splits_aces_again:
            return once
        if self._rules.most_hands is None:
            return max(once, without_end)
        most = self._rules.most_hands

        def halves(waiting: int, hands: int) -> Fraction:
            """The result of the halves that wait for their second card, with this number of hands on the table."""
            if not waiting:
                return Fraction(0)
            rest = halves(waiting - 1, hands)
            of_pair = kept + rest
            if hands < most:
                of_pair = max(of_pair, halves(waiting + 1, hands + 1))
            return others + (1 - chance) * rest + chance * of_pair

        return halves(2, 2)

    def _may_but_split(self, hand: Hand) -> tuple[PlayChoice, ...]:
        # A split ace that gets an ace may stand (26), one that is not split again gets no choice: it stands too.
        return tuple(play for play in self.may(hand) if play != "split") or ("stand",)

    def _mean(self, open_card: Card, hand: Hand, worth: Callable[[Card, Hand], Fraction]) -> Fraction:
        after, cards = hands_after(hand)
        return weighed((worth(open_card, drawn_to), count) for drawn_to, count in after) / cards

    def _stood_with(self, open_card: Card, hand: Hand) -> Fraction:
        """The worth of a hand that gets no further card."""
        end = (min(hand.total, MOST_POINTS + 1), hand.black_jack, hand.times, hand.special)
        key = (open_card, end)
        if key not in self._stood:
            ends = self._ends[open_card].items()
            self._stood[key] = sum((chance * self._net(end, hand, bank) for bank, chance in ends), Fraction(0))
        return self._stood[key]

    def _net(self, end: _End, hand: Hand, bank: tuple[Card, ...]) -> Fraction:
        key = (end, bank)
        if key not in self._nets:
            net = net_of(hand, bank)
            pays = self._rules.black_jack_pays
            on_hand = pays if pays is not None and hand.black_jack and net.hand > 0 else net.hand
            self._nets[key] = on_hand + net.special if self._rules.special_prize else on_hand
        return self._nets[key]


def weighed(worths: Iterable[tuple[Fraction, int]]) -> Fraction:
    """The weighted sum of values: equal to a sum of Fractions, but several times faster."""
    terms = list(worths)
    common = lcm(*(worth.denominator for worth, _ in terms))
    return Fraction(sum(count * worth.numerator * (common // worth.denominator) for worth, count in terms), common)


@cache
def hands_after(hand: Hand) -> tuple[tuple[tuple[Hand, int], ...], int]:
    """The hands after one more card: one of each kind, with the number of cards that lead to it; and of all."""
    hands = [replace(hand, cards=(*hand.cards, card)) for card in DECK]
    counts = Counter(map(hand_kind, hands))
    stands_for = {hand_kind(each): each for each in hands}
    return tuple((stands_for[kind], count) for kind, count in counts.items()), len(DECK)
