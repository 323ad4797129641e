"""What is loaded with what only watches a table, or looks into its journal: no station beside it."""

import subprocess
import sys

import pytest

OF_A_STATION = {"controller.station", "serial", "starlette", "usb", "uvicorn"}


@pytest.mark.parametrize(
    "program", ["controller.commands.witness", "controller.commands.audit", "controller.pit.__main__"]
)
def test_what_is_no_station_loads_none(program: str) -> None:
    code = f"import sys, {program}; print(*sorted({OF_A_STATION} & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
