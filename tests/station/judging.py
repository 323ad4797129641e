"""The station's books compared with the referee's, which knows the camera alone."""

from fractions import Fraction
from pathlib import Path
from typing import Any

from controller.journal.sealing import Seal
from controller.queries.replayed import replay_journal
from tests.referee.film.judge import Report, judge

E4 = 10_000  # the ledger counts in 1/10 000 of a minor unit


def judged(
    config: Path,
    camera: Path,
    rounds: list[dict[str, Any]],
    *,
    away: bool = False,
    late: float = 0.0,
    caused: tuple[str, ...] = (),
) -> Report:
    """The referee's report; raises AssertionError on any difference between what was reported and what happened.

    `away`: the daemon was killed now and then, and did not receive all that the shoe reported. `late`: seconds that a
    device is still missing after its fault is over. `caused`: the beginnings of differences that the test itself has
    caused.
    """
    report = judge(config, camera, rounds, away=away, late=late)
    differences = [difference for difference in report.differences if not difference.startswith(caused)]
    assert not differences, "\n".join(differences[:20])
    assert len(rounds) == report.rounds - report.idle == report.settled + report.void
    assert report.unpaid == [], "a jackpot was won and not handed over"
    assert not report.carried, "the table was closed over carried chips"
    return report


def decided_again(journal: Path) -> None:
    """Decide every round of a journal again; raises AssertionError where anything differs."""
    seal = Seal((journal.parent / "seal.key").read_bytes())
    found = replay_journal(journal, "simulation", seal, lambda done, total: None, processes=1)
    assert found.rounds and not found.differences, found.differences[:3]
    assert found.different_notices == 0


def check_ledger(report: Report, ledger: dict[str, int]) -> None:
    """Hold the station's ledger against the referee's meter, to the last fraction, and hold the identity."""

    def e4(amount: Fraction) -> Fraction:
        return amount * E4

    assert ledger["initial"] == e4(report.initial)
    assert ledger["pot"] == e4(report.pot)
    assert ledger["reserve"] == e4(report.reserve)
    assert ledger["overflow"] == e4(report.overflow)
    assert ledger["contributions"] == e4(report.contributions)
    assert ledger["returned"] == e4(report.returned)
    assert ledger["house_funded"] == e4(report.house_funded)
    assert ledger["paid"] + ledger["pending"] == e4(report.awards)
    assert ledger["pending"] == 0
    assert (
        ledger["initial"] + ledger["contributions"] - ledger["returned"] + ledger["house_funded"]
        - ledger["paid"] + ledger["adjustments"]
        == ledger["pot"] + ledger["reserve"] + ledger["overflow"] + ledger["pending"]
    )  # fmt: skip
