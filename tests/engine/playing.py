"""A table played in memory, the way the station's loop plays it: decide, apply, vault; every plaintext channel kept."""

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Self, TypeVar

import msgspec

from controller.engine.decisions.alarms import alarm_events, alarms
from controller.engine.decisions.betting import Announce, ChipGone, ChipSensed, LockIn, PlaceWager
from controller.engine.decisions.cards import Cut, DeckComplete, Shuffled, ShuffleReported, UnreportedCard
from controller.engine.decisions.deciders import ApproveChanges, RejectChanges, check_answers, decide, step_answered
from controller.engine.decisions.decision import Decision, Input
from controller.engine.decisions.jackpot import ApproveParameters, Confirm, ParametersRead, WitnessCards
from controller.engine.decisions.played import CardsReported, Decide, Reveal
from controller.engine.decisions.session import BeginRound, CloseClaims, OpenTable
from controller.engine.recorded import Recorded, record_of
from controller.engine.shown.device_orders import react
from controller.engine.shown.projection import project
from controller.engine.shown.prompts import alarm_words
from controller.engine.state.applied import Event, apply
from controller.engine.state.current import Settings, open_hits
from controller.engine.state.jackpot import Meter
from controller.engine.state.persons import ChangeEntered, EnterCount, Misdealt, PersonInput
from controller.engine.state.table import Table, next_step
from controller.floor.messages import Identity, publications
from controller.rulebook.cards import DECK, Card
from controller.rulebook.events import (
    CardsDealt,
    CardSource,
    ClaimsClosed,
    CountDoubted,
    DeckCut,
    RoundBegun,
    RoundVoided,
    Terms,
)
from controller.rulebook.games import game_of
from controller.rulebook.jackpot_award import Parameters
from controller.rulebook.packets import packets_of
from controller.rulebook.refusal import Refusal
from controller.rulebook.report import RoundReport
from controller.rulebook.roles import People
from controller.rulebook.round import Round
from controller.rulebook.steps import Step, StepKind
from controller.words import sentence

# A card, wherever it remains; "As" before these words is the Portuguese article.
NAMED = re.compile(rb"(?<![A-Za-z0-9])[2-9TJQKA][cdhs](?![A-Za-z0-9]| (?:apostas|cartas|fichas|outras|pedras|suas)\b)")
CHIP = 500
FIXED = {"royal_flush": 50_000, "straight_flush": 10_000, "four_of_a_kind": 5_000, "full_house": 2_000, "flush": 1_000}
PARAMETERS = Parameters(
    chip=CHIP,
    minimum=400_000,
    increment_bp=7_000,
    reserve_bp=1_000,
    ceiling=900_000,
    overflow_to="overflow",
    unreasonable_chips=6,
    fixed=FIXED,
)
PEOPLE: People = {"ana": "dealer", "bia": "dealer", "rui": "supervisor", "sol": "supervisor", "mei": "technician"}
IDENTITY = Identity(
    site="site", table="t1", journal="00000000-0000", mode="simulation", currency="MOP", exponent=2
)  # fmt: skip


def cards(text: str) -> tuple[Card, ...]:
    """Cards of a text."""
    return tuple(Card(word) for word in text.split())


def stacked(*first: str) -> list[Card]:
    """A deck that begins with these cards."""
    return whole(1, cards(" ".join(first)))


def stacked_for(source: str, *hands: str) -> list[Card]:
    """A deck that deals these hands: those of the seats, the bank's, then one for the rack and two community cards."""
    if source == "shuffler":
        return stacked(*hands)
    *seats, bank, last = (cards(hand) for hand in hands)
    return stacked(*(seat[turn] for turn in range(3) for seat in seats), *bank, *last[1:], last[0])


def whole(decks: int, first: Iterable[Card]) -> list[Card]:
    """So many decks with these cards on top; a card that is on top more often than the decks hold it is kept."""
    stock, left = list(first), [card for card in DECK for _ in range(decks)]
    for card in stock:
        if card in left:
            left.remove(card)
    return [*stock, *left]


