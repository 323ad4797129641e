"""What the camera saw of one round: who bet, who got which card in which order, and what broke the deal."""

import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from referee_articles import BANK_EXPOSED, BROKEN_DEAL, PLAYERS_EXPOSED, SHUFFLER_FAILED, SHUFFLER_FAILURES
from referee_hands import PACK

Line = dict[str, Any]
BASIC = ("ante", "pair_plus")
KNOWN = {
    *("round_begin", "wager", "chip", "lock_in", "card", "turned", "decision", "pay", "lamp", "sign"),
    *("irregularity", "fault", "round_end"),
}


def rounds_on_camera(path: Path) -> tuple[dict[int, list[Line]], list[str]]:
    """The lines by round, in the order filmed, and what is odd about the film.

    A last line cut off by a power cut is left out; any other line that cannot be read raises ValueError.
    """
    rounds: dict[int, list[Line]] = {}
    odd = []
    text = path.read_text(encoding="utf-8").split("\n")
    for number, line in enumerate(text, start=1):
        if not line.strip():
            continue
        try:
            seen = json.loads(line)
            event = seen["event"]
            if int(seen["round"]):  # 0: the table is being set up
                rounds.setdefault(int(seen["round"]), []).append(seen)
        except (ValueError, KeyError, TypeError) as error:
            if number == len(text):
                odd.append(f"camera line {number} is cut off")
                continue
            raise ValueError(f"camera line {number} cannot be read: {error}") from error
        if event not in KNOWN:
            odd.append(f"camera line {number}: unknown event {event!r}")
    return rounds, odd


def seat_of(place: object) -> int | None:
    """3 of "seat 3"; None for the bank, the community cards and the discard rack."""
    text = str(place)
    return int(text.removeprefix("seat ")) if text.startswith("seat ") else None


def same_cards(one: str, other: list[str]) -> bool:
    """Whether a text of cards names exactly these cards, in any order."""
    return sorted(one.split(" ")) == sorted(other)


@dataclass
class Felt:
    """What lay on the table when betting closed."""

    locked: bool
    closed_at: int  # lines of the round before this one were in time
    wagers: dict[int, dict[str, int]]  # the wagers that stand, by seat
    chips: set[int]  # chips in the slots, with or without a basic bet


def felt(lines: list[Line], station: dict[str, Any]) -> Felt:
    """The bets that stand at the lock-in: in limits (10.º 1), in time (10.º 3), additional only with basic (4.º 3)."""
    first_card = next((at for at, line in enumerate(lines) if line["event"] == "card"), len(lines))
    lamp = next(
        (
            at
            for at, line in enumerate(lines)
            if line["event"] == "lamp" and line.get("lamp") == "lock" and line.get("on")
        ),
        first_card,
    )
    presses = [at for at, line in enumerate(lines[:first_card]) if line["event"] == "lock_in"]
    in_force = [at for at in presses if at < lamp] or presses
    # A press while the station was down did nothing: the dealer pressed again, and the lamp answered the last one.
    closed_at = in_force[-1] if in_force else first_card

    laid: dict[int, dict[str, int]] = {}
    chips = set()
    for line in lines[:closed_at]:
        if line["event"] == "wager":
            laid.setdefault(int(line["seat"]), {})[line["wager"]] = int(line["amount"])
        if line["event"] == "chip":
            chips.add(int(line["seat"]))

    table = station["table"]
    offered = (*BASIC, *(name for name in table["wagers"]["additional"] if name != "jackpot"))
    stand: dict[int, dict[str, int]] = {}
    for seat in sorted(laid):
        good = {
            name: laid[seat][name]
            for name in offered
            if table["limits"]["min"] <= laid[seat].get(name, 0) <= table["limits"]["max"]
        }
        if seat <= table["seats"] and any(name in good for name in BASIC):
            stand[seat] = good
    return Felt(bool(presses), closed_at, stand, chips)


