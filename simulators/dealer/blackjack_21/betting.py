"""Betting at black-jack/21: own bets, others' beside them, bets at vacant seats, late ones, and chips."""

from typing import Any

from simulators.dealer import hands
from simulators.dealer.betting import NamedBetting, Wager
from simulators.dealer.blackjack_21.desk import HandDesk
from simulators.dealer.http_face import Projection
from simulators.dealer.memory import is_void, single_place
from simulators.dealer.slot_betting import SlotBetting
from simulators.devices.card_machine import MACHINE
from simulators.felt.deck import SHOE
from simulators.felt.luck import aces_at
from simulators.felt.players import NamedBet
from simulators.felt.punters import BACKING, BET, VACANT, RoundBets
from simulators.felt.table import BANK

JACKPOT = "jackpot"


class PunterBetting(NamedBetting):
    """The common part of both ways of marking the accumulated prize: the bets on the felt."""

    def __init__(self, desk: HandDesk) -> None:
        super().__init__(desk)
        self._felt, self._punters, self._idle = desk.felt, desk.punters, desk.idle
        self._placed = RoundBets()

    async def take_bets(self, view: Projection) -> bool:
        """Takes the bets; or no one bets, and the round ends without play (12)."""
        if self._memory.wagers is None and await self._idle.here(view):
            self._memory.outcome = "no bets"
            return await self._idle.report(view)
        return await super().take_bets(view)

    async def late_chips(self, view: Projection) -> bool:
        """A bet placed before the seat's first card is due (13), although the deal has begun."""
        if not self._placed.late or view["step"]["kind"] != "deal" or is_void(view) or self._reporting.waiting:
            return False
        bet = self._placed.late.pop()
        due = single_place(view["step"]["to"])
        if self._felt.drawn[BANK] or not due.startswith("seat ") or int(due[5:]) >= bet.seat:
            return False
        item = self._place(bet)
        await self._at.pace.person(hands.CHIP_SECONDS)
        if await self._at.desk.mention(view, item) != 200:
            self._felt.take_wager_back(bet.seat, bet.wager, bet.player)
        return True

    def follow(self, view: Projection) -> None:
        """Makes the seats and hands on the felt equal to those on the screen, since a person may have entered
        others.
        """
        super().follow(view)
        round = view["round"]
        if not round.get("locked") or is_void(view) or self._reporting.corrections_due:
            return
        self._follow_bets(round)
        asked = view["step"].get("seat") if view["step"]["kind"] == "ask" else None
        for named, shown in (round.get("hands") or {}).items():
            if int(named) != asked:
                self._felt.follow_hands(self._memory.seat(int(named)), [len(hand["cards"].split()) for hand in shown])

    def _follow_bets(self, round: Projection) -> None:
        """Places chips where the screen has bets; before the deal, players without a bet on the screen take their
        chips back.
        """
        felt, felt_bets = self._felt, self._felt.bets
        screen = {}
        for bet in round.get("bets") or ():
            if bet["wager"] in (BET, BACKING, VACANT):
                seat = self._memory.seat(bet["seat"])
                screen[seat, bet["player"] or felt.seats[seat].player] = bet
        for (seat, player), bet in screen.items():
            if player not in felt_bets.get(seat, {}):
                felt.place_wager(seat, bet["wager"], bet["amount"], player)
                if bet["wager"] == BET:
                    felt.owners[seat] = player
        if not felt.drawn.total() and screen:
            for seat, player in [(seat, player) for seat, here in felt_bets.items() for player in here]:
                if (seat, player) not in screen:
                    felt.take_wager_back(seat, self._wager_of(seat, player), player)

    def _wager_of(self, seat: int, player: str) -> str:
        return next((bet.wager for bet in self._placed.bets if (bet.seat, bet.player) == (seat, player)), BET)

    async def increment(self, view: Projection) -> bool:
        """Enters the increment, if the prize is marked by hand."""
        return False

    async def _place_bets(self) -> list[Wager]:
        self._placed = await self._round_bets()
        if any(bet.wager == BET for bet in self._placed.bets) and self._at.luck.take():
            self._grant_two_aces(self._placed)
        wagers = [self._place(bet) for bet in self._placed.bets] + self._place_chips(self._placed.chips)
        self._felt.owners.update({seat: self._placed.owners[seat] for seat in self._felt.bets})
        await self._at.pace.person(hands.PLACE_BETS_SECONDS)
        return wagers

    def _grant_two_aces(self, placed: RoundBets) -> None:
        """The first hand of a player at his own seat gets two aces (43), and he places a chip.

        Each seat with a bet gets a card, then the bank, then each seat its second one.
        """
        seat = min(bet.seat for bet in placed.bets if bet.wager == BET)
        placed.chips += [] if seat in placed.chips else [seat]
        betting = sorted({bet.seat for bet in placed.bets})
        first = betting.index(seat)
        second = len(betting) + 1 + first
        deck = self._at.table.deck
        if deck.count(SHOE):
            deck.arrange(SHOE, aces_at(deck.at(SHOE), (first, second)))
        else:
            inside = deck.at(MACHINE)
            mixed = self._at.chance.sample(inside, len(inside))
            self._at.orders.bring(aces_at(mixed, (first, second))[: second + 1])

    async def _round_bets(self) -> RoundBets:
        if not self._at.guests:
            return self._punters.bets()
        asked = await self._at.bets_of(self._at.guests)
        own = [NamedBet(guest.seat, BET, guest.name, bets.wagers.get(BET, 0)) for guest, bets in asked]
        return self._punters.bets_beside(own, {guest.seat for guest, bets in asked if bets.chip})

    def _place_chips(self, seats: list[int]) -> list[Wager]:
        """The chips of the accumulated prize, and those that are keyed in."""
        for seat in seats:
            if seat not in self._felt.carried and not self._felt.seats[seat].chip_in_slot:
                self._felt.place_chip(seat)
        return []

    def _slippable(self, items: list[Wager]) -> list[Wager]:
        """A bet of another amount at a vacant seat might change who decides: it is keyed in rightly."""
        return [item for item in items if item["wager"] in (BET, BACKING)]

    def _other_amounts(self, item: Wager) -> list[int]:
        here = self._felt.bets[item["seat"]]
        room = self._punters.maximum - sum(here.values()) + item["amount"]
        return [amount for amount in super()._other_amounts(item) if amount <= room]

    def _confusable_seats(self) -> list[tuple[int, int]]:
        """Seats that may be confused, without those where someone bets late and vacant ones."""
        barred = {
            bet.seat
            for bet in (*self._placed.bets, *self._placed.late)
            if bet.wager == VACANT or bet in self._placed.late
        }
        if any(bet.wager == VACANT for bet in self._placed.bets):
            return []
        barred |= {seat for seat, _ in self._felt.beside}
        return [pair for pair in super()._confusable_seats() if not barred & set(pair)]


