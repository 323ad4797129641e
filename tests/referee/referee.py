"""The referee settles every round again from the camera's lines and the table's parameters, and trusts nothing else.

It is written from the regulation (Fortune 3 Card Poker, 2025) and shares no code with the station, so that one
misreading cannot hide in both. `python tests/referee/referee.py station.toml cam.jsonl rounds.jsonl` prints what it
found and exits 1 on any difference. All money in minor units; the meter in exact fractions of them.
"""

import argparse
import json
import sys
import tomllib
from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from referee_articles import CHIPS_GO_ON, COMPLETE_DECK, SHUFFLER_FAILED
from referee_camera import Felt, Line, Play, card_source, felt, play, watch
from referee_chips import chips_laid, forgot, new_chips
from referee_compare import Against, Message, decisions_out_of_place, part, told_wagers
from referee_deal import Deal, Dealing
from referee_faults import Faults
from referee_irregular import as_entered, corrections, irregularities
from referee_meter import Meter
from referee_settle import pay_jackpot, settle

GAME = "fortune-3-card-poker-2025"


@dataclass
class Report:
    """What the referee found. Differences are faults; notes are what it could not judge from the camera alone."""

    differences: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    rounds: int = 0  # on camera, the last one perhaps unfinished
    settled: int = 0
    void: int = 0
    void_by: Counter[str] = field(default_factory=Counter)  # void rounds by article or policy
    carried: set[int] = field(default_factory=set)  # seats whose chip is still to go on to the next round (17.º 3)
    initial: Fraction = Fraction(0)  # pot and reserve at the beginning
    pot: Fraction = Fraction(0)
    reserve: Fraction = Fraction(0)
    overflow: Fraction = Fraction(0)
    contributions: Fraction = Fraction(0)  # gross; what was taken out again is in `returned`
    returned: Fraction = Fraction(0)
    awards: Fraction = Fraction(0)  # won, handed over or not
    house_funded: Fraction = Fraction(0)  # the house's part of awards, and of a pot that began again
    unpaid: list[tuple[int, int, int]] = field(default_factory=list)  # round, seat, amount won and not yet handed over


