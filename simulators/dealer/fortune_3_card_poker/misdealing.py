"""Deliberate mistakes of the dealer's hands, and the report that follows (17.º 1, 4; 2008: 11.º 2)."""

from collections.abc import Callable
from dataclasses import dataclass

from simulators.dealer.reporting import Moment, soon
from simulators.dealer.round_desk import AtDesk, CardDesk
from simulators.felt.cards import Card
from simulators.felt.table import BANK, COMMUNITY, DISCARD, seat_place

EXPOSED_AGAIN = 0.3  # a second card of a player in the same round
MORE_OF_PACKET = 0.4  # of 2008: chance that one more card of the same packet is exposed
AGAIN = 0.4  # of 2008: chance that the next card of a player is exposed too, or the card that the bank gets instead


@dataclass(frozen=True, slots=True)
class Deed:
    """The places for the cards, the cards that are face up for a moment, and the report afterwards."""

    places: list[str]
    up: tuple[int, ...] = ()
    report: Callable[[], None] = lambda: None
    right: bool = True


class Misdealing(AtDesk[Card]):
    """Draws mistakes at each packet or card; a mistake that is impossible with this one is put back."""

    def __init__(self, desk: CardDesk) -> None:
        super().__init__(desk)
        self._once_more = False
        self._expose_at: str | None = None  # chosen by the hands, for a card still to come in this round

    def halt(self, what: str, moment: Moment = lambda view: True) -> None:
        """Stops a deal with a mistake: no card is placed until the station has received the card and has answered."""
        self._memory.halted = True
        item = {"kind": "misdealt", "what": what}
        self._reporting.report(item, soon(self._at, moment), refused=self._proceed)

    def packet(self, named: list[str], places: list[str], moment: Moment) -> Deed:
        """The deed with a packet meant for `places`, which the station calls `named`."""
        whole = len(set(places)) == 1
        if (value := self._at.mistakes.take("number")) is not None:
            if whole:
                return Deed([*places[:-1], DISCARD], report=lambda: self._wrong("number", moment), right=False)
            self._at.mistakes.put_back("number", value)
        wrong = self._elsewhere(named[0], places, moment) if whole else None
        return wrong or self._exposing(places, moment)

    def card(self, named: str, place: str, moment: Moment, again: Callable[[], None]) -> Deed:
        """The deed with a single card; `again` if one more is to be drawn for the same step."""
        return self._elsewhere(named, [place], moment, again) or self._exposing([place], moment)

    def one_too_many(self, moment: Moment) -> Deed | None:
        """One card more than due is drawn for the last place."""
        if self._at.mistakes.take("number") is None:
            return None
        return Deed([], report=lambda: self._wrong("number", moment), right=False)

    def _wrong(self, what: str, moment: Moment) -> None:
        self._film(what)
        self.halt(what, moment)

    def _exposing(self, places: list[str], moment: Moment) -> Deed:
        to = self._exposed_place(places)
        if to is None:
            return Deed(places)

        def report() -> None:
            self._film("exposed", to=to)
            self._reporting.report({"kind": "exposed", "to": self._memory.named(to), "count": 1}, moment)

        return Deed(places, (self._at.chance.choice([at for at, place in enumerate(places) if place == to]),), report)

    def _elsewhere(
        self, named: str, places: list[str], moment: Moment, again: Callable[[], None] = lambda: None
    ) -> Deed | None:
        place = places[0]
        if (value := self._at.mistakes.take("order")) is not None:
            if later := self._later_places(place):
                there = [self._at.chance.choice(later)] * len(places)
                return Deed(there, report=lambda: self._wrong("order", moment), right=False)
            self._at.mistakes.put_back("order", value)
        if (value := self._at.mistakes.take("empty_seat")) is not None:
            empty = self._empty_seats()
            if empty and (is_seat(place) or place == BANK):
                seat = self._at.chance.choice(empty)

                def report() -> None:
                    self._film("empty_seat", seat=seat, meant_for=place)
                    item = {"kind": "to_empty_seat", "meant_for": named, "seat": seat}
                    self._reporting.report(item, moment, accepted=again)

                return Deed([seat_place(seat)] * len(places), report=report, right=False)
            self._at.mistakes.put_back("empty_seat", value)
        return None

    def _later_places(self, place: str) -> list[str]:
        seats = [seat_place(seat) for seat, sitting in sorted(self._at.table.seats.items()) if sitting.wagers]
        chips = any(sitting.chip_swept for sitting in self._at.table.seats.values())
        places = [*seats, BANK, *([COMMUNITY] if chips else [])]
        return places[places.index(place) + 1 :] if place in places else []

    def _empty_seats(self) -> list[int]:
        """Seats without a bet, both on the felt and for the station."""
        return [
            seat
            for seat, sitting in self._at.table.seats.items()
            if not sitting.wagers and seat not in self._memory.keyed_at
        ]

    def _exposed_place(self, places: list[str]) -> str | None:
        here = [place for place in places if place != DISCARD]
        players = [place for place in here if is_seat(place)]
        if self._once_more and players:
            self._once_more = False
            return players[0]
        if self._expose_at is None and (value := self._at.mistakes.take("expose")) is not None:
            if value and value not in here:
                self._at.mistakes.put_back("expose", value)
            else:
                self._expose_at = value or self._any_place(here[0])
        if self._expose_at is None or self._expose_at not in here:
            return None
        to, self._expose_at = self._expose_at, None
        self._once_more = is_seat(to) and self._at.chance.random() < EXPOSED_AGAIN
        return to

    def _any_place(self, here: str) -> str:
        """This place, or the bank or the community cards when they come."""
        chips = any(sitting.chip_swept for sitting in self._at.table.seats.values())
        return self._at.chance.choice([here] * 3 + [BANK] + [COMMUNITY] * chips)

    def _film(self, kind: str, **what: object) -> None:
        self._at.table.camera.saw("irregularity", kind=kind, **what)

    def _proceed(self) -> None:
        self._memory.halted = False


