"""`pit.toml`: the broker, the archive and its database. Every mistake is named at once."""

import tomllib
from pathlib import Path

import msgspec

from controller.access import broker_of
from controller.config.file import BadConfiguration
from controller.config.floor import read_floor
from controller.config.section import Mistake, Section
from controller.floor.broker import Broker


class Config(msgspec.Struct, frozen=True):
    """What `pit.toml` says. `archive` is the name under which the tables know this archive; `database` is libpq's."""

    broker: Broker
    archive: str
    database: str


def read_config(path: Path) -> Config:
    """Raises BadConfiguration with every mistake, OSError where there is no such file."""
    mistakes: list[Mistake] = []
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadConfiguration(path, [Mistake("the file", str(path), f"TOML; {error}")]) from None
    top = Section("", content, mistakes)
    archive = top.section("archive")
    floor = read_floor(top.section("floor"), path.parent)
    name, database = archive.name("name"), archive.text("database")
    archive.end()
    top.end()
    if floor.protocol != "5":
        mistakes.append(Mistake("floor.protocol", floor.protocol, "5: what is missing is asked for in MQTT 5 alone"))
    if mistakes:
        raise BadConfiguration(path, mistakes)
    return Config(broker=broker_of(floor, path), archive=name, database=database)
