"""The time zone of the table: by its days an act enters into force."""

from zoneinfo import ZoneInfo

from controller.config.section import Section
from controller.rulebook.game import Game

OF_THE_COMPUTER = ("localtime", "posixrules")  # in the database on some computers, and of no place


def read_time_zone(table: Section, game: Game) -> str:
    """Its name in the IANA database; where the file has none, that of the regulation's jurisdiction.

    It is never the computer's own, which may be UTC.
    """
    usual = game.legal_status.validity.zone
    if "time_zone" not in table:
        return usual
    zone = table.text("time_zone")
    if zone and not _is_known(zone):
        expected = f'a name of the IANA time zone database, such as "{_nearest(zone) or usual}"'
        table.report("time_zone", zone, expected)
    return zone


def _is_known(zone: str) -> bool:
    try:
        ZoneInfo(zone)
    except (KeyError, ValueError, OSError):
        return False
    return zone not in OF_THE_COMPUTER


def _nearest(zone: str) -> str:
    """The name that was probably meant, empty where none is near."""
    import difflib  # not before something is mistyped
    from zoneinfo import available_timezones

    return next(iter(difflib.get_close_matches(zone, available_timezones() - {*OF_THE_COMPUTER}, 1)), "")