class Referee:
    """One pass over the film, round after round; `report` grows as it goes."""

    def __init__(self, station: dict[str, Any], faults: Faults) -> None:
        if station["table"]["game"] != GAME:
            raise ValueError(f"this referee knows {GAME} only, not {station['table']['game']}")
        self.station = station
        self.report = Report()
        self.meter = Meter(station["jackpot"]) if "jackpot" in station["table"]["wagers"]["additional"] else None
        self.chip = int(station["jackpot"]["chip"]) if self.meter else 0
        self.carried: set[int] = set()  # seats whose chip came over from a void round (17.º 3)
        self.slots = str(station.get("devices", {}).get("slots", {}).get("driver", "adu218"))
        self.lay_there: set[int] = set()  # seats with a chip whose sweeping the slots may not have told
        self.owed: Counter[int] = Counter()  # counted chips that are to be handed back
        self.faults = faults
        self.failures_in_a_row = 0
        self.locked_before = 0.0  # the line of the last lock-in
        self.dealt_before: dict[str, float] = {}  # the line where the last deal from each source ended
        self.early: list[Line] = []  # chips laid after the round before was over

    def round(self, number: int, lines: list[Line], message: Message | None, *, last: bool) -> None:
        """Judge one round; `message` is None if none was sent."""
        on, played = felt(lines, self.station), play(lines)
        self.report.rounds += 1
        in_play = self._chips(number, lines, on, message)
        before = self.meter.shown if self.meter else None
        dealt = self._deal(number, lines, on, bool(in_play))
        self.report.notes += [f"round {number}: {odd}" for odd in dealt.odd]
        if message is None:
            if last and not played.ended:
                self._table_closed(played)
                return
            self.report.differences.append(f"round {number}: expected a message, got none")
        against = Against(number, message or {})
        article = self._why_void(against, on, dealt)
        if article == SHUFFLER_FAILED:
            self.failures_in_a_row += 1
        elif dealt.complete:
            self.failures_in_a_row = 0
        wagers = {seat: dict(on.wagers[seat]) for seat in on.wagers}
        for seat in in_play:
            wagers[seat]["jackpot"] = self.chip
        if article is not None:
            wagers, dealt, played = as_entered(wagers, against, dealt, played)
        against.heading(self.station, dealt.source, wagers if on.locked else None)
        if article is None:
            self._settled(against, on, played, dealt, in_play, before)
        else:
            laid = wagers if on.locked else told_wagers(against.message)
            self._voided(against, article, laid, played, dealt, in_play, before)
        self._jackpots_pushed(number, played)
        if message is not None:
            self.report.differences += against.differences
        self._table_closed(played)
        self._chips_back(number, played, open_end=last and not played.ended)
        if self.meter and self.meter.balance():
            self.report.differences.append(f"round {number}: the referee's own books are off by {self.meter.balance()}")

    def _chips(self, number: int, lines: list[Line], on: Felt, message: Message | None) -> set[int]:
        """The seats with a jackpot bet: new chips go into the meter, carried ones are there or go back (4.º 3)."""
        laid = chips_laid(self.early + lines, on.closed_at)
        over = next((at for at, line in enumerate(lines) if line["event"] == "round_end"), len(lines))
        self.early = [line for line in lines[over:] if line["event"] in ("chip", "irregularity")]
        previous, self.locked_before = self.locked_before, float(on.closed_at)
        if self.meter is None or not on.locked:
            return set()
        most = int(self.station["jackpot"]["unreasonable_chips"])
        chips = new_chips(laid, on, self.carried, self.faults, previous, most, self.lay_there, self.slots)
        unsure = forgot(self.faults, previous, on, self.slots)
        self.lay_there = laid.keys() | (self.lay_there if unsure else set())
        new = chips.judge(chips.sure)
        if message is not None:
            wagers = part(message, "wagers")
            new = chips.judge({seat for seat in chips.sure | chips.maybe if "jackpot" in part(wagers, str(seat))})
            if chips.doubtful:
                why = chips.or_none or "a sensor was at fault"
                seats = sorted(chips.sure | chips.maybe)
                self.report.notes.append(f"round {number}: {why}: of the chips at seats {seats} count {sorted(new)}")
        for seat in sorted(self.carried - on.wagers.keys()):
            self._give_back(seat)
        self.carried &= on.wagers.keys()
        for seat in sorted(new):
            self.meter.contribute(seat)
        return new | self.carried

    def _give_back(self, seat: int) -> None:
        """A counted chip goes back to its player, with its contribution."""
        if self.meter:
            self.meter.give_back(seat)
            self.owed[seat] += 1

    def _deal(self, number: int, lines: list[Line], on: Felt, with_community: bool) -> Deal:
        source = card_source(lines, self.station)
        dealing = Dealing(on, with_community, self.station, source, self.faults, self.dealt_before.get(source, 0.0))
        dealt = dealing.follow(lines)
        if any(line["event"] == "card" for line in lines):
            self.dealt_before[source] = dealt.ended_at
            if self.failures_in_a_row > 1:
                if source == "shuffler":
                    self.report.differences.append(
                        f"round {number}, source on the table: expected 'shoe' (17.º 2), got {source!r}"
                    )
                self.failures_in_a_row = 0
        return dealt

    def _why_void(self, against: Against, on: Felt, dealt: Deal) -> str | None:
        """The article or policy that voids the round; None if it must be settled."""
        told = part(against.message, "void").get("article")
        allowed = dealt.may.get(told) if isinstance(told, str) else None
        if allowed and (dealt.void is None or allowed[0] < dealt.void_at):
            if dealt.complete or dealt.void:
                self.report.notes.append(f"round {against.number}: void by {told}, as may be: {allowed[1]}")
            return str(told)
        if dealt.void:
            if dealt.void == COMPLETE_DECK and not self.faults.any("deck", {"doubled"}, 0, dealt.void_at):
                against.say("cards", "each card once", f"twice on the table: {' '.join(dealt.twice)}")
            return dealt.void
        if on.locked and on.wagers and dealt.complete:
            return None
        if dealt.may:
            return min(dealt.may, key=lambda article: dealt.may[article][0])
        against.differences.append(f"round {against.number}: the camera saw no complete deal and no reason why")
        return str(told or "~")

    def _settled(
        self, against: Against, on: Felt, played: Play, dealt: Deal, in_play: set[int], before: int | None
    ) -> None:
        self.report.settled += 1
        result = settle(on, in_play, self.chip, dealt, played)
        awards: list[dict[str, Any]] = []
        if self.meter:
            awards = self.meter.pay(result.winners)
            self.meter.chips.clear()
        pay_jackpot(result, awards)
        self.carried = set()
        irregularities(against, dealt, played, result)
        corrections(against, played, result)
        self.report.unpaid += [(against.number, int(a["seat"]), a["amount"]) for a in awards if a["amount"]]
        for seat, place in result.places.items():
            if place.decision and seat not in played.decisions:
                self.report.notes.append(
                    f"round {against.number}, seat {seat}: no decision seen: taken as a fold (12.º 2)"
                )
        for seat in decisions_out_of_place(result, played):
            self.report.notes.append(f"round {against.number}, seat {seat}: a decision without an ante")
        against.settled(result, any(place == "bank" for place, _ in played.turned))
        against.jackpot(before, self.meter.shown if self.meter else None, awards)
        against.turned(result, played)
        against.pushed(result, played)
        against.doubles(result, played)

    def _voided(
        self,
        against: Against,
        article: str,
        wagers: dict[int, dict[str, int]],
        played: Play,
        dealt: Deal,
        in_play: set[int],
        before: int | None,
    ) -> None:
        self.report.void += 1
        self.report.void_by[article] += 1
        go_on = article in CHIPS_GO_ON
        if not go_on:
            for seat in sorted(in_play or self.carried):
                self._give_back(seat)
            self.carried = set()
        elif in_play:
            self.carried = in_play
        against.voided(article, wagers, self.carried & in_play, dealt, played)
        irregularities(against, dealt, played, None)
        corrections(against, played, None)
        against.jackpot(before, self.meter.shown if self.meter else None, [])
        against.pushed(None, played)

    def _table_closed(self, played: Play) -> None:
        """Nobody plays on: carried chips go back."""
        if played.table_closed:
            for seat in sorted(self.carried):
                self._give_back(seat)
            self.carried = set()

    def _chips_back(self, number: int, played: Play, *, open_end: bool) -> None:
        """Exactly the counted chips that the rules return are handed back to their players."""
        back = Counter(played.chips_back)
        for seat in sorted(back.keys() | self.owed.keys()):
            if back[seat] > self.owed[seat] or (back[seat] < self.owed[seat] and not open_end):
                self.report.differences.append(
                    f"round {number}, seat {seat}, chips handed back on the table: "
                    f"expected {self.owed[seat]}, got {back[seat]}"
                )
        self.owed.clear()

    def _jackpots_pushed(self, number: int, played: Play) -> None:
        """Every jackpot handed over was won before, by this seat, and was not handed over yet."""
        for seat, wager, amount in played.pays:
            if wager != "jackpot":
                continue
            owed = next((won for won in self.report.unpaid if won[1:] == (seat, amount)), None)
            if owed is None:
                self.report.differences.append(
                    f"round {number}, seat {seat}, line jackpot, pushed on the table: expected nothing, got {amount}"
                )
            else:
                self.report.unpaid.remove(owed)

    def close(self) -> Report:
        """Copy the meter into the report."""
        self.report.carried = set(self.carried)
        if self.meter:
            for name in ("initial", "pot", "reserve", "overflow", "contributions", "returned", "awards"):
                setattr(self.report, name, getattr(self.meter, name))
            self.report.house_funded = self.meter.house_awards + self.meter.house_restart
        return self.report


