"""A `rounds` message of black-jack compared with what the referee made of the round; every difference a sentence."""

from collections import Counter
from typing import Any

from ..rules.blackjack import ChipOf
from ..rules.blackjack_cards import BACKING, BET, Answer, Place, parsed
from ..rules.blackjack_course import BEFORE_PLAY, Course
from ..rules.lines import Lying, Message, Stakes, Worth
from .camera import Line, seat_of
from .message import Difference, Due, lying, parts, replaced_in, stakes
from .poker_message import corrections_of, moved_seats
from .void import ERRORS_CORRECTED, KEYED_IN, Dealt

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


# ---- Black-jack: what a message says went wrong and was corrected, against what was filmed of it. No I/O here


CITED = {
    "unasked_card": ("18",),
    "bank_card_too_many": ("19",),
    "error_corrected": ERRORS_CORRECTED,
    "keyed_in": KEYED_IN,
}
Wrong = tuple[str, str, object]  # kind, place, what


def with_real_seats(message: Message, real: dict[int, int]) -> Message:
    """The message with the seats where bets are in place of those where they were keyed in."""
    if not real:
        return message
    places = {f"seat {keyed}": f"seat {seat}" for keyed, seat in real.items()}
    for row in [entry for key in ("wagers", "seats", "decisions") for entry in parts(message, key)]:
        row["seat"] = real.get(row["seat"], row["seat"]) if type(row.get("seat")) is int else None
    for part in parts(message, "shown_cards"):
        part["to"] = places.get(str(part.get("to")), part.get("to"))
    for key in ("wagers", "seats"):
        if isinstance(message.get(key), list):
            message[key].sort(key=lambda item: (item.get("seat") if isinstance(item, dict) else None) or 0)
    return message


def entered(places: dict[int, Place], message: Message, filmed: list[Line]) -> dict[int, Place]:
    """The bets of a void round as the dealer entered them: a wrong amount that was not corrected before stands."""
    put = {entry.get("what") for entry in parts(message, "corrections")}
    published = published_places(message)
    result = {at: Place(place.player, place.bet, dict(place.backers), place.vacant) for at, place in places.items()}
    for line in filmed:
        at = int(line["seat"]) if line.get("kind") == "slip_wager" else 0
        if "wager" in put or at not in result or at not in published:
            continue
        if line.get("wager") == "backing":
            for player in result[at].backers.keys() & {line.get("player")} & published[at].backers.keys():
                result[at].backers[player] = published[at].backers[player]
        else:
            result[at].bet = published[at].bet
    return result


def _what(kind: str, line: Message) -> object:
    if kind == "unasked_card":
        seen: Any = line.get("what", line.get("seen"))
        return {True: "seen", False: "unseen"}[seen] if isinstance(seen, bool) else seen
    return line.get("what") if kind == "error_corrected" else None


def _filmed(filmed: list[Line]) -> Counter[Wrong]:
    result: Counter[Wrong] = Counter()
    for line in filmed:
        kind = str(line["kind"])
        if kind in CITED:
            place = f"seat {line['seat']}" if "seat" in line else str(line.get("to", "bank"))
            result[kind, place, _what(kind, line)] += 1
    return result


def irregularities(against: Against21, dealt: Dealt, course: Course, filmed: list[Line], *, void: bool) -> None:
    """Cards against a player's wish (18), too many for the bank (19), errors corrected, cards keyed in."""
    entries = against.entries("irregularities")
    real = {f"seat {keyed}": f"seat {seat}" for keyed, seat in moved_seats(filmed).items()}
    published: Counter[Wrong] = Counter()
    keyed_in: set[str] = set()
    for entry in entries:
        kind, place = str(entry.get("kind")), real.get(str(entry.get("to")), str(entry.get("to")))
        against.cites(f"irregularities, {kind}, article", CITED.get(kind, ()), entry.get("article"))
        if kind == "keyed_in":
            keyed_in.add(place)
        else:
            published[kind, place, str(_what(kind, entry)) if _what(kind, entry) is not None else None] += 1
    due = _filmed(filmed)
    # A card that no one saw and no one asked for any more is one that the bank may not have (18, 19).
    unseen = sum(count for (kind, _, what), count in due.items() if (kind, what) == ("unasked_card", "unseen"))
    too_many = "bank_card_too_many", "bank", None
    left_over = min(unseen, max(0, published[too_many] - due[too_many]))
    if left_over:
        due[too_many] += left_over
    if published - due or (not void and published != due):
        against.say("irregularities", dict(due), dict(published))
    places = {f"seat {seat}" for seat in course.seats} | {"bank"}
    miskeyed = {str(line.get("to")) for line in filmed if line.get("kind") == "miskey"}
    if keyed_in - places or (keyed_in and not (dealt.perhaps_unread or miskeyed)):
        against.say("irregularities, keyed_in", "nothing: every card was read", sorted(keyed_in))
    if not void and (miskeyed - keyed_in or (dealt.unread and not keyed_in)):
        against.say("irregularities, keyed_in", sorted(miskeyed) or "keyed_in", sorted(keyed_in) or "nothing")


def corrections(against: Against21, course: Course, filmed: list[Line], *, void: bool) -> None:
    """A slip was corrected, or the round is void; and what was corrected is what happened."""
    last = corrections_of(against, filmed, void=void)
    if void:
        return
    for (what, place, wager, player), entry in last.items():
        after, seat = entry.get(replaced_in(entry)[1]), seat_of(place)
        where = f"corrections, {place}, {wager if what == 'wager' else what}"
        there = course.seats.get(seat) if seat is not None else None
        if what == "wager":
            bet = there.place.bet if there else 0
            if there and player is not None and player in there.place.backers:
                bet = there.place.backers[player]
            against.same(where, bet, after)
        elif what == "seat" and str(after).removeprefix("seat ") != str(seat):
            against.say(where, place, after)
        elif what == "cards":
            hands = [hand.cards for hand in there.hands] if there else [course.bank]
            if str(after) not in [*(" ".join(hand) for hand in hands), *(card for hand in hands for card in hand)]:
                against.say(where, hands, after)
        elif what == "decision" and after not in [answer.says[0] for answer in course.answers if answer.seat == seat]:
            against.say(where, "an answer of the seat", after)
