"""Black-jack: what a message says went wrong and was corrected, against what was filmed of it. No I/O here."""

from collections import Counter
from typing import Any

from ..rules.blackjack_course import Course
from ..rules.blackjack_moves import Place
from ..rules.lines import Message
from .blackjack_message import Against21, published_places
from .camera import Line, seat_of
from .irregular import corrections_of, moved_seats
from .message import parts, replaced_in
from .policies import ERRORS_CORRECTED, KEYED_IN
from .void import Dealt

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
