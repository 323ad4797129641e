"""The pairs of Taiwan-Pai Kao: placed by the players, turned by the dealer, corrected where they must be (6.º)."""

import asyncio

from simulators.dealer import hands
from simulators.dealer.http_face import Input, Projection
from simulators.dealer.memory import single_place
from simulators.dealer.showing import Keying
from simulators.dealer.station_desk import NoProgress, prompt_of
from simulators.dealer.taiwan_pai_kao.desk import TileDesk
from simulators.felt.guest import PAIRS, Guest, arranged_with
from simulators.felt.table import felt_place, seat_place
from simulators.felt.tile_table import PLACE, TILES_OF_PLACE, text_of
from simulators.felt.tiles import ArrangedTiles, is_right, ways

LEFT_TO_THE_STATION = 0.5  # share of the pairs set in the only way they can be, that are not keyed in


class TileShowing(Keying):
    """The tiles of one round after all are dealt."""

    def __init__(self, desk: TileDesk) -> None:
        super().__init__(desk)
        self._felt, self._gamblers = desk.felt, desk.gamblers
        self._items: dict[str, Input] = {}  # what is reported of a place, and sent again when it is refused
        self._wrong: set[str] = set()  # the places that are keyed in otherwise than they are

    async def arrange(self, view: Projection) -> bool:
        """Every place places its two pairs on the table (6.º a)."""
        if not self._felt.arranged:
            await self._at.pace.person(hands.LOOK_AND_DECIDE_SECONDS)
            own = await self._own_pairs()
            for place in range(1, self._felt.number + 1):
                self._place_pairs(place, own.get(place))
        return await self._at.desk.say(view, [{"kind": "arranged"}])

    async def _own_pairs(self) -> dict[int, ArrangedTiles | None]:
        """The pairs by place, as the persons who hold the tiles place them (6.º a); all are asked at once."""
        own = await asyncio.gather(*map(self._pairs_of, self._at.guests))
        return {guest.seat: pairs for guest, pairs in zip(self._at.guests, own, strict=True)}

    async def _pairs_of(self, guest: Guest) -> ArrangedTiles | None:
        holds = self._felt.chips.balance(felt_place(guest.seat, PLACE, guest.name)) or guest.seat == self._felt.banker
        tiles = self._felt.deck.at(seat_place(guest.seat))
        if not holds or len(tiles) != TILES_OF_PLACE:
            return None
        front = await guest.asked(PAIRS, self._at.while_asked(), tiles=[str(tile) for tile in tiles])
        return None if front is None else arranged_with(tiles, front)

    def _place_pairs(self, place: int, own: ArrangedTiles | None = None) -> None:
        tiles = self._felt.deck.at(seat_place(place))
        if own is not None:
            self._felt.arrange(place, own)
        elif len(tiles) == TILES_OF_PLACE:
            self._felt.arrange(place, self._gamblers.sets(tiles))

    async def reveal(self, view: Projection) -> bool:
        """Turns the pairs of a place, keys them in if wanted, and corrects them."""
        place = single_place(view["step"]["to"])
        seat = int(place[5:])
        if self._memory.by_person and seat not in self._felt.arranged:
            self._place_pairs(seat)
        if place not in self._felt.turned:
            await self._at.pace.person(hands.TURN_SECONDS)
            if not self._felt.turn(place) and self._memory.by_person and self._at.desk.supervisor:
                self._void()
                return True
            if place not in self._felt.turned:
                raise NoProgress(f"no tiles are at {place}, {prompt_of(view)}")
        if seat not in self._felt.arranged and self._memory.by_person:
            self._void()  # a person has continued with a number of tiles that makes no pairs
            return True
        arranged = self._felt.arranged[seat]
        if not await self._report(view, place, arranged):
            return False
        if not is_right(arranged):
            await self._at.pace.person(hands.CORRECTING_SECONDS)
            self._felt.correct_pairs(seat, ways(arranged.tiles)[0])
        return True

    async def _report(self, view: Projection, place: str, arranged: ArrangedTiles) -> bool:
        """Enters the pairs that are there; returns whether the station has accepted them."""
        key_in, right = (
            bool(view["step"].get("key_in")),
            {"kind": "reveal", "to": place, "cards": text_of(arranged.tiles)},
        )
        if place not in self._items or (key_in and "cards" not in self._items[place]):
            self._items[place] = self._reported_pairs(place, arranged, right, key_in)
        item = self._items[place]
        if "cards" in item:
            await self._at.pace.person(hands.KEY_IN_SECONDS)
        if place in self._wrong:
            self._items[place] = right
            self._wrong.discard(place)
            if await self._at.desk.mention(view, item) != 200:
                return False
            self._felt.camera.saw("irregularity", kind="miskey", to=place)
            self._reporting.correct({**right, "kind": "correct_cards"}, ("reveal", "confirm"))
            return True
        return await self._say_as_it_is(view, item)

    def _reported_pairs(self, place: str, arranged: ArrangedTiles, right: Input, key_in: bool) -> Input:
        """The tiles of a place, sometimes keyed in otherwise; empty if they can be arranged in one way only."""
        if self._at.mistakes.take("miskey") is not None:
            if others := [way for way in ways(arranged.tiles) if way.value != arranged.value]:
                self._wrong.add(place)
                return {**right, "cards": text_of(self._at.chance.choice(others).tiles)}
            self._at.mistakes.put_back("miskey", "")
        if not key_in and set_in_one_way(arranged) and self._at.chance.random() < LEFT_TO_THE_STATION:
            return {"kind": "reveal", "to": place}
        return right


def set_in_one_way(arranged: ArrangedTiles) -> bool:
    """Whether these pairs are the best, and no other split has an equally good rear pair."""
    best = ways(arranged.tiles)
    return arranged.value == best[0].value and all(
        set(way.rear) == set(arranged.rear) for way in best if way.value == arranged.value
    )
