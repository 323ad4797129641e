"""Fortune 8 on the felt: the bets in the boxes and the card of each space, as the camera saw them. No I/O here.

The regulation numbers no article: its groups of paragraphs are counted, 4.º bets and deal, 5.º errors.
"""

from dataclasses import dataclass, field
from typing import Any

from ..rules.fortune_8 import BOXES
from ..rules.hands import PACK
from .camera import Line, seat_of
from .faults import BROKEN, PERHAPS_UNREAD, REPORTS_LOST, SHUFFLER_SILENT, SHUFFLER_STOPS, UNREAD, Faults
from .void import COMPLETE_DECK, EVERY_CARD_REPORTED, SUPERVISORS_VOID, Dealt

FORTUNE_8 = "fortune-8"
SPACES = range(1, 8)  # 4.º 1
EVERY_SPACE, SPACES_WITH_BETS = "every_space", "spaces_with_bets"  # 4.º 6
NOT_CORRECTED = "5.º"
DISCARD = "discard"

Bet = tuple[int, str, str | None]  # space, box, player


@dataclass
class Bets:
    """What was in the boxes when betting closed, in the order placed; `closed_at` is a line of the film."""

    closed: bool
    closed_at: float
    valid: dict[Bet, int]
    announced: str | None  # before the first card came to a space
    announced_at: float
    first_card: float | None  # the first card that came to a space

    @property
    def spaces(self) -> list[int]:
        """The spaces with a bet, in the order of the deal."""
        return sorted({seat for seat, _, _ in self.valid})


def boxes(station: dict[str, Any]) -> tuple[str, ...]:
    """The boxes of a space: the three of 4.º 2, and those of bets that were authorised beside them (9.º 1)."""
    return (*BOXES, *(str(bet["name"]) for bet in station["table"].get("wagers", {}).get("bet", [])))


def _within(limits: dict[str, Any], box: str, amount: int) -> bool:
    """4.º 3: the limits of the box where it has its own, else the table's."""
    own = limits.get(box, limits)
    return bool(own["min"] <= amount <= own["max"])


def bets(lines: list[Line], station: dict[str, Any]) -> Bets:
    """The bets that remain: each in limits (4.º 3), in a box (4.º 2), placed before the betting was closed (4.º 5)."""
    over = float(lines[-1]["line"]) + 1
    aside = [(line["from"], line["card"]) for line in lines if line["event"] == "moved" and line["to"] == DISCARD]
    cards = [
        float(line["line"])
        for line in lines
        if line["event"] == "card" and seat_of(line["to"]) is not None and (line["to"], line["card"]) not in aside
    ]
    first_card = min(cards, default=over)
    announced = [line for line in lines if line["event"] == "announce" and line["line"] < first_card]
    announced_at = float(announced[-1]["line"]) if announced else over
    until = min(first_card, announced_at)
    presses = [float(line["line"]) for line in lines if line["event"] == "lock_in" and line["line"] < until]
    closed_at = max(presses, default=until)
    stakes: dict[Bet, int] = {}
    for line in lines:
        if line["line"] > closed_at:
            break
        if line["event"] == "wager":
            bet = (int(line["seat"]), str(line["wager"]), line.get("player"))
            stakes[bet] = int(line["amount"])
            if not stakes[bet]:
                del stakes[bet]
    limits = station["table"]["limits"]
    valid = {
        bet: amount
        for bet, amount in stakes.items()
        if bet[0] in SPACES and bet[1] in boxes(station) and _within(limits, bet[1], amount)
    }
    return Bets(
        closed=closed_at < over,
        closed_at=closed_at,
        valid=valid,
        announced=str(announced[-1]["deal"]) if announced else None,
        announced_at=announced_at,
        first_card=first_card if cards else None,
    )


@dataclass
class Drawn:
    """A card that came to a space, the space it is at now, and the line where it came."""

    card: str
    position: str
    at: float


@dataclass
class Spread(Dealt):
    """The deal of one round; the n-th card drawn is due at the n-th place."""

    deal: str | None = None  # as announced, or as configured if a card was earlier (3.º)
    early: bool = False
    places: list[str] = field(default_factory=list)
    drawn: list[Drawn] = field(default_factory=list)
    set_aside: bool = False

    @property
    def cards(self) -> dict[str, str]:
        """The card of each place that is due one, by the order in which they left the source."""
        return {place: drawn.card for place, drawn in zip(self.places, self.drawn, strict=False)}

    def follow_bets(self, keyed: dict[str, str]) -> None:
        """Name the places as the station does where bets were keyed in at another space and cards follow bets."""
        if self.deal == SPACES_WITH_BETS:
            self.places = [keyed.get(place, place) for place in self.places]

    @property
    def right(self) -> bool:
        """Whether every card is where it was due."""
        return [drawn.position for drawn in self.drawn] == self.places[: len(self.drawn)]


