"""A table of 2008 played in memory: its terms, its stacked decks, and what the floor is notified of its rounds."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from controller.engine.state.applied import Event
from controller.engine.state.persons import Exposed, ToEmptySeat
from controller.rulebook.cards import DECK, Card
from controller.rulebook.events import RoundVoided
from controller.rulebook.games import GAMES
from controller.rulebook.settlement import SettledDealer
from tests.engine.playing import Play, cards, stacked

GAME = GAMES["fortune-3-card-poker-2008"]
TERMS: dict[str, Any] = {"game": GAME.id, "seat_count": 7, "additional": (), "chip": 0}
# Where the cards come from: the shoe, a shuffler that gives threes, one that gives twos as well.
FROM = [("shoe", ()), ("shuffler", (3,)), ("shuffler", (2, 3))]
HANDS = ("As Ks Qs", "9h 9d 2c", "2d 5h 7c", "Qd 9c 4h")  # seats 1, 2 and 3, the bank
SHUFFLERS = [sizes for source, sizes in FROM if source == "shuffler"]


def stacked_for(source: str, *hands: str) -> list[Card]:
    """A deck that deals these hands, those of the seats first, the bank's last."""
    if source == "shuffler":
        return stacked(*hands)
    return stacked(*(cards(hand)[turn] for turn in range(3) for hand in hands))


@dataclass
class Packet:
    """Cards that left their source together, with the place where each really is; `stays` in no case moves up."""

    cards: tuple[Card, ...]
    to: tuple[str, ...]
    stays: bool = False


class Play2008(Play):
    """Plays `fortune-3-card-poker-2008`, and remembers for itself where every card really is."""

    def __init__(self, deck: Iterable[Card] = DECK, source: str = "shuffler", **changed: Any) -> None:
        super().__init__(deck, **TERMS, source=source, **changed)
        self.felt: list[Packet] = []
        self.in_view: list[Card] = []  # of the bank, left out
        self._owed = 0

    def take(self, count: int = 1) -> tuple[Card | None, ...]:
        """Cards leave the source, and are where the table wanted them."""
        if self.dealt == 0:
            self.felt, self.in_view, self._owed = [], [], 0
        to = self.step.to if self.at("deal") and len(self.step.to) == count else ("loose",) * count
        replaces = self._owed > 0 and "bank" in to
        self._owed -= to.count("bank") if replaces else 0
        self.felt.append(Packet(tuple(self.deck[self.dealt : self.dealt + count]), to, stays=replaces))
        return super().take(count)

    def lying_at(self, place: str) -> str:
        return " ".join(
            card
            for packet in self.felt
            for card, to in zip(packet.cards, packet.to, strict=True)
            if to == place and card not in self.in_view
        )

    def leave_out(self, *which: int) -> tuple[Event, ...]:
        """Cards of the bank were seen: these of those that are there, 1 is the one that came first."""
        seen = [cards(self.lying_at("bank"))[number - 1] for number in which]
        events = self.change(Exposed, to="bank", which=which)
        self.in_view += seen
        self._owed += len(seen)
        for packet in self.felt:
            packet.stays = packet.stays or bool(set(seen) & set(packet.cards))
        return events

    def astray(self, meant_for: str, seat: int) -> tuple[Event, ...]:
        """The last cards meant for a place are at a seat without a bet; those that came later move up."""
        events = self.change(ToEmptySeat, meant_for=meant_for, seat=seat)
        if self.round.void is not None:
            return events
        lost = [packet for packet in self.felt if meant_for in packet.to and not set(self.in_view) & set(packet.cards)]
        free, lost[-1].to = lost[-1].to, ("null",) * len(lost[-1].cards)
        self._owed += free.count("bank") if lost[-1].stays else 0
        for packet in self.felt[self.felt.index(lost[-1]) + 1 :]:
            if not packet.stays and packet.to[0] != "null":
                free, packet.to = packet.to, free
        return events


def locked(source: str = "shuffler", sizes: tuple[int, ...] = (3,), unread: Iterable[int] = ()) -> Play2008:
    """An ante at seat 1, Pair Plus alone at seat 2, both at seat 3; no more bets."""
    play = Play2008(stacked_for(source, *HANDS), source, packet_sizes=sizes, unread=unread)
    play.to_wagers().bet(1, ante=100).bet(2, pair_plus=200).bet(3, ante=300, pair_plus=400)
    play.lock()
    return play


def voided(play: Play) -> RoundVoided:
    """Why the round in play is void, with everything that any void has in common: all is taken back, nothing moves."""
    assert play.round.void is not None, "the round continues"
    why = play.happened(RoundVoided)[-1]
    assert play.round.void.article == why.article
    settlement = play.round.settlement
    assert settlement is not None and settlement.outcome == "void" and play.at("confirm")
    assert settlement.dealer == SettledDealer(hand=None, qualifies=None)
    lines = {(int(seat), line.wager): line for seat, answer in settlement.seats.items() for line in answer.lines}
    assert {key: line.stake for key, line in lines.items()} == {
        (seat, wager): stake for seat, wagers in play.round.wagers.items() for wager, stake in wagers.items()
    }
    assert {(line.outcome, line.odds, line.net, line.article) for line in lines.values()} <= {
        ("void", None, 0, why.article)
    }
    assert all(seat.net == 0 and seat.hand is None for seat in settlement.seats.values())
    assert why.carried == () and play.table.meter is None
    return why


def played_to_its_end(play: Play) -> None:
    """The round is played to its end, is not void, and every card shown is the one that is there."""
    play.to_settled()
    assert play.round.void is None and play.round.settlement is not None
    assert play.round.settlement.outcome == "settled"
    for place, shown in play.round.play.shown.items():
        assert len(shown) == 3 and " ".join(shown) == play.lying_at(place)
