"""A table of Fortune 8 played in memory: its stock of cards over many rounds, its bets, what the floor is told."""

import itertools
from collections.abc import Iterable
from typing import Any

import msgspec

from controller.engine.decisions.betting import Announce, PlaceWager
from controller.engine.decisions.cards import CardsHeard, ReportsMissed
from controller.engine.decisions.decision import Input
from controller.engine.decisions.devices import DeviceSaid
from controller.engine.decisions.session import BeginRound
from controller.engine.state.applied import Event
from controller.rulebook.cards import DECK, Card
from controller.rulebook.events import CardsDealt, CardSource, Deal, DeckCut, RoundBegun, RoundVoided
from controller.rulebook.games import game_of
from controller.rulebook.round import Round
from controller.rulebook.round_file import settle_text
from controller.rulebook.steps import StepKind
from controller.words import english
from tests.engine.playing import Play, cards
from tests.engine.reported import lines, open_cards

BOXES = ("low", "eight", "high")
CUT_CARD = DeviceSaid(device="shoe", what="cut_card")


def whole(decks: int, first: Iterable[Card]) -> list[Card]:
    """So many decks, these cards on top; one that is on top more often than the decks hold it is there all the same."""
    stock, left = list(first), [card for card in DECK for _ in range(decks)]
    for card in stock:
        if card in left:
            left.remove(card)
    return [*stock, *left]


