"""A `rounds` message of Taiwan-Pai Kao held against what the camera saw and the law makes of it. No I/O here."""

from collections import Counter
from typing import Any

from referee_message import Difference, Message, part, parts
from referee_pai_felt import Felt
from referee_pai_hands import Hand, lay
from referee_pai_pairs import TITLES, Pair, rank
from referee_pai_settle import Bank, Result, Wager, holders
from referee_schema_2 import NOT_TOLD

EIGHT_PLACES, FOUR_PLACES = "eight_places", "four_places"
KEYS = {
    *("schema", "mode", "round", "currency", "exponent", "game", "outcome", "source", "places", "deal", "bank", "form"),
    *("dice", "null_dice", "moved", "wagers", "holders", "tiles", "titles", "seats", "banker"),
    *("void", "irregularities", "corrections"),
}
ONLY_SETTLED = {"first_place", "order"}


def as_told(wagers: list[Wager]) -> Message:
    """The wagers as a message tells them, by place."""
    told: dict[str, list[Message]] = {}
    for wager in wagers:
        told.setdefault(str(wager.place), []).append({"player": wager.player, "amount": wager.amount})
    return told


def told_wagers(message: Message) -> list[Wager]:
    """The wagers a message tells, as far as they are wagers."""
    told = part(message, "wagers")
    return [
        Wager(int(place), one["player"], one["amount"])
        for place in told
        for one in parts(told, place)
        if place.isdecimal() and isinstance(one.get("player"), str) and type(one.get("amount")) is int
    ]


def told_bank(message: Message) -> Bank | None:
    """The bank a message tells, if it is one."""
    bank = part(message, "bank")
    amounts = [bank.get(key) for key in ("place", "capital", "casino", "rounds")]
    place, capital, casino, rounds = (one if type(one) is int else None for one in amounts)
    if place is None or capital is None or casino is None or rounds is None:
        return None
    return Bank(place, capital, casino, rounds)


def as_laid(laid: tuple[Pair, Pair]) -> str:
    """Four tiles as they lie: the front pair, then the rear."""
    return " ".join([*laid[0], *laid[1]])


def same_pairs(laid: str, told: object) -> bool:
    """Whether a text tells the same front and rear pair, their tiles in any order."""
    if not isinstance(told, str):
        return False
    one, other = laid.split(" "), told.split(" ")
    return len(one) == len(other) and all(sorted(one[at : at + 2]) == sorted(other[at : at + 2]) for at in (0, 2))


