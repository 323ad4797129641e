"""The seats of a table, and the wagers of a game as a house offers them: their limits, the additional ones, those
authorised. No I/O here.
"""

from collections.abc import Iterator

import msgspec

from controller.rulebook.events import Terms
from controller.rulebook.house import BasicBets, House


class Seats(msgspec.Struct, frozen=True):
    """The possible numbers of seats; `expected` is the text of the error about another number, with the article."""

    numbers: range
    expected: str


class Betting(msgspec.Struct, frozen=True, kw_only=True):
    """The bets that a house may offer, and their limits.

    Posted limits bound the `wagers`. The house may offer `additional` ones, and the basic ones in one of the ways
    `basic_bets`. The authority may authorise other bets under the article `added_by`. The maximum is `times_minimum`
    minimums where a rule says so, and every bet a multiple of the minimum where it is placed `in_multiples`. Several
    players may bet in one box where it is `shared`.
    """

    wagers: tuple[str, ...] = ()
    additional: tuple[str, ...] = ()
    basic_bets: tuple[BasicBets, ...] = ("either",)
    added_by: str = ""
    times_minimum: int | None = None
    in_multiples: bool = False
    shared: bool = False

    def limited(self, terms: Terms) -> list[str]:
        """The offered wagers that have limits, including authorised ones."""
        offered = [wager for wager in self.wagers if wager in terms.additional or wager not in self.additional]
        return [*offered, *(bet.name for bet in terms.house.bets)]

    def has_additional(self) -> bool:
        """Whether there are bets that a house may offer or leave out."""
        return bool(self.additional)

    def wrong_limits(self, least: int, most: int) -> Iterator[tuple[str, int, str]]:
        """The mistakes in the limits of a table, minor units: ``min`` or ``max``, its value, and the expected one."""
        times = self.times_minimum
        if times is not None and least % 2:
            yield "min", least, "an even number: 3:2 and half a bet are paid without rounding"
        if times is not None and most != times * least:
            yield "max", most, f"{times} times min: {times * least} (37)"

    def posted(self, house: House) -> BasicBets | None:
        """How the house offers the basic bets, for the posted notice; None if the regulation leaves no choice."""
        return house.basic_bets if len(self.basic_bets) > 1 else None
