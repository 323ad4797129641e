"""The deal as the camera saw it: where the cards went, and what voids the round and when. No I/O here.

Articles in comments are of 2025, where 2008 is not named.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from ..rules.hands import PACK
from ..rules.poker_law import Regulation
from .camera import Felt, Line, seat_of
from .faults import (
    BROKEN,
    DECK_NOT_WHOLE,
    PERHAPS_UNREAD,
    REPORTS_LOST,
    SHORT_PACKET,
    SHUFFLER_SILENT,
    SHUFFLER_STOPS,
    UNREAD,
    Faults,
)
from .void import COMPLETE_DECK, EVERY_CARD_REPORTED, SUPERVISORS_VOID, Dealt

DISCARD = "discard"


@dataclass
class Deal(Dealt):
    """Where the cards went."""

    hands: dict[str, list[str]] = field(default_factory=dict)
    exposed: set[str] = field(default_factory=set)  # cards that was face up
    seen: Counter[str] = field(default_factory=Counter)  # exposed cards by place, null ones left out
    null_seats: set[int] = field(default_factory=set)  # 17.º 4 2), 5)
    aside: list[str] = field(default_factory=list)  # the bank's cards that were left out, in view (2008: 11.º 2))
    twice: list[str] = field(default_factory=list)


def _places(seats: list[int], with_community: bool, one_by_one: bool, bank_in_each_pass: bool) -> list[str]:
    """The place of every card in turn (11.º 1 to 3; 2008: 7.º)."""
    players = [f"seat {seat}" for seat in seats]
    if one_by_one and bank_in_each_pass:
        return [*players, "bank"] * 3
    first = players * 3 if one_by_one else [player for player in players for _ in range(3)]
    return first + ["bank"] * 3 + ["community"] * (2 if with_community else 0)


class Dealing:
    """Follows the film of one round until something voids it; `since` is where the last deal from this source ended."""

    def __init__(
        self,
        on: Felt,
        with_community: bool,
        station: dict[str, Any],
        source: str,
        faults: Faults,
        since: float,
        law: Regulation,
    ) -> None:
        self.deal = Deal(source)
        self._law = law
        self._on = on
        self._with_community = with_community
        self._from_shoe = source == "shoe"
        rules = station.get("rules", {})
        self._by_player = bool(rules.get("exposed_cards_by_player", False))  # 17.º 1 3)
        self._unreported = bool(rules.get("wrong_count_is_unreported_card", False))  # 17.º 1 1)
        self._faults = faults
        self._since = since
        self._waiting = _places(list(on.wagers), with_community, self._from_shoe, law.bank_in_each_pass)
        self._owed = 0  # cards the bank gets for those left out
        self._ahead = 0  # of these the ones that came before the other was set aside
        self._packets = packets = station.get("devices", {}).get("shuffler", {}).get("packet_sizes", [3])
        self._top_card_goes = not self._from_shoe and with_community and 2 not in packets  # 11.º 4
        self._faces_up: Counter[str] = Counter()
        self._reported: Counter[str] = Counter()
        self._left: list[str] = []  # every card that left the source
        self._discarded = 0
        self._turned = False
        self._last_place_at = float(on.locked_at)  # since then cards of one place only are due
        self._last_card_at = float(on.locked_at)

    def follow(self, lines: list[Line]) -> Deal:
        """The deal of the round with these lines."""
        deal = self.deal
        deal.ended_at = float(lines[-1]["line"])
        late = self._bank_seen_late(lines)
        shown = [line for line in lines if line["event"] in ("decision", "turned") and line["line"] > late]
        if shown:
            deal.ended_at = float(shown[0]["line"])
        for line in lines:
            self._one(line)
            if deal.void:
                break
        if not deal.void:
            self._deck(deal.ended_at)
        if not shown:  # no one doubles and nothing is turned in a round that was void before
            self._machines()
        elif deal.may:
            deal.may = {article: why for article, why in deal.may.items() if article == COMPLETE_DECK}
        all_on_places = not self._discarded and not deal.null_seats and not deal.aside
        deal.unread = all_on_places and any(
            self._on.locked_at < fault.start < self._last_place_at
            for fault in self._faults.of(deal.source, UNREAD[deal.source])
        )
        deal.perhaps_unread = self._faults.any(deal.source, PERHAPS_UNREAD[deal.source], self._since, deal.ended_at)
        return deal

    def _bank_seen_late(self, lines: list[Line]) -> int:
        """2008, 11.º 2): the line where a card of the bank was last seen or set aside, perhaps after the decisions."""
        late = 0
        for line in lines:
            if line["event"] == "turned":
                break
            seen = line.get("kind") == "exposed" and line.get("to") == "bank"
            if self._law.bank_exposed is None and (seen or line["event"] == "set_aside"):
                late = int(line["line"])
        return late

    def _machines(self) -> None:
        """What the station may have received the machines in the deal, or not received, and the camera
        cannot report."""
        if self._from_shoe:
            self._allow(EVERY_CARD_REPORTED, "shoe", REPORTS_LOST, self._since)
            if not self._unreported:  # a wrong number of cards by the dealer's count
                self._allow(self._law.broken_deal, "shoe", REPORTS_LOST, self._since)
            return
        self._silent()
        self._allow(self._law.broken_deal, "shuffler", SHORT_PACKET, self._since)
        self._allow(COMPLETE_DECK, "deck", DECK_NOT_WHOLE, self._on.locked_at)

    def _allow(self, article: str, device: str, kinds: set[str], since: float) -> None:
        for fault in self._faults.of(device, kinds):
            if fault.touches(since, self.deal.ended_at):
                self.deal.allow(article, max(fault.start, since), f"the {device}'s fault {fault.kind}")

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
        elif event == "set_aside":
            self._set_aside(line)
        elif event == "irregularity" and kind in BROKEN:
            self._void(self._law.broken_deal, line)
        elif event == "irregularity" and kind == "supervisor_void":
            self._void(SUPERVISORS_VOID, line)
        elif event == "irregularity" and kind == "exposed" and not self._turned:
            which = line.get("which")
            self._reported[str(line.get("to"))] += len(which) if isinstance(which, list) else int(line.get("count", 1))
        elif self._is_a_stop(line) and not self._from_shoe:
            self._stopped(line)
        self._exposed(line)

    @staticmethod
    def _is_a_stop(line: Line) -> bool:
        """Whether the shuffler gives no more cards from then on."""
        of_shuffler = line["event"] == "fault" and line.get("device") == "shuffler"
        return bool(of_shuffler and line.get("on", True) and str(line.get("kind")) in SHUFFLER_STOPS)

    def _card(self, line: Line) -> None:
        deal, place, card = self.deal, str(line["to"]), str(line["card"])
        if card not in PACK:
            raise ValueError(f"round {line['round']}: no such card as {card!r}")
        self._left.append(card)
        if line["face"] == "up":
            deal.exposed.add(card)
        seat = seat_of(place)
        self._bank_again()
        if place == DISCARD and self._waiting[:1] == [DISCARD]:
            self._spare_card(float(line["line"]))
        elif place == DISCARD:
            self._discarded += 1
            if self._from_shoe:
                deal.allow(self._law.broken_deal, float(line["line"]), "a card of the shoe went to the discard rack")
            if self._top_card_goes and self._waiting != ["community"] * 2:
                deal.odd.append("a card went to the discard rack out of turn (11.º 4)")
        elif seat is not None and seat not in self._on.wagers:
            deal.null_seats.add(seat)
        elif place == "community" and not self._with_community:
            pass  # never revealed (15.º 2)
        elif place == "bank" and self._waiting[:1] != ["bank"] and self._bank_lacks():
            self._ahead += 1
            deal.hands["bank"].append(card)
            deal.complete = self._all_dealt()
        elif not self._waiting or place != self._waiting[0]:
            self._void(self._law.broken_deal, line)
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
            deal.complete = self._all_dealt()

    def _all_dealt(self) -> bool:
        return not self._waiting and not self._owed and not self._bank_lacks()

    def _bank_lacks(self) -> bool:
        """Whether a card of the bank was seen that is neither set aside nor replaced in advance (2008: 11.º 2))."""
        seen = max(self._faces_up["bank"], self._reported["bank"])
        return self._law.bank_exposed is None and seen > len(self.deal.aside) + self._ahead

    def _set_aside(self, line: Line) -> None:
        """2008, 11.º 2): left out, in view; the next card is the bank's."""
        deal, card = self.deal, str(line["card"])
        if self._law.bank_exposed is not None or self._turned or card not in deal.hands.get("bank", []):
            deal.odd.append(f"camera line {line['line']}: {card} was put aside, and should not have been")
            return
        deal.hands["bank"].remove(card)
        deal.aside.append(card)
        deal.exposed.add(card)
        if self._ahead:
            self._ahead -= 1
        else:
            self._owed += 1
            self._last_place_at = float(line["line"])
        deal.complete = self._all_dealt()

    def _bank_again(self) -> None:
        """The bank gets as many cards as were set aside: from the shuffler in a packet when its first one is out."""
        if not self._owed or (self._waiting and not self._from_shoe):
            return
        size = self._owed
        if not self._from_shoe:
            size = min((packet for packet in self._packets if packet >= self._owed), default=self._owed)
        self._waiting[:0] = ["bank"] * self._owed + [DISCARD] * (size - self._owed)
        self._owed = 0

    def _spare_card(self, at: float) -> None:
        """The rest of a packet of which the bank got its cards again."""
        self._waiting.pop(0)
        self._last_card_at = at
        self.deal.complete = self._all_dealt()

    def _exposed(self, line: Line) -> None:
        """17.º 1 2), 3): a card is exposed that is face up, or that was asked to have been seen, not both at once.

        By 2008 neither voids; a card set aside was seen (11.º 2)).
        """
        law = self._law
        seen = self.deal.seen = Counter(self._faces_up | self._reported)
        for place in list(seen):
            if seat_of(place) is not None and seat_of(place) not in self._on.wagers:
                del seen[place]  # null cards (17.º 5)
        if self.deal.aside:
            seen["bank"] = max(seen["bank"], len(self.deal.aside))
        self.deal.complete = self.deal.complete and not self._bank_lacks()
        if seen["bank"] and law.bank_exposed is not None:
            self._void(law.bank_exposed, line)
        of_each = [count for place, count in seen.items() if seat_of(place) is not None]
        players = max(of_each, default=0) if self._by_player else sum(of_each)
        if players > 1 and law.players_exposed is not None:
            self._void(law.players_exposed, line)

    def _stopped(self, line: Line) -> None:
        """17.º 2. Close to the lock-in, and with the last packet on its way, only the station knows which was first."""
        at = float(line["line"])
        again = (bool(self.deal.aside) and not self._from_shoe) or self._bank_lacks()
        if at < self._on.closed_at or (not self._waiting and not (again and not self.deal.complete)):
            return
        if at < self._on.locked_at:
            self.deal.allow(self._law.shuffler_failed, at, "the shuffler stopped as betting closed")
        elif len(set(self._waiting)) == 1 or again:
            self.deal.allow(self._law.shuffler_failed, at, "the shuffler stopped with the last packet on its way")
        else:
            self._void(self._law.shuffler_failed, line)

    def _silent(self) -> None:
        """17.º 2: a shuffler that gives no more cards, or whose last packet no one received."""
        if self._from_shoe or not self._on.locked:
            return
        first = self._last_place_at if self.deal.complete else self._last_card_at
        last = self._last_card_at if self.deal.complete else self.deal.ended_at
        for fault in self._faults.of("shuffler", SHUFFLER_SILENT):
            if fault.touches(first, last):
                self.deal.allow(
                    self._law.shuffler_failed, max(fault.start, first), f"the shuffler's {fault.kind} in the deal"
                )

    def _deck(self, at: float) -> None:
        """Both copies of a card are on the table: void as the first place is turned."""
        deal = self.deal
        deal.twice = [card for card, count in Counter(self._left).items() if count > 1]
        if not deal.twice or not deal.complete or deal.void:
            return
        if self._faults.any(deal.source, PERHAPS_UNREAD[deal.source], self._since, at):
            deal.allow(COMPLETE_DECK, at, "one of two equal cards may not have been read")
        else:
            deal.void, deal.void_at = COMPLETE_DECK, at
