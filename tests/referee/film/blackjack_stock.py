"""Black-jack: the cards between rounds: shuffled, cut, burned, warned of (8 to 11), loaded, kept, put in (52 to 62)."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from ..rules.blackjack_cards import BACKING, BET, VACANT, Answer, Card, Move, Place, Turned, parsed, places_of
from ..rules.hands import PACK
from ..rules.lines import Stakes
from .camera import Line, LockIn, lock_in, seat_of
from .faults import PERHAPS_UNREAD, Faults

BEHIND_WARNING = 50  # 9
NEAR = 3  # cards: as near as possible, and a deck may lack one
PACKETS = 2  # 54


class Stock:
    """Where every card is that left its source; `differences` are of the table, not of a message."""

    def __init__(self, decks: int, seats: int, faults: Faults) -> None:
        self.decks = decks
        self.seats = seats
        self.cut_after = 0  # the seat that cut last; 0 as at the beginning of play (8)
        self.passed: list[int] = []  # those whose turn it was since, and who did not cut
        self.faults = faults
        self.differences: list[str] = []
        self.by_hand: list[str] = []  # what was done to the cards of the shoe since the last one left it
        self.shoe_ready = False
        self.last_round: int | None = None  # the shoe's last, once the warning card came out
        self.out: dict[str, Counter[str]] = {"shoe": Counter(), "shuffler": Counter()}
        self.loaded_at = {"shoe": 0.0, "shuffler": 0.0}
        self.packets: list[int] = []
        self.loaded = False
        self.lid_open: bool | None = None  # None: no one filmed it
        self.on_table: list[str] = []  # the cards of this round
        self.loose: int | None = None  # the round whose cards are to go into the dispenser, or to be on hold
        self.waiting: dict[int, list[str]] = {}  # the cards of rounds that are on hold over (61)
        self.too_many: list[Line] = []
        self.doubtful: list[Line] = []

    def round(self, number: int, lines: list[Line], source: str) -> None:
        """Follow a round and what comes before the next; `too_many` and `doubtful` are its cards that cannot be."""
        self.too_many, self.doubtful, self.on_table = [], [], []
        if self.loose is not None:
            self._say(number, "cards of the round before", "put in (59) or kept over (61)", "neither")
            self.loose = None
        over = False
        for line in lines:
            event = line["event"]
            if event == "card":
                if not self.on_table:
                    self._first_card(number, source)
                self._leaves(line, source)
                self.loose = number if source == "shuffler" else None
            elif event == "cut_card":
                self._warning(number, over=over)
            elif event == "round_end":
                over = True
            else:
                if event == "no_bets" and line["spread"] and source == "shuffler":
                    self._say(number, "cards of the dispenser", "inside until the table closes (57)", "spread out")
                self.between(number, line)

    def between(self, number: int, line: Line) -> None:
        """What is done with cards that are not in play."""
        event = line["event"]
        if event == "shuffled" and line.get("source") in (None, "shoe"):
            self.by_hand.append(event)
            self.out["shoe"].clear()
            self.loaded_at["shoe"] = float(line["line"])
            self.last_round = None
        elif event == "cut_passed":
            self.passed.append(int(line["seat"]))
        elif event == "no_bets":
            self._no_bets(spread=bool(line["spread"]))
        elif event in ("cut", "burn"):
            if event == "cut":
                self._cut(number, str(line["by"]))
            self.by_hand.append(event)
            if event == "burn":
                self.out["shoe"][line["card"]] += 1
        elif event == "load":
            self.packets.append(int(line["cards"]))
        elif event == "lid":
            self.lid_open = bool(line["open"])
        elif event in ("insert", "hold"):
            self._put_away(number, line)

    def not_whole(self) -> None:
        """A card came more often than there are decks: the shoe is shuffled again."""
        self.shoe_ready = False

    def _say(self, number: int, where: str, expected: object, got: object) -> None:
        self.differences.append(f"round {number}, {where} on the table: expected {expected}, got {got}")

    def _first_card(self, number: int, source: str) -> None:
        done, self.by_hand = self.by_hand, []
        if source == "shoe":
            ready = self.shoe_ready and (self.last_round is None or number <= self.last_round)
            if "shuffled" in done:
                done = done[len(done) - 1 - done[::-1].index("shuffled") :]
            if done != ["shuffled", "cut", "burn"] and (done or not ready):
                self._say(number, "shoe", "shuffled, cut and one card burned (8, 10, 11)", ", ".join(done) or "nothing")
                self.last_round = None
            self.shoe_ready = True
            return
        self.shoe_ready = False
        if {"cut", "burn"} & set(done):
            self._say(number, "dispenser", "no cut (52) and no card burned", ", ".join(done))
        if not self.loaded:
            self.loaded = True
            packets = self.packets
            if len(packets) < PACKETS or (sum(packets) != self.decks * 52 and not self._deck_at_fault(0)):
                self._say(number, "dispenser", f"{self.decks * 52} cards loaded in two packets or more (54)", packets)

    def _cut(self, number: int, by: str) -> None:
        """8: the lowest seat first, then seat after seat; where no one wants to the inspector, and all begins again."""
        turn = [*range(self.cut_after + 1, self.seats + 1), *range(1, self.cut_after + 1)]
        asked = [*self.passed, *([int(by[5:])] if by.startswith("seat ") else [])]
        if asked != turn[: len(asked)] or (by == "bank" and len(asked) < self.seats):
            expected = ", ".join(map(str, turn))
            self._say(number, "cut", f"the seats in turn, {expected}, then the inspector (8)", f"{asked} and {by}")
        self.cut_after = int(by[5:]) if by.startswith("seat ") else 0
        self.passed = []

    def _no_bets(self, *, spread: bool) -> None:
        """12: the cards of the shoe may be spread out, and are shuffled then; 8: the lowest seat is the next to cut."""
        self.cut_after, self.passed = 0, []
        if spread:
            self.shoe_ready = False
            self.by_hand.clear()

    def _deck_at_fault(self, since: float) -> bool:
        return self.faults.any("deck", {"missing", "doubled"}, since, float("inf"))

    def _leaves(self, line: Line, source: str) -> None:
        card = line["card"]
        self.on_table.append(card)
        self.out[source][card] += 1
        if self.out[source][card] > self.decks:
            at = float(line["line"])
            unsure = self.faults.any(source, PERHAPS_UNREAD[source], self.loaded_at[source], at)
            hidden = line["to"] == "discard" or line.get("face") == "down"
            (self.doubtful if unsure or hidden else self.too_many).append(line)

    def _warning(self, number: int, *, over: bool) -> None:
        """11: the round in play is the last; between two rounds, the next one is still played."""
        self.last_round = number + 1 if over else number
        behind = self.decks * 52 - self.out["shoe"].total()
        if min(abs(behind - BEHIND_WARNING), abs(behind - self.decks * 26)) > NEAR:
            self._say(number, "warning card", "before the last fifty cards, or in the middle (9)", f"before {behind}")

    def _put_away(self, number: int, line: Line) -> None:
        """59: with an open lid the cards of this round and of those kept over go in; 61: else they wait."""
        rounds = [*self.waiting, *([] if self.loose is None else [self.loose])]
        cards = self.waiting | ({} if self.loose is None else {self.loose: self.on_table})
        self.loose = None
        got: Any = line.get("rounds")
        if got != rounds:
            self._say(number, f"cards of the rounds in {line['event']}", rounds, got)
        goes_in = line["event"] == "insert"
        if self.lid_open is (not goes_in):
            rule = "an open lid (59, 60)" if goes_in else "a shut lid (61)"
            self._say(number, line["event"], rule, "an open one" if self.lid_open else "a shut one")
        if not goes_in:
            self.waiting = cards
            return
        count = sum(len(here) for here in cards.values())
        if line["cards"] != count and not self._deck_at_fault(0):
            self._say(number, "cards put in", count, line["cards"])
        for here in cards.values():
            self.out["shuffler"] -= Counter(here)
        self.waiting = {}
        self.loaded_at["shuffler"] = float(line["line"])


# ---- Black-jack: cards and answers of a round in the order filmed, with those cards distinguished that were no


@dataclass
class Stream:
    """What happened with the cards, one after the other."""

    events: list[Move]
    burned: list[Line] = field(default_factory=list)
    odd: list[str] = field(default_factory=list)


def stream(lines: list[Line]) -> Stream:
    """Read a round; raises ValueError for what is no card."""
    result = Stream([])
    cards: list[Card] = []
    for line in lines:
        event, at = line["event"], int(line["line"])
        if event in ("card", "burn") and line["card"] not in PACK:
            raise ValueError(f"camera line {at}: no such card as {line['card']!r}")
        if event == "card":
            hand = line.get("hand")
            card = Card(str(line["card"]), str(line["to"]), hand and int(hand), str(line.get("face")), at)
            cards.append(card)
            result.events.append(card)
        elif event == "moved" and line["from"] != line["to"]:  # a pair that is split stays at its seat
            _moved(result, cards, line)
        elif event == "burn":
            result.burned.append(line)
        elif event == "answer":
            says = parsed(str(line["answer"]))
            result.events.append(
                Answer(int(line["seat"]), int(line.get("hand") or 1), str(line.get("question")), says, at)
            )
        elif event == "turned" and line.get("to") == "bank":
            result.events.append(Turned(str(line["cards"]), at))
        elif event == "irregularity" and line.get("kind") == "unasked_card":
            _unasked(result, cards, line)
    return result


def _moved(result: Stream, cards: list[Card], line: Line) -> None:
    here = (str(line["from"]), str(line["card"]))
    moved = next((card for card in reversed(cards) if (card.position, card.card) == here), None)
    if moved is None:
        result.odd.append(f"camera line {line['line']}: {line['card']} was not at {line['from']}")
        return
    moved.position, moved.moved, moved.hand = str(line["to"]), True, None


def _unasked(result: Stream, cards: list[Card], line: Line) -> None:
    if not cards or cards[-1].unasked is not None:
        result.odd.append(f"camera line {line['line']}: no card was drawn that no one asked for")
        return
    cards[-1].unasked = bool(line.get("seen"))


# ---- Black-jack: the bets that stand at each seat, and who decides where it is vacant; rules 13 to 16, 37. No I/O


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
