"""A `rounds` message as it is published: how its parts are read, and what every one is bound to. No I/O here."""

import operator
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from types import NoneType
from typing import Any

from ..rules.lines import Lying, Message, Stakes, Worth, act_at, strictly_equal

SCHEMA = 1
# The camera has no names of persons, no clock of the station and no count of its messages: their form alone is checked.
FORM_ALONE = {"sequence", "began", "confirmed", "actor"}
KEYS = FORM_ALONE | {
    *(
        "schema",
        "mode",
        "round",
        "currency",
        "exponent",
        "game",
        "outcome",
        "void",
        "act",
        "rules",
        "source",
        "decks",
        "deal",
    ),
    *("wagers", "shown_cards", "decisions", "added_bets", "irregularities", "corrections", "bank", "seats"),
}
IRREGULARITY = {"kind", "to", "article", "count", "what"}
NETS = ("net_before", "net_after", "net_difference")
CORRECTION = {"what", "at", "before", "after", "amount_before", "amount_after", "actor", "reason"} | {
    *("wager", "player", "asked_again"),
    *("change", "after_result", "approved_by", *NETS),
}
UTC = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
CODE = re.compile(r"[a-z][a-z0-9]*([-_][a-z0-9]+)*")


def part(message: object, key: str) -> Message:
    """A part of a message that should be an object; an empty one where it is not."""
    found = message.get(key) if isinstance(message, dict) else None
    return found if isinstance(found, dict) else {}


def parts(message: object, key: str) -> list[Message]:
    """A part of a message that should be a list of objects; what is no object is left out."""
    found = message.get(key) if isinstance(message, dict) else None
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []


def stakes(message: object) -> Stakes:
    """The wagers of a message, as far as they are wagers."""
    found: Stakes = {}
    for wager_read in parts(message, "wagers"):
        seat, wager, player, amount = (wager_read.get(key) for key in ("seat", "wager", "player", "amount"))
        named = isinstance(wager, str) and isinstance(player, str | None)
        if named and type(seat) is int and type(amount) is int and amount > 0:
            found[seat, str(wager), player] = amount
    return found


def as_wagers(stakes: Stakes) -> list[Message]:
    """The wagers as a message has them."""
    return [
        {"seat": seat, "wager": wager, "player": player, "amount": amount}
        for (seat, wager, player), amount in stakes.items()
    ]


def lying(message: object) -> Lying:
    """The cards of a message by place and hand, as far as they are cards."""
    found: Lying = {}
    for shown in parts(message, "shown_cards"):
        place, hand, cards = shown.get("to"), shown.get("hand"), shown.get("cards")
        listed = isinstance(cards, list) and all(isinstance(card, str) and card for card in cards)
        if listed and isinstance(place, str) and type(hand) in (int, NoneType):
            found[place, hand] = [*map(str, cards or ())]
    return found


def as_cards(lying: Lying) -> list[Message]:
    """The cards as a message has them."""
    return [
        {"to": place, **({} if hand is None else {"hand": hand}), "cards": cards}
        for (place, hand), cards in lying.items()
    ]


def published_seat(message: object, seat: int) -> Message:
    """What a message has of a seat; nothing where it has none."""
    return next((seat_read for seat_read in parts(message, "seats") if strictly_equal(seat_read.get("seat"), seat)), {})


@dataclass
class Due:
    """What is due at a seat: its lines, its net, and what only some games have there."""

    lines: list[Worth]
    net: int
    more: Message = field(default_factory=dict)


def replaced_in(correction: Message) -> tuple[str, str]:
    """The keys of what a correction replaces and of what it enters instead: amounts of a wager, else text."""
    return ("amount_before", "amount_after") if correction.get("what") == "wager" else ("before", "after")


