"""`pit.toml`: the broker, the archive and its database. Every mistake is named at once."""

from functools import partial
from pathlib import Path

import msgspec

from controller.config.document import read_document
from controller.config.floor import Floor, read_floor
from controller.config.section import Section
from controller.floor.broker import Broker
from controller.floor_connection import broker_of


class Config(msgspec.Struct, frozen=True):
    """What `pit.toml` says. `archive` is the name under which the tables know this archive; `database` is libpq's."""

    broker: Broker
    archive: str
    database: str


def read_config(path: Path) -> Config:
    """Raises BadConfiguration with every mistake, OSError where there is no such file."""
    floor, archive, database = read_document(path, partial(_sections, path.parent))
    return Config(broker=broker_of(floor, path), archive=archive, database=database)


def _sections(folder: Path, top: Section) -> tuple[Floor, str, str]:
    archive = top.section("archive")
    floor = read_floor(top.section("floor"), folder)
    found = floor, archive.name("name"), archive.text("database")
    archive.end()
    top.end()
    if floor.protocol != "5":
        top.report("floor.protocol", floor.protocol, "5: what is missing is asked for in MQTT 5 alone")
    return found
