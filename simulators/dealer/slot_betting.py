"""Betting where jackpot chips go into slots: the lock-in button, the slots swept, and chips out of turn."""

import asyncio

from simulators.dealer import hands
from simulators.dealer.betting import BetEntry, Wager
from simulators.dealer.http_face import Projection
from simulators.dealer.round_desk import AnyDesk
from simulators.devices.card_machine import MACHINE
from simulators.felt.deck import SHOE
from simulators.felt.luck import straight_flush_at
from simulators.felt.players import BASIC, Bets

PRESSES = 3  # then the screen is asked to close the betting
SHOWN_WITHIN, LOOKS_EVERY = 1.0, 0.01  # seconds
SECOND_CHIP = 0.1  # a player whose chip is carried places another all the same


class SlotBetting(BetEntry):
    """The bets of one round, with a jackpot (2025)."""

    def __init__(self, desk: AnyDesk) -> None:
        """Raises ValueError at a table without slots."""
        super().__init__(desk)
        if desk.at.lock_in is None:
            raise ValueError("the chips of this game are placed in slots, and this table has none")
        self._lock_in = desk.at.lock_in
        self._lock_in.new_round()
        self._presses = 0

    async def sweep(self, view: Projection) -> bool:
        """Betting is closed: sweep the slots, the chips that count into the box."""
        round = view.get("round") or {}
        if self._memory.swept or not round.get("locked"):
            return False
        if not await self._lock_in.wait_for_lamp():
            self._lock_in.missed_lamp()
        await self._at.pace.person(hands.SWEEP_SECONDS)
        self._at.table.sweep_slots(set(round["chips"]))
        self._memory.swept = True
        return True

    async def late_chips(self, view: Projection) -> bool:
        """Chips that players place while the round is played, and that the dealer gives back."""
        slots = view.get("slots", {})
        for seat in sorted(self._memory.late_chips):
            if slots.get(str(seat)) == "late" or view["step"]["kind"] == "confirm":
                await self._at.pace.person(hands.CHIP_SECONDS)
                await self._until_shown(seat, covered=True)
                self._at.table.take_chip_back(seat)
                await self._until_shown(seat, covered=False)
                self._memory.late_chips.discard(seat)
                return True
        if not self._memory.swept or view["step"]["kind"] not in ("deal", "count", "decisions", "ask", "reveal"):
            return False
        value = self._at.mistakes.take("late_chip")
        if value is None:
            return False
        late = self._seat(value)
        if late is None:
            self._at.mistakes.put_back("late_chip", value)
            return False
        self._at.table.place_chip(late)
        self._at.table.camera.saw("irregularity", kind="late_chip", seat=late)
        self._memory.late_chips.add(late)
        return True

    async def _until_shown(self, seat: int, covered: bool) -> None:
        """Waits, with a limit, until the screen shows the present state of the slot.

        Hands without a pace place, take and place again within one reading of the sensors, which looks like a bouncing
        one.
        """
        loop = asyncio.get_running_loop()
        deadline = loop.time() + SHOWN_WITHIN
        while loop.time() < deadline:
            view = self._at.desk.view()
            if view is None or view.get("devices", {}).get("slots", "up") != "up":
                return
            if (str(seat) in view.get("slots", {})) == covered:
                return
            await asyncio.sleep(LOOKS_EVERY)

    def drop_chip(self, seat: int) -> None:
        """Put a chip into a slot, for any player; a chip after the sweep is given back.

        Raises ValueError.
        """
        table = self._at.table
        if seat not in table.seats:
            raise ValueError(f"this table has seats 1 to {len(table.seats)}, and no seat {seat}")
        if table.seats[seat].chip_in_slot:
            raise ValueError(f"a chip is in the slot of seat {seat} already")
        table.place_chip(seat)
        if self._memory.swept:
            table.camera.saw("irregularity", kind="late_chip", seat=seat)
            self._memory.late_chips.add(seat)

    async def _close(self, view: Projection) -> bool:
        """No more bets: by the button, pressed until the lamp lights, and then on the screen.

        A person who has taken over chooses: the button waits for him too.
        """
        if self._at.desk.person.on:
            return await self._at.desk.say(view, [{"kind": "lock_in"}])
        if await self._lock_in.press(self._betting_closed):
            self._presses = 0
            return True
        self._presses += 1
        if self._presses < PRESSES and view.get("devices", {}).get("slots", "up") == "up":
            return False
        self._presses = 0
        return await self._at.desk.mention(view, {"kind": "lock_in"}) == 200

    def _film_lock_in(self) -> None:
        self._lock_in.film()

    def _betting_closed(self) -> bool:
        view = self._at.desk.view()
        return view is not None and view["step"]["kind"] != "wagers"

    async def _place_bets(self) -> list[Wager]:
        table, wagers = self._at.table, []
        bets_of_seat = await self._bets()
        if self._at.luck.take():
            self._grant_hit(bets_of_seat)
        for seat, bets in bets_of_seat.items():
            for wager, amount in bets.wagers.items():
                wagers.append(self._place_wager(seat, wager, amount))
            wanted = bets.chip and (seat not in table.carried or self._at.chance.random() < SECOND_CHIP)
            if wanted and not table.seats[seat].chip_in_slot:
                await self._until_shown(seat, covered=False)
                table.place_chip(seat)
        await self._at.pace.person(hands.PLACE_BETS_SECONDS)
        await self._in_and_out()
        return wagers

    def _grant_hit(self, bets_of_seat: dict[int, Bets]) -> None:
        """The first hand of the deal gets a straight flush with the community cards, and its player places a chip.

        The shuffler gives packets of three, the last one with a card for the rack before those of the community.
        """
        betting = [bets for bets in bets_of_seat.values() if BASIC & bets.wagers.keys()]
        betting[0].chip = True
        deck = self._at.table.deck
        source, spaces = (SHOE if deck.count(SHOE) else MACHINE), len(betting)
        behind_bank = 3 * (spaces + 1)
        own, rack = ((0, spaces, 2 * spaces), 0) if source == SHOE else ((0, 1, 2), 1)
        positions = (*own, behind_bank + rack, behind_bank + rack + 1)
        deck.arrange(source, straight_flush_at(deck.at(source), positions))

    async def _in_and_out(self) -> None:
        if (value := self._at.mistakes.take("in_and_out")) is not None:
            await self._chip_in_and_out(value)

    async def _chip_in_and_out(self, value: str) -> None:
        seat = self._seat(value)
        if seat is None:
            self._at.mistakes.put_back("in_and_out", value)
            return
        self._at.table.place_chip(seat)
        await self._at.pace.person(hands.CHIP_SECONDS)
        await asyncio.sleep(hands.CHIP_PASSES_SECONDS)
        self._at.table.take_chip_back(seat)
        self._at.table.camera.saw("irregularity", kind="in_and_out", seat=seat)

    def _seat(self, value: str) -> int | None:
        """The seat named by a player's mistake, or any; None if its slot is not empty."""
        seats = self._at.table.seats
        empty = [seat for seat in seats if not seats[seat].chip_in_slot and value in ("", str(seat))]
        return self._at.chance.choice(empty) if empty else None
