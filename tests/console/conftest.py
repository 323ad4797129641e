"""The browser of these tests: Debian's chromium, one for all of them."""

import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from controller.commands.bench_browser import ARGUMENTS


def chromium() -> str:
    """The path of the browser."""
    program = shutil.which("chromium")
    assert program is not None, "these tests need Debian's chromium (apt-get install chromium)"
    return program


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """A running chromium. While it runs this thread has a running loop, so that no other may be run here."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        yield browser
        browser.close()
