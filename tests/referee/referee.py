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

from referee_articles import CARD_DEVICES, CHIP_DEVICE, CHIPS_GO_ON, SHUFFLER_FAILED
from referee_camera import Deal, Felt, Line, Play, deal, felt, play, rounds_on_camera
from referee_compare import Against, Message, decisions_out_of_place, part, parts
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

    def __init__(self, station: dict[str, Any]) -> None:
        if station["table"]["game"] != GAME:
            raise ValueError(f"this referee knows {GAME} only, not {station['table']['game']}")
        self.station = station
        self.report = Report()
        self.meter = Meter(station["jackpot"]) if "jackpot" in station["table"]["wagers"]["additional"] else None
        self.chip = int(station["jackpot"]["chip"]) if self.meter else 0
        self.carried: set[int] = set()  # seats whose chip came over from a void round (17.º 3)
        self.faults_before: set[tuple[str, str]] = set()
        self.failures_in_a_row = 0

    def round(self, number: int, lines: list[Line], message: Message | None, *, last: bool) -> None:
        """Judge one round; `message` is None if none was sent."""
        on, played = felt(lines, self.station), play(lines)
        devices = {device for device, _ in played.faults | self.faults_before}
        self.faults_before = played.faults
        self.report.rounds += 1
        in_play = self._chips(number, on, message, CHIP_DEVICE in devices)
        before = self.meter.shown if self.meter else None
        dealt = self._deal(lines, on, bool(in_play))
        self.report.notes += [f"round {number}: {odd}" for odd in dealt.odd]
        if message is None:
            if last and not played.ended:
                return
            self.report.differences.append(f"round {number}: expected a message, got none")
        against = Against(number, message or {})
        article = self._why_void(against, on, dealt, bool(devices & CARD_DEVICES))
        wagers = {seat: dict(on.wagers[seat]) for seat in on.wagers}
        for seat in in_play:
            wagers[seat]["jackpot"] = self.chip
        against.heading(self.station, wagers if on.locked else None)
        if article is None:
            self._settled(against, on, played, dealt, in_play, before)
        else:
            self._voided(against, article, wagers, played, dealt, in_play, before)
        self._jackpots_pushed(number, played)
        if message is not None:
            self.report.differences += against.differences
        if self.meter and self.meter.balance():
            self.report.differences.append(f"round {number}: the referee's own books are off by {self.meter.balance()}")

    def _chips(self, number: int, on: Felt, message: Message | None, slots_in_trouble: bool) -> set[int]:
        """The seats with a jackpot bet: new chips go into the meter, those that count no longer come out (4.º 3)."""
        if self.meter is None or not on.locked:
            return set()
        new = (on.chips - self.carried) & on.wagers.keys()
        if slots_in_trouble and message is not None:
            told = {seat for seat in new if "jackpot" in part(part(message, "wagers"), str(seat))}
            if told != new:
                unheard = ", ".join(str(seat) for seat in sorted(new - told))
                self.report.notes.append(
                    f"round {number}: chips not counted while the slots were in trouble: {unheard}"
                )
            new = told
        for seat in self.carried - on.wagers.keys():
            self.meter.give_back(seat)
        for seat in sorted(new):
            self.meter.contribute(seat)
        return new | (self.carried & on.wagers.keys())

    def _deal(self, lines: list[Line], on: Felt, with_community: bool) -> Deal:
        by_shuffler = self.station["table"]["card_source"] == "shuffler"
        dealt = deal(lines, on, with_community, self.station, one_by_one=not by_shuffler)
        if dealt.void and by_shuffler and self.failures_in_a_row > 1:  # 17.º 2: a shoe in its place
            dealt = deal(lines, on, with_community, self.station, one_by_one=True)
        if dealt.void == SHUFFLER_FAILED:
            self.failures_in_a_row += 1
        elif dealt.complete:
            self.failures_in_a_row = 0
        return dealt

    def _why_void(self, against: Against, on: Felt, dealt: Deal, cards_in_trouble: bool) -> str | None:
        """The article (or the message's policy) that voids the round; None if it must be settled."""
        if dealt.void:
            return dealt.void
        playable = bool(on.locked and on.wagers and dealt.complete)
        told = part(against.message, "void").get("article")
        if playable and not (told and cards_in_trouble):
            return None
        if cards_in_trouble and told:
            self.report.notes.append(f"round {against.number}: void after a fault, by {told}")
        else:
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
        against.turned(result, played, dealt)
        against.pushed(result, played)
        against.doubles(result, played)
        against.own_deck(dealt)

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
        go_on = article in CHIPS_GO_ON
        if dealt.void is None:  # by policy: the message says what became of the chips
            seats = part(against.message, "seats").values()
            go_on = go_on or any(line.get("carried") for seat in seats for line in parts(seat, "lines"))
        if self.meter and in_play and not go_on:
            for seat in sorted(in_play):
                self.meter.give_back(seat)
        if in_play:
            self.carried = in_play if go_on else set()
        elif self.meter:
            self.carried &= self.meter.chips.keys()
        against.voided(article, wagers, self.carried & in_play, dealt, played)
        against.jackpot(before, self.meter.shown if self.meter else None, [])
        against.pushed(None, played)

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
    filmed, odd = rounds_on_camera(Path(camera_path))
    referee = Referee(station)
    report = referee.report
    report.notes += odd
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
