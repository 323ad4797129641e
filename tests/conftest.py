"""How hypothesis finds its examples, the log after each test, and which tests several workers do not share out.

A few examples, the same in every run of the tests; more and new ones in the soak: `make soak` asks for the profile
"explore" (`--hypothesis-profile`); the tests that break rules load their own before.
"""

import asyncio
import fcntl
import gc
import logging
import signal
from collections.abc import Generator, Iterator
from contextlib import suppress
from types import FrameType
from typing import Any

import pytest
import structlog
from hypothesis import settings
from structlog.dev import ConsoleRenderer, plain_traceback
from xdist.scheduler import LoadScopeScheduling

settings.register_profile("steady", max_examples=16, derandomize=True, deadline=None)  # a busy machine is no failure
settings.register_profile("explore", derandomize=False, deadline=None)
if settings.get_current_profile_name() in ("default", "ci"):
    settings.load_profile("steady")

# A shell ignores SIGINT in what it starts in the background, nohup ignores SIGHUP, and a daemon inherits both.
for number, default in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, default)


# Where rich is installed it draws each exception with its variables, for which a busy machine takes a second: in that
# time a test that counts on less receives nothing.
ConsoleRenderer.get_active().exception_formatter = plain_traceback


LIMITS = pytest.StashKey[Any]()


@pytest.hookimpl(wrapper=True, optionalhook=True)
def pytest_timeout_set_timer(item: pytest.Item, settings: Any) -> Generator[None, object, object]:
    """Let a time limit end the event loop, too: its error may come in a task that no one waits for."""
    item.stash[LIMITS] = settings
    done = yield
    if callable(fail := signal.getsignal(signal.SIGALRM)):  # else the limit is in a thread

        def ended(number: int, frame: FrameType | None) -> None:
            with suppress(RuntimeError):
                asyncio.get_running_loop().stop()
            fail(number, frame)

        signal.signal(signal.SIGALRM, ended)
    return done


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> None:
    """Let what ends a test have a time limit of its own: that of the test is off once the test has failed."""
    if (settings := item.stash.get(LIMITS, None)) is not None:
        item.ihook.pytest_timeout_cancel_timer(item=item)
        item.ihook.pytest_timeout_set_timer(item=item, settings=settings)


# What is imported and collected stays until the end: a garbage collector that looks through it again and again takes a
# fifth of the time of the tests that compute.
gc.disable()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Collect in one process at a time: in a new clone each would compile the same tests."""
    if session.config.getoption("dist", "no") != "no":  # what starts the others collects nothing
        return (yield)
    with open(__file__, "rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        return (yield)


def pytest_collection_finish() -> None:
    """Leave all that is there out of later collections, which are rarer than by default: memory is not short here."""
    gc.enable()
    gc.set_threshold(20_000, 20, 20)
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def _log_as_it_was() -> Iterator[None]:
    """A command that a test calls configures the log of this process: later tests would miss lines below its level."""
    handlers = list(logging.root.handlers)
    yield
    structlog.reset_defaults()
    logging.root.handlers[:] = [handler for handler in logging.root.handlers if handler in handlers]


# Tests that look at the same played rounds, or at the same daemon, which takes longer to make than to look at.
TOGETHER = {
    "tests/station/test_station_played.py": "played rounds",
    "tests/station/test_station_jackpot_hits.py": "played hits",
    "tests/station/test_station_impossible_http.py": "a daemon",
    "tests/station/test_station_configuration.py": "a closed journal",
    "tests/docs/test_docs_house.py": "the figures of the house",
    "tests/disputes/test_disputes_fields.py": "a bundle",
    "tests/floor/test_floor_asyncapi.py": "what happened at a table of each game",
    "tests/floor/test_floor_data.py": "what happened at a table of each game",
    "tests/certify/test_certify_combinations.py": "every set of cards and every deal of tiles",
    "tests/certify/test_certify_rules.py": "every set of cards and every deal of tiles",
}


class _Together(LoadScopeScheduling):  # type: ignore[misc]
    """One test after the other to whatever worker is free, but for those of TOGETHER."""

    def _split_scope(self, nodeid: str) -> str:
        return TOGETHER.get(nodeid.partition("::")[0], nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadScopeScheduling | None:
    """Called where there are several workers."""
    return _Together(config, log) if config.getvalue("dist") == "loadscope" else None
