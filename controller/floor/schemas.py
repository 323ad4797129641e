"""JSON schemas of the published messages, for validators and code generators. No I/O here.

Every schema has a unique title, which can be the name of a class, and every property has a description.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from controller.floor.enumerations import ENUMERATIONS, EXAMPLES, OF_KEYS, Values
from controller.floor.vocabulary import meaning, text_format

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
