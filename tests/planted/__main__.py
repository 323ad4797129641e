"""Plants each defect of `defects.toml` in a copy of the tree, and lists those that their test did not notice.

`python -m tests.planted [--only PATH] [--jobs N]`: those of files whose path begins with PATH. Exit 1 where one was
not noticed, 2 where the list is wrong or a test fails without a defect. Anyone who removes a test that is named there
names another one that notices.
"""

import argparse
import sys
import tomllib
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec

from tests.law.break_rules import Progress, bench, unsound
from tests.law.mutations import text_mistakes
from tests.law.page import ROOT
from tests.rounds.form import defined_rounds

LIST = Path(__file__).parent / "defects.toml"


class Defect(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """In `file`, `old` becomes `new` where it is, once; `test` is what notices, as pytest names it."""

    file: str
    old: str
    new: str
    test: str

    def shown(self) -> str:
        """One line for a person."""
        return f"{self.file}: {self.old!r} → {self.new!r}: {self.test}"


def read_list() -> list[Defect]:
    """The defects in the order written."""
    return msgspec.convert(tomllib.loads(LIST.read_text("utf-8"))["defects"], list[Defect])


def mistakes(defects: Sequence[Defect], root: Path = ROOT) -> list[str]:
    """What is wrong: a text that cannot be changed so, a test that is not there, a row written twice."""
    found, rounds = [], set(defined_rounds(root))
    for defect in defects:
        module, _, name = defect.test.partition("::")
        path, test = root / defect.file, root / module
        wrong = text_mistakes(path, defect.old, defect.new) if path.is_file() else ["there is no such file"]
        found += [f"{defect.shown()}: {mistake}" for mistake in wrong]
        written = test.is_file() and f"def {name}(" in test.read_text("utf-8")
        if not written and (name, module) not in rounds:
            found.append(f"{defect.shown()}: there is no such test")
        if defects.count(defect) > 1:
            found.append(f"{defect.shown()}: is written twice")
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the program; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.planted", description="Plant each defect.")
    parser.add_argument("--only", metavar="PATH", default="", help="defects of files whose path begins so")
    parser.add_argument("--jobs", metavar="N", type=int, default=2, help="how many at once (2)")
    asked = parser.parse_args(arguments)
    defects = [defect for defect in read_list() if defect.file.startswith(asked.only)]
    if wrong := mistakes(defects):
        print(*wrong, sep="\n", file=sys.stderr)
        return 2
    tests = {defect.test for defect in defects}
    with bench(ROOT, asked.jobs) as at, ThreadPoolExecutor(asked.jobs) as pool:
        if wrong := unsound(at.ask, tests, pool, Progress(len({test.partition("::")[0] for test in tests}))):
            print(*wrong, sep="\n", file=sys.stderr)
            return 2
        verdicts = pool.map(lambda defect: at.ask([defect.test], defect)["verdicts"][defect.test], defects)
        missed = [
            f"{defect.shown()}: {verdict}"
            for defect, verdict in zip(defects, verdicts, strict=True)
            if not verdict.startswith(("failed", "broke in its call")) or "Timeout (" in verdict
        ]
    print(*missed, sep="\n", file=sys.stderr, end="\n" if missed else "")
    print(f"planted: {len(defects) - len(missed)} of {len(defects)} noticed")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
