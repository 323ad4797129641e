"""The AsyncAPI document of the floor's messages, made from the shapes that are published. No I/O but its examples."""

import json
from collections.abc import Iterable, Iterator
from importlib.resources import files
from typing import Any

from msgspec import Struct

from controller.floor import published, shapes
from controller.floor.messages import DATASCHEMA, TYPE_PREFIX
from controller.floor.mqtt import MERGE_PATCH
from controller.floor.requests import PROBLEM, PROBLEM_TYPE, Acknowledgement, Problem, Rebirth, Replay
from controller.floor.schemas import (
    COMPONENTS,
    Schema,
    class_name,
    components,
    enumerations_in,
    one_value,
    properties,
    titled,
)
from controller.floor.state_shapes import State
from controller.link.messages import Acknowledged, Contributed, Granted, KeyUnknown, PitAnswer, Pot, SentEntry
from controller.link.signing import sealed
from controller.rulebook.jackpot_award import Parameters
from controller.tlog.notes import SEED_BYTES, Signer

CONTENT_TYPE = "application/cloudevents+json"
INFO = (
    "The messages of a table to its floor. Each is a CloudEvents 1.0 envelope in structured JSON, QoS 1. Those of"
    " `events` and `rounds` are numbered in one sequence without a gap, and each may come twice, with the same id and"
    " the same bytes. Those that are retained hold while `status` is online with the same `source` and `session`; in"
    " any other case they show the table as it was. Requests and their answers, over MQTT 5 alone, are neither."
    " Those of `state/differences` are merge patches (RFC 7396) over the message of `state`."
    " Consumers ignore keys that they do not know: later versions may add some."
)
QOS = 1

Document = Schema


class Topic(Struct, frozen=True):
    """One topic below the table's: the name and content of its messages, and whether they are retained.

    The station sends them, except those that it receives.
    """

    address: str
    kind: str
    shape: type[Struct]
    retained: bool
    says: str
    is_received: bool = False

    @property
    def numbered(self) -> bool:
        """Whether the topic's messages are numbered."""
        return self.address == "rounds" or self.address.startswith("events/")


class RequestTopic(Struct, frozen=True):
    """A topic on which the station listens, and the messages that it expects there."""

    address: str
    shape: type[Struct]
    example: Document
    answered: bool
    says: str


REQUESTS = (
    RequestTopic(
        "requests/replay", Replay, {"first": 17, "last": 21}, True, "Messages are to come once more, by number."
    ),
    RequestTopic("requests/rebirth", Rebirth, {}, True, "Every retained topic is to come once more."),
    RequestTopic(
        "requests/acknowledge/{archive}",
        Acknowledgement,
        {"journal": "00000000-0000", "through": 21},
        False,
        "An archive has every message up to this one.",
    ),
)


STATE_DIFFERENCE = "StateDifference"
DIFFERENCES = Topic(
    "state/differences",
    "state_difference",
    State,
    False,
    "What changed in `state`, as a merge patch over the message before it, where `state_differences` is configured.",
)
_DIFFERENCE: Document = {
    "id": "state/5f1c02aa90b3d411/18",
    "time": "2026-03-14T14:33:24.184Z",
    "data": {"as_of": 35, "version": 41, "round_in_play": {"deal": "two_hands", "dealt": {"3": {"order": 12}}}},
}


class OfLink(Struct, frozen=True):
    """A topic of a linked pot: messages between table and pit, without an envelope, signed under a name."""

    address: str
    name: str
    shape: Any
    example: Struct
    signed_as: str
    is_received: bool
    retained: bool
    says: str


_PARAMETERS = Parameters(500, 400_000, 7_000, 1_000, 900_000, "overflow", 6, {"flush": 1_000})
VERBS = ("send", "receive")  # by whether the table receives it
SIGNED = tuple(shape.__name__ for shape in (SentEntry, Acknowledged, Granted, KeyUnknown, Pot))
_TABLE, _PIT = "macau-1/table-1", "casino.example/pit"
LINK = (
    OfLink(
        "dealer/{site}/{table}/link/{link}",
        "entry",
        SentEntry,
        SentEntry("hall", _TABLE, "00000000-0000", 17, Contributed(7, 3, 1, 12_000_000), "5f1c02aa90b3d411"),
        f"dealer/{_TABLE}",
        is_received=False,
        retained=False,
        says="An entry about a linked pot, repeated each second until the pit has acknowledged it.",
    ),
    OfLink(
        "dealer/{site}/{table}/linked/{link}",
        "answer_of_pit",
        PitAnswer,
        Acknowledged("hall", _TABLE, "00000000-0000", 17, 2, 4711, session="5f1c02aa90b3d411", beat=1903),
        _PIT,
        is_received=True,
        retained=False,
        says="The pit has a journal's entries for good, or a claim's grant.",
    ),
    OfLink(
        "dealer/{site}/links/{link}/pot",
        "pot",
        Pot,
        Pot("hall", 2, 1903, 4711, 612_345, 1, 1, _PARAMETERS, 12),
        _PIT,
        is_received=True,
        retained=True,
        says="The amount of a linked pot, every 250 ms.",
    ),
)


