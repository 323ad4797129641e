"""Every TOML file here is a module of tests, and every round a test: ``tests/rounds/….toml::test_art_13_1_…[case]``."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.rounds.form import FOLDER, Round, cases_of, name_of, read_rounds
from tests.rounds.stage import play_round


def pytest_collect_file(parent: pytest.Collector, file_path: Path) -> "RoundFile | None":
    """Called for every file; those of rounds are ours."""
    if file_path.suffix == ".toml" and file_path.is_relative_to(FOLDER):
        return RoundFile.from_parent(parent, path=file_path)
    return None


class RoundFile(pytest.File):
    """A file of rounds."""

    def collect(self) -> Iterator["RoundItem"]:
        try:
            game, rounds = read_rounds(self.path)
            for round in rounds:
                seen: dict[str, int] = {}
                for case, filled in cases_of(round):
                    seen[case] = seen.get(case, 0) + 1
                    number = f" ({seen[case]})" if seen[case] > 1 else ""
                    name = name_of(round, game) + (f"[{case}{number}]" if case or number else "")
                    yield RoundItem.from_parent(self, name=name, game=game, round=filled)
        except ValueError as mistake:
            raise self.CollectError(str(mistake)) from None


class RoundItem(pytest.Item):
    """One round to play; what comes out otherwise is one sentence, with what was wanted and what was found."""

    def __init__(self, *, game: str, round: Round, **more: Any) -> None:
        super().__init__(**more)
        self.game, self.round = game, round

    def runtest(self) -> None:
        play_round(self.game, self.round)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if not isinstance(excinfo.value, AssertionError) or self.config.getoption("verbose") > 1:
            return super().repr_failure(excinfo, style)
        return f"{self.path.name}: {self.round.article} {self.round.sentence}\n{excinfo.value}"

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, None, self.name
