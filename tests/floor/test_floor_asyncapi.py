"""The document of the floor's messages: valid, whole, and true of every message."""

import copy
import json
import keyword
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import fastjsonschema
import msgspec
import pytest

from controller.floor.asyncapi import document, topics
from controller.floor.schemas import DATES, ENUMERATIONS, NULL, OF_KEYS, SENTENCES, TIMES, components
from controller.floor.schemas import EXAMPLES as EXAMPLES_OF
from controller.rulebook.games import GAMES
from tests.docs.floor_messages import DOCUMENT, EXAMPLES, PAGE, examples, page
from tests.floor.happened import messages, of_a_hit, of_a_witness

HERE = Path(__file__).parent
# The official JSON Schema of AsyncAPI 3.0.0, as npm's @asyncapi/specs 6.11.1 (Apache-2.0) has it in
# schemas/3.0.0-without-$id.json; its titles, descriptions and examples are left out, which check nothing.
OFFICIAL = HERE / "asyncapi-3.0.0.json"
DRAFT = {"$schema": "http://json-schema.org/draft-07/schema#"}
Check = Callable[[Any], Any]


@cache
def checks() -> dict[str, Check]:
    """For each kind of message what holds it against the document, in which nothing is left out."""
    return checks_of(document())


def checks_of(document: Any) -> dict[str, Check]:
    """The same of any document. A refusal names the rule and not the value, which takes most of the time to compile."""
    api = closed(document)
    definitions = {"components": api["components"]}
    found: dict[str, Check] = {}
    for kind, message in api["components"]["messages"].items():
        schema = {**DRAFT, **message["payload"], **_used(definitions, message)}
        found[kind] = fastjsonschema.compile(schema, detailed_exceptions=False)
    return found


def closed(schema: Any) -> Any:
    """The same, in which every object has the keys that are named and no others."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    whole = {key: closed(part) for key, part in schema.items()}
    return {**whole, "additionalProperties": False} if isinstance(schema.get("properties"), dict) else whole


def _used(definitions: dict[str, Any], message: dict[str, Any]) -> dict[str, Any]:
    """The schemas that a message needs: each is compiled with its own alone."""
    schemas, wanted = definitions["components"]["schemas"], set[str]()
    waiting = [json.dumps(message["payload"])]
    while waiting:
        for part in waiting.pop().split('"#/components/schemas/')[1:]:
            name = part.split('"')[0]
            if name not in wanted:
                wanted.add(name)
                waiting.append(json.dumps(schemas[name]))
    return {"components": {"schemas": {name: schemas[name] for name in wanted}}}


def kind_of(message: dict[str, Any]) -> str:
    return str(message["type"]).removeprefix("dealer.station.")


def test_the_document_is_valid_asyncapi() -> None:
    check = fastjsonschema.compile(json.loads(OFFICIAL.read_text(encoding="utf-8")))
    api = document()
    check(api)
    api["channels"]["status"]["adress"] = api["channels"]["status"].pop("address")
    with pytest.raises(fastjsonschema.JsonSchemaValueException):
        check(api)


@pytest.mark.parametrize("game", GAMES)
def test_every_message_of_a_table_of_faults_is_in_the_document(game: str) -> None:
    addresses = {topic.address for topic in topics()}
    count = 0
    for topic, payload in messages(game):
        message = json.loads(payload)
        checks()[kind_of(message)](message)
        within = topic.split("/")[0]
        assert topic in addresses or f"{within}/{{{within.removesuffix('s')}}}" in addresses, topic
        count += 1
    assert count > 500


def test_the_messages_of_a_hit_and_of_a_witness_are_in_the_document() -> None:
    for payload in (*of_a_hit(), *of_a_witness()):
        checks()[kind_of(json.loads(payload))](json.loads(payload))


def test_every_kind_has_an_example_that_is_one() -> None:
    api = document()["components"]["messages"]
    assert {topic.kind for topic in topics()} == api.keys()
    for kind, message in api.items():
        [example] = message["examples"]
        assert kind_of(example["payload"]) == kind
        checks()[kind](example["payload"])


def test_a_field_that_is_not_in_the_document_is_found() -> None:
    for kind, message in document()["components"]["messages"].items():
        more = copy.deepcopy(message["examples"][0]["payload"])
        more["data"]["no_one_knows_it"] = 1
        with pytest.raises(fastjsonschema.JsonSchemaValueException):
            checks()[kind](more)


def test_whatever_counts_money_or_a_rate_says_its_unit() -> None:
    api = document()["components"]["schemas"]

    def says(shape: str, key: str) -> str:
        return str(api[shape]["properties"][key]["description"])

    ledger = api["Ledger"]["properties"]
    assert all(says("Ledger", key).endswith("In 1/10 000 of a minor unit of the currency.") for key in ledger)
    assert says("PlacedBet", "amount").endswith("In minor units of the currency.")
    assert says("Parameters", "increment_bp").endswith("In basis points.")
    assert says("Parameters", "fixed").endswith("In minor units of the currency.")
    assert says("LostTimes", "jam_ms").endswith("In milliseconds.")


def every_property() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Each property of the document: the shape it belongs to, its key and its schema."""
    api = document()["components"]
    for name, shape in api["schemas"].items():
        for key, schema in shape.get("properties", {}).items():
            yield name, key, schema
    for message in api["messages"].values():
        for key, own in message["payload"]["properties"].items():
            yield "Envelope", key, own


