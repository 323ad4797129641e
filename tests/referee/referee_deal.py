"""The deal as the camera saw it: where the cards went (11.º), and what voids the round and when (17.º). No I/O here."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from referee_articles import (
    BANK_EXPOSED,
    BROKEN_DEAL,
    COMPLETE_DECK,
    EVERY_CARD_HEARD,
    PLAYERS_EXPOSED,
    SHUFFLER_FAILED,
)
from referee_camera import Felt, Line, seat_of
from referee_faults import (
    DECK_NOT_WHOLE,
    PERHAPS_UNREAD,
    REPORTS_LOST,
    SHORT_PACKET,
    SHUFFLER_SILENT,
    SHUFFLER_STOPS,
    UNREAD,
    VOIDING_IRREGULARITIES,
    Faults,
)
from referee_hands import PACK

DISCARD = "discard"


@dataclass
class Deal:
    """Where the cards went, and why the round is void if it is.

    `void` is what the camera calls for, from line `void_at` on. `may` are the articles and policies that a fault allows
    where the camera cannot tell what the machine still said, each with its first line and the fault in words.
    """

    source: str
    hands: dict[str, list[str]] = field(default_factory=dict)
    exposed: set[str] = field(default_factory=set)  # cards that lay face up
    seen: Counter[str] = field(default_factory=Counter)  # exposed cards by place, null ones left out
    null_seats: set[int] = field(default_factory=set)  # 17.º 4 2), 5)
    void: str | None = None
    void_at: float = 0
    may: dict[str, tuple[float, str]] = field(default_factory=dict)
    complete: bool = False
    twice: list[str] = field(default_factory=list)
    unread: bool = False  # a card that certainly nobody read
    perhaps_unread: bool = False
    ended_at: float = 0  # nothing of the deal comes after this line
    odd: list[str] = field(default_factory=list)

    def allow(self, article: str, at: float, fault: str) -> None:
        """A fault at this line may have voided the round."""
        if article not in self.may or at < self.may[article][0]:
            self.may[article] = (at, fault)


def _places(seats: list[int], with_community: bool, one_by_one: bool) -> list[str]:
    """Art. 11.º 1 to 3: the place of every card in turn."""
    players = [f"seat {seat}" for seat in seats]
    first = players * 3 if one_by_one else [player for player in players for _ in range(3)]
    return first + ["bank"] * 3 + ["community"] * (2 if with_community else 0)


class Dealing:
    """Follows the film of one round until something voids it; `since` is where the last deal from this source ended."""

    def __init__(
        self, on: Felt, with_community: bool, station: dict[str, Any], source: str, faults: Faults, since: float
    ) -> None:
        self.deal = Deal(source)
        self._on = on
        self._with_community = with_community
        self._from_shoe = source == "shoe"
        self._faults = faults
        self._since = since
        self._waiting = _places(list(on.wagers), with_community, self._from_shoe)
        packets = station.get("devices", {}).get("shuffler", {}).get("packet_sizes", [3])
        self._top_card_goes = not self._from_shoe and with_community and 2 not in packets  # 11.º 4
        self._faces_up: Counter[str] = Counter()
        self._told: Counter[str] = Counter()
        self._left: list[str] = []  # every card that left the source
        self._discarded = 0
        self._turned = False
        self._last_place_at = float(on.locked_at)  # since then cards of one place only are due
        self._last_card_at = float(on.locked_at)

    def follow(self, lines: list[Line]) -> Deal:
        """The deal of the round with these lines."""
        deal = self.deal
        deal.ended_at = float(lines[-1]["line"])
        shown = [line for line in lines if line["event"] in ("decision", "turned")]
        if shown:
            deal.ended_at = float(shown[0]["line"])
        for line in lines:
            self._one(line)
            if deal.void:
                break
        if not deal.void:
            self._deck(deal.ended_at)
        if not shown:  # nobody doubles and nothing is turned in a round that was void before
            self._machines()
        elif deal.may:
            deal.may = {article: why for article, why in deal.may.items() if article == COMPLETE_DECK}
        all_on_places = not self._discarded and not deal.null_seats
        deal.unread = all_on_places and any(
            self._on.locked_at < one.start < self._last_place_at
            for one in self._faults.of(deal.source, UNREAD[deal.source])
        )
        deal.perhaps_unread = self._faults.any(deal.source, PERHAPS_UNREAD[deal.source], self._since, deal.ended_at)
        return deal

    def _machines(self) -> None:
        """What the station may have heard of the machines in the deal, or not heard, and the camera cannot tell."""
        if self._from_shoe:
            self._allow(EVERY_CARD_HEARD, "shoe", REPORTS_LOST, self._since)
            return
        self._silent()
        self._allow(BROKEN_DEAL, "shuffler", SHORT_PACKET, self._since)
        self._allow(COMPLETE_DECK, "deck", DECK_NOT_WHOLE, self._on.locked_at)

    def _allow(self, article: str, device: str, kinds: set[str], since: float) -> None:
        for one in self._faults.of(device, kinds):
            if one.touches(since, self.deal.ended_at):
                self.deal.allow(article, max(one.start, since), f"the {device}'s fault {one.kind}")

    def _void(self, article: str, line: Line) -> None:
        self.deal.void = self.deal.void or article
        self.deal.void_at = self.deal.void_at or float(line["line"])

    def _one(self, line: Line) -> None:
        event, kind = line["event"], str(line.get("kind"))
        if event == "card":
            self._card(line)
        elif event == "turned" and not self._turned:
            self._deck(float(line["line"]))
            self._turned = True
        elif event == "irregularity" and kind in VOIDING_IRREGULARITIES:
            self._void(VOIDING_IRREGULARITIES[kind], line)
        elif event == "irregularity" and kind == "exposed" and not self._turned:
            self._told[str(line.get("to"))] += int(line.get("count", 1))
        elif event == "fault" and line.get("device") == "shuffler" and line.get("on", True):
            if kind in SHUFFLER_STOPS and not self._from_shoe:
                self._stopped(line)
        self._exposed(line)

    def _card(self, line: Line) -> None:
        deal, place, card = self.deal, str(line["to"]), str(line["card"])
        if card not in PACK:
            raise ValueError(f"round {line['round']}: no such card as {card!r}")
        self._left.append(card)
        if line["face"] == "up":
            deal.exposed.add(card)
        seat = seat_of(place)
        if place == DISCARD:
            self._discarded += 1
            if self._from_shoe:
                deal.allow(BROKEN_DEAL, float(line["line"]), "a card of the shoe went to the discard rack")
            if self._top_card_goes and self._waiting != ["community"] * 2:
                deal.odd.append("a card went to the discard rack out of turn (11.º 4)")
        elif seat is not None and seat not in self._on.wagers:
            deal.null_seats.add(seat)
        elif place == "community" and not self._with_community:
            pass  # never revealed (15.º 2)
        elif not self._waiting or place != self._waiting[0]:
            self._void(BROKEN_DEAL, line)
        else:
            self._waiting.pop(0)
            deal.hands.setdefault(place, []).append(card)
            self._last_card_at = float(line["line"])
            if line["face"] == "up":
                self._faces_up[place] += 1
            if len(set(self._waiting)) > 1:
                self._last_place_at = self._last_card_at
            if self._top_card_goes and not self._waiting and self._discarded == 0:
                deal.odd.append("no card of the last packet went to the discard rack (11.º 4)")
            deal.complete = not self._waiting

    def _exposed(self, line: Line) -> None:
        """17.º 1 2), 3): a card is exposed that lies face up, or that was told to have been seen, not both at once."""
        seen = self.deal.seen = Counter(self._faces_up | self._told)
        for place in list(seen):
            if seat_of(place) is not None and seat_of(place) not in self._on.wagers:
                del seen[place]  # null cards (17.º 5)
        if seen["bank"]:
            self._void(BANK_EXPOSED, line)
        if sum(count for place, count in seen.items() if seat_of(place) is not None) > 1:
            self._void(PLAYERS_EXPOSED, line)

    def _stopped(self, line: Line) -> None:
        """17.º 2. Close to the lock-in, and with the last packet on its way, only the station knows which was first."""
        at = float(line["line"])
        if at < self._on.closed_at or not self._waiting:
            return
        if at < self._on.locked_at:
            self.deal.allow(SHUFFLER_FAILED, at, "the shuffler stopped as betting closed")
        elif len(set(self._waiting)) == 1:
            self.deal.allow(SHUFFLER_FAILED, at, "the shuffler stopped with the last packet on its way")
        else:
            self._void(SHUFFLER_FAILED, line)

    def _silent(self) -> None:
        """17.º 2: a shuffler that gives no more cards, or whose last packet nobody heard of."""
        if self._from_shoe or not self._on.locked:
            return
        first = self._last_place_at if self.deal.complete else self._last_card_at
        last = self._last_card_at if self.deal.complete else self.deal.ended_at
        for one in self._faults.of("shuffler", SHUFFLER_SILENT):
            if one.touches(first, last):
                self.deal.allow(SHUFFLER_FAILED, max(one.start, first), f"the shuffler's {one.kind} in the deal")

    def _deck(self, at: float) -> None:
        """Both copies of a card lie on the table: void as the first place is turned."""
        deal = self.deal
        deal.twice = [card for card, count in Counter(self._left).items() if count > 1]
        if not deal.twice or not deal.complete or deal.void:
            return
        if self._faults.any(deal.source, PERHAPS_UNREAD[deal.source], self._since, at):
            deal.allow(COMPLETE_DECK, at, "one of two equal cards may not have been read")
        else:
            deal.void, deal.void_at = COMPLETE_DECK, at
