"""An input while it is decided: its events so far, the table after them, and when it is legal. No I/O here."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec

from controller.engine.reasons import SupervisorAct, TableReason
from controller.engine.state.applied import Event, apply
from controller.engine.state.current import Settings, game_at, refuse_unless, refuse_when_over
from controller.engine.state.events import CoSignedEvent, DealerNotified, NoBetMade, Notice
from controller.engine.state.jackpot import Meter
from controller.engine.state.persons import PersonInput
from controller.engine.state.table import Table, next_step
from controller.rulebook.cards import Card
from controller.rulebook.events import ClaimsClosed, RoundBegun, snake_case
from controller.rulebook.filled import filled
from controller.rulebook.game import Game
from controller.rulebook.refusal import STEP_BY_STEP, Refusal, because
from controller.rulebook.roles import AT_THE_TABLE, SUPERVISOR, People, Role
from controller.rulebook.round import Play, Round
from controller.rulebook.steps import Step, StepKind


class DeviceInput(msgspec.Struct, frozen=True, tag_field="kind", tag=snake_case):
    """An input that comes from a device or the station. Its kind is its name: ``chip_sensed``."""


class CoSigned(PersonInput, frozen=True, kw_only=True):
    """An act of two persons: `second` is another person, who co-signs it."""

    second: str


Input = PersonInput | DeviceInput

CoSignedBy = TypeVar("CoSignedBy", bound=CoSignedEvent)
Vault = Mapping[int, Card | None]
"""The values of this round's cards by draw number; None is a card its source could not read."""


def vault_after(vault: Vault, events: Iterable[Event], drawn: Vault) -> Vault:
    """The vault after these events of an input, which drew these cards: a round that begins or ends empties it."""
    kept = {} if any(isinstance(event, RoundBegun | ClaimsClosed | NoBetMade) for event in events) else vault
    return {**kept, **drawn} if drawn else kept


@dataclass(slots=True)  # a frozen one takes three times as long to make, and one is made for every input
class Decision:
    """The events of an input, each with the table after it.

    The values of the cards it drew belong in the vault and nowhere else.
    """

    events: tuple[Event, ...]
    tables: Sequence[Table]
    drawn: dict[int, Card | None]

    def __repr__(self) -> str:
        return f"Decision({len(self.events)} events, {len(self.drawn)} cards)"


class Approval(msgspec.Struct, frozen=True):
    """The approval of an informed change: the number under which it waited, and who approved it."""

    change: int | None = None
    approved_by: tuple[str, ...] = ()


class Course:
    """The course of a decision: a decider records events in it, and sees the table after them.

    The vault has the cards drawn before this input; `time` is the input's, UTC, empty if no clock is read. `actor` is
    the person who changes something.
    """

    def __init__(
        self, table: Table, settings: Settings, vault: Vault, role: Role | None = None, time: str = ""
    ) -> None:
        self.table, self.settings, self.vault, self._role, self.time = table, settings, vault, role, time
        self.approval = Approval()
        self.actor: str | None = None
        self._tables: list[Table] = []
        self._events: list[Event] = []
        self._drawn: dict[int, Card | None] = {}

    @property
    def role(self) -> Role:
        """The role of the person who answers; a device has none."""
        assert self._role is not None, "a person answers"
        return self._role

    def record(self, *events: Event) -> None:
        """Record events."""
        for event in events:
            self.table = apply(self.table, event)
            self._tables.append(self.table)
            self._events.append(event)

    def notify(self, notice: Notice, seat: int | None = None, text: str | None = None) -> None:
        """Shows the dealer a text."""
        self.record(DealerNotified(notice=notice, seat=seat, text=text))

    @property
    def recorded(self) -> tuple[Event, ...]:
        """The events of this input so far."""
        return tuple(self._events)

    def draw(self, values: Mapping[int, Card | None]) -> None:
        """Records that these cards have left their source, or were keyed in: their values go into the vault, by
        draw.
        """
        self._drawn.update(values)

    def foreseen(self, decide: Callable[["Course"], None]) -> "Course":
        """The events that would follow from here. Raises Refusal."""
        course = Course(self.table, self.settings, {**self.vault, **self._drawn}, self._role, self.time)
        course.approval, course.actor = self.approval, self.actor
        decide(course)
        return course

    def decision(self) -> Decision:
        """The recorded events and the drawn cards."""
        return Decision(tuple(self._events), self._tables, self._drawn)

    @property
    def round(self) -> Round:
        """The round in play. Raises TypeError between two."""
        round = self.table.round
        if round is None:
            raise TypeError("no round is in play")
        return round

    @property
    def meter(self) -> Meter:
        """The jackpot's meter. Raises TypeError at a table without one."""
        meter = self.table.meter
        if meter is None:
            raise TypeError("this table has no meter")
        return meter

    @property
    def game(self) -> Game:
        """The game of the round in play, or of the next one."""
        return game_at(self.table, self.settings)

    @property
    def step(self) -> Step:
        """The step for which the table waits."""
        return next_step(self.table)


