"""A journal of two million events: what a start reads of it, how long that takes, and all of it verified beside."""

import time
from contextlib import closing
from pathlib import Path

from controller.journal.store import SNAPSHOT_EVERY
from controller.journal.verifying import Verifier
from controller.queries.alarms import last_alarms
from controller.queries.sign_ins import last_sign_ins
from tests.journal.keeping import open_journal
from tests.soak.old_journal import AT_ONCE, make

EVENTS = 2_000_000


def test_a_start_does_not_grow_with_the_age_of_the_journal(tmp_path: Path) -> None:
    path = tmp_path / "j.db"
    table = make(path, EVENTS)
    began = time.monotonic()
    with closing(open_journal(path)) as journal:
        restored = journal.restore()
        last_sign_ins(path, "simulation", 200)
        started = time.monotonic() - began
        assert restored.table == table
        assert journal.events - restored.snapshot <= SNAPSHOT_EVERY + AT_ONCE
        began = time.monotonic()
        last_alarms(path, "simulation", 100)
        asked = time.monotonic() - began
        began = time.monotonic()
        Verifier(path, lambda: journal.end, lambda _: None).verify()
        verified = time.monotonic() - began
    segments = [file.stat().st_size for file in path.parent.glob("*.zst")]
    size = path.stat().st_size >> 20
    assert size < 100
    print(f"{EVENTS} events, {size} MB and {sum(segments) >> 20} MB in {len(segments)} segments: ", end="")
    print(f"started in {started:.2f} s, GET /alarms {asked * 1000:.1f} ms, ", end="")
    print(f"all verified in {verified:.0f} s without a pause")
