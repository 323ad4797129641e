"""A `rounds` message of Fortune 8 compared with bets and cards; what each bet is worth (6.º to 8.º). No I/O here."""

from collections import Counter
from itertools import pairwise
from typing import Any

from ..rules.hands import PACK
from ..rules.lines import Message, Stakes, Worth
from .camera import Line, seat_of
from .fortune_8_felt import SPACES_WITH_BETS, Bet, Spread, boxes
from .message import Difference, Due, lying, replaced_in, stakes
from .poker_message import corrections_of, moved_seats
from .void import KEYED_IN


def published_bets(message: Message, station: dict[str, Any]) -> Stakes:
    """The bets a message reports, as far as they are bets."""
    return {bet: amount for bet, amount in stakes(message).items() if bet[1] in boxes(station)}


def added_bets(station: dict[str, Any]) -> list[Message]:
    """The bets that were authorised (9.º 1), each set of cards in the order of their names."""
    published = []
    for bet in station["table"].get("wagers", {}).get("bet", []):
        sets = []
        for pay in bet["pays"]:
            ranks, suits = pay.get("ranks", "23456789TJQKA"), pay.get("suits", "cdhs")
            cards = (
                pay["cards"].split()
                if "cards" in pay
                else [card for card in PACK if card[0] in ranks and card[1] in suits]
            )
            sets.append({"cards": sorted(cards), "to_one": pay["to_one"]})
        published.append({"name": bet["name"], "pays": sets, "reference": bet["reference"], "date": str(bet["date"])})
    return published


class AgainstSpaces(Difference):
    """The differences of one message of Fortune 8."""

    def settled(self, dealt: Spread, lines: list[tuple[int, Worth]]) -> None:
        """A round that was played to its end."""
        self.outcome()
        self.same("deal", dealt.deal, self.message.get("deal"))
        self.cards({(place, None): [card] for place, card in dealt.cards.items()})
        self._lines(lines)

    def voided(self, dealt: Spread, article: str, lines: list[tuple[int, Worth]]) -> None:
        """A round in which nothing is won or lost; the cards that were received was there for all to see."""
        self.outcome(article)
        self._lines(lines)
        published = {place: " ".join(cards) for (place, _), cards in lying(self.message).items()}
        cards = dealt.cards
        if self.message.get("deal", "nothing") is not None or published:
            self.same("deal", dealt.deal, self.message.get("deal", "nothing"))
        seen = [drawn.card for drawn in dealt.drawn]
        for place in sorted(published.keys() - cards.keys()):
            if not (dealt.perhaps_unread and place in dealt.places and published[place] in seen):
                self.say(f"{place}, cards", None, published[place])
        # The last two may have come as the round was void. A card unread, or received late, moves the later ones up.
        sure = set(cards if not (dealt.perhaps_unread or dealt.may) else ())
        sure -= set(list(cards)[-2:]) - {place for place, later in pairwise(cards) if later in published}
        for place, card in cards.items():
            got = published.get(place)
            if place not in published and place not in sure:
                continue
            if got != card and not (dealt.perhaps_unread and (got is None or got in seen)):
                self.say(f"{place}, cards", card, got)

    def _lines(self, lines: list[tuple[int, Worth]]) -> None:
        """The bank has no hand, and no one decides anything; every seat's lines, and their sum."""
        self.same("bank", None, self.message.get("bank", "nothing"))
        self.decisions([])
        due: dict[int, Due] = {}
        for seat, line in lines:
            there = due.setdefault(seat, Due([], 0))
            there.lines.append(line)
            there.net += line.net
        self.seats(due)

    def pushed(self, lines: list[tuple[int, Worth]], pays: list[Line], *, ended: bool) -> None:
        """The winnings pushed on the table; of each player where the camera says to whom."""
        named = all(line.get("player") is not None for line in pays)
        due: Counter[Bet] = Counter()
        for seat, row in lines:
            if row.net > 0:
                due[seat, row.wager, row.player if named else None] += row.net
        got: Counter[Bet] = Counter()
        for line in pays:
            player = line["player"] if named else None
            got[int(line["seat"]), str(line["wager"]), player] += int(line["amount"])
        for bet in sorted(due.keys() | got.keys(), key=str):
            if got[bet] != due[bet] and (ended or got[bet]):
                whose = f" of {bet[2]}" if bet[2] else ""
                self.say(f"seat {bet[0]}, line {bet[1]}{whose}, pushed on the table", due[bet], got[bet])

    def irregularities(self, dealt: Spread, filmed: list[Line], *, void: bool) -> None:
        """Early cards (3.º), errors corrected (5.º), cards keyed in; a void round may end before they are reported."""
        entries = self.entries("irregularities")
        # Where only spaces with bets get a card, it follows bets keyed in at another space.
        moved = moved_seats(filmed) if dealt.deal == SPACES_WITH_BETS else {}
        real = {f"seat {keyed}": f"seat {seat}" for keyed, seat in moved.items()}
        places = [real.get(place, place) for place in dealt.places]
        early: Counter[str] = Counter({places[0]: 1}) if dealt.early else Counter()
        errors = Counter(
            (str(line.get("what")), str(line.get("to"))) for line in filmed if line.get("kind") == "error_corrected"
        )
        miskeyed = {
            real.get(str(line.get("to")), str(line.get("to"))) for line in filmed if line.get("kind") == "miskey"
        }
        published_early: Counter[str] = Counter()
        published_errors: Counter[tuple[str, str]] = Counter()
        keyed_in: set[str] = set()
        for entry in entries:
            kind, to = entry.get("kind"), real.get(str(entry.get("to")), str(entry.get("to")))
            articles = {"early_card": ("3.º",), "error_corrected": ("5.º",), "keyed_in": KEYED_IN}.get(str(kind), ())
            self.cites(f"irregularities, {kind}, article", articles, entry.get("article"))
            if kind == "early_card":
                published_early[to] += 1
            elif kind == "error_corrected":
                published_errors[str(entry.get("what")), to] += 1
            elif kind == "keyed_in":
                keyed_in.add(to)
        optional = void or dealt.perhaps_unread  # the deal was announced where no one received the card
        if published_early - early or (not optional and published_early != early):
            self.say("irregularities, early_card", dict(early), dict(published_early))
        if published_errors - errors or (not void and published_errors != errors):
            self.say("irregularities, error_corrected", dict(errors), dict(published_errors))
        if keyed_in - set(places) or (keyed_in and not (dealt.perhaps_unread or miskeyed)):
            self.say("irregularities, keyed_in", "nothing: every card was read", sorted(keyed_in))
        if not void and (miskeyed - keyed_in or (dealt.unread and not keyed_in)):
            self.say("irregularities, keyed_in", sorted(miskeyed) or "keyed_in", sorted(keyed_in) or "nothing")

    def corrections(self, dealt: Spread, filmed: list[Line], valid: Stakes, *, void: bool) -> None:
        """A slip was corrected, or the round is void; and what was corrected is what happened."""
        last = corrections_of(self, filmed, void=void)
        if void:
            return
        for (what, place, wager, player), entry in last.items():
            after, seat = entry.get(replaced_in(entry)[1]), seat_of(place)
            where = f"corrections, {place}, {wager if what == 'wager' else what}"
            if what == "wager":
                here = [bet for bet in valid if bet[:2] == (seat, wager) and player in (None, bet[2])]
                self.same(where, valid[here[0]] if here else 0, after)
            elif what == "seat" and str(after).removeprefix("seat ") != str(seat):
                self.say(where, place, after)
            elif what == "cards":
                self.same(where, dealt.cards.get(place), after)
