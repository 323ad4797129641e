"""A table of Fortune 8 at which anything happens in any order, with everything that must hold whatever happened."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec.structs import replace

from controller.engine.decisions.betting import Announce, LockIn, LockInPressed, PlaceWager
from controller.engine.decisions.cards import Cut, DeckChecked, DeckComplete, Shuffled, ShuffleHeard, UnheardCard
from controller.engine.decisions.corrections import DealCorrected
from controller.engine.decisions.deciders import StaleStep
from controller.engine.decisions.decision import Input
from controller.engine.decisions.devices import (
    CutCard,
    DeviceFound,
    DeviceMissed,
    DeviceSaid,
    ShufflerGreeted,
    ShufflerReplaced,
)
from controller.engine.decisions.jackpot import Confirm
from controller.engine.decisions.played import CardsHeard, Decide, Reveal
from controller.engine.decisions.session import (
    BeginRound,
    CloseClaims,
    CloseTable,
    InsertionHeard,
    OpenTable,
    UseSource,
)
from controller.engine.shown.device_orders import react
from controller.engine.state.applied import Event, apply
from controller.engine.state.persons import (
    CorrectCards,
    CorrectDecision,
    CorrectSeat,
    CorrectWager,
    EnterCount,
    Exposed,
    Misdealt,
    PersonInput,
    ShufflerFailed,
    ToEmptySeat,
    VoidRound,
)
from controller.engine.state.table import Table
from controller.rulebook.events import (
    CardsDealt,
    CardSource,
    CardsShown,
    InputCorrected,
    RoundBegun,
    RoundConfirmed,
    WagerPlaced,
)
from controller.rulebook.parts.faults import DeviceName
from controller.rulebook.refusal import Refusal
from tests.engine.playing import NAMED
from tests.engine.reported import lines
from tests.engine.spaces import BOXES, CUT_CARD, Spaces, settled_as_a_file

AMOUNTS = (0, 100, 200, 500, 50, 10_000, 10_001)
PLAYERS = (None, "Rui", "Inês", "Zé")
PLACES = ("seat 1", "seat 2", "seat 4", "seat 7", "seat 8", "bank", "discard", "")
SAYINGS = ("jam", "cleared", "lid_opened", "error", "error_cleared", "damaged_card", "out_of_turn", "restarted")
WHY = {"reason": "entered wrongly"}
STOCK_LOW = 40  # cards; more are put behind them, for no round shall run out of them


class WildSpaces(Spaces):
    """Keeps its own books: every bet by space, box and player; cards that may be named; what is not as it was told."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.folded = Table()
        self.ledger: dict[tuple[int, str, str], int] = {}
        self.nameable: set[str] = set()
        self.ever_shown: set[str] = set()
        self.falsified: set[str] = set()
        self.discrepancies = 0
        self.read_channels = 0
        super().__init__(*args, **kwargs)

    # ---- what must hold

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
        if len(self.deck) - self.dealt < STOCK_LOW:
            self.deck = [*self.deck, *self.first]
        self.holds()
        return events

    def book(self, event: Event) -> None:
        match event:
            case RoundBegun():
                self.nameable, self.falsified, self.ledger, self.discrepancies = set(), set(), {}, 0
            case WagerPlaced(seat=seat, wager=wager, amount=amount, player=player):
                self.ledger[seat, wager, player or ""] = amount
            case InputCorrected(what="wager", at=at, after=after, wager=wager, player=player):
                self.ledger[int(at[-1]), str(wager), player or ""] = int(after)
            case InputCorrected(what="seat", at=at, after=after):
                places = {int(at[-1]): int(str(after)[-1])}
                self.ledger = {
                    (places.get(seat, seat), box, player): amount for (seat, box, player), amount in self.bets_laid()
                }
                if self.round.deal != "every_space":
                    self.falsified = {str(after) if place == at else place for place in self.falsified}
            case InputCorrected(what="cards", after=after):
                self.nameable.add(str(after))
            case CardsShown(cards=shown):
                self.nameable |= set(shown)
            case RoundConfirmed():
                self.confirmed()

    def bets_laid(self) -> list[tuple[tuple[int, str, str], int]]:
        """What lies on the felt by this table's own books."""
        return [(bet, amount) for bet, amount in self.ledger.items() if amount]

    def confirmed(self) -> None:
        """Every bet has one line, of its stake; nothing is won or lost in a void round; else as a file is settled."""
        told = [(line.wager, line.player or "", line.stake) for line in lines(self.report)]
        assert Counter(told) == Counter((wager, player, amount) for (_, wager, player), amount in self.bets_laid())
        assert list(self.round.wagers) == sorted({seat for (seat, _, _), _ in self.bets_laid()})
        if self.round.void is not None:
            assert {line.net for line in lines(self.report)} <= {0}
            return
        often = Counter(card for there in self.round.play.shown.values() for card in there)
        assert max(often.values()) <= self.round.terms.decks
        assert msgspec.json.encode(self.round.settlement) == settled_as_a_file(self.round)
        if not self.discrepancies:
            for place, card in self.shown.items():
                assert place in self.falsified or card == self.lying_at(place)

    def holds(self) -> None:
        assert self.folded == self.table
        kept = msgspec.json.encode(self.table)
        assert msgspec.json.decode(kept, type=Table) == self.table
        self.nothing_is_named_too_soon()
        self.what_was_turned_lies_there()
        self.ever_shown |= self.nameable
        assert {name.decode() for name in NAMED.findall(kept)} <= self.ever_shown
        effects = react(self.table, 2)
        assert effects.shuffler is None and self.step.order is None and self.table.meter is None
        assert effects.shoe_locked or (self.at("deal") and self.round.terms.source == "shoe")

    def nothing_is_named_too_soon(self) -> None:
        """No card stands in anything readable that was neither shown nor keyed in in this round."""
        for channel in self.channels[self.read_channels :]:
            assert {name.decode() for name in NAMED.findall(channel)} <= self.nameable
        self.read_channels = len(self.channels)

    # ---- what is usual

    def go_on(self) -> tuple[Event, ...]:
        """As ever; a card that cannot lie where it was keyed in is nobody's to know."""
        try:
            return super().go_on()
        except Refusal:
            if not self.at("reveal"):
                raise
            return self.say(VoidRound, "rui", reason="nobody knows which card lies there")

    def usual(self) -> None:
        """What is usual at the step, or what makes it possible."""
        if self.at("wagers") and not self.round.wagers:
            self.lay(1, low=100)
        else:
            self.go_on()

    def to_rest(self) -> None:
        """The usual leads out of everything, in a bounded number of steps, and by way of a settlement or a void."""
        for _ in range(40):
            if self.table.round is None and self.table.open:
                return
            self.usual()
        raise AssertionError(f"no end to {self.step}")

    # ---- what may happen

    def move(self, name: str, a: int, b: int) -> None:
        """One thing happens; `a` and `b` choose what exactly."""
        MOVES[name](self, a, b)

    def on(self, steps: int) -> None:
        for _ in range(steps):
            self.usual()

    def bet(self, a: int, b: int) -> None:  # type: ignore[override]
        self.attempt(PlaceWager, seat=a % 9, wager=(*BOXES, "ante")[b % 4], amount=AMOUNTS[(a + b) % 7],
                     player=PLAYERS[(a + 2 * b) % 4])  # fmt: skip

    def out_of_turn(self, a: int, b: int) -> None:
        """A card comes out of the source in use, whatever is wanted; if it was not due it lies aside."""
        if self.table.round is None:
            self.hear(CardsHeard(source="shoe", cards=(self.deck[-1],)))
        elif not any(isinstance(event, CardsDealt) for event in self.comes_out()):
            self.dealt -= 1
            del self.deck[self.dealt]  # type: ignore[attr-defined]

    def stray(self, a: int, b: int) -> None:
        """Cards of the source that is not in use, or several at once."""
        source = self.round.terms.source if self.table.round is not None else "shoe"
        other: CardSource = "shuffler" if source == "shoe" else "shoe"
        self.hear(CardsHeard(source=other, cards=(self.deck[-1],) * (b % 3), order=a or None))
        if not self.at("count"):
            self.hear(CardsHeard(source=source, cards=(self.deck[-1], self.deck[-2])))

    def unread_card(self, a: int, b: int) -> None:
        if self.at("deal", "announce"):
            self.unread = {self.dealt}
            self.comes_out()

    def dealers_word(self, a: int, b: int) -> None:
        if self.at("deal") and self.round.terms.source == "shoe":
            self.unheard_card()
        else:
            assert not self.attempt(UnheardCard)

    def lose_reports(self, a: int, b: int) -> None:
        """Cards are drawn unheard, other reports are lost with them; then perhaps the next card comes."""
        if not self.at("deal") or self.round.terms.source != "shoe":
            self.hear_lost(a % 3 or None)
            return
        unheard = min(a % 3, len(self.step.to) * 2)
        for _ in range(unheard):
            self.draw_unheard()
        self.hear_lost(self.round.claimed + unheard + b % 2 if b % 3 else None)
        if b % 2 and self.at("count"):
            self.comes_out()

    def slip(self, a: int, b: int) -> None:
        """A card leaves the shoe and nobody notices, the dealer tells of one that did not, or counts wrongly."""
        if self.at("count"):
            self.discrepancies += 1
            self.tell_count(self.dealt + a % 5 - 2)
        elif self.at("deal") and self.round.terms.source == "shoe":
            self.discrepancies += 1
            if b % 2:
                self.draw_unheard()
            else:
                self.say(UnheardCard)

    def key_in(self, a: int, b: int) -> None:
        """A card is keyed in that may be another one than lies there, and that may be too many."""
        place = self.step.to[0] if self.at("reveal") else "seat 1"
        text = (None, "8d", "As 8d", "8d 8d 8d", str(self.deck[a]))[b % 5]
        if self.attempt(Reveal, to=place, cards=text) and text is not None:
            self.falsified.add(place)

    def correct(self, a: int, b: int) -> None:
        seat, betting = a % 9, list(self.round.wagers) if self.table.round is not None else []
        if betting and a % 4:
            seat = betting[a % len(betting)]
        match b % 4:
            case 0:
                self.attempt(CorrectWager, seat=seat, wager=BOXES[(a + b) % 3], amount=AMOUNTS[(a * b) % 7],
                             player=PLAYERS[(a + b // 4) % 4], **WHY)  # fmt: skip
            case 1:
                self.attempt(CorrectSeat, seat=seat, to_seat=(a + b) % 9, **WHY)
            case 2:
                self.attempt(CorrectDecision, seat=seat, decision="play", **WHY)
            case _ if self.table.round is not None:
                place = f"seat {seat}"
                if self.attempt(CorrectCards, ("ana", "rui")[a % 2], to=place, cards=str(self.deck[b]), **WHY):
                    self.falsified.add(place)

    def device(self, a: int, b: int) -> None:
        devices: tuple[DeviceName, ...] = ("shuffler", "shoe", "floor")
        device = devices[a % 3]
        match b % 4:
            case 0:
                self.hear(DeviceMissed(device=device, reason="unplugged"))
            case 1:
                self.hear(DeviceFound(device=device, outage_ms=1, tries=1))
            case 2:
                self.hear(DeviceSaid(device=device, what=SAYINGS[a % len(SAYINGS)], details="x"))  # type: ignore[arg-type]
            case _:
                self.hear(ShufflerGreeted(boot=a % 3, last_order=a * 300, mode=("batch", "continuous", None)[a % 3]))

    def machine(self, a: int, b: int) -> None:
        match b % 4:
            case 0:
                self.hear(InsertionHeard(count=a))
            case 1:
                self.hear(ShuffleHeard(order=257 + a, count=416))
            case 2:
                self.hear(DeckChecked(found=50 + a, missing=b % 2, duplicated=a % 2))
            case _:
                self.hear(LockInPressed())

    def out_of_order(self, a: int, b: int) -> None:
        """Somebody presses what is not asked for, or answers what is not on the screen any more."""
        kind: type[PersonInput] = (OpenTable, BeginRound, Confirm, CloseClaims, DeckComplete, LockIn, ShufflerReplaced)[
            a % 7
        ]
        if b % 2:
            answer: Any = kind(input_id="x", step_id="0/wagers", actor="ana")
            try:
                self.check(answer)
            except StaleStep:
                return
            raise AssertionError("an answer to no step was taken")
        self.attempt(kind, ("ana", "rui")[b // 2 % 2])

    def more_out_of_order(self, a: int, b: int) -> None:
        match a % 6:
            case 0:
                self.attempt(Shuffled, count=(None, 52, 416)[b % 3])
            case 1:
                self.attempt(Cut, by=("bank", "seat 7", "seat 8")[b % 3])
            case 2:
                self.attempt(Announce, deal=("every_space", "spaces_with_bets")[b % 2])
            case 3:
                self.attempt(Decide, seat=b, decision="play")
            case 4 if not self.at("count"):
                self.attempt(EnterCount, count=b)
            case _:
                self.attempt(Exposed, to=PLACES[b % 8], which=(b,))
                self.attempt(ToEmptySeat, meant_for=PLACES[b % 8], seat=a)

    def choose(self, a: int, b: int) -> None:
        """Another source, other decks in the configuration, or another announcement from now on."""
        match a % 3:
            case 0:
                self.attempt(UseSource, source=("shoe", "shuffler")[b % 2])
            case 1 if b % 3 == 0:
                decks = 3 - min(self.settings.terms.decks, 2)
                self.settings = replace(self.settings, terms=replace(self.settings.terms, decks=decks))
            case _:
                self.announced = ("every_space", "spaces_with_bets")[b % 2]

    def cut_card(self, a: int, b: int) -> None:
        if b % 2:
            self.hear(CUT_CARD)
        else:
            self.attempt(CutCard)


Move = Callable[[WildSpaces, int, int], object]


def report(kind: type[PersonInput], actor: str = "ana", **fields: Any) -> Move:
    """What would end most rounds too soon is tried rarely."""
    return lambda table, a, b: table.attempt(kind, actor, **fields) if a % 4 == 0 else None


MOVES: dict[str, Move] = {
    "on": lambda table, a, b: table.on(1 + b % 3),
    "on and on": lambda table, a, b: table.on(3 + a),
    "bet": WildSpaces.bet,
    "out of turn": WildSpaces.out_of_turn,
    "stray": WildSpaces.stray,
    "unread": WildSpaces.unread_card,
    "unheard": WildSpaces.dealers_word,
    "lost": WildSpaces.lose_reports,
    "slip": lambda table, a, b: table.slip(a, b) if a % 3 == 0 else None,
    "key in": WildSpaces.key_in,
    "correct": WildSpaces.correct,
    "put right": lambda table, a, b: table.attempt(DealCorrected, what="place", to=PLACES[a % 8]),
    "device": WildSpaces.device,
    "machine": WildSpaces.machine,
    "out of order": WildSpaces.out_of_order,
    "more out of order": WildSpaces.more_out_of_order,
    "choose": WildSpaces.choose,
    "cut card": WildSpaces.cut_card,
    "misdealt": report(Misdealt, what="order"),
    "misdealt and told late": report(Misdealt, "rui", what="number", reason="seen late"),
    "failed": report(ShufflerFailed),
    "broken off": report(VoidRound, "rui", reason="power cut"),
    "closed": report(CloseTable),
}
