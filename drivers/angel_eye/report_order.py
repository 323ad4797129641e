"""Which of the shoe's reports are copies, and how many before a new one were lost. No I/O here."""

from dataclasses import dataclass

from drivers.angel_eye.codec import Report

REPORTS_IN_CYCLE = 9  # '1' to '9'


@dataclass(frozen=True, slots=True)
class Fresh:
    """A report not heard before; `lost` (0 to 8) are missing just before it, after the report numbered `after`."""

    lost: int
    after: int
    sequence: int


class ReportOrder:
    """The last report's number, and its octets if this process heard it.

    A frame equal in every octet is a copy; the same number with other octets is eight lost. After a restart the octets
    are not known (a mark must not hold a card), so the marked number is a copy only while copies can still be coming.
    Nine lost wrap round unseen. A start report begins the numbers again at 1.
    """

    def __init__(self, sequence: int | None) -> None:
        self._last = sequence  # 0 after a start report, None when nothing is known
        self._octets: bytes | None = None

    def take(self, report: Report, copies_possible: bool) -> Fresh | None:
        """None for a copy. `copies_possible`: the port was opened so lately that a marked report's copies may come."""
        if report.octets == self._octets:
            return None
        same = (report.sequence or 0) == self._last
        if self._octets is None and same and copies_possible:
            self._octets = report.octets
            return None
        last, self._octets = self._last, report.octets
        self._last = report.sequence or 0
        if report.sequence is None or last is None:
            return Fresh(0, 0, self._last)
        return Fresh((report.sequence - last - 1) % REPORTS_IN_CYCLE, last, report.sequence)
