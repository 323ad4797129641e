"""The shapes of the messages keep what consumers rely on: they may get more, and nothing else."""

import copy
import json
from collections.abc import Callable
from functools import cache
from typing import Any

import msgspec
import pytest

from controller.floor.asyncapi import text
from controller.floor.published import EVENTS, shape_of
from controller.floor.schemas import meaning
from controller.rulebook.units import IN_MONEY, IN_TEN_THOUSANDTHS, Milliseconds, Minor
from tests.floor.shape_lines import changed, lines, read

Schemas = dict[str, Any]
printed = cache(text)


def schemas_now() -> Schemas:
    """The schemas of the document, as JSON has them."""
    schemas: Schemas = json.loads(printed())["components"]["schemas"]
    return schemas


def test_no_key_is_gone_and_none_has_another_type() -> None:
    found = lines(schemas_now())
    assert changed(read(), found) == [], (
        "a consumer reads them as they are; until the first release `python -m tests.floor.shape_lines` keeps others, "
        "afterwards what is other is another number of the schema"
    )


def more_keys(schemas: Schemas) -> None:
    schemas["PlacedBet"]["properties"]["colour"] = {"type": "string"}
    schemas["Another"] = {"type": "object", "properties": {}}


def more_values(schemas: Schemas) -> None:
    schemas["RoundOutcome"]["enum"].append("postponed")


@pytest.mark.parametrize("change", [more_keys, more_values])
def test_more_is_allowed(change: Callable[[Schemas], None]) -> None:
    schemas = schemas_now()
    known = lines(copy.deepcopy(schemas))
    change(schemas)
    assert lines(schemas) != known and changed(known, lines(schemas)) == []


def no_key(schemas: Schemas) -> None:
    del schemas["PlacedBet"]["properties"]["amount"]


def no_shape(schemas: Schemas) -> None:
    del schemas["PlacedBet"]


def another_type(schemas: Schemas) -> None:
    schemas["PlacedBet"]["properties"]["amount"]["type"] = "string"


def another_unit(schemas: Schemas) -> None:
    schemas["PlacedBet"]["properties"]["amount"]["description"] = "The stake. In basis points."


def null_too(schemas: Schemas) -> None:
    schemas["PlacedBet"]["properties"]["seat"] = {"anyOf": [{"type": "integer"}, {"type": "null"}]}


def not_always_there(schemas: Schemas) -> None:
    schemas["PlacedBet"]["required"].remove("amount")


def fewer_values(schemas: Schemas) -> None:
    schemas["RoundOutcome"]["enum"].remove("void")


@pytest.mark.parametrize(
    "change", [no_key, no_shape, another_type, another_unit, null_too, not_always_there, fewer_values]
)
def test_less_or_other_is_refused(change: Callable[[Schemas], None]) -> None:
    schemas = schemas_now()
    known = lines(copy.deepcopy(schemas))
    change(schemas)
    assert changed(known, lines(schemas)) != []


FAMILIES: dict[str, set[str]] = {
    "body": {
        *("Announced", "Claimed", "Contributed", "Counted", "Paid", "Returned", "SettledOnPaper", "Vouched"),
        *("WentBack", "Withdrawn"),
    },
    "left": {"BankLeft", "CutLeft"},
    "content": {"Broken", "Doubted", "Entry", "GrantReceived", "Learnt", "Through"},
}
"""Keys whose objects have one of several shapes, each with a `type` in it, or the keys of another one as well."""


def types_of(schemas: Schemas, schema: Any, key: str) -> set[str]:
    """The types of a value, null apart: a shape by its name, a list or a map by the types of what is in it."""
    match schema:
        case {"$ref": str(name)}:
            shape = name.rsplit("/", 1)[1]
            if "properties" not in schemas[shape]:
                return types_of(schemas, schemas[shape], key)
            return {f"one of {key}" if shape in FAMILIES.get(key, ()) else shape}
        case {"anyOf": parts} | {"oneOf": parts}:
            return set().union(*(types_of(schemas, part, key) for part in parts))
        case {"enum": values}:
            return {NAMES[type(value)] for value in values} - {"null"}
        case {"type": [*names], **more}:
            return set().union(*(types_of(schemas, {"type": name, **more}, key) for name in names))
        case {"type": "array", "items": items}:
            return {f"list of {' or '.join(sorted(types_of(schemas, items, key)))}"}
        case {"type": "object", "additionalProperties": dict(values)}:
            return {f"map of {' or '.join(sorted(types_of(schemas, values, key)))}"}
        case {"type": str(name)}:
            return {name} - {"null"}
    raise ValueError(f"{key}: {schema}")