def topics() -> Iterator[Topic]:
    """Every topic on which something is published."""
    yield Topic(
        "status",
        "status",
        shapes.PublishedStatus,
        True,
        "Whether the table is online; offline is the will too, and has no `time`.",
    )
    yield Topic("state", "state", State, True, "The whole public table but the jackpot.")
    yield Topic("jackpot", "jackpot", shapes.PublishedJackpot, True, "The progressive jackpot, where one is offered.")
    yield Topic("devices/{device}", "device", shapes.PublishedDevice, True, "Whether a device is there.")
    yield Topic("alarms/{alarm}", "alarm", shapes.Alarm, True, "An alarm; cleared with an empty message.")
    yield Topic(
        "statistics", "statistics", shapes.PublishedStatistics, True, "The day so far; each minute, and each round."
    )
    yield Topic(
        "archives/{archive}", "archive", shapes.PublishedArchive, True, "Up to which message an archive has them."
    )
    yield Topic(
        "answers/{asker}", "answer", shapes.PublishedAnswer, False, "The end of what was asked for, or a problem."
    )
    yield Topic("checkpoint", "checkpoint", shapes.PublishedCheckpoint, True, "The state of the record, signed.")
    says = "A witness's answer about the record; the station receives it."
    yield Topic("cosignatures/{witness}", "cosignature", shapes.Cosignature, True, says, is_received=True)
    yield Topic("rounds", "round", shapes.ConfirmedRound, False, "A confirmed round.")
    by_name = {published.event_name(event): event for event in reversed(published.EVENTS)}
    for name, event in sorted(by_name.items()):
        says = " ".join((event.__doc__ or "").split("\n\n")[0].split())
        yield Topic(f"events/{name}", f"event.{name}", published.shape_of(event), False, says)


def document() -> Document:
    """The whole document."""
    every = list(topics())
    asked = [request.shape for request in REQUESTS]
    names = [*dict.fromkeys(topic.shape for topic in every), *asked, Problem, *(topic.shape for topic in LINK)]
    named, schemas = components(names)
    for name in SIGNED:
        schemas[name] = _signed(name, schemas[name])
    schemas[STATE_DIFFERENCE] = _difference()
    examples = json.loads(files("controller.floor").joinpath("examples.json").read_text(encoding="utf-8"))
    messages = {topic.kind: _message(topic, named[topic.shape], examples[topic.kind]) for topic in every}
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "Dealer Station", "version": f"{shapes.SCHEMA}.0.0", "description": INFO},
        "defaultContentType": CONTENT_TYPE,
        "servers": {
            "broker": {
                "host": "broker.example:8883",
                "protocol": "secure-mqtt",
                "protocolVersion": "5",
                "bindings": {
                    "mqtt": {
                        "lastWill": {"topic": "dealer/{site}/{table}/status", "qos": QOS, "retain": True},
                        "bindingVersion": "0.2.0",
                    }
                },
            }
        },
        "channels": {
            **{_key(topic): _channel(topic) for topic in every},
            _key(DIFFERENCES): _differences(),
            "answers": _answers(every, named[Problem]),
            **{_key(request): _request(request, named) for request in REQUESTS},
            **{f"link.{topic.name}": _link_channel(topic, named) for topic in LINK},
        },
        "operations": {
            **{f"{VERBS[topic.is_received]}.{_key(topic)}": _topic_operation(topic) for topic in every},
            f"send.{_key(DIFFERENCES)}": _topic_operation(DIFFERENCES),
            **{f"receive.{_key(request)}": _request_operation(request) for request in REQUESTS},
            **{f"{VERBS[topic.is_received]}.link.{topic.name}": _link_operation(topic) for topic in LINK},
        },
        "components": {
            "messages": messages,
            "schemas": dict(sorted({**schemas, **enumerations_in([schemas, messages])}.items())),
        },
    }


def _signed(name: str, schema: Document) -> Document:
    """The schema of a message of a linked pot with its last key."""
    own = properties(name, {"signature": {"type": "string"}})
    return {**schema, "properties": schema["properties"] | own, "required": [*schema["required"], "signature"]}


def _key(topic: Topic | RequestTopic) -> str:
    return topic.address.split("/{")[0].replace("/", ".")


def _channel(topic: Topic) -> Document:
    return _place(topic, {topic.kind: {"$ref": f"#/components/messages/{topic.kind}"}})


def _place(topic: Topic | RequestTopic, messages: Document) -> Document:
    address = f"dealer/{{site}}/{{table}}/{topic.address}"
    within = {"site": "The site's name.", "table": "The table's name."}
    named = ("device", "alarm", "archive", "asker", "witness")
    within |= {name: f"The {name}'s name." for name in named if f"{{{name}}}" in address}
    return {
        "address": address,
        "description": topic.says,
        "parameters": {name: {"description": says} for name, says in within.items()},
        "messages": messages,
    }


