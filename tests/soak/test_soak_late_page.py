"""The console's tests at pages that draw and receive late: each waits for what it looks at, and not for luck."""

import subprocess
import sys
from pathlib import Path

CONSOLE = Path(__file__).parents[1] / "console"


def test_every_test_of_the_console_waits_for_what_it_looks_at() -> None:
    # The browser holds a loop of its own in its thread.
    command = [sys.executable, "-m", "pytest", "-q", "--late", str(CONSOLE)]
    done = subprocess.run(command, cwd=CONSOLE.parents[1], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
