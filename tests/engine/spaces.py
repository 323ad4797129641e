"""A table of Fortune 8 played in memory: its stock of cards over many rounds, its bets, what the floor
is notified of."""

import itertools
from collections.abc import Iterable
from typing import Any, Self

import msgspec

from controller.engine.decisions.betting import Announce, PlaceWager
from controller.engine.decisions.cards import ReportsMissed
from controller.engine.decisions.devices import DeviceReport
from controller.engine.state.applied import Event
from controller.rulebook.events import CardSource, Deal
from controller.rulebook.games import game_of
from controller.rulebook.round import Round
from controller.rulebook.round_file import settle_text
from controller.words import english
from tests.engine.playing import Stock, cards
from tests.engine.reported import lines, open_cards

BOXES = ("low", "eight", "high")
CUT_CARD = DeviceReport(device="shoe", what="cut_card")


class Spaces(Stock):
    """Plays `fortune-8`, eight decks if nothing else is reported; `first` are the cards that come first out of the
    shoe.

    The dealer announces `announced`.
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
        self.announced: Deal = announced
        super().__init__(
            cards(first), decks, unread=unread, game="fortune-8", source=source, additional=(), chip=0, deal=deal
        )

    # ---- the course of a round

    def proceed(self) -> tuple[Event, ...]:
        """What people and devices do next; what is there stays until the next round is dealt."""
        return self.say(Announce, deal=self.announced) if self.at("announce") else super().proceed()

    def place_bet(self, seat: int, player: str | None = None, **boxes: int) -> Self:
        """What one player has in boxes of one space."""
        for box, amount in boxes.items():
            self.say(PlaceWager, seat=seat, wager=box, amount=amount, player=player)
        return self

    def to_announce(self, *seats: int) -> Self:
        """A bet of 100 on eight at each of these spaces beside what is there; no more bets."""
        self.to_wagers()
        for seat in seats:
            self.place_bet(seat, eight=100)
        self.lock()
        return self

    def to_deal(self, *seats: int) -> Self:
        """So far as the first card."""
        self.to_announce(*seats).proceed()
        return self

    def whole_round(self, *seats: int) -> Self:
        """A round to its end, seat 1 betting if no one else does."""
        self.to_deal(*(seats or (1,))).until("begin")
        return self

    def report_lost(self, count: int | None) -> tuple[Event, ...]:
        """The shoe's driver says that reports were lost."""
        return self.receive(ReportsMissed(count=count, gap_cause="reports_lost"))

    # ---- what can be read of it

    def why_void(self) -> tuple[str, str]:
        """Article and reason of the round's void, with what every void has in common."""
        void = self.void()
        assert void.carried == ()
        assert [(line.outcome, line.odds, line.net, line.article) for line in lines(self.report)] == [
            ("void", None, 0, void.article) for boxes in self.round.bets.values() for box in boxes.values() for _ in box
        ]
        return void.article, english(void.why)

    def settled_as_in_a_file(self) -> Self:
        """The round comes to its settlement, which is the one that the same round has as a file."""
        self.until("confirm")
        assert self.round.void is None
        assert msgspec.json.encode(self.round.settlement) == settled_as_a_file(self.round)
        return self


def round_file(round: Round) -> dict[str, Any]:
    """The round file of the bets in the boxes and the cards on the spaces, from the report.

    One unnamed bet in a box is an amount; beside others it is someone's, for a list has names.
    """
    report = game_of(round).report(round)
    boxes: dict[str, dict[str, Any]] = {}
    for (space, box), found in itertools.groupby(report.wagers, lambda wager: (wager.seat, wager.wager)):
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


UNNAMED = "no one named"


def settled_as_a_file(round: Round) -> bytes:
    """What `settle` answers to the round as a file."""
    answer = msgspec.json.decode(settle_text(msgspec.json.encode(round_file(round))))
    for seat in answer["seats"].values():
        for line in seat["lines"]:
            if line.get("player") == UNNAMED:
                del line["player"]
    return msgspec.json.encode(answer)
