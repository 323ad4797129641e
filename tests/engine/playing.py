"""A table played in memory, the way the station's loop plays it: decide, apply, vault; every plaintext channel kept."""

import itertools
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from controller.engine.decide import Settings, check_answers, decide
from controller.engine.events import Event
from controller.engine.inputs import (
    BeginRound,
    CardsHeard,
    ChipGone,
    ChipSensed,
    CloseClaims,
    Confirm,
    Decide,
    FromPerson,
    Input,
    LockIn,
    OpenTable,
    ParametersRead,
    PersonInput,
    PlaceWager,
    Reveal,
    Shuffled,
    ShuffleHeard,
)
from controller.engine.jackpot import Meter, Parameters
from controller.engine.projection import project
from controller.engine.react import react
from controller.engine.table import Table, apply, next_step
from controller.floor.messages import Identity, publications
from controller.rulebook.cards import DECK, Card
from controller.rulebook.events import CardSource, ClaimsClosed, RoundBegun, Terms
from controller.rulebook.fortune_3_card_poker.round import Round
from controller.rulebook.refusal import Refusal
from controller.rulebook.steps import Step

CHIP = 500
FIXED = {
    "royal_flush": 50_000,
    "straight_flush": 10_000,
    "four_of_a_kind": 5_000,
    "full_house": 2_000,
    "flush": 1_000,
}
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
PEOPLE = {"ana": "dealer", "bia": "dealer", "rui": "supervisor", "sol": "supervisor", "mei": "technician"}
IDENTITY = Identity(
    site="site", table="t1", journal="00000000-0000", mode="simulation", currency="MOP", exponent=2
)  # fmt: skip


def cards(text: str) -> tuple[Card, ...]:
    """Cards of a text."""
    return tuple(Card(word) for word in text.split())


def stacked(*first: str) -> list[Card]:
    """A deck that begins with these cards."""
    top = cards(" ".join(first))
    return [*top, *(card for card in DECK if card not in top)]


def terms(**changed: Any) -> Terms:
    """Terms of six seats with all bets offered, limits 100 to 10000."""
    standard = Terms(
        game="fortune-3-card-poker-2025",
        seats=6,
        source="shuffler",
        minimum=100,
        maximum=10_000,
        additional=("six_card_bonus", "jackpot"),
        packet_sizes=(3,),
        chip=CHIP,
    )
    return msgspec.structs.replace(standard, **changed)


class Play:
    """Plays one table. `channels` holds all that anybody could read: events, projections, messages, refusals."""

    def __init__(
        self,
        deck: Iterable[Card | None] = DECK,
        parameters: Parameters = PARAMETERS,
        pot: int = 600_000,
        reserve: int = 0,
        **changed: Any,
    ) -> None:
        self.table = Table()
        self.settings = Settings(terms=terms(**changed), people=PEOPLE)
        self.vault: dict[int, Card | None] = {}
        self.deck: Sequence[Card | None] = list(deck)
        self.dealt = 0
        self.entries: list[tuple[Event, dict[int, Card | None]]] = []
        self.channels: list[bytes] = []
        self.sequence = 0
        self._ids = itertools.count(1)
        self._counters = itertools.count(1)
        if self.settings.terms.chip:
            self.hear(ParametersRead(pot=pot, reserve=reserve, parameters=parameters))

    @property
    def step(self) -> Step:
        return next_step(self.table)

    @property
    def round(self) -> Round:
        assert self.table.round is not None
        return self.table.round

    @property
    def meter(self) -> Meter:
        assert self.table.meter is not None
        return self.table.meter

    def hear(self, input: Input) -> tuple[Event, ...]:
        """Decide and apply one input."""
        try:
            decision = decide(self.table, input, self.settings, self.vault)
        except Refusal as refusal:
            self.channels.append(str(refusal).encode())
            raise
        self.channels.append(f"{decision!r} {'' if isinstance(input, PersonInput) else input}".encode())
        for place, event in enumerate(decision.events):
            before, self.table = self.table, apply(self.table, event)
            self.entries.append((event, dict(decision.drawn) if place == 0 else {}))
            if isinstance(event, RoundBegun | ClaimsClosed):
                self.vault = {}
            for told in publications(IDENTITY, event, self.table.round or before.round, self.sequence, "now"):
                self.sequence = told.sequence
                self.channels.append(told.topic.encode() + b" " + told.payload)
            self.channels.append(msgspec.json.encode(event))
            self.channels.append(self.projection())
        self.vault |= decision.drawn
        return decision.events

    def projection(self) -> bytes:
        return msgspec.json.encode(project(self.table, react(self.table, 2)))

    def say(self, kind: type[PersonInput], actor: str = "ana", **fields: Any) -> tuple[Event, ...]:
        """A person's answer to the step as it stands."""
        step = f"hit/{fields['hit']}" if "hit" in fields else self.step.id
        answer: Any = kind(input_id=f"i{next(self._ids)}", step_id=step, actor=actor, **fields)
        self.check(answer)
        return self.hear(answer)

    def check(self, *answers: FromPerson) -> None:
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

    # ---- the course of a round

    def to_wagers(self) -> "Play":
        """Open if closed, begin, shuffle."""
        if self.step.kind == "open":
            self.say(OpenTable)
        if self.step.kind == "begin":
            self.say(BeginRound)
            self.dealt = 0
        if self.step.order is not None:
            self.hear(ShuffleHeard(order=self.step.order, count=52))
        else:
            self.say(Shuffled)
        return self

    def bet(self, seat: int, **wagers: int) -> "Play":
        for wager, amount in wagers.items():
            self.say(PlaceWager, seat=seat, wager=wager, amount=amount)
        return self

    def chips(self, *seats: int) -> "Play":
        for seat in seats:
            self.hear(ChipSensed(seat=seat, counter=next(self._counters)))
        return self

    def sweep(self) -> "Play":
        for seat in list(self.table.slots):
            self.hear(ChipGone(seat=seat, counter=next(self._counters)))
        return self

    def lock(self) -> tuple[Event, ...]:
        return self.say(LockIn)

    def deal_one(self, count: int | None = None) -> tuple[Event, ...]:
        """The next packet, or the next single card."""
        step, source = self.step, self.settings.terms.source
        assert step.kind == "deal"
        count = len(step.to) if count is None else count
        dealt = tuple(self.deck[self.dealt : self.dealt + count])
        self.dealt += count
        return self.hear(CardsHeard(source=source, cards=dealt, order=step.order))

    def deal(self) -> "Play":
        while self.step.kind == "deal":
            self.deal_one()
        return self

    def decisions(self, decision: str = "play", **by_seat: str) -> "Play":
        """Every seat asked decides; `seat_3="fold"` is an exception."""
        while self.step.kind == "decisions":
            seat = self.step.waiting[0]
            self.say(Decide, seat=seat, decision=by_seat.get(f"seat_{seat}", decision))
        return self

    def reveal_one(self) -> tuple[Event, ...]:
        return self.say(Reveal, to=self.step.to[0])

    def reveal(self) -> "Play":
        while self.step.kind == "reveal":
            self.reveal_one()
        return self

    def finish(self) -> "Play":
        """From wherever the round is after lock-in to its end."""
        self.deal().decisions().reveal()
        self.say(Confirm)
        self.say(CloseClaims)
        return self.sweep()


def source_of(name: str) -> CardSource:
    """The literal of a card source."""
    return "shoe" if name == "shoe" else "shuffler"
