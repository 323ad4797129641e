"""A table at which anything happens in any order, with everything that must hold whatever happened."""

from collections.abc import Callable
from typing import Any

import msgspec

from controller.engine.decisions.betting import ChipGone, ChipPassed, ChipSensed, LockIn, LockInPressed, PlaceWager
from controller.engine.decisions.cards import DeckChecked, ReportsMissed, ShuffleHeard, UnheardCard
from controller.engine.decisions.corrections import AdjustRound, ReleaseKey
from controller.engine.decisions.decision import Input
from controller.engine.decisions.devices import DeviceFound, DeviceMissed, DeviceSaid, ShufflerGreeted, ShufflerReplaced
from controller.engine.decisions.jackpot import AdjustMeter, ConfirmHit, WitnessCards
from controller.engine.decisions.played import CardsHeard, Decide, Reveal
from controller.engine.decisions.session import CloseTable, InsertionHeard, UseSource
from controller.engine.state.applied import Event, apply
from controller.engine.state.jackpot import E4, HitPaid, MeterAdjusted
from controller.engine.state.persons import (
    CorrectCards,
    CorrectDecision,
    CorrectSeat,
    CorrectWager,
    Exposed,
    Misdealt,
    PersonInput,
    ShufflerFailed,
    ToEmptySeat,
    VoidRound,
)
from controller.engine.state.table import Table
from controller.rulebook.events import (
    CardSource,
    CardsShown,
    InputCorrected,
    RoundBegun,
    RoundConfirmed,
    RoundSettled,
)
from controller.rulebook.games import game_of
from controller.rulebook.parts.faults import DeviceName
from controller.rulebook.refusal import Refusal
from tests.engine.playing import NAMED, PARAMETERS, Play

RATES = PARAMETERS.increment_bp + PARAMETERS.reserve_bp
AMOUNTS = (0, 100, 200, 500, 50)
DEVICES: tuple[DeviceName, ...] = ("shuffler", "shoe", "slots", "sign", "floor")
SAYINGS = ("jam", "cleared", "lid_opened", "error", "error_cleared", "cut_card", "damaged_card", "out_of_turn")


