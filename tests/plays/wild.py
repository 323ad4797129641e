"""A table at which any input is tried in any order, with everything that must hold whatever happens.

Inputs are made from the table of deciders and the types of their fields. `values.py` has what the fields
may hold, `tables.py` what a game has of its own.
"""

from collections import Counter
from collections.abc import Sequence
from random import Random
from types import NoneType, UnionType
from typing import Any, ClassVar, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from controller.engine.decisions.betting import PlaceWager
from controller.engine.decisions.cards import PassCut, ReportsMissed, UnreportedCard
from controller.engine.decisions.corrections import AdjustRound, Complain, DecideComplaint, ReleaseKey
from controller.engine.decisions.deciders import ROWS, ApproveChanges, RejectChanges, StaleStep, row_of
from controller.engine.decisions.decision import REPORT, DeviceInput, Input
from controller.engine.decisions.devices import DevicesConfigured, FloorBeyond, MessageNotTaken, ShufflerReplaced
from controller.engine.decisions.jackpot import AdjustMeter, ConfirmHit, ParametersRead
from controller.engine.decisions.link import LinkConfigured, LinkReceived, LinkToCount
from controller.engine.decisions.played import CardsReported, Reveal
from controller.engine.decisions.session import (
    CloseTable,
    HoldCards,
    InsertionReported,
    Loaded,
    NoBets,
    SegmentsExpired,
    SignInReceived,
    UseSource,
)
from controller.engine.recorded import JournalReplay, Written
from controller.engine.shown.device_orders import react
from controller.engine.state import jackpot
from controller.engine.state.applied import Event, apply
from controller.engine.state.jackpot import E4, HitPaid, MeterAdjusted
from controller.engine.state.persons import CorrectCards, EnterCount, Misdealt, PersonInput, ShufflerFailed, VoidRound
from controller.engine.state.table import Table
from controller.rulebook.cards import Card
from controller.rulebook.events import CardSource, CardsShown, InputCorrected, RoundBegun, RoundConfirmed, WagerPlaced
from controller.rulebook.refusal import Refusal
from controller.statistics.course import moved_e4
from tests.docs.who_may_do_what import steps_named
from tests.engine.playing import NAMED, Play
from tests.engine.reported import lines
from tests.plays.values import values_of

OF_THE_STATION: tuple[type[Input], ...] = (  # what no one at the table does, and no device of it reports
    ParametersRead, LinkConfigured, LinkReceived, LinkToCount, DevicesConfigured, FloorBeyond, MessageNotTaken,
    SegmentsExpired, SignInReceived,
)  # fmt: skip
OF_HANDS: tuple[type[Input], ...] = (CardsReported, ReportsMissed, UnreportedCard, EnterCount)  # see `misdeal`
KINDS: list[type[Input]] = [kind for kind in ROWS if kind not in (*OF_THE_STATION, *OF_HANDS)]
FIELDS: dict[type[Input], dict[str, Any]] = {kind: get_type_hints(kind) for kind in KINDS}
# They would end most rounds too soon.
ENDING: tuple[type[Input], ...] = (VoidRound, Misdealt, ShufflerFailed, CloseTable, NoBets, UseSource)
CHANGES: list[type[Input]] = [kind for kind in KINDS if ROWS[kind].changes or ROWS[kind].answers == REPORT] + [
    ApproveChanges,
    RejectChanges,
] * 2
AFTER_ROUNDS: list[type[Input]] = [AdjustRound, AdjustMeter, ReleaseKey, Complain, ConfirmHit, DecideComplaint]
STEPS = {kind: steps_named(ROWS[kind]) for kind in KINDS}
MOST_STEPS = 200  # to a table between two rounds


