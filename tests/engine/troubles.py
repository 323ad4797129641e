"""Each game's table at any of its steps, and every trouble of a device brought about there in the words of drivers."""

from collections.abc import Callable, Iterator
from typing import Any, ClassVar, Literal

import msgspec

from controller.engine.decisions.betting import Announce, LockIn, PlaceWager
from controller.engine.decisions.cards import Cut, DeckComplete, Shuffled, UnreportedCard
from controller.engine.decisions.corrections import DealCorrected
from controller.engine.decisions.deciders import StaleStep, check_answers, decide, step_answered
from controller.engine.decisions.devices import ShufflerReplaced
from controller.engine.decisions.hands import UnaskedCard
from controller.engine.decisions.jackpot import Confirm
from controller.engine.decisions.played import Decide, Reveal
from controller.engine.decisions.session import BeginRound, CloseClaims, CloseTable, JamCleared, OpenTable, UseSource
from controller.engine.shown.prompts import lines_by
from controller.engine.state.applied import apply
from controller.engine.state.current import game_at, has_failed, phase_of
from controller.engine.state.persons import EnterCount, Exposed, PersonInput, ShufflerFailed
from controller.engine.state.table import Table, next_step
from controller.rulebook.events import CardSource
from controller.rulebook.game import Game
from controller.rulebook.parts.faults import AnyPhase, Cell, DeviceName
from controller.rulebook.refusal import Refusal
from controller.rulebook.steps import StepKind
from controller.runtime.translation import Translator
from drivers import messages
from drivers.messages import Message
from drivers.wiring import Wiring
from tests.engine.hands import Hands
from tests.engine.places import Places
from tests.engine.playing import Play
from tests.engine.spaces import Spaces
from tests.engine.table_2008 import TERMS
from tests.games import BLACKJACK_21, FORTUNE_3_2008, FORTUNE_3_2025, FORTUNE_8, TAIWAN_PAI_KAO

WIRING = Wiring(seats={line: line + 1 for line in range(6)}, button_input=7, lock_lamp_relay=6)
FORTUNE_3: dict[StepKind, AnyPhase] = {
    "begin": "between", "shuffle": "shuffle", "wagers": "wagers", "deal": "deal", "decisions": "decisions",
    "reveal": "reveal", "confirm": "settle", "claims": "claims",
}  # fmt: skip