class Wild(Play):
    """Keeps its own books: chips of settled rounds, orders given, cards that may be named, places keyed in wrongly."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.folded = Table()
        self.nameable: set[str] = set()
        self.ever_shown: set[str] = set()
        self.settled_chips = self.awarded = self.paid = self.funded = self.adjusted = 0
        self.orders: list[int] = []
        self.discrepancies = 0
        self.falsified: set[str] = set()
        self.read_channels = 0
        super().__init__(*args, **kwargs)

    # ---- what must hold

    def go_on(self) -> tuple[Event, ...]:
        """As ever; two cards that cannot both lie there, one of them keyed in, are broken off."""
        try:
            return super().go_on()
        except Refusal as refusal:
            if not self.at("reveal") or refusal.article != "policy: complete deck":
                raise
            return self.say(VoidRound, "rui", reason="nobody knows which card it is")

    def hear(self, input: Input) -> tuple[Event, ...]:
        before, known = self.table, len(self.entries)
        try:
            events = super().hear(input)
        except Refusal:
            assert self.table == before
            self.nothing_is_named_too_soon()
            raise
        for event, _ in self.entries[known:]:
            self.folded = apply(self.folded, msgspec.json.decode(msgspec.json.encode(event), type=Event))
            self.book(event)
        self.holds(before)
        return events

    def book(self, event: Event) -> None:
        match event:
            case RoundBegun():
                self.ever_shown |= self.nameable
                self.nameable, self.falsified, self.discrepancies = set(), set(), 0
            case CardsShown(cards=shown):
                self.nameable |= set(shown)
            case InputCorrected(what="cards", after=after):
                self.nameable |= set(str(after).split())
            case InputCorrected(what="seat", at=at, after=after) if at in self.falsified:
                self.falsified = self.falsified - {at} | {str(after)}
            case RoundSettled(settlement=settlement):
                for seat in settlement.seats.values():
                    assert seat.net == sum(line.net for line in seat.lines)
                    assert settlement.outcome == "settled" or seat.net == 0
            case HitPaid(amount=amount):
                self.paid += amount
            case MeterAdjusted(amount=amount):
                self.adjusted += amount
            case RoundConfirmed():
                self.confirmed()

    def confirmed(self) -> None:
        """A round is paid: its money is booked, and every card it showed was the one that lay there."""
        settlement = self.round.settlement
        assert settlement is not None and (settlement.outcome == "void") is (self.round.void is not None)
        lines = [line for seat in settlement.seats.values() for line in seat.lines]
        self.settled_chips += sum(line.wager == "jackpot" and line.outcome != "void" for line in lines)
        for award in settlement.jackpot.awards if settlement.jackpot else ():
            self.awarded += award.amount
            self.funded += award.from_house
        if self.round.void is None and self.discrepancies < 2:
            for place, there in self.round.play.shown.items():
                assert place in self.falsified or " ".join(there) == self.lying_at(place)

    def holds(self, before: Table) -> None:
        assert self.folded == self.table
        assert msgspec.json.decode(msgspec.json.encode(self.table), type=Table) == self.table
        self.nothing_is_named_too_soon()
        self.what_was_turned_lies_there()
        order = self.step.order
        if order is not None and (not self.orders or self.orders[-1] != order):
            assert not self.orders or order > self.orders[-1]
            self.orders.append(order)
        round, meter = self.table.round, self.table.meter
        if meter is None:
            return
        contributed = [chip.seat for chip in self.table.contributed]
        assert len(contributed) == len(set(contributed))
        if round is not None and round.locked and round.void is None:
            assert sorted(contributed) == list(round.chips)
        if round is not None and round.void is not None:
            assert [chip.seat for chip in self.table.carried] == [s for s in contributed if s in round.void.carried]
        if round is None:
            assert meter.chips_counted == self.settled_chips + len(self.table.carried)
            stands = meter.pot_e4 + meter.reserve_e4 + meter.overflow_e4 + meter.pending_e4
            restarts_by_house = meter.house_funded_e4 - self.funded * E4
            came_in = 600_000 * E4 + meter.chips_counted * PARAMETERS.chip * RATES + restarts_by_house
            assert restarts_by_house >= 0
            assert stands == came_in + (self.funded + self.adjusted - self.paid) * E4
            assert meter.pending_e4 == (self.awarded - self.paid) * E4

    def nothing_is_named_too_soon(self) -> None:
        """No card stands in anything readable that was neither turned nor keyed in, but those of an earlier prize."""
        hits = self.table.meter.hits if self.table.meter is not None else ()
        won = {card for hit in hits for card in hit.cards}
        assert won <= self.ever_shown | self.nameable
        for channel in self.channels[self.read_channels :]:
            assert {name.decode() for name in NAMED.findall(channel)} <= self.nameable | won
        self.read_channels = len(self.channels)

    # ---- what may happen

    def move(self, name: str, a: int, b: int) -> None:
        """One thing happens, if it can happen now; `a` and `b` choose what exactly."""
        MOVES[name](self, a, b)

    def on(self, steps: int = 1) -> None:
        """What is usual, or what makes it possible, so many times."""
        for _ in range(steps):
            self.usual()

    def usual(self) -> None:
        if self.at("wagers") and not self.attempt(LockIn):
            for seat, laid_there in self.round.wagers.items():
                if not {"ante", "pair_plus"} & set(laid_there):
                    self.bet(seat, **dict.fromkeys(laid_there, 0))
            if not self.round.wagers:
                self.bet(1, ante=100)
        elif self.at("begin") and self.table.shuffler_failures >= 2:
            self.attempt(ShufflerReplaced, "rui")
            self.go_on()
        elif self.at("reveal") and self.discrepancies > 1:
            # Two mistakes that made up for each other: what lies there is not what the station takes it for.
            try:
                self.go_on()
            except Refusal:
                self.say(VoidRound, "rui", reason="the cards are others than they should be")
        elif not self.at("wagers"):
            self.go_on()

    def to_rest(self) -> None:
        """The usual leads out of everything, in a bounded number of steps."""
        for _ in range(150):
            if self.table.round is None and self.table.open:
                return
            self.usual()
        raise AssertionError(f"no end to {self.step}")

    def bet_something(self, a: int, b: int) -> None:
        self.attempt(PlaceWager, seat=a % 6 + 1, wager=("ante", "pair_plus", "six_card_bonus")[b % 3],
                     amount=AMOUNTS[(a + b) % 5])  # fmt: skip

    def sensor(self, a: int, b: int) -> None:
        seat, counter = a % 6 + 1, next(self._counters)
        lies = seat in self.table.slots
        match b % 4:
            case 0 | 1 if not lies:
                self.hear(ChipSensed(seat=seat, counter=counter))
            case 2 if not lies:
                self.hear(ChipPassed(seat=seat, counter=counter, edges=1))
            case 3:
                self.hear(ChipPassed(seat=seat, counter=counter, edges=a * 10 + 2))
            case _ if lies:
                self.hear(ChipGone(seat=seat, counter=counter))

    def lose_reports(self, a: int, b: int) -> None:
        """Cards are drawn unheard, or reports that were none are lost; then perhaps the next card comes."""
        if self.table.round is None or self.round.terms.source != "shoe":
            self.hear(ReportsMissed(count=a % 3 or None, gap_cause="reports_lost"))
            return
        unheard = a % 3 if self.at("deal") else 0
        for _ in range(unheard):
            self.draw_unheard()
        lost = max(unheard, 1) + b % 2 if b % 3 else None
        # Room for a card that was missed before and nobody noticed, or one that makes up for a card told in vain.
        self.discrepancies += lost != unheard or (unheard > 0 and self.discrepancies > 0)
        self.hear(ReportsMissed(count=lost, gap_cause="reports_lost"))
        if b % 2 and self.at("count") and self.round.gaps:
            self.draw()

    def draw_silently(self, a: int, b: int) -> None:
        """A card leaves the shoe unheard and nobody notices, or the dealer says so of one that was not drawn."""
        if self.at("deal") and self.round.terms.source == "shoe":
            self.discrepancies += 1
            if b % 2:
                self.draw_unheard()
            else:
                self.attempt(UnheardCard)

    def draw_unread(self, a: int, b: int) -> None:
        if self.at("deal"):
            self.unread |= {self.dealt + a % 3}
            self.deal_one()

    def say_unheard(self, a: int, b: int) -> None:
        if self.at("deal") and self.round.terms.source == "shoe":
            self.unheard_card()

    def count(self, a: int, b: int) -> None:
        if self.at("count"):
            wrong = b % 4 == 3
            self.discrepancies += wrong
            self.tell_count(self.dealt + (a % 5 - 2 if wrong else 0))

    def wrong_packet(self, a: int, b: int) -> None:
        if self.at("deal") and self.round.terms.source == "shuffler":
            self.deal_one(count=a % 5)

    def stray_card(self, a: int, b: int) -> None:
        """A card out of the source that is not in use, or of an order that nobody waits for."""
        source = self.round.terms.source if self.table.round is not None else "shuffler"
        other: CardSource = "shuffler" if source == "shoe" or b % 2 else "shoe"
        self.hear(CardsHeard(source=other, cards=(self.deck[51], self.deck[50]), order=1))

    def shuffle(self, a: int, b: int) -> None:
        if self.at("shuffle") and self.step.order is not None:
            self.hear(ShuffleHeard(order=self.step.order - b % 2, count=50 + a % 4))

    def greet(self, a: int, b: int) -> None:
        boot = self.table.shuffler_boot + (b % 3 == 0)
        self.hear(ShufflerGreeted(boot=boot, last_order=self.orders[-1] - a % 2 if self.orders and b % 3 else 0))

    def astray(self, a: int, b: int) -> None:
        if self.table.round is not None and self.round.dealt:
            places = [one.to[-1] for one in game_of(self.round).placed(self.round) if one.to]
            self.attempt(ToEmptySeat, meant_for=places[-1 - b % len(places)], seat=a % 6 + 1)

    def expose(self, a: int, b: int) -> None:
        self.attempt(Exposed, to=("seat 1", "seat 2", "seat 3", "community", "bank")[a % 5], count=b % 3 + (b > 6))

    def decide(self, a: int, b: int) -> None:
        self.attempt(Decide, seat=a % 6 + 1, decision=("play", "fold")[b % 2])

    def correct(self, a: int, b: int) -> None:
        seat, why = a % 6 + 1, {"reason": "entered wrongly"}
        match b % 4:
            case 0:
                wager = ("ante", "pair_plus", "six_card_bonus")[b % 3]
                self.attempt(CorrectWager, seat=seat, wager=wager, amount=AMOUNTS[(a + b) % 5], **why)
            case 1:
                self.attempt(CorrectSeat, seat=seat, to_seat=b % 6 + 1, **why)
            case 2:
                self.attempt(CorrectDecision, seat=seat, decision=("play", "fold")[a % 2], **why)
            case _:
                self.correct_cards(a, b)

    def correct_cards(self, a: int, b: int) -> None:
        """One card of a hand that was turned is called another, which never left the deck; or it is put right."""
        if self.table.round is None or not self.round.play.shown:
            return
        place = sorted(self.round.play.shown)[a % len(self.round.play.shown)]
        truth = self.lying_at(place)
        other = f"{self.deck[51 - a % 6]}{truth[2:]}" if place not in self.falsified else truth
        if self.attempt(CorrectCards, "rui", to=place, cards=other, reason="misread"):
            self.falsified ^= {place}

    def adjust(self, a: int, b: int) -> None:
        amount = (a - 5) * 100_000
        if b % 2:
            self.attempt(AdjustRound, "rui", round=a, seat=a % 6 + 1, amount=amount, reason="audit", second="ana")
            self.attempt(ReleaseKey, "rui", round=a, reason="audit", second="ana")
            return
        part = ("pot", "reserve", "overflow")[b % 3]
        self.attempt(AdjustMeter, "rui", part=part, amount=amount, reason="audit", second="ana")

    def device(self, a: int, b: int) -> None:
        device = DEVICES[a % 5]
        match b % 3:
            case 0:
                self.hear(DeviceMissed(device=device, reason="unplugged"))
            case 1:
                self.hear(DeviceFound(device=device, outage_ms=1, tries=1))
            case _:
                self.hear(DeviceSaid(device=device, what=SAYINGS[a % len(SAYINGS)], details="x"))  # type: ignore[arg-type]

    def jam(self, a: int, b: int) -> None:
        self.hear(DeviceSaid(device="shuffler", what="jam" if b % 2 else "cleared", details="x"))

    def witness(self, a: int, b: int) -> None:
        meter = self.table.meter
        hits = tuple(hit.hit for hit in meter.hits if hit.state == "payable") if meter is not None else ()
        self.attempt(WitnessCards, ("rui", "ana")[a % 5 == 4], hits=hits[b % 2 :], second=("ana", "sol")[b % 2])

    def pay(self, a: int, b: int) -> None:
        for hit in self.meter.hits:
            self.attempt(ConfirmHit, ("ana", "rui")[b % 2], hit=hit.hit)

    def turn(self, a: int, b: int) -> None:
        if self.at("reveal"):
            self.attempt(Reveal, to=self.step.to[0], cards=None if b % 2 else "2c 3c")


Move = Callable[[Wild, int, int], object]


def report(kind: type[PersonInput], actor: str = "ana", **fields: Any) -> Move:
    return lambda table, a, b: table.attempt(kind, actor, **fields)


def rarely(move: Move) -> Move:
    """What would end most rounds too soon."""
    return lambda table, a, b: move(table, a, b) if a % 4 == 0 else None


MOVES: dict[str, Move] = {
    "on": lambda table, a, b: table.on(1 + b % 3),
    "on and on": lambda table, a, b: table.on(4 + a),
    "bet": Wild.bet_something,
    "chip": Wild.sensor,
    "sweep": lambda table, a, b: table.sweep(),
    "button": lambda table, a, b: table.hear(LockInPressed()),
    "decide": Wild.decide,
    "correct": Wild.correct,
    "adjust": Wild.adjust,
    "pay": Wild.pay,
    "witness": Wild.witness,
    "turn": Wild.turn,
    "unheard card": Wild.say_unheard,
    "unread card": Wild.draw_unread,
    "reports lost": Wild.lose_reports,
    "silent card": rarely(Wild.draw_silently),
    "count": Wild.count,
    "astray": Wild.astray,
    "exposed": Wild.expose,
    "misdealt": rarely(report(Misdealt, what="order")),
    "misdealt and told late": rarely(report(Misdealt, "rui", what="order", reason="seen late")),
    "failed": rarely(report(ShufflerFailed)),
    "broken off": rarely(report(VoidRound, "rui", reason="power cut")),
    "packet": rarely(Wild.wrong_packet),
    "jam": rarely(Wild.jam),
    "greeted": Wild.greet,
    "shuffled": Wild.shuffle,
    "deck": rarely(lambda table, a, b: table.hear(DeckChecked(found=52 - b % 2, missing=b % 2, duplicated=b % 3))),
    "device": Wild.device,
    "stray card": Wild.stray_card,
    "inserted": lambda table, a, b: table.hear(InsertionHeard(count=b)),
    "source": lambda table, a, b: table.attempt(UseSource, source=("shoe", "shuffler")[b % 2]),
    "replaced": report(ShufflerReplaced, "rui"),
    "closed": rarely(report(CloseTable)),
}  # fmt: skip