def is_seat(place: str) -> bool:
    """Whether this is a player's place."""
    return place.startswith("seat ")


class Misdealing2008(Misdealing):
    """An exposed card never voids the round; the dealer reports which of the bank's cards it was."""

    def _exposing(self, places: list[str], moment: Moment) -> Deed:
        to = self._exposed_place(places)
        if to is None:
            return Deed(places)
        here = [at for at, place in enumerate(places) if place == to]
        up = tuple(sorted(self._some(here)))

        def report() -> None:
            for _ in up:
                self._film("exposed", to=to)
            if to == BANK:
                self._report_bank([here.index(at) - len(here) for at in up], moment)
            else:
                self._reporting.report({"kind": "exposed", "to": self._memory.named(to), "count": len(up)}, moment)

        return Deed(places, up, report)

    def _report_bank(self, last: list[int], moment: Moment) -> None:
        """Which of the bank's cards were seen, counted back from the last that came; then they are set aside."""
        table = self._at.table
        lying = table.deck.at(BANK)
        seen = [lying[at] for at in last]

        def set_aside() -> None:
            for card in seen:
                table.set_aside(card, BANK)

        which = [len(lying) + at + 1 for at in last]
        self._reporting.report({"kind": "exposed", "to": BANK, "which": which}, moment, accepted=set_aside)

    def _exposed_place(self, places: list[str]) -> str | None:
        to = super()._exposed_place(places)
        if to is not None:
            again = self._at.chance.random() < AGAIN
            self._once_more = again and is_seat(to)
            self._expose_at = BANK if again and to == BANK else self._expose_at
        return to

    def _some(self, here: list[int]) -> list[int]:
        count = 1
        while count < len(here) and self._at.chance.random() < MORE_OF_PACKET:
            count += 1
        return self._at.chance.sample(here, count)
