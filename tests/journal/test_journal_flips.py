"""One flipped bit anywhere in a journal's files is noticed at the next start, or changes nothing of what it holds."""

from pathlib import Path
from random import Random

import pytest

from tests.journal.flips import audited, flipped, written

pytestmark = pytest.mark.long

FLIPS = 40  # `make soak` flips 500 in each


def test_no_bit_flipped_after_a_stop_goes_unnoticed(tmp_path: Path) -> None:
    journal = written(tmp_path / "work")
    found = flipped(tmp_path / "flipped", journal.stopped, journal.states[-1:], FLIPS, Random(4))
    assert not found.silent
    assert found.noticed > 2


def test_no_bit_flipped_after_a_kill_goes_unnoticed(tmp_path: Path) -> None:
    journal = written(tmp_path / "work")
    found = flipped(tmp_path / "flipped", journal.killed, journal.states[-1:], FLIPS, Random(2))
    assert not found.silent
    assert found.noticed > 2


def test_no_bit_flipped_after_a_power_cut_loses_more_than_a_cut_can(tmp_path: Path) -> None:
    """The mark was not written yet: what a cut can tear is the last transaction."""
    journal = written(tmp_path / "work")
    files = {name: content for name, content in journal.killed.items() if name != "j.db.mark"}
    found = flipped(tmp_path / "flipped", files, journal.states[-2:], FLIPS, Random(3))
    assert not found.silent
    assert found.noticed > 2


def test_no_byte_changed_anywhere_goes_unnoticed_by_anyone_who_verifies_the_whole(tmp_path: Path) -> None:
    journal = written(tmp_path / "work")
    found = audited(tmp_path / "changed", journal.stopped, FLIPS, Random(4))
    assert not found.silent
    assert found.noticed > 2
