"""Hundreds of flipped bits and changed bytes in the files of a journal after a stop, a kill and a power cut."""

from pathlib import Path
from random import Random

import pytest

from tests.journal.flips import audited, flipped, written

FLIPS = 500
CHANGES = 1000


@pytest.mark.parametrize("state", ["stopped", "killed", "cut"])
def test_no_flipped_bit_goes_unnoticed(tmp_path: Path, state: str) -> None:
    journal = written(tmp_path / "work")
    files, lawful = journal.killed, journal.states[-1:]
    if state == "stopped":
        files = journal.stopped
    elif state == "cut":  # before the mark was on the disk: the last transaction may be torn
        files, lawful = {name: content for name, content in files.items() if name != "j.db.mark"}, journal.states[-2:]
    found = flipped(tmp_path / "flipped", files, lawful, FLIPS, Random(4))
    print(f"{state}: {found.noticed} noticed, {found.harmless} harmless, {len(found.silent)} silent")
    assert not found.silent


def test_no_changed_byte_goes_unnoticed_by_anyone_who_verifies_the_whole(tmp_path: Path) -> None:
    journal = written(tmp_path / "work")
    found = audited(tmp_path / "changed", journal.stopped, CHANGES, Random(5))
    print(f"{found.noticed} noticed, {found.harmless} harmless, {len(found.silent)} silent")
    assert not found.silent
