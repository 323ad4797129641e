"""The shapes of the messages keep what consumers rely on: they may get more, and nothing else."""

import copy
from collections.abc import Callable
from typing import Any

import pytest

from controller.floor.asyncapi import document
from tests.floor.shape_lines import changed, lines, read

Schemas = dict[str, Any]


def test_no_key_is_gone_and_none_has_another_type() -> None:
    found = lines(document()["components"]["schemas"])
    assert changed(read(), found) == [], (
        "a consumer reads them as they are; until the first release `python -m tests.floor.shape_lines` keeps others, "
        "afterwards what is other is another number of the schema"
    )


def more_keys(schemas: Schemas) -> None:
    schemas["Laid"]["properties"]["colour"] = {"type": "string"}
    schemas["Another"] = {"type": "object", "properties": {}}


def more_values(schemas: Schemas) -> None:
    schemas["RoundOutcome"]["enum"].append("postponed")


@pytest.mark.parametrize("change", [more_keys, more_values])
def test_more_is_allowed(change: Callable[[Schemas], None]) -> None:
    schemas = document()["components"]["schemas"]
    known = lines(copy.deepcopy(schemas))
    change(schemas)
    assert lines(schemas) != known and changed(known, lines(schemas)) == []


def no_key(schemas: Schemas) -> None:
    del schemas["Laid"]["properties"]["amount"]


def no_shape(schemas: Schemas) -> None:
    del schemas["Laid"]


def another_type(schemas: Schemas) -> None:
    schemas["Laid"]["properties"]["amount"]["type"] = "string"


def another_unit(schemas: Schemas) -> None:
    schemas["Laid"]["properties"]["amount"]["description"] = "The stake. In basis points."


def null_too(schemas: Schemas) -> None:
    schemas["Laid"]["properties"]["seat"] = {"anyOf": [{"type": "integer"}, {"type": "null"}]}


def not_always_there(schemas: Schemas) -> None:
    schemas["Laid"]["required"].remove("amount")


def fewer_values(schemas: Schemas) -> None:
    schemas["RoundOutcome"]["enum"].remove("void")


@pytest.mark.parametrize(
    "change", [no_key, no_shape, another_type, another_unit, null_too, not_always_there, fewer_values]
)
def test_less_or_other_is_refused(change: Callable[[Schemas], None]) -> None:
    schemas = document()["components"]["schemas"]
    known = lines(copy.deepcopy(schemas))
    change(schemas)
    assert changed(known, lines(schemas)) != []
