"""What several processes do for a journal, in one process."""

import pytest

from controller.journal import auditing


@pytest.fixture
def walks(monkeypatch: pytest.MonkeyPatch) -> None:
    """What several processes do is done in this one, part by part."""
    monkeypatch.setattr(auditing, "beside", lambda work, first, others, here: [here(first), *map(work, others)])