class Wild(Play):
    """Does anything by `chance`, which sees only what anybody sees, and keeps books of its own."""

    wagers: ClassVar[tuple[str, ...]]
    amounts: ClassVar[tuple[int, ...]] = (0, 100, 200, 500, 50)
    players: ClassVar[tuple[str | None, ...]] = (None,)
    decisions_of: ClassVar[tuple[str, ...]] = ("play", "fold")
    named: ClassVar[Any] = NAMED  # what a card looks like in a text
    masked: ClassVar[int] = 0  # how many mistakes with cards in one round are all noticed
    truth: ClassVar[bool] = True  # whether `lying_at` knows every place

    def __init__(self, chance: Random, *args: Any, **kwargs: Any) -> None:
        self.chance: Random = chance
        self.folded = Table()
        self.placed: dict[tuple[int, str, str], int] = {}
        self.nameable: set[str] = set()
        self.ever_shown: set[str] = set()
        self.falsified: set[str] = set()
        self.mistakes = self.read_channels = self.begun_with = 0
        self.settled_chips = self.awarded = self.paid = self.funded = self.adjusted = 0
        self.orders: list[int] = []
        self.input: Input | None = None  # the one that is decided
        self.filled: dict[str, Any] = {}  # the fields of the input that is made
        self.tried: Counter[tuple[type[Input], bool]] = Counter()
        super().__init__(*args, **kwargs)
        self.reserve = [str(card) for card in self.deck[-6:]]  # cards that a wrong entry may name

    # ---- what must hold

    def receive(self, input: Input) -> tuple[Event, ...]:
        before, known, asked, self.input = self.table, len(self.entries), self.step.kind, input
        steps = steps_named(row_of(before, input))
        if isinstance(input, Reveal | CorrectCards):  # what a person keys in is no secret of the station's
            self.nameable |= set((input.cards or "").split())
        try:
            events = super().receive(input)
        except Refusal:
            assert self.table == before
            self.nothing_is_named_too_soon()
            self.tried[type(input), False] += 1
            raise
        assert not steps or asked in steps
        self.tried[type(input), True] += 1
        for event, _ in self.entries[known:]:
            pot_e4 = _pot_e4(self.folded)
            self.folded = apply(self.folded, msgspec.json.decode(msgspec.json.encode(event), type=Event))
            assert _pot_e4(self.folded) == pot_e4 + (moved_e4(event) or 0), "the figures show it so"
            self.book(event)
        self.holds()
        return events

    def book(self, event: Event) -> None:
        """An event, in books of its own."""
        match event:
            case RoundBegun():
                self.begun_with = len(self.table.carried)
                self.ever_shown |= self.nameable
                self.nameable, self.falsified, self.placed, self.mistakes = self.begun(event), set(), {}, 0
            case WagerPlaced(seat=seat, wager=wager, amount=amount, player=player):
                self.placed[seat, wager, self.named_better(player)] = amount
            case InputCorrected(what="wager", at=at, after=after, wager=wager, player=player):
                self.placed[int(at[5:]), str(wager), self.named_better(player)] = int(after)
            case InputCorrected(what="seat", at=at, after=after):
                moved = {int(at[5:]): int(str(after)[5:])}
                self.placed = {
                    (moved.get(seat, seat), wager, player): amount
                    for (seat, wager, player), amount in self.placed.items()
                    if amount
                }
                if self.cards_move_with_bets():
                    self.falsified = {str(after) if place == at else place for place in self.falsified}
            case InputCorrected(what="cards", at=at, after=after):
                self.nameable |= set(str(after).split())
                self.keyed_in(at, str(after).split())
            case CardsShown(to=to, cards=shown):
                self.nameable |= set(shown)
                if isinstance(self.input, Reveal) and self.input.cards is not None:
                    self.keyed_in(to, shown)
            case HitPaid(amount=amount):
                self.paid += amount
            case MeterAdjusted(amount=amount):
                self.adjusted += amount
            case RoundConfirmed():
                self.book_results()

    def named_better(self, player: str | None) -> str:
        """Who placed a bet, where the seats are shared."""
        return player or "" if self.settings.terms.shared else ""

    def bets(self, bets: dict[tuple[int, str, str], int]) -> dict[Any, int]:
        """What was placed in the boxes of the table, as it can be compared."""
        return {bet: amount for bet, amount in bets.items() if amount and bet[1] in self.wagers and bet[1] != "jackpot"}

    def copies(self, card: str) -> int:
        """How many of a card there are if none is faulty."""
        return self.settings.terms.decks

    def cards_move_with_bets(self) -> bool:
        """Whether a seat whose bets were entered at another has the cards there."""
        return True

    def keyed_in(self, place: str, cards: Sequence[str]) -> None:
        """A person has entered the cards of a place, wrongly or as they are."""
        if self.truth:
            right = self.as_shown(cards) == self.as_shown(self.lying_at(place).split())
            self.falsified = self.falsified - {place} if right else self.falsified | {place}

    def begun(self, event: RoundBegun) -> set[str]:
        """The cards that are open before a round is dealt."""
        return set()

    def book_results(self) -> None:
        """Every bet is in the report and no other; the prize is booked; each card shown was the one that was there."""
        report = self.report
        reported = {(wager.seat, wager.wager, self.named_better(wager.player)): wager.amount for wager in report.wagers}
        assert self.bets(self.placed) == self.bets(reported)
        assert (report.outcome == "void") is (self.round.void is not None)
        self.settled_chips += sum(line.wager == "jackpot" and line.outcome != "void" for line in lines(report))
        for award in report.jackpot.awards if report.jackpot else ():
            self.awarded += award.amount
            self.funded += award.from_house
        if self.round.void is None and self.mistakes <= self.masked and self.truth:
            for place, there in self.round.play.shown.items():
                assert place in self.falsified or self.as_shown(there) == self.as_shown(self.lying_at(place).split())

    def as_shown(self, cards: Sequence[str]) -> list[str]:
        """Cards of a place, as two readings of them are compared."""
        return list(cards)

    def holds(self) -> None:
        """What holds after every input."""
        assert self.folded == self.table
        kept = msgspec.json.encode(self.table)
        restored = msgspec.json.decode(kept, type=Table)
        assert restored == self.table
        effects = react(self.table, 2)
        assert react(restored, 2) == effects
        dealing = self.at("deal", "burn") and self.round.terms.source == "shoe"
        assert effects.shoe_locked or dealing
        self.nothing_is_named_too_soon()
        assert {name.decode() for name in self.named.findall(kept)} <= self.ever_shown | self.nameable
        if self.truth:
            self.what_was_turned_is_there()
        order = self.step.order
        if order is not None and order not in self.orders[-1:]:
            assert not self.orders or order > self.orders[-1]
            self.orders.append(order)
        if self.table.meter is not None:
            self.the_prize_is_conserved()

    def the_prize_is_conserved(self) -> None:
        """What came in is in the meter or was paid; a seat has one chip in it, and a void round none but those kept."""
        round, meter = self.table.round, self.meter
        jackpot.check_meter(meter)
        contributed = [chip.seat for chip in self.table.contributed]
        assert len(contributed) == len(set(contributed))
        if round is not None and round.locked and round.void is None:
            assert sorted(contributed) == sorted(round.chips)
        if round is None:
            rates = meter.parameters.increment_bp + meter.parameters.reserve_bp
            by_house = meter.house_funded_e4 - self.funded * E4
            came_in = 600_000 * E4 + meter.chips_counted * meter.parameters.chip * rates + by_house
            assert meter.chips_counted == self.settled_chips + len(self.table.carried)
            assert by_house >= 0
            assert meter.pot_e4 + meter.reserve_e4 + meter.overflow_e4 + meter.pending_e4 == (
                came_in + (self.funded + self.adjusted - self.paid) * E4
            )
            assert meter.pending_e4 == (self.awarded - self.paid) * E4

    def nothing_is_named_too_soon(self) -> None:
        """No card is in anything readable that was neither shown nor keyed in, but those of an earlier prize."""
        hits = self.table.meter.hits if self.table.meter is not None else ()
        won = {card for hit in hits for card in hit.cards}
        assert won <= self.ever_shown | self.nameable
        for channel in self.channels[self.read_channels :]:
            names = {name.decode() for name in self.named.findall(channel)}
            assert names <= self.nameable | won, (names - self.nameable, channel)
        self.read_channels = len(self.channels)

    def is_decided_again_as_it_was(self) -> None:
        """A replay of what was recorded decides the same."""
        rows = [
            Written(place + 1, event, self.now, drawn, self.inputs.get(place))
            for place, (event, drawn) in enumerate(self.entries)
        ]
        replay = JournalReplay(Table())
        assert [*replay.take(rows, last=True)] == [] and replay.different_notices == 0

    # ---- what is usual

    def usual(self) -> None:
        """What people and devices do next, or what makes it possible."""
        for text in self.table.complaints:
            self.say(DecideComplaint, "rui", complaint=text.complaint, outcome="unchanged", reason="seen on the film")
        match self.step.kind:
            case "wagers":
                self.close_the_bets()
            case "begin" if not self.attempt_to_proceed():
                self.say(ShufflerReplaced, "rui")
            case "begin":
                pass
            case "load":
                self.put_all_in() or self.say(CloseTable)
            case "cut" if self.step.seat is not None and self.chance.random() < 0.3:
                self.say(PassCut, seat=self.step.seat, vacant=self.chance.random() < 0.5)
            case "claims" if self.chance.random() < 0.1 and self.attempt(HoldCards):
                pass
            case "reveal":  # a card that cannot be where it was keyed in is one that no one can know
                self.attempt_to_proceed() or self.say(VoidRound, "rui", reason="no one knows which card it is")
            case _:
                self.answer_by_chance()

    def attempt_to_proceed(self) -> bool:
        before = self.step
        try:
            self.proceed()
        except Refusal:
            return False
        return self.step != before or self.table.round is None or self.round.void is not None

    def answer_by_chance(self) -> None:
        """An answer that is as good as the usual one."""
        self.proceed()

    def close_the_bets(self) -> None:
        """No more bets; where none can be closed, all are taken back for a standard one."""
        if not self.attempt_to_proceed():
            for seat, wagers in self.round.wagers.items():
                for wager in wagers:
                    self.attempt(PlaceWager, seat=seat, wager=wager, amount=0)
            self.bet_something()

    def bet_something(self) -> None:
        """A bet that can be placed at an empty table."""
        raise NotImplementedError

    def put_all_in(self) -> bool:
        """The packets that a dispenser still wants, if not too many were put in already."""
        assert self.table.load is not None
        wanted = self.table.load.cards - sum(self.table.load.packets)
        if wanted < 0 or (wanted == 0 and len(self.table.load.packets) < 2):
            return False
        for count in (wanted // 2, wanted - wanted // 2) if wanted else ():
            self.receive(InsertionReported(count=count))
        self.say(Loaded, "rui")
        return True

    def to_rest(self) -> None:
        """The usual leads out of everything, in a bounded number of steps."""
        for _ in range(MOST_STEPS):
            if self.table.round is None and self.at("begin"):
                return
            self.usual()
        raise AssertionError(f"no end to {self.step}")

    # ---- what may happen

    def anything(self, times: int) -> None:
        """So many things happen, the usual ones among them."""
        for _ in range(times):
            match self.chance.randrange(8):
                case 0 | 1:
                    for _ in range(self.chance.choice((1, 1, 1, 2, 4))):
                        self.usual()
                case 2:
                    self.misdeal()
                case 3 if asked := [kind for kind in KINDS if self.step.kind in STEPS[kind]]:
                    self.enter(self.chance.choice(asked))
                case 4 | 5 | 6:
                    locked = self.table.round is not None and self.round.locked
                    kinds: list[type[Input]] = CHANGES if locked else AFTER_ROUNDS
                    for kind in self.chance.sample(kinds, k=3):
                        self.enter(kind)
                case _:
                    for _ in range(3):
                        self.enter(self.chance.choice(KINDS))

    def hits_payable(self) -> list[int]:
        """The numbers of the prizes that are to be paid."""
        return [hit.hit for hit in self.meter.hits if hit.state == "payable"] if self.table.meter is not None else []

    def alarm_names(self) -> list[str]:
        return [*self.active_alarms(), "x"]

    def enter(self, kind: type[Input]) -> None:
        """An input of this kind with anything in its fields."""
        if kind in ENDING and self.chance.random() < 0.75:
            return
        self.filled = fields = {}
        for name, hint in FIELDS[kind].items():
            if name not in ("input_id", "step_id", "actor"):
                fields[name] = self.value(kind, name, hint)
        if issubclass(kind, DeviceInput):
            self.receive(kind(**fields))
        elif self.chance.random() < 0.05:
            try:
                self.check(kind(input_id="x", step_id="0/none", actor="ana", **fields))
            except StaleStep:
                return
            raise AssertionError("an answer to no step was taken")
        else:
            assert issubclass(kind, PersonInput)
            actor = self.chance.choice(("ana", "rui") if ROWS[kind].only is None else ("rui", "rui", "ana"))
            self.attempt(kind, actor, **fields)

    def value(self, kind: type[Input], name: str, hint: Any) -> Any:
        """Anything that a field can hold, most of all what makes sense now."""
        if get_origin(hint) in (Union, UnionType):
            hints = [type_ for type_ in get_args(hint) if type_ is not NoneType]
            if self.chance.random() < 0.3:
                return None
            hint = hints[0]
        if get_origin(hint) is Literal:
            return self.chance.choice(get_args(hint))
        if hint is bool:
            return self.chance.random() < 0.5
        return self.chance.choice(list(values_of(kind.__name__, name, hint)(self)))

    # ---- mistakes with cards, which the dealer reports, reports wrongly, or does not notice

    def misdeal(self) -> None:
        """Something goes wrong with cards as they leave their source, or as they are counted."""
        dealing = self.at("deal", "burn")
        from_shoe = self.table.round is not None and self.round.terms.source == "shoe"
        match self.chance.randrange(7):
            case 0 if dealing:
                self.unread |= {self.dealt + self.chance.randrange(3)}
                self.usual()
            case 1 if dealing and from_shoe:
                self.unreported_card()
            case 2:
                self.lose_reports(dealing and from_shoe)
            case 3 if self.at("deal") and from_shoe and self.chance.random() < 0.3:
                self.mistakes += 1
                if self.chance.random() < 0.5:
                    self.draw_unreported()
                else:
                    self.attempt(UnreportedCard)
            case 4 if self.at("count"):
                self.count(self.chance.choice((0, 0, 0, -1, 1, 2)))
            case 5:
                self.card_not_due()
            case _:
                self.stray_cards()

    def count(self, wrong_by: int) -> None:
        """The dealer counts the cards that left their source."""
        self.mistakes += wrong_by != 0
        self.report_count(self.dealt + wrong_by)

    def lose_reports(self, may_draw: bool) -> None:
        """Reports are lost, and cards are drawn unreported where any can be."""
        self.receive(ReportsMissed(count=self.chance.choice((None, 1, 2)), gap_cause="reports_lost"))

    def card_not_due(self) -> None:
        """A card leaves the source in use though none is due, or more or fewer than were asked for."""

    def stray_cards(self) -> None:
        """Cards leave a source that is not in use, or for an order that no one waits for."""
        source = self.round.terms.source if self.table.round is not None else "shoe"
        other: CardSource = "shuffler" if source == "shoe" else "shoe"
        cards = tuple(Card(name) for name in self.reserve[: self.chance.randrange(3)])
        self.receive(CardsReported(source=other, cards=cards, order=self.chance.choice((None, 1))))


def _pot_e4(table: Table) -> int:
    return table.meter.pot_e4 if table.meter is not None else 0
