"""Rounds played at a watched table as a script has them, whatever the cards; cards not shown can be permuted."""

import random
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from controller.rulebook.events import CardSource
from drivers.device import DeviceMessage
from drivers.messages import (
    CardDrawn,
    NoiseReceived,
    PacketDispensed,
    ShoeError,
    ShoeErrorCleared,
    ShuffleDone,
    SlotsRead,
)
from tests.station.permuted_station import SEATS, WatchedTable

DECK = tuple(rank + suit for suit in "cdhs" for rank in "23456789TJQKA")


@dataclass(frozen=True)
class RoundPlan:
    """One round. Money in minor units.

    `deck` holds 52 cards in the order in which they leave their source, `unread` the places in it of those the source
    cannot read, `strays` cards that are received beside the deal, `guesses` those that someone names who has seen
    none. `troubles` names what goes wrong before the n-th step of a kind.
    """

    deck: tuple[str, ...]
    wagers: Mapping[int, Mapping[str, int]]
    chips: tuple[int, ...] = ()
    folds: tuple[int, ...] = ()
    unread: frozenset[int] = frozenset()
    strays: tuple[str, ...] = DECK[:6]
    guesses: tuple[str, ...] = ()
    troubles: Mapping[str, str] = field(default_factory=dict)


def permuted(plan: RoundPlan, shown: Collection[int], chance: random.Random) -> RoundPlan:
    """The same round with every card another that is not open, by place in the deck; a double stays one."""
    seen = {plan.deck[at] for at in shown}
    others = [card for card in DECK if card not in seen]
    becomes = dict(zip(others, chance.sample(others, len(others)), strict=True)) | {card: card for card in seen}
    strays = tuple(chance.sample(DECK, len(plan.strays)))
    return replace(plan, deck=tuple(becomes[card] for card in plan.deck), strays=strays)


