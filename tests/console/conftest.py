"""The browser of these tests: Debian's chromium, one for all of them."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.benchmarks.browser import ARGUMENTS
from tests.console.tapping import PATIENCE_MS, Tapping


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--late", action="store_true", help="pages draw and receive late: a test that does not wait is seen"
    )


# The same chromium without windows and tabs of its own, which take a third of the processor's time.
WITHOUT_WINDOWS = "chromium-headless-shell"


def chromium(name: str = "chromium") -> str:
    """The path of the browser."""
    program = shutil.which(name)
    assert program is not None, f"these tests need Debian's {name} (apt-get install {name})"
    return program


@contextmanager
def running_browser() -> Iterator[Browser]:
    """A chromium. While it runs this thread has a running loop, so that no other may be run here."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(WITHOUT_WINDOWS), args=ARGUMENTS)
        browser.on("context", lambda context: context.set_default_timeout(PATIENCE_MS))
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def browser(pytestconfig: pytest.Config) -> Iterator[Browser]:
    Tapping.late = pytestconfig.getoption("late", default=False)
    with running_browser() as browser:
        yield browser
