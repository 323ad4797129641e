"""Five hundred flipped bits in the files of a journal after a stop, after a kill and after a power cut."""

from pathlib import Path
from random import Random

import pytest

from tests.journal.flips import flipped, written

FLIPS = 500


@pytest.mark.parametrize("state", ["stopped", "killed", "cut"])
def test_no_flipped_bit_goes_unnoticed(tmp_path: Path, state: str) -> None:
    journal = written(tmp_path / "work")
    files, lawful = journal.killed, journal.held[-1:]
    if state == "stopped":
        files = journal.stopped
    elif state == "cut":  # before the mark was on the disk: the last transaction may be torn
        files, lawful = {name: content for name, content in files.items() if name != "j.db.mark"}, journal.held[-2:]
    found = flipped(tmp_path / "flipped", files, lawful, FLIPS, Random(4))
    print(f"{state}: {found.noticed} noticed, {found.harmless} harmless, {len(found.silent)} silent")
    assert not found.silent
