"""A strategy for the main game: what to do with every kind of hand against every open card. Hands of one kind have the
same future. No I/O here.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from controller.rulebook.blackjack_21.points import is_ace, total_of, value_of
from controller.rulebook.blackjack_21.state import Hand
from controller.rulebook.cards import RANKS, Card

OPEN_CARDS = tuple(Card(rank + "s") for rank in "23456789TA")  # one for each value of an open card
ONE_SUIT = tuple(Card(rank + "s") for rank in RANKS)
SPECIAL_RANKS = "678"  # rule 35


def chances_of(open_card: Card) -> int:
    """How many of 13 cards give the value of the open card: four for ten."""
    return 4 if value_of(open_card) == 10 else 1


def is_pair(cards: Sequence[Card]) -> bool:
    """Whether these are two cards of equal value (26)."""
    return len(cards) == 2 and value_of(cards[0]) == value_of(cards[1])


def is_soft(cards: Sequence[Card]) -> bool:
    """Whether an ace counts as 11 (6)."""
    return total_of(cards) != sum(map(value_of, cards))


def suit_towards_special(cards: Sequence[Card]) -> str:
    """The suit of two cards that a third could complete to a 6-7-8 of one suit; empty if none could (35)."""
    ranks = {card[0] for card in cards}
    suits = {card[1] for card in cards}
    near = len(cards) == 2 and len(ranks) == 2 and ranks <= set(SPECIAL_RANKS) and len(suits) == 1
    return cards[0][1] if near else ""


class HandKind(Struct, frozen=True):
    """What a hand's future depends on while cards come independently of each other; `cards` is 3 for three and more.

    `early_ace`: a split hand of three or more cards has an ace among its first two; it counts 1 if the hand is doubled
    (32).

    Two kinds with equal points differ where one may be split, doubled, or win the special prize.
    """

    points: int
    ace: bool
    cards: int
    pair: bool
    near_special: bool
    special: bool
    split: bool
    split_ace: bool
    early_ace: bool


@cache
def hand_kind(hand: Hand) -> HandKind:
    """The kind of a hand that is not doubled."""
    cards = hand.cards
    return HandKind(
        sum(map(value_of, cards)),
        any(map(is_ace, cards)),
        min(len(cards), 3),
        is_pair(cards),
        bool(suit_towards_special(cards)),
        hand.special,
        hand.split,
        hand.split_ace,
        hand.split and len(cards) > 2 and any(map(is_ace, cards[:2])),
    )


PlayChoice = Literal["surrender", "split", "double", "hit", "stand"]
Preference = tuple[PlayChoice, ...]  # the best first; the first of them that is allowed is done
NOT_ALWAYS: tuple[PlayChoice, ...] = ("surrender", "double")

LETTERS: Mapping[PlayChoice, str] = {"surrender": "R", "split": "P", "double": "D", "hit": "H", "stand": "S"}
LEGEND = (
    "H hit, S stand, D double, P split, R give up half the bet; a small letter is done where the first is not allowed"
)
OPENS = tuple(value_of(card) for card in OPEN_CARDS)


def first_of(preference: Preference, may: Collection[str]) -> PlayChoice:
    """The best of what a hand may do."""
    return next(play for play in preference if play in may)


class StrategyRow(Struct, frozen=True, order=True):
    """One line of the strategy: `hard` and `soft` totals, `pair` with the value of a card, `suited` totals.

    `suited` are two cards of one suit out of 6, 7 and 8, which a third makes a special prize (35). `split`: the line is
    for hands that came from a split, where they are played differently.
    """

    group: Literal["hard", "soft", "pair", "suited"]
    number: int
    split: bool = False

    @property
    def name(self) -> str:
        """The name that a player would use: ``soft 18``, ``A-A``, ``6-7 suited``, ``hard 9 after a split``."""
        after = " after a split" if self.split else ""
        match self.group:
            case "pair":
                card = {1: "A", 10: "T"}.get(self.number, str(self.number))
                return f"{card}-{card}{after}"
            case "suited":
                return {13: "6-7", 14: "6-8", 15: "7-8"}[self.number] + f" suited{after}"
            case _:
                return f"{self.group} {self.number}{after}"


def strategy_row(cards: Sequence[Card]) -> StrategyRow:
    """The line of the strategy for a hand of two or more cards; a hand from a split may have another one."""
    total = total_of(cards)
    if is_pair(cards):
        return StrategyRow("pair", value_of(cards[0]))
    if suit_towards_special(cards):
        return StrategyRow("suited", total)
    return StrategyRow("soft" if is_soft(cards) else "hard", total)


class Strategy(Struct, frozen=True, kw_only=True):
    """The preferred plays by row and value of the bank's open card (an ace is 1). Against an ace, all hands insure or
    none.
    """

    cells: dict[StrategyRow, dict[int, Preference]]
    insures: bool
    takes_even_money: bool

    def decide(self, open_value: int, cards: Sequence[Card], may: Collection[str], split: bool = False) -> PlayChoice:
        """The play for a hand, one of `may`. `split`: the hand comes from a split."""
        row = strategy_row(cards)
        cells = self.cells.get(replace(row, split=True), self.cells[row]) if split else self.cells[row]
        return first_of(cells[open_value], may)

    def gives_up(self, open_value: int, cards: Sequence[Card]) -> bool:
        """Whether to give up half the bet, asked before any other card is dealt (36)."""
        return self.cells[strategy_row(cards)][open_value][0] == "surrender"

    def rows(self) -> dict[str, list[str]]:
        """The letters of each row by its name, against 2 to 9, ten and ace."""
        return {row.name: [_letters(self.cells[row][value]) for value in OPENS] for row in sorted(self.cells)}

    def printed(self) -> str:
        """The strategy as a table of plain text, with an explanation of the letters at the end."""
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        width = 2 + max(map(len, self.rows()))
        yield " " * width + "".join(f"{card[0]:<4}" for card in OPEN_CARDS).rstrip()
        for name, letters in self.rows().items():
            yield f"{name:<{width}}" + "".join(f"{letter:<4}" for letter in letters).rstrip()
        yield LEGEND
        yield f"insurance {_yes(self.insures)}, even money {_yes(self.takes_even_money)}"


def _yes(always: bool) -> str:
    return "always" if always else "never"


def _letters(preference: Preference) -> str:
    """The letter of the best play, and that of the next one if the best may not be allowed: a double needs two
    cards.
    """
    text = LETTERS[preference[0]]
    for before, play in pairwise(preference):
        if before not in NOT_ALWAYS:
            break
        text += LETTERS[play].lower()
    return text
