"""Breaks every rule on purpose, in a copy of the tree, and prints which of the tests that name it did not notice.

`make law`, or `python -m tests.law.break_rules [--regulation KEY] [--only ARTICLE] [--jobs N] [--without-drawn | --seed
N]`. Exit 1 where a broken rule survived, 2 where the written lists are wrong.

Drawn tests, to which hypothesis gives examples, draw the same ones each time and must notice as well. With another seed
they may miss: then the examples decide, and what the drawn tests missed is counted.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Protocol

from msgspec.structs import replace

from tests.law import mutations, page
from tests.law.broken_run import SEEDED
from tests.law.citations import read_articles
from tests.law.mutations import Mutation
from tests.law.regulations import REGULATIONS, Regulation, Row

COPIED = ("controller", "drivers", "simulators", "tests", "systemd", "docs", "pyproject.toml", "README.md")
NOT_COPIED = shutil.ignore_patterns("__pycache__", ".hypothesis", ".*_cache")
BAR_WIDTH = 40


class Change(Protocol):
    """A text of a file that becomes another."""

    @property
    def file(self) -> str: ...
    @property
    def old(self) -> str: ...
    @property
    def new(self) -> str: ...


@dataclass(frozen=True)
class Law:
    """A regulation with its rows and its broken rules."""

    regulation: Regulation
    rows: dict[str, Row]
    mutations: tuple[Mutation, ...]

    def counted(self) -> str:
        """One line of numbers."""
        tested = [row for row in self.rows.values() if row.tests]
        tests = {test for row in tested for test in row.tests}
        rows = f"{len(self.rows)} rows, {len(tested)} of them with {len(tests)} tests"
        return f"{self.regulation.title}: {rows}, {len(self.mutations)} broken rules"


def read_law(
    root: Path, folder: Path = page.LISTS, regulations: Sequence[Regulation] = REGULATIONS
) -> tuple[list[Law], list[str]]:
    """The regulations as the lists of a folder have them, and every mistake in those; ValueError if one is no list."""
    words, lists, tests = page.read_words(folder), mutations.read_lists(folder), page.defined_tests(root)
    drawn = page.drawn_tests(root)
    found, wrong = [], []
    for regulation in regulations:
        broken = mutations.mutations_of(lists, regulation)
        known = words.get(regulation.key, page.Words(regulation.key, {}))
        rows = page.read_rows(known, regulation, broken, tests)
        by_article = {row.article: row for row in rows}
        complaints = [
            *page.mistakes(known, rows, regulation, tests),
            *mutations.list_mistakes(by_article, broken, tests, root, regulation, drawn),
        ]
        wrong += [f"{regulation.title}: {complaint}" for complaint in complaints]
        found.append(Law(regulation, by_article, broken))
    strangers = {*words, *(list_.regulation for list_ in lists)} - {regulation.key for regulation in regulations}
    return found, wrong + [f"there is no regulation {key!r}" for key in sorted(strangers)]


def chosen(laws: Sequence[Law], regulation: str | None, only: str | None) -> list[Mutation]:
    """The broken rules of one regulation, or of one article and what is inside it; all if neither is given."""
    wanted = read_articles(only) if only else None
    return [
        mutation
        for law in laws
        if regulation in (None, law.regulation.key)
        for mutation in law.mutations
        if wanted is None
        or any(cited[: len(article)] == article for article in wanted for cited in law.rows[mutation.row].references)
    ]


class Bench:
    """Interpreters at work, each in a copy of the tree of its own; any number of threads may ask at once.

    In all of them drawn tests draw with a `seed`; with None each draws the same each time.
    """

    def __init__(self, root: Path, folder: Path, jobs: int, seed: int | None) -> None:
        self.root = root
        self.jobs = jobs
        self._options = "" if seed is None else f"--hypothesis-profile={SEEDED} --hypothesis-seed={seed}"
        self._free: SimpleQueue[subprocess.Popen[str]] = SimpleQueue()
        self._all = [self._begin(folder / str(number)) for number in range(jobs)]

    def _begin(self, copy: Path) -> subprocess.Popen[str]:
        copy.mkdir()
        for name in COPIED:
            if (self.root / name).is_dir():
                shutil.copytree(self.root / name, copy / name, ignore=NOT_COPIED)
            elif (self.root / name).exists():
                shutil.copy2(self.root / name, copy / name)
        worker = subprocess.Popen(
            [sys.executable, "-m", "tests.law.broken_run"],
            cwd=copy,
            # Bytecode is written, else each run compiles the tree: no broken file has the time of another one.
            env=os.environ | {"PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "", "PYTEST_ADDOPTS": self._options},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self._free.put(worker)
        return worker

    def ask(self, tests: Sequence[str], broken: Change | None = None) -> dict[str, Any]:
        """The answer of `broken_run` from whichever interpreter is free."""
        change = {"file": broken.file, "old": broken.old, "new": broken.new} if broken else {"file": None}
        worker = self._free.get()
        try:
            assert worker.stdin and worker.stdout
            worker.stdin.write(json.dumps(change | {"tests": list(tests)}) + "\n")
            worker.stdin.flush()
            line = worker.stdout.readline()
        finally:
            self._free.put(worker)
        if not line:
            raise RuntimeError("an interpreter ended before it answered")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def end(self) -> None:
        """Ends the interpreters that this bench began."""
        for worker in self._all:
            worker.kill()
            worker.wait()
            for pipe in (worker.stdin, worker.stdout):
                if pipe:
                    pipe.close()


@contextmanager
def bench(root: Path, jobs: int, seed: int | None = None) -> Iterator[Bench]:
    """A bench in a temporary folder that is gone afterwards; nothing under `root` is written."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="law-"))).resolve()
        found = Bench(root, folder, jobs, seed)
        stack.callback(found.end)
        yield found