class Dealer:
    """Plays rounds at a table. `troubles` is what can go wrong, by the names that plans call it.

    `turns` is how many places are shown in the last round before the play stops.
    """

    def __init__(
        self,
        table: WatchedTable,
        rounds: Sequence[RoundPlan],
        troubles: Mapping[str, "Trouble"],
        turns: int | None = None,
    ) -> None:
        self.table = table
        self.plan = rounds[0]
        self._rounds = rounds
        self._troubles = troubles
        self._turns = turns
        self._round = -1
        self._steps: Counter[str] = Counter()
        self._drawn = 0  # cards of this round that have left their source
        self.strays: Iterator[str] = iter(())
        self._counters, self._levels = [0] * 8, [False] * 8
        self._before: tuple[int, ...] | None = None
        self.shown: list[set[int]] = []  # by round the places of its deck that was open at its end
        self.turned: list[set[int]] = []  # those of the last round at each of its turns

    async def play(self) -> None:
        """From the opening of the table to the last round's end, or the last place shown."""
        await self._chips(())
        at = ""
        while self.step["id"] == at or not self._over():
            step = self.step
            if step["id"] != at:
                at = step["id"]
                await self._come_to(step)
            elif self._turned_enough():
                return
            else:
                await STEPS[step["kind"]](self, step)
                assert self.step["id"] != at, f"the table stays at {step}: {self.table.moments[-2].channels['http']}"
            self._note()
        assert await self.table.say("close_table") == 200
        await self.settle("closed")

    @property
    def state(self) -> dict[str, Any]:
        """The table as it was shown last."""
        return self.table.state

    @property
    def step(self) -> dict[str, Any]:
        """Its step."""
        step: dict[str, Any] = self.state["step"]
        return step

    @property
    def source(self) -> CardSource:
        """Where the round's cards come from."""
        source: CardSource = self.state["round"]["source"]
        return source

    def _over(self) -> bool:
        return self.step["kind"] == "begin" and self._round + 1 == len(self._rounds)

    async def _come_to(self, step: dict[str, Any]) -> None:
        """Count the steps, and let go wrong what is to go wrong before this one."""
        if step["kind"] == "begin":
            self._round += 1
            self.plan = self._rounds[self._round]
            self._steps.clear()
            self._drawn = 0
            self.strays = iter(self.plan.strays)
            self.shown.append(set())
            self.turned.clear()
        self._steps[step["kind"]] += 1
        for name in self.plan.troubles.get(f"{step['kind']} {self._steps[step['kind']]}", "").split():
            await self._troubles[name](self)
            self._note()

    def _turned_enough(self) -> bool:
        if self._turns is None or self.step["kind"] != "reveal" or self._round + 1 < len(self._rounds):
            return False
        return len(self.state["round"]["shown"]) >= self._turns

    def _note(self) -> None:
        """Which places of the deck are open by now."""
        round = self.state["round"]
        if round is not None:
            places = [place for dealt in round["dealt"] for place in dealt["to"]]
            self.shown[-1] |= {at for at, place in enumerate(places) if place in round["shown"]}

    async def settle(self, what: str) -> None:
        """Keep this moment, once nothing more comes of it."""
        await self.table.settle(f"round {self._round + 1}: {what}")

    # ---- the steps of a table

    async def _say(self, what: str, kind: str, **fields: object) -> None:
        await self.table.say_all([{"kind": kind, **fields}])
        await self.settle(what)

    async def _open(self, step: dict[str, Any]) -> None:
        await self._say("open", "open_table")

    async def _begin(self, step: dict[str, Any]) -> None:
        await self._say("begin", "begin_round")

    async def _shuffle(self, step: dict[str, Any]) -> None:
        if "order" in step:
            self.table.shuffler.shuffled(step["order"])
            await self.table.receive("shuffler", ShuffleDone)
            await self.settle("shuffled")
        else:
            await self._say("shuffled", "shuffled")

    async def _deck(self, step: dict[str, Any]) -> None:
        await self._say("deck complete", "deck_complete")

    async def _cut(self, step: dict[str, Any]) -> None:
        await self._say("cut", "cut", by="bank")

    async def _wagers(self, step: dict[str, Any]) -> None:
        await self.table.say_all(
            [
                {"kind": "wager", "seat": seat, "wager": wager, "amount": amount}
                for seat, wagers in self.plan.wagers.items()
                for wager, amount in wagers.items()
            ]
        )
        await self.settle("wagers")
        await self._chips(self.plan.chips)
        await self._say("lock-in", "lock_in")

    async def _count(self, step: dict[str, Any]) -> None:
        await self._say("counted", "cards_counted", count=step.get("cards") or self._drawn)

    async def _decisions(self, step: dict[str, Any]) -> None:
        decisions: list[dict[str, object]] = [
            {"kind": "decide", "seat": seat, "decision": "fold" if seat in self.plan.folds else "play"}
            for seat in step["waiting"]
        ]
        await self.table.say_all(decisions)
        await self.settle("decided")

    async def _reveal(self, step: dict[str, Any]) -> None:
        place = step["to"][0]
        keyed = {"cards": " ".join(self.cards_at(place))} if step.get("key_in") else {}
        self.turned.append(set(self.shown[-1]))
        await self._say(f"{place} turned", "reveal", to=place, **keyed)

    async def _confirm(self, step: dict[str, Any]) -> None:
        await self._say("confirmed", "confirm")

    async def _claims(self, step: dict[str, Any]) -> None:
        await self._chips(())
        await self._say("cleared", "close_claims")

    # ---- hands and devices

    async def _chips(self, seats: Collection[int]) -> None:
        """Chips are at these seats from now on, and at no other."""
        for seat in range(1, SEATS + 1):
            if (seat in seats) and not self._levels[seat - 1]:
                self._counters[seat - 1] += 1
            self._levels[seat - 1] = seat in seats
        read = SlotsRead(tuple(self._levels), tuple(self._counters), self._before)
        self._before = read.counters
        self.table.let_in(DeviceMessage("slots", read, None))
        await self.settle(f"chips at {sorted(seats)}")

    def cards_at(self, place: str) -> list[str]:
        """What is there."""
        places = [to for dealt in self.state["round"]["dealt"] for to in dealt["to"]]
        return [card for card, to in zip(self.plan.deck, places, strict=False) if to == place]

    def draw(self, count: int) -> list[str | None]:
        """The next cards, as their source reads them."""
        places = range(self._drawn, self._drawn + count)
        self._drawn += count
        return [None if at in self.plan.unread else self.plan.deck[at] for at in places]

    async def deal_one(self, step: dict[str, Any], less: int = 0, corrupt: bool = False) -> None:
        """The next packet or card leaves its source."""
        await self.send_one(step, less, corrupt)
        await self.settle("dealt")

    async def send_one(self, step: dict[str, Any], less: int = 0, corrupt: bool = False) -> None:
        """The same, and what comes last of it not waited for."""
        table, cards = self.table, self.draw(len(step["to"]) - less)
        if self.source == "shuffler":
            table.shuffler.packet(step["order"], cards, corrupt)
            if corrupt:
                await table.receive("shuffler", NoiseReceived)
                await self.settle("noise")
            await table.receive("shuffler", PacketDispensed)
            return
        table.shoe.card(cards[0])
        await table.receive("shoe", CardDrawn if cards[0] is not None else ShoeError)
        if cards[0] is None:
            await self.settle("not read")
            table.shoe.error_cleared()
            await table.receive("shoe", ShoeErrorCleared)


Trouble = Callable[[Dealer], Awaitable[None]]
STEPS: dict[str, Callable[[Dealer, dict[str, Any]], Awaitable[None]]] = {
    "open": Dealer._open,
    "begin": Dealer._begin,
    "shuffle": Dealer._shuffle,
    "deck": Dealer._deck,
    "cut": Dealer._cut,
    "wagers": Dealer._wagers,
    "deal": Dealer.deal_one,
    "count": Dealer._count,
    "decisions": Dealer._decisions,
    "reveal": Dealer._reveal,
    "confirm": Dealer._confirm,
    "claims": Dealer._claims,
}
