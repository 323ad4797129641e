"""JSON schemas of the published messages, for validators and code generators. It reads only `vocabulary.json`.

Every schema has a unique title, which can be the name of a class, and every property has a description: the sentence
of `vocabulary.json` for its key, or that for `Shape.key` with a narrower meaning in one shape, and its unit. The lists
of possible values come from the code that defines them.
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, get_args

import msgspec
from msgspec.structs import fields

from controller.engine.shown.places import PairName
from controller.engine.shown.public import LinkState
from controller.engine.state.alarms import Level, names
from controller.engine.state.applied import Event
from controller.engine.state.current import Mode
from controller.engine.state.events import DeviceReportKind, Notice
from controller.engine.state.jackpot import Hit
from controller.engine.state.table import SlotChip
from controller.floor.reasons import RequestReason
from controller.floor.shapes import SCHEMA
from controller.rulebook.citations import RegulationState
from controller.rulebook.events import CardSource, Deal, InputCorrected
from controller.rulebook.five_card import FiveCardName
from controller.rulebook.game import HandState
from controller.rulebook.games import GAMES
from controller.rulebook.house import BasicBets
from controller.rulebook.offers import DECISIONS, REFUSED
from controller.rulebook.parts.faults import DeviceName, LossCause
from controller.rulebook.report import IrregularityKind, Outcome, RoundResult
from controller.rulebook.roles import Role
from controller.rulebook.steps import Phase, StepKind
from controller.rulebook.three_card import ThreeCardName
from controller.rulebook.units import UNITS
from controller.words import ENGLISH, SPOKEN, keys_of_the_page

Values = tuple[str, ...] | tuple[int, ...]


def _of_field(shape: Any, key: str) -> Values:
    [kind] = (field.type for field in fields(shape) if field.name == key)
    return get_args(kind)


def _question() -> Values:
    [event] = (argument for argument in get_args(Event) if argument.__struct_config__.tag == "answer_given")
    return _of_field(event, "question")


ENUMERATIONS: dict[str, Values] = {
    "Act": tuple(dict.fromkeys(act for game in GAMES.values() for act in game.session.acts)),
    "AlarmLevel": get_args(Level),
    "AdditionalBet": tuple(dict.fromkeys(bet for game in GAMES.values() for bet in game.betting.additional)),
    "BasicBets": get_args(BasicBets),
    "CardSource": get_args(CardSource),
    "CloudEventsVersion": ("1.0",),
    "Combination": get_args(FiveCardName),
    "CorrectedInput": _of_field(InputCorrected, "what"),
    "DataContentType": ("application/json",),
    "Deal": get_args(Deal),
    "Decision": (*DECISIONS, REFUSED),
    "Device": get_args(DeviceName),
    "DeviceReportKind": get_args(DeviceReportKind),
    "Game": tuple(GAMES),
    "HandName": get_args(ThreeCardName),
    "HandState": get_args(HandState),
    "HitState": _of_field(Hit, "state"),
    "IrregularityKind": get_args(IrregularityKind),
    "Language": tuple(SPOKEN),
    "LinkState": get_args(LinkState),
    "LossCause": get_args(LossCause),
    "Mode": get_args(Mode),
    "Notice": get_args(Notice),
    "Outcome": get_args(Outcome),
    "PairName": get_args(PairName),
    "Phase": get_args(Phase),
    "ProblemCode": tuple(RequestReason),
    "Question": _question(),
    "Reading": tuple(dict.fromkeys(reading.key for game in GAMES.values() for reading in game.other_readings)),
    "RegulationState": get_args(RegulationState),
    "Role": get_args(Role),
    "RoundOutcome": _of_field(RoundResult, "outcome"),
    "SchemaNumber": (SCHEMA,),
    "SlotState": _of_field(SlotChip, "state"),
    "Step": get_args(StepKind),
    "Tier": tuple(key.removeprefix("tier/") for key in ENGLISH.slip_texts if key.startswith("tier/")),
}
"""Each list of values, by the name of its schema."""
OF_KEYS: dict[str, str | None] = {
    "acts": "Act",
    "additional": "AdditionalBet",
    "deal": "Deal",
    "DecisionMade.decision": "Decision",
    "Envelope.source": None,
    "game": "Game",
    "lang": "Language",
    "mode": "Mode",
    "Problem.code": "ProblemCode",
    "question": "Question",
    "rules": "Reading",
    "slots": "SlotState",
    "source": "CardSource",
    "sources": "CardSource",
    "tier": "Tier",
    "PairResult.name": "PairName",
}
"""The lists of keys that are mere text in their shapes; `Shape.key` comes before `key`."""
EXAMPLES: dict[str, tuple[str, ...]] = {
    "alarm": tuple(names()),
    "PublicAlarm.name": tuple(names()),
    "PublishedWager.wager": keys_of_the_page("figure.wager"),
    "wager": keys_of_the_page("wager"),
}
"""Examples of open lists: an alarm names a seat or an archive, a wager may be an authorised bet."""


SENTENCES: dict[str, str] = json.loads(Path(__file__).with_name("vocabulary.json").read_text(encoding="utf-8"))
TIMES = {
    *("began", "confirmed", "recordedtime", "since"),
    *("AlarmCleared.at", "AlarmRaised.at", "Envelope.time", "JournalPruned.before", "StateDifference.time"),
}
DATES = {"Authorisation.date", "AuthorisedBet.date"}
IN_UTC = "In UTC."


def meaning(shape: str, key: str, schema: Any) -> str:
    """What a property means, as whole sentences. Raises KeyError for one that the vocabulary does not have."""
    sentence = SENTENCES.get(f"{shape}.{key}") or SENTENCES.get(key)
    if sentence is None:
        raise KeyError(f"{shape}.{key} has no sentence in controller/floor/vocabulary.json")
    unit = IN_UTC if text_format(shape, key) == "date-time" else _unit(schema)
    return f"{sentence} {unit}".rstrip()


def text_format(shape: str, key: str) -> str | None:
    """The JSON Schema format of a text property, if it has one."""
    own = {key, f"{shape}.{key}"}
    return "date-time" if own & TIMES else "date" if own & DATES else None


def _unit(schema: Any) -> str:
    """The unit of the numbers in a property, by its type; empty if the type has none."""
    if isinstance(schema, dict):
        return schema["description"] if schema.get("description") in UNITS else _unit([*schema.values()])
    return next(filter(None, map(_unit, schema)), "") if isinstance(schema, list) else ""


COMPONENTS = "#/components/schemas/"
NULL = {"type": "null"}
Schema = dict[str, Any]


def components(shapes: Iterable[Any]) -> tuple[dict[Any, Schema], dict[str, Schema]]:
    """The reference to each shape, and the schemas of all structs in them by name."""
    every = list(dict.fromkeys(shapes))
    made, structs = msgspec.json.schema_components(every, ref_template=f"{COMPONENTS}{{name}}")
    return dict(zip(every, made, strict=True)), {name: _of_struct(name, struct) for name, struct in structs.items()}


def enumerations_in(document: Any) -> dict[str, Schema]:
    """The schemas of the lists that a document refers to, by their names."""
    text = json.dumps(document)
    return {name: _enumeration(name, own) for name, own in ENUMERATIONS.items() if f'"{COMPONENTS}{name}"' in text}


def properties(title: str, own: Mapping[str, Schema], shape: str | None = None) -> dict[str, Schema]:
    """The properties of the schema with this title; the vocabulary has them under the name of `shape`."""
    return {key: _property(title, shape or title, key, schema) for key, schema in own.items()}


def class_name(name: str) -> str:
    """The name of a schema as a class: ``event.cards_shown`` becomes ``EventCardsShown``."""
    return "".join(part[:1].upper() + part[1:] for part in name.replace(".", "_").split("_"))


def one_value(value: str) -> Schema:
    """The schema of a constant text, as an enumeration: generators cannot handle `const`."""
    return {"type": "string", "enum": [value]}


def _of_struct(name: str, made: Schema) -> Schema:
    """The schema of a struct; messages may have more keys than it names."""
    return {
        "title": name,
        "description": " ".join(made["description"].split()),
        "type": "object",
        "properties": properties(name, made["properties"]),
        "required": made["required"],
    }


def _enumeration(title: str, values: Values) -> Schema:
    return {"title": title, "type": "string" if isinstance(values[0], str) else "integer", "enum": [*values]}


def _property(title: str, shape: str, key: str, made: Schema) -> Schema:
    own = f"{shape}.{key}"
    titled_schema = titled(made, f"{class_name(key)}Of{title}", OF_KEYS.get(own, OF_KEYS.get(key)))
    schema: Schema = {"description": meaning(shape, key, made)}
    if (form := text_format(shape, key)) is not None:
        schema["format"] = form
    if (examples := EXAMPLES.get(own) or EXAMPLES.get(key)) is not None:
        schema["examples"] = [*examples]
    return titled_schema | schema


def titled(made: Schema, title: str, listed: str | None = None) -> Schema:
    """A schema with its title, and those of its parts; a text that is `listed` refers to its list."""
    match {key: part for key, part in made.items() if key not in ("title", "default", "description", "discriminator")}:
        case {"enum": values}:
            name = next((name for name, known in ENUMERATIONS.items() if {*known} == {*values}), None)
            return _enumeration(title, values) if name is None else {"$ref": f"{COMPONENTS}{name}"}
        case {"type": "string"} if listed is not None:
            return {"$ref": f"{COMPONENTS}{listed}"}
        case {"anyOf": [only, {"type": "null"}]}:
            return _nullable(titled(only, title, listed), title)
        case {"anyOf": [*parts]}:
            return {"title": title, "anyOf": [titled(part, f"{title}{n}", listed) for n, part in enumerate(parts, 1)]}
        case {"prefixItems": [first, *others], **more}:
            if any(other != first for other in others):
                raise TypeError(f"{title} lists values of several types, which few languages can")
            return {**more, "title": title, "items": titled(first, f"{title}Item", listed)}
        case {"items": dict(items), **more}:
            return {**more, "title": title, "items": titled(items, f"{title}Item", listed)}
        case {"additionalProperties": dict(values), **more}:
            return {**more, "title": title, "additionalProperties": titled(values, f"{title}Value", listed)}
        case {"$ref": _} as reference:
            return reference
        case plain:
            return {**plain, "title": title}


def _nullable(schema: Schema, title: str) -> Schema:
    if "type" in schema and "enum" not in schema:
        return {**schema, "type": [schema["type"], "null"]}
    return {"title": title, "anyOf": [*schema.get("anyOf", [schema]), {**NULL}]}
