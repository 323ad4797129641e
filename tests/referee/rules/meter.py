"""The progressive meter in exact fractions of a minor unit: what goes in, comes out and begins again. No I/O here."""

import math
from collections.abc import Collection
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from .hands import JACKPOT_HANDS

PERCENT = {"royal_flush": 100, "straight_flush": 10}  # of the pot (15.º 3)


@dataclass
class Parts:
    """What one chip put where, kept so that the same can be taken out again."""

    pot: Fraction
    reserve: Fraction
    overflow: Fraction


@dataclass
class Meter:
    """Pot, reserve and overflow, and everything that ever went in or out; minor units."""

    rules: dict[str, Any]
    pot: Fraction = Fraction(0)
    reserve: Fraction = Fraction(0)
    overflow: Fraction = Fraction(0)
    contributions: Fraction = Fraction(0)
    returned: Fraction = Fraction(0)
    awards: Fraction = Fraction(0)
    house_awards: Fraction = Fraction(0)
    house_restart: Fraction = Fraction(0)
    chips: dict[object, Parts] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.pot = Fraction(self.rules.get("initial_pot", 0))
        self.reserve = Fraction(self.rules.get("initial_reserve", 0))
        self.initial = self.pot + self.reserve

    @property
    def shown(self) -> int:
        """The pot as a sign shows it: whole minor units, the fraction kept back."""
        return math.floor(self.pot)

    def contribute(self, seat: object) -> None:
        """Take a new chip's part into the pot, up to its ceiling, and the reserve; remember it for this round.

        `seat` is whose chip it is: a seat, or where several at one may have theirs, the seat and who.
        """
        chip = Fraction(self.rules["chip"])
        to_pot = chip * self.rules["increment_bp"] / 10_000
        to_reserve = chip * self.rules["reserve_bp"] / 10_000
        room = max(Fraction(0), self.rules["ceiling"] - self.pot)
        beyond = max(Fraction(0), to_pot - room)
        spill = {"reserve": Fraction(0), "overflow": Fraction(0), self.rules["overflow_to"]: beyond}
        parts = Parts(to_pot - beyond, to_reserve + spill["reserve"], spill["overflow"])
        self.pot += parts.pot
        self.reserve += parts.reserve
        self.overflow += parts.overflow
        self.contributions += to_pot + to_reserve
        self.chips[seat] = parts

    def give_back(self, seat: object) -> None:
        """Take out again what this seat's chip put in (4.º 3; 17.º 1)."""
        parts = self.chips.pop(seat)
        self.pot -= parts.pot
        self.reserve -= parts.reserve
        self.overflow -= parts.overflow
        self.returned += parts.pot + parts.reserve + parts.overflow

    def pay(self, winners: dict[int, str], readings: Collection[str] = ()) -> list[dict[str, Any]]:
        """Pay the hands of one round, by seat (15.º 3 to 6, 16.º 3); the awards in the order they are paid.

        `readings` are the keys of [rules] that are chosen.
        """
        start = self.pot
        seats = sorted(winners)
        if "straight_flush" in winners.values():  # 15.º 5
            seats = [seat for seat in seats if winners[seat] != "royal_flush"] + [
                seat for seat in seats if winners[seat] == "royal_flush"
            ]
        paid = []
        for seat in seats:
            tier = winners[seat]
            fixed = int(self.rules["fixed"][tier])
            percent = PERCENT.get(tier, 0)
            tenth_of = self.pot if "tenths_one_after_another" in readings else start
            share = math.floor(self.pot) if percent == 100 else math.floor(tenth_of * percent / 100)
            due = share
            if percent == 100 and "royal_on_the_pot_as_it_was" in readings:
                due = math.floor(start)
            amount = max(due, fixed)
            self.pot -= share
            self.awards += amount
            self.house_awards += amount - share
            paid.append(
                {
                    "seat": seat,
                    "tier": tier,
                    "amount": amount,
                    "from_pot": share,
                    "from_house": amount - share,
                    "article": f"16.º 3 {JACKPOT_HANDS.index(tier) + 1})",
                }
            )
        if self.shown == 0 and PERCENT.keys() & set(winners.values()):
            self.start_again()
        return paid

    def start_again(self) -> None:
        """Begin at the minimum (15.º 6), out of the reserve and then the house; less than a minor unit stays on top."""
        minimum = Fraction(self.rules["minimum"])
        from_reserve = min(self.reserve, minimum)
        self.reserve -= from_reserve
        self.house_restart += minimum - from_reserve
        self.pot += minimum

    def balance(self) -> Fraction:
        """What is in the books and in no box: nothing, or the referee itself is wrong."""
        income = self.initial + self.contributions - self.returned + self.house_awards + self.house_restart
        return income - self.awards - self.pot - self.reserve - self.overflow
