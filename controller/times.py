"""Times as they are written and told: UTC, to the millisecond, ``2026-01-31T20:15:00.000Z``."""

from datetime import UTC, datetime


def written(at: datetime) -> str:
    """A moment as text."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def now() -> str:
    """This moment as text."""
    return written(datetime.now(UTC))