def spread(
    lines: list[Line], on: Bets, source: str, configured: str, faults: Faults, since: float, too_many: list[Line]
) -> Spread:
    """Follow the cards of a round (4.º 6), until something voids it that cannot be corrected (5.º).

    `since` is the line where the last deal from this source ended; `too_many` are cards that came more often than the
    decks hold them.
    """
    result = Spread(source, early=on.first_card is not None and on.announced is None)
    result.deal = on.announced or (configured if result.early else None)
    result.places = [f"seat {seat}" for seat in (on.spaces if result.deal == SPACES_WITH_BETS else SPACES)]
    result.ended_at = float(lines[-1]["line"])
    paid = [float(line["line"]) for line in lines if line["event"] == "pay"]
    if paid:
        result.ended_at = paid[0]
    excess = {int(line["line"]) for line in too_many}
    for line in lines:
        _follow(result, line, voids=int(line["line"]) in excess)
    result.complete = result.deal is not None and result.right and len(result.drawn) == len(result.places)
    if not result.void and result.drawn and not (result.right and len(result.drawn) <= len(result.places)):
        result.void, result.void_at = NOT_CORRECTED, result.ended_at
    if not paid:
        _machines(result, on, faults, since)
    last = result.drawn[-1].at if result.drawn else on.closed_at
    result.unread = not result.set_aside and any(
        on.closed_at < fault.start < last for fault in faults.of(source, UNREAD[source])
    )
    result.perhaps_unread = faults.any(source, PERHAPS_UNREAD[source], since, result.ended_at)
    return result


def _follow(result: Spread, line: Line, *, voids: bool) -> None:
    event, kind, at = line["event"], str(line.get("kind")), float(line["line"])
    if event == "card":
        _card(result, str(line["to"]), str(line["card"]), str(line.get("face")), at)
    elif event == "moved":
        _moved(result, str(line["from"]), str(line["to"]), str(line["card"]), at)
    article = None
    if voids:
        article = COMPLETE_DECK
    elif event == "irregularity" and kind in BROKEN:
        article = NOT_CORRECTED
    elif event == "irregularity" and kind == "supervisor_void":
        article = SUPERVISORS_VOID
    if article and not result.void:
        result.void, result.void_at = article, at


def _card(result: Spread, place: str, card: str, face: str, at: float) -> None:
    if card not in PACK:
        raise ValueError(f"camera line {at:.0f}: no such card as {card!r}")
    if face != "up":
        result.odd.append(f"camera line {at:.0f}: {card} came face down (4.º 6)")
    if place == DISCARD:
        result.set_aside = True
    elif not result.void:
        result.drawn.append(Drawn(card, place, at))


def _moved(result: Spread, place: str, to: str, card: str, at: float) -> None:
    """5.º: a card placed wrongly is corrected; one too many is set aside."""
    moved = next((drawn for drawn in reversed(result.drawn) if (drawn.position, drawn.card) == (place, card)), None)
    if moved is None:
        result.odd.append(f"camera line {at:.0f}: {card} was not at {place}")
    elif to == DISCARD:
        result.drawn.remove(moved)
        result.set_aside = True
    else:
        moved.position = to


def _machines(result: Spread, on: Bets, faults: Faults, since: float) -> None:
    """What the dealer may have reported a source that could not continue, and the camera cannot report."""
    for fault in faults.of(result.source, REPORTS_LOST):
        if fault.touches(since, result.ended_at):
            result.allow(EVERY_CARD_REPORTED, max(fault.start, since), f"the {result.source}'s fault {fault.kind}")
    if result.source != "shuffler" or not on.closed:
        return
    before_last = result.drawn[-2].at if result.complete and len(result.drawn) > 1 else on.closed_at
    for fault in faults.of("shuffler", SHUFFLER_STOPS | SHUFFLER_SILENT):
        if fault.touches(before_last, result.ended_at):
            result.allow(NOT_CORRECTED, max(fault.start, before_last), f"the dispenser's {fault.kind} in the deal")
