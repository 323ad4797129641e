"""Betting on places (3.º), changes of the order of the stack (2.º f), and the dice (2.º b, e)."""

from simulators.dealer import hands
from simulators.dealer.betting import NamedBetting
from simulators.dealer.http_face import Projection
from simulators.dealer.taiwan_pai_kao.banking import Banking
from simulators.dealer.taiwan_pai_kao.desk import TileDesk
from simulators.felt.players import NamedBet
from simulators.felt.table import BANK, seat_place
from simulators.felt.tile_table import PLACE, STACK

MOVED_LATE = 0.5  # share of changes of the order that are made when the betting is closed already


class TileBetting(NamedBetting):
    """The wagers and the dice of one round; each throw is made once, and each change of the stack."""

    slips_noticed = ("deal", "arrange", "confirm")
    seats_noticed = ("arrange", "confirm")

    def __init__(self, desk: TileDesk, banking: Banking) -> None:
        super().__init__(desk)
        self._felt, self._gamblers, self._banking = desk.felt, desk.gamblers, banking
        self._movers: list[int] | None = None  # those still to change the order of the stack, the banker last
        self._thrown: dict[str, list[int] | None] = {}  # by step; None is null
        self._slip_of_dice: list[int] | None = None
        self._dice_compared = False  # those on the screen with those that are there

    async def announce(self, view: Projection) -> bool:
        """The dealer announces how many places get tiles."""
        return await self._banking.announce(view)

    def follow(self, view: Projection) -> None:
        """Takes the number of places, bank and dice from the screen if the hands have none."""
        self._banking.follow(view)
        if not self._felt.dice and view["round"].get("dice"):
            self._felt.dice = list(view["round"]["dice"])
            self._felt.camera.saw("dice", by=self._banker, dice=self._felt.dice)
        self._compare_dice(view)
        super().follow(view)

    def _compare_dice(self, view: Projection) -> None:
        """Compares the dice with those that a person entered: the tiles are dealt by the real ones."""
        entered = view["round"].get("dice")
        if self._dice_compared or not entered or self._reporting.corrections_due:
            return
        self._dice_compared = True
        if list(entered) != self._felt.dice:
            self._at.desk.person.noticed("entered_otherwise")
            self._reporting.correct({"kind": "correct_dice", "dice": self._felt.dice}, ("deal",))

    def _without_fixed(self, wagers: dict[int, dict[str, int]]) -> dict[int, dict[str, int]]:
        return {place: here for place, here in wagers.items() if place != self._felt.banker}

    async def throw(self, view: Projection) -> bool:
        """The banker shakes the dice, again if one is not flat or has jumped out; no one else may (2.º b, e)."""
        if not view["round"].get("null_dice") and await self._move_tiles(view):
            return True
        banker, step_id = self._banker, view["step"]["id"]
        if step_id not in self._thrown:
            await self._at.pace.person(hands.THROW_DICE_SECONDS)
            dice, badly = self._gamblers.throw()
            self._thrown[step_id] = None if badly else dice
            if badly:
                self._felt.camera.saw("dice_null", by=banker)
            else:
                self._felt.camera.saw("dice", by=banker, dice=dice)
                self._felt.dice = dice
                self._slip_of_dice = self._slip(dice)
        thrown = self._thrown[step_id]
        if thrown is None:
            return await self._at.desk.say(view, [{"kind": "dice_null", "by": banker}])
        if not await self._at.desk.say(view, [{"kind": "dice", "by": banker, "dice": self._slip_of_dice or thrown}]):
            return False
        if self._slip_of_dice is not None:
            self._felt.camera.saw("irregularity", kind="slip_dice")
            self._reporting.correct({"kind": "correct_dice", "dice": thrown}, ("deal", "arrange"))
        return True

    async def _close(self, view: Projection) -> bool:
        late = self._at.chance.random() < MOVED_LATE
        return (not late and await self._move_tiles(view)) or await super()._close(view)

    async def _move_tiles(self, view: Projection) -> bool:
        """The next one who wants to change the order of the stack does, and the dealer says so."""
        if self._movers is None:
            self._movers = self._gamblers.moves(self._felt.number, self._banker)
        if not self._movers:
            return False
        mover = self._movers.pop(0)
        by = BANK if mover == self._banker else seat_place(mover)
        await self._at.pace.person(hands.CUT_SECONDS)
        stack = self._felt.deck.at(STACK)
        cut = self._at.chance.randrange(1, len(stack))
        self._felt.move_tiles(by, stack[cut:] + stack[:cut])
        await self._at.desk.mention(view, {"kind": "tiles_moved", "by": by})
        return True

    def _slip(self, dice: list[int]) -> list[int] | None:
        """Keys in other dice than the real ones, by chance."""
        if self._at.mistakes.take("slip_dice") is None:
            return None
        at = self._at.chance.randrange(len(dice))
        other = self._at.chance.choice([number for number in range(1, 7) if number != dice[at]])
        return [*dice[:at], other, *dice[at + 1 :]]

    async def _named_bets(self) -> list[NamedBet]:
        number, banker = self._felt.number, self._banker
        if not self._at.guests:
            return self._gamblers.bets(number, banker)
        may = [guest for guest in self._at.guests if guest.seat <= number and guest.seat != banker]
        placed = {guest.seat: bets.wagers.get(PLACE, 0) for guest, bets in await self._at.bets_of(may)}
        own = [NamedBet(guest.seat, PLACE, guest.name, placed.get(guest.seat, 0)) for guest in self._at.guests]
        return self._gamblers.bets_beside(number, banker, own)

    def _confusable_seats(self) -> list[tuple[int, int]]:
        """Places that may be confused, without the banker's, where a wager would join him."""
        here = [seat for seat in range(1, self._felt.number + 1) if seat != self._banker]
        return [pair for pair in super()._confusable_seats() if set(pair) <= set(here)]

    @property
    def _banker(self) -> int:
        assert self._felt.banker is not None
        return self._felt.banker
