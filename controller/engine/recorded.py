"""An input as the journal keeps it beside the first of its events, as it is read, and decided again. No I/O here.

Its id is not kept, since the answer is stored under it; nor is its step, since an accepted input answers the table's
step at that moment. Cards are in clear only where an event of the input shows them.

An input is decided again by the present code, at the table as the journal has it at that point; the events are compared
with those in the journal.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import asdict, replace

from controller.engine.decisions.deciders import decide_with_alarms, union_of
from controller.engine.decisions.decision import Decision, DeviceInput, Input, Vault, vault_after
from controller.engine.decisions.played import CardsReported, Reveal
from controller.engine.state.alarms import AlarmCleared, AlarmRaised
from controller.engine.state.applied import Event, apply
from controller.engine.state.current import Settings
from controller.engine.state.events import DealerNotified
from controller.engine.state.persons import ChangeEntered, CorrectCards, PersonInput
from controller.engine.state.table import Table
from controller.rulebook.cards import Card
from controller.rulebook.events import CardsShown, InputCorrected, RoundBegun
from controller.rulebook.refusal import Refusal
from controller.rulebook.roles import People
from controller.words import VERSION, sentence

SHOWS_CARDS = (CardsShown, InputCorrected, ChangeEntered)
NOT_KEPT = {"input_id": "", "step_id": ""}  # of a person's input

NamedCards = tuple[Card | None, ...] | str
"""Cards as an input names them: those that a device read, or those that a person entered."""


class Recorded(msgspec.Struct, frozen=True):
    """`text` is not encrypted. `cards` are those that the input names and none of its events shows: they are sealed.

    `cards` is None also where a device read them and they are the values drawn, which are sealed anyway.
    """

    text: bytes
    cards: NamedCards | None = None

    def __repr__(self) -> str:
        # A traceback must not show a card before the rules do.
        return f"Recorded({self.text!r})"


class Origin(msgspec.Struct, frozen=True):
    """The origin of an event: the input (None if the station itself recorded it), and the settings by which it was
    decided.

    `people` are the persons that the input names. `settings` are set if new ones apply from this input on; they contain
    no persons.
    """

    input: Input | None
    people: People
    settings: Settings | None


class InClear(msgspec.Struct, frozen=True, omit_defaults=True):
    """The unencrypted part of the record: the fields of the input; None if the station recorded it.

    `words` is with settings: the version of the catalogues in which persons read what follows. Events keep codes alone.
    """

    input: dict[str, Any] | None = None
    people: People = {}
    settings: Settings | None = None
    words: str | None = None


class _Settings(msgspec.Struct, frozen=True):
    settings: Settings | None = None


_encode = msgspec.json.encode
in_clear = msgspec.json.Decoder(InClear).decode
"""The text that is kept of an input, read. Raises msgspec.DecodeError."""
_decode_settings = msgspec.json.Decoder(_Settings).decode
_decode_input = msgspec.json.Decoder(union_of(PersonInput, DeviceInput)).decode


def record_of(input: Input | None, decision: Decision, settings: Settings, with_settings: bool) -> Recorded:
    """The record of an input with this decision, or of what the station recorded by itself."""
    kept, words = (replace(settings, people={}), VERSION) if with_settings else (None, None)
    if input is None:
        return Recorded(_encode(InClear(settings=kept, words=words)))
    fields: dict[str, Any] = msgspec.to_builtins(input)
    people: People = {}
    if isinstance(input, PersonInput):
        for name in NOT_KEPT:
            del fields[name]
        named = {value for value in asdict(input).values() if isinstance(value, str)}
        people = {name: role for name, role in settings.people.items() if name in named}
    cards = _sealed(input, decision)
    if cards is not None:
        del fields["cards"]
    if cards == tuple(decision.drawn.values()):
        cards = None
    return Recorded(_encode(InClear(fields, people, kept, words)), cards)


def _sealed(input: Input, decision: Decision) -> NamedCards | None:
    match input:
        case CardsReported(cards=cards):
            return cards
        case Reveal(cards=cards) | CorrectCards(cards=cards):
            return None if any(isinstance(event, SHOWS_CARDS) for event in decision.events) else cards
        case _:
            return None


def recorded_settings(recorded: Recorded) -> Settings | None:
    """The settings that are recorded with an input. Raises msgspec.DecodeError."""
    return _decode_settings(recorded.text).settings


def read_input(recorded: Recorded, drawn: Mapping[int, Card | None]) -> Origin:
    """The input read back from its record; `drawn` are the card values that were sealed with it.

    Raises msgspec.DecodeError, or msgspec.ValidationError where it is no input of this version.
    """
    text = in_clear(recorded.text)
    if text.input is None:
        return Origin(None, {}, text.settings)
    fields = text.input | (NOT_KEPT if "actor" in text.input else {})
    if fields.get("kind") == CardsReported.__struct_config__.tag:
        fields["cards"] = tuple(drawn.values()) if recorded.cards is None else recorded.cards
    elif recorded.cards is not None:
        fields["cards"] = recorded.cards
    return Origin(_decode_input(_encode(fields)), text.people, text.settings)


NOTICES = (DealerNotified, AlarmRaised, AlarmCleared)


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
    """A difference in the decision of the present code: the text in the journal, and the text that would be written
    now.

    Either is null if there is nothing to compare; `refused` is the reason if the input is refused now.
    """

    event: int
    round: int
    written: Event | None
    now: Event | None
    refused: str | None = None


class JournalReplay:
    """Replays a journal from an event on; the table, the settings and the cards drawn before it are given.

    The first input of a journal has the settings.

    `decided` counts the inputs that were decided again, `rounds` the rounds, and `different_notices` the inputs of
    which only the notices differ: notices decide nothing, and later stations have others.
    """

    def __init__(self, table: Table, settings: Settings | None = None, vault: Vault | None = None) -> None:
        self.table = table
        self.decided = self.rounds = self.different_notices = 0
        self._settings = settings
        self._vault = vault or {}
        self._group: list[Written] = []

    def take(self, rows: Sequence[Written], last: bool = False) -> Iterator[Difference]:
        """The differences in some more events. The last input's events wait for the next call, unless they are the
        `last`.

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
        kept = read_input(first.input, first.drawn)
        self._settings = kept.settings or self._settings
        if kept.input is None:
            return None  # the station recorded it of itself
        if self._settings is None:
            raise TypeError("no settings are recorded before it")
        self.decided += 1
        settings = replace(self._settings, people=kept.people)
        try:
            decision = decide_with_alarms(self.table, kept.input, settings, self._vault, first.time)
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
            self.different_notices += 1
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
