"""Times in written form: UTC, to the millisecond, ``2026-01-31T20:15:00.000Z``."""

from datetime import UTC, datetime
from pathlib import Path

LOCAL_TIME = Path("/etc/localtime")
SYNCHRONISED = Path("/run/systemd/timesync/synchronized")


def as_utc(at: datetime) -> str:
    """A moment as text."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def now() -> str:
    """This moment as text."""
    return as_utc(datetime.now(UTC))


def zone_of_computer(link: Path = LOCAL_TIME) -> str:
    """The time zone of this computer by its IANA name; empty if it is UTC, or is not set by a link."""
    _, _, name = str(link.resolve()).partition("/zoneinfo/")
    return name if "/" in name and not name.startswith("Etc/") else ""


def is_synchronised() -> bool:
    """Whether the clock of this computer is synchronised, according to a file of systemd-timesyncd."""
    return SYNCHRONISED.exists()
