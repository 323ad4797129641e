"""A `rounds` message of Fortune 8 held against bets and cards; what each bet is worth (6.º to 8.º). No I/O here."""

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from referee_articles import KEYED_IN
from referee_camera import Line, seat_of
from referee_hands import PACK
from referee_irregular import put_right
from referee_message import Difference, Message, part, parts
from referee_spaces import SPACES_WITH_BETS, Bet, Spread, boxes

VALUES = {"low": "765432", "eight": "8", "high": "AKQJT9"}  # 7.º 1 to 3
ODDS = {"low": (1, "8.º 1"), "eight": (11, "8.º 2"), "high": (1, "8.º 1")}
LOST, ADDED = "6.º 1", "9.º 1"
ERRORS = ("place", "order", "number")
KEYS = {
    *("schema", "mode", "round", "currency", "exponent", "game", "outcome", "source", "decks", "deal"),
    *("wagers", "cards", "void", "irregularities", "corrections", "seats"),
}


@dataclass
class Worth:
    """One bet of the settlement."""

    bet: Bet
    stake: int
    outcome: str
    odds: str | None
    net: int
    article: str


def by_box(stand: dict[Bet, int], station: dict[str, Any]) -> dict[int, dict[Bet, int]]:
    """The bets by space, in the order of the lines: low, eight, high, authorised ones, in a box as they were laid."""
    seats = sorted({seat for seat, _, _ in stand})
    return {
        seat: {bet: stand[bet] for box in boxes(station) for bet in stand if bet[:2] == (seat, box)} for seat in seats
    }


def as_message(stand: dict[Bet, int], station: dict[str, Any]) -> Message:
    """The bets as a message tells them."""
    told: dict[str, dict[str, list[Message]]] = {}
    for seat, here in by_box(stand, station).items():
        for (_, box, player), amount in here.items():
            told.setdefault(str(seat), {}).setdefault(box, []).append({"player": player, "amount": amount})
    return told


def told_bets(message: Message, station: dict[str, Any]) -> dict[Bet, int]:
    """The bets a message tells, as far as they are bets."""
    bets: dict[Bet, int] = {}
    told = part(message, "wagers")
    for seat in told:
        for box in boxes(station):
            for one in parts(part(told, seat), box):
                player, amount = one.get("player"), one.get("amount")
                if seat.isdecimal() and type(amount) is int and amount > 0 and isinstance(player, str | None):
                    bets[int(seat), box, player] = amount
    return bets


def settle(stand: dict[Bet, int], cards: dict[str, str], station: dict[str, Any]) -> dict[int, list[Worth]]:
    """Every bet against the card of its space (6.º 1, 2), at the odds of its box (8.º) or as authorised (9.º 1)."""
    lines: dict[int, list[Worth]] = {}
    for seat, here in by_box(stand, station).items():
        for bet, stake in here.items():
            times, article = _odds(bet[1], cards[str(seat)], station)
            won = Worth(bet, stake, "win", f"{times}:1", stake * times, article)
            lines.setdefault(seat, []).append(won if times else Worth(bet, stake, "lose", None, -stake, article))
    return lines


def _odds(box: str, card: str, station: dict[str, Any]) -> tuple[int, str]:
    """How many times the stake this card wins in a box, 0 where it loses, and the article."""
    if box in ODDS:
        times, article = ODDS[box]
        return (times, article) if card[0] in VALUES[box] else (0, LOST)
    for bet in added_bets(station):
        for pays in bet["pays"] if bet["name"] == box else ():
            if card in pays["cards"]:
                return int(pays["to_one"]), ADDED
    return 0, ADDED


def added_bets(station: dict[str, Any]) -> list[Message]:
    """The bets that were authorised (9.º 1), each set of cards written out: ranks, then suits, from the low ones up."""
    told = []
    for bet in station["table"].get("wagers", {}).get("bet", []):
        sets = []
        for one in bet["pays"]:
            ranks, suits = one.get("ranks", "23456789TJQKA"), one.get("suits", "cdhs")
            cards = (
                one["cards"].split()
                if "cards" in one
                else [card for card in PACK if card[0] in ranks and card[1] in suits]
            )
            sets.append({"cards": cards, "to_one": one["to_one"]})
        told.append({"name": bet["name"], "pays": sets, "reference": bet["reference"], "date": str(bet["date"])})
    return told


def void(stand: dict[Bet, int], article: str, station: dict[str, Any]) -> dict[int, list[Worth]]:
    """Every bet goes back."""
    return {
        seat: [Worth(bet, stake, "void", None, 0, article) for bet, stake in here.items()]
        for seat, here in by_box(stand, station).items()
    }