class When(msgspec.Struct, frozen=True):
    """When an input is legal, in words with the steps in backquotes, and the function that refuses it at other times.

    The decider itself refuses what also depends on the game or the round.
    """

    says: str
    check: Callable[[Table], None] = lambda table: None


def at(*steps: StepKind) -> When:
    """At these steps, in every game."""
    return When(", ".join(f"`{step}`" for step in steps), lambda table: refuse_unless(table, *steps))


ANY_TIME = When("any time")
OPEN_ROUND = When("until the round is confirmed or void", refuse_when_over)
ROUNDS = "{rounds}"  # the number of the last round begun
REPORT, ADJUSTMENT, TABLE = f"{ROUNDS}/report", "adjustment", "table"


class Row(msgspec.Struct, frozen=True):
    """How an input is decided.

    `only` is set where only a supervisor may do it. With `any_role` a technician may too; `also` are roles beside
    dealer and supervisor. `answers` is the step id that the input carries, if it is not the present step's; braces
    contain a field of the input, or ROUNDS. An input that `changes` the round may be entered by anyone, and waits for a
    supervisor if it is informed. `play` limits the row to one kind of play.
    """

    decider: Callable[[Course, Any], None]
    when: When = ANY_TIME
    only: SupervisorAct | None = None
    any_role: bool = False
    also: tuple[str, ...] = ()
    answers: str = ""
    changes: bool = False
    play: type[Play] | None = None

    def refuse_another_play(self, table: Table) -> None:
        """Raises Refusal in a round of a game that does not have this input."""
        round = table.round
        if self.play is not None and round is not None and not isinstance(round.play, self.play):
            raise Refusal("table", TableReason.NOT_IN_THIS_GAME, STEP_BY_STEP, game=round.terms.game)


def require_supervisor(role: Role, act: SupervisorAct) -> None:
    """Raises Refusal for anyone else."""
    if role != SUPERVISOR:
        raise Refusal("actor", TableReason.ONLY_SUPERVISOR, "policy: roles", what=because(act))


def require_second(people: People, actor: str, second: str, policy: str = "policy: two persons adjust") -> None:
    """Raises Refusal unless another person of the table co-signs what a supervisor does."""
    if people.get(second) not in AT_THE_TABLE:
        raise Refusal("second", TableReason.SECOND_PERSON, policy)
    if second == actor:
        raise Refusal("second", TableReason.SECOND_IS_FIRST, policy, person=second)


def documented(reason: str) -> str:
    """The reason a person gives. Raises Refusal if it is empty or has characters that cannot be printed."""
    if not (1 <= len(reason.strip()) <= LONGEST_REASON and reason.strip().isprintable()):
        raise Refusal("reason", TableReason.SAY_WHY, "policy: documented adjustment", most=LONGEST_REASON)
    return reason.strip()


def optional_reason(reason: str) -> str:
    """The reason of a change that is not informed; empty if none is given. Raises Refusal as `documented` does."""
    return documented(reason) if reason.strip() else ""


def co_signed(course: Course, event: type[CoSignedBy], input: CoSigned, reason: str, **given: Any) -> CoSignedBy:
    """The event of an act of two persons, filled from their input and `given`. Raises Refusal without a reason."""
    second_role = course.settings.people[input.second]
    return filled(event, input, reason=documented(reason), second_role=second_role, **given)


def refuse_no_amount(amount: int) -> None:
    """Raises Refusal for an adjustment of 0, or of an impossible amount."""
    if not amount or abs(amount) > MOST_ADJUSTED:
        raise Refusal("amount", TableReason.NO_AMOUNT, "policy: documented adjustment", most=MOST_ADJUSTED)


LONGEST_REASON = 200


MOST_ADJUSTED = 10**12  # minor units; far above any table, far below what a reader of JSON takes exactly