Ask = Callable[..., dict[str, Any]]


class Progress:
    """A bar on a terminal, nothing elsewhere."""

    def __init__(self, whole: int) -> None:
        self.done, self.whole = 0, whole

    def step(self) -> None:
        """One more is done."""
        self.done += 1
        if sys.stderr.isatty():
            filled = BAR_WIDTH * self.done // self.whole
            end = "\n" if self.done == self.whole else ""
            print(f"\r[{'#' * filled:<{BAR_WIDTH}}] {self.done}/{self.whole}", end=end, file=sys.stderr, flush=True)


def unsound(ask: Ask, nodes: Collection[str], pool: ThreadPoolExecutor, progress: Progress) -> list[str]:
    """The tests that do not pass while no rule is broken."""
    by_file: dict[str, list[str]] = {}
    for node in sorted(nodes):
        by_file.setdefault(node.partition("::")[0], []).append(node)
    found = []
    for answer in as_completed([pool.submit(ask, tests) for tests in by_file.values()]):
        complaints = answer.result()
        bad = {test: verdict for test, verdict in complaints["verdicts"].items() if verdict != "passed"}
        found += [f"{test}: {verdict} though no rule is broken" for test, verdict in bad.items()]
        found += [complaints["output"]] if bad else []
        progress.step()
    return found


def survivors(
    ask: Ask, broken: Sequence[Mutation], nodes: dict[str, str], pool: ThreadPoolExecutor, progress: Progress
) -> list[tuple[str, str]]:
    """The tests that did not notice a broken rule of theirs, each with a line, in the order of the list."""

    def judged(mutation: Mutation) -> list[tuple[str, str]]:
        verdicts = ask([nodes[test] for test in mutation.tests], mutation)["verdicts"]
        complaints = {test: verdicts[nodes[test]] for test in mutation.tests}
        return [(test, f"{mutation.shown()}: {test} {text}") for test, text in complaints.items() if text != "failed"]

    asked = [pool.submit(judged, mutation) for mutation in broken]
    for _ in as_completed(asked):
        progress.step()
    return [line for answer in asked for line in answer.result()]


def break_all(at: Bench, broken: Sequence[Mutation]) -> tuple[list[str], list[tuple[str, str]]]:
    """The tests that fail although no rule is broken; if there are none, the `survivors`."""
    where = page.defined_tests(at.root)
    nodes = {test: f"{where[test][0]}::{test}" for mutation in broken for test in mutation.tests}
    files = {node.partition("::")[0] for node in nodes.values()}
    with ThreadPoolExecutor(at.jobs) as pool:
        progress = Progress(len(files) + len(broken))
        try:
            wrong = unsound(at.ask, set(nodes.values()), pool, progress)
            return wrong, [] if wrong else survivors(at.ask, broken, nodes, pool, progress)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            at.end()
            raise


def main(
    arguments: Sequence[str] | None = None,
    root: Path = page.ROOT,
    lists: Path = page.LISTS,
    regulations: Sequence[Regulation] = REGULATIONS,
) -> int:
    """Runs the program; the exit code."""
    parser = argparse.ArgumentParser(prog="make law", description="Break every rule and see who notices.")
    parser.add_argument("--regulation", choices=[regulation.key for regulation in regulations])
    parser.add_argument("--only", metavar="ARTICLE", help='one article and what is inside it, such as "13.º 4)"')
    parser.add_argument("--jobs", metavar="N", type=int, default=2, help="how many at once (2)")
    drawing = parser.add_mutually_exclusive_group()
    drawing.add_argument("--without-drawn", action="store_true", help="run the examples alone, no drawn test")
    drawing.add_argument("--seed", metavar="N", type=int, help="drawn tests draw with this seed, and may miss")
    asked = parser.parse_args(arguments)
    began = time.monotonic()
    try:
        laws, wrong = read_law(root, lists, regulations)
        broken = [] if wrong else chosen(laws, asked.regulation, asked.only)
    except ValueError as mistake:
        wrong, broken = [str(mistake)], []
    drawn = page.drawn_tests(root) if asked.without_drawn or asked.seed is not None else frozenset()
    if asked.without_drawn:
        broken = [replace(rule, tests=tuple(test for test in rule.tests if test not in drawn)) for rule in broken]
    if not wrong and broken:
        with bench(root, max(1, min(asked.jobs, len(broken))), asked.seed) as at:
            wrong, found = break_all(at, broken)
    if wrong or not broken:
        print(*(wrong or ["there is nothing to break"]), sep="\n", file=sys.stderr)
        return 2
    lived = [line for test, line in found if asked.seed is None or test not in drawn]
    for line in lived:
        print(line, file=sys.stderr)
    if asked.seed is not None:
        print(f"drawn tests missed {len(found) - len(lived)} times with the seed {asked.seed}")
    for law in laws:
        if asked.regulation in (None, law.regulation.key):
            print(law.counted())
    complaints = f"{len(lived)} of {len(broken)} not noticed" if lived else f"all {len(broken)} broken rules noticed"
    print(f"law: {complaints} ({time.monotonic() - began:.0f} s)")
    return 1 if lived else 0


if __name__ == "__main__":
    sys.exit(main())
