"""A place of Taiwan-Pai Kao against the banker, exactly: all deals of four tiles to each. No I/O here."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, combinations, product
from math import comb

from msgspec import UnsetType

from controller.certify.result import Certified, OutcomeOdds, Plain, exact
from controller.rulebook.taiwan_pai_kao.articles import COMMISSION_OF_PLAYERS
from controller.rulebook.taiwan_pai_kao.limit import COMMISSION_PERCENT
from controller.rulebook.taiwan_pai_kao.pairs import RANKS, TileHand, arrange
from controller.rulebook.taiwan_pai_kao.settle import Bank, settle_places
from controller.rulebook.taiwan_pai_kao.tiles import SET, Tile
from controller.rulebook.taiwan_pai_kao.wagers import Wager

DEALS = comb(32, 4) * comb(28, 4)
STAKE = 100  # 5 % of it is whole
Sides = tuple[int, int]  # of the front and of the rear: -1 the place's is the higher, 0 equal, 1 the banker's
SIDES = (-1, 0, 1)
Places = tuple[int, ...]  # tiles by their place in SET, ascending


class _Grid:
    """The number of hands by the ranks of front and rear pair; it gives the counts below and above a pair of ranks."""

    def __init__(self) -> None:
        self._rows = [[0] * (RANKS + 1) for _ in range(RANKS + 1)]

    def add(self, hand: TileHand) -> None:
        self._rows[hand.front.rank][hand.rear.rank] += 1

    def close(self) -> None:
        """Turn the counts into counts of both ranks or lower ones."""
        before = [0] * (RANKS + 1)
        for index, row in enumerate(self._rows):
            before = [above + own for above, own in zip(before, accumulate(row), strict=True)]
            self._rows[index] = before

    def against(self, hand: TileHand) -> dict[Sides, int]:
        """The number of these hands on each side of a hand."""
        fronts, rears = (((0, rank - 1), (rank - 1, rank), (rank, RANKS)) for rank in (hand.front.rank, hand.rear.rank))
        found = {}
        for (front, (above, until)), (rear, (left, right)) in product(
            zip(SIDES, fronts, strict=True), zip(SIDES, rears, strict=True)
        ):
            top, bottom = self._rows[above], self._rows[until]
            found[front, rear] = bottom[right] - bottom[left] - top[right] + top[left]
        return found


def certify_place(deals: "Deals", rules: Collection[str] = ()) -> list[Certified]:
    """A wager on a place and the bank it plays against, per unit staked, both arranged by the station.

    Both hands have the highest rear pair, as the law wants it (6.º b), and of equal ones the better front. The deals
    are distinguished by front and rear, higher, equal or lower, and one deal of each kind is settled, by the readings
    of these keys.
    """
    counts, ones = deals.by_sides
    settled = {sides: _settle(*ones[sides], rules) for sides in counts}
    results: Counter[str] = Counter()
    place: Counter[tuple[str, int]] = Counter()
    banker: Counter[tuple[str, int]] = Counter()
    commission = Fraction(0)
    for sides, count in counts.items():
        outcome, net, bank_net, taken = settled[sides]
        results[outcome] += count
        place[outcome, net] += count
        banker[{"win": "lose", "lose": "win"}.get(outcome, outcome), bank_net] += count
        commission += Fraction(taken * count, STAKE * DEALS)
    share = {outcome: Fraction(results[outcome], DEALS) for outcome in ("win", "lose", "push")}
    ties = {
        f"front {_word(front)}, rear {_word(rear)}": str(Fraction(count, DEALS))
        for (front, rear), count in counts.items()
        if settled[front, rear][0] == "push"
    }
    further: dict[str, Plain] = {
        "win": str(share["win"]),
        "lose": str(share["lose"]),
        "tie": str(share["push"]),
        "ties": dict(ties),
        "edge_without_commission": str(share["lose"] - share["win"]),
        "commission": str(commission),
        "commission_decimal": round(float(commission), 6),
    }
    winner = "a place" if COMMISSION_OF_PLAYERS in rules else "either"
    notes = [
        f"All {DEALS} deals of four tiles to the place and four to the banker, both arranged as 6.º b) has it.",
        f"Without commission {_ahead(share['win'], share['lose'])}; {COMMISSION_PERCENT} % of what {winner} wins (8.º) "
        f"costs the two together {float(commission) * 100:.2f} % of the stake. The bank's limit (5.º c) is not met.",
    ]
    return [
        exact("place", _odds(place), notes, further),
        exact("bank", _odds(banker), ["The same stake from the banker's side."]),
    ]


def _ahead(win: Fraction, lose: Fraction) -> str:
    if win == lose:
        return "neither side has an edge"
    return f"the {'place' if win > lose else 'bank'} has an edge of {float(abs(win - lose)) * 100:.4f} %"


def _word(side: int) -> str:
    return {-1: "higher", 0: "equal", 1: "lower"}[side]


def _odds(found: Mapping[tuple[str, int], int]) -> list[OutcomeOdds]:
    return [
        OutcomeOdds(
            outcome={"push": "tie"}.get(outcome, outcome), chance=Fraction(count, DEALS), net=Fraction(net, STAKE)
        )
        for (outcome, net), count in sorted(found.items(), key=lambda row: -row[0][1])
    ]


class Deals:
    """Every deal of four tiles to the banker and four to a place, both arranged.

    Hands are four places in SET, ascending. For every hand of the banker, the place's are all hands of 32 tiles but
    those that hold one of his (inclusion and exclusion over his tiles). Two copies of a tile change nothing.
    """

    def __init__(self) -> None:
        arranged: dict[tuple[Tile, ...], TileHand] = {}
        self.hands: dict[Places, TileHand] = {}
        four: Places
        for four in combinations(range(len(SET)), 4):
            tiles = tuple(SET[place] for place in four)
            if tiles not in arranged:
                arranged[tiles] = arrange(tiles)
            self.hands[four] = arranged[tiles]
        self._first: dict[Places, Places] = {}
        self._grids: dict[Places, _Grid] = {}
        self._threes: dict[Places, list[tuple[int, int]]] = {}
        for places, hand in self.hands.items():
            for size in range(3):
                for subset in combinations(places, size):
                    if subset not in self._first:
                        self._first[subset] = _first_copies(subset)
                        if self._first[subset] == subset:
                            self._grids[subset] = _Grid()
                    if self._first[subset] == subset:
                        self._grids[subset].add(hand)
            for subset in combinations(places, 3):
                self._threes.setdefault(subset, []).append((hand.front.rank, hand.rear.rank))
        for grid in self._grids.values():
            grid.close()

    def against(self, places: Places) -> Counter[Sides]:
        """The number of hands, among the 28 tiles left, on each side of a hand."""
        banker = self.hands[places]
        front, rear = banker.front.rank, banker.rear.rank
        found: Counter[Sides] = Counter()
        for size in range(3):
            for subset in combinations(places, size):
                for sides, count in self._grids[self._first[subset]].against(banker).items():
                    found[sides] += (-1) ** size * count
        for subset in combinations(places, 3):
            for own_front, own_rear in self._threes[subset]:
                found[(own_front > front) - (own_front < front), (own_rear > rear) - (own_rear < rear)] -= 1
        found[0, 0] += 1
        return +found

    def hand_on_sides(self, banker: Places, sides: Sides) -> Places:
        """A hand whose front and rear are on these sides of the banker's."""
        return next(
            other
            for other, hand in self.hands.items()
            if not set(banker) & set(other) and _sides(hand, self.hands[banker]) == sides
        )

    @cached_property
    def by_sides(self) -> tuple[Counter[Sides], dict[Sides, tuple[Places, Places]]]:
        """How many deals are on each side, the place's hand beside the banker's, and one deal of each.

        Hands of the banker that differ in the copy of a tile alone count once, as often as they occur.
        """
        counts: Counter[Sides] = Counter()
        ones: dict[Sides, tuple[Places, Places]] = {}
        for places, times in Counter(map(_first_copies, self.hands)).items():
            for sides, count in self.against(places).items():
                counts[sides] += times * count
                if sides not in ones:
                    ones[sides] = self.hand_on_sides(places, sides), places
        return counts, ones


