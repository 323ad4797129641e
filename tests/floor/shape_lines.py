"""The shapes of the messages as lines that can be compared: what a consumer may rely on in later versions."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from controller.floor.asyncapi import document
from controller.floor.schemas import IN_UTC
from controller.rulebook.units import UNITS

PATH = Path(__file__).parent / "shapes.txt"
IN_WORDS = (IN_UTC, *UNITS)
Schema = dict[str, Any]


def lines(schemas: Mapping[str, Schema]) -> dict[str, str]:
    """What each key of each shape holds, with its unit, and whether it is always there; texts about it may change."""
    return dict(_lines(schemas))


def _lines(schemas: Mapping[str, Schema]) -> Iterator[tuple[str, str]]:
    for name, shape in schemas.items():
        if "properties" not in shape:
            yield name, _text(shape)
            continue
        yield name, "object"
        for key, schema in shape["properties"].items():
            always = "" if key in shape.get("required", ()) else "? "
            yield f"{name}.{key}", always + _text(schema)


def _text(schema: Schema) -> str:
    return json.dumps(_bare(schema), ensure_ascii=False, sort_keys=True)


def _bare(schema: Any) -> Any:
    if isinstance(schema, dict):
        bare = {key: _bare(part) for key, part in schema.items() if key not in ("description", "title", "examples")}
        unit = next((unit for unit in IN_WORDS if schema.get("description", "").endswith(unit)), None)
        return bare if unit is None else {**bare, "unit": unit}
    return [_bare(part) for part in schema] if isinstance(schema, list) else schema


def changed(known: Mapping[str, str], found: Mapping[str, str]) -> list[str]:
    """What is gone, or is another than it was. A key more is no change, nor is a value more of an enumeration."""
    return [name for name, text in known.items() if name not in found or not _holds(text, found[name])]


def _holds(known: str, found: str) -> bool:
    if known.startswith("? "):
        known, found = known[2:], found.removeprefix("? ")
    return known == found or (known[:1] == found[:1] == "{" and _includes(json.loads(known), json.loads(found)))


def _includes(known: Any, found: Any) -> bool:
    if isinstance(known, dict) and isinstance(found, dict) and known.keys() == found.keys():
        return all(
            set(own) <= set(found[key]) if key == "enum" else _includes(own, found[key]) for key, own in known.items()
        )
    if isinstance(known, list) and isinstance(found, list) and len(known) == len(found):
        return all(map(_includes, known, found))
    return bool(known == found)


def read() -> dict[str, str]:
    """The lines that are kept."""
    kept = (line.split(" ", 1) for line in PATH.read_text(encoding="utf-8").splitlines())
    return dict(kept)


if __name__ == "__main__":
    found = lines(document()["components"]["schemas"])
    PATH.write_text("".join(f"{name} {text}\n" for name, text in sorted(found.items())), encoding="utf-8")
