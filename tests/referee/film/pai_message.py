"""A `rounds` message of Taiwan-Pai Kao compared with what the camera saw and the law makes of it. No I/O here."""

import re
from collections import Counter
from dataclasses import replace
from typing import Any

from ..rules.lines import Message, Stakes
from ..rules.pai_hands import Hand, Pair
from ..rules.pai_kao import Bank, Result, Wager, holders, void
from .camera import seat_of
from .message import Difference, Due, lying, part, parts, replaced_in
from .pai_felt import Felt
from .poker_message import corrections_of, entered_wagers
from .void import ERRORS_CORRECTED, KEYED_IN, Dealt

EIGHT_PLACES, FOUR_PLACES = "eight_places", "four_places"


def as_stakes(wagers: list[Wager]) -> Stakes:
    """What each player has on each place, in the order first placed."""
    stakes: Stakes = {}
    for wager in sorted(wagers, key=lambda wager: wager.place):
        stakes[wager.place, "place", wager.player] = stakes.get((wager.place, "place", wager.player), 0) + wager.amount
    return stakes


def published_bank(message: Message) -> Bank | None:
    """The bank a message reports, if it is one."""
    bank = part(message, "bank")
    place, capital, rounds = (
        value if type(value) is int else None for value in map(bank.get, ("seat", "capital", "turn_rounds"))
    )
    casino = part(bank, "casino").get("share", 0)
    if place is None or capital is None or rounds is None or type(casino) is not int:
        return None
    return Bank(place, capital, casino, rounds)


def same_pairs(pairs: list[str], other: list[str]) -> bool:
    """Whether these are the same front and rear pair, their tiles in any order."""
    return len(pairs) == len(other) and all(sorted(pairs[at : at + 2]) == sorted(other[at : at + 2]) for at in (0, 2))


