"""Ten thousand histories of a linked pot: nothing is lost, nothing doubled."""

from collections import Counter

import pytest

from tests.link.simulation import run

SEEDS = 10_000


def test_ten_thousand_histories_lose_and_double_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    faults, grants = Counter[str](), 0
    for seed in range(1000, 1000 + SEEDS):
        world = run(seed)
        faults += world.faults
        grants += len(world.grants)
    with capsys.disabled():
        print(f"\n{SEEDS} histories, {grants} claims granted; {dict(sorted(faults.items()))}")
