"""What the referees of all games have: the table, its faults, the report, and the chips in the slots.

Money in minor units, the meter in exact fractions of them.
"""

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from ..rules.meter import Meter
from .camera import Felt, Line
from .chips import chips_placed, forgot, new_chips
from .faults import Faults


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


# ---- What the referees of all games have: the table, its faults, the report, and the chips in the slots


class Referee:
    """One pass over the film, round after round; `report` grows as it goes."""

    meter: Meter | None = None

    def __init__(self, station: dict[str, Any], faults: Faults) -> None:
        self.station = station
        self.report = Report()
        self.faults = faults
        self.rules = {key for key, chosen in station.get("rules", {}).items() if chosen}
        self.slots = str(station.get("devices", {}).get("slots", {}).get("driver", "adu218"))
        self.chips_before: set[int] = set()  # seats with a chip whose sweeping the slots may not have reported
        self.early: list[Line] = []  # chips placed after the round before was over
        self.locked_before = 0.0  # the line of the last lock-in
        self.dealt_before: dict[str, float] = {}  # the line where the last deal from each source ended

    def placed(self, lines: list[Line], closed_at: float) -> tuple[dict[int, int], float]:
        """The chips in the slots when the betting closed, and the line where it closed in the round before."""
        over = next((at for at, line in enumerate(lines) if line["event"] == "round_end"), len(lines))
        in_slots = chips_placed(self.early + lines, closed_at)
        self.early = [line for line in lines[over:] if line["event"] in ("chip", "irregularity")]
        previous, self.locked_before = self.locked_before, float(closed_at)
        return in_slots, previous

    def counted(
        self,
        number: int,
        in_slots: dict[int, int],
        on: Felt,
        carried: set[int],
        previous: float,
        published: set[int] | None,
    ) -> set[int]:
        """The seats whose new chip counts; `published` None: no message reports any."""
        most = int(self.station["jackpot"]["unreasonable_chips"])
        chips = new_chips(in_slots, on, carried, self.faults, previous, most, self.chips_before, self.slots)
        unsure = forgot(self.faults, previous, on, self.slots)
        self.chips_before = in_slots.keys() | (self.chips_before if unsure else set())
        if published is None:
            return chips.judge(chips.sure)
        new = chips.judge(published & (chips.sure | chips.maybe))
        if chips.doubtful:
            why = chips.or_none or "a sensor was at fault"
            seats = sorted(chips.sure | chips.maybe)
            self.report.notes.append(f"round {number}: {why}: of the chips at seats {seats} count {sorted(new)}")
        return new

    def close(self) -> Report:
        """The report, with what the meter has at the end."""
        if self.meter:
            for name in ("initial", "pot", "reserve", "overflow", "contributions", "returned", "awards"):
                setattr(self.report, name, getattr(self.meter, name))
            self.report.house_funded = self.meter.house_awards + self.meter.house_restart
        return self.report