class AgainstPlaces(Difference):
    """The differences of one message of Taiwan-Pai Kao."""

    def leaves(self, where: str, expected: object, got: object) -> None:
        """Note every difference of two values, down to what differs in them."""
        if isinstance(expected, dict) and isinstance(got, dict) and expected.keys() == got.keys():
            for key in expected:
                self.leaves(f"{where}, {key}", expected[key], got[key])
        elif isinstance(expected, list) and isinstance(got, list) and len(expected) == len(got):
            for number, one in enumerate(expected, start=1):
                self.leaves(f"{where} {number}", one, got[number - 1])
        else:
            self.same(where, expected, got)

    def heading(self, station: dict[str, Any], seen: Felt, bank: Bank | None, wagers: list[Wager]) -> None:
        """What every message has, void or not."""
        self.table(station, "shoe")
        keys = KEYS | (ONLY_SETTLED if self.message.get("outcome") == "settled" else set())
        keys -= set() if bank else {"banker"}
        keys |= {"rules"} if any(station.get("rules", {}).values()) else set()
        if self.message.keys() != keys:
            self.say("keys", sorted(keys - self.message.keys()), sorted(self.message.keys() - keys))
        self.leaves("wagers", as_told(wagers), self.message.get("wagers"))
        self.same("bank", bank.as_told() if bank else None, self.message.get("bank", "nothing"))
        self.same("null_dice", seen.null_dice, self.message.get("null_dice"))
        self.same("moved", seen.moved, self.message.get("moved"))

    def course(self, seen: Felt, bank: Bank | None, dice: list[int] | None, wagers: list[Wager]) -> None:
        """The places where they were announced, the form of the distribution, the dice, and who may hold the tiles."""
        announced = {8: EIGHT_PLACES, 4: FOUR_PLACES}.get(seen.places or 0) if seen.announced else None
        self.same("places", seen.places, self.message.get("places", "nothing"))
        self.same("deal", announced, self.message.get("deal", "nothing"))
        self.same("form", seen.form, self.message.get("form", "nothing"))
        self.same("dice", dice, self.message.get("dice", "nothing"))
        self.leaves("holders", holders(wagers, bank, seen.places or 0), self.message.get("holders"))

    def settled(self, seen: Felt, hands: dict[int, Hand], bank: Bank, result: Result) -> None:
        """A round that was played to its end."""
        self.same("outcome", "settled", self.message.get("outcome"))
        self.same("void", None, self.message.get("void", "nothing"))
        self.shown(seen, hands)
        self.same("first_place", result.first, self.message.get("first_place"))
        self.same("order", result.order, self.message.get("order"))
        seats: Message = {}
        for place, hand in sorted(hands.items()):
            seats[str(place)] = hand.as_told()
            if place != bank.place:
                lines = result.lines[place]
                seats[str(place)] |= {
                    "outcome": result.outcomes[place],
                    "net": sum(line.net for line in lines),
                    "lines": [line.as_told() for line in lines],
                }
        self.leaves("seats", seats, self.message.get("seats"))
        banker: Message = {"place": bank.place, "net": result.own, "limited": bool(result.cut)}
        if bank.casino:
            banker["casino"] = {"share": bank.casino, "net": result.casino, "article": "5.º e)"}
        if result.joiners:
            banker["joiners"] = [line.as_told("bank") for line in result.joiners]
        self.leaves("banker", banker, self.message.get("banker"))
        self.conserved()

    def shown(self, seen: Felt, hands: dict[int, Hand]) -> None:
        """The tiles of these places as they were laid, and the names of the pairs that count."""
        told = part(self.message, "tiles")
        tiles = {str(place): as_laid(seen.turned[place]) for place in hands}
        # The station may have set pairs that can be set in one way only: their tiles come in any order.
        same = {place: laid if same_pairs(laid, told.get(place)) else told.get(place) for place, laid in tiles.items()}
        self.leaves("tiles", tiles, told | same if told else self.message.get("tiles"))
        if self.message.get("titles") != NOT_TOLD:
            self.leaves("titles", {str(place): titles(hands[place]) for place in hands}, self.message.get("titles"))

    def conserved(self) -> None:
        """The nets, the commissions and what the bank won or lost sum to nothing, whatever the lines say."""
        seats, banker = part(self.message, "seats"), part(self.message, "banker")
        lines = [line for place in seats for line in parts(part(seats, place), "lines")]
        moved: list[Any] = [line.get(key) for line in lines for key in ("net", "commission")]
        moved += [banker.get("net"), part(banker, "casino").get("net", 0)]
        moved += [line.get("net") for line in parts(banker, "joiners")]
        strange = [one for one in moved if type(one) is not int]
        in_sum = "an amount each" if strange else sum(moved)
        self.same("nets, commissions and the bank's net, in sum", 0, in_sum)

    def voided(self, seen: Felt, article: str, bank: Bank | None, wagers: list[Wager]) -> None:
        """A round in which nothing is won or lost: wagers and joiners go back, the capital stays."""
        self.same("outcome", "void", self.message.get("outcome"))
        self.same("void, article", article, part(self.message, "void").get("article"))
        self.void_reason()
        void = {"outcome": "void", "net": 0, "commission": 0, "article": article}
        lines: dict[str, list[Message]] = {}
        for wager in sorted(wagers, key=lambda wager: wager.place):
            name = "bank" if bank and wager.place == bank.place else "place"
            line = {"wager": name, "player": wager.player, "stake": wager.amount, **void}
            lines.setdefault(str(wager.place), []).append(line)
        joiners = lines.pop(str(bank.place), []) if bank else []
        seats = {place: {"net": 0, "lines": here} for place, here in lines.items()}
        self.leaves("seats", seats, self.message.get("seats"))
        if bank:
            banker: Message = {"place": bank.place, "net": 0, "limited": False}
            banker |= {"casino": {"share": bank.casino, "net": 0, "article": article}} if bank.casino else {}
            banker |= {"joiners": joiners} if joiners else {}
            self.leaves("banker", banker, self.message.get("banker", "nothing"))
        told = part(self.message, "tiles")  # the last one turned may not have been told before the round was void
        sure = set(list(seen.turned)[:-1])
        if not self._miskeyed(seen):
            turned = {place: laid for place, laid in seen.turned.items() if str(place) in told or place in sure}
            self.shown(seen, {place: lay(*laid) for place, laid in turned.items()})

    def _miskeyed(self, seen: Felt) -> bool:
        """Whether tiles were keyed in otherwise than they lay, and that was not put right."""
        put = {entry.get("what") for entry in parts(self.message, "corrections")}
        return bool(seen.filmed("miskey")) and "cards" not in put

    def pushed(self, seen: Felt, bank: Bank | None, result: Result | None) -> None:
        """What was paid, collected and taken as commission on the table, wager by wager, and what the bank shared."""
        due: Counter[tuple[str, object, str]] = Counter()
        if bank and result:
            for line in (line for here in result.lines.values() for line in here):
                moves = abs(line.net) + (line.commission if line.outcome == "win" else 0)
                due["pay" if line.outcome == "win" else "collect", line.wager.place, line.wager.player] += moves
                due["commission", line.wager.place, line.wager.player] += line.commission
            due["share", None, "banker"] = result.own
            due["share", None, "casino"] = result.casino
            for line in result.joiners:
                due["share", None, line.wager.player] += line.net
        got: Counter[tuple[str, object, str]] = Counter()
        for one in seen.money:
            whose = one["of"] if one["event"] == "share" else one["player"]
            got[str(one["event"]), one.get("seat"), str(whose)] += int(one["amount"])
        for what in sorted(due.keys() | got.keys(), key=str):
            if due[what] != got[what] and (seen.ended or got[what]):
                event, place, whose = what
                at = f"seat {place}, {event} of {whose}" if place else f"{event} of {whose}"
                self.say(f"{at}, on the table", due[what], got[what])


def titles(hand: Hand) -> dict[str, str | None]:
    """The names Table II gives to both pairs."""
    return {"front": TITLES.get(rank(hand.front)), "rear": TITLES.get(rank(hand.rear))}
