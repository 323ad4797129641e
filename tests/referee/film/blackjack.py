"""One evening of black-jack/21, judged round after round: cards, bets, the course of the play, prize."""

import copy
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from ..rules.blackjack import ChipOf, pay, settle, tier
from ..rules.blackjack_cards import Answer, Card, Place
from ..rules.blackjack_course import Course
from ..rules.lines import Message, Stakes, Worth
from ..rules.meter import Meter
from .blackjack_message import (
    Against21,
    as_stakes,
    corrections,
    entered,
    irregularities,
    published_answers,
    published_places,
    with_real_seats,
)
from .blackjack_stock import Bets, Stock, Stream, bets, stream
from .camera import Felt, Line, card_source
from .faults import BROKEN, PERHAPS_UNREAD, REPORTS_LOST, UNREAD, Faults
from .message import parts, published_seat, stakes
from .poker_message import moved_seats
from .referee import Referee
from .void import COMPLETE_DECK, EVERY_CARD_REPORTED, MISDEAL, SUPERVISORS_VOID, Dealt, why_void

BLACKJACK = "blackjack-21"


def is_without_play(lines: list[Line]) -> bool:
    """Whether no one bet in this round (12); once it is over no one bets between two rounds."""
    ends = [line["event"] for line in lines if line["event"] in ("no_bets", "round_end")]
    return ends[:1] == ["no_bets"]


@dataclass
class Round:
    """What the camera has of one round."""

    number: int
    lines: list[Line]
    on: Bets
    film: Stream
    course: Course
    dealt: Dealt
    chips: set[ChipOf] = field(default_factory=set)

    def filmed(self, event: str) -> list[Line]:
        """Its lines of one kind."""
        return [line for line in self.lines if line["event"] == event]

    @property
    def ended(self) -> bool:
        """Whether it was played to its end."""
        return bool(self.filmed("round_end"))


