"""Every TOML file here is a module of tests, and every round a test: ``tests/rounds/….toml::test_art_13_1_…[case]``."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.rounds.form import FOLDER, cases_of, name_of, read_file
from tests.rounds.refusal import changes, refuse
from tests.rounds.stage import play_round

LONGEST = 80


def pytest_collect_file(parent: pytest.Collector, file_path: Path) -> "RoundFile | None":
    """Called for every file; those of rounds are ours."""
    if file_path.suffix == ".toml" and file_path.is_relative_to(FOLDER):
        return RoundFile.from_parent(parent, path=file_path)
    return None


class RoundFile(pytest.File):
    """A file of rounds, and of round files that are refused."""

    def collect(self) -> Iterator["RoundItem"]:
        try:
            file = read_file(self.path)
            for round in file.round:
                cases = [(case, partial(play_round, file.game, filled)) for case, filled in cases_of(round)]
                yield from self.items(name_of(round, file.game), round.sentence, cases)
            for refused in file.file:
                rows = [("", "", None), *changes(refused)]
                cases = [(row[0] or "the good file", partial(refuse, refused.good, *row)) for row in rows]
                yield from self.items(name_of(refused, file.game), refused.sentence, cases)
        except ValueError as mistake:
            raise self.CollectError(str(mistake)) from None

    def items(self, name: str, sentence: str, cases: Iterable[tuple[str, Callable[[], None]]]) -> Iterator["RoundItem"]:
        """A test for each case; cases that are called alike are counted."""
        seen: dict[str, int] = {}
        for whole, run in cases:
            case = printable(whole)
            seen[case] = seen.get(case, 0) + 1
            number = f" ({seen[case]})" if seen[case] > 1 else ""
            full = name + (f"[{case}{number}]" if case or number else "")
            yield RoundItem.from_parent(self, name=full, sentence=sentence, run=run)


def printable(case: str) -> str:
    """A case as the name of a test has it."""
    plain = case if case.isprintable() and case.isascii() else case.encode("unicode_escape").decode()
    return plain if len(plain) <= LONGEST else f"{plain[:LONGEST]}~"


class RoundItem(pytest.Item):
    """One round to play; what comes out otherwise is one sentence, with what was wanted and what was found."""

    def __init__(self, *, sentence: str, run: Callable[[], None], **more: Any) -> None:
        super().__init__(**more)
        self.sentence, self.run = sentence, run

    def runtest(self) -> None:
        self.run()

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if not isinstance(excinfo.value, AssertionError) or self.config.getoption("verbose") > 1:
            return super().repr_failure(excinfo, style)
        return f"{self.path.name}: {self.sentence}\n{excinfo.value}"

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, None, self.name
