"""One evening of Fortune 8, judged round after round: the shoe and its cut card, the deal, the bets."""

from collections import Counter
from typing import Any

from ..rules.fortune_8 import by_box, settle, void
from ..rules.lines import Message
from .camera import Line, card_source
from .faults import PERHAPS_UNREAD, Faults
from .fortune_8_felt import DISCARD, EVERY_SPACE, FORTUNE_8, Bets, Spread, bets, spread
from .fortune_8_message import AgainstSpaces, added_bets, published_bets
from .message import parts
from .poker_message import entered_wagers, moved_seats
from .referee import Referee
from .void import COMPLETE_DECK, why_void

__all__ = ["FORTUNE_8", "Fortune8Referee"]


class Fortune8Referee(Referee):
    """Of Fortune 8, which has no meter."""

    def __init__(self, station: dict[str, Any], faults: Faults) -> None:
        super().__init__(station, faults)
        self.added = added_bets(station)
        self.decks = int(station["table"]["decks"])
        self.by_hand: list[str] = []  # what was done to the cards since the last one left its source
        self.shoe_ready = False  # shuffled and cut, and the cut card has not come out (2.º 1)
        self.loaded_at = 0.0  # the line since which cards of the shoe are counted
        self.out: Counter[str] = Counter()  # cards that have left the source and not gone back
        self.drawn = 0  # cards dealt from the shoe since it was loaded

    def round(self, number: int, lines: list[Line], message: Message | None, *, last: bool) -> None:
        """Judge one round; `message` is None if none was sent."""
        self.report.rounds += 1
        on = bets(lines, self.station)
        source = card_source(lines, self.station)
        against = AgainstSpaces(number, message or {})
        self._shoe(number, lines, source)
        dealt = self._deal(lines, on, source)
        self.report.notes += [f"round {number}: {odd}" for odd in dealt.odd]
        ended = any(line["event"] == "round_end" for line in lines)
        if message is None:
            if last and not ended:
                return
            self.report.differences.append(f"round {number}: expected a message, got none")
        article = why_void(against, dealt, self.report.notes, playable=on.closed and bool(on.valid))
        filmed = [line for line in lines if line["event"] == "irregularity"]
        valid = on.valid
        if article is not None:
            if not any(entry.get("what") == "seat" for entry in parts(against.message, "corrections")):
                dealt.follow_bets({f"seat {seat}": f"seat {keyed}" for keyed, seat in moved_seats(filmed).items()})
            published = published_bets(against.message, self.station)
            valid = entered_wagers(valid, against.message, filmed) if on.closed else published
        against.heading(self.station, dealt.source, (), self.added)
        if on.closed:
            against.wagers(by_box(valid, self.added))
        pays = [line for line in lines if line["event"] == "pay"]
        if article is None:
            self.report.settled += 1
            worth = settle(valid, dealt.cards, self.added)
            against.settled(dealt, worth)
            against.pushed(worth, pays, ended=ended)
        else:
            self.report.void += 1
            self.report.void_by[article] += 1
            against.voided(dealt, article, void(valid, article, self.added))
            against.pushed([], pays, ended=ended)
            self._deck(against, dealt, article)
        against.irregularities(dealt, filmed, void=article is not None)
        against.corrections(dealt, filmed, valid, void=article is not None)
        if message is not None:
            self.report.differences += against.differences

    def _shoe(self, number: int, lines: list[Line], source: str) -> None:
        """2.º 1: shuffled, then cut, before the first card, and again once the cut card has come out.

        From the shuffler-dispenser there is neither (2.º 2); a shoe that is used after it is loaded again.
        """
        dealt = False
        for line in lines:
            if line["event"] in ("shuffled", "cut"):
                self.by_hand.append(line["event"])
            elif line["event"] == "card":
                if not dealt and source == "shoe":
                    self._prepared(number, float(line["line"]))
                dealt = True
                self.by_hand = []
        if dealt:
            self.shoe_ready = source == "shoe"
        if any(line["event"] == "cut_card" for line in lines):
            self.shoe_ready = False

    def _prepared(self, number: int, at: float) -> None:
        if self.shoe_ready and not self.by_hand and not self._behind_the_cut_card(at):
            return
        if "shuffled" not in self.by_hand or self.by_hand[-1] != "cut":
            self.report.differences.append(
                f"round {number}, shoe on the table: expected shuffled, then cut (2.º 1), "
                f"got {', '.join(self.by_hand) or 'neither'}"
            )

    def _behind_the_cut_card(self, at: float) -> bool:
        """2.º 1: it is before the last twelve cards, whether anybody received it come out or not.

        Where the shoe's reports may be lost the station has fewer cards out than the camera saw.
        """
        left = 52 * self.decks - self.drawn
        return left < 12 and not self.faults.any("shoe", PERHAPS_UNREAD["shoe"], self.loaded_at, at)

    def _deal(self, lines: list[Line], on: Bets, source: str) -> Spread:
        since = self.dealt_before.get(source, 0.0)
        if source != "shoe":  # its cards went back into it after the round
            self.out.clear()
            self.loaded_at = since
        too_many: list[Line] = []
        doubtful: list[Line] = []
        for line in lines:
            if line["event"] == "shuffled" and line.get("source") in (None, "shoe"):
                self.out.clear()
                self.loaded_at, self.drawn = float(line["line"]), 0
            elif line["event"] == "card":
                self.out[line["card"]] += 1
                self.drawn += line["to"] != DISCARD
                if self.out[line["card"]] > self.decks:
                    perhaps = self.faults.any(source, PERHAPS_UNREAD[source], self.loaded_at, float(line["line"]))
                    unsure = perhaps or line["to"] == DISCARD or line["line"] < on.closed_at
                    (doubtful if unsure else too_many).append(line)
        configured = str(self.station["table"].get("deal", EVERY_SPACE))
        dealt = spread(lines, on, source, configured, self.faults, since, too_many)
        for line in doubtful:
            dealt.allow(COMPLETE_DECK, float(line["line"]), "one of too many equal cards may not have been read")
        if any(line["event"] == "card" for line in lines):
            self.dealt_before[source] = dealt.ended_at
        return dealt

    def _deck(self, against: AgainstSpaces, dealt: Spread, article: str) -> None:
        """1.º 1): no card comes oftener than there are decks; if one did, the shoe is shuffled again."""
        if article != COMPLETE_DECK:
            return
        self.shoe_ready = False
        if article == dealt.void and not self.faults.any("deck", {"doubled"}, 0, dealt.void_at):
            often = [f"{card} {count} times" for card, count in self.out.items() if count > self.decks]
            against.say("cards", f"each card as often as there are decks: {self.decks}", ", ".join(often))