@dataclass
class Deal:
    """Where the cards went, and why the round is void if it is."""

    hands: dict[str, list[str]] = field(default_factory=dict)
    exposed: set[str] = field(default_factory=set)
    void: str | None = None
    complete: bool = False
    odd: list[str] = field(default_factory=list)


def _places(seats: list[int], with_community: bool, one_by_one: bool) -> list[str]:
    """Art. 11.º 1 to 3: the place of every card in turn."""
    players = [f"seat {seat}" for seat in seats]
    first = players * 3 if one_by_one else [player for player in players for _ in range(3)]
    return first + ["bank"] * 3 + ["community"] * (2 if with_community else 0)


def deal(lines: list[Line], on: Felt, with_community: bool, station: dict[str, Any], *, one_by_one: bool) -> Deal:
    """Follow the cards to their places until the deal is complete or the first irregularity of 17.º ends it."""
    result = Deal()
    waiting = _places(list(on.wagers), with_community, one_by_one)
    packets = station.get("devices", {}).get("shuffler", {}).get("packet_sizes", [3])
    top_card_goes = not one_by_one and with_community and 2 not in packets  # 11.º 4
    faces_up: Counter[str] = Counter()
    told: Counter[str] = Counter()
    discarded = 0
    for line in lines[on.closed_at :]:
        kind = line["event"]
        if kind == "card":
            place, card = str(line["to"]), str(line["card"])
            if card not in PACK:
                raise ValueError(f"round {line['round']}: no such card as {card!r}")
            if line["face"] == "up":
                result.exposed.add(card)
            if place == "discard":
                discarded += 1
                if top_card_goes and waiting != ["community"] * 2:
                    result.odd.append("a card went to the discard rack out of turn (11.º 4)")
            elif seat_of(place) is not None and seat_of(place) not in on.wagers:
                continue  # 17.º 4 2), 5: the cards are null
            elif place == "community" and not with_community:
                continue  # never revealed (15.º 2)
            elif not waiting or place != waiting[0]:
                result.void = BROKEN_DEAL
            else:
                waiting.pop(0)
                result.hands.setdefault(place, []).append(card)
                if line["face"] == "up":
                    faces_up["bank" if place == "bank" else "community" if place == "community" else "player"] += 1
                if top_card_goes and not waiting and discarded == 0:
                    result.odd.append("no card of the last packet went to the discard rack (11.º 4)")
        elif kind == "irregularity" and "expos" in str(line.get("kind")):
            told["player" if line.get("seat") and "bank" not in line["kind"] else "bank"] += 1
        elif kind == "fault" and line.get("device") == "shuffler" and line.get("kind") in SHUFFLER_FAILURES:
            if waiting and not one_by_one:
                result.void = SHUFFLER_FAILED
        elif kind in ("decision", "turned"):
            break
        if faces_up["bank"] or told["bank"]:
            result.void = result.void or BANK_EXPOSED
        if max(faces_up["player"], told["player"]) > 1:
            result.void = result.void or PLAYERS_EXPOSED
        if result.void:
            return result
    result.complete = not waiting
    return result


@dataclass
class Play:
    """What was done with the cards once they lay."""

    decisions: dict[int, str]
    turned: list[tuple[str, str]]
    pays: list[tuple[int, str, int]]
    doubles: dict[int, int]
    faults: set[tuple[str, str]]
    ended: bool


def play(lines: list[Line]) -> Play:
    """The decisions (the last of each seat), the hands turned, the money pushed."""
    return Play(
        decisions={int(line["seat"]): line["decision"] for line in lines if line["event"] == "decision"},
        turned=[(str(line["to"]), str(line["cards"])) for line in lines if line["event"] == "turned"],
        pays=[(int(line["seat"]), line["wager"], int(line["amount"])) for line in lines if line["event"] == "pay"],
        doubles={
            int(line["seat"]): int(line["amount"])
            for line in lines
            if line["event"] == "wager" and line["wager"] == "play"
        },
        faults={(str(line["device"]), str(line["kind"])) for line in lines if line["event"] == "fault"},
        ended=any(line["event"] == "round_end" for line in lines),
    )
