"""Black-jack: the cards between rounds: shuffled, cut, burned, warned of (8 to 11), loaded, kept, put in (52 to 62)."""

from collections import Counter
from typing import Any

from .camera import Line
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
