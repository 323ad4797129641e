"""A table driven into every phase, and every device trouble brought about there in the words of the drivers."""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from controller.engine.decisions.betting import LockIn, PlaceWager
from controller.engine.decisions.cards import Cut, DeckComplete, Shuffled, UnheardCard
from controller.engine.decisions.deciders import StaleStep, check_answers, decide, step_answered
from controller.engine.decisions.devices import ShufflerGreeted, ShufflerReplaced
from controller.engine.decisions.jackpot import Confirm
from controller.engine.decisions.played import Decide, Reveal
from controller.engine.decisions.session import BeginRound, CloseClaims, CloseTable, OpenTable, UseSource
from controller.engine.shown.prompts import told_by
from controller.engine.state.applied import apply
from controller.engine.state.current import game_at, has_failed, phase_of
from controller.engine.state.persons import EnterCount, Exposed, PersonInput, ShufflerFailed
from controller.engine.state.table import Table, next_step
from controller.rulebook.events import CardSource
from controller.rulebook.game import Game
from controller.rulebook.parts.faults import AnyPhase, Cell, DeviceName
from controller.rulebook.refusal import Refusal
from controller.rulebook.steps import StepKind
from controller.runtime.translation import Translator, Wiring
from drivers import messages as said
from drivers.messages import Message
from tests.engine.playing import Play

WIRING = Wiring(seats={line: line + 1 for line in range(6)}, button_input=7, lock_lamp_relay=6)
STEP_OF: dict[AnyPhase, StepKind] = {
    "between": "begin",
    "shuffle": "shuffle",
    "wagers": "wagers",
    "deal": "deal",
    "decisions": "decisions",
    "reveal": "reveal",
    "settle": "confirm",
    "claims": "claims",
}


class Staged(Play):
    """A table in one phase: an ante with a chip at seat 1, ante and Pair Plus at seat 3; in the deal a card lies.

    `changed` are terms of another game; without a jackpot there is no chip.
    """

    def __init__(self, phase: AnyPhase, source: CardSource, **changed: Any) -> None:
        super().__init__(source=source, **changed)
        self.phase, self.source = phase, source
        self.translator = Translator(WIRING)
        self.hear(ShufflerGreeted(boot=1, last_order=0))
        self.until("begin" if phase == "between" else "shuffle")
        if phase not in ("between", "shuffle"):
            self.bets().until(STEP_OF[phase])
        if phase == "deal":
            self.deal_one()
        assert phase_of(self.table) == phase

    def bets(self) -> "Staged":
        self.to_wagers().bet(1, ante=100).bet(3, ante=100, pair_plus=100)
        self.chips(*((1,) if self.settings.terms.chip else ()))
        return self

    def driver(self, device: DeviceName, *told: Message) -> None:
        """What a driver says, as the loop hears it."""
        for message in told:
            for input in list(self.translator.inputs(device, message, self.table)):
                self.hear(input)

    @property
    def due_here(self) -> bool:
        """Whether the source in use is dealing."""
        return self.phase == "deal"

    def to_next_phase(self) -> None:
        """On by what is usual, as long as the phase lasts."""
        while phase_of(self.table) == self.phase:
            self.go_on()

    def to_settled_end(self) -> None:
        """This round, or the next one, is settled; and one more may begin. A shuffler that has failed is replaced."""
        if self.at("begin") and has_failed(self.table, game_at(self.table, self.settings)):
            self.say(ShufflerReplaced, "rui")
        if self.at("begin", "shuffle", "deck", "cut", "wagers"):
            self.to_wagers()
            if not self.round.wagers:
                self.bets()
        self.until("confirm", "claims")
        assert self.round.void is None and self.round.settlement is not None
        assert self.round.settlement.outcome == "settled"
        self.until("begin").sweep()
        self.until("shuffle")


def _packet(play: Staged) -> None:
    order = play.step.order
    due = play.due_here and play.source == "shuffler"
    play.driver("shuffler", said.PacketDispensed(order=order or 9, cards=play.take(2) if due else ("As", "Ks")))


def _unread(play: Staged) -> None:
    if play.due_here and play.source == "shoe":
        play.unread.add(play.dealt)
        play.take()
    play.driver("shoe", said.ShoeError(code=1, text="card cannot be read"))


def _reports_lost(play: Staged) -> None:
    if play.due_here and play.source == "shoe":
        play.draw_unheard()
    play.driver("shoe", said.ReportsLost(count=1))


def _storm(play: Staged) -> None:
    levels = tuple(seat in play.table.slots for seat in range(1, 9))
    calm = tuple(play.table.slots[seat].counter if seat in play.table.slots else 0 for seat in range(1, 9))
    wild = tuple(counter + 1_000 * (line == 4) for line, counter in enumerate(calm))
    play.driver("slots", said.SlotsRead(levels, calm), said.SlotsRead(levels, wild, calm))


def _lost(device: DeviceName) -> Callable[[Staged], None]:
    return lambda play: play.driver(device, said.LinkLost(reason="unplugged"))


HELLO = said.ShufflerHello(boot=2, mode="batch", decks=1, last_order=0, model="m", firmware="f")
BEGIN: dict[tuple[str, str], Callable[[Staged], None]] = {
    ("shuffler", "lost"): _lost("shuffler"),
    ("shuffler", "jam"): lambda play: play.driver("shuffler", said.Jammed(order=play.step.order or 9)),
    ("shuffler", "restarted"): lambda play: play.driver("shuffler", HELLO),
    ("shuffler", "deck"): lambda play: play.driver(
        "shuffler", said.DeckChecked(expected=52, found=51, missing=("As",), duplicate=())
    ),
    ("shuffler", "packet"): _packet,
    ("shoe", "lost"): _lost("shoe"),
    ("shoe", "unread"): _unread,
    ("shoe", "reports lost"): _reports_lost,
    ("shoe", "error"): lambda play: play.driver("shoe", said.ShoeError(code=2, text="two cards at once")),
    ("slots", "lost"): _lost("slots"),
    ("slots", "doubtful"): _storm,
    ("sign", "lost"): _lost("sign"),
    ("pit", "lost"): _lost("pit"),
    ("floor", "lost"): _lost("floor"),
}


def end(play: Staged, device: DeviceName, trouble: str) -> None:
    """The trouble is over, as far as the device says so."""
    back = said.LinkUp(outage_seconds=2.0, tries=3)
    match trouble:
        case "lost" if device == "shuffler":
            spent = 0 if play.step.order is None else play.step.order - 1
            hello = said.ShufflerHello(boot=1, mode="batch", decks=1, last_order=spent, model="m", firmware="f")
            play.driver(device, back, hello)
        case "lost":
            play.driver(device, back)
        case "jam":
            play.driver(device, said.Cleared())
        case "error":
            play.driver(device, said.ShoeErrorCleared(code=2))


def answers(table: Table) -> Iterator[PersonInput]:
    """Everything a dealer might try at the screen, plausible or not; reports that void are not among them."""
    step = next_step(table)
    to = step.to[0] if step.to else "bank"

    def given(kind: Any, **fields: Any) -> PersonInput:
        answer: PersonInput = kind(input_id="x", step_id="", actor="ana", **fields)
        return answer

    for kind in (OpenTable, CloseTable, BeginRound, ShufflerReplaced, DeckComplete, LockIn, UnheardCard, Confirm):
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


def is_told(cell: Cell, game: Game, prompt: dict[str, str]) -> bool:
    """Whether the prompt says in every language what the cell says, if it says anything."""
    return not cell.told or all(text in prompt[language] for language, text in told_by(cell, game).items())


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
