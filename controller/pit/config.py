"""`pit.toml`: broker, archive, database, the page and who may look, the witness. Every mistake is named at once."""

from functools import partial
from pathlib import Path

import msgspec

from controller.config.checkpoint import Witnessed, read_witnessed
from controller.config.console import HOUR, PIN_FILE, LogIn, read_listen
from controller.config.document import read_document
from controller.config.file import ROLES
from controller.config.floor import Floor, read_floor
from controller.config.section import Section
from controller.engine.persons import People
from controller.floor.broker import Broker
from controller.floor_connection import broker_of

LISTEN = ("127.0.0.1", 8090)
STAY_HOURS = 12


class Config(msgspec.Struct, frozen=True):
    """What `pit.toml` says. `archive` is the name under which the tables know this archive; `database` is libpq's.

    Without `listen` there is no page. Whoever is logged in there does nothing but look, and stays as long as anybody.
    """

    broker: Broker
    archive: str
    database: str
    people: People
    log_in: LogIn
    listen: tuple[str, int] | None = None
    witness: Witnessed | None = None


def read_config(path: Path) -> Config:
    """Raises BadConfiguration with every mistake, OSError where there is no such file."""
    floor, rest = read_document(path, partial(_sections, path.parent))
    return rest(broker=broker_of(floor, path))


def _sections(folder: Path, top: Section) -> tuple[Floor, partial[Config]]:
    archive = top.section("archive")
    floor = read_floor(top.section("floor"), folder)
    name, database = archive.name("name"), archive.text("database")
    archive.end()
    console = top.optional("console")
    people, log_in = _people(top, console is not None), _log_in(console, folder)
    listen = None
    if console is not None:
        listen = read_listen(console, "live") if "listen" in console else LISTEN
        console.end()
    witness = None if (section := top.optional("witness")) is None else read_witnessed(section, folder)
    if section is not None:
        section.end()
    top.end()
    if floor.protocol != "5":
        top.report("floor.protocol", floor.protocol, "5: what is missing is asked for in MQTT 5 alone")
    rest = partial(Config, archive=name, database=database, people=people, log_in=log_in)
    return floor, partial(rest, listen=listen, witness=witness)


def _people(top: Section, wanted: bool) -> People:
    section = top.section("people") if wanted else top.optional("people")
    if section is None:
        return {}
    people = {name: section.choice(name, ROLES) for name in section.keys()}
    if not people and not section.missing:
        top.report("people", [], "at least one person: nobody else sees the page")
    return people


def _log_in(console: Section | None, folder: Path) -> LogIn:
    file = PIN_FILE if console is None or "pin_file" not in console else console.text("pin_file")
    hours = STAY_HOURS if console is None else console.integer("stay_hours", 1, 24, default=STAY_HOURS)
    return LogIn(True, folder / file, dealer_idle=hours * HOUR, idle=hours * HOUR, longest=hours * HOUR)