class AutomaticBetting(PunterBetting, SlotBetting):
    """The chips are in slots, and the table collects them (41 a))."""

    async def late_chips(self, view: Projection) -> bool:
        """Late bets on the felt, and chips that players place while the round is played."""
        return await PunterBetting.late_chips(self, view) or await SlotBetting.late_chips(self, view)

    async def _place_bets(self) -> list[Wager]:
        wagers = await PunterBetting._place_bets(self)
        await self._in_and_out()
        return wagers


class ManualBetting(PunterBetting):
    """The dealer takes the chips, leaves markers, and puts the increment on the display (41 b))."""

    def __init__(self, desk: HandDesk) -> None:
        super().__init__(desk)
        self._increment = desk.increment  # of one chip, in minor units

    async def sweep(self, view: Projection) -> bool:
        """Betting is closed: the chips go into the box, and a marker takes the place of each."""
        round = view.get("round") or {}
        if self._memory.swept or not round.get("locked"):
            return False
        await self._at.pace.person(hands.SWEEP_SECONDS)
        marks = [(bet["seat"], bet["player"]) for bet in round["bets"] if bet["wager"] == JACKPOT]
        marks = [(self._memory.seat(seat), player) for seat, player in marks if seat in round["chips"]]
        self._felt.sweep_slots({whose[0] for whose in marks if whose not in self._felt.beside})
        self._felt.sweep_beside(set(marks))
        for seat, sitting in self._felt.seats.items():
            if sitting.chip_swept:
                self._felt.camera.saw("marker", seat=seat)
        for seat, player in self._felt.beside:
            self._felt.camera.saw("marker", seat=seat, player=player)
        self._memory.swept = True
        return True

    async def increment(self, view: Projection) -> bool:
        """The increment of the chips, as the dealer has put it on the display."""
        chips = sum(sitting.chip_swept for sitting in self._felt.seats.values()) + len(self._felt.beside)
        amount = self._increment * chips
        if view["step"]["id"] not in self._memory.done:
            self._memory.done.add(view["step"]["id"])
            await self._at.pace.person(hands.KEY_IN_SECONDS)
            self._felt.camera.saw("increment", amount=amount)
        return await self._at.desk.say(view, [{"kind": "increment", "amount": amount}])

    def _place_chips(self, seats: list[int]) -> list[Wager]:
        """Chips beside bets alone: the dealer sees where they are."""
        beside: list[dict[str, Any]] = []
        for seat in seats:
            if seat in self._felt.bets and seat not in self._felt.carried:
                self._felt.place_chip(seat)
                chip = self._felt.chip
                beside.append({"kind": "wager", "seat": seat, "wager": JACKPOT, "amount": chip})
        for seat, player in self._placed.beside:
            if player in self._felt.bets.get(seat, {}):
                self._felt.place_chip_beside(seat, player)
                named = {"player": player}
                beside.append({"kind": "wager", "seat": seat, "wager": JACKPOT, "amount": self._felt.chip, **named})
        return beside


class PlainBetting(PunterBetting):
    """Betting without an accumulated prize (38)."""

    def _place_chips(self, seats: list[int]) -> list[Wager]:
        return []