class AgainstSpaces(Difference):
    """The differences of one message of Fortune 8."""

    def heading(self, station: dict[str, Any], dealt: Spread, stand: dict[Bet, int] | None) -> None:
        """What every message has, void or not; `stand` None: there is nothing to hold the wagers against."""
        self.table(station, dealt.source)
        keys = KEYS | ({"added_bets"} if added_bets(station) else set())
        if self.message.keys() != keys:
            self.say("keys", sorted(keys - self.message.keys()), sorted(self.message.keys() - keys))
        self.added(station)
        self.same("decks", station["table"]["decks"], self.message.get("decks"))
        if stand is not None:
            self.same("wagers", as_message(stand, station), self.message.get("wagers"))

    def added(self, station: dict[str, Any]) -> None:
        """9.º 1: each authorised bet with its odds and its authorisation."""
        told = [
            {**one, "pays": [{**pays, "cards": sorted(str(pays.get("cards")).split())} for pays in parts(one, "pays")]}
            for one in parts(self.message, "added_bets")
        ]
        due = [
            {**bet, "pays": [{**pays, "cards": sorted(pays["cards"])} for pays in bet["pays"]]}
            for bet in added_bets(station)
        ]
        self.same("added_bets", due, told)

    def settled(self, dealt: Spread, lines: dict[int, list[Worth]]) -> None:
        """A round that was played to its end."""
        self.same("outcome", "settled", self.message.get("outcome"))
        self.same("void", None, self.message.get("void", "nothing"))
        self.same("deal", dealt.deal, self.message.get("deal"))
        self.same("cards", dealt.cards, self.message.get("cards"))
        self._lines(lines)

    def voided(self, dealt: Spread, article: str, lines: dict[int, list[Worth]]) -> None:
        """A round in which nothing is won or lost; the cards that were heard lay there for all to see."""
        self.same("outcome", "void", self.message.get("outcome"))
        self.same("void, article", article, part(self.message, "void").get("article"))
        self.void_reason()
        self._lines(lines)
        told, cards = part(self.message, "cards"), dealt.cards
        if not isinstance(self.message.get("cards"), dict):
            self.say("cards", "cards by space", self.message.get("cards"))
        if self.message.get("deal", "nothing") is not None or told:
            self.same("deal", dealt.deal, self.message.get("deal", "nothing"))
        seen = [drawn.card for drawn in dealt.drawn]
        for place in sorted(told.keys() - cards.keys()):
            if not (dealt.perhaps_unread and f"seat {place}" in dealt.places and told[place] in seen):
                self.say(f"cards, seat {place}", None, told[place])
        # The last two may have come as the round was void. A card unread, or heard late, moves the later ones up.
        sure = set(cards if not (dealt.perhaps_unread or dealt.may) else ())
        sure -= set(list(cards)[-2:]) - {place for place, later in pairwise(cards) if later in told}
        for place, card in cards.items():
            got = told.get(place)
            if place not in told and place not in sure:
                continue
            if got != card and not (dealt.perhaps_unread and (got is None or got in seen)):
                self.say(f"cards, seat {place}", card, got)

    def _lines(self, lines: dict[int, list[Worth]]) -> None:
        seats = part(self.message, "seats")
        if seats.keys() != {str(seat) for seat in lines}:
            self.say("seats", sorted(str(seat) for seat in lines), sorted(seats))
        for seat, due in lines.items():
            place = part(seats, str(seat))
            self.same(f"seat {seat}, net", sum(one.net for one in due), place.get("net"))
            told = parts(place, "lines")
            names = [(line.get("wager"), line.get("player")) for line in told]
            self.same(f"seat {seat}, lines", [one.bet[1:] for one in due], names)
            if len(told) != len(due) or not isinstance(place.get("lines"), list):
                continue
            for one, line in zip(due, told, strict=True):
                at = f"seat {seat}, line {one.bet[1]}" + (f" of {one.bet[2]}" if one.bet[2] else "")
                for key in ("stake", "outcome", "odds", "net", "article"):
                    self.same(f"{at}, {key}", getattr(one, key), line.get(key, "nothing"))

    def pushed(self, lines: dict[int, list[Worth]], pays: list[Line], *, ended: bool) -> None:
        """The winnings pushed on the table; of each player where the camera says to whom."""
        named = all(line.get("player") is not None for line in pays)
        due: Counter[Bet] = Counter()
        for one in (one for here in lines.values() for one in here if one.net > 0):
            due[one.bet if named else (*one.bet[:2], None)] += one.net
        got: Counter[Bet] = Counter()
        for line in pays:
            player = line["player"] if named else None
            got[int(line["seat"]), str(line["wager"]), player] += int(line["amount"])
        for bet in sorted(due.keys() | got.keys(), key=str):
            if got[bet] != due[bet] and (ended or got[bet]):
                whose = f" of {bet[2]}" if bet[2] else ""
                self.say(f"seat {bet[0]}, line {bet[1]}{whose}, pushed on the table", due[bet], got[bet])

    def irregularities(self, dealt: Spread, filmed: list[Line], *, void: bool) -> None:
        """Early cards (3.º), errors put right (5.º), cards keyed in; a void round may end before they are told."""
        entries = self.entries("irregularities")
        # Where only spaces with bets get a card, it follows bets keyed in at another space.
        real = moved_spaces(filmed) if dealt.deal == SPACES_WITH_BETS else {}
        places = [real.get(place, place) for place in dealt.places]
        early: Counter[str] = Counter({places[0]: 1}) if dealt.early else Counter()
        errors = Counter(
            (str(line.get("what")), str(line.get("to"))) for line in filmed if line.get("kind") == "error_corrected"
        )
        miskeyed = {
            real.get(str(line.get("to")), str(line.get("to"))) for line in filmed if line.get("kind") == "miskey"
        }
        told_early: Counter[str] = Counter()
        told_errors: Counter[tuple[str, str]] = Counter()
        keyed_in: set[str] = set()
        for entry in entries:
            kind, to = entry.get("kind"), real.get(str(entry.get("to")), str(entry.get("to")))
            articles = {"early_card": ("3.º",), "error_corrected": ("5.º",), "keyed_in": KEYED_IN}.get(str(kind), ())
            if entry.get("article") not in articles:
                self.say(f"irregularities, {kind}, article", " or ".join(articles), entry.get("article"))
            if kind == "early_card":
                told_early[to] += 1
            elif kind == "error_corrected":
                told_errors[str(entry.get("what")), to] += 1
            elif kind == "keyed_in":
                keyed_in.add(to)
        optional = void or dealt.perhaps_unread  # the deal was announced where nobody heard the card
        if told_early - early or (not optional and told_early != early):
            self.say("irregularities, early_card", dict(early), dict(told_early))
        if told_errors - errors or (not void and told_errors != errors):
            self.say("irregularities, error_corrected", dict(errors), dict(told_errors))
        if keyed_in - set(places) or (keyed_in and not (dealt.perhaps_unread or miskeyed)):
            self.say("irregularities, keyed_in", "nothing: every card was read", sorted(keyed_in))
        if not void and (miskeyed - keyed_in or (dealt.unread and not keyed_in)):
            self.say("irregularities, keyed_in", sorted(miskeyed) or "keyed_in", sorted(keyed_in) or "nothing")

    def corrections(self, dealt: Spread, filmed: list[Line], stand: dict[Bet, int], *, void: bool) -> None:
        """A slip was put right, or the round is void; and what was put right is what happened."""
        last = put_right(self, filmed, void=void)
        if void:
            return
        for (what, place, wager, player), entry in last.items():
            after, seat = entry.get("after"), seat_of(place)
            where = f"corrections, {place}, {wager if what == 'wager' else what}"
            if what == "wager":
                here = [bet for bet in stand if bet[:2] == (seat, wager) and player in (None, bet[2])]
                self.same(where, stand[here[0]] if here else 0, after)
            elif what == "seat" and str(after).removeprefix("seat ") != str(seat):
                self.say(where, place, after)
            elif what == "cards":
                self.same(where, dealt.cards.get(str(seat)), after)


def moved_spaces(filmed: list[Line]) -> dict[str, str]:
    """The spaces at which bets were keyed in wrongly, and those where they lie."""
    return {f"seat {line['keyed']}": f"seat {line['seat']}" for line in filmed if line.get("kind") == "slip_seat"}


def as_entered(stand: dict[Bet, int], message: Message, filmed: list[Line], station: dict[str, Any]) -> dict[Bet, int]:
    """The bets of a void round as the dealer entered them: a slip that was not put right before stands."""
    put = {entry.get("what") for entry in parts(message, "corrections")}
    told = told_bets(message, station)
    keyed = {
        int(line["seat"]): int(line["keyed"])
        for line in filmed
        if line.get("kind") == "slip_seat" and "seat" not in put
    }
    entered: dict[Bet, int] = {
        (keyed.get(seat, seat), box, player): stand[seat, box, player] for seat, box, player in stand
    }
    for line in filmed:
        if line.get("kind") == "slip_wager" and "wager" not in put:
            box = (keyed.get(int(line["seat"]), int(line["seat"])), str(line["wager"]))
            for bet in entered:
                if bet[:2] == box and line.get("player") in (None, bet[2]):
                    entered[bet] = told.get(bet, entered[bet])
    return entered
