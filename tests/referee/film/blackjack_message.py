"""A `rounds` message of black-jack compared with what the referee made of the round; every difference a sentence."""

from collections import Counter

from ..rules.blackjack_course import BEFORE_PLAY, Course
from ..rules.blackjack_moves import BACKING, BET, Answer, Place, parsed
from ..rules.blackjack_prize import ChipOf
from ..rules.lines import Lying, Message, Stakes, Worth
from .camera import Line
from .message import Difference, Due, lying, stakes

Whose = tuple[int, str, str | None]  # seat, wager, player; None: of him who decides


def as_stakes(places: dict[int, Place], chips: set[ChipOf], chip: int) -> Stakes:
    """The bets of each seat and their chips; the seat's own chip comes last."""
    found: Stakes = {}
    for at, place in places.items():
        found[at, BET, place.player] = place.bet
        for player, bet in place.backers.items():
            found[at, BACKING, player] = bet
            if (at, player) in chips:
                found[at, "jackpot", player] = chip
        if (at, None) in chips:
            found[at, "jackpot", place.player] = chip
    return found


def published_places(message: Message) -> dict[int, Place]:
    """The bets a message reports, as far as they are bets."""
    published = stakes(message)
    places = {seat: Place(player, bet) for (seat, wager, player), bet in published.items() if wager == BET}
    for (seat, wager, player), bet in published.items():
        if wager == BACKING and seat in places:
            places[seat].backers[str(player)] = bet
    return dict(sorted(places.items()))


def published_answers(message: Message) -> list[object]:
    """What players reported, as a message reports it: seat, hand, word and numbers; anything else as it stands."""
    answers: list[object] = []
    listed = message.get("decisions")
    for item in listed if isinstance(listed, list) else []:
        right = (
            isinstance(item, dict) and item.keys() == {"seat", "hand", "decision"} and isinstance(item["decision"], str)
        )
        answers.append((item["seat"], item["hand"], *parsed(item["decision"])) if right else item)
    return answers


def as_published(answers: list[Answer]) -> list[object]:
    """What players reported on camera, in the same form; what is asked before the play is of no hand."""
    return [(answer.seat, None if answer.question in BEFORE_PLAY else answer.hand, *answer.says) for answer in answers]


class Against21(Difference):
    """The differences of one message of black-jack."""

    def settled(self, course: Course, worth: dict[int, list[Worth]]) -> None:
        """A round that was played to its end."""
        self.outcome()
        self.cards(course.shown())
        self._answers(as_published(course.answers))
        self._bank(*((course.bank_total, course.black_jack) if course.turned else (None, None)))
        self._lines(worth)

    def _bank(self, total: int | None, black_jack: bool | None) -> None:
        self.values("bank", {"total": total, "black_jack": black_jack}, self.message.get("bank"))

    def _answers(self, expected: list[object]) -> None:
        got = published_answers(self.message)
        for number, (due, other) in enumerate(zip(expected, got, strict=False), start=1):
            if repr(due) != repr(other):  # neither True nor 1.0 is a seat
                self.say(f"decisions, {number}", due, other)
        if len(expected) != len(got) or not isinstance(self.message.get("decisions"), list):
            self.say("decisions", f"{len(expected)} answers", f"{len(got)}")

    def voided(
        self, course: Course, whole: Course, article: str, worth: dict[int, list[Worth]], *, unsure: bool
    ) -> None:
        """A round in which nothing is won or lost.

        `course` is what the station received the `whole`; `unsure`: a card may have come late, or unread.
        """
        self.outcome(article)
        self._lines(worth)
        self._answers(as_published(course.answers))
        if len(course.answers) < len(whole.answers) - 1 and not unsure:
            self.say("decisions", f"{len(whole.answers)} answers", len(course.answers))
        self._bank(None, None)
        self._cards_so_far(course, unsure=unsure)

    def _cards_so_far(self, course: Course, *, unsure: bool) -> None:
        """The last two may have come as the round was void; of those placed wrongly any may be reported anywhere."""
        shown, published = _by_place(course.shown()), _by_place(lying(self.message))
        if published.keys() - shown.keys():
            self.say("cards", f"cards at {sorted(shown)}", sorted(published))
        missing = 0
        for place, right in shown.items():
            got = published.get(place, [])
            missing += len(right) - len(got)
            if Counter(got) - Counter(right) - Counter(course.left) and not unsure:
                self.say(f"{place}, cards", " ".join(right), " ".join(got))
        if missing > 2 and not unsure:
            self.say("cards", shown, published)

    def _lines(self, worth: dict[int, list[Worth]]) -> None:
        """The net of a seat is without its backers'."""
        self.seats({at: Due(due, sum(line.net for line in due if line.player is None)) for at, due in worth.items()})

    def pushed(
        self, worth: dict[int, list[Worth]], owners: dict[int, str | None], pays: list[Line], *, ended: bool
    ) -> None:
        """The winnings pushed on the table to each who bet; the accumulated prize has its own way."""
        due: Counter[Whose] = Counter()
        for at, lines in worth.items():
            for line in lines:
                if line.net > 0 and line.wager != "jackpot":
                    due[at, line.wager, line.player] += line.net
        got: Counter[Whose] = Counter()
        for paid in pays:
            if paid["wager"] != "jackpot":
                at, player = int(paid["seat"]), paid.get("player")
                got[at, str(paid["wager"]), None if player == owners.get(at) else player] += int(paid["amount"])
        for whose in sorted(due.keys() | got.keys(), key=str):
            if got[whose] != due[whose] and (ended or got[whose]):
                of = f" of {whose[2]}" if whose[2] else ""
                self.say(f"seat {whose[0]}, line {whose[1]}{of}, pushed on the table", due[whose], got[whose])


def _by_place(cards: Lying) -> dict[str, list[str]]:
    """The cards of each place, those of its hands together."""
    found: dict[str, list[str]] = {}
    for (place, _), there in cards.items():
        found.setdefault(place, []).extend(there)
    return found
