"""The access list of a broker: the only topics that each user may write or read. No I/O here."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from string import Formatter
from types import MappingProxyType
from typing import Final

from msgspec import Struct

from controller.floor import discovery

TABLE, CONSUMER, REQUESTER, ARCHIVE, WITNESS, PIT, HOME = ROLES = (
    "table", "consumer", "requester", "archive", "witness", "pit", "home assistant"
)  # fmt: skip
_READERS = (CONSUMER, REQUESTER, ARCHIVE, PIT)
_ASKERS = (REQUESTER, ARCHIVE, PIT)
EVENTS = "dealer/{site}/{table}/events/{event}"
"""The one address of all events."""

Roles = tuple[str, ...]


class Rights(Struct, frozen=True):
    """The roles that write on a topic, and those that read it."""

    write: Roles
    read: Roles


RIGHTS: Final[Mapping[str, Rights]] = MappingProxyType({
    "dealer/{site}/{table}/status": Rights((TABLE,), (TABLE, *_READERS, HOME)),
    "dealer/{site}/{table}/state": Rights((TABLE,), (TABLE, *_READERS, HOME)),
    "dealer/{site}/{table}/state/differences": Rights((TABLE,), _READERS),
    "dealer/{site}/{table}/jackpot": Rights((TABLE,), (TABLE, *_READERS, HOME)),
    "dealer/{site}/{table}/statistics": Rights((TABLE,), (TABLE, *_READERS, HOME)),
    "dealer/{site}/{table}/devices/{device}": Rights((TABLE,), (TABLE, *_READERS)),
    "dealer/{site}/{table}/alarms/{alarm}": Rights((TABLE,), (TABLE, *_READERS)),
    "dealer/{site}/{table}/archives/{archive}": Rights((TABLE,), (TABLE, *_READERS)),
    "dealer/{site}/{table}/checkpoint": Rights((TABLE,), (TABLE, *_READERS, WITNESS)),
    "dealer/{site}/{table}/cosignatures/{witness}": Rights((WITNESS,), (TABLE, *_READERS)),
    "dealer/{site}/{table}/rounds": Rights((TABLE,), _READERS),
    EVENTS: Rights((TABLE,), _READERS),
    "dealer/{site}/{table}/requests/replay": Rights(_ASKERS, (TABLE,)),
    "dealer/{site}/{table}/requests/rebirth": Rights(_ASKERS, (TABLE,)),
    "dealer/{site}/{table}/requests/acknowledge/{archive}": Rights((ARCHIVE,), (TABLE,)),
    "dealer/{site}/{table}/answers/{asker}": Rights((TABLE,), _ASKERS),
    "dealer/{site}/{table}/link/{link}": Rights((TABLE,), _READERS),
    "dealer/{site}/{table}/linked/{link}": Rights((PIT,), (TABLE, *_READERS)),
    "dealer/{site}/links/{link}/pot": Rights((PIT,), (TABLE, *_READERS, HOME)),
    discovery.ADDRESS: Rights((TABLE,), (HOME,)),
})  # fmt: skip
"""Every address of the AsyncAPI document, with all events as one, and that of Home Assistant's discovery."""


class TableUser(Struct, frozen=True):
    """A table's name, its user at the broker, and who else is named in its configuration."""

    site: str
    table: str
    user: str
    archives: tuple[str, ...] = ()
    witnesses: tuple[str, ...] = ()
    link: str | None = None
    discovery: str | None = None


class Site(Struct, frozen=True):
    """Everything that connects to a broker. An archive's user has the archive's name.

    `pit` is the user of the pit that keeps the linked pots; `witnesses` has the user of each witness, by its name.
    """

    tables: tuple[TableUser, ...]
    pit: str | None = None
    witnesses: Mapping[str, str] = MappingProxyType({})
    consumers: tuple[str, ...] = ()
    requesters: tuple[str, ...] = ()
    home_assistants: tuple[str, ...] = ()


class Member(Struct, frozen=True):
    """A user in one of its roles, with the tables that the role is about; `name` is a witness's."""

    role: str
    user: str
    tables: Sequence[TableUser]
    name: str = ""


