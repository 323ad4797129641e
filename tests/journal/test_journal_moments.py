"""What is read of a journal in two places is of one moment: pruning and commits come between any two of them."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from controller.journal import auditing, copies
from controller.journal import closing as closing_module
from controller.journal.auditing import audit, rows
from controller.journal.closing import close_messages, close_segment, remove_left_over
from controller.journal.copies import back_up
from controller.journal.records import JournalEntry, JournalUnavailable
from controller.journal.sealing import Seal
from controller.journal.store import Journal
from controller.queries import published, replayed
from controller.queries.replayed import replay_journal
from controller.queries.slips import coded
from tests.journal.keeping import KEY, STAMP, batch, close_segments, commit_each, open_journal, prune, record
from tests.journal.test_journal_segments import EVENTS, NOISE, write_closed


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A journal whose older events are in segments, all of them old enough to be pruned."""
    path = tmp_path / "journal.db"
    write_closed(path)
    return path


def once(do: Callable[[], object]) -> Callable[[], None]:
    """Do it when this is called first, and never again."""
    waiting = [do]

    def done() -> None:
        if waiting:
            waiting.pop()()

    return done


def before_each(patch: pytest.MonkeyPatch, module: Any, name: str, do: Callable[[], None]) -> None:
    original = getattr(module, name)

    def patched(*args: Any, **more: Any) -> Any:
        do()
        return original(*args, **more)

    patch.setattr(module, name, patched)


def test_a_segment_is_closed_while_all_before_it_are_pruned(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(open_journal(path)) as journal:
        commit_each(journal, [JournalEntry(event=NOISE)] * 4 * EVENTS, journal.restore().table)
        before_each(monkeypatch, closing_module, "segments_of", once(lambda: prune(journal)))
        segment = close_segment(path, events=EVENTS)
        assert segment is not None
        journal.take_up(segment)
        journal.forget(0)
    audit(path, "simulation", Seal(KEY), lambda *_: None)


def test_the_end_that_the_verifier_asks_for_is_that_of_one_commit(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(open_journal(path)) as journal:
        heads = [journal._head]
        record(journal, NOISE)
        heads.append(journal._head)
        ends = {(head.event, head.hash, head.edge) for head in heads}
        asked = iter(heads * 3)
        with monkeypatch.context() as patch:
            patch.setattr(Journal, "_head", property(lambda _: next(asked)), raising=False)
            assert {journal.end for _ in range(2)} <= ends


def test_events_that_are_pruned_while_they_are_replayed_are_no_damage(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert replay_journal(path, "simulation", Seal(KEY), lambda *_: None, 1).differences == ()
    with closing(open_journal(path)) as journal:
        before_each(monkeypatch, replayed, "rows", once(lambda: prune(journal)))
        with pytest.raises(JournalUnavailable, match=r"events 1 to [0-9]+ were pruned while they were read"):
            replay_journal(path, "simulation", Seal(KEY), lambda *_: None, 1)
        assert replay_journal(path, "simulation", Seal(KEY), lambda *_: None, 1).since > 0


def test_rows_that_are_pruned_between_two_slices_are_not_passed_over(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(auditing, "AT_ONCE", EVENTS)
    with closing(open_journal(path)) as journal:
        do = once(lambda: prune(journal))
        with pytest.raises(JournalUnavailable, match="were pruned while they were read"):
            for row in rows(path, "simulation", lambda *_: None):
                if row[0] == 3:
                    do()


def test_a_slip_never_has_the_hash_of_another_event(path: Path) -> None:
    slip: Any = SimpleNamespace(mode="simulation", event=3, slip=1)
    with closing(open_journal(path)) as journal:
        prune(journal)
    with pytest.raises(JournalUnavailable, match="event 3 was pruned while slip 1 was read"):
        coded(path, slip)


def test_a_backup_has_the_files_that_its_journal_knows_and_no_others(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(open_journal(path)) as journal:
        commit_each(journal, [JournalEntry(event=NOISE)] * 4 * EVENTS, journal.restore().table)
        known = sorted(file.name for file in tmp_path.glob("*.zst"))
        before_each(monkeypatch, copies, "segments_of", once(lambda: close_segments(journal, EVENTS)))
        copy = tmp_path / "backup" / "journal.db"
        back_up(path, copy)
        assert sorted(file.name for file in copy.parent.glob("*.zst")) == known
        assert len(list(tmp_path.glob("*.zst"))) > len(known)
        audit(copy, "simulation", None, lambda *_: None)


def test_a_backup_during_which_a_segment_is_removed_says_so(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(open_journal(path)) as journal:

        def removed() -> None:
            prune(journal)
            remove_left_over(path)

        before_each(monkeypatch, copies, "segments_of", once(removed))
        with pytest.raises(JournalUnavailable, match=r"journal.db.000000000001-[0-9]+.zst is missing"):
            back_up(path, tmp_path / "backup" / "journal.db")


def test_messages_that_are_removed_while_they_are_read_are_not_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(published, "PAGE", 3)
    with closing(open_journal(tmp_path / "j.db")) as journal:
        for number in range(1, 17):
            journal.commit(batch(outbox=[(number, b"%d" % number)]))
        while (file := close_messages(journal.path, "2026-01-02", messages=4)) is not None:
            journal.take_up(file)
            journal.forget(16)
        read = published._kept(journal.path, "simulation", 0)
        assert [next(read).sequence for _ in range(3)] == [1, 2, 3]
        journal.drop((8, STAMP))
        journal.forget(16)
        with pytest.raises(JournalUnavailable, match="messages 4 to 8 were removed while they were read"):
            next(read)
        assert next(published._kept(journal.path, "simulation", 0)).sequence == 9
