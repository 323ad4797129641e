"""The regulation of a table in the configuration file: the sections that it excludes, what the authority has
authorised, and the time zone by whose days acts enter into force and months begin.
"""

from collections.abc import Iterator
from zoneinfo import ZoneInfo

from controller.config.section import Section, most_like
from controller.rulebook.game import Game
from controller.rulebook.house import Authorisation


def read_authorisation(holder: Section, of: str) -> tuple[Authorisation, ...]:
    """The authorisation inside a section; none where the file has none."""
    if (section := holder.optional("authorisation")) is None:
        return ()
    authorised = Authorisation(subject=of, reference=section.line("reference"), date=section.date("date"))
    section.end()
    return (authorised,)


def read_of_table(top: Section, table: Section, game: Game, mode: str) -> tuple[Authorisation, ...]:
    """The authorisation of the table. Without one, a live table may not play a regulation that is not in force."""
    authorised = read_authorisation(table, "table")
    ended = game.legal_status.state != "in_force" and table.peek("game") == game.id
    if mode == "live" and ended and "authorisation" not in table:
        expected = f"a regulation in force, or [table.authorisation] with reference and date: {game.legal_status}"
        top.report("mode", mode, expected)
    return authorised


def not_at(game: Game) -> Iterator[tuple[str, str]]:
    """The sections that this table cannot have, each with the reason."""
    for part in (game.source, game.prize):
        for name in part.absent:
            yield name, f"{game.id} {part.why_absent}"


OF_THE_COMPUTER = ("localtime", "posixrules")  # in the database on some computers, and of no place


def read_time_zone(table: Section, game: Game) -> str:
    """The name of a time zone in the IANA database; without a key, that of the regulation's jurisdiction.

    It is never the computer's own, which may be UTC.
    """
    usual = game.legal_status.validity.zone
    return zone_of(table, usual) if "time_zone" in table else usual


def zone_of(section: Section, usual: str) -> str:
    """The key `time_zone`. `usual` is the example to name if no known zone is similar to a mistyped one."""
    zone = section.text("time_zone")
    if zone and not _is_known(zone):
        expected = f'a name of the IANA time zone database, such as "{_nearest(zone) or usual}"'
        section.report("time_zone", zone, expected)
    return zone


def _is_known(zone: str) -> bool:
    try:
        ZoneInfo(zone)
    except (KeyError, ValueError, OSError):
        return False
    return zone not in OF_THE_COMPUTER


def _nearest(zone: str) -> str:
    from zoneinfo import available_timezones  # it reads a folder

    return most_like(zone, available_timezones() - {*OF_THE_COMPUTER})
