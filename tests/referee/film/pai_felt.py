"""What the camera saw of one round of Taiwan-Pai Kao: bank, wagers, dice, tiles, how they were placed and turned."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from ..rules.pai_hands import COPIES, Pair
from ..rules.pai_kao import BESIDE, Bank, Wager, around, named_by, with_amount
from .camera import Line, seat_of

TURN, PASSED, KEPT = "5.º a)", "5.º b)", "5.º d)"
ROUNDS = 2  # in a turn, unless all others agree


@dataclass
class Before:
    """What the last round that was settled left."""

    bank: Bank | None = None
    net: int = 0  # the banker's own
    bets: set[int] = field(default_factory=set)  # the places with a wager, a joiner's of the bank too
    used: list[str] = field(default_factory=list)  # tiles shown in a first round with four places (2.º d))
    rest: list[str] = field(default_factory=list)  # and the other sixteen, as they will be dealt


@dataclass
class Asking:
    """The bank is offered around the table, place by place; `wrong` has what should not have been."""

    before: Before
    places: int
    wrong: list[str] = field(default_factory=list)
    bank: Bank | None = None
    over: bool = False  # it has come round, and no one took it

    def __post_init__(self) -> None:
        previous = self.before.bank
        self._holder = previous.place if previous and previous.place <= self.places else None
        start = self._holder or 1  # of a holder whose place is gone, place 1 sits at the right
        self._left = around(start, self.places)
        self._refused = False

    @property
    def asked(self) -> int | None:
        """The place whose answer is due."""
        return self._left[0] if self._left else None

    @property
    def least(self) -> int:
        """The least capital of the place asked: a winner who continues keeps all on the table (5.º d))."""
        previous = self.before.bank
        continues = previous is not None and self._holder is not None and self.asked == self._holder
        return previous.capital + self.before.net if previous and continues and self.before.net > 0 else 1

    def passed(self, place: int, *, absent: bool) -> None:
        """A place does not take it: a refusal continues only to who bet in the round before (5.º b))."""
        if place != self.asked:
            self.wrong.append(f"the bank: expected place {self.asked} to be asked ({TURN}, {PASSED}), got {place}")
            return
        self._left.pop(0)
        self._refused |= not absent and place != self._holder
        while self._refused and self.before.bank and self._left and self._left[0] not in self.before.bets:
            self._left.pop(0)
        self.over = not self._left

    def taken(self, place: int, capital: int, casino: int, agreed: list[int]) -> None:
        """A place takes it."""
        previous, rounds = self.before.bank, 1
        if place != self.asked:
            self.wrong.append(f"the bank: expected place {self.asked} to take it ({TURN}, {PASSED}), got {place}")
        elif previous and place == self._holder:
            rounds = previous.rounds + 1
            missing = sorted(self.before.bets - {place} - set(agreed))
            if previous.rounds >= ROUNDS and missing:
                self.wrong.append(
                    f"the bank: expected all others to agree to round {rounds} of place {place} ({TURN}), "
                    f"got nothing of {missing}"
                )
        if capital < self.least:
            self.wrong.append(f"the bank: expected a capital of at least {self.least} ({KEPT}), got {capital}")
        if casino < 0:
            self.wrong.append(f"the bank: expected a share of the casino or none, got {casino}")
        self.bank, self._left = Bank(place, capital, casino, rounds), []


# ---- What the camera saw of one round of Taiwan-Pai Kao: bank, wagers, dice, tiles, how they were placed and turned


FOUR = 4
EACH = 4  # tiles to a place (6.º a))
TWO = 2  # players who may change the order of the tiles (2.º f))


@dataclass
class Tile:
    """A tile as it was dealt, and where it is."""

    face: str
    position: str
    at: float


@dataclass
class Felt:
    """One round on camera; `wrong` has what the rules do not allow on the table, whatever the station says of it."""

    rules: tuple[str, ...] = ()  # the keys of the readings that the house chose
    places: int | None = None
    announced: bool = False  # by the dealer, who had a choice (2.º d))
    washed: bool = False
    stack: list[str] = field(default_factory=list)  # the tiles as they will be dealt, where that is known
    whole: bool = True  # whether the stack that was washed is the set (1.º a))
    asking: Asking | None = None
    form: str | None = None  # of the distribution, as the banker announced it (5.º c))
    wagers: list[Wager] = field(default_factory=list)  # that remain, in the order placed
    closed_at: float | None = None
    moved: list[str] = field(default_factory=list)
    null_dice: int = 0
    dice: list[int] | None = None
    diced_at: float = 0
    dealt: list[Tile] = field(default_factory=list)
    exposed: Counter[str] = field(default_factory=Counter)
    arranged: dict[int, tuple[Pair, Pair]] = field(default_factory=dict)
    turned: dict[int, tuple[Pair, Pair]] = field(default_factory=dict)
    corrected_pairs: dict[int, tuple[Pair, Pair]] = field(default_factory=dict)
    money: list[Line] = field(default_factory=list)  # pay, collect, commission, share
    used: list[str] | None = None
    irregular: list[Line] = field(default_factory=list)
    ended: bool = False
    last: float = 0
    wrong: list[str] = field(default_factory=list)

    @property
    def bank(self) -> Bank | None:
        """Who took the bank."""
        return self.asking.bank if self.asking else None

    @property
    def due(self) -> list[str]:
        """The places of the deal, tile for tile, from the one the dice named (2.º b))."""
        if self.bank is None or self.places is None or self.dice is None:
            return []
        first = named_by(self.dice, self.bank.place, self.places, beside=BESIDE in self.rules)
        return [f"seat {place}" for place in around(first, self.places) for _ in range(EACH)]

    @property
    def right(self) -> bool:
        """Whether every tile dealt is where it was due."""
        return [tile.position for tile in self.dealt] == self.due[: len(self.dealt)]

    def tiles(self, place: int) -> list[str]:
        """The tiles that are at a place."""
        return [tile.face for tile in self.dealt if tile.position == f"seat {place}"]

    def filmed(self, kind: str) -> list[Line]:
        """What the hands did wrong, of one kind."""
        return [line for line in self.irregular if line.get("kind") == kind]


def felt(lines: list[Line], station: dict[str, Any], before: Before) -> Felt:
    """Follow the camera through a round; what the round before left says whose turn the bank is."""
    rules = tuple(key for key, chosen in station.get("rules", {}).items() if chosen)
    seen = Felt(last=float(lines[-1]["line"]), stack=list(before.rest), rules=rules)
    for line in lines:
        _preparing(seen, line, station, before)
        _playing(seen, line)
        if line["event"] == "irregularity":
            seen.irregular.append(line)
        seen.ended |= line["event"] == "round_end"
    seen.wagers = _valid_wagers(seen, lines, station)
    joined = {wager.player for wager in seen.wagers if seen.bank and wager.place == seen.bank.place}
    if both := joined & {wager.player for wager in seen.wagers if seen.bank and wager.place != seen.bank.place}:
        seen.wrong.append(f"the wagers: expected none elsewhere of who joins the bank (5.º e)), got {sorted(both)}")
    _stack(seen, before)
    return seen


def _preparing(seen: Felt, line: Line, station: dict[str, Any], before: Before) -> None:
    event, at = line["event"], float(line["line"])
    if event == "wash":
        seen.washed, seen.stack = True, str(line["tiles"]).split(" ")
        seen.whole = Counter(seen.stack) == COPIES
    elif event == "fault" and line.get("device") == "deck":
        seen.stack = []  # a tile in it is another one now, or gone
    elif event == "places":
        seen.places = int(line["number"])
        seen.asking = Asking(before, seen.places)
        seen.announced = station["table"]["seats"] != FOUR and not before.used
    elif event in ("bank_passed", "bank_taken") and seen.asking is None:
        seen.wrong.append(f"camera line {at:.0f}: expected the places announced before the bank is offered")
    elif event == "bank_passed" and seen.asking:
        seen.asking.passed(int(line["place"]), absent=bool(line["absent"]))
    elif event == "bank_taken" and seen.asking:
        amounts = int(line["capital"]), int(line["casino"])
        seen.asking.taken(int(line["place"]), *amounts, agreed=[int(place) for place in line["agreed"]])
    elif event == "form":
        _announced(seen, line, at)
    elif event == "lock_in" and seen.dice is None:
        seen.closed_at = at
    elif event == "tiles_moved":
        _moved(seen, str(line["by"]), at)
        if seen.stack and sorted(str(line["tiles"]).split(" ")) != sorted(seen.stack):
            seen.wrong.append(f"camera line {at:.0f}: expected the same tiles in another order (2.º f))")
        seen.stack = str(line["tiles"]).split(" ")
    elif event == "dice_null":
        seen.null_dice += 1
        _thrown(seen, line, at)
    elif event == "dice":
        _thrown(seen, line, at)
        seen.dice, seen.diced_at = [int(die) for die in line["dice"]], at
        if len(seen.dice) != 4 or not all(1 <= die <= 6 for die in seen.dice):
            seen.wrong.append(f"camera line {at:.0f}: expected four dice (1.º b)), got {seen.dice}")


def _announced(seen: Felt, line: Line, at: float) -> None:
    """5.º c): the banker himself, once, his capital on the table and the dice not yet shaken."""
    if seen.bank is None or int(line["by"]) != seen.bank.place:
        seen.wrong.append(f"camera line {at:.0f}: expected the banker to announce the form (5.º c)), got {line['by']}")
    if seen.dice is not None or seen.null_dice or seen.form is not None:
        seen.wrong.append(f"camera line {at:.0f}: expected the form announced once, before the dice (5.º c))")
    seen.form = str(line["form"])


def _moved(seen: Felt, by: str, at: float) -> None:
    """2.º f): two players at most, then the banker, before the dice."""
    players = [player for player in seen.moved if player != "bank"]
    late = seen.dice is not None or seen.null_dice > 0 or "bank" in seen.moved
    if late or by in seen.moved or (by != "bank" and len(players) == TWO):
        seen.wrong.append(f"camera line {at:.0f}: expected no change of the tiles by {by} any more (2.º f))")
    seen.moved.append(by)


def _thrown(seen: Felt, line: Line, at: float) -> None:
    """2.º b), g): the banker alone, once the bets are."""
    if seen.bank is None or int(line["by"]) != seen.bank.place:
        seen.wrong.append(f"camera line {at:.0f}: expected the banker to throw the dice (2.º b)), got {line['by']}")
    if seen.form is None:
        seen.wrong.append(f"camera line {at:.0f}: expected the form announced before the dice (5.º c))")
    if seen.closed_at is None:
        seen.wrong.append(f"camera line {at:.0f}: expected bets closed before the dice (2.º g))")
    if seen.dice is not None:
        seen.wrong.append(f"camera line {at:.0f}: expected one throw that counts, got another (2.º e))")


def _playing(seen: Felt, line: Line) -> None:
    event, at = line["event"], float(line["line"])
    if event == "card":
        if line["card"] not in COPIES:
            raise ValueError(f"camera line {at:.0f}: no such tile as {line['card']!r}")
        if seen.dice is None:
            seen.wrong.append(f"camera line {at:.0f}: expected the dice before the first tile (2.º b))")
        seen.dealt.append(Tile(str(line["card"]), str(line["to"]), at))
    elif event == "moved":
        _carried(seen, line, at)
    elif event == "irregularity" and line.get("kind") == "exposed":
        seen.exposed[str(line["to"])] += 1
    elif event == "arranged":
        place = int(line["place"])
        seen.arranged[place] = _pair(line["front"]), _pair(line["rear"])
        _made_of(seen, place, seen.arranged[place], at)
    elif event == "turned":
        _turned(seen, line, at)
    elif event == "rearranged":
        place = int(line["place"])
        seen.corrected_pairs[place] = _pair(line["front"]), _pair(line["rear"])
        _made_of(seen, place, seen.corrected_pairs[place], at)
    elif event in ("pay", "collect", "commission", "share"):
        seen.money.append(line)
    elif event == "used":
        seen.used = str(line["tiles"]).split(" ")


def _carried(seen: Felt, line: Line, at: float) -> None:
    """A tile that was wrongly is put where it belongs."""
    there = [tile for tile in seen.dealt if (tile.position, tile.face) == (str(line["from"]), str(line["card"]))]
    if there:
        there[-1].position = str(line["to"])
    else:
        seen.wrong.append(f"camera line {at:.0f}: {line['card']} was not at {line['from']}")


def _pair(text: object) -> Pair:
    tile, other = str(text).split(" ")
    return tile, other


def _made_of(seen: Felt, place: int, stakes: tuple[Pair, Pair], at: float) -> None:
    if sorted([*stakes[0], *stakes[1]]) != sorted(seen.tiles(place)):
        seen.wrong.append(f"camera line {at:.0f}: the pairs of place {place} are not made of its tiles (6.º a))")


def _turned(seen: Felt, line: Line, at: float) -> None:
    """6.º a), b): all place their pairs, the banker opens his first, then the dealer the others'."""
    place = seat_of(line["to"]) or 0
    first, second, third, fourth = str(line["cards"]).split(" ")
    stakes = (first, second), (third, fourth)
    _made_of(seen, place, stakes, at)
    if stakes != seen.arranged.get(place, stakes):
        seen.wrong.append(f"camera line {at:.0f}: place {place} was placed otherwise than it was turned")
    if seen.bank and not seen.turned and place != seen.bank.place:
        seen.wrong.append(f"camera line {at:.0f}: expected the banker to open first (6.º a)), got place {place}")
    seen.turned[place] = stakes