class AgainstPlaces(Difference):
    """The differences of one message of Taiwan-Pai Kao."""

    def course(
        self, station: dict[str, Any], seen: Felt, bank: Bank | None, dice: list[int] | None, wagers: list[Wager]
    ) -> None:
        """What every round has, void or not: its wagers, what was announced, the dice, and who may hold the tiles."""
        settled = {"first_place", "settling_order"} if self.message.get("outcome") == "settled" else set()
        self.heading(station, "shoe", {"tiles"} | settled)
        parts = [
            {"seat": wager.place, "wager": "place", "player": wager.player, "amount": wager.amount}
            for wager in sorted(wagers, key=lambda wager: wager.place)
        ]
        self.values("wagers", parts, self.message.get("wagers"))
        self.decisions([])
        announced = {8: EIGHT_PLACES, 4: FOUR_PLACES}.get(seen.places or 0) if seen.announced else None
        self.same("deal", announced, self.message.get("deal", "nothing"))
        tiles = {
            "place_count": seen.places,
            "form": seen.form,
            "dice": dice,
            "null_dice": seen.null_dice,
            "moved": seen.moved,
            "holders": holders(wagers, bank, seen.places or 0),
        }
        self.values("tiles", tiles, self.message.get("tiles"))

    def bank(self, bank: Bank | None, **result: object) -> None:
        """Who had the bank, and what became of it; the lines of `joiners` are compared by `joined`."""
        if bank is None:
            self.same("bank", None, self.message.get("bank", "nothing"))
            return
        heading = {"seat": bank.place, "capital": bank.capital, "turn_rounds": bank.rounds}
        published = {key: value for key, value in part(self.message, "bank").items() if key != "joiners"}
        self.values("bank", heading | result, published)

    def settled(self, seen: Felt, hands: dict[int, Hand], bank: Bank, result: Result) -> None:
        """A round that was played to its end."""
        self.outcome()
        self.shown(seen, set(hands))
        self.same("first_place", result.first, self.message.get("first_place"))
        self.same("order", result.order, self.message.get("settling_order"))
        due = {}
        for place, hand in sorted(hands.items()):
            lines = result.lines.get(place, [])
            net = sum(line.net for line in lines) if place != bank.place else result.own
            due[place] = Due(lines, net, hand.as_published())
            if place != bank.place:
                due[place].more["outcome"] = result.outcomes[place]
        self.seats(due)
        casino = {"share": bank.casino, "net": result.casino, "article": "5.º e)"} if bank.casino else None
        self.bank(bank, net=result.own, limited=bool(result.cut), casino=casino)
        self.lines("bank", result.joiners, part(self.message, "bank").get("joiners"))
        self.conserved()

    def shown(self, seen: Felt, places: set[int]) -> None:
        """The tiles of these places as they were placed.

        The station may have set pairs that can be set in one way only: their tiles come in any order.
        """
        self.cards({(f"seat {place}", None): tiles_of(seen.turned[place]) for place in places}, same_pairs)

    def conserved(self) -> None:
        """The nets, the commissions and what the bank won or lost sum to nothing, whatever the lines say."""
        published = part(self.message, "bank")
        lines = [line for seat in parts(self.message, "seats") for line in parts(seat, "lines")]
        moved: list[Any] = [line.get(key) for line in lines for key in ("net", "commission")]
        moved += [published.get("net"), part(published, "casino").get("net", 0)]
        moved += [line.get("net") for line in parts(published, "joiners")]
        strange = [value for value in moved if type(value) is not int]
        in_sum = "an amount each" if strange else sum(moved)
        self.same("nets, commissions and the bank's net, in sum", 0, in_sum)

    def voided(self, seen: Felt, article: str, bank: Bank | None, wagers: list[Wager]) -> None:
        """A round in which nothing is won or lost: wagers and joiners go back, the capital stays."""
        self.outcome(article)
        lines, joiners = void(sorted(wagers, key=lambda wager: wager.place), bank, article)
        self.seats({place: Due(here, 0) for place, here in lines.items()})
        share = bank.casino if bank else 0
        casino = {"share": share, "net": 0, "article": article} if share else None
        self.bank(bank, net=0, limited=False, casino=casino)
        if bank:
            self.lines("bank", joiners, part(self.message, "bank").get("joiners"))
        published = lying(self.message)  # the last one turned may not have been reported before the round was void
        sure = set(list(seen.turned)[:-1])
        if not self._miskeyed(seen):
            self.shown(seen, {place for place in seen.turned if (f"seat {place}", None) in published or place in sure})

    def _miskeyed(self, seen: Felt) -> bool:
        """Whether tiles were keyed in otherwise than they were, and that was not corrected."""
        put = {entry.get("what") for entry in parts(self.message, "corrections")}
        return bool(seen.filmed("miskey")) and "cards" not in put

    def pushed(self, seen: Felt, bank: Bank | None, result: Result | None) -> None:
        """What was paid, collected and taken as commission on the table, wager by wager, and what the bank shared."""
        due: Counter[tuple[str, object, str]] = Counter()
        if bank and result:
            for place, line in ((place, line) for place, here in result.lines.items() for line in here):
                moves = abs(line.net) + (line.commission if line.outcome == "win" else 0)
                due["pay" if line.outcome == "win" else "collect", place, str(line.player)] += moves
                due["commission", place, str(line.player)] += line.commission
            due["share", None, "banker"] = result.own
            due["share", None, "casino"] = result.casino
            for line in result.joiners:
                due["share", None, str(line.player)] += line.net
        got: Counter[tuple[str, object, str]] = Counter()
        for moved in seen.money:
            whose = moved["of"] if moved["event"] == "share" else moved["player"]
            got[str(moved["event"]), moved.get("seat"), str(whose)] += int(moved["amount"])
        for what in sorted(due.keys() | got.keys(), key=str):
            if due[what] != got[what] and (seen.ended or got[what]):
                event, at_place, whose = what
                at = f"seat {at_place}, {event} of {whose}" if at_place else f"{event} of {whose}"
                self.say(f"{at}, on the table", due[what], got[what])


def tiles_of(turned: tuple[Pair, Pair]) -> list[str]:
    """Four tiles as they are: the front pair, then the rear."""
    return [*turned[0], *turned[1]]


# ---- What went wrong at a table of Taiwan-Pai Kao and was corrected: the message against the camera. No I/O here


CITED = {"exposed": ("4.º",), "error_corrected": ERRORS_CORRECTED, "keyed_in": KEYED_IN}
OF_THE_BANK = ("capital", "casino")


