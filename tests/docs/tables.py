"""Tables that are written from the code into pages: `make pages` writes them, and the tests compare them."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

DOCS = Path(__file__).parents[2] / "docs"


class PageTable(NamedTuple):
    """The table that begins with `header` on a page below docs/, and what makes it from the code."""

    page: str
    header: str
    from_code: Callable[[], str]

    def on_page(self) -> list[str]:
        """Each table with this header that the page has."""
        return self._pattern().findall(self._path().read_text(encoding="utf-8"))

    def write(self) -> None:
        """Replace the table on the page."""
        page = self._path().read_text(encoding="utf-8")
        self._path().write_text(self._pattern().sub(lambda _: self.from_code(), page), encoding="utf-8")

    def _path(self) -> Path:
        return DOCS / self.page

    def _pattern(self) -> re.Pattern[str]:
        return re.compile(re.escape(self.header) + r"(?:\|.*\n)+")