class Difference:
    """The differences of one message."""

    def __init__(self, number: int, message: Message) -> None:
        self.number = number
        self.message = message
        self.differences: list[str] = []

    def say(self, where: str, expected: object, got: object) -> None:
        """Note a difference."""
        place = f"round {self.number}, {where}" if where else f"round {self.number}"
        self.differences.append(f"{place}: expected {expected!r}, got {got!r}")

    def same(self, where: str, expected: object, got: object) -> None:
        """Note a difference if there is one."""
        if not strictly_equal(expected, got):
            self.say(where, expected, got)

    def values(self, where: str, expected: object, got: object) -> None:
        """Note every difference of two values, down to what differs in them."""
        if isinstance(expected, dict) and isinstance(got, dict):
            if expected.keys() != got.keys():
                self.say(f"{where}, keys", sorted(expected), sorted(got))
            for key in (key for key in expected if key in got):
                self.values(f"{where}, {key}", expected[key], got[key])
        elif isinstance(expected, list) and isinstance(got, list) and len(expected) == len(got):
            for number, wanted in enumerate(expected, start=1):
                self.values(f"{where} {number}", wanted, got[number - 1])
        else:
            self.same(where, expected, got)

    def text(self, where: str, got: object) -> None:
        """Note where a text is missing."""
        if not isinstance(got, str) or not got.strip():
            self.say(where, "a text", got)

    def cites(self, where: str, rules: tuple[str, ...], citation: object) -> None:
        """Note a citation that is none of these (as in `Worth`)."""
        given = isinstance(citation, str) and citation.strip()
        if not (given and any(_agrees(rule, str(citation)) for rule in rules)):
            wanted = (f"{rule[1:]} …" if rule.startswith("~") else rule for rule in rules)
            self.say(where, " or ".join(wanted), citation)

    def entries(self, key: str) -> list[Message]:
        """What a list of the message has; says so if it is none, or not one of objects."""
        listed, entries = self.message.get(key), parts(self.message, key)
        if not isinstance(listed, list) or len(entries) != len(listed):
            self.say(key, "a list of objects", listed)
        return entries

    def heading(
        self, station: dict[str, Any], source: str, more: Collection[str], added: Iterable[Message] = ()
    ) -> None:
        """What every round has, void or not; `more` are the keys that not every round has, `added` authorised bets."""
        table, keys = station["table"], KEYS | set(more)
        if self.message.keys() != keys:
            self.say("keys", sorted(keys - self.message.keys()), sorted(self.message.keys() - keys))
        self.same("schema", SCHEMA, self.message.get("schema"))
        self.same("mode", station["mode"], self.message.get("mode"))
        self.same("source", source, self.message.get("source"))
        self.same("decks", table.get("decks", 1), self.message.get("decks"))
        for key in ("game", "currency", "exponent"):
            self.same(key, table[key], self.message.get(key))
        with suppress(TypeError, ValueError):  # of a time that is none `_form` speaks
            self.same("act", act_at(table, self.message.get("began", "")), self.message.get("act"))
        self.same("rules", [key for key, on in station.get("rules", {}).items() if on], self.message.get("rules"))
        self.values("added_bets", [*added], [_in_order(bet) for bet in self.entries("added_bets")])
        self._form()

    def _form(self) -> None:
        """The form of what the camera cannot know."""
        sequence = self.message.get("sequence")
        if type(sequence) is not int or sequence < 1:
            self.say("sequence", "a number", sequence)
        self.text("actor", self.message.get("actor"))
        times = [self.message.get(key) for key in ("began", "confirmed")]
        if not all(isinstance(time, str) and UTC.fullmatch(time) for time in times) or times != sorted(map(str, times)):
            self.say("began and confirmed", "one time of UTC after the other", times)
        for entry in self.entries("irregularities"):
            if entry.keys() - IRREGULARITY:
                self.say("irregularities, keys", sorted(IRREGULARITY), sorted(entry))
        for entry in self.entries("corrections"):
            asked = entry.get("asked_again")
            other = {"before", "after", "amount_before", "amount_after"} - {*replaced_in(entry)}
            right = entry.keys() == CORRECTION and all(entry[key] is None for key in other)
            if not right or type(asked) is not int or asked < 0:
                self.say("corrections, keys", sorted(CORRECTION), entry)
            self._answered_for(entry)
        self._moved()
        if as_cards(lying(self.message)) != self.entries("shown_cards"):
            self.say("cards", "each place once, and its cards", self.message.get("shown_cards"))

    def _answered_for(self, entry: Message) -> None:
        """Who answers for a correction that came after the result was open, and what it moved."""
        late, number, by = entry.get("after_result"), entry.get("change"), entry.get("approved_by")
        named = isinstance(by, list) and all(isinstance(text, str) and text.strip() for text in by)
        if type(late) is not bool or not named or late != bool(by):
            self.say("corrections, approved_by", "persons where it came after the result, and no one else", [late, by])
        if number is not None and not (late is True and type(number) is int and number > 0):
            self.say("corrections, change", "the number of a change after the result", number)
        before, after, moved = map(entry.get, NETS)
        whole = type(before) is type(after) is type(moved) is int
        # After another decision, or what is asked again, cards may have to be shown before there is a result.
        may_reopen = entry.get("what") == "decision" or bool(entry.get("asked_again"))
        unknown = after is moved is None and (before is None or (may_reopen and type(before) is int))
        if not (unknown or (whole and after - before == moved)):  # type: ignore[operator]
            self.say(
                "corrections, net_difference", "what is won after it less what was won before", [before, after, moved]
            )

    def _moved(self) -> None:
        """The last correction leaves what the players win together in this settlement."""
        last = [entry.get("net_after") for entry in parts(self.message, "corrections")][-1:]
        if self.message.get("outcome") == "settled" and last not in ([], [None]):
            won = [line.get("net") for seat in parts(self.message, "seats") for line in parts(seat, "lines")]
            amounts = [amount for amount in won if type(amount) is int]
            if amounts == won:
                self.same("corrections, net_after", sum(amounts), last[0])

    def outcome(self, *void_by: str) -> None:
        """Whether the round was settled, or void by one of these articles: `cites`, a reason in words, and its code."""
        self.same("outcome", "void" if void_by else "settled", self.message.get("outcome"))
        void = self.message.get("void", "nothing")
        if not void_by:
            self.same("void", None, void)
            return
        published = part(self.message, "void")
        if published.keys() != {"article", "reason", "code", "values"}:
            self.say("void, keys", ["article", "code", "reason", "values"], void)
        self.cites("void, article", void_by, published.get("article"))
        self.text("void, reason", published.get("reason"))
        code, filling = published.get("code"), published.get("values")
        if not (isinstance(code, str) and CODE.fullmatch(code)):
            self.say("void, code", "a code", code)
        if not isinstance(filling, dict) or not all(_fills(value) for value in filling.values()):
            self.say("void, values", "texts, whole numbers and reasons", filling)

    def wagers(self, due: Stakes) -> None:
        """What was on the betting spaces."""
        self.values("wagers", as_wagers(due), self.message.get("wagers"))

    def decisions(self, due: list[tuple[int, int | None, str]]) -> None:
        """What the seats decided, in its order."""
        published = [{"seat": seat, "hand": hand, "decision": decision} for seat, hand, decision in due]
        self.values("decisions", published, self.message.get("decisions"))

    def cards(self, due: Lying, alike: Callable[[list[str], list[str]], bool] = operator.eq) -> None:
        """The cards that was open."""
        published = lying(self.message)
        for at in sorted(due.keys() | published.keys(), key=str):
            expected, got = due.get(at), published.get(at)
            if expected is None or got is None or not alike(expected, got):
                place, hand = at
                where = f"{place}, cards" if hand is None else f"{place}, hand {hand}, cards"
                self.say(where, *(None if cards is None else " ".join(cards) for cards in (expected, got)))

    def seats(self, due: Mapping[int, Due]) -> None:
        """The settlement, seat by seat and line by line."""
        self.same("seats", sorted(due), [entry.get("seat") for entry in self.entries("seats")])
        for seat, wanted in due.items():
            got, where = published_seat(self.message, seat), f"seat {seat}"
            published = {key: got[key] for key in got if key not in ("seat", "lines")}
            self.values(where, {"net": wanted.net, **wanted.more}, published)
            self.lines(where, wanted.lines, got.get("lines"))

    def lines(self, where: str, due: list[Worth], listed: object) -> None:
        """The lines of a seat, or of who is behind the bank."""
        published = parts({"lines": listed}, "lines")
        names = [[line.get("wager"), line.get("player"), line.get("hand")] for line in published]
        self.same(f"{where}, lines", [[tier.wager, tier.player, tier.hand] for tier in due], names)
        if not isinstance(listed, list) or not len(listed) == len(published) == len(due):
            self.say(f"{where}, lines", f"{len(due)} lines", listed)
            return
        for wanted, line in zip(due, published, strict=True):
            at = f"{where}, line {wanted.name}"
            self.values(at, wanted.as_published(), {key: line[key] for key in line if key != "article"})
            self.cites(f"{at}, article", (wanted.article,), line.get("article"))

    def jackpot(self, before: int | None, after: int | None, awards: list[Message]) -> None:
        """The meter around the round; `before` None: the table offers no prize, and the message has no such key."""
        if before is not None:
            expected = {"pot_before": before, "pot_after": after, "awards": awards}
            self.values("jackpot", expected, self.message.get("jackpot"))


def _in_order(bet: Message) -> Message:
    """An authorised bet, its cards in the order of their names: in a set they have none."""
    pays = [
        {**pay, "cards": sorted(map(str, pay["cards"]))}
        for pay in parts(bet, "pays")
        if isinstance(pay.get("cards"), list)
    ]
    return {**bet, "pays": pays}


def _agrees(rule: str, citation: str) -> bool:
    return citation.startswith(rule[1:]) if rule.startswith("~") else citation == rule


def _fills(value: object) -> bool:
    """Whether this fills a hole of a sentence: a text, a whole number, or a reason of its own."""
    if isinstance(value, dict):
        inner = value.get("values", {})
        named = isinstance(value.get("code"), str) and value.keys() <= {"code", "values"}
        return named and isinstance(inner, dict) and all(_fills(inner_value) for inner_value in inner.values())
    return isinstance(value, str) or type(value) is int
