"""Black-jack/21: a record's round, played again from its cards and answers."""

from itertools import takewhile
from typing import Any

from ..rules.blackjack import ChipOf, pay, settle, tier
from ..rules.blackjack_cards import BACKING, BET, VACANT, Answer, Card, Move, Place, Turned, places_of
from ..rules.blackjack_course import Course
from ..rules.lines import Message
from .forms import Event, Wrong
from .parameters import Parameters
from .round import Round, seat_number, written

WORDS = {
    "give_up": ["give_up"], "even_money": ["even_money"], "no": ["give_up", "even_money"], "insure": ["insurance"],
    "follow": ["follow"],
}  # fmt: skip
ACES = {"four": 4, "three": 3, "two": 2}


class BlackJack(Round):
    """Its cards and answers in the order of the record."""

    def __init__(self, begun: Event, act: str) -> None:
        super().__init__(begun, act)
        self.moves: list[tuple[str, Any]] = []  # ("card", draw), ("answer", event), ("turn", None)
        self.by_draw: dict[int, str] = {}

    def follow(self, event: Event) -> None:
        super().follow(event)
        match event["type"]:
            case "cards_dealt":
                self.moves += [("card", draw) for draw in event["draws"]]
            case "card_taken":
                self.moves.append(("card", event["draw"]))
            case "answer_given":
                self.moves.append(("answer", dict(event)))
            case "bank_turned":
                self.moves.append(("turn", None))

    def show(self, event: Event) -> None:
        self.by_draw |= dict(zip(event["draws"], event["cards"], strict=True))

    def shown_cards(self) -> list[tuple[str | int, str]]:
        return list(self.by_draw.items())

    def move(self, seat: int, to: int) -> None:
        super().move(seat, to)
        for kind, what in self.moves:
            if kind == "answer" and what["seat"] == seat:
                what["seat"] = to

    def correct(self, event: Event) -> None:
        if event["what"] == "cards":
            self.by_draw |= dict(zip(event["draws"], event["after"].split(), strict=True))
        elif event["what"] == "decision":
            self._answer_otherwise(seat_number(event["at"]), event["after"], event.get("asked_again", 0))
        else:
            super().correct(event)

    def _answer_otherwise(self, seat: int, words: str, asked_again: int) -> None:
        """The seat's last answer to that question is another; later ones that fell away with it are gone."""
        if asked_again:
            del self.moves[-asked_again:]
        word, _, values = words.partition(" ")
        for kind, given in reversed(self.moves):
            if kind == "answer" and given["seat"] == seat and given["question"] in WORDS.get(word, ["decision"]):
                given |= {"decision": word, "yes": word != "no"}
                given["amounts"] = [int(part) for part in values.split(",")] if word == "insure" else []
                given["who"] = [part == "1" for part in values.split(",")] if word == "follow" else []
                return
        raise Wrong(f"an answer of seat {seat} is corrected that was never given")

    def _places(self) -> dict[int, Place]:
        """Who bets where; at a seat that no one took, the highest bet decides, of equals who sits lowest (16)."""
        owners: dict[int, str | None] = {
            seat: player or None for seat, stakes in self.bets.items() for player in stakes.get(BET, {})
        }
        stakes = {
            (seat, kind, None if kind == BET else player or ""): bet
            for (seat, kind, player), bet in self.stakes().items()
            if kind in (BET, BACKING, VACANT)
        }
        return places_of(stakes, owners, {})

    def _with_chip(self, places: dict[int, Place]) -> set[ChipOf]:
        """Whose chips count: of who decides where a mark names no one who bets along."""
        found: set[ChipOf] = set()
        for seat, place in places.items():
            marks = self.marked.get(seat, []) if self.marked is not None else [""] if seat in self.chips else []
            found |= {(seat, mark if mark in place.backers else None) for mark in marks}
        return found

    def _course(self, places: dict[int, Place]) -> Course:
        """The round as far as cards and answers are known."""
        moves: list[Move] = []
        hole = 2 * len(places) + 1  # the number of the bank's second card, counted from 0
        cards: list[int] = []
        for at, (kind, what) in enumerate(self.moves, start=1):
            if kind == "card" and what not in self.by_draw and len(cards) != hole:
                break
            if kind == "turn" and (len(cards) <= hole or cards[hole] not in self.by_draw):
                break
            if kind == "card":
                cards.append(what)
                moves.append(Card(self.by_draw.get(what, ""), None, None, "", at))
            elif kind == "turn":
                moves.append(Turned(self.by_draw[cards[hole]], at))
            else:
                moves.append(Answer(what["seat"], what["hand"] or 1, what["question"], _says(what), at))
        return Course(places, moves, self.terms.get("rules") or ())

    def settled(self, pot: int | None, parameters: Parameters) -> Event:
        places = self._places()
        course = self._course(places)
        if not course.complete:
            raise Wrong(f"the cards and answers of the record do not bring the round to its end: {course.broken}")
        return self._answer(course, self._with_chip(places), self._prizes(course, pot, parameters))

    def voided(self, pot: int | None, parameters: Parameters, after: int | None) -> Event:
        places = self._places()
        course = self._course(places)
        back: Message = {} if pot is None else {"pot_before": pot, "pot_after": after, "awards": []}
        jackpot = self._prizes(course, pot, parameters) if course.deal_ended_at else back
        return self._answer(course, self._with_chip(places), jackpot)

    def _prizes(self, course: Course, pot: int | None, parameters: Parameters) -> Message:
        """The pot around the round and what it pays; nothing where the table has none."""
        if pot is None:
            return {}
        places = {at: seat.place for at, seat in course.seats.items()}
        chips, order = self._with_chip(places), {at: [None, *place.backers] for at, place in places.items()}
        won = {
            whose: name
            for whose in sorted(chips, key=lambda whose: (whose[0], order[whose[0]].index(whose[1])))
            if (name := tier(course.seats[whose[0]].dealt, self.terms.get("rules") or ()))
        }
        meter = parameters.meter(pot, self.terms["chip"], won=bool(won))
        return {"pot_before": pot, "awards": pay(meter, won), "pot_after": meter.shown}

    def _answer(self, course: Course, chips: set[ChipOf], jackpot: Message) -> Event:
        void_by = self.void_by if self.void else None
        chips = chips if jackpot else set()
        worth = settle(course, chips, self.terms["chip"], jackpot.get("awards", []), void_by)
        for line in (line for lines in worth.values() for line in lines if "chip_carried" in line.more):
            line.more = {"carried": line.more["chip_carried"]}
        seats = {}
        for at, lines in worth.items():
            own = sum(line.net for line in lines if line.player is None)
            seats[str(at)] = {"net": own, "lines": [written(line) for line in lines]}
        known = course.turned and not self.void
        bank = course.bank if course.turned else course.bank[:1]
        dealer: Event = {"cards": " ".join(bank), "total": None, "black_jack": None}
        if known:
            dealer |= {"total": course.bank_total, "black_jack": course.black_jack}
        return self.answer(dealer=dealer, seats=seats, **({"jackpot": jackpot} if jackpot else {}))

    def prize(self, seat: int) -> list[str]:
        dealt = self._course(self._places()).seats[seat].dealt
        aces = list(takewhile(lambda card: card[0] == "A", dealt[:4]))
        return aces[: ACES[str(tier(dealt, self.terms.get("rules") or ())).partition("_")[0]]]


def _says(given: Event) -> tuple[str, tuple[int, ...]]:
    match given["question"]:
        case "insurance":
            return "insure", tuple(given["amounts"])
        case "follow":
            return "follow", tuple(map(int, given["who"]))
        case "decision":
            return given["decision"], ()
        case question:
            return (question if given["yes"] else "no"), ()