def _in_order(messages: list[Message], filmed: set[int], report: Report) -> dict[int, Message]:
    """The messages by round; says which came twice, out of order, or without a round on camera."""
    by_round: dict[int, Message] = {}
    previous = 0
    for message in messages:
        number = message.get("round")
        if type(number) is not int or number not in filmed:
            report.differences.append(f"round {number}: expected a round the camera saw, got a message without one")
            continue
        if number in by_round:
            report.differences.append(f"round {number}: expected one message, got another")
            continue
        if number < previous:
            report.differences.append(f"round {number}: expected before round {previous}, got after it")
        previous = max(previous, number)
        by_round[number] = message
    return by_round


def judge(station_toml_path: str | Path, camera_path: str | Path, rounds_messages: list[Message]) -> Report:
    """Settle every round on camera and compare; `rounds_messages` are the `data` objects of `rounds`, as they came.

    Raises ValueError for a film or a configuration that cannot be read; never for anything in a message.
    """
    station = tomllib.loads(Path(station_toml_path).read_text(encoding="utf-8"))
    evening = watch(Path(camera_path))
    filmed = evening.rounds
    referee = Referee(station, evening.faults)
    report = referee.report
    report.notes += evening.odd
    if sorted(filmed) != list(range(1, len(filmed) + 1)):
        report.differences.append(f"camera: expected rounds 1 to {len(filmed)}, got {sorted(filmed)}")
    messages = _in_order(rounds_messages, set(filmed), report)
    for number in sorted(filmed):
        referee.round(number, filmed[number], messages.get(number), last=number == max(filmed))
    return referee.close()


def _told(path: Path) -> list[Message]:
    """The messages of a file, one a line: CloudEvents, or only their `data`."""
    events = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [event["data"] if "specversion" in event else event for event in events]


def main() -> int:
    """Judge the three files named on the command line."""
    parser = argparse.ArgumentParser(description="Settle every round again from what the camera saw.")
    for name in ("station", "camera", "rounds"):
        parser.add_argument(name, type=Path)
    named = parser.parse_args()
    report = judge(named.station, named.camera, _told(named.rounds))
    for note in report.notes:
        print(f"note: {note}")
    for difference in report.differences:
        print(difference)
    kinds = Counter({"rounds": report.rounds, "settled": report.settled, "void": report.void})
    print(", ".join(f"{count} {kind}" for kind, count in kinds.items()))
    print(f"pot {report.pot}, reserve {report.reserve}, overflow {report.overflow}, awards {report.awards}")
    print(f"{len(report.differences)} differences, {len(report.unpaid)} jackpots not yet handed over")
    return 1 if report.differences else 0


if __name__ == "__main__":
    sys.exit(main())
