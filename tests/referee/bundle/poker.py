"""Fortune 3 Card Poker of 2025 and of 2008: the settlement of a record's round."""

from ..rules.hands import three_card_hand
from ..rules.lines import Message
from ..rules.poker import Settled, back, pay_jackpot, settle
from ..rules.poker_law import law_by
from .forms import Event, Wrong
from .parameters import Parameters
from .round import Round, by_seat, written

WAGERS = ("ante", "pair_plus", "six_card_bonus", "jackpot")  # in the order of the lines


class Poker(Round):
    """Ante and play, Pair Plus, Six Card Bonus, and a chip for the progressive jackpot."""

    def __init__(self, begun: Event, act: str) -> None:
        super().__init__(begun, act)
        self.law = law_by(self.terms["game"], self.act)

    def _result(self) -> Settled:
        stakes = {
            seat: {wager: sum(bets.values()) for wager, bets in here.items() if wager != "jackpot"}
            for seat, here in self.bets.items()
        }
        for seat, here in stakes.items():
            if "ante" in here and self.decisions.get(seat) not in ("play", "fold", "refused"):
                raise Wrong(f"seat {seat} has an ante, and neither play nor fold was entered")
        chips = [seat for seat in stakes if seat in self.chips]
        return settle(stakes, chips, self.terms["chip"], self.shown, self.decisions, self.law)

    def settled(self, pot: int | None, parameters: Parameters) -> Event:
        result = self._result()
        jackpot: Message = {}
        if pot is not None:
            meter = parameters.meter(pot, self.terms["chip"], won=bool(result.winners))
            awards = meter.pay(result.winners, self.terms.get("rules") or ())
            pay_jackpot(result, awards, self.law)
            jackpot = {"jackpot": {"pot_before": pot, "pot_after": meter.shown, "awards": awards}}
        seats = {}
        for seat, place in result.places.items():
            there = self.shown.get(f"seat {seat}")
            name = three_card_hand(there) if there else None
            seats[str(seat)] = {"hand": name, "net": place.net, "lines": [written(line) for line in place.lines]}
        dealer = {"hand": result.bank_hand, "qualifies": result.qualifies}
        return self.answer(dealer=dealer, seats=seats, **jackpot)

    def voided(self, pot: int | None, parameters: Parameters, after: int | None) -> Event:
        carried = self.chips if self.void_by in self.law.chips_carried else []
        lines = []
        for seat, here in self.bets.items():
            stakes = {wager: sum(bets.values()) for wager, bets in here.items()}
            if seat in self.chips:
                stakes["jackpot"] = self.terms["chip"]
            for wager in (wager for wager in WAGERS if wager in stakes):
                line = back(wager, stakes[wager], self.void_by)
                if wager == "jackpot":
                    line.more["carried"] = seat in carried
                lines.append((seat, line))
        seats = {seat: {"hand": None, **there} for seat, there in by_seat(lines).items()}
        jackpot: Message = {} if pot is None else {"jackpot": {"pot_before": pot, "pot_after": after, "awards": []}}
        return self.answer(dealer={"hand": None, "qualifies": None}, seats=seats, **jackpot)

    def prize(self, seat: int) -> list[str]:
        return [*self.shown[f"seat {seat}"], *self.shown["community"]]
