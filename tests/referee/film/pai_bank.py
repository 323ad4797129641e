"""Whose turn the bank of Taiwan-Pai Kao is, for how long and with how much, from round to round (5.º)."""

from dataclasses import dataclass, field

from ..rules.pai_kao import Bank, around

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
