"""Long jobs: parts over processes, results kept, a run that is stopped and continues."""

import math
import multiprocessing
import os
import signal
import subprocess
import time
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import wait
from pathlib import Path

import pytest

from controller.certify import saved_results
from controller.certify.combinations import PARTS, count_combinations
from controller.certify.saved_results import KeptInFiles, code_and
from controller.rulebook.games import GAMES
from controller.system.processes import spread
from tests.interruptible import interruptible

GAME = "fortune-3-card-poker-2025"


@pytest.mark.parametrize("processes", [1, 2])
def test_every_part_is_done_once_whatever_the_number_of_processes(processes: int) -> None:
    assert sorted(spread(math.factorial, [5, 1, 3, 4], processes)) == [(1, 1), (3, 6), (4, 24), (5, 120)]


def test_what_goes_wrong_in_another_process_goes_wrong_here() -> None:
    with pytest.raises(ValueError, match="math domain error"):
        list(spread(math.sqrt, [4.0, -1.0], 2))


def test_a_process_that_dies_ends_the_job() -> None:
    with pytest.raises(BrokenProcessPool):
        list(spread(os._exit, [1, 2], 2))


def test_anyone_who_stops_early_stops_the_processes() -> None:
    before = set(multiprocessing.active_children())
    parts = spread(time.sleep, [0.0, 600.0, 600.0], 2)
    assert next(parts) == (0.0, None)
    parts.close()  # type: ignore[attr-defined]
    for process in set(multiprocessing.active_children()) - before:
        # Not its exit code: a thread of the pool waits for it too, and who comes second receives nothing.
        assert wait([process.sentinel], 60)


def test_a_value_kept_is_there_for_the_next_run(tmp_path: Path) -> None:
    KeptInFiles(tmp_path, GAME, "f").store("a part", {"sets": [1, "2/3", None]})
    assert KeptInFiles(tmp_path, GAME, "f").load("a part") == {"sets": [1, "2/3", None]}
    assert KeptInFiles(tmp_path, GAME, "f").load("another part") is None


def test_what_other_code_or_another_game_kept_is_not_seen(tmp_path: Path) -> None:
    KeptInFiles(tmp_path, GAME, "f").store("a part", 1)
    assert KeptInFiles(tmp_path, GAME, "g").load("a part") is None
    assert KeptInFiles(tmp_path, "fortune-8", "f").load("a part") is None


@pytest.mark.parametrize("torn", [b"", b'{"key": "a part", "val', b"[]", b'{"key": "other", "value": 2}', b"\xff"])
def test_a_file_that_was_cut_off_holds_nothing(tmp_path: Path, torn: bytes) -> None:
    kept = KeptInFiles(tmp_path, GAME, "f")
    kept.store("a part", 1)
    (file,) = (tmp_path / f"{GAME}-f").iterdir()
    file.write_bytes(torn)
    assert kept.load("a part") is None


def test_the_fingerprint_changes_with_the_rulebook_and_with_the_terms(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for package in ("law", "certify"):
        (tmp_path / package / "deep").mkdir(parents=True)
        (tmp_path / package / "a.py").write_text("1")
        (tmp_path / package / "deep" / "b.py").write_text("2")
    monkeypatch.setattr(saved_results, "PACKAGES", ("law", "certify"))
    monkeypatch.setattr(saved_results, "files", lambda package: tmp_path / package)
    before = code_and(b"terms")
    assert code_and(b"terms") == before
    assert code_and(b"term", b"s") != before != code_and()
    (tmp_path / "law" / "notes.txt").write_text("no code")
    assert code_and(b"terms") == before
    (tmp_path / "law" / "deep" / "b.py").write_text("3")
    assert code_and(b"terms") != before


class Stopped(Exception):
    """Someone has seen enough."""


class First:
    """The first word on the sets of six cards, and then no more."""

    done = -1

    def advance(self, done: int, total: int, what: str) -> None:
        self.done = done
        raise Stopped


def kept_in(work: Path) -> list[Path]:
    return list(work.glob("*/*.json"))


def test_a_run_that_is_stopped_says_how_to_continue_and_continues(tmp_path: Path) -> None:
    command = interruptible("controller", "certify", GAME, "--work", str(tmp_path))
    environment = os.environ | {"PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as process:
        deadline = time.monotonic() + 90
        while not kept_in(tmp_path) and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        out, complaint = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, b"")
    kept = f"Results so far are kept in {tmp_path}: the same command continues from there."
    assert complaint.decode() == f"dealer-station: stopped. {kept}\n"

    progress, act = First(), GAMES[GAME].legal_status.validity.versions[-1].key
    with pytest.raises(Stopped):
        count_combinations(6, progress, KeptInFiles(tmp_path, GAME, code_and(b"", b"", act.encode())), 1)
    assert progress.done == len(kept_in(tmp_path))
    assert 0 < progress.done <= PARTS