def terms(**changed: Any) -> Terms:
    """Terms of six seats with all bets offered, limits 100 to 10000."""
    standard = Terms(
        game="fortune-3-card-poker-2025",
        seat_count=6,
        source="shuffler",
        minimum=100,
        maximum=10_000,
        additional=("six_card_bonus", "jackpot"),
        packet_sizes=(3,),
        chip=CHIP,
    )
    return msgspec.structs.replace(standard, **changed)


def _refusal(refusal: Refusal) -> Iterator[bytes]:
    yield sentence(refusal).encode()


def _decision(decision: Decision, input: Input) -> Iterator[bytes]:
    yield f"{decision!r} {'' if isinstance(input, PersonInput) else input}".encode()


def _projections(table: Table, settings: Settings) -> Iterator[bytes]:
    yield msgspec.json.encode(project(table, react(table, 2), settings))


NOW = "2026-03-14T14:33:24.184Z"  # of everything that happens
MOST_STEPS = 1000  # several rounds of any game
E = TypeVar("E")


class Play:
    """Plays one table. What anyone could read of it is written out when `channels` is asked for.

    `deck` is the deck of every round, top card first; `dealt` says how far into it the cards on the felt reach.
    """

    def __init__(
        self,
        deck: Iterable[Card] = DECK,
        parameters: Parameters = PARAMETERS,
        pot: int = 600_000,
        reserve: int = 0,
        unread: Iterable[int] = (),
        **changed: Any,
    ) -> None:
        self.table = Table()
        self._step = self.table, next_step(self.table)
        self.settings = Settings(
            terms=terms(**changed), people=PEOPLE, sources=("shuffler", "shoe"), exponent=IDENTITY.exponent
        )
        self._kept: Settings | None = None
        self.vault: dict[int, Card | None] = {}
        self.deck: Sequence[Card] = list(deck)
        self.unread = set(unread)  # places in the deck, from 0, of the cards that their source cannot read
        self.dealt = 0  # cards that have left the source in this round, received or not
        self.entries: list[tuple[Event, dict[int, Card | None]]] = []
        self.inputs: dict[int, Recorded] = {}  # by the place of the first of their events
        self._channels: list[bytes] = []
        self._unwritten: list[Callable[[], Iterable[bytes]]] = []
        self.sequence = 0
        self.now = NOW  # when everything happens
        self.clock = NOW  # by which a round has its regulation
        self._ids = itertools.count(1)
        self._counters = itertools.count(1)
        if self.settings.terms.chip:
            self.receive(ParametersRead(pot=pot, reserve=reserve, parameters=parameters))

    @property
    def step(self) -> Step:
        table, step = self._step
        if table is not self.table:  # it is asked for some ten times between two inputs
            step = next_step(self.table)
            self._step = self.table, step
        return step

    @property
    def round(self) -> Round:
        assert self.table.round is not None
        return self.table.round

    @property
    def report(self) -> RoundReport:
        return game_of(self.round).report(self.round)

    @property
    def meter(self) -> Meter:
        assert self.table.meter is not None
        return self.table.meter

    def receive(self, input: Input) -> tuple[Event, ...]:
        """Decide and apply one input, and the alarms that it raises or ends; returned is what was decided."""
        try:
            decision = decide(self.table, input, self.settings, self.vault, self.clock)
        except Refusal as refusal:
            self._unwritten.append(partial(_refusal, refusal))
            raise
        self._unwritten.append(partial(_decision, decision, input))
        before = len(self.entries)
        self._absorb(decision.events, decision.drawn)
        self.vault |= decision.drawn
        self._absorb(self.alarm_events(), {})
        self._record(input, decision, before)
        for event in decision.events:
            self.follow(event)
        return decision.events

    def follow(self, event: Event) -> None:
        """What an event of an input means for the deck: a round is dealt from its top."""
        if isinstance(event, RoundBegun):
            self.dealt = 0

    def _record(self, input: Input, decision: Decision, before: int) -> None:
        """Keep an input, before which there were so many events, as the loop does."""
        if len(self.entries) > before:
            self.inputs[before] = record_of(
                input, decision, self.settings, with_settings=self.settings is not self._kept
            )
            self._kept = self.settings

    def alarm_events(self) -> tuple[Event, ...]:
        """What brings the alarms on record to what remains, as the loop adds it to every input."""
        active = alarms(self.table, self.settings)
        return tuple(alarm_events(self.table.alarms, active, self.now))

    def active_alarms(self) -> list[str]:
        """The names of the alarms that everybody sees, and that are not over."""
        return [alarm["name"] for alarm in self.public()["alarms"] if not alarm["over"]]

    def _absorb(self, events: tuple[Event, ...], drawn: Mapping[int, Card | None]) -> None:
        for place, event in enumerate(events):
            before, self.table = self.table, apply(self.table, event)
            self.entries.append((event, dict(drawn) if place == 0 else {}))
            if isinstance(event, RoundBegun | ClaimsClosed):
                self.vault = {}
            self._unwritten.append(partial(self._publications, event, before, self.table, self.now))
        if events:
            self._unwritten.append(partial(_projections, self.table, self.settings))

    @property
    def channels(self) -> list[bytes]:
        """All that anyone could read so far: events, projections, messages, refusals."""
        unwritten, self._unwritten = self._unwritten, []
        for written in unwritten:
            self._channels += written()
        return self._channels

    def _publications(self, event: Event, before: Table, after: Table, now: str) -> Iterator[bytes]:
        for message in publications(IDENTITY, event, before, after, self.sequence, now):
            self.sequence = message.sequence
            yield message.topic.encode() + b" " + message.payload
        yield msgspec.json.encode(event)

    def projection(self) -> bytes:
        [projection] = _projections(self.table, self.settings)
        return projection

    def say(self, kind: type[PersonInput], actor: str = "ana", **fields: Any) -> tuple[Event, ...]:
        """A person's answer to the table as it is: to its step, about its round, or about a hit."""
        answer = self.answering(kind, actor, **fields)
        self.check(answer)
        return self.receive(answer)

    def answering(self, kind: type[PersonInput], actor: str, **fields: Any) -> Any:
        """A person's answer to the table as it is, with the step's id."""
        answer: Any = kind(input_id=f"i{next(self._ids)}", step_id="", actor=actor, **fields)
        return msgspec.structs.replace(answer, step_id=step_answered(self.table, answer))

    def change(self, kind: type[PersonInput], actor: str = "ana", **fields: Any) -> tuple[Event, ...]:
        """A change of what was entered, or a void; where it waits a supervisor approves it at once with the dealer."""
        events = self.say(kind, actor, **fields)
        if not isinstance(events[0], ChangeEntered):
            return events
        return self.approve(events[0].change, reason=fields.get("reason") or "seen")[1:]

    def would_wait(self, kind: type[PersonInput], **fields: Any) -> bool:
        """Whether a dealer's change would wait; the table stays as it is."""
        waiting = decide(self.table, self.answering(kind, "ana", **fields), self.settings, self.vault, NOW).events
        return isinstance(waiting[0], ChangeEntered)

    def settle_what_waits(self) -> None:
        """A supervisor approves what waits, and rejects what cannot be approved any more."""
        while self.table.waiting:
            number = self.table.waiting[0].change
            if not self.attempt(ApproveChanges, "rui", changes=(number,), reason="seen", second="ana"):
                self.say(RejectChanges, "rui", changes=(number,), reason="not so any more")

    def approve(self, *changes: int, reason: str = "seen", second: str = "ana") -> tuple[Event, ...]:
        """A supervisor approves what waits, or these; `second` co-signs it."""
        numbers = changes or tuple(change.change for change in self.table.waiting)
        return self.say(ApproveChanges, "rui", changes=numbers, reason=reason, second=second)

    def attempt(self, kind: type[PersonInput], actor: str = "ana", **fields: Any) -> bool:
        """A person tries something; whether it was taken."""
        try:
            self.say(kind, actor, **fields)
        except Refusal:
            return False
        return True

    def check(self, *answers: PersonInput) -> None:
        check_answers(self.table, answers, self.settings)

    def refused(self, kind: type[PersonInput], actor: str = "ana", **fields: Any) -> Refusal:
        """The refusal of an answer; the table must be as it was."""
        before = self.table
        try:
            self.say(kind, actor, **fields)
        except Refusal as refusal:
            assert self.table == before
            return refusal
        raise AssertionError(f"{kind.__name__} was not refused")

    def misdealt(self, what: str) -> tuple[Event, ...]:
        """A misdeal is reported, by a supervisor with a reason where a card that decides is open."""
        return self.change(Misdealt, what=what)

    def propose(self, parameters: Parameters) -> tuple[Event, ...]:
        """The station starts again with these in its configuration."""
        return self.receive(ParametersRead(pot=1, reserve=0, parameters=parameters))

    def agree(self, parameters: Parameters) -> tuple[Event, ...]:
        """They are proposed, and two persons approve; what the second approval brings."""
        self.propose(parameters)
        self.say(ApproveParameters, number=self.meter.proposals)
        return self.say(ApproveParameters, "rui", number=self.meter.proposals)

    # ---- what can be read of it

    @property
    def events(self) -> list[Event]:
        return [event for event, _ in self.entries]

    @property
    def kinds(self) -> list[str]:
        """The types of everything that happened."""
        return [str(event.__struct_config__.tag) for event in self.events]

    def happened(self, kind: type[E]) -> list[E]:
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def shown(self) -> dict[str, str]:
        """The cards that everybody sees, by place, in the order in which they were turned."""
        return {place: " ".join(there) for place, there in self.round.play.shown.items()}

    def places_dealt(self) -> list[tuple[str, ...]]:
        """Where the cards of all rounds went, in the order they left the source."""
        return [event.places for event in self.happened(CardsDealt)]

    def notices(self) -> list[str]:
        """The notices that the dealer was given in this round."""
        return [notice.notice for notice in self.table.notices]

    def public(self) -> dict[str, Any]:
        """The projection of the table, read from its JSON."""
        shown: dict[str, Any] = msgspec.json.decode(self.projection())
        return shown

    @property
    def prompt(self) -> dict[str, str]:
        """What the dealer is asked to do, by language."""
        words: dict[str, str] = self.public()["step"]["prompt"]
        return words

    def still_to_do(self) -> list[str]:
        """The steps from here to the wagers; it is at them."""
        kinds: list[str] = []
        while not self.at("wagers"):
            kinds.append(self.step.kind)
            self.proceed()
        return kinds

    def preparations(self) -> list[str]:
        """The steps of the next round before its wagers; it is at them."""
        self.until("begin").proceed()
        return self.still_to_do()

    def void(self) -> RoundVoided:
        """How the round in play is void, with what every void has in common."""
        void, events = self.round.void, self.happened(RoundVoided)
        assert void is not None and events, "the round is not void"
        event = events[-1]
        assert (event.article, event.carried) == (void.article, void.carried)
        assert self.step.id == f"{self.round.id}/confirm/void" and self.report.outcome == "void"
        return event

    # ---- the course of a round

    def proceed(self) -> tuple[Event, ...]:
        """What people and devices do next at a table where nothing goes wrong; every player plays."""
        step = self.step
        match step.kind:
            case "open":
                return self.say(OpenTable)
            case "begin":
                return self.say(BeginRound)
            case "deck":
                return self.say(DeckComplete)
            case "shuffle" if step.order is not None:
                return self.receive(ShuffleReported(order=step.order, count=52))
            case "shuffle":
                return self.say(Shuffled)
            case "cut":
                return self.say(Cut, by="bank")
            case "wagers":
                return self.say(LockIn)
            case "announce":
                return self.say(Announce, deal="every_space")
            case "deal":
                return self.deal_one()
            case "count":
                return self.report_count(self.dealt)
            case "decisions":
                return self.say(Decide, seat=step.waiting[0], decision="play")
            case "reveal":
                return self.reveal_one()
            case "confirm":
                self.settle_what_waits()  # which may lead back to another step
                return self.say(Confirm) if self.at("confirm") else self.proceed()
            case "claims":
                return self.clear()
            case _:
                raise AssertionError(f"{step.kind} is no step of this game")

    def clear(self) -> tuple[Event, ...]:
        """The cards are cleared away; two persons have seen those that won and are not paid, where that is enough."""
        hits = tuple(hit.hit for hit in open_hits(self.table))
        if hits and game_of(self.round).citations.witnessed:
            self.say(WitnessCards, "rui", hits=hits, second="ana")
        return self.say(CloseClaims)

    def at(self, *kinds: StepKind) -> bool:
        """Whether the table waits for one of these."""
        return self.step.kind in kinds

    def until(self, *kinds: StepKind) -> Self:
        """On to the first of these steps, at least to the one the table is at."""
        for _ in range(MOST_STEPS):
            if self.step.kind in kinds:
                return self
            self.proceed()
        raise AssertionError(f"the table does not come to {' or '.join(kinds)}: it is at {self.step.kind}")

    def to_wagers(self) -> Self:
        """Open if closed, begin, make the deck whole, shuffle, cut."""
        return self.until("wagers")

    def report_count(self, cards: int) -> tuple[Event, ...]:
        """The dealer's count; one that is doubted is sent once more."""
        events = self.change(EnterCount, count=cards)
        if isinstance(events[0], CountDoubted):
            events = self.change(EnterCount, count=cards)
        return events

    def bet(self, seat: int, **wagers: int) -> Self:
        for wager, amount in wagers.items():
            self.say(PlaceWager, seat=seat, wager=wager, amount=amount)
        return self

    def chips(self, *seats: int) -> Self:
        for seat in seats:
            self.receive(ChipSensed(seat=seat, counter=next(self._counters)))
        return self

    def sweep(self) -> Self:
        for seat in list(self.table.slots):
            self.receive(ChipGone(seat=seat, counter=next(self._counters)))
        return self

    def lock(self) -> tuple[Event, ...]:
        return self.say(LockIn)

    def deal_one(self, count: int | None = None) -> tuple[Event, ...]:
        """The next packet, or the next single card."""
        step, source = self.step, self.round.terms.source
        assert step.kind == "deal"
        return self.receive(
            CardsReported(source=source, cards=self.take(len(step.to) if count is None else count), order=step.order)
        )

    def take(self, count: int = 1) -> tuple[Card | None, ...]:
        """Cards leave the source, as it reads them."""
        places = range(self.dealt, self.dealt + count)
        self.dealt += count
        return tuple(None if place in self.unread else self.deck[place] for place in places)

    def draw(self) -> tuple[Event, ...]:
        """A single card is drawn from the shoe and received, whatever the table waits for."""
        return self.receive(CardsReported(source="shoe", cards=self.take()))

    def draw_unreported(self) -> None:
        """A single card is drawn from the shoe, and no one receives it."""
        self.take()

    def unreported_card(self) -> tuple[Event, ...]:
        """A single card is drawn unreported, and the dealer says so."""
        self.draw_unreported()
        return self.say(UnreportedCard)

    def deal(self) -> Self:
        """The deal to its end; the dealer counts what has really left the source."""
        while self.step.kind in ("deal", "count"):
            self.proceed()
        return self

    def lying_at(self, place: str) -> str:
        """The cards that really are at a place, in the order they came there: what a dealer keys in."""
        aside = {draw for packet in packets_of(self.round).aside for draw in packet.draws}
        places = [
            "null" if packet.dealt.null is not None else "aside" if draw in aside else to
            for packet in game_of(self.round).placed(self.round)
            for draw, to in zip(packet.dealt.draws, packet.to, strict=False)
        ]
        return " ".join(card for card, to in zip(self.deck, places, strict=False) if to == place)

    def what_was_turned_is_there(self) -> None:
        """Whatever was corrected since: whose cards can be shown can be corrected."""
        round = self.table.round
        for place, shown in round.play.shown.items() if round is not None else ():
            assert round is not None and tuple(game_of(round).shown_at(round, place).values()) == shown

    def decisions(self, decision: str = "play", **by_seat: str) -> Self:
        """Every seat asked decides; `seat_3="fold"` is an exception."""
        while self.step.kind == "decisions":
            seat = self.step.waiting[0]
            self.say(Decide, seat=seat, decision=by_seat.get(f"seat_{seat}", decision))
        return self

    def reveal_one(self) -> tuple[Event, ...]:
        """The next place is turned, its cards keyed in where one was not read."""
        place = self.step.to[0]
        return self.say(Reveal, to=place, cards=self.lying_at(place) if self.step.key_in else None)

    def reveal(self) -> Self:
        while self.step.kind == "reveal":
            self.reveal_one()
        return self

    def to_settled(self) -> Self:
        """From wherever the round is to its settlement, or to its void."""
        return self.until("confirm")

    def finish(self) -> Self:
        """From wherever the round is after lock-in to its end."""
        return self.until("begin").sweep()


