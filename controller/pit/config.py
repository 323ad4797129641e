"""`pit.toml`: broker, archive, database, page, people, witness, shared pots, returns; every mistake at once."""

from functools import partial
from pathlib import Path

import msgspec

from controller.config.checkpoint import Witnessed, read_signing_key, read_witnessed
from controller.config.console import HOUR, PIN_FILE, LogInSettings, read_listen
from controller.config.document import read_document
from controller.config.file import LINKS, ROLES
from controller.config.floor import Floor, read_floor
from controller.config.floor_connection import broker_of
from controller.config.jackpot import read_opening
from controller.config.regulation import not_at, read_authorisation, zone_of
from controller.config.section import NAME_CHARACTERS, Section
from controller.floor.broker import Broker
from controller.pit.ledger.state import PotLedger, new_ledger
from controller.rulebook.games import GAMES
from controller.rulebook.house import Authorisation
from controller.rulebook.roles import People
from controller.tlog.notes import Signer

LINKABLE = tuple(name for name, game in GAMES.items() if "link" not in dict(not_at(game)))
LISTEN = ("127.0.0.1", 8090)
STAY_HOURS = 12
UTC = "UTC"
ENVELOPES = "envelopes"  # beside pit.toml
MONTHS = ("envelopes_months", "alarms_months", "persons_months")
MOST_MONTHS = 1200
MARKS = "marks"  # beside pit.toml


class Retention(msgspec.Struct, frozen=True):
    """How many full months are kept besides the running one: envelopes in the database before they are moved to files
    in `folder`, and rows of alarms and persons. 0 keeps all.
    """

    folder: Path
    envelopes_months: int = 0
    alarms_months: int = 0
    persons_months: int = 0


class PitConfig(msgspec.Struct, frozen=True):
    """The content of `pit.toml`. `archive` is the name under which the tables know this archive; `database` is a
    connection string of libpq.

    `key_file` has the key that signs messages about `links` and monthly returns; it is required if there are links. The
    months of returns are those of `time_zone`.

    `marks` is the folder of this computer's marks of the links.

    Without `listen` there is no page. A person logged in there can only read, and the session has no limit of its own.
    """

    broker: Broker
    archive: str
    database: str
    people: People
    log_in: LogInSettings
    listen: tuple[str, int] | None = None
    witness: Witnessed | None = None
    links: tuple[PotLedger, ...] = ()
    key_file: Path | None = None
    marks: Path = Path(MARKS)
    authorisations: tuple[Authorisation, ...] = ()
    time_zone: str = UTC
    retention: Retention | None = None

    def signer(self) -> Signer | None:
        """The signing key; None without links. Raises BadKey if it cannot be read."""
        return None if self.key_file is None else read_signing_key(self.key_file)


def read_config(path: Path) -> PitConfig:
    """Raises BadConfiguration with every mistake, OSError where there is no such file."""
    floor, rest = read_document(path, partial(_sections, path.parent))
    return rest(broker=broker_of(floor, path))


def _sections(folder: Path, top: Section) -> tuple[Floor, partial[PitConfig]]:
    archive = top.section("archive")
    floor = read_floor(top.section("floor"), folder)
    name, database = archive.name("name"), archive.text("database")
    marks = folder / (archive.text("marks") if "marks" in archive else MARKS)
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
    links, authorisations = _links(top)
    key_file = _key_file(top, folder, bool(links))
    time_zone, retention = _time_zone(top), _retention(top, folder)
    top.end()
    if floor.protocol != "5":
        top.report("floor.protocol", floor.protocol, "5: what is missing is asked for in MQTT 5 alone")
    rest = partial(PitConfig, archive=name, database=database, people=people, log_in=log_in)
    rest = partial(rest, listen=listen, witness=witness, links=links, key_file=key_file, marks=marks)
    return floor, partial(rest, authorisations=authorisations, time_zone=time_zone, retention=retention)


def _links(top: Section) -> tuple[tuple[PotLedger, ...], tuple[Authorisation, ...]]:
    """Each shared pot, with the values it begins with if the books have none of its name; each is authorised."""
    links: list[PotLedger] = []
    authorised: list[Authorisation] = []
    for section in top.tables("link"):
        name, game = section.name("name"), section.choice("game", LINKABLE)
        opened, tables = read_opening(section, GAMES[game], GAMES[game].seats.numbers[-1]), section.texts("tables")
        if not all(_is_table(table) for table in tables) or len(set(tables)) != len(tables):
            section.report("tables", list(tables), 'site and id of each table, once, such as "macau-1/table-1"')
        elif taken := sorted(set(tables) & {table for link in links for table in link.tables}):
            section.report("tables", list(tables), f"tables of one link alone: {', '.join(taken)} is at another")
        elif not tables:
            section.report("tables", [], "at least one table")
        if name in {link.link for link in links}:
            section.report("name", name, "a name for each link")
        if "authorisation" not in section:
            section.report_missing("authorisation", "a table [link.authorisation] with reference and date")
        authorised += read_authorisation(section, f"link {name}")
        section.end()
        links.append(new_ledger(name, game, tables, opened))
    return tuple(links), tuple(authorised)


def _key_file(top: Section, folder: Path, wanted: bool) -> Path | None:
    """The section ``[signing]``, which a pit with links must have."""
    section = top.section("signing") if wanted else top.optional("signing")
    if section is None:
        return None
    file = folder / section.text("key_file")
    section.end()
    return file


def _time_zone(top: Section) -> str:
    """The section ``[returns]``; without it, months are those of UTC."""
    section = top.optional("returns")
    if section is None:
        return UTC
    name = zone_of(section, "Asia/Macau")
    section.end()
    return name


def _retention(top: Section, folder: Path) -> Retention | None:
    """The section ``[retention]``; without it everything stays."""
    section = top.optional("retention")
    if section is None:
        return None
    months = {name: section.integer(name, 0, MOST_MONTHS, default=0) for name in MONTHS}
    found = Retention(folder / (section.text("folder") if "folder" in section else ENVELOPES), **months)
    section.end()
    return found


def _is_table(name: str) -> bool:
    site, _, table = name.partition("/")
    return all(part and set(part) <= NAME_CHARACTERS for part in (site, table)) and table != LINKS


def _people(top: Section, wanted: bool) -> People:
    section = top.section("people") if wanted else top.optional("people")
    if section is None:
        return {}
    people = {name: section.choice(name, ROLES) for name in section}
    if not people and not section.missing:
        top.report("people", [], "at least one person: no one else sees the page")
    return people


def _log_in(console: Section | None, folder: Path) -> LogInSettings:
    file = PIN_FILE if console is None or "pin_file" not in console else console.text("pin_file")
    hours = STAY_HOURS if console is None else console.integer("stay_hours", 1, 24, default=STAY_HOURS)
    return LogInSettings(True, folder / file, dealer_idle=hours * HOUR, idle=hours * HOUR, longest=hours * HOUR)
