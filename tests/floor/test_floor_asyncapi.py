"""The document of the floor's messages: valid, whole, and true of every message."""

import copy
import json
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import fastjsonschema
import pytest

from controller.floor.asyncapi import document, topics
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
    told = closed(document())
    definitions = {"components": told["components"]}
    found: dict[str, Check] = {}
    for kind, message in told["components"]["messages"].items():
        found[kind] = fastjsonschema.compile({**DRAFT, **message["payload"], **_used(definitions, message)})
    return found


def closed(schema: Any) -> Any:
    """The same, in which every object has the keys that are named and no others."""
    if isinstance(schema, list):
        return [closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    whole = {key: closed(one) for key, one in schema.items()}
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
    told = document()
    check(told)
    told["channels"]["status"]["adress"] = told["channels"]["status"].pop("address")
    with pytest.raises(fastjsonschema.JsonSchemaValueException):
        check(told)


@pytest.mark.parametrize("game", GAMES)
def test_every_message_of_a_table_of_faults_is_in_the_document(game: str) -> None:
    addresses = {one.address for one in topics()}
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
    told = document()["components"]["messages"]
    assert {one.kind for one in topics()} == told.keys()
    for kind, message in told.items():
        [example] = message["examples"]
        assert kind_of(example["payload"]) == kind
        checks()[kind](example["payload"])


def test_a_field_that_is_not_in_the_document_is_found() -> None:
    for kind, message in document()["components"]["messages"].items():
        more = copy.deepcopy(message["examples"][0]["payload"])
        more["data"]["nobody_knows_it"] = 1
        with pytest.raises(fastjsonschema.JsonSchemaValueException):
            checks()[kind](more)


def test_a_consumer_that_holds_messages_against_the_document_takes_those_of_a_later_version() -> None:
    told = document()
    definitions = {"components": told["components"]}
    for message in told["components"]["messages"].values():
        later = copy.deepcopy(message["examples"][0]["payload"])
        later["traceparent"] = later["data"]["later"] = 1
        fastjsonschema.compile({**DRAFT, **message["payload"], **_used(definitions, message)})(later)


def test_whatever_counts_money_or_a_rate_says_its_unit() -> None:
    told = document()["components"]["schemas"]
    ledger = told["Ledger"]["properties"]
    assert {one["x-unit"] for one in ledger.values()} == {"1/10 000 of a minor unit"}
    assert told["Laid"]["properties"]["amount"]["x-unit"] == "minor units of `currency`"
    assert told["Parameters"]["properties"]["increment_bp"]["x-unit"] == "basis points"
    assert told["Parameters"]["properties"]["fixed"]["x-unit"] == "minor units of `currency`"
    plain = {
        key
        for shape in told.values()
        for key, one in shape.get("properties", {}).items()
        if one.get("type") == "integer" and "x-unit" not in one
    }
    assert plain <= set(PLAIN.split()), "give it a unit in controller/floor/shapes.py, or name it here as a mere number"


PLAIN = """
    as_of asked_again attempt behind boot bank_place by cards cards_left chips_counted complaint count counter cut_after
    decks draw edges event exponent failures first_place found hand hit id last_order load missing null_dice number of
    order orders_from pending_cards place places rank round rounds seat seats sequence shuffler_failures slip to_one
    times total tries turn unreasonable_chips version first last segments message adjustments bets corrections void
    from to through status oldest known entry
    beat chips claims cycle epoch revision seq terms
"""


def test_what_is_committed_is_what_is_published() -> None:
    assert json.loads(EXAMPLES.read_text(encoding="utf-8")) == examples(), "run `make pages`"
    assert json.loads(DOCUMENT.read_text(encoding="utf-8")) == document(), "run `make pages`"
    assert PAGE.read_text(encoding="utf-8") == page(), "run `make pages`"


def test_the_command_prints_it() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "controller", "asyncapi"], capture_output=True, text=True, check=True, timeout=60
    )
    assert json.loads(done.stdout) == document()