class Stock(Play):
    """A table whose cards last for many rounds; `first` are on top of so many decks.

    A round is dealt from what the last one left. A shoe is whole again after a cut; a dispenser deals on from what
    follows `first`. `unread` counts from 0 in the cards of one round.
    """

    def __init__(
        self,
        first: Sequence[Card],
        decks: int,
        parameters: Parameters = PARAMETERS,
        pot: int = 600_000,
        seats: int = 7,
        **changed: Any,
    ) -> None:
        self.first = first
        stock: dict[str, Any] = {"seat_count": seats, "packet_sizes": (), "decks": decks, "shared": True}
        super().__init__(whole(decks, first), parameters, pot, **stock, **changed)

    def follow(self, event: Event) -> None:
        match event:
            case RoundBegun():
                self.deck, self.dealt = self.deck[self.dealt :], 0
            case DeckCut():
                self.deck, self.dealt = whole(self.round.terms.decks, self.first), 0

    def comes_out(self) -> tuple[Event, ...]:
        """A card leaves the source and is reported, whatever the table waits for."""
        return self.receive(CardsReported(source=self.round.terms.source, cards=self.take()))

    def overdue(self) -> list[str]:
        """What the alarm says of a cut card that did not come."""
        active = alarms(self.table, self.settings)
        return [alarm_words(alarm.code, alarm.values)["en"] for alarm in active if alarm.name == "shoe-warning-card"]


def published_round(play: Play) -> dict[str, Any]:
    """What the floor is notified of the round, once it is confirmed: one message, as of each round before it."""
    play.until("claims")
    messages = [channel for channel in play.channels if channel.startswith(b"dealer/site/t1/rounds ")]
    found: list[dict[str, Any]] = [msgspec.json.decode(message.partition(b" ")[2])["data"] for message in messages]
    assert len({content["round"] for content in found}) == len(found)
    return found[-1]


def irregularities_published(play: Play) -> list[dict[str, Any]]:
    """The irregularities of the round as the floor is notified them."""
    found: list[dict[str, Any]] = published_round(play)["irregularities"]
    return found


def source_of(name: str) -> CardSource:
    """The literal of a card source."""
    return "shoe" if name == "shoe" else "shuffler"
