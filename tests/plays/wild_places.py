"""A table of Taiwan-Pai Kao where anything may happen, which checks after every input what must always hold."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from controller.engine.decisions.betting import Announce, LockIn, PlaceWager
from controller.engine.decisions.cards import Cut, ReportsMissed, Shuffled, UnheardCard
from controller.engine.decisions.corrections import DealCorrected
from controller.engine.decisions.deciders import decide
from controller.engine.decisions.decision import Input
from controller.engine.decisions.devices import DeviceFound, DeviceMissed
from controller.engine.decisions.jackpot import Confirm
from controller.engine.decisions.played import CardsHeard, Decide, Reveal
from controller.engine.decisions.session import BeginRound, CloseClaims, CloseTable, UseSource
from controller.engine.decisions.tiles import (
    AnnounceForm,
    Arranged,
    Dice,
    DiceNull,
    PassBank,
    ReportTilesMoved,
    TakeBank,
    TilesDealt,
)
from controller.engine.state.applied import Event, apply
from controller.engine.state.persons import (
    CorrectCards,
    CorrectDecision,
    CorrectDice,
    CorrectSeat,
    CorrectWager,
    EnterCount,
    Exposed,
    Misdealt,
    PersonInput,
    ToEmptySeat,
    VoidRound,
)
from controller.floor.messages import publications
from controller.rulebook.cards import Card
from controller.rulebook.events import (
    BankLeft,
    CardsShown,
    ClaimsClosed,
    InputCorrected,
    RoundBegun,
    RoundConfirmed,
    WagerPlaced,
)
from controller.rulebook.refusal import Refusal
from controller.rulebook.report import CasinoResult
from controller.rulebook.taiwan_pai_kao.events import BankTaken
from controller.rulebook.taiwan_pai_kao.tiles import COPIES, FACES, Tile
from controller.words import sentence
from tests.engine.places import TILE, Places
from tests.engine.playing import IDENTITY
from tests.engine.reported import bank_of, lines, open_cards, tiles_of

WHY = {"reason": "seen on the film"}
PLAYERS = ("Ana", "Bo", "Cy", None)
AMOUNTS = (0, 100, 700, 99, 2_500, 100_000, -5)
CAPITALS = (1, 900, 5_000, 1_000_000, 0, -1)
WHERE = (*(f"seat {place}" for place in range(1, 10)), "bank", "x")


class WildPlaces(Places):
    """Its own books beside the table's: what lies where, what the bank put up, which tiles may be named."""

    def __init__(self, **changed: Any) -> None:
        self.ledger: dict[tuple[int, str], int] = {}
        self.behind: tuple[int, int, int] | None = None  # place, capital, the casino's share
        self.nameable: set[str] = set()
        self.read = 0
        self.rounds = 0
        self.cut_by_the_limit = 0
        super().__init__(**changed)
        self.folded = self.table

    def hear(self, input: Input) -> tuple[Event, ...]:
        if isinstance(input, Reveal | CorrectCards) and input.cards is not None:
            self.nameable |= set(input.cards.split())  # who says it names it
        try:
            decision = decide(self.table, input, self.settings, self.vault)
        except Refusal as refusal:
            self.channels.append(sentence(refusal).encode())
            raise
        self.channels.append(f"{decision!r} {'' if isinstance(input, PersonInput) else input}".encode())
        known = len(self.entries)
        self._take(decision.events, decision.drawn)
        self.vault |= decision.drawn
        self._take(self.alarm_events())
        self._record(input, decision, known)
        self.channels.append(self.projection())
        for event in decision.events:
            self.follow(event)
        self.holds()
        return decision.events

    def _take(self, events: tuple[Event, ...], drawn: Mapping[int, Card | None] | None = None) -> None:
        for place, event in enumerate(events):
            before, self.table = self.table, apply(self.table, event)
            self.entries.append((event, dict(drawn or {}) if place == 0 else {}))
            if isinstance(event, RoundBegun | ClaimsClosed):
                self.vault = {}
            for told in publications(IDENTITY, event, before, self.table, self.sequence, self.now):
                self.sequence = told.sequence
                self.channels.append(told.payload)
            self.folded = apply(self.folded, msgspec.json.decode(msgspec.json.encode(event), type=type(event)))
            self.book(event)

    def book(self, event: Event) -> None:
        match event:
            case RoundBegun(left=left):
                self.ledger, self.behind = {}, None
                self.nameable = set(left.used) if isinstance(left, BankLeft) else set()
            case BankTaken(seat=place, capital=capital, casino_share=casino):
                self.behind = place, capital, casino
            case WagerPlaced(seat=seat, amount=amount, player=player) if player is not None:
                self.lies(seat, player, amount)
            case CardsShown(cards=cards):
                self.nameable |= set(cards)
            case InputCorrected(what="wager", wager="place", at=at, after=after, player=str(player)):
                self.lies(int(at[5:]), player, int(after))
            case InputCorrected(what="wager", wager=str(wager), after=after) if self.behind is not None:
                place, capital, casino = self.behind
                self.behind = (place, int(after), casino) if wager == "capital" else (place, capital, int(after))
            case InputCorrected(what="seat", at=at, after=after):
                moved = {int(at[5:]): int(str(after)[5:])}
                self.ledger = {(moved.get(seat, seat), who): amount for (seat, who), amount in self.ledger.items()}
            case RoundConfirmed():
                self.confirmed_round()

    def lies(self, seat: int, player: str, amount: int) -> None:
        self.ledger.pop((seat, player), None) if not amount else self.ledger.update({(seat, player): amount})

    def confirmed_round(self) -> None:
        """Every wager has one line of its stake; what is won is lost by somebody, or is commission; limits hold."""
        report = self.report
        self.rounds += 1
        found = Counter((of.seat, line.player, line.stake) for of in report.seats for line in of.lines)
        wins = [line.net for line in lines(report)]
        if report.bank is None:
            assert not self.ledger and not found and self.round.void is not None
            return
        behind = bank_of(report)
        found.update((behind.seat, line.player, line.stake) for line in behind.joiners)
        assert found == Counter((seat, player, amount) for (seat, player), amount in self.ledger.items())
        casino = behind.casino or CasinoResult(share=0, net=0)
        bank = behind.net + (casino.net or 0) + sum(line.net for line in behind.joiners)
        assert sum(wins) + sum(line.commission for line in lines(report)) + bank == 0
        if self.round.void is not None:
            assert bank == 0 and set(wins) <= {0}
            return
        assert self.behind is not None and self.behind == (behind.seat, behind.capital, casino.share)
        limit = self.behind[1] + casino.share + sum(line.stake for line in behind.joiners)
        assert abs(bank) <= limit and abs(behind.net) <= self.behind[1]
        self.cut_by_the_limit += behind.limited
        tiles = open_cards(report)
        assert len(tiles) == tiles_of(report).place_count == len(report.seats)
        shown = Counter(map(Tile, " ".join(tiles.values()).split())) + Counter(self.state.used)
        assert all(count <= COPIES[tile] for tile, count in shown.items())

    def holds(self) -> None:
        assert self.folded == self.table
        self.what_was_turned_lies_there()
        for channel in self.channels[self.read :]:
            assert {name.decode() for name in TILE.findall(channel)} <= self.nameable, channel
        self.read = len(self.channels)

    # ---- what is usual

    def go_on(self) -> tuple[Event, ...]:
        """As ever; tiles that cannot lie where they were keyed in are nobody's to know."""
        try:
            return super().go_on()
        except Refusal:
            return self.say(VoidRound, "rui", reason="nobody knows how it goes on")

    def to_rest(self) -> None:
        """The usual leads out of everything, in a bounded number of steps."""
        for _ in range(100):
            if self.table.round is None and self.table.open:
                return
            self.go_on()
        raise AssertionError(f"no end to {self.step}")

    # ---- what may happen

    def on(self, steps: int) -> None:
        for _ in range(steps):
            self.go_on()

    def bet(self, a: int, b: int) -> None:  # type: ignore[override]
        fields: dict[str, Any] = {
            "amount": AMOUNTS[(a + b) % 7],
            "player": PLAYERS[a % 4],
            "wager": ("place", "x")[b % 7 == 6],
        }
        self.attempt(PlaceWager, seat=b % 10, **fields)

    def bank(self, a: int, b: int) -> None:
        by = self.step.seat if self.at("form") and b % 3 else a
        self.attempt(AnnounceForm, by=by, form=("", "four at once", "x" * 41)[b % 3])
        if not self.at("bank"):
            self.attempt(TakeBank, place=a % 9, capital=100)
            self.attempt(PassBank, place=b % 9)
        elif a % 3:
            place = self.step.seat if b % 3 else b % 9
            agreed = self.step.waiting if b % 2 else self.step.waiting[1:]
            capital = max(CAPITALS[(a + b) % 6], self.step.least * (b % 2))
            self.attempt(TakeBank, place=place, capital=capital, casino=b % 4 * 100 - 100 * (a == 11), agreed=agreed)
        else:
            self.attempt(PassBank, place=self.step.seat if b % 4 else a, absent=bool(b % 2))

    def shake(self, a: int, b: int) -> None:
        by = self.step.seat if self.at("dice") and b % 4 else a
        self.attempt(DiceNull, by=by)
        self.attempt(Dice, by=by, dice=(1 + a % 6, 1 + b % 6, 3, 1 + (a + b) % 7)[: 4 - (b == 7)])

    def deal_somehow(self, a: int, b: int) -> None:
        """Tiles come unread, unheard, out of turn, as cards, or with reports lost; or the dealer says all lie there."""
        reads = self.table.round is not None and self.round.terms.reader
        if not self.at("deal"):
            self.attempt((UnheardCard, TilesDealt)[b % 2])
            if not self.at("count"):
                self.hear(CardsHeard(source="shoe", cards=(self.deck[a],)))
            self.hear(ReportsMissed(count=a % 3 or None, gap_cause="reports_lost"))
            return
        match b % 6:
            case 0:
                self.unheard_card()
            case 1 if reads:
                self.take()
                self.hear(CardsHeard(source="shoe", cards=(Card("As") if a % 2 else None,)))
            case 2 if reads:
                self.draw_unheard()
                self.hear(ReportsMissed(count=None if a % 3 else self.round.claimed + 1, gap_cause="reports_lost"))
            case 3:
                self.hear(CardsHeard(source="shoe", cards=(self.deck[a], self.deck[b])))
            case 4 if a % 3 == 0:
                self.dealt = len(self.state.used) + len(self.seats_of_the_round) * 4
                self.say(TilesDealt)
            case _:
                self.attempt(Misdealt, what="order") if a == 5 else self.on(3)

    @property
    def seats_of_the_round(self) -> range:
        return range(self.places)

    def turn_somehow(self, a: int, b: int) -> None:
        """Laid in any order, or keyed in as any tiles at all."""
        if not self.at("reveal"):
            self.attempt(Reveal, to=WHERE[a % 11], cards=None)
            return
        place = self.step.to[0]
        lying = self.lying_at(place).split()
        laid = [lying[(index + b) % 4] for index in (0, 2, 1, 3)][: 4 - (b == 11)]
        if a % 4 == 3:
            laid[0] = FACES[(a * b) % 21]
        self.attempt(Reveal, to=place, cards=" ".join(laid) if a % 4 else None)

    def correct(self, a: int, b: int) -> None:
        laid = list(self.ledger)
        seat, player = laid[a % len(laid)] if laid and a % 4 else (a % 9, "Bo")
        match b % 6:
            case 0:
                self.attempt(CorrectWager, seat=seat, wager="place", amount=AMOUNTS[(a + b) % 7], player=player, **WHY)
            case 1:
                self.attempt(CorrectSeat, seat=seat, to_seat=(a + b) % 9, **WHY)
            case 2:
                self.attempt(CorrectDice, dice=(1 + a % 6, 2, 3, 1 + b % 6), **WHY)
            case 3:
                fields: dict[str, Any] = {"wager": ("capital", "casino")[a % 2], "amount": CAPITALS[(a * b) % 6]}
                seat = self.behind[0] if self.behind is not None and b < 9 else seat
                self.attempt(CorrectWager, seat=seat, **fields, **WHY)
            case 4:
                self.attempt(CorrectDecision, seat=seat, decision="play", **WHY)
            case _ if self.table.round is not None and self.round.play.shown:
                place = list(self.round.play.shown)[a % len(self.round.play.shown)]
                cards = [*self.round.play.shown[place]]
                cards = [*cards[2:], *cards[:2]] if b % 2 else [Card(FACES[(a * b) % 21]), *cards[1:]]
                self.attempt(CorrectCards, ("ana", "rui")[a % 2], to=place, cards=" ".join(cards), **WHY)

    def out_of_order(self, a: int, b: int) -> None:
        match a % 8:
            case 0:
                self.attempt(Announce, deal=("every_space", "four_places", "eight_places")[b % 3])
            case 1:
                self.attempt(Shuffled, count=(None, 31, 32, 52)[b % 4])
            case 2:
                self.attempt((Arranged, LockIn, Confirm, CloseClaims, BeginRound)[b % 5])
            case 3:
                self.attempt(Cut, by="bank")
                self.attempt(UseSource, source=("shoe", "shuffler")[b % 2])
            case 4:
                self.attempt(Decide, seat=b, decision="play")
            case 5 if not self.at("count"):
                self.attempt(EnterCount, count=b)
            case 6:
                self.announced = ("eight_places", "four_places")[b % 2]
                self.hear((DeviceMissed(device="shoe", reason="x"), DeviceFound("shoe", 1, 1))[b % 2])
            case _:
                self.attempt(ToEmptySeat, meant_for=WHERE[b % 11], seat=a)
                self.attempt(DealCorrected, what=("place", "order", "number")[b % 3], to=WHERE[b % 11])


Move = Callable[[WildPlaces, int, int], object]
MOVES: dict[str, Move] = {
    "on": lambda table, a, b: table.on(1 + b % 3),
    "on and on": lambda table, a, b: table.on(8 + a),
    "bet": WildPlaces.bet,
    "bank": WildPlaces.bank,
    "moved": lambda table, a, b: table.attempt(ReportTilesMoved, by=WHERE[a % 11]),
    "shake": WildPlaces.shake,
    "deal": WildPlaces.deal_somehow,
    "turn": WildPlaces.turn_somehow,
    "seen": lambda table, a, b: table.attempt(Exposed, to=WHERE[a % 11], count=b % 5, which=(1,) if a == 9 else ()),
    "correct": WildPlaces.correct,
    "out of order": WildPlaces.out_of_order,
    "broken off": lambda table, a, b: table.attempt(VoidRound, "rui", reason="power cut") if a % 4 == 0 else None,
    "closed": lambda table, a, b: table.attempt(CloseTable),
}
