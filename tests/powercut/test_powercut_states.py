"""States that a power cut can leave of a journal, each opened and compared with what had been reported by then."""

from pathlib import Path

from tests.powercut.cuts import explore


def test_nothing_published_is_missing_after_a_cut_and_nothing_is_in_its_place(tmp_path: Path) -> None:
    found = explore(tmp_path, states=120, first_seed=200)
    assert not found.faults
    assert found.after_failed_syncs > 60
    assert found.with_segments > 12 and found.with_messages > 12 and found.while_closing > 6 and found.pruned > 6


def test_a_disk_that_only_says_it_has_synced_loses_what_was_published(tmp_path: Path) -> None:
    assert len(explore(tmp_path, states=40, first_seed=1, lying=True, failing=False).faults) > 20
