"""Ten thousand states that a power cut can leave of a journal."""

from pathlib import Path

from tests.powercut.cuts import explore


def test_nothing_published_is_missing_in_ten_thousand_states(tmp_path: Path) -> None:
    found = explore(tmp_path, states=10_000, first_seed=1_000)
    print(f"{found.states} states, {found.after_failed_syncs} of them after failed syncs: {len(found.faults)} faults")
    assert not found.faults


def test_nothing_published_is_missing_where_every_sync_works(tmp_path: Path) -> None:
    assert not explore(tmp_path, states=3_000, first_seed=1, failing=False).faults
