"""What the referee found in an evening of any game. Money in minor units, the meter in exact fractions of them."""

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction


@dataclass
class Report:
    """What the referee found. Differences are faults; notes are what it could not judge from the camera alone."""

    differences: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    rounds: int = 0  # on camera, the last one perhaps unfinished
    settled: int = 0
    void: int = 0
    idle: int = 0  # rounds that no one bet on, of which there is no message (black-jack 12)
    void_by: Counter[str] = field(default_factory=Counter)  # void rounds by article or policy
    limited: Counter[str] = field(default_factory=Counter)  # rounds whose wagers the bank's limit cut, by "paying" …
    bankers: int = 0  # how often the bank came to another place
    carried: set[int] = field(default_factory=set)  # seats whose chip is still to continue to the next round (17.º 3)
    initial: Fraction = Fraction(0)  # pot and reserve at the beginning
    pot: Fraction = Fraction(0)
    reserve: Fraction = Fraction(0)
    overflow: Fraction = Fraction(0)
    contributions: Fraction = Fraction(0)  # gross; what was taken out again is in `returned`
    returned: Fraction = Fraction(0)
    awards: Fraction = Fraction(0)  # won, handed over or not
    house_funded: Fraction = Fraction(0)  # the house's part of awards, and of a pot that began again
    unpaid: list[tuple[int, int, int]] = field(default_factory=list)  # round, seat, amount won and not yet handed over

    def handed_over(self, number: int, seat: int, amount: int, order: str) -> None:
        """A prize is before a seat in round `number`: it was won, is handed over once, and in the order of its round.

        Equal amounts have none among them. `order` is the rule that has it.
        """
        where = f"round {number}, seat {seat}, line jackpot, pushed on the table: expected"
        won = next((won for won in self.unpaid if won[1:] == (seat, amount)), None)
        if won is None:
            self.differences.append(f"{where} nothing, got {amount}")
            return
        first = next(prize for prize in self.unpaid if prize[0] == won[0])
        if first != won and first[2] != amount:
            self.differences.append(f"{where} after the {first[2]} of seat {first[1]} ({order}), got {amount}")
        self.unpaid.remove(won)
