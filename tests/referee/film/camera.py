"""What the camera saw of one round: who bet, when betting closed, and what was done once the cards were."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .faults import IRREGULARITIES, Faults

Line = dict[str, Any]
BASIC = ("ante", "pair_plus")
KNOWN = {
    *("round_begin", "source", "wager", "chip", "lock_in", "card", "turned", "decision", "pay", "lamp", "sign"),
    *("irregularity", "fault", "chip_back", "complaint", "round_end", "table_closed"),
    *("shuffled", "cut", "cut_passed", "cut_card", "announce", "moved", "set_aside", "shuffler_replaced"),
    *(
        "wash",
        "places",
        "bank_passed",
        "bank_taken",
        "form",
        "tiles_moved",
        "dice_null",
        "dice",
        "arranged",
        "rearranged",
    ),
    *("collect", "commission", "share", "used"),
    *("answer", "burn", "load", "insert", "hold", "lid", "marker", "increment", "taken_up", "card_replaced"),
    *("no_bets", "cards_seen", "cleared"),
}


@dataclass
class Evening:
    """The whole film; every line has its number under `line`."""

    rounds: dict[int, list[Line]] = field(default_factory=dict)
    before: list[Line] = field(default_factory=list)  # the table is being set up
    faults: Faults = field(default_factory=Faults)
    odd: list[str] = field(default_factory=list)


def watch(path: Path) -> Evening:
    """The lines by round, in the order filmed, the faults of all of them, and what is odd about the film.

    A last line cut off by a power cut is left out; any other line that cannot be read raises ValueError.
    """
    evening = Evening()
    text = path.read_text(encoding="utf-8").split("\n")
    for number, line in enumerate(text, start=1):
        if not line.strip():
            continue
        try:
            seen = json.loads(line)
            seen["line"] = number
            event = seen["event"]
            if event == "stalled":
                evening.faults.film_standstill(seen)
                continue
            number_of_round = int(seen["round"])
            (evening.rounds.setdefault(number_of_round, []) if number_of_round else evening.before).append(seen)
            if event == "fault":
                evening.faults.film(seen)
            evening.faults.pass_on(seen)
        except (ValueError, KeyError, TypeError) as error:
            if number == len(text):
                evening.odd.append(f"camera line {number} is cut off")
                continue
            raise ValueError(f"camera line {number} cannot be read: {error}") from error
        if event not in KNOWN:
            evening.odd.append(f"camera line {number}: unknown event {event!r}")
        if event == "irregularity" and seen.get("kind") not in IRREGULARITIES:
            evening.odd.append(f"camera line {number}: unknown irregularity {seen.get('kind')!r}")
    return evening


def seat_of(place: object) -> int | None:
    """3 of "seat 3"; None for the bank, the community cards and the discard rack."""
    text = str(place)
    number = text.removeprefix("seat ")
    return int(number) if number != text and number.isdecimal() else None


def same_cards(cards: list[str], other: list[str]) -> bool:
    """Whether these are the same cards, in any order."""
    return sorted(cards) == sorted(other)


def card_source(lines: list[Line], station: dict[str, Any]) -> str:
    """Where the cards of this round come from: as the round begins, or as the dealer changes it before the shuffle."""
    source = station["table"]["card_source"]
    for line in lines:
        if line["event"] == "card":
            break
        if line["event"] in ("round_begin", "source"):
            source = line.get("source", source)
    return str(source)


@dataclass
class Felt:
    """What was on the table when betting closed; `closed_at` and `locked_at` are lines of the film."""

    locked: bool
    begun_at: int  # the first bet
    closed_at: int  # the last press that counted: what was filmed before it was in time
    locked_at: int  # by now the station has closed the betting: its lamp is lit, or a card has left the source
    wagers: dict[int, dict[str, int]]  # the wagers that remain, by seat
    seconds: float | None = None  # of the film, when betting closed, where it has times
    players: dict[int, str | None] = field(default_factory=dict)  # who bets, by seat


@dataclass
class LockIn:
    """The closing of the betting; its fields are lines of the film, as in `Felt`."""

    pressed: bool
    closed_at: int
    locked_at: int
    first_card: int
    over: int  # the line after the last one
    seconds: float | None  # of the film, where it has times


def lock_in(lines: list[Line]) -> LockIn:
    """When the betting was closed: by the press that the lock lamp answered, or by the first card."""
    over = int(lines[-1]["line"]) + 1
    first_card = next((int(line["line"]) for line in lines if line["event"] == "card"), over)
    presses = [int(line["line"]) for line in lines if line["event"] == "lock_in" and line["line"] < first_card]
    lit = [
        int(line["line"])
        for line in lines
        if line["event"] == "lamp" and line.get("lamp") == "lock" and line.get("on") and presses
    ]
    lamp = next((at for at in lit if presses[0] < at < first_card), first_card)
    # A press while the station was down did nothing: the dealer pressed again, and the lamp answered the last one.
    closed_at = max((at for at in presses if at < lamp), default=first_card)
    seconds = next((float(line["t"]) for line in lines if line["line"] == closed_at and "t" in line), None)
    return LockIn(bool(presses), closed_at, lamp, first_card, over, seconds)


def felt(lines: list[Line], station: dict[str, Any], *, button: bool = True) -> Felt:
    """The bets that are at the lock-in: in limits (10.º 1), in time (10.º 3), additional only with basic (4.º 3).

    Without a button the betting is closed on the screen, and at the latest by the first card (2008: 6.º 3)).
    """
    closing = lock_in(lines)
    closed_at = closing.closed_at
    stakes: dict[int, dict[str, int]] = {}
    players: dict[int, str | None] = {}
    begun_at = closed_at
    for line in lines:
        if line["line"] < closed_at and line["event"] in ("wager", "chip"):
            begun_at = min(begun_at, int(line["line"]))
        if line["line"] < closed_at and line["event"] == "wager":
            stakes.setdefault(int(line["seat"]), {})[line["wager"]] = int(line["amount"])
            players[int(line["seat"])] = line.get("player") or players.get(int(line["seat"]))

    table = station["table"]
    offered = (*BASIC, *(name for name in table.get("wagers", {}).get("additional", []) if name != "jackpot"))
    valid: dict[int, dict[str, int]] = {}
    for seat in sorted(stakes):
        good = {
            name: stakes[seat][name]
            for name in offered
            if table["limits"]["min"] <= stakes[seat].get(name, 0) <= table["limits"]["max"]
        }
        if seat <= table["seats"] and any(name in good for name in BASIC):
            valid[seat] = good
    locked = closing.pressed or (not button and closing.first_card < closing.over)
    return Felt(locked, begun_at, closed_at, closing.locked_at, valid, closing.seconds, players)


@dataclass
class Play:
    """What was done with the cards once they were, and what went wrong besides the deal."""

    decisions: dict[int, str]
    turned: list[tuple[str, str]]
    pays: list[tuple[int, str, int]]
    doubles: dict[int, int]
    irregularities: list[Line]
    chips_back: list[int]
    slipped: set[int]  # seats whose decision was entered wrongly at first
    table_closed: bool
    ended: bool

    def filmed(self, kind: str) -> bool:
        """Whether the hands did something of this kind."""
        return any(line.get("kind") == kind for line in self.irregularities)


def play(lines: list[Line]) -> Play:
    """The decisions (the last of each seat), the hands turned, the money pushed, the chips handed back."""
    return Play(
        decisions={int(line["seat"]): line["decision"] for line in lines if line["event"] == "decision"},
        turned=[(str(line["to"]), str(line["cards"])) for line in lines if line["event"] == "turned"],
        pays=[(int(line["seat"]), line["wager"], int(line["amount"])) for line in lines if line["event"] == "pay"],
        doubles={
            int(line["seat"]): int(line["amount"])
            for line in lines
            if line["event"] == "wager" and line["wager"] == "play"
        },
        irregularities=[line for line in lines if line["event"] == "irregularity"],
        chips_back=[int(line["seat"]) for line in lines if line["event"] == "chip_back"],
        slipped={
            int(line["seat"])
            for line in lines
            if line["event"] == "irregularity" and line.get("kind") == "slip_decision"
        },
        table_closed=any(line["event"] == "table_closed" for line in lines),
        ended=any(line["event"] == "round_end" for line in lines),
    )
