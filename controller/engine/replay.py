"""What was played, decided again from the inputs that the journal keeps. No I/O here.

An input is given to the code of now, at the table as the journal has it by then; the events are compared with those
that were written.
"""

from collections.abc import Iterator, Sequence

import msgspec
from msgspec.structs import replace

from controller.engine.accept import accept
from controller.engine.decisions.decision import Decision, Vault, vault_after
from controller.engine.recorded import Recorded, asked
from controller.engine.state.events import AlarmCleared, AlarmRaised, DealerTold, Event
from controller.engine.state.settings import Settings
from controller.engine.state.table import Table, apply
from controller.rulebook.events import CardsShown, RoundBegun
from controller.rulebook.refusal import Refusal
from controller.words import sentence

NOTICES = (DealerTold, AlarmRaised, AlarmCleared)
WOULD_SHOW = "this version would show cards that the record has not shown"


class Written(msgspec.Struct, frozen=True):
    """An event as the journal has it, with its time, UTC, the values that it drew, and the input that it is the first
    of.
    """

    number: int
    event: Event
    time: str = ""
    drawn: Vault = {}
    input: Recorded | None = None

    def __repr__(self) -> str:
        # A traceback must not show a card before the rules do.
        return f"Written({self.number}, {type(self.event).__name__})"


class Difference(msgspec.Struct, frozen=True):
    """Where the code of now decides otherwise: what the journal has, and what would be written now.

    Either is null where there is nothing; `refused` is why nothing is written now, where it is refused.
    """

    event: int
    round: int
    written: Event | None
    now: Event | None
    refused: str | None = None


class Replay:
    """A journal from an event on, before which the table, the settings and the cards drawn in the round were these.

    The first input of a journal has the settings.

    `decided` counts the inputs that were decided again, `rounds` the rounds, and `told_otherwise` the inputs of which
    only the notices differ: notices decide nothing, and later stations have others.
    """

    def __init__(self, table: Table, settings: Settings | None = None, vault: Vault | None = None) -> None:
        self.table = table
        self.decided = self.rounds = self.told_otherwise = 0
        self._settings = settings
        self._vault = vault or {}
        self._group: list[Written] = []

    def take(self, rows: Sequence[Written], last: bool = False) -> Iterator[Difference]:
        """The differences in some events more. Those of the last input wait for what follows, but for the `last`.

        Raises TypeError for an event without an input, and msgspec.DecodeError for an input that cannot be read.
        """
        for row in rows:
            if row.input is not None and self._group:
                yield from self._compared()
            self._group.append(row)
        if last and self._group:
            yield from self._compared()

    def _compared(self) -> Iterator[Difference]:
        """The difference in the events of the input in hand, and the table after them as they are written."""
        group, self._group = self._group, []
        difference = self._decided_again(group)
        if difference is not None:
            yield difference
        for row in group:
            self.table = apply(self.table, row.event)
            self.rounds += isinstance(row.event, RoundBegun)
        self._vault = vault_after(self._vault, [row.event for row in group], group[0].drawn)

    def _decided_again(self, group: list[Written]) -> Difference | None:
        first = group[0]
        if first.input is None:
            raise TypeError("no input is recorded with it")
        kept = asked(first.input, first.drawn)
        self._settings = kept.settings or self._settings
        if kept.input is None:
            return None  # the station recorded it of itself
        if self._settings is None:
            raise TypeError("no settings are recorded before it")
        self.decided += 1
        settings = replace(self._settings, people=kept.people)
        try:
            decision = accept(self.table, kept.input, settings, self._vault, first.time)
        except Refusal as refusal:
            return self._refused(first, sentence(refusal))
        except Exception as defect:  # named, as whatever else the code of now does otherwise
            return self._refused(first, type(defect).__name__)  # its text might name a card
        return self._difference(group, decision)

    def _difference(self, group: list[Written], decision: Decision) -> Difference | None:
        if [row.event for row in group] == list(decision.events):
            return None
        written = [row for row in group if not isinstance(row.event, NOTICES)]
        made = [event for event in decision.events if not isinstance(event, NOTICES)]
        if [row.event for row in written] == made:
            self.told_otherwise += 1
            return None
        if _shown(made) - _shown([row.event for row in written]):
            return self._refused(group[0], WOULD_SHOW)
        at = next((at for at, (row, now) in enumerate(zip(written, made, strict=False)) if row.event != now), None)
        at = min(len(written), len(made)) if at is None else at
        number, then = (written[at].number, written[at].event) if at < len(written) else (group[-1].number + 1, None)
        return Difference(number, self.table.rounds, then, made[at] if at < len(made) else None)

    def _refused(self, first: Written, why: str) -> Difference:
        return Difference(first.number, self.table.rounds, first.event, None, why)


def _shown(events: Sequence[Event]) -> set[str]:
    """The cards that these events show, each with its place."""
    return {f"{event.to} {card}" for event in events if isinstance(event, CardsShown) for card in event.cards}