def _first_copies(places: Places) -> Places:
    """The same tiles, each with its first copy where that is free, so that equal sets have one name."""
    named: list[int] = []
    for place in places:
        twin = place - 1 if place and SET[place - 1] == SET[place] else place
        named.append(place if twin in named else twin)
    return tuple(named)


def _sides(hand: TileHand, banker: TileHand) -> Sides:
    front, rear = (
        (own > other) - (own < other)
        for own, other in ((hand.front.rank, banker.front.rank), (hand.rear.rank, banker.rear.rank))
    )
    return front, rear


def _settle(own: Places, banker: Places, rules: Collection[str]) -> tuple[str, int, int, int]:
    """One deal settled at a table of four places: outcome, net of the place, of the bank, and the commission."""
    rest = [tile for place, tile in enumerate(SET) if place not in (*own, *banker)]
    hands = {1: [SET[place] for place in banker], 2: [SET[place] for place in own], 3: rest[:4], 4: rest[4:8]}
    answer = settle_places(
        Bank(place=1, capital=10 * STAKE),
        (1, 1, 1, 1),
        {place: arrange(tiles) for place, tiles in hands.items()},
        [Wager(place=2, player="A", amount=STAKE)],
        rules,
    )
    lines = answer.seats["2"].lines
    if not isinstance(lines, Sequence) or isinstance(answer.banker, UnsetType):
        raise AssertionError("a settled place has lines, and a settled round its banker")
    return lines[0].outcome, lines[0].net, answer.banker.net, lines[0].commission
