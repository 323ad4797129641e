"""The versions of a regulation: the acts that made them, and the days from which each is in force. No I/O here.

A regulation is read as of a date. If two versions decide differently, the game's package has the rules of each.
"""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from msgspec import Struct

from controller.rulebook.reasons import LawReason
from controller.rulebook.refusal import Refusal


class RegulationVersion(Struct, frozen=True, kw_only=True):
    """A regulation as one act made or amended it. Days are ``2025-11-18``; it applies from `in_force` on.

    `key` is the number of the act. `assumed` names the fields that the texts at hand do not give; `note` says why.
    """

    key: str
    act: str
    signed: str
    published: str
    gazette: str
    in_force: str
    assumed: tuple[str, ...] = ()
    note: str = ""


class Validity(Struct, frozen=True, kw_only=True):
    """When a regulation is in force: its versions, oldest first, and the first day on which none is in force any more.

    `zone` is the time zone of its jurisdiction. Without versions the regulation has no dates.
    """

    zone: str = "UTC"
    versions: tuple[RegulationVersion, ...] = ()
    ended: str = ""
    ended_assumed: bool = False

    def on(self, day: date) -> RegulationVersion:
        """The version in force on a day. Raises Refusal if none is."""
        text = day.isoformat()
        found = [version for version in self.versions if version.in_force <= text]
        if not found:
            first = self.versions[0].in_force if self.versions else ""
            raise Refusal("as of", LawReason.NOT_YET_IN_FORCE, day=text, since=first)
        if self.ended and text >= self.ended:
            last = (date.fromisoformat(self.ended) - timedelta(days=1)).isoformat()
            raise Refusal("as of", LawReason.NO_LONGER_IN_FORCE, day=text, until=last)
        return found[-1]

    def at(self, moment: datetime, zone: str = "") -> RegulationVersion:
        """The version by which a table plays at a moment, in the table's time zone or that of the jurisdiction.

        After the end it is the last version, under which a table may play with an authorisation. Raises Refusal before
        the first.
        """
        day = local_day(moment, zone or self.zone)
        return self.versions[-1] if self.ended and day.isoformat() >= self.ended else self.on(day)

    def until(self, version: RegulationVersion) -> str:
        """The first day on which a version is no longer in force; empty for a version without an end."""
        after = self.versions[self.versions.index(version) + 1 :]
        return after[0].in_force if after else self.ended

    def version_of(self, as_of: date | datetime | None) -> RegulationVersion:
        """The version of a day or a moment, or the last one for None. Raises Refusal if none is in force."""
        if as_of is None:
            return self.versions[-1]
        return self.at(as_of) if isinstance(as_of, datetime) else self.on(as_of)


AsOf = date | datetime | None
"""A day for a version that must be in force then, a moment for the one of the table then, None for the last one."""


def local_day(moment: datetime, zone: str) -> date:
    """The day of a moment (with its time zone) in another time zone.

    >>> local_day(datetime.fromisoformat("2025-11-17T16:00Z"), "Asia/Macau")
    datetime.date(2025, 11, 18)
    """
    return moment.astimezone(ZoneInfo(zone)).date()