class Staged(Play):
    """A table at one step, with bets; in the deal a card or a packet is.

    `steps` are those of its game with their phases, `draws_at` those at which a card can leave the shoe.
    """

    steps: ClassVar[dict[StepKind, AnyPhase]] = FORTUNE_3
    draws_at: ClassVar[tuple[StepKind, ...]] = ("deal",)
    mode: ClassVar[Literal["batch", "continuous"]] = "continuous"
    sources: ClassVar[tuple[CardSource, ...]] = ("shuffler", "shoe")

    def __init__(self, kind: StepKind, source: CardSource) -> None:
        raise NotImplementedError

    def stage(self, kind: StepKind, source: CardSource) -> None:
        """On to the step."""
        self.kind, self.source, self.translator = kind, source, Translator(WIRING)
        self.driver("shuffler", self.hello(1))
        before_bets = (*list(self.steps)[: list(self.steps).index("wagers")],)
        if kind not in before_bets:
            self.to_wagers()
            self.bets()
        self.until(kind)
        if kind == "deal":
            self.proceed()
        assert self.at(kind) and phase_of(self.table) == self.phase

    @classmethod
    def reached(cls) -> list[tuple[StepKind, CardSource]]:
        """The steps of the game with the sources from which a round comes to them."""
        shuffled = cls.mode == "batch"
        return [
            (kind, source)
            for kind, phase in cls.steps.items()
            for source in cls.sources
            if phase != "shuffle" or source == "shoe" or shuffled
        ]

    @property
    def phase(self) -> AnyPhase:
        return self.steps[self.kind]

    def bets(self) -> None:
        """The bets of a round."""
        raise NotImplementedError

    def hello(self, boot: int, last_order: int = 0) -> messages.ShufflerHello:
        """What the shuffler says when it starts."""
        decks = self.settings.terms.decks
        return messages.ShufflerHello(
            boot=boot, mode=self.mode, decks=decks, last_order=last_order, model="m", firmware="f"
        )

    def driver(self, device: DeviceName, *reported: Message) -> None:
        """What a driver says, as the loop receives it."""
        for message in reported:
            for input in list(self.translator.inputs(device, message, self.table)):
                self.receive(input)

    def card_leaves(self) -> bool:
        """Whether a card can leave the shoe now."""
        return self.source == "shoe" and self.at(*self.draws_at)

    def correct(self, trouble: str, *, by_hand: bool) -> None:
        """What the dealer does at once about a trouble that holds nothing up."""

    def to_next_phase(self) -> None:
        """On by what is usual, as long as the phase lasts."""
        while phase_of(self.table) == self.phase:
            self.proceed()

    def to_settled_end(self) -> None:
        """This round, or the next one, is settled; and one more. A shuffler that has failed is replaced."""
        self.settle_one()
        self.until("begin").sweep().unread.clear()
        self.settle_one()
        self.until("begin").sweep()

    def settle_one(self) -> None:
        """The round in play is settled, or the next one."""
        if self.at("begin") and has_failed(self.table, game_at(self.table, self.settings)):
            self.say(ShufflerReplaced, "rui")
        if self.table.round is None or not self.round.locked:
            self.to_wagers()
            if not self.round.wagers:
                self.bets()
        self.until("confirm", "claims")
        assert self.round.void is None and self.report.outcome == "settled"
        if self.at("confirm"):
            self.is_settled_as_its_file()

    def is_settled_as_its_file(self) -> None:
        """The settlement is the one that the same round has as a file, in a game whose harness writes one."""


class StagedPackets(Staged):
    """Fortune 3 Card Poker: an ante with a chip at seat 1, ante and Pair Plus at seat 3."""

    mode = "batch"

    def __init__(self, kind: StepKind, source: CardSource, **changed: Any) -> None:
        Play.__init__(self, source=source, **changed)
        self.stage(kind, source)

    def bets(self) -> None:
        self.bet(1, ante=100).bet(3, ante=100, pair_plus=100)
        self.chips(*((1,) if self.settings.terms.chip else ()))


class Staged2008(StagedPackets):
    """The regulation of 2008: neither a chip nor a sign."""

    def __init__(self, kind: StepKind, source: CardSource) -> None:
        super().__init__(kind, source, **TERMS)


class StagedSpaces(Staged, Spaces):
    """Fortune 8: two players bet at spaces 1 and 3; one card was not read, to reveal."""

    steps: ClassVar[dict[StepKind, AnyPhase]] = {
        "begin": "between", "shuffle": "shuffle", "cut": "shuffle", "wagers": "wagers", "announce": "deal",
        "deal": "deal", "reveal": "reveal", "confirm": "settle", "claims": "claims",
    }  # fmt: skip
    # A card leaves the shoe before it is called: it is valid, and no bet is placed any more (3.º).
    draws_at = ("wagers", "announce", "deal")

    def __init__(self, kind: StepKind, source: CardSource) -> None:
        Spaces.__init__(self, "8d Kc 2c 2d 2h 2s 3c", source=source, unread={6} if kind == "reveal" else ())
        self.stage(kind, source)

    def bets(self) -> None:
        self.place_bet(1, "Rui", eight=100).place_bet(1, "Inês", low=100).place_bet(3, high=100)

    def is_settled_as_its_file(self) -> None:
        self.settled_as_in_a_file()