class BlackjackReferee(Referee):
    """Of black-jack/21."""

    def __init__(self, station: dict[str, Any], faults: Faults, before: list[Line]) -> None:
        super().__init__(station, faults)
        offered = "jackpot" in station["table"].get("wagers", {}).get("additional", [])
        self.meter = Meter(station["jackpot"]) if offered else None
        self.chip = int(station["jackpot"]["chip"]) if offered else 0
        self.by_slots = offered and station["jackpot"].get("marking", "automatic") == "automatic"
        self.stock = Stock(int(station["table"]["decks"]), int(station["table"]["seats"]), faults)
        for line in before:
            self.stock.between(0, line)
        self.homes: dict[str, int] = {}  # the seats of players, by their own bets

    def round(self, number: int, lines: list[Line], message: Message | None, *, last: bool) -> None:
        """Judge one round; `message` is None if none was sent."""
        self.report.rounds += 1
        if is_without_play(lines):
            self._without_play(number, lines, message)
            return
        on, film = bets(lines, self.station, self.homes), stream(lines)
        self.report.notes += [f"round {number}: {odd}" for odd in film.odd]
        self.report.notes += [f"round {number}: camera line {at}: a bet that came too late (13)" for at in on.late]
        course = Course(on.places, film.events, self.rules)
        this = Round(number, lines, on, film, course, self._deal(number, lines, course))
        this.chips = self._chips(this, message)
        before = self.meter.shown if self.meter else None
        self._increment(this)
        if message is None:
            if last and not this.ended:
                return
            self.report.differences.append(f"round {number}: expected a message, got none")
        against = Against21(number, message or {})
        played_on = message is not None and against.message.get("outcome") != "void"
        if course.broken and not this.dealt.void and (played_on or not this.dealt.may):
            against.differences.append(f"round {number}, camera line {course.broken_at}: {course.broken}")
        article = why_void(against, this.dealt, self.report.notes, playable=on.closed and bool(on.places))
        if course.broken and played_on and not this.dealt.void:
            article = "~"
        if article == "~":  # played on though the rules and the film part: nothing can be computed
            self._given_up(against, this, before)
        elif article is None:
            self._settled(against, this, before)
        else:
            self._voided(against, this, before, article)
        if message is not None:
            self.report.differences += against.differences
        self._paid_before_the_cards_go(this)
        if self.meter and self.meter.balance():
            self.report.differences.append(f"round {number}: the referee's own books are off by {self.meter.balance()}")

    def _without_play(self, number: int, lines: list[Line], message: Message | None) -> None:
        """12: no one bet, so that nothing is dealt, settled or reported; its chips are there for the next round."""
        self.report.idle += 1
        self.stock.round(number, lines, card_source(lines, self.station))
        self.report.differences += self.stock.differences
        self.stock.differences.clear()
        for line in lines:
            if line["event"] in ("wager", "card", "lock_in"):
                at, got = line["line"], line["event"]
                expected = f"round {number}, camera line {at}: expected nothing, for no one bets (12)"
                self.report.differences.append(f"{expected}, got {got}")
        if message is not None:
            self.report.differences.append(f"round {number}: expected no message, for no one bet (12), got one")
        self.early += [line for line in lines if line["event"] in ("chip", "irregularity")]

    def _deal(self, number: int, lines: list[Line], course: Course) -> Dealt:
        source = card_source(lines, self.station)
        self.stock.round(number, lines, source)
        self.report.differences += self.stock.differences
        self.stock.differences.clear()
        paid = [float(line["line"]) for line in lines if line["event"] in ("round_end", "pay")]
        dealt = Dealt(source, complete=course.complete, ended_at=max([*paid[:1], course.last_at]))
        since = self.dealt_before.get(source, 0.0)
        for line in lines:
            article = None
            if line["event"] == "irregularity" and line.get("kind") in BROKEN:
                article = MISDEAL
            elif line["event"] == "irregularity" and line.get("kind") == "supervisor_void":
                article = SUPERVISORS_VOID
            elif line in self.stock.too_many:
                article = COMPLETE_DECK
            if article and not dealt.void:
                dealt.void, dealt.void_at = article, float(line["line"])
        for line in self.stock.doubtful:
            dealt.allow(COMPLETE_DECK, float(line["line"]), "one of too many equal cards may not have been read")
        for fault in self.faults.of(source, REPORTS_LOST):
            if fault.touches(since, dealt.ended_at):
                dealt.allow(EVERY_CARD_REPORTED, max(fault.start, since), f"the {source}'s fault {fault.kind}")
        dealt.perhaps_unread = self.faults.any(source, PERHAPS_UNREAD[source], since, dealt.ended_at)
        first = min((float(line["line"]) for line in lines if line["event"] == "card"), default=dealt.ended_at)
        dealt.unread = any(first < fault.start < course.last_at for fault in self.faults.of(source, UNREAD[source]))
        dealt.unread = dealt.unread and course.turned and not course.aside
        if any(line["event"] in ("card", "burn") for line in lines):
            self.dealt_before[source] = dealt.ended_at
        self.report.differences += [f"round {number}, on the table: {wrong}" for wrong in course.wrong]
        return dealt

    def _chips(self, this: Round, message: Message | None) -> set[ChipOf]:
        """The chips for the accumulated prize, and whose they are (39, 45, 47, 48); their parts go into the meter."""
        in_slots, previous = self.placed(this.lines, this.on.closing.closed_at)
        if self.meter is None or not this.on.closed:
            return set()
        if self.by_slots:
            # A slot has no names: its chip is of him who decides there.
            new: set[ChipOf] = {(seat, None) for seat in self._by_slots(this, in_slots, previous, message)}
        else:
            new = self._by_hand(this)
        for whose in sorted(new, key=str):
            self.meter.contribute(whose)
        return new

    def _by_hand(self, this: Round) -> set[ChipOf]:
        """One chip for each player who bets at a seat (47), and a marker where each place (41 b))."""
        on = this.on

        def whose(lines: list[Line], places: dict[int, Place]) -> list[ChipOf]:
            found: list[ChipOf] = []
            for line in lines:
                at, player = int(line["seat"]), line.get("player")
                if at in places and (player is None or player in (places[at].player, *places[at].backers)):
                    found.append((at, player if player in places[at].backers else None))
            return sorted(found, key=str)

        closed_at = on.closing.closed_at
        stakes = whose([line for line in this.filmed("chip") if line["line"] < closed_at], on.at_closing)
        marked = whose(this.filmed("marker"), on.places)
        strangers = len(this.filmed("marker")) - len(marked)
        if strangers or (marked != stakes and (this.course.complete or set(marked) - set(stakes))):
            self._say(this, "markers", f"{stakes} (41 b), 45, 47)", marked + [None] * strangers)
        return set(marked)

    def _by_slots(self, this: Round, in_slots: dict[int, int], previous: float, message: Message | None) -> set[int]:
        closing = this.on.closing
        begun_at = min(
            (int(line["line"]) for line in this.lines if line["event"] in ("wager", "chip")), default=closing.closed_at
        )
        beside = {seat: {"bet": place.bet} for seat, place in this.on.at_closing.items()}
        felt = Felt(this.on.closed, begun_at, closing.closed_at, closing.locked_at, beside, closing.seconds)
        published = None
        if message is not None:
            real = moved_seats(this.filmed("irregularity"))
            published = {real.get(seat, seat) for seat, wager, _ in stakes(message) if wager == "jackpot"}
        return self.counted(this.number, in_slots, felt, set(), previous, published)

    def _increment(self, this: Round) -> None:
        """41 b): what the dealer put on the display is what the chips add."""
        if self.meter is None or self.by_slots:
            return
        due = len(this.chips) * self.chip * int(self.meter.rules["increment_bp"])
        got = [int(line["amount"]) for line in this.filmed("increment")]
        right = due // 10_000, -(-due // 10_000)
        if (got and got[-1] not in right) or (due and not got and this.course.complete):
            self._say(this, "increment", f"{due / 10_000} (41 b))", got)

    def _heading(self, against: Against21, this: Round, wagers: Stakes | None) -> None:
        """What every message has, void or not; `wagers` None: there is nothing to hold them against."""
        against.heading(self.station, this.dealt.source, {"jackpot"} if self.meter else ())
        against.same("deal", None, against.message.get("deal", "nothing"))
        if wagers is not None:
            against.wagers(wagers)

    def _given_up(self, against: Against21, this: Round, before: int | None) -> None:
        """Only what does not hang on the play, so that the rounds after it can be judged."""
        self.report.settled += 1
        self._heading(against, this, as_stakes(this.on.places, this.chips, self.chip))
        against.outcome()
        dealt = {
            at: [event.card for event in this.film.events if isinstance(event, Card) and event.position == f"seat {at}"]
            for at in this.on.places
        }
        awards = self._prizes(this, dealt)
        against.jackpot(before, self.meter.shown if self.meter else None, awards)
        self._prizes_pushed(this)

    def _prizes(self, this: Round, dealt: dict[int, list[str]]) -> list[dict[str, Any]]:
        """What the meter pays for the cards of each seat (42, 43)."""
        if self.meter is None:
            return []
        turn = {at: [None, *place.backers] for at, place in this.on.places.items()}
        in_turn = sorted(this.chips, key=lambda whose: (whose[0], turn[whose[0]].index(whose[1])))
        awards = pay(self.meter, {whose: won for whose in in_turn if (won := tier(dealt[whose[0]], self.rules))})
        self.meter.chips.clear()
        self.report.unpaid += [(this.number, award["seat"], award["amount"]) for award in awards if award["amount"]]
        return awards

    def _settled(self, against: Against21, this: Round, before: int | None) -> None:
        self.report.settled += 1
        course = this.course
        awards = self._prizes(this, {at: seat.dealt for at, seat in course.seats.items()})
        worth = settle(course, this.chips, self.chip, awards)
        self._heading(against, this, as_stakes(this.on.places, this.chips, self.chip))
        against.settled(course, worth)
        against.jackpot(before, self.meter.shown if self.meter else None, awards)
        self._pushed(against, this, worth)
        irregularities(against, this.dealt, course, this.filmed("irregularity"), void=False)
        corrections(against, course, this.filmed("irregularity"), void=False)
        self._chips_back(this, set())
        self._prizes_pushed(this)

    def _pushed(self, against: Against21, this: Round, worth: dict[int, list[Worth]]) -> None:
        owners = {at: place.player for at, place in this.on.places.items()}
        against.pushed(worth, owners, this.filmed("pay"), ended=this.ended)

    def _voided(self, against: Against21, this: Round, before: int | None, article: str) -> None:
        self.report.void += 1
        self.report.void_by[article] += 1
        filmed = this.filmed("irregularity")
        corrected = {entry.get("what") for entry in parts(against.message, "corrections")}
        if "seat" not in corrected:
            against.message = with_real_seats(copy.deepcopy(against.message), moved_seats(filmed))
        message = against.message
        places = entered(this.on.places, message, filmed) if this.on.closed else published_places(message)
        course = self._as_received(this, places, against.message)
        self._heading(against, this, as_stakes(places, this.chips, self.chip) if this.on.closed else None)
        unsure = this.dealt.perhaps_unread or bool(this.dealt.may)
        awards: list[dict[str, Any]] = []
        if course.deal_ended_at:  # 46: every chip has won or lost
            awards = self._prizes(this, {at: seat.dealt for at, seat in course.seats.items()})
        elif self.meter:
            for whose in sorted(this.chips, key=str):
                self.meter.give_back(whose)
        worth = settle(course, this.chips, self.chip, awards, article)
        against.voided(course, this.course, article, worth, unsure=unsure)
        against.jackpot(before, self.meter.shown if self.meter else None, awards)
        against.pushed(worth, {at: place.player for at, place in places.items()}, this.filmed("pay"), ended=this.ended)
        irregularities(against, this.dealt, this.course, filmed, void=True)
        corrections(against, this.course, filmed, void=True)
        self._chips_back(this, set() if course.deal_ended_at else this.chips)
        self._prizes_pushed(this)
        if article == COMPLETE_DECK:
            self.stock.not_whole()
            if article == this.dealt.void and not self.faults.any("deck", {"doubled"}, 0, this.dealt.void_at):
                card = self.stock.too_many[0]["card"]
                against.say("cards", f"each card as often as there are decks: {self.stock.decks}", f"more of {card}")

    def _as_received(self, this: Round, places: dict[int, Place], message: Message) -> Course:
        """The round as far as the station received it: the answers it reports, and the cards before the next one."""
        received = len(published_answers(message))
        kept = []
        for event in this.film.events:
            if isinstance(event, Answer):
                received -= 1
                if received < 0:
                    break
            kept.append(event)
        # The last two cards may have come as the round was void, and decided nothing.
        courses = [Course(places, list(kept), self.rules)]
        while len(courses) < 3 and kept and isinstance(kept[-1], Card):
            kept.pop()
            courses.append(Course(places, list(kept), self.rules))
        return next((course for course in courses if self._as_published(course, this.chips, message)), courses[0])

    def _as_published(self, course: Course, chips: set[ChipOf], message: Message) -> bool:
        """Whether the message has what this course decides."""
        tiers = {at: tier(seat.dealt, self.rules) for at, seat in course.seats.items() if course.deal_ended_at}
        won = [(at, player, tiers.get(at)) for at, player in chips]
        awards = [{"seat": at, "player": player, "tier": rank, "amount": 0} for at, player, rank in won if rank]
        due = {at: [line.outcome for line in lines] for at, lines in settle(course, chips, 0, awards, "~").items()}
        published = {at: [line.get("outcome") for line in parts(published_seat(message, at), "lines")] for at in due}
        return due == published

    def _chips_back(self, this: Round, owed: set[ChipOf]) -> None:
        """Exactly the counted chips of a void round go back to their players."""
        back = sorted(int(line["seat"]) for line in this.filmed("chip_back"))
        due = sorted(seat for seat, _ in owed)
        if back != due and (this.ended or Counter(back) - Counter(due)):
            self._say(this, "chips handed back", due, back)

    def _prizes_pushed(self, this: Round) -> None:
        """Every prize handed over was won before, at this seat, was not handed over yet, and is in its turn."""
        for line in this.filmed("pay"):
            if line["wager"] == "jackpot":
                self.report.handed_over(this.number, int(line["seat"]), int(line["amount"]), "50 a)")

    def _paid_before_the_cards_go(self, this: Round) -> None:
        """49: winning cards stay on the table until the prize is paid."""
        paid = max((int(line["line"]) for line in this.filmed("pay") if line["wager"] == "jackpot"), default=0)
        gone = [line for event in ("round_end", "insert", "hold") for line in this.filmed(event)]
        unpaid = [won for won in self.report.unpaid if won[0] == this.number]
        if gone and (unpaid or min(int(line["line"]) for line in gone) < paid):
            self._say(this, "winning cards", "there until the prize is paid (49)", "gone")

    def _say(self, this: Round, what: str, expected: object, got: object) -> None:
        self.report.differences.append(f"round {this.number}, {what} on the table: expected {expected}, got {got}")
