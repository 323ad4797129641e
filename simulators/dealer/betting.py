"""Betting: wagers placed and keyed in, perhaps wrongly, and closed on the screen."""

from typing import Any, ClassVar

from simulators.dealer import hands
from simulators.dealer.entered import wagers_on_screen
from simulators.dealer.http_face import Projection
from simulators.dealer.memory import is_void
from simulators.dealer.round_desk import AnyDesk, AtDesk
from simulators.felt.players import Bets, NamedBet

Wager = dict[str, Any]  # as it is keyed in


class BetEntry(AtDesk[Any]):
    """The bets of one round at a table without slots."""

    slips_noticed: ClassVar[tuple[str, ...]] = ("deal", "decisions", "confirm")  # a wrong amount
    seats_noticed: ClassVar[tuple[str, ...]] = ("decisions", "confirm")  # a wrong seat

    def __init__(self, desk: AnyDesk) -> None:
        super().__init__(desk)
        self._lock_in_filmed = False
        self._compared = False  # what was entered by a person, with what is on the felt

    async def take_bets(self, view: Projection) -> bool:
        """Players place their bets, the dealer keys them in all at once and locks in."""
        if self._memory.wagers is None:
            self._memory.wagers = await self._place_bets()
        if not self._memory.wagers_reported:
            if self._memory.keyed_wagers is None:
                self._memory.keyed_wagers = self._as_keyed(self._memory.wagers)
            self._memory.wagers_reported = await self._at.desk.say(view, self._memory.keyed_wagers)
            return True
        return await self._close(view)

    async def announce(self, view: Projection) -> bool:
        """Announces the deal, in a game where a deal is announced."""
        return False

    async def sweep(self, view: Projection) -> bool:
        """Without slots there are no chips to sweep."""
        return False

    async def late_chips(self, view: Projection) -> bool:
        """Without slots no one places a chip."""
        return False

    def drop_chip(self, seat: int) -> None:
        """Without slots a chip has nowhere to go. Raises ValueError."""
        raise ValueError("this table has no slots for a chip")

    def follow(self, view: Projection) -> None:
        """A person may have entered other bets: after the betting closes, the hands follow the screen."""
        round = view["round"]
        if not round.get("locked") or is_void(view) or self._reporting.corrections_due:
            return
        self._film_lock_in()
        self._memory.wagers_reported = True
        screen, felt = wagers_on_screen(round), self._on_felt()
        self._memory.keyed_at.clear()
        self._memory.keyed_at.update(confused_seats(*map(self._without_fixed, (screen, felt))))
        if not self._compared:
            self._compared = True
            if screen != felt:
                self._at.desk.person.noticed("entered_otherwise")

    def _without_fixed(self, wagers: dict[int, dict[str, int]]) -> dict[int, dict[str, int]]:
        """The seats without those that no one confuses."""
        return wagers

    def _on_felt(self) -> dict[int, dict[str, int]]:
        return {seat: dict(sitting.wagers) for seat, sitting in self._at.table.seats.items() if sitting.wagers}

    def _film_lock_in(self) -> None:
        if not self._lock_in_filmed:
            self._lock_in_filmed = True
            self._at.table.camera.saw("lock_in")

    async def _close(self, view: Projection) -> bool:
        """No more bets: enters that on the screen."""
        self._film_lock_in()
        return await self._at.desk.say(view, [{"kind": "lock_in"}])

    async def _place_bets(self) -> list[Wager]:
        wagers = []
        for seat, bets in (await self._bets()).items():
            for wager, amount in bets.wagers.items():
                wagers.append(self._place_wager(seat, wager, amount))
        await self._at.pace.person(hands.PLACE_BETS_SECONDS)
        return wagers

    async def _bets(self) -> dict[int, Bets]:
        """The bets on the felt, by seat; persons at the table are asked."""
        if not self._at.guests:
            return self._at.players.bets()
        asked = await self._at.bets_of(self._at.guests)
        return self._at.players.bets_beside({guest.seat: Bets(dict(bets.wagers), bets.chip) for guest, bets in asked})

    def _place_wager(self, seat: int, wager: str, amount: int) -> Wager:
        self._at.table.place_wager(seat, wager, amount)
        player = self._at.players.names[seat]
        return {"kind": "wager", "seat": seat, "wager": wager, "amount": amount, "player": player}

    def _bettor(self, item: Wager) -> dict[str, str]:
        """The player of this wager, if seat and wager do not determine him."""
        return {}

    def _as_keyed(self, bets: list[Wager]) -> list[Wager]:
        """The wagers as keyed in, perhaps one of them wrongly."""
        items = [dict(item) for item in bets]
        self._slip_wager(items)
        self._slip_seat(items)
        return items

    def _slip_wager(self, items: list[Wager]) -> None:
        value = self._at.mistakes.take("slip_wager")
        if value is None:
            return
        item = self._at.chance.choice(self._slippable(items))
        others = self._other_amounts(item)
        if not others:
            self._at.mistakes.put_back("slip_wager", value)
            return
        which = {"seat": item["seat"], "wager": item["wager"], **self._bettor(item)}
        correction = {"kind": "correct_wager", **which, "amount": item["amount"]}
        item["amount"] = self._at.chance.choice(others)
        self._at.table.camera.saw("irregularity", kind="slip_wager", **which)
        self._reporting.correct(correction, self.slips_noticed)

    def _slippable(self, items: list[Wager]) -> list[Wager]:
        """The wagers of which another amount may be keyed in; there is always one."""
        return items

    def _other_amounts(self, item: Wager) -> list[int]:
        """The amounts that may be keyed in for this wager instead."""
        return [amount for amount in self._at.players.amounts if amount != item["amount"]]

    def _slip_seat(self, items: list[Wager]) -> None:
        value = self._at.mistakes.take("slip_seat")
        if value is None:
            return
        pairs = self._confusable_seats()
        if not pairs:
            self._at.mistakes.put_back("slip_seat", value)
            return
        real, keyed = self._at.chance.choice(pairs)
        for item in items:
            if item["seat"] == real:
                item["seat"] = keyed
        self._memory.keyed_at[keyed] = real
        self._at.table.camera.saw("irregularity", kind="slip_seat", seat=real, keyed=keyed)
        correction = {"kind": "correct_seat", "seat": keyed, "to_seat": real}
        self._reporting.correct(correction, self.seats_noticed, accepted=self._memory.keyed_at.clear)

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


