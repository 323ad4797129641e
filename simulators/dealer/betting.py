"""Betting: chips laid and keyed in, the lock-in, the slots swept, and what players do with chips out of turn."""

import asyncio
from typing import Any

from simulators.dealer import hands
from simulators.dealer.http_face import Projection
from simulators.dealer.lock_in import LockIn
from simulators.dealer.memory import RoundMemory, Workplace
from simulators.dealer.reporting import Reporting
from simulators.felt.players import Bets

PRESSES = 3  # then the screen is asked to close the betting
SECOND_CHIP = 0.1  # a player whose chip is carried lays another all the same


class Betting:
    """The bets of one round."""

    def __init__(self, workplace: Workplace, memory: RoundMemory, reporting: Reporting, lock_in: LockIn) -> None:
        self._at = workplace
        self._memory = memory
        self._reporting = reporting
        self._lock_in = lock_in
        self._presses = 0

    async def take_bets(self, view: Projection) -> bool:
        """Players lay their bets, the dealer keys them in all at once and locks in."""
        if self._memory.bets is None:
            self._memory.bets = await self._lay_bets()
        if not self._memory.announced:
            if self._memory.keyed_wagers is None:
                self._memory.keyed_wagers = self._keyed_wagers(self._memory.bets)
            self._memory.announced = await self._at.desk.say(view, self._memory.keyed_wagers)
            return True
        if await self._lock_in.press(self._betting_closed):
            self._presses = 0
            return True
        self._presses += 1
        if self._presses < PRESSES and view.get("devices", {}).get("slots", "up") == "up":
            return False
        self._presses = 0
        return await self._at.desk.mention(view, {"kind": "lock_in"}) == 200

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
        """Chips that players lay while the round is played, and that the dealer gives back."""
        slots = view.get("slots", {})
        for seat in sorted(self._memory.late_chips):
            if slots.get(str(seat)) == "late" or view["step"]["kind"] == "confirm":
                await self._at.pace.person(hands.CHIP_SECONDS)
                self._at.table.take_chip_back(seat)
                self._memory.late_chips.discard(seat)
                return True
        if not self._memory.swept or view["step"]["kind"] not in ("deal", "count", "decisions", "reveal"):
            return False
        value = self._at.mischief.take("late_chip")
        if value is None:
            return False
        late = self._seat(value)
        if late is None:
            self._at.mischief.put_back("late_chip", value)
            return False
        self._at.table.lay_chip(late)
        self._at.table.camera.saw("irregularity", kind="late_chip", seat=late)
        self._memory.late_chips.add(late)
        return True

    def _betting_closed(self) -> bool:
        view = self._at.desk.view()
        return view is not None and view["step"]["kind"] != "wagers"

    async def _lay_bets(self) -> dict[int, Bets]:
        table = self._at.table
        bets = self._at.players.bets()
        for seat, laid in bets.items():
            for wager, amount in laid.wagers.items():
                table.lay_wager(seat, wager, amount)
            if laid.chip and (seat not in table.carried or self._at.chance.random() < SECOND_CHIP):
                table.lay_chip(seat)
        await self._at.pace.person(hands.LAY_BETS_SECONDS)
        if (value := self._at.mischief.take("in_and_out")) is not None:
            await self._chip_in_and_out(value)
        return bets

    async def _chip_in_and_out(self, value: str) -> None:
        seat = self._seat(value)
        if seat is None:
            self._at.mischief.put_back("in_and_out", value)
            return
        self._at.table.lay_chip(seat)
        await self._at.pace.person(hands.CHIP_SECONDS)
        await asyncio.sleep(hands.CHIP_PASSES_SECONDS)
        self._at.table.take_chip_back(seat)
        self._at.table.camera.saw("irregularity", kind="in_and_out", seat=seat)

    def _seat(self, value: str) -> int | None:
        """The seat a player's mischief names, or any; None when its slot is not empty."""
        seats = self._at.table.seats
        empty = [seat for seat in seats if not seats[seat].chip_in_slot and value in ("", str(seat))]
        return self._at.chance.choice(empty) if empty else None

    def _keyed_wagers(self, bets: dict[int, Bets]) -> list[dict[str, Any]]:
        """The wagers as keyed in, perhaps one of them wrongly."""
        items: list[dict[str, Any]] = [
            {"kind": "wager", "seat": seat, "wager": wager, "amount": amount, "player": self._at.players.names[seat]}
            for seat, laid in bets.items()
            for wager, amount in laid.wagers.items()
        ]
        self._slip_wager(items)
        self._slip_seat(items)
        return items

    def _slip_wager(self, items: list[dict[str, Any]]) -> None:
        value = self._at.mischief.take("slip_wager")
        if value is None:
            return
        item = self._at.chance.choice(items)
        others = [amount for amount in self._at.players.amounts if amount != item["amount"]]
        if not others:
            self._at.mischief.put_back("slip_wager", value)
            return
        seat, wager, laid = item["seat"], item["wager"], item["amount"]
        item["amount"] = self._at.chance.choice(others)
        self._at.table.camera.saw("irregularity", kind="slip_wager", seat=seat, wager=wager)
        correction = {"kind": "correct_wager", "seat": seat, "wager": wager, "amount": laid}
        self._reporting.correct(correction, ("deal", "decisions", "confirm"))

    def _slip_seat(self, items: list[dict[str, Any]]) -> None:
        value = self._at.mischief.take("slip_seat")
        if value is None:
            return
        pairs = self._confusable_seats()
        if not pairs:
            self._at.mischief.put_back("slip_seat", value)
            return
        real, keyed = self._at.chance.choice(pairs)
        for item in items:
            if item["seat"] == real:
                item["seat"] = keyed
        self._memory.keyed_at[keyed] = real
        self._at.table.camera.saw("irregularity", kind="slip_seat", seat=real, keyed=keyed)
        correction = {"kind": "correct_seat", "seat": keyed, "to_seat": real}
        self._reporting.correct(correction, ("decisions", "confirm"), accepted=self._memory.keyed_at.clear)

    def _confusable_seats(self) -> list[tuple[int, int]]:
        """Seats with bets beside one without, no jackpot chip at either: seat and empty neighbour."""
        seats, carried = self._at.table.seats, self._at.table.carried
        quiet = [seat for seat in seats if not seats[seat].chip_in_slot and seat not in carried]
        return [
            (real, keyed)
            for real in quiet
            for keyed in (real - 1, real + 1)
            if seats[real].wagers and keyed in quiet and not seats[keyed].wagers
        ]
