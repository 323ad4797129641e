"""A `rounds` message of black-jack held against what the referee made of the round; every difference a sentence."""

from collections import Counter
from typing import Any

from referee_21_bets import Place
from referee_21_course import BEFORE_PLAY, Course
from referee_21_prize import ChipOf
from referee_21_settle import OPEN, Worth
from referee_21_stream import Answer, said
from referee_camera import Line
from referee_message import Difference, Message, part, parts

KEYS = {
    *("schema", "mode", "round", "currency", "exponent", "game", "outcome", "source", "decks", "wagers", "cards"),
    *("answers", "void", "irregularities", "corrections", "dealer", "seats", "jackpot"),
}
NAMED = ("stake", "outcome", "odds", "net")
Whose = tuple[int, str, str | None]  # seat, wager, player; None: of him who decides


def as_wagers(places: dict[int, Place], chips: set[ChipOf], chip: int) -> Message:
    """The bets as a message tells them."""
    told: Message = {}
    for at, place in places.items():
        here: Message = {"bet": place.bet}
        if place.player is not None:
            here["player"] = place.player
        if place.backers:
            here["backers"] = [
                {"player": player, "bet": bet} | ({"jackpot": chip} if (at, player) in chips else {})
                for player, bet in place.backers.items()
            ]
        if (at, None) in chips:
            here["jackpot"] = chip
        told[str(at)] = here
    return told


def told_places(message: Message) -> dict[int, Place]:
    """The bets a message tells, as far as they are bets."""
    places = {}
    told = part(message, "wagers")
    for seat in sorted(told):
        here = part(told, seat)
        if seat.isdecimal() and type(here.get("bet")) is int:
            backers = {
                str(one.get("player")): one["bet"] for one in parts(here, "backers") if type(one.get("bet")) is int
            }
            places[int(seat)] = Place(here.get("player"), here["bet"], backers)
    return places


def told_answers(message: Message) -> list[object]:
    """What players said, as a message tells it: seat, hand, word and numbers; anything else as it stands."""
    answers: list[object] = []
    listed = message.get("answers")
    for one in listed if isinstance(listed, list) else []:
        right = isinstance(one, dict) and one.keys() == {"seat", "hand", "answer"} and isinstance(one["answer"], str)
        answers.append((one["seat"], one["hand"], *said(one["answer"])) if right else one)
    return answers


def as_told(answers: list[Answer]) -> list[object]:
    """What players said on camera, in the same form; what is asked before the play is of no hand."""
    return [(one.seat, None if one.question in BEFORE_PLAY else one.hand, *one.says) for one in answers]


