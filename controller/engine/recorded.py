"""An input as the journal keeps it beside the first of its events, and as it is read again. No I/O here.

Its id is not kept, since the answer under that id is; nor is its step, since an accepted input answers the step at
which the table was. Cards are in clear only where an event of the input shows them.
"""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import asdict, replace

from controller.engine.decisions.cards import CardsHeard, Reveal
from controller.engine.decisions.deciders import one_of
from controller.engine.decisions.decision import Decision, DeviceInput, Input
from controller.engine.state.changes import CorrectCards
from controller.engine.state.events import ChangeEntered
from controller.engine.state.persons import People, PersonInput
from controller.engine.state.settings import Settings
from controller.rulebook.cards import Card
from controller.rulebook.events import CardsShown, InputCorrected
from controller.words import VERSION

NAMES_CARDS = (CardsHeard, Reveal, CorrectCards)
"""The inputs that name cards, in their field `cards`."""
SHOWS_CARDS = (CardsShown, InputCorrected, ChangeEntered)
NOT_KEPT = {"input_id": "", "step_id": ""}  # of a person's input

NamedCards = tuple[Card | None, ...] | str
"""Cards as an input names them: those that a device read, or those that a person entered."""


class Recorded(msgspec.Struct, frozen=True):
    """`text` is in clear. `cards` are those that the input names and no event of it shows: they are sealed.

    `cards` is None also where a device read them and they are the values drawn, which are sealed anyway.
    """

    text: bytes
    cards: NamedCards | None = None

    def __repr__(self) -> str:
        # A traceback must not show a card before the rules do.
        return f"Recorded({self.text!r})"


class Asked(msgspec.Struct, frozen=True):
    """Who asked for an event: the input, None where the station itself recorded it, and by what it was decided.

    `people` are the persons that the input names. `settings` are there where others are in force from this input on;
    they have no persons.
    """

    input: Input | None
    people: People
    settings: Settings | None


class InClear(msgspec.Struct, frozen=True, omit_defaults=True):
    """What anyone can read of it who has the journal: the fields of the input, None where the station recorded it.

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
_decode_input = msgspec.json.Decoder(one_of(PersonInput, DeviceInput)).decode


def recorded(input: Input | None, decision: Decision, settings: Settings, with_settings: bool) -> Recorded:
    """What is kept of an input that was decided so, or of what the station itself recorded."""
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
        case CardsHeard(cards=cards):
            return cards
        case Reveal(cards=cards) | CorrectCards(cards=cards):
            return None if any(isinstance(event, SHOWS_CARDS) for event in decision.events) else cards
        case _:
            return None


def settings_of(recorded: Recorded) -> Settings | None:
    """The settings that are recorded with an input. Raises msgspec.DecodeError."""
    return _decode_settings(recorded.text).settings


def asked(recorded: Recorded, drawn: Mapping[int, Card | None]) -> Asked:
    """What was recorded, read again; `drawn` are the values that were sealed with it.

    Raises msgspec.DecodeError, or msgspec.ValidationError where it is no input of this version.
    """
    text = in_clear(recorded.text)
    if text.input is None:
        return Asked(None, {}, text.settings)
    fields = text.input | (NOT_KEPT if "actor" in text.input else {})
    if fields.get("kind") == CardsHeard.__struct_config__.tag:
        fields["cards"] = tuple(drawn.values()) if recorded.cards is None else recorded.cards
    elif recorded.cards is not None:
        fields["cards"] = recorded.cards
    return Asked(_decode_input(_encode(fields)), text.people, text.settings)
