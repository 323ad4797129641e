"""Paying and collecting at black-jack/21: what is decided at once, then the rest; winning cards lie until paid."""

from typing import Any

from simulators.dealer import hands
from simulators.dealer.http_face import Projection
from simulators.dealer.memory import RoundMemory, Workplace, is_void
from simulators.dealer.reporting import Reporting
from simulators.dealer.settling import JACKPOT, Settling
from simulators.felt.blackjack_table import INSURANCE, BlackjackTable, Key

HAND = "hand"
Line = dict[str, Any]


class HandSettling(Settling):
    """The settlement of one round, each line of it once; hands decided before the bank plays do not wait for it."""

    def __init__(self, workplace: Workplace, memory: RoundMemory, reporting: Reporting, felt: BlackjackTable) -> None:
        super().__init__(workplace, memory)
        self._reporting = reporting
        self._felt = felt
        self._settled: set[Key] = set()

    async def at_once(self, view: Projection) -> bool:
        """Pay and collect one line that is decided already (21, 22, 34, 35, 36), unless a slip is to be put right."""
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
            (self._memory.seat(int(seat)), line)
            for seat, settled in settlement["seats"].items()
            for line in settled["lines"]
            if line["outcome"] != "void"
        ]
        if is_void(view) or settlement.get("outcome") == "void":
            self._felt.undo_settled({self._key(seat, line) for seat, line in lines})
        for seat, line in lines:
            await self._settle_once(seat, line)

    async def _settle_once(self, seat: int, line: Line) -> bool:
        """Pay or collect this line; False when it is done, or is no concern of the hands now."""
        key, net = self._key(seat, line), int(line["net"])
        _, wager, number, player = key
        if wager == JACKPOT or key in self._settled:
            return False
        self._settled.add(key)
        await self._at.pace.person(hands.PAY_SECONDS)
        if wager in (HAND, INSURANCE):
            box = INSURANCE if number is None else self._felt.hand(seat, number).box
            held = self._felt.lying(seat, box, player)
            lost = 0 if net >= 0 else held if -net == int(line["stake"]) else held // 2
            self._felt.settle_stake(key, box, lost)
        if net > 0:
            self._felt.pay_bettor(key, net)
        if wager == HAND and number is not None:
            self._take_up(seat, number)
        return True

    def _key(self, seat: int, line: Line) -> Key:
        return seat, line["wager"], line.get("hand"), line.get("player") or self._felt.owners[seat]

    def _take_up(self, seat: int, number: int) -> None:
        """The cards of a hand on which no chips lie any more, unless they win the accumulated prize (21, 22, 49)."""
        hand = self._felt.hand(seat, number)
        if self._felt.chips.holders(f"felt {seat} {hand.box} ") or self._may_win_prize(seat):
            return
        if self._felt.deck.count(hand.place) and not hand.taken_up:
            self._felt.take_up(hand.place)
            hand.taken_up = True

    def _may_win_prize(self, seat: int) -> bool:
        """Whether the first two cards of the seat were aces beside a chip, which stay on the table."""
        return self._felt.seats[seat].chip_swept and [card.rank for card in self._felt.first_two(seat)] == [1, 1]