class StagedHands(Staged, Hands):
    """Black-jack/21: bets and a chip at seats 1 and 3."""

    steps: ClassVar[dict[StepKind, AnyPhase]] = {
        "begin": "between", "shuffle": "shuffle", "burn": "shuffle", "wagers": "wagers", "deal": "deal",
        "ask": "decisions", "reveal": "reveal", "confirm": "settle", "claims": "claims",
    }  # fmt: skip
    draws_at = ("burn", "deal", "ask")

    def __init__(self, kind: StepKind, source: CardSource) -> None:
        Hands.__init__(self, "Tc 8c Th 6d 5c 9h 2c 3c 4d 3s", source=source, prize="auto")
        self.stage(kind, source)

    def bets(self) -> None:
        self.place_bet(1, 200, "Ana", Rui=100).place_bet(3, 100)
        if not self.table.slots:
            calm = (0,) * 8
            self.driver("slots", messages.SlotsRead((False,) * 8, calm))
            self.driver("slots", messages.SlotsRead((True, *(False,) * 7), (1, *(0,) * 7), calm))

    def correct(self, trouble: str, *, by_hand: bool) -> None:
        if trouble == "reports lost" and by_hand:
            loaded = self.table.round is not None or self.table.shoe.decks
            assert self.notices() == (["compare_cards"] if loaded else [])  # without a shoe there is nothing to compare
            if self.at("deal"):
                self.say(UnreportedCard)
        if self.table.round is not None and self.public()["round"]["pending_cards"]:
            self.say(UnaskedCard, seen=False)  # it is keyed in where it comes to be

    def is_settled_as_its_file(self) -> None:
        self.settled()


class StagedPlaces(Staged, Places):
    """Taiwan-Pai Kao, four places with a reader of tiles."""

    steps: ClassVar[dict[StepKind, AnyPhase]] = {
        "begin": "between", "shuffle": "shuffle", "bank": "wagers", "wagers": "wagers", "dice": "wagers",
        "deal": "deal", "arrange": "decisions", "reveal": "reveal", "confirm": "settle", "claims": "claims",
    }  # fmt: skip
    sources = ("shoe",)

    def __init__(self, kind: StepKind, source: CardSource) -> None:
        Places.__init__(self, seats=4, announced="four_places", watched=True)
        self.stage(kind, source)

    def bets(self) -> None:
        self.place_bet(self.banker % 4 + 1, "Ana", 1_000)


STAGES: dict[str, type[Staged]] = {
    FORTUNE_3_2025: StagedPackets,
    FORTUNE_3_2008: Staged2008,
    FORTUNE_8: StagedSpaces,
    BLACKJACK_21: StagedHands,
    TAIWAN_PAI_KAO: StagedPlaces,
}


# ---- the troubles, in the words of the drivers


def _packet(play: Staged) -> None:
    order = play.step.order
    due = play.at("deal") and order is not None
    play.driver("shuffler", messages.PacketDispensed(order=order or 9, cards=play.take(2) if due else ("As", "Ks")))


def _unread(play: Staged) -> None:
    if play.card_leaves():
        play.unread.add(play.dealt)
        play.take()
    play.driver("shoe", messages.ShoeError(code=1, text="card cannot be read"))


def _reports_lost(play: Staged) -> None:
    if play.at("deal") and play.source == "shoe":
        play.draw_unreported()
    play.driver("shoe", messages.ReportsLost(count=1))


def _storm(play: Staged) -> None:
    levels = tuple(seat in play.table.slots for seat in range(1, 9))
    calm = tuple(play.table.slots[seat].counter if seat in play.table.slots else 0 for seat in range(1, 9))
    wild = tuple(counter + 1_000 * (line == 4) for line, counter in enumerate(calm))
    play.driver("slots", messages.SlotsRead(levels, calm), messages.SlotsRead(levels, wild, calm))


def _deck(play: Staged) -> None:
    whole = 52 * play.settings.terms.decks
    play.driver("shuffler", messages.DeckChecked(expected=whole, found=whole - 1, missing=("As",), duplicate=()))


def _lost(device: DeviceName) -> Callable[[Staged], None]:
    return lambda play: play.driver(device, messages.LinkLost(reason="unplugged"))


