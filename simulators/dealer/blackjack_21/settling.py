"""Paying and collecting at black-jack/21: bets decided at once, then the others; and the cards at the end."""

from typing import Any

from simulators.dealer import hands
from simulators.dealer.blackjack_21.desk import HandDesk
from simulators.dealer.blackjack_21.sources import LiddedSources
from simulators.dealer.http_face import Projection
from simulators.dealer.memory import is_void, source_of
from simulators.dealer.settling import CLOSE, JACKPOT, Clearing, Settling, decided_seats, is_kept_on_table
from simulators.felt.blackjack_table import INSURANCE, _Key

HAND = "hand"
Line = dict[str, Any]

CARDS_WAIT = "the cards wait"


class HandSettling(Settling):
    """Settles one round, each line once; hands decided before the bank plays do not wait for the end."""

    def __init__(self, desk: HandDesk) -> None:
        super().__init__(desk)
        self._felt = desk.felt
        self._settled: set[_Key] = set()

    async def at_once(self, view: Projection) -> bool:
        """Pay and collect one line that is decided already (21, 22, 34, 35, 36), unless a slip is to be corrected."""
        lines = (view.get("round") or {}).get("lines") or {}
        if is_void(view) or self._reporting.corrections_due or self._memory.halted:
            return False
        for seat, here in lines.items():
            for line in here:
                if await self._settle_once(self._memory.seat(int(seat)), line):
                    return True
        return False

    async def _settle_lines(self, view: Projection, settlement: dict[str, Any]) -> None:
        lines = [
            (self._memory.seat(settled["seat"]), line)
            for settled in settlement["seats"]
            for line in settled["lines"]
            if line["outcome"] != "void"
        ]
        if is_void(view) or settlement["outcome"] == "void":
            self._felt.hand_back_beside(decided_seats(view))
            self._felt.undo_settled({self._key(seat, line) for seat, line in lines})
        for seat, line in lines:
            await self._settle_once(seat, line)

    async def _settle_once(self, seat: int, line: Line) -> bool:
        """Pays or collects this line; False if it is done, or the hands have nothing to do with it now."""
        key, net = self._key(seat, line), int(line["net"])
        _, wager, number, player = key
        if wager == JACKPOT or key in self._settled:
            return False
        self._settled.add(key)
        await self._at.pace.person(hands.PAY_SECONDS)
        if wager in (HAND, INSURANCE):
            box = INSURANCE if number is None else self._felt.hand(seat, number).box
            stake = self._felt.lying(seat, box, player)
            lost = 0 if net >= 0 else stake if -net == int(line["stake"]) else stake // 2
            self._felt.settle_stake(key, box, lost)
        if net > 0:
            self._felt.pay_bettor(key, net)
        if wager == HAND and number is not None:
            self._take_up(seat, number)
        return True

    def _key(self, seat: int, line: Line) -> _Key:
        return seat, line["wager"], line.get("hand"), line.get("player") or self._felt.owners[seat]

    def _take_up(self, seat: int, number: int) -> None:
        """The cards of a hand without chips that are taken up, unless they win the accumulated prize (21, 22, 49)."""
        hand = self._felt.hand(seat, number)
        if self._felt.chips.holders(f"felt {seat} {hand.box} ") or self._may_win_prize(seat):
            return
        if self._felt.deck.count(hand.place) and not hand.taken_up:
            self._felt.take_up(hand.place)
            hand.taken_up = True

    def _may_win_prize(self, seat: int) -> bool:
        """Whether the seat's first two cards were aces beside a chip; these stay on the table."""
        chip = self._felt.seats[seat].chip_swept or any(at == seat for at, _ in self._felt.beside)
        return chip and [card.rank for card in self._felt.first_two(seat)] == [
            1,
            1,
        ]


class LiddedClearing(Clearing):
    """Takes up no cards before the accumulated prize of the round is paid (49)."""

    def __init__(self, desk: HandDesk, sources: LiddedSources) -> None:
        super().__init__(desk, sources)
        self._lidded = sources

    async def close_claims(self, view: Projection) -> bool:
        """Put the cards in, or hold them over to the next round."""
        if is_kept_on_table(view):
            return False
        if source_of(view) == "shoe":
            if not self._memory.gathered and not self._at.desk.person.on:
                self.give_back_rest()
                await self._lidded.gather(view, self._memory)
            return await self._at.desk.say(view, [CLOSE])
        if not self._memory.gathered:
            self.give_back_rest()
            self._lidded.lid_may_open()
            if self._lidded.lid_open:
                if self._at.desk.person.on and not await self._at.desk.say(view, [CLOSE]):
                    return False
                await self._lidded.put_in(view, self._memory)
                return True
            await self._lidded.hold(view, self._memory)
            self._memory.done.add(CARDS_WAIT)
        if CARDS_WAIT in self._memory.done:
            return await self._at.desk.say(view, [{"kind": "hold_cards"}])
        return self._unreported(view) and await self._at.desk.say(view, [CLOSE])
