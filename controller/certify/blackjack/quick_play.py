"""Rounds played by tables of numbers, many times faster than the rulebook plays them. No I/O here.

Every number is a result of the rulebook for such a hand. The order of deal and play is implemented here a second time;
simulation.py compares its rounds with the rulebook's.
"""

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from controller.certify.blackjack.dealing import DealtCards
from controller.certify.blackjack.infinite_deck import InfiniteDeck, hand_of
from controller.certify.blackjack.strategy import (
    SPECIAL_RANKS,
    HandKind,
    PlayChoice,
    Strategy,
    hand_kind,
    is_pair,
    suit_towards_special,
)
from controller.certify.blackjack.variation import REGULATION, Variation
from controller.rulebook.blackjack_21.points import (
    MOST_POINTS,
    bank_draws,
    is_ace,
    is_black_jack,
    may_make_black_jack,
    total_of,
    value_of,
)
from controller.rulebook.blackjack_21.state import Hand
from controller.rulebook.cards import DECK, Card

HIT, STAND, DOUBLE, SPLIT, GIVE_UP = range(5)
_NUMBERS: dict[PlayChoice, int] = {"hit": HIT, "stand": STAND, "double": DOUBLE, "split": SPLIT, "surrender": GIVE_UP}

SeatEnd = int | tuple[int, ...]  # how a seat's hands end: one, or several after a split, in no order
GAVE_UP = 0
UNTURNED = 0  # the bank's second card is not looked at (22)

_Known = tuple[HandKind, tuple[str, ...]]  # its kind, and suits that still matter


class _Place(Struct):
    """A hand in play: the hand after each card, and its result if it gets no card, or one more card with a double."""

    hand: Hand
    after: list[int]
    ends: int
    ends_doubled: list[int]
    halves: tuple[int, int]


class PlayTables:
    """A strategy as numbers: hands, ends of hands and hands of the bank are numbered as they are found."""

    def __init__(self, strategy: Strategy, rules: Variation = REGULATION) -> None:
        if strategy.insures or strategy.takes_even_money:
            raise ValueError("the quick play knows neither insurance nor even money: the strategy must take none")
        self._strategy = strategy
        self._may = InfiniteDeck(rules).may
        self._ends: dict[tuple[int, bool, tuple[int, ...], bool], int] = {}
        self._numbers: dict[_Known, int] = {}
        self._places: list[_Place] = []
        self.first = [self._place(hand_of(card)) for card in DECK]
        reached = 0
        while reached < len(self._places):
            self._explore(self._places[reached])
            reached += 1
        self.after = [place.after for place in self._places]
        self.ends = [place.ends for place in self._places]
        self.ends_doubled = [place.ends_doubled for place in self._places]
        self.halves = [place.halves for place in self._places]
        self.plays = [self._plays_against(card) for card in DECK]
        self.waits = [self._waits_against(card) for card in DECK]
        self._bank_numbers: dict[tuple[int, int, bool, bool], int] = {}
        self.bank_after: list[list[int]] = []
        self.bank_ends: list[int] = []
        self.bank_first = [self._bank((card,)) for card in DECK]

    def _place(self, hand: Hand) -> int:
        suited = suit_towards_special(hand.cards) or is_pair(hand.cards) or len(hand.cards) == 1
        matters = suited and hand.cards[0][0] in SPECIAL_RANKS
        known = (hand_kind(hand), tuple(card[1] for card in hand.cards) if matters else ())
        if known not in self._numbers:
            self._numbers[known] = len(self._places)
            self._places.append(_Place(hand, [], GAVE_UP, [], (0, 0)))
        return self._numbers[known]

    def _explore(self, place: _Place) -> None:
        hand = place.hand
        if len(hand.cards) == 1:
            place.after = [self._place(_with(hand, card)) for card in DECK]
            return
        may = self._may(hand)
        place.ends = self._end(hand)
        if "hit" in may:
            place.after = [self._place(_with(hand, card)) for card in DECK]
        if "double" in may:
            doubled = replace(hand, times=(2,), doubled=True)
            place.ends_doubled = [self._end(_with(doubled, card)) for card in DECK]
        if "split" in may:
            first, second = hand.cards
            place.halves = (self._place(hand_of(first, split=True)), self._place(hand_of(second, split=True)))

    def _end(self, hand: Hand) -> int:
        end = (min(hand.total, MOST_POINTS + 1), hand.black_jack, hand.times, hand.special)
        return self._ends.setdefault(end, len(self._ends) + GAVE_UP + 1)

    def _plays_against(self, open_card: Card) -> list[int]:
        return [self._play_of(place.hand, value_of(open_card)) for place in self._places]

    def _play_of(self, hand: Hand, open_value: int) -> int:
        if len(hand.cards) == 1:
            return HIT
        may = self._may(hand)
        if not may:
            return STAND
        if len(hand.cards) == 2 and not hand.split and self._strategy.gives_up(open_value, hand.cards):
            return GIVE_UP
        return _NUMBERS[self._strategy.decide(open_value, hand.cards, may, hand.split)]

    def _waits_against(self, open_card: Card) -> list[bool]:
        """Whether a hand with this end still waits for the bank (21, 22)."""
        waits = [total <= MOST_POINTS and (not bj or may_make_black_jack(open_card)) for total, bj, _, _ in self._ends]
        return [False, *waits]

    def _bank(self, cards: tuple[Card, ...]) -> int:
        black_jack = is_black_jack(cards)
        draws = len(cards) == 1 or bank_draws(cards)
        end = UNTURNED if draws else MOST_POINTS + 2 if black_jack else min(total_of(cards), MOST_POINTS + 1)
        known = (
            (end, sum(map(value_of, cards)), any(map(is_ace, cards)), len(cards) == 1)
            if draws
            else (end, 0, False, False)
        )
        if known in self._bank_numbers:
            return self._bank_numbers[known]
        number = self._bank_numbers[known] = len(self.bank_after)
        after: list[int] = []
        self.bank_after.append(after)
        self.bank_ends.append(end)
        if draws:
            after.extend(self._bank((*cards, card)) for card in DECK)
        return number


