"""Black-jack: the bets that stand at each seat, and who decides where it is vacant; rules 13 to 16, 37. No I/O here."""

from dataclasses import dataclass
from typing import Any

from ..rules.blackjack_moves import BACKING, BET, VACANT, Place, places_of
from ..rules.lines import Stakes
from .camera import Line, LockIn, lock_in, seat_of


@dataclass
class Bets:
    """What was on the felt when the cards came; `closing` is when the chips could be placed no more (48)."""

    closing: LockIn
    closed: bool
    places: dict[int, Place]
    at_closing: dict[int, Place]  # a chip needs a bet beside it when the betting is closed (45)
    late: list[int]  # lines of bets that came when their seat's turn had come


def _sum_at(stakes: Stakes, seat: int) -> int:
    return sum(amount for (at, _, _), amount in stakes.items() if at == seat)


def _place_bet(stakes: Stakes, line: Line, station: dict[str, Any]) -> None:
    """One bet where it may be placed: a multiple of the minimum (14), all at the seat within the maximum (15, 16)."""
    seat, kind, amount = int(line["seat"]), str(line["wager"]), int(line["amount"])
    key = (seat, kind, None if kind == BET else line.get("player"))
    limits = station["table"]["limits"]
    rest = _sum_at(stakes, seat) - stakes.get(key, 0)
    if amount == 0:
        stakes.pop(key, None)
    elif 1 <= seat <= station["table"]["seats"] and amount % limits["min"] == 0 and amount + rest <= limits["max"]:
        stakes[key] = amount


def bets(lines: list[Line], station: dict[str, Any], homes: dict[str, int]) -> Bets:
    """The bets of a round; `homes` are the seats where players had bets of their own before, and learns new ones."""
    closing = lock_in(lines)
    aside = [(line["from"], line["card"]) for line in lines if line["event"] == "moved" and line["to"] == "discard"]
    turn = 0  # the seat whose first card came last (13)
    stakes: Stakes = {}
    owners: dict[int, str | None] = {}
    at_closing: Stakes | None = None
    late = []
    for line in lines:
        if at_closing is None and line["line"] >= closing.closed_at:
            at_closing = dict(stakes)
        if line["event"] == "card" and line["to"] != "discard" and (line["to"], line["card"]) not in aside:
            turn = max(turn, seat_of(line["to"]) or 99)
        elif line["event"] == "wager" and line.get("wager") in (BET, BACKING, VACANT):
            if int(line["seat"]) <= turn:
                late.append(int(line["line"]))
                continue
            _place_bet(stakes, line, station)
            if line["wager"] == BET and (int(line["seat"]), BET, None) in stakes:
                owners[int(line["seat"])] = line.get("player")
    for seat, player in sorted(owners.items(), reverse=True):
        if player:
            homes[player] = seat
    places = places_of(stakes, owners, homes)
    before = places_of(stakes if at_closing is None else at_closing, owners, homes)
    return Bets(closing, closing.pressed or turn > 0, places, before, late)