BEGIN: dict[tuple[str, str], Callable[[Staged], None]] = {
    ("shuffler", "lost"): _lost("shuffler"),
    ("shuffler", "jam"): lambda play: play.driver("shuffler", messages.Jammed(order=play.step.order or 0)),
    ("shuffler", "restarted"): lambda play: play.driver("shuffler", play.hello(2)),
    ("shuffler", "deck"): _deck,
    ("shuffler", "packet"): _packet,
    ("shoe", "lost"): _lost("shoe"),
    ("shoe", "unread"): _unread,
    ("shoe", "reports lost"): _reports_lost,
    ("shoe", "error"): lambda play: play.driver("shoe", messages.ShoeError(code=2, text="two cards at once")),
    ("slots", "lost"): _lost("slots"),
    ("slots", "doubtful"): _storm,
    ("sign", "lost"): _lost("sign"),
    ("pit", "lost"): _lost("pit"),
    ("floor", "lost"): _lost("floor"),
}


def end(play: Staged, device: DeviceName, trouble: str) -> None:
    """The trouble is over, as far as the device says so; who has cleared a jam is entered where that is asked."""
    match trouble:
        case "lost":
            play.driver(device, messages.LinkUp(outage_seconds=2.0, tries=3))
            if device == "shuffler":
                play.driver(device, play.hello(1, 0 if play.step.order is None else play.step.order - 1))
        case "jam":
            play.driver(device, messages.Cleared())
            if "clearing-not-entered" in play.active_alarms():
                play.say(JamCleared, "rui", cleared_by="rui")
        case "error":
            play.driver(device, messages.ShoeErrorCleared(code=2))


# ---- what a dealer might try


def answers(table: Table) -> Iterator[PersonInput]:
    """Everything a dealer might try at the screen, plausible or not; reports that void are not among them."""
    step = next_step(table)
    to = step.to[0] if step.to else "bank"

    def given(kind: Any, **fields: Any) -> PersonInput:
        answer: PersonInput = kind(input_id="x", step_id="", actor="ana", **fields)
        return answer

    for kind in (OpenTable, CloseTable, BeginRound, ShufflerReplaced, DeckComplete, LockIn, UnreportedCard, Confirm):
        yield given(kind)
    yield given(CloseClaims)
    yield given(ShufflerFailed)
    for count in (None, 52):
        yield given(Shuffled, count=count)
    for count in range(16):
        yield given(EnterCount, count=count)
    yield given(Cut, by="bank")
    for source in ("shoe", "shuffler"):
        yield given(UseSource, source=source)
    for seat in (1, 2, 3):
        yield given(PlaceWager, seat=seat, wager="ante", amount=200)
        yield given(Decide, seat=seat, decision="play")
    for cards in (None, "As Ks Qs"):
        yield given(Reveal, to=to, cards=cards)
    yield given(Exposed, to=to)
    yield given(Announce, deal="every_space")
    yield given(PlaceWager, seat=1, wager="low", amount=300)
    yield given(DealCorrected, what="order", to="seat 1")


def is_prompted(cell: Cell, game: Game, prompt: dict[str, str]) -> bool:
    """Whether the prompt says in every language what the cell says, if it says anything."""
    return not cell.prompt or all(text in prompt[language] for language, text in lines_by(cell, game).items())


def that_lead_on(play: Play) -> set[str]:
    """The answers that are taken and bring the table to another step, or would once a supervisor approves."""
    found, step = set(), play.step
    for answer in answers(play.table):
        answer = msgspec.structs.replace(answer, step_id=step_answered(play.table, answer))
        try:
            check_answers(play.table, [answer], play.settings)
            events = decide(play.table, answer, play.settings, play.vault).events
        except (Refusal, StaleStep):
            continue
        table = play.table
        for event in events:
            table = apply(table, event)
        if next_step(table) != step or table.waiting != play.table.waiting:
            found.add(type(answer).__name__)
    return found