def _with(hand: Hand, card: Card) -> Hand:
    return replace(hand, cards=(*hand.cards, card))


def round_player(tables: PlayTables, dealing: DealtCards, seats: int) -> Callable[[], tuple[list[SeatEnd], int]]:
    """A function that plays one round and says how each seat and the bank ended.

    Twice a card to each seat and the bank (17), then seat by seat, hand by hand (18, 26), then the bank, if anything
    waits for it (19, 22).
    """
    draw = dealing.draw
    first, after, ends, ends_doubled = tables.first, tables.after, tables.ends, tables.ends_doubled
    halves, bank_after, bank_ends, bank_first = tables.halves, tables.bank_after, tables.bank_ends, tables.bank_first

    def split(place: int, plays: list[int]) -> tuple[int, ...]:
        waiting = list(reversed(halves[place]))
        ended = []
        while waiting:
            place = after[waiting.pop()][draw()]
            while (play := plays[place]) == HIT:
                place = after[place][draw()]
            if play == SPLIT:
                waiting.extend(reversed(halves[place]))
            else:
                ended.append(ends_doubled[place][draw()] if play == DOUBLE else ends[place])
        return tuple(sorted(ended))

    def play_round() -> tuple[list[SeatEnd], int]:
        dealt = [first[draw()] for _ in range(seats)]
        open_card = draw()
        dealt = [after[place][draw()] for place in dealt]
        second = draw()
        plays, waits = tables.plays[open_card], tables.waits[open_card]
        ended: list[SeatEnd] = []
        bank_is_due = False
        for place in dealt:
            while (play := plays[place]) == HIT:
                place = after[place][draw()]
            if play == SPLIT:
                several = split(place, plays)
                ended.append(several)
                bank_is_due = bank_is_due or any(waits[end] for end in several)
                continue
            if play == STAND:
                end = ends[place]
            elif play == DOUBLE:
                end = ends_doubled[place][draw()]
            else:
                end = GAVE_UP
            ended.append(end)
            bank_is_due = bank_is_due or waits[end]
        if not bank_is_due:
            return ended, UNTURNED
        bank = bank_after[bank_first[open_card]][second]
        while not (bank_end := bank_ends[bank]):
            bank = bank_after[bank][draw()]
        return ended, bank_end

    return play_round
