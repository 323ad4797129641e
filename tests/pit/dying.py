"""`python -m tests.pit.dying NAME WHEN TIMES ARGUMENT…`: the program of the pit, killed at a call of what NAME is.

WHEN is "before" the call, "after" it, or "after DROP", the SQL statement; TIMES is which of these calls it is.
"""

import os
import signal
import sys
from typing import Any

import psycopg

from controller.pit import __main__ as program
from controller.pit import envelope_files, retention

WITHIN = {"psycopg.AsyncConnection": psycopg.AsyncConnection, "envelope_files.os": os}
WITHIN |= {"envelope_files": envelope_files, "retention": retention}


def killed_at(name: str, when: str, times: int) -> None:
    """From now on, this process is killed at that call."""
    place, _, last = name.rpartition(".")
    real, calls = getattr(WITHIN[place], last), 0

    def die(here: bool) -> None:
        nonlocal calls
        calls += here
        if calls == times:
            os.kill(os.getpid(), signal.SIGKILL)

    def call(*given: Any, **more: Any) -> Any:
        die(when == "before")
        found = real(*given, **more)
        die(when == "after")
        return found

    async def execute(connection: Any, query: object, *given: Any, **more: Any) -> Any:
        found = await real(connection, query, *given, **more)
        die("DROP" in str(query))
        return found

    setattr(WITHIN[place], last, execute if when == "after DROP" else call)


if __name__ == "__main__":
    killed_at(sys.argv[1], sys.argv[2], int(sys.argv[3]))
    sys.exit(program.main(sys.argv[4:]))
