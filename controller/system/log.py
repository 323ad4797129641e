"""The log of this process: an event and its values, for the one who takes them."""

import sys
from collections.abc import Callable, Mapping
from typing import Any

Take = Callable[[str, str, Mapping[str, Any]], object]
"""Takes a level (info, warning, error), an event and its values. Safe from any thread, and waits for no reader."""


class Log:
    """Until another `take` is set, what is no mere information goes to standard error."""

    def __init__(self) -> None:
        self.take: Take = _to_stderr

    def info(self, event: str, **values: Any) -> None:
        """What happened as it should."""
        self.take("info", event, values)

    def warning(self, event: str, **values: Any) -> None:
        """What a person may have to look at."""
        self.take("warning", event, values)

    def error(self, event: str, **values: Any) -> None:
        """What does not work."""
        self.take("error", event, values)

    def exception(self, event: str, **values: Any) -> None:
        """The same, with the exception that is being handled."""
        self.take("error", event, {**values, "exc_info": sys.exc_info()})


def _to_stderr(level: str, event: str, values: Mapping[str, Any]) -> None:
    if level != "info":
        print(level, event, dict(values), file=sys.stderr)


log = Log()
