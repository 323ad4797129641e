"""A soak takes minutes or hours, also one that is run by its name alone."""

from pathlib import Path

import pytest

MOST_SECONDS = 7200


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.timeout(MOST_SECONDS))
