"""Decisions and the turning of cards, keyed in where the source did not read them."""

from abc import ABC, abstractmethod
from typing import Any

from simulators.dealer import hands
from simulators.dealer.http_face import Input, Projection
from simulators.dealer.memory import Workplace, single_place
from simulators.dealer.round_desk import AnyDesk, AtDesk
from simulators.dealer.station_desk import NoProgress, prompt_of
from simulators.felt.cards import FULL_DECK, Card, text_of
from simulators.felt.guest import DECIDE
from simulators.felt.table import FeltSeat, seat_place

REFUSED = "refused"  # of a player who is obliged to play, and does not
REFUSALS = 3  # of the same cards, keyed in as they are: then a supervisor ends the round


class Keying(AtDesk[Any], ABC):
    """The dealer at the screen while cards or tiles are shown."""

    def __init__(self, desk: AnyDesk) -> None:
        super().__init__(desk)
        self._refusals = 0

    @abstractmethod
    async def reveal(self, view: Projection) -> bool:
        """Shows the cards of a place."""

    async def _say_as_it_is(self, view: Projection, item: Input) -> bool:
        """Enters the real cards; returns whether the station accepts them."""
        if await self._at.desk.say(view, [item]):
            self._refusals = 0
            return True
        self._refusals += 1
        if self._refusals >= REFUSALS and self._at.desk.supervisor:
            self._void()
        return False

    def _void(self) -> None:
        """A supervisor ends the round."""
        self._refusals = 0
        self._memory.deck_doubted = True
        self._at.table.camera.saw("irregularity", kind="supervisor_void")
        reason = "the cards on the table are not those that the station received"
        self._reporting.report({"kind": "void_round", "reason": reason, "actor": self._at.desk.supervisor})


