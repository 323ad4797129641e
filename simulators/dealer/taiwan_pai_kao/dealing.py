"""Dealing tiles by hand from the stack, past a reader or without one (2.º b, c, d), and mistakes with a tile."""

from simulators.dealer import hands
from simulators.dealer.drawing import SlipDrawing
from simulators.dealer.http_face import Projection
from simulators.dealer.memory import is_dealing, is_void, single_place
from simulators.dealer.reporting import Moment
from simulators.dealer.round_desk import AnyDesk
from simulators.dealer.space_misdealing import (
    NUMBER,
    ORDER,
    PLACE,
    SpaceMisdeal,
    SpaceMisdealing,
    received_or_ended,
)
from simulators.dealer.taiwan_pai_kao.desk import TileDesk
from simulators.felt.table import DOWN, UP, seat_place
from simulators.felt.tile_table import STACK, TILES_OF_PLACE
from simulators.felt.tiles import Tile


class TileMisdealing(SpaceMisdealing):
    """Four tiles are due at each place; without a `reader` the station receives none before all of them are there."""

    correctable = (PLACE, ORDER)

    def __init__(self, desk: AnyDesk, reader: bool) -> None:
        super().__init__(desk)
        self._reader = reader
        self._turned_over_at: str | None = None  # chosen by the hands, for a tile still to come in this round

    def card(self, view: Projection, place: str, due: list[str]) -> SpaceMisdeal:
        """The deed with the tile for `place`; `due` are all places that get tiles, in their order."""
        slip = super().card(view, place, due)
        return self._turned_over(view, place, due) if slip == SpaceMisdeal(place) else slip

    def stack_ran_out(self) -> None:
        """A tile is missing: the number is wrong, and all tiles are checked afterwards."""
        self._memory.deck_doubted = True
        self._wrong(NUMBER, "", SpaceMisdeal(""), lambda view: True).report()

    def _reported(self, view: Projection, cards: int) -> Moment:
        return received_or_ended(view, cards) if self._reader else lambda later: not is_dealing(later)

    def _soon(self, moment: Moment) -> Moment:
        return super()._soon(moment) if self._reader else lambda view: True

    def _may_be_one_too_many(self, place: str) -> bool:
        """A place may get a fifth tile, while the stack has one more."""
        deck = self._at.table.deck
        return bool(deck.count(place) == TILES_OF_PLACE - 1 and deck.count(STACK) > 1)

    def _turned_over(self, view: Projection, place: str, due: list[str]) -> SpaceMisdeal:
        """The tile may be seen while it is dealt (4.º), by chance."""
        if self._turned_over_at is None and (value := self._at.mistakes.take("expose")) is not None:
            if value and value not in due:
                self._at.mistakes.put_back("expose", value)
            else:
                self._turned_over_at = value or self._at.chance.choice(due)
        if self._turned_over_at != place:
            return SpaceMisdeal(place)
        self._turned_over_at = None

        def report() -> None:
            self._at.table.camera.saw("irregularity", kind="exposed", to=place)
            self._reporting.report({"kind": "exposed", "to": place, "count": 1}, self._reported(view, 1))

        return SpaceMisdeal(place, seen=True, report=report)

    def _not_later(self, place: str, later: list[str]) -> list[str]:
        """Places that have all their tiles."""
        seats = map(seat_place, self._at.table.seats)
        return [seat for seat in seats if seat != place and self._at.table.deck.count(seat) == TILES_OF_PLACE]


class TileDealing(SlipDrawing[Tile]):
    """The hands of one round; the first place follows from the dice on the table, not from the prompt.

    Without a `reader`, or if it does not answer, all tiles are placed and then reported as dealt.
    """

    def __init__(self, desk: TileDesk) -> None:
        super().__init__(desk)
        self._felt, self._reader = desk.felt, desk.reader
        self._misdealing = TileMisdealing(desk, desk.reader)
        self._away_patience = hands.DealerPatience(self._at.desk.looked_at)
        self._unreported = False  # the rest is placed without waiting for the reader

    async def deal(self, view: Projection) -> bool:
        """Deal one tile, each once; tiles that the reader missed are reported after the last one."""
        if is_void(view) or self._memory.halted:
            return False
        if self._reader and not self._unreported:
            return await self._deal_past_reader(view)
        place = self._next_place()
        if place is None:
            return await self._at.desk.say(view, [{"kind": "tiles_dealt"}])
        return await self._place(view, place)

    async def _deal_past_reader(self, view: Projection) -> bool:
        step_id = view["step"]["id"]
        if step_id in self._memory.done:
            return self._reader_is_away(view) or await self._report_unreported(view, single_place(view["step"]["to"]))
        if self._reporting.waiting or not self._shoe_is_ready():
            return False
        place = self._next_place()
        if place is None:
            return False
        self._memory.done.add(step_id)
        return await self._place(view, place)

    def _reader_is_away(self, view: Projection) -> bool:
        """A reader that stays away reads no more tiles in this round."""
        away = view.get("devices", {}).get("shoe", "up") != "up"
        wait = self._at.patience(hands.WAIT_SECONDS, hands.WAIT_AT_MAX_SECONDS)
        self._unreported = away and self._away_patience.lost("reader away", wait)
        if not away:
            self._away_patience.restart()
        return self._unreported

    async def _place(self, view: Projection, place: str) -> bool:
        """The next tile of the stack goes to its place, or to another one by mistake."""
        if not self._felt.deck.count(STACK):
            self._misdealing.stack_ran_out()
            return False
        await self._at.pace.person(hands.PLACE_TILE_SECONDS)
        self._at.stage.card()
        slip = self._misdealing.card(view, place, self._felt.in_turn)
        tile = await self._from_shoe(slip.falls_at, UP if slip.seen else DOWN)
        if self._reader:
            self._note_error(place, tile)
        await self._proceed(view, slip, tile)
        slip.report()
        return True

    async def _draw(self, view: Projection, place: str) -> Tile | None:
        return await self._from_shoe(place)

    def _next_place(self) -> str | None:
        """The place whose turn it is, by the tiles on the felt; None when all places have their tiles."""
        return next((place for place in self._felt.in_turn if self._felt.deck.count(place) < TILES_OF_PLACE), None)