def members(site: Site) -> Iterator[Member]:
    """Each user, once for each of its roles."""
    for table in site.tables:
        yield Member(TABLE, table.user, (table,))
    for user in site.consumers:
        yield Member(CONSUMER, user, site.tables)
    for user in site.requesters:
        yield Member(REQUESTER, user, site.tables)
    for archive in dict.fromkeys(name for table in site.tables for name in table.archives):
        yield Member(ARCHIVE, archive, [table for table in site.tables if archive in table.archives])
    for name in dict.fromkeys(name for table in site.tables for name in table.witnesses):
        named = [table for table in site.tables if name in table.witnesses]
        yield Member(WITNESS, site.witnesses.get(name, name), named, name)
    if site.pit is not None:
        yield Member(PIT, site.pit, site.tables)
    for user in site.home_assistants:
        yield Member(HOME, user, [table for table in site.tables if table.discovery is not None])


def topics_of(member: Member, address: str, write: bool) -> Iterator[str]:
    """The topics of an address that a member writes or reads; a member with rights to all tables gets one topic for
    all.
    """
    for table in member.tables:
        every = not write and member.role in _READERS
        names: dict[str, Sequence[str]] = {
            "site": (table.site,),
            "table": ("+",) if every else (table.table,),
            "archive": (member.user,) if write and member.role == ARCHIVE else ("+",),
            "asker": ("+",) if member.role == TABLE else (member.user,),
            "witness": (member.name,) if member.role == WITNESS else table.witnesses,
            "link": () if table.link is None else (table.link,),
            "prefix": () if table.discovery is None else (table.discovery,),
            "device": ("+",),
            "alarm": ("+",),
            "event": ("+",),
        }
        if address == discovery.ADDRESS:
            names |= {name: tuple(map(discovery.identifier, names[name])) for name in ("site", "table")}
        fields = [name for _, name, _, _ in Formatter().parse(address) if name is not None]
        for values in product(*(names[name] for name in fields)):
            yield address.format(**dict(zip(fields, values, strict=True)))


def mistakes(site: Site) -> list[str]:
    """The reasons why no list can be written for a site; empty if one can."""
    found = []
    roles: dict[str, list[str]] = {}
    for member in members(site):
        roles.setdefault(member.user, []).append(_called(member))
    for user, called in roles.items():
        if not user or not user.isprintable() or user != user.strip():
            found.append(f"{user!r} is no name of a user: expected printable characters without spaces around them")
        if len(called) > 1 and any(role.startswith(f"{TABLE} ") for role in called):
            found.append(f"{user} is {' and '.join(called)}: expected a user that only one table has")
    names = [f"{table.site}/{table.table}" for table in site.tables]
    found += [
        f"table {name} is there {names.count(name)} times" for name in dict.fromkeys(names) if names.count(name) > 1
    ]
    found += [
        f"table {table.site}/{table.table} has the linked pot {table.link}: expected the pit that keeps it"
        for table in site.tables
        if table.link is not None and site.pit is None
    ]
    witnesses = {name for table in site.tables for name in table.witnesses}
    found += [f"no table has the witness {name}" for name in site.witnesses if name not in witnesses]
    found += [f"the witness {name!r} has a wildcard in its name" for name in sorted(witnesses) if "#" in name]
    tables = (member for member in members(site) if member.role == TABLE)
    shown = [topic for table in tables for topic in topics_of(table, discovery.ADDRESS, True)]
    found += [f"several tables have the topic {topic}" for topic in dict.fromkeys(shown) if shown.count(topic) > 1]
    return found


def access_list(site: Site) -> str:
    """The file for mosquitto's `acl_file`, of a site without mistakes: every user, and each topic by its name."""
    users: dict[str, list[Member]] = {}
    for member in members(site):
        users.setdefault(member.user, []).append(member)
    return "\n".join(_block(user, its) for user, its in users.items())


def _block(user: str, its: Sequence[Member]) -> str:
    rights: dict[str, str] = {}
    for address, right in RIGHTS.items():
        for member in its:
            for write in (True, False):
                if member.role in (right.write if write else right.read):
                    for topic in topics_of(member, address, write):
                        access = "write" if write else "read"
                        rights[topic] = access if rights.get(topic, access) == access else "readwrite"
    lines = [f"# {', '.join(map(_called, its))}", f"user {user}"]
    return "\n".join([*lines, *(f"topic {access} {topic}" for topic, access in rights.items()), ""])


def _called(member: Member) -> str:
    if member.role == TABLE:
        [table] = member.tables
        return f"{TABLE} {table.site}/{table.table}"
    return f"{member.role} {member.name}" if member.name else member.role
