"""Taiwan-Pai Kao: the settlement of a record's round."""

from dataclasses import replace
from typing import Any

from ..rules.lines import Message, Worth
from ..rules.pai_hands import COPIES, Hand, Pair, arrange, named, ordered, rank
from ..rules.pai_kao import Bank, Wager, settle, void, with_amount
from .forms import Event, Wrong
from .parameters import Parameters
from .round import Round, seat_number


class PaiKao(Round):
    """Every place against the banker's, in the order of the dice, up to what is behind the bank."""

    everywhere = True

    def __init__(self, begun: Event, act: str) -> None:
        super().__init__(begun, act)
        self.used: list[str] = (begun.get("left") or {}).get("used") or []
        self.bank: dict[str, int] | None = None
        self.dice: list[int] = []
        self.parts: list[Wager] = []  # in the order placed: a raise is a later one

    def follow(self, event: Event) -> None:
        super().follow(event)
        match event["type"]:
            case "wager_placed":
                self.parts = with_amount(self.parts, event["seat"], event["player"] or "", event["amount"])
            case "bank_taken":
                self.bank = {"place": event["seat"], "capital": event["capital"], "casino": event["casino_share"]}
            case "dice_thrown":
                self.dice = event["dice"]

    def correct(self, event: Event) -> None:
        if event["what"] == "wager" and event["wager"] in ("capital", "casino"):
            self._bank_terms()[event["wager"]] = int(event["after"])
        elif event["what"] == "dice":
            self.dice = list(map(int, event["after"].split()))
        else:
            super().correct(event)
            self._correct_parts(event)

    def _correct_parts(self, event: Event) -> None:
        if event["what"] == "wager":
            whose = seat_number(event["at"]), event.get("player") or ""
            self.parts = with_amount(self.parts, *whose, int(event["after"]), later=False)
        elif event["what"] == "seat":
            here, there = seat_number(event["at"]), seat_number(event["after"])
            self.parts = [replace(part, place=there) if part.place == here else part for part in self.parts]

    def copies(self, card: str) -> int:
        return COPIES[card]

    def faces(self) -> list[str]:
        return [*super().faces(), *self.used]

    def _bank_terms(self) -> dict[str, int]:
        if self.bank is None:
            raise Wrong("no one holds the bank")
        return self.bank

    def _wagers(self) -> list[Wager]:
        return sorted(self.parts, key=lambda part: part.place)

    def settled(self, pot: int | None, parameters: Parameters) -> Event:
        places = 4 if self.used or self.terms["seat_count"] == 4 or self.deal == "four_places" else 8
        if len(self.dice) != 4 or not all(type(die) is int and 1 <= die <= 6 for die in self.dice):
            raise Wrong("the dice were not thrown")
        bank = Bank(**self._bank_terms(), rounds=0)
        hands = {place: self._hand(place) for place in range(1, places + 1)}
        result = settle(bank, self.dice, hands, self._wagers(), self.terms.get("rules") or ())
        seats: dict[str, Message] = {}
        for place, hand in hands.items():
            front, rear = _pair(hand.front), _pair(hand.rear)
            seats[str(place)] = {"front": front, "rear": rear, "rearranged": hand.rearranged}
            if place != bank.place:
                lines = [_written(line) for line in result.lines[place]]
                net = sum(line["net"] for line in lines)
                seats[str(place)] |= {"outcome": result.outcomes[place], "net": net, "lines": lines}
        banker = _banker(bank, result.own, bool(result.cut), (result.casino, "5.º e)"), result.joiners)
        return self.answer(first_place=result.first, order=result.order, seats=seats, banker=banker)

    def _hand(self, place: int) -> Hand:
        tiles = self.shown[f"seat {place}"]
        if len(tiles) != 4:
            raise Wrong(f"place {place} has {len(tiles)} tiles, not four")
        return arrange((tiles[0], tiles[1]), (tiles[2], tiles[3]))

    def voided(self, pot: int | None, parameters: Parameters, after: int | None) -> Event:
        if self.bank is None:
            return self.answer(seats={})
        bank = Bank(**self.bank, rounds=0)
        lines, joiners = void(self._wagers(), bank, self.void_by)
        seats = {str(place): {"net": 0, "lines": [_written(line) for line in here]} for place, here in lines.items()}
        return self.answer(seats=seats, banker=_banker(bank, 0, False, (0, self.void_by), joiners))


def _pair(pair: Pair) -> dict[str, Any]:
    return {"tiles": " ".join(ordered(pair)), "name": named(pair)[0], "rank": rank(pair)}


def _written(line: Worth) -> Message:
    """A line as a settlement of this game has it."""
    keys = ("wager", "player", "stake", "outcome", "net", "commission", "article")
    return {key: getattr(line, key) for key in keys}


def _banker(bank: Bank, own: int, limited: bool, casino: tuple[int, str], joiners: list[Worth]) -> Message:
    result: Message = {"place": bank.place, "net": own, "limited": limited}
    if bank.casino:
        result["casino"] = {"share": bank.casino, "net": casino[0], "article": casino[1]}
    return result | ({"joiners": [_written(line) for line in joiners]} if joiners else {})