def _difference() -> Document:
    text = {"type": "string"}
    return {
        "title": STATE_DIFFERENCE,
        "description": "What a merge patch has of the message of `state`: keys that did not change are not there.",
        "type": "object",
        "properties": properties(STATE_DIFFERENCE, {"id": text, "time": text, "data": {"type": "object"}}),
        "required": ["id", "data"],
    }


def _differences() -> Document:
    payload = {"$ref": f"{COMPONENTS}{STATE_DIFFERENCE}"}
    message = {"name": DIFFERENCES.kind, "contentType": MERGE_PATCH, "payload": payload}
    return _place(DIFFERENCES, {DIFFERENCES.kind: {**message, "examples": [{"payload": _DIFFERENCE}]}})


def _answers(every: Iterable[Topic], problem: Document) -> Document:
    """The topics of answers: events and rounds as published, the end of the answer, or a problem."""
    kinds = [topic.kind for topic in every if topic.numbered or topic.kind == "answer"]
    [answer] = (topic for topic in every if topic.kind == "answer")
    example = {"type": f"{PROBLEM_TYPE}:kept-no-longer", "title": "…", "status": 410, "code": "kept_no_longer"}
    member = {"name": "problem", "contentType": PROBLEM, "payload": problem, "examples": [{"payload": example}]}
    return _place(answer, {**{kind: {"$ref": f"#/components/messages/{kind}"} for kind in kinds}, "problem": member})


def _request(request: RequestTopic, named: dict[Any, Document]) -> Document:
    name = _key(request).split(".")[-1]
    content = {"name": name, "contentType": "application/json", "payload": named[request.shape]}
    return _place(request, {name: {**content, "examples": [{"payload": request.example}]}})


def _request_operation(request: RequestTopic) -> Document:
    key = _key(request)
    is_received = _operation(key, key.split(".")[-1], True, {})
    location = {"location": "$message.header#/responseTopic"}
    reply = {"address": location, "channel": {"$ref": "#/channels/answers"}}
    return {**is_received, "reply": reply} if request.answered else is_received


def _link_channel(topic: OfLink, named: dict[Any, Document]) -> Document:
    within = {"site": "The site's name.", "table": "The table's name.", "link": "The linked pot's name."}
    content = {
        "name": topic.name,
        "contentType": "application/json",
        "payload": titled(named[topic.shape], class_name(topic.name)),
    }
    address = topic.address.format(site="macau-1", table="table-1", link="hall")
    example = sealed(Signer(topic.signed_as, bytes(SEED_BYTES)), address, topic.example)
    return {
        "address": topic.address,
        "description": topic.says,
        "parameters": {
            name: {"description": member} for name, member in within.items() if f"{{{name}}}" in topic.address
        },
        "messages": {topic.name: {**content, "examples": [{"payload": json.loads(example)}]}},
    }


def _link_operation(topic: OfLink) -> Document:
    return _operation(f"link.{topic.name}", topic.name, topic.is_received, {"retain": topic.retained})


def _topic_operation(topic: Topic) -> Document:
    return _operation(_key(topic), topic.kind, topic.is_received, {"retain": topic.retained})


def _operation(key: str, message: str, is_received: bool, of_mqtt: Document) -> Document:
    """The operation for the one message of a channel."""
    channel = f"#/channels/{key}"
    return {
        "action": VERBS[is_received],
        "channel": {"$ref": channel},
        "messages": [{"$ref": f"{channel}/messages/{message}"}],
        "bindings": {"mqtt": {"qos": QOS, **of_mqtt, "bindingVersion": "0.2.0"}},
    }


def _message(topic: Topic, data: Document, example: Document) -> Document:
    text = {"type": "string"}
    envelope: Document = {
        "id": text,
        "source": text,
        "type": one_value(f"{TYPE_PREFIX}.{topic.kind}"),
        "time": text,
        "data": data,
        "dataschema": one_value(f"{DATASCHEMA}:{shapes.SCHEMA}:{topic.kind}"),
        "specversion": one_value("1.0"),
        "datacontenttype": one_value("application/json"),
    }
    if topic.retained and not topic.is_received:
        envelope["session"] = {"type": "integer", "minimum": 1}
    # A will has no time: it is made when the connection begins, and published when it has ended.
    required = [key for key in envelope if key != "time" or topic.kind != "status"]
    if topic.numbered:
        envelope["sequence"] = {"type": "string", "pattern": "^[0-9]{12,}$"}
        required.append("sequence")
        envelope |= {"subject": {"type": "string", "pattern": "^round/[0-9]+$"}, "recordedtime": text}
    title = f"{class_name(topic.kind.removeprefix('event.'))}Message"
    payload = {
        "title": title,
        "type": "object",
        "properties": properties(title, envelope, "Envelope"),
        "required": required,
    }
    return {
        "name": topic.kind,
        "summary": topic.says,
        "contentType": CONTENT_TYPE,
        "payload": payload,
        "examples": [{"payload": example}],
    }


def text() -> str:
    """The document as JSON."""
    return json.dumps(document(), ensure_ascii=False, indent=1) + "\n"
