"""What is loaded with what only watches tables: it may run for years beside other things."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize("program", ["controller.commands.witness", "controller.pit.__main__"])
def test_witness_and_pit_load_neither_a_station_nor_its_web_server(program: str) -> None:
    unwanted = {"controller.station", "drivers", "sqlite3", "starlette", "uvicorn"}
    code = f"import sys, {program}; print(*sorted({unwanted} & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
