"""A table of Taiwan-Pai Kao played in memory: its set of tiles, the bank, what the floor is notified of."""

import re
from collections.abc import Iterable
from typing import Any, Self

import msgspec

from controller.engine.decisions.betting import Announce, LockIn, PlaceWager
from controller.engine.decisions.cards import Shuffled
from controller.engine.decisions.deciders import decide
from controller.engine.decisions.decision import Input
from controller.engine.decisions.jackpot import Confirm
from controller.engine.decisions.played import Reveal
from controller.engine.decisions.tiles import AnnounceForm, Arranged, Dice, PassBank, TakeBank, TilesDealt
from controller.engine.state.applied import Event, apply
from controller.rulebook.cards import Card
from controller.rulebook.events import ClaimsClosed, Deal, RoundBegun
from controller.rulebook.games import game_of
from controller.rulebook.report import RoundReport
from controller.rulebook.taiwan_pai_kao.settlement import PaiKaoSettlement
from controller.rulebook.taiwan_pai_kao.state import PlacesRound, tiles_of
from controller.rulebook.taiwan_pai_kao.tiles import SET
from tests.engine.playing import NOW, Play

TILE = re.compile(rb"(?<![0-9A-Za-z-])[1-6]-[1-6](?![0-9A-Za-z-])")
DICE = (1, 2, 3, 4)
MINIMUM, MAXIMUM = 100, 100_000


def whole_set(first: str = "") -> list[Card]:
    """The 32 tiles, these on top; one that is on top more often than the set has it is there all the same."""
    top, left = first.split(), [str(tile) for tile in SET]
    for tile in top:
        if tile in left:
            left.remove(tile)
    return [Card(tile) for tile in (*top, *left)]


class Places(Play):
    """Plays `taiwan-pai-kao` with `seats` places; `first` are the tiles that are dealt first.

    With a `reader` each tile is received as it is dealt, `unread` ones (from 0 in the round) without their value;
    without one the dealer says that all are there. Every place takes the bank that is offered, with `capital`.
    """

    def __init__(
        self,
        first: str = "",
        *,
        seats: int = 8,
        reader: bool = True,
        unread: Iterable[int] = (),
        announced: Deal = "eight_places",
        capital: int = 1_000_000,
        minimum: int = MINIMUM,
        maximum: int = MAXIMUM,
        watched: bool = False,
        rules: tuple[str, ...] = (),
    ) -> None:
        self.watched = watched
        self.announced: Deal = announced
        self.capital = capital
        self.dice = DICE
        super().__init__(
            whole_set(first),
            unread=unread,
            game="taiwan-pai-kao",
            seat_count=seats,
            source="shoe",
            minimum=minimum,
            maximum=maximum,
            additional=(),
            packet_sizes=(),
            chip=0,
            shared=True,
            reader=reader,
            rules=rules,
        )
        self.settings = msgspec.structs.replace(self.settings, sources=("shoe",) if reader else ())

    def receive(self, input: Input) -> tuple[Event, ...]:
        """As ever; what everybody could read is written out only at a table that is `watched`."""
        if self.watched:
            return super().receive(input)
        decision, before = decide(self.table, input, self.settings, self.vault, NOW), len(self.entries)
        for place, event in enumerate(decision.events):
            self.table = apply(self.table, event)
            self.entries.append((event, dict(decision.drawn) if place == 0 else {}))
            if isinstance(event, RoundBegun | ClaimsClosed):
                self.vault = {}
        self.vault |= decision.drawn
        self._record(input, decision, before)
        for event in decision.events:
            self.follow(event)
        return decision.events

    def follow(self, event: Event) -> None:
        """A second round of four places is dealt from the tiles that are left."""
        if isinstance(event, RoundBegun):
            self.dealt = len(self.state.used)

    @property
    def state(self) -> PlacesRound:
        return tiles_of(self.round)

    @property
    def settlement(self) -> PaiKaoSettlement:
        assert self.state.settlement is not None
        return self.state.settlement

    @property
    def banker(self) -> int:
        assert self.state.bank is not None
        return self.state.bank.seat

    @property
    def shown_round(self) -> dict[str, Any]:
        """The round as the projection has it."""
        shown: dict[str, Any] = self.public()["round"]
        return shown

    # ---- the course of a round

    def proceed(self) -> tuple[Event, ...]:
        """As ever, with what this game asks."""
        step = self.step
        match step.kind:
            case "shuffle":
                return self.say(Shuffled)
            case "announce":
                return self.say(Announce, deal=self.announced)
            case "bank":
                return self.take_bank(form=None)
            case "form":
                return self.announce_form()
            case "wagers":
                if not set(self.round.wagers) - {self.banker}:
                    self.place_bet(self.banker % self.places + 1, "Ana", 1000)
                return self.say(LockIn)
            case "dice":
                return self.throw(*self.dice)
            case "deal" if not self.round.terms.reader:
                self.dealt += 4 * self.places
                return self.say(TilesDealt)
            case "count":
                return self.report_count(self.dealt - len(self.state.used))
            case "arrange":
                return self.say(Arranged)
            case _:
                return super().proceed()

    @property
    def places(self) -> int:
        return len(game_of(self.round).seats_dealt(self.round))

    def lying_at(self, place: str) -> str:
        """The tiles that really are at a place: what a dealer keys in."""
        used = len(self.state.used)
        whole, self.deck = self.deck, self.deck[used:]
        try:
            return super().lying_at(place)
        finally:
            self.deck = whole

    def take_bank(
        self, place: int | None = None, *, form: str | None = "four at once", **fields: Any
    ) -> tuple[Event, ...]:
        """The place that is asked takes the bank, with all that is wanted for it, and announces the form if any."""
        step = self.step
        assert step.kind == "bank" and step.seat is not None
        asked = {"capital": max(self.capital, step.least), "agreed": step.waiting, **fields}
        events = self.say(TakeBank, place=step.seat if place is None else place, **asked)
        if form is not None and self.at("form"):
            self.announce_form(form)
        return events

    def announce_form(self, form: str = "four at once") -> tuple[Event, ...]:
        """The banker announces how the tiles are distributed."""
        return self.say(AnnounceForm, by=self.banker, form=form)

    def refuse(self, absent: bool = False) -> tuple[Event, ...]:
        """The place that is asked does not take the bank."""
        return self.say(PassBank, place=self.step.seat, absent=absent)

    def place_bet(self, place: int, player: str, amount: int) -> Self:
        self.say(PlaceWager, seat=place, wager="place", amount=amount, player=player)
        return self

    def throw(self, *dice: int) -> tuple[Event, ...]:
        return self.say(Dice, by=self.banker, dice=dice)

    def turn(self, cards: str | None = None) -> tuple[Event, ...]:
        """The place that is due is opened, as its player placed the tiles."""
        return self.say(Reveal, to=self.step.to[0], cards=cards)

    def confirmed(self) -> RoundReport:
        """On to the confirmation of this round; its report."""
        self.until("confirm")
        self.say(Confirm)
        return self.report


def received(table: Places, *inputs: Input) -> list[Event]:
    """The events of inputs, one after the other."""
    return [event for input in inputs for event in table.receive(input)]
