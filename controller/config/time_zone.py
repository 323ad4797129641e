"""The time zone of a table or of a pit's returns: acts enter into force, and months begin, by its days."""

from zoneinfo import ZoneInfo

from controller.config.section import Section, most_like
from controller.rulebook.game import Game

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