class Showing(Keying):
    """The players' choices and the cards of one round."""

    _at: Workplace

    def __init__(self, desk: AnyDesk) -> None:
        super().__init__(desk)
        self._miskeyed: dict[str, list[int]] = {}  # by place, the positions where a wrong card may still be tried

    async def ask_players(self, view: Projection) -> bool:
        """Each player with an ante decides once; the dealer keys in the decision for which the prompt asks."""
        if self._memory.choices is None:
            self._memory.choices = await self._decisions()
        waiting = [int(seat) for seat in view["step"]["waiting"]]
        choices, memory = self._memory.choices, self._memory
        strangers = [seat for seat in waiting if memory.seat(seat) not in choices]
        if memory.by_person:
            choices |= {memory.seat(seat): "play" for seat in strangers}  # as every rule lets them
        elif strangers:
            raise NoProgress(f"a decision is wanted from seats without an ante {strangers}, {prompt_of(view)}")
        self._slip(waiting)
        items: list[dict[str, Any]] = [
            {"kind": "decide", "seat": seat, "decision": memory.keyed_decisions.get(seat, choices[memory.seat(seat)])}
            for seat in waiting
        ]
        for item in items:
            if item["decision"] == REFUSED:
                item["actor"] = self._at.desk.supervisor
        return await self._at.desk.say(view, items)

    async def reveal(self, view: Projection) -> bool:
        """Turns the cards of a place, and keys them in if the station does not know them all."""
        named = single_place(view["step"]["to"])
        place = self._memory.place(named)
        if self._memory.by_person and not self._at.table.deck.count(place):
            self._at.table.put_back_down(place)
        if not await self._turn(place):
            if place.startswith("seat ") and self._reporting.hurry("correct_decision", int(place[5:])):
                return True  # the hand was given up and taken up already
            if self._memory.by_person:
                return await self._nothing_is_there(view, named)
            raise NoProgress(f"no cards are at {place}, {prompt_of(view)}")
        if not view["step"].get("key_in"):
            return await self._at.desk.say(view, [{"kind": "reveal", "to": named}])
        await self._at.pace.person(hands.KEY_IN_SECONDS)
        return await self._miskey(view, named, place) or await self._key_in(view, named, place)

    async def _nothing_is_there(self, view: Projection, named: str) -> bool:
        """Handles cards that the screen has and the felt does not: they are entered if they are known, else the round
        ends.
        """
        if view["step"].get("key_in") and self._at.desk.supervisor:
            self._void()
            return True
        return await self._at.desk.say(view, [{"kind": "reveal", "to": named}])

    async def _turn(self, place: str) -> bool:
        """Turns the cards of a place once; False if there are none."""
        if place in self._at.table.turned:
            return True
        await self._at.pace.person(hands.TURN_SECONDS)
        return self._at.table.turn(place)

    async def _decisions(self) -> dict[int, str]:
        choices = {}
        for seat, sitting in self._at.table.seats.items():
            dealt = self._at.table.deck.count(seat_place(seat)) or not self._memory.by_person
            if "ante" in sitting.wagers and dealt:  # a person may have forgotten to enter it
                await self._at.pace.person(hands.LOOK_AND_DECIDE_SECONDS)
                choices[seat] = await self._chooses(seat, sitting)
                self._at.table.decide(seat, choices[seat])
        return choices

    async def _chooses(self, seat: int, sitting: FeltSeat) -> str:
        guest = self._at.guest_at(seat)
        if guest is not None:
            answer = await guest.asked(DECIDE, self._at.while_asked(), legal=self._legal(sitting))
            if answer is not None:
                return str(answer)
        return self._decides(self._at.table.deck.at(seat_place(seat)), sitting)

    def _legal(self, sitting: FeltSeat) -> list[str]:
        """The choices of a player with an ante."""
        return ["play", "fold"]

    def _decides(self, hand: list[Card], sitting: FeltSeat) -> str:
        """The choice of a player who sees his hand."""
        return "play" if self._at.players.plays(hand) else "fold"

    def _may_slip(self, seat: int) -> bool:
        """Whether the other decision can be keyed in for this seat."""
        return True

    def _slip(self, waiting: list[int]) -> None:
        value = self._at.mistakes.take("slip_decision")
        if value is None or self._memory.choices is None:
            return
        seats = [seat for seat in waiting if self._may_slip(self._memory.seat(seat))]
        if not seats:
            self._at.mistakes.put_back("slip_decision", value)
            return
        seat = self._at.chance.choice(seats)
        decided = self._memory.choices[self._memory.seat(seat)]
        self._memory.keyed_decisions[seat] = "fold" if decided == "play" else "play"
        self._at.table.camera.saw("irregularity", kind="slip_decision", seat=self._memory.seat(seat))
        correction = {"kind": "correct_decision", "seat": self._memory.seat(seat), "decision": decided}
        self._reporting.correct(correction, ("reveal", "confirm"))

    async def _key_in(self, view: Projection, named: str, place: str) -> bool:
        item = {"kind": "reveal", "to": named, "cards": text_of(self._at.table.deck.at(place))}
        return await self._say_as_it_is(view, item)

    async def _miskey(self, view: Projection, named: str, place: str) -> bool:
        """Keys in one wrong card for an unread one, to be corrected before the round is confirmed."""
        cards = self._at.table.deck.at(place)
        if place not in self._miskeyed:
            value = self._at.mistakes.take("miskey")
            self._miskeyed[place] = [] if value is None else self._unread(place, cards)
        while self._miskeyed[place]:
            position = self._miskeyed[place].pop(0)
            wrong = [*cards[:position], self._stranger(), *cards[position + 1 :]]
            if await self._at.desk.mention(view, {"kind": "reveal", "to": named, "cards": text_of(wrong)}) == 200:
                self._miskeyed[place] = []
                self._at.table.camera.saw("irregularity", kind="miskey", to=place)
                correction = {"kind": "correct_cards", "to": place, "cards": text_of(cards)}
                self._reporting.correct(correction, ("reveal", "confirm"))
                return True
        return False

    def _unread(self, place: str, cards: list[Card]) -> list[int]:
        """The cards of a place that may be the unread ones, the likeliest first."""
        known = self._memory.unread.get(place, [])
        return sorted(range(len(cards)), key=lambda position: cards[position] not in known)

    def _stranger(self) -> Card:
        """A card that is nowhere on the felt."""
        table = self._at.table
        there = {card for place in table.places for card in table.deck.at(place)}
        return self._at.chance.choice([card for card in FULL_DECK if card not in there])