class NamedBetting(BetEntry):
    """The bets of one round where a bet names its player: any number of players may bet at a place."""

    async def _place_bets(self) -> list[Wager]:
        wagers = [self._place(bet) for bet in await self._named_bets()]
        await self._at.pace.person(hands.PLACE_BETS_SECONDS)
        return wagers

    async def _named_bets(self) -> list[NamedBet]:
        """The bets on the felt; a person at the table is asked."""
        raise NotImplementedError

    def _place(self, bet: NamedBet) -> Wager:
        self._at.table.place_wager(bet.seat, bet.wager, bet.amount, bet.player)
        return {"kind": "wager", "seat": bet.seat, "wager": bet.wager, "amount": bet.amount, "player": bet.player}

    def _bettor(self, item: Wager) -> dict[str, str]:
        return {"player": item["player"]}


def confused_seats(screen: dict[int, dict[str, int]], felt: dict[int, dict[str, int]]) -> dict[int, int]:
    """The seats that only the screen has, and those on the felt with the same wagers, if there is one such seat
    only.
    """
    found = {}
    for keyed in screen.keys() - felt.keys():
        alike = [real for real in felt.keys() - screen.keys() if felt[real] == screen[keyed]]
        twins = [other for other in screen.keys() - felt.keys() if screen[other] == screen[keyed]]
        if len(alike) == len(twins) == 1:
            found[keyed] = alike[0]
    return found