def test_every_property_is_described_once_and_every_sentence_is_used() -> None:
    used = set()
    for shape, key, schema in every_property():
        own = f"{shape}.{key}" if f"{shape}.{key}" in SENTENCES else key
        assert schema["description"].startswith(SENTENCES[own]), (shape, key)
        used.add(own)
    assert SENTENCES.keys() - used == set(), "no message has these: take them out of controller/floor/vocabulary.json"
    special = [own for own in SENTENCES if "." in own and SENTENCES.get(own.split(".")[1]) == SENTENCES[own]]
    assert special == [], "the sentence of the key says the same"
    for own, sentence in SENTENCES.items():
        assert sentence[0].isupper() and sentence.endswith("."), own
    names = {key for _, key, _ in every_property()} | {f"{shape}.{key}" for shape, key, _ in every_property()}
    assert names >= {*TIMES, *DATES, *OF_KEYS, *EXAMPLES_OF}


def texts(content: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Each text of a message with its key."""
    if isinstance(content, str):
        yield key, content
    elif isinstance(content, dict):
        for name, inner in content.items():
            yield from texts(inner, name)
    elif isinstance(content, list):
        for part in content:
            yield from texts(part, key)


def test_whatever_is_a_time_says_so() -> None:
    api = [json.loads(payload) for game in GAMES for _, payload in messages(game)]
    api += [message["examples"][0]["payload"] for message in document()["components"]["messages"].values()]
    found = {key for message in api for key, text in texts(message) if re.fullmatch(r"\d{4}-\d\d-\d\dT.*Z", text)}
    assert found == {own.rsplit(".", 1)[-1] for own in TIMES}


def test_a_property_that_no_sentence_describes_is_found() -> None:
    class Undescribed(msgspec.Struct):
        """A shape."""

        no_one_knows_it: int

    with pytest.raises(KeyError, match="no_one_knows_it"):
        components([Undescribed])


@cache
def every_schema() -> tuple[dict[str, Any], ...]:
    """Each schema of the document with those within it."""
    return (*_schemas(),)


def _schemas() -> Iterator[dict[str, Any]]:
    api = document()
    sent = [message for channel in api["channels"].values() for message in channel["messages"].values()]
    waiting = [
        message["payload"] for message in (*sent, *api["components"]["messages"].values()) if "payload" in message
    ]
    waiting += api["components"]["schemas"].values()
    while waiting:
        schema = waiting.pop()
        yield schema
        waiting += schema.get("properties", {}).values()
        waiting += schema.get("anyOf", ())
        waiting += [schema[key] for key in ("items", "additionalProperties") if isinstance(schema.get(key), dict)]


def test_a_list_of_several_types_is_refused() -> None:
    class Undescribed(msgspec.Struct):
        """A shape."""

        pending: tuple[str, int]

    with pytest.raises(TypeError, match="several types"):
        components([Undescribed])


def test_every_schema_has_a_title_of_its_own_that_a_class_can_have() -> None:
    titles = [schema["title"] for schema in every_schema() if schema != NULL and "$ref" not in schema]
    assert len(titles) > 1000
    assert [title for title, count in Counter(titles).items() if count > 1] == []
    assert [title for title in titles if not re.fullmatch("([A-Z][a-z0-9]*)+", title) or keyword.iskeyword(title)] == []


def test_the_schemas_have_only_keywords_that_a_strict_validator_and_a_generator_take() -> None:
    known = {"title", "description", "examples", "$ref", "anyOf", "type", "enum", "format", "pattern", "minimum"}
    known |= {"properties", "required", "additionalProperties", "items", "minItems", "maxItems", "exclusiveMaximum"}
    assert {key for schema in every_schema() for key in schema} <= known
    for name in every_schema():
        assert "$ref" in name or "anyOf" in name or "type" in name, name
        assert not isinstance(name.get("type"), list) or (len(name["type"]) == 2 and name["type"][1] == "null"), name
        more = name.get("additionalProperties")
        assert more is None or (more and "properties" not in name), "a later version may send more"
        assert all("$ref" in part for part in name.get("anyOf", ()) if part != NULL), "few languages have such a union"


def test_every_list_of_values_is_referred_to() -> None:
    assert ENUMERATIONS.keys() <= document()["components"]["schemas"].keys()
    for schema in every_schema():
        same = [name for name, own in ENUMERATIONS.items() if [*own] == schema.get("enum")]
        assert same in ([], [schema.get("title")]), "the list has a schema that can be referred to"


def test_what_is_committed_is_what_is_published() -> None:
    assert json.loads(EXAMPLES.read_text(encoding="utf-8")) == examples(), "run `make pages`"
    assert json.loads(DOCUMENT.read_text(encoding="utf-8")) == document(), "run `make pages`"
    assert PAGE.read_text(encoding="utf-8") == page(), "run `make pages`"


def test_the_command_prints_it() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "controller", "asyncapi"], capture_output=True, text=True, check=True, timeout=60
    )
    assert json.loads(done.stdout) == document()