class Spaces(Play):
    """Plays `fortune-8`, eight decks if nothing else is said; `first` are the cards that come first out of the shoe.

    A shoe is dealt from for many rounds, and is whole again after a cut; a dispenser goes on with what follows `first`.
    `unread` counts from 0 in the cards of one round. The dealer announces `announced`.
    """

    def __init__(
        self,
        first: str = "",
        *,
        source: CardSource = "shoe",
        decks: int = 8,
        deal: Deal = "every_space",
        announced: Deal = "every_space",
        unread: Iterable[int] = (),
    ) -> None:
        self.first = cards(first)
        self.announced: Deal = announced
        super().__init__(
            whole(decks, self.first),
            unread=unread,
            game="fortune-8",
            seat_count=7,
            source=source,
            additional=(),
            packet_sizes=(),
            chip=0,
            decks=decks,
            shared=True,
            deal=deal,
        )

    # ---- the course of a round

    def hear(self, input: Input) -> tuple[Event, ...]:
        """As at any table; a round is dealt from what the last one left, and after a cut the shoe is whole."""
        events = super().hear(input)
        for event in events:
            if isinstance(event, RoundBegun):
                self.deck, self.dealt = list(self.deck[self.dealt :]), 0
            elif isinstance(event, DeckCut):
                self.deck = whole(self.round.terms.decks, self.first)
        return events

    def go_on(self) -> tuple[Event, ...]:
        """What people and devices do next; what lies there stays until the next round is dealt."""
        match self.step.kind:
            case "begin":
                return self.say(BeginRound)
            case "announce":
                return self.say(Announce, deal=self.announced)
            case _:
                return super().go_on()

    def until(self, *kinds: StepKind) -> "Spaces":
        super().until(*kinds)
        return self

    def to_wagers(self) -> "Spaces":
        return self.until("wagers")

    def lay(self, seat: int, player: str | None = None, **boxes: int) -> "Spaces":
        """What one player has in boxes of one space."""
        for box, amount in boxes.items():
            self.say(PlaceWager, seat=seat, wager=box, amount=amount, player=player)
        return self

    def to_announce(self, *seats: int) -> "Spaces":
        """A bet of 100 on eight at each of these spaces beside what lies there; no more bets."""
        self.to_wagers()
        for seat in seats:
            self.lay(seat, eight=100)
        self.lock()
        return self

    def to_deal(self, *seats: int) -> "Spaces":
        """So far as the first card."""
        self.to_announce(*seats).go_on()
        return self

    def whole_round(self, *seats: int) -> "Spaces":
        """A round to its end, seat 1 betting if nobody else does."""
        self.to_deal(*(seats or (1,))).until("begin")
        return self

    def comes_out(self) -> tuple[Event, ...]:
        """A card leaves the source and is heard, whatever the table waits for."""
        return self.hear(CardsHeard(source=self.round.terms.source, cards=self.take()))

    def hear_lost(self, count: int | None) -> tuple[Event, ...]:
        """The shoe's driver says that reports were lost."""
        return self.hear(ReportsMissed(count=count, gap_cause="reports_lost"))

    # ---- what can be read of it

    @property
    def events(self) -> list[Event]:
        return [event for event, _ in self.entries]

    @property
    def kinds(self) -> list[str]:
        """The types of everything that happened."""
        return [str(event.__struct_config__.tag) for event in self.events]

    @property
    def shown(self) -> dict[str, str]:
        """The cards that everybody sees, by place."""
        return {place: " ".join(there) for place, there in self.round.play.shown.items()}

    def places_dealt(self) -> list[tuple[str, ...]]:
        """Where the cards of all rounds went, in the order they left the source."""
        return [event.places for event in self.events if isinstance(event, CardsDealt)]

    def told(self) -> list[str]:
        """What the dealer was told in this round."""
        return [notice.notice for notice in self.table.notices]

    def preparations(self) -> list[str]:
        """The steps of the next round before its wagers; it is at them."""
        self.until("begin").go_on()
        return self.still_to_do()

    def still_to_do(self) -> list[str]:
        """The steps from here to the wagers; it is at them."""
        kinds: list[str] = []
        while not self.at("wagers"):
            kinds.append(self.step.kind)
            self.go_on()
        return kinds

    def why_void(self) -> tuple[str, str]:
        """Article and reason of the round's void, with what every void has in common."""
        void = self.round.void
        assert void is not None and void.carried == ()
        assert [event for event in self.events if isinstance(event, RoundVoided)][-1].article == void.article
        assert self.step.id == f"{self.round.id}/confirm/void"
        assert self.report.outcome == "void"
        assert [(line.outcome, line.odds, line.net, line.article) for line in lines(self.report)] == [
            ("void", None, 0, void.article) for boxes in self.round.bets.values() for box in boxes.values() for _ in box
        ]
        return void.article, english(void.why)

    def goes_on(self) -> "Spaces":
        """The round comes to its settlement, which is the one that the same round has as a file."""
        self.until("confirm")
        assert self.round.void is None
        assert msgspec.json.encode(self.round.settlement) == settled_as_a_file(self.round)
        return self


def round_file(round: Round) -> dict[str, Any]:
    """The round file of the bets in the boxes and the cards on the spaces, from the report.

    One unnamed bet in a box is an amount; beside others it is somebody's, for a list has names.
    """
    report = game_of(round).report(round)
    boxes: dict[str, dict[str, Any]] = {}
    for (space, box), found in itertools.groupby(report.wagers, lambda one: (one.seat, one.wager)):
        bets = list(found)
        alone = len(bets) == 1 and bets[0].player is None
        named = [{"player": bet.player or UNNAMED, "amount": bet.amount} for bet in bets]
        boxes.setdefault(str(space), {})[box] = bets[0].amount if alone else named
    return {
        "game": report.game,
        "decks": report.decks,
        "deal": report.deal,
        "cards": {place.removeprefix("seat "): text for place, text in open_cards(report).items()},
        "boxes": boxes,
        "limits": {"min": round.terms.minimum, "max": round.terms.maximum},
    }


UNNAMED = "nobody named"


def settled_as_a_file(round: Round) -> bytes:
    """What `settle` answers to the round as a file."""
    answer = msgspec.json.decode(settle_text(msgspec.json.encode(round_file(round))))
    for seat in answer["seats"].values():
        for line in seat["lines"]:
            if line.get("player") == UNNAMED:
                del line["player"]
    return msgspec.json.encode(answer)