NAMES = {str: "string", int: "integer", bool: "boolean", type(None): "null"}


def keys_in(schemas: Schemas) -> dict[str, set[str]]:
    """The types of each key, over all shapes."""
    found: dict[str, set[str]] = {}
    for shape in schemas.values():
        for key, schema in shape.get("properties", {}).items():
            found.setdefault(key, set()).update(types_of(schemas, schema, key))
    return found


def mixed(schemas: Schemas) -> dict[str, set[str]]:
    """The keys that have not one type, or whose lists and maps have not."""
    return {key: types for key, types in keys_in(schemas).items() if len(types) != 1 or " or " in next(iter(types))}


def test_every_key_has_one_type_in_all_messages() -> None:
    schemas = schemas_now()
    assert len(keys_in(schemas)) > 300
    assert mixed(schemas) == {}, "one struct, one search index and one table hold all messages: give it another name"


@pytest.mark.parametrize(
    ("schema", "types"),
    [
        ({"type": "string"}, {"integer", "string"}),
        ({"type": "array", "items": {"type": "integer"}}, {"integer", "list of integer"}),
        ({"anyOf": [{"type": "integer"}, {"type": "boolean"}]}, {"integer", "boolean"}),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, {"integer", "map of integer"}),
        ({"$ref": "#/components/schemas/PlacedBet"}, {"integer", "PlacedBet"}),
        ({"type": ["integer", "null"]}, None),
    ],
)
def test_a_key_with_two_types_is_found(schema: dict[str, Any], types: set[str] | None) -> None:
    schemas = schemas_now()
    schemas["Holder"]["properties"]["amount"] = schema
    assert mixed(schemas) == ({} if types is None else {"amount": types})


def test_the_shapes_of_a_family_are_distinguished_or_have_the_same_keys() -> None:
    schemas = schemas_now()
    for key, family in FAMILIES.items():
        tags = [schemas[name]["properties"].get("type") for name in family]
        keys = [set(schemas[name]["properties"]) for name in family]
        assert all(tag is not None for tag in tags) or all(names == keys[0] for names in keys), key


def test_a_key_counts_money_in_every_shape_or_in_none() -> None:
    schemas, of_money = schemas_now(), dict[str, set[bool]]()
    for shape in schemas.values():
        for key, schema in shape.get("properties", {}).items():
            if types_of(schemas, schema, key) & {"integer", "list of integer", "map of integer"}:
                of_money.setdefault(key, set()).add(schema["description"].endswith(IN_MONEY))
    assert {"amount", "net", "pot", "fixed"} <= {key for key, money in of_money.items() if money == {True}}
    assert [key for key, money in of_money.items() if len(money) > 1] == []


def test_a_number_says_its_unit_by_its_type_whatever_it_is_called() -> None:
    for kind, counts in ((Minor, True), (Minor | None, True), (dict[str, Minor], True), (int, False)):
        assert meaning("PlacedBet", "seat", msgspec.json.schema(kind)).endswith(IN_MONEY) == counts
        assert not meaning("DeviceUp", "outage_ms", msgspec.json.schema(kind)).endswith("In milliseconds.")
    assert meaning("PlacedBet", "seat", msgspec.json.schema(Milliseconds | None)).endswith("In milliseconds.")


def counts_money(schema: Any) -> bool:
    """Whether an amount of money is anywhere in the schema of a type."""
    if isinstance(schema, dict):
        return schema.get("description") in (IN_MONEY, IN_TEN_THOUSANDTHS) or any(map(counts_money, schema.values()))
    return isinstance(schema, list) and any(map(counts_money, schema))


def test_the_message_of_an_event_has_the_currency_where_there_is_money_in_it_and_nowhere_else() -> None:
    for event in EVENTS:
        keys = shape_of(event).__struct_fields__
        _, parts = msgspec.json.schema_components([shape_of(event)])
        assert ("currency" in keys) == ("exponent" in keys) == counts_money(parts), event.__name__