def _valid_wagers(seen: Felt, lines: list[Line], station: dict[str, Any]) -> list[Wager]:
    """The wagers placed in time (2.º g)) and within limits; what is there last of each player at a place."""
    diced = [float(line["line"]) for line in lines if line["event"] == "dice"]
    until = min([*diced, seen.closed_at or seen.last + 1])
    stakes: list[Wager] = []
    for line in lines:
        if line["event"] == "wager" and line["line"] < until:
            stakes = with_amount(stakes, int(line["seat"]), str(line["player"]), int(line["amount"]))
    limits = station["table"]["limits"]
    whole = Counter[tuple[int, str]]()
    for stake in stakes:
        whole[stake.place, stake.player] += stake.amount
    return [
        stake
        for stake in stakes
        if limits["min"] <= whole[stake.place, stake.player] <= limits["max"] and 1 <= stake.place <= (seen.places or 0)
    ]


def _stack(seen: Felt, before: Before) -> None:
    """2.º a), d): a whole set, or what the round before left; the tiles come off the stack as they are."""
    if not seen.dealt:
        return
    if before.used and seen.washed:
        seen.wrong.append("the tiles: expected the other sixteen of the round before (2.º d)), got a new stack")
    if not before.used and not seen.washed:
        seen.wrong.append("the tiles: expected a stack that was washed (2.º a)), got none")
    if before.used and seen.places != FOUR:
        seen.wrong.append(f"the places: expected four for the other sixteen tiles (2.º d)), got {seen.places}")
    if seen.stack and [tile.face for tile in seen.dealt] != seen.stack[: len(seen.dealt)]:
        seen.wrong.append("the tiles: expected in the order of the stack, got another")