def irregularities(against: AgainstPlaces, seen: Felt, dealt: Dealt, *, reader: bool, void: bool) -> None:
    """Exposed tiles (4.º), errors corrected, tiles keyed in; a void round may end before they are reported."""
    exposed: Counter[str] = Counter()
    errors: Counter[tuple[str, str]] = Counter()
    keyed_in: set[str] = set()
    for entry in against.entries("irregularities"):
        kind, to = str(entry.get("kind")), str(entry.get("to"))
        against.cites(f"irregularities, {kind}, article", CITED.get(kind, ()), entry.get("article"))
        if kind == "exposed":
            count = entry.get("count")
            exposed[to] += count if type(count) is int and count > 0 else 0
            if type(count) is not int or count < 1:
                against.say("irregularities, exposed, count", "a number", count)
        elif kind == "error_corrected":
            errors[str(entry.get("what")), to] += 1
        elif kind == "keyed_in":
            keyed_in.add(to)
    due = Counter((str(line["what"]), str(line["to"])) for line in seen.filmed("error_corrected"))
    if exposed - seen.exposed or (not void and exposed != seen.exposed):
        against.say("irregularities, exposed", dict(seen.exposed), dict(exposed))
    if errors - due or (not void and errors != due):
        against.say("irregularities, error_corrected", dict(due), dict(errors))
    turned = {f"seat {place}" for place in seen.turned}
    if keyed_in - turned or (keyed_in and reader and not dealt.perhaps_unread):
        against.say("irregularities, keyed_in", "nothing: every tile was read", sorted(keyed_in))
    if not void and ((not reader and keyed_in != turned) or (dealt.unread and not keyed_in)):
        against.say("irregularities, keyed_in", "what was not read", sorted(keyed_in) or "nothing")


def corrections(against: AgainstPlaces, seen: Felt, *, void: bool) -> None:
    """A slip was corrected, or the round is void; and what was corrected is what happened."""
    last = corrections_of(against, seen.irregular, void=void)
    if void:
        return
    for (what, place, wager, player), entry in last.items():
        after, at = entry.get(replaced_in(entry)[1]), seat_of(place)
        where = f"corrections, {place}, {wager if what == 'wager' else what}"
        if what == "wager" and wager not in ("place", *OF_THE_BANK):
            against.say(where, f"place, {' or '.join(OF_THE_BANK)}", wager)
        if what == "wager" and wager in OF_THE_BANK:
            against.same(where, getattr(seen.bank, wager), after)
        elif what == "wager":
            here = [bet.amount for bet in seen.wagers if (bet.place, bet.player) == (at, player)]
            against.same(where, sum(here), after)
        elif what == "seat" and str(after).removeprefix("seat ") != str(at):
            against.say(where, place, after)
        elif what == "dice" and [int(die) for die in re.findall(r"\d+", str(after))] != seen.dice:
            against.say(where, seen.dice, after)
        elif what == "cards":
            stakes = seen.turned.get(at or 0)
            against.same(where, " ".join(tiles_of(stakes)) if stakes else None, after)


def entered(seen: Felt, message: Message) -> tuple[Bank | None, list[int] | None, list[Wager]]:
    """Bank, dice and wagers of a void round as the dealer entered them: a slip not corrected before remains."""
    put = {entry.get("what") for entry in parts(message, "corrections")}
    bank, dice = seen.bank, seen.dice
    for line in seen.filmed("slip_wager"):
        if bank and line["wager"] in OF_THE_BANK and "wager" not in put:
            entered_bank = published_bank(message) or bank
            bank = replace(bank, **{str(line["wager"]): getattr(entered_bank, str(line["wager"]))})
    if seen.filmed("slip_dice") and "dice" not in put and dice is not None:
        thrown = part(message, "tiles").get("dice")
        dice = thrown if isinstance(thrown, list) and len(thrown) == len(dice) else dice
    if not {"slip_wager", "slip_seat"} & {line.get("kind") for line in seen.irregular}:
        return bank, dice, seen.wagers
    wagers = entered_wagers(as_stakes(seen.wagers), message, seen.irregular)
    return bank, dice, [Wager(place, str(player), amount) for (place, _, player), amount in wagers.items()]
