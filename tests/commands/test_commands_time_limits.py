"""A test that never ends is reported, and the run continues."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
# The alarm of the time limit comes at once, in a task that no one waits for.
ENDLESS = """
import asyncio, os, pytest, signal

async def limit():
    os.kill(os.getpid(), signal.SIGALRM)

@pytest.fixture
async def fixture():
    yield
    task = asyncio.create_task(limit())
    await asyncio.Event().wait()

async def test_waits(fixture):
    task = asyncio.create_task(limit())
    await asyncio.Event().wait()

def test_passes():
    pass
"""


def test_a_test_whose_time_limit_comes_in_another_task_ends_and_so_does_its_fixture(tmp_path: Path) -> None:
    (tmp_path / "test_endless.py").write_text(ENDLESS, encoding="utf-8")
    pytest = [sys.executable, "-m", "pytest", "-q", "-c", "pyproject.toml", "-p", "tests.conftest"]
    ran = subprocess.run([*pytest, tmp_path], cwd=ROOT, capture_output=True, text=True, timeout=200, check=False)
    assert ran.stdout.splitlines()[-1].startswith("1 failed, 1 passed, 1 error"), ran.stdout