class Against21(Difference):
    """The differences of one message of black-jack."""

    def heading(self, station: dict[str, Any], source: str, wagers: Message | None) -> None:
        """What every message has, void or not; `wagers` None: there is nothing to hold them against."""
        self.table(station, source)
        keys = self.message.keys()
        if KEYS - keys or keys - KEYS - {"claims", "rules"}:
            self.say("keys", sorted(KEYS - keys), sorted(keys - KEYS))
        self.same("decks", station["table"]["decks"], self.message.get("decks"))
        if wagers is not None:
            self.same("wagers", wagers, self.message.get("wagers"))

    def settled(self, course: Course, worth: dict[int, list[Worth]]) -> None:
        """A round that was played to its end."""
        self.same("outcome", "settled", self.message.get("outcome"))
        self.same("void", None, self.message.get("void", "nothing"))
        shown = course.shown()
        cards: Message = {place: shown[place][0] if place == "bank" else shown[place] for place in shown}
        self.same("cards", cards, self.message.get("cards"))
        self._answers(as_told(course.answers))
        total = course.bank_total if course.turned else None
        dealer = part(self.message, "dealer")
        expected: Message = {"cards": cards["bank"], "total": total, "black_jack": None}
        if course.turned:
            expected["black_jack"] = course.black_jack
        if dealer.keys() != expected.keys():
            self.say("dealer", sorted(expected), sorted(dealer))
        for key, value in expected.items():
            self.same(f"dealer, {key}", value, dealer.get(key, "nothing"))
        self._lines(worth)

    def _answers(self, expected: list[object]) -> None:
        got = told_answers(self.message)
        for number, (one, other) in enumerate(zip(expected, got, strict=False), start=1):
            if repr(one) != repr(other):  # neither True nor 1.0 is a seat
                self.say(f"answers, {number}", one, other)
        if len(expected) != len(got) or not isinstance(self.message.get("answers"), list):
            self.say("answers", f"{len(expected)} answers", f"{len(got)}")

    def voided(
        self, course: Course, whole: Course, article: str, worth: dict[int, list[Worth]], *, unsure: bool
    ) -> None:
        """A round in which nothing is won or lost.

        `course` is what the station heard of the `whole`; `unsure`: a card may have come late, or unread.
        """
        self.same("outcome", "void", self.message.get("outcome"))
        self.same("void, article", article, part(self.message, "void").get("article"))
        self.void_reason()
        self._lines(worth)
        self._answers(as_told(course.answers))
        if len(course.answers) < len(whole.answers) - 1 and not unsure:
            self.say("answers", f"{len(whole.answers)} answers", len(course.answers))
        dealer = part(self.message, "dealer")
        for key in ("total", "black_jack"):
            self.same(f"dealer, {key}", None, dealer.get(key, "nothing"))
        self._cards_so_far(course, unsure=unsure)

    def _cards_so_far(self, course: Course, *, unsure: bool) -> None:
        """The last two may have come as the round was void; of those laid wrongly any may be told anywhere."""
        shown, told = course.shown(), part(self.message, "cards")
        if not isinstance(self.message.get("cards"), dict) or told.keys() - shown.keys():
            self.say("cards", f"cards at {sorted(shown)}", self.message.get("cards"))
        missing = 0
        for place, hands in shown.items():
            heard = told.get(place, "" if place == "bank" else [])
            listed = [heard] if place == "bank" else heard
            if not isinstance(listed, list) or not all(isinstance(one, str) for one in listed):
                self.say(f"cards, {place}", hands, heard)
                continue
            right, got = " ".join(hands).split(), " ".join(listed).split()
            missing += len(right) - len(got)
            if Counter(got) - Counter(right) - Counter(course.left) and not unsure:
                self.say(f"cards, {place}", hands, heard)
        if missing > 2 and not unsure:
            self.say("cards", shown, told)

    def _lines(self, worth: dict[int, list[Worth]]) -> None:
        seats = part(self.message, "seats")
        if seats.keys() != {str(seat) for seat in worth}:
            self.say("seats", sorted(str(seat) for seat in worth), sorted(seats))
        for at, due in worth.items():
            place = part(seats, str(at))
            self.same(f"seat {at}, net", sum(one.net for one in due if one.player is None), place.get("net"))
            told = parts(place, "lines")
            names = [[line.get("wager"), line.get("player"), line.get("hand")] for line in told]
            self.same(f"seat {at}, lines", [[one.wager, one.player, one.hand] for one in due], names)
            if len(told) != len(due) or not isinstance(place.get("lines"), list):
                continue
            for one, line in zip(due, told, strict=True):
                self._line(f"seat {at}, line {one.name}", one, line)

    def _line(self, where: str, one: Worth, line: Message) -> None:
        for key in NAMED:
            self.same(f"{where}, {key}", getattr(one, key), line.get(key, "nothing"))
        cited = line.get("article")
        if cited not in one.rules and not (one.rules == OPEN and isinstance(cited, str) and cited.strip()):
            self.say(f"{where}, article", " or ".join(one.rules), cited)
        if one.wager == "jackpot":
            self.same(f"{where}, combination", one.combination, line.get("combination", one.combination))
            self.same(f"{where}, carried", False, line.get("carried", False))

    def jackpot(self, before: int | None, after: int | None, awards: list[dict[str, Any]]) -> None:
        """The meter around the round; `before` None: the table offers no prize (38)."""
        got = self.message.get("jackpot", "nothing")
        if before is None:
            self.same("jackpot", None, got)
            return
        expected = {"pot_before": before, "pot_after": after, "awards": awards}
        self.same("jackpot", expected, got)

    def pushed(
        self, worth: dict[int, list[Worth]], owners: dict[int, str | None], pays: list[Line], *, ended: bool
    ) -> None:
        """The winnings pushed on the table to each who bet; the accumulated prize has its own way."""
        due: Counter[Whose] = Counter()
        for at, lines in worth.items():
            for one in lines:
                if one.net > 0 and one.wager != "jackpot":
                    due[at, one.wager, one.player] += one.net
        got: Counter[Whose] = Counter()
        for line in pays:
            if line["wager"] != "jackpot":
                at, player = int(line["seat"]), line.get("player")
                got[at, str(line["wager"]), None if player == owners.get(at) else player] += int(line["amount"])
        for whose in sorted(due.keys() | got.keys(), key=str):
            if got[whose] != due[whose] and (ended or got[whose]):
                of = f" of {whose[2]}" if whose[2] else ""
                self.say(f"seat {whose[0]}, line {whose[1]}{of}, pushed on the table", due[whose], got[whose])
