"""The long plays, with faults and without, in processes and in memory, against the referee."""

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from controller.rulebook.games import GAMES
from tests.disputes.altered import alterations
from tests.disputes.rounds import bundles, wild_events
from tests.journal.flips import audited, flipped, written
from tests.link.simulation import run
from tests.plays.informed import COURSES, Corrections, Course, Tally, correct, play_round
from tests.powercut.cuts import explore
from tests.referee.bundle.verify import verify
from tests.soak.rounds_in_memory import SESSION, TABLES, soak, taken
from tests.station.floor_ear import check_envelopes, round_messages, sequenced
from tests.station.simulated import check_ledger, judged, simulate


@pytest.mark.parametrize(
    ("source", "rounds", "speed"), [("shuffler", 500, "max"), ("shoe", 300, "max"), ("shuffler", 10, "device")]
)
def test_a_long_play_equals_the_referees(tmp_path: Path, source: str, rounds: int, speed: str) -> None:
    played = simulate(tmp_path, rounds, "--source", source, "--seed", "7", speed=speed, seconds=1200)
    report = judged(played.config, played.camera, round_messages(played.messages))
    assert report.rounds == rounds
    check_ledger(report, played.tally)
    assert len(sequenced(played.messages)) == played.tally["last_sequence"] == played.tally["acknowledged"]
    assert check_envelopes(played.messages) >= played.tally["last_sequence"]


@pytest.mark.parametrize("options", [("--places", "8"), ("--seats", "4")], ids=" ".join)
def test_a_long_play_of_pai_kao_reaches_the_capital_both_ways(tmp_path: Path, options: tuple[str, ...]) -> None:
    chosen = ("--game", "taiwan-pai-kao", *options, "--seed", "7")
    played = simulate(tmp_path, 500, *chosen, seconds=2400)
    report = judged(played.config, played.camera, round_messages(played.messages))
    assert report.rounds == 500
    assert report.bankers > 100 and all(report.limited[way] >= 50 for way in ("paying", "collecting"))
    assert len(sequenced(played.messages)) == played.tally["last_sequence"] == played.tally["acknowledged"]


# ---- A thousand rounds with something going wrong in every fifth, by either source, compared with the referee.


@pytest.mark.parametrize(
    ("game", "source", "rounds", "rate"),
    [
        ("fortune-3-card-poker-2025", "shuffler", 1000, "0.2"),
        ("fortune-3-card-poker-2025", "shoe", 600, "0.2"),
        ("fortune-3-card-poker-2008", "shuffler", 600, "0.2"),
        ("fortune-8", "shoe", 600, "0.2"),
        ("blackjack-21", "shuffler", 1000, "0.1"),
        ("blackjack-21", "shoe", 300, "0.1"),
        ("taiwan-pai-kao", "shoe", 600, "0.2"),
        ("taiwan-pai-kao", "hand", 300, "0.2"),
    ],
)
def test_a_thousand_rounds_with_faults_are_what_the_camera_calls_for(
    tmp_path: Path, game: str, source: str, rounds: int, rate: str, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ("--game", game, "--source", source, "--seed", "5", "--faults", rate)
    played = simulate(tmp_path, rounds, *options, seconds=1800)
    report = judged(played.config, played.camera, round_messages(played.messages))
    assert report.rounds == rounds
    check_ledger(report, played.tally)
    assert len(sequenced(played.messages)) == played.tally["last_sequence"] == played.tally["acknowledged"]
    assert check_envelopes(played.messages) >= played.tally["last_sequence"]
    assert played.log.count("[info     ] running") == 1, "the daemon was started once"
    film = played.film()
    seen = Counter(f"{line['device']}:{line['kind']}" for line in film if line["event"] == "fault" and line["on"])
    seen += Counter(f"hands:{line['kind']}" for line in film if line["event"] == "irregularity")
    with capsys.disabled():
        causes = dict(report.void_by)
        print(f"\n{rounds} rounds of {game} from the {source}: {report.settled} settled, {report.void} void: {causes}")
        print(", ".join(f"{kind} {count}" for kind, count in sorted(seen.items())))


EVERY_TABLE = SESSION * len(TABLES)
IN_MEMORY = 10 * EVERY_TABLE


def test_a_process_that_plays_rounds_does_not_grow() -> None:
    soak(0, EVERY_TABLE)
    before = taken()
    ended = soak(EVERY_TABLE, IN_MEMORY)
    after = taken()
    print(f"{IN_MEMORY} rounds: {before} before, {after} after; {dict(ended)}")
    assert sum(ended.values()) == IN_MEMORY
    assert after["files"] == before["files"]
    assert after["rss_kib"] < before["rss_kib"] * 1.05
    for table in TABLES:
        assert ended[f"{table}: settled"] > 0.7 * IN_MEMORY / len(TABLES) and ended[f"{table}: void"] > 0


# ---- Ten thousand random rounds of each game in which anyone changes anything, and as many with a slip corrected.


ROUNDS = 10_000
FIRST_SEED = 1_000_000  # none of the short form's
EACH_COURSE = pytest.mark.parametrize("course", COURSES, ids=[course.game for course in COURSES])


@EACH_COURSE
def test_no_dealer_alone_betters_a_result_and_no_one_alone_makes_an_informed_bet(course: type[Course]) -> None:
    tally, seed = Tally(), FIRST_SEED
    while tally.rounds < ROUNDS:
        play_round(course, seed, tally)
        seed += 1
    print(f"{course.game}: seeds {FIRST_SEED} to {seed - 1}, {tally}")


@EACH_COURSE
def test_each_slip_is_corrected_at_whatever_step_it_is_noticed(course: type[Course]) -> None:
    tally, seed = Corrections(), FIRST_SEED
    while tally.slips < ROUNDS:
        correct(course, seed, tally)
        seed += 1
    print(f"{course.game}: seeds {FIRST_SEED} to {seed - 1}, {tally}")
    assert tally.refused == {}


# ---- Ten thousand histories of a linked pot: nothing is lost, nothing doubled.


SEEDS = 10_000


def test_ten_thousand_histories_lose_and_double_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    faults, grants = Counter[str](), 0
    for seed in range(1000, 1000 + SEEDS):
        world = run(seed)
        faults += world.faults
        grants += len(world.grants)
    with capsys.disabled():
        print(f"\n{SEEDS} histories, {grants} claims granted; {dict(sorted(faults.items()))}")


# ---- Two hundred bundles of five games and more are agreed with, and as many with one altered fact are not.


EACH = 60  # bundles of a game


@pytest.mark.parametrize("game", GAMES)
def test_bundles_agree_and_altered_ones_do_not(game: str) -> None:
    seed, agreed, refused = 1000, 0, 0
    while agreed < EACH:
        for bundle in bundles(wild_events(game, seed)):
            found = verify(bundle)
            assert found["wrong"] == [], (seed, bundle["round"])
            agreed += 1
            for name, altered in alterations(bundle, Random(seed)):
                assert verify(altered)["verdict"] == "does not agree", (seed, bundle["round"], name)
                refused += 1
        seed += 1
    assert refused > 10 * agreed


# ---- Ten thousand states that a power cut can leave of a journal.


def test_nothing_published_is_missing_in_ten_thousand_states(tmp_path: Path) -> None:
    found = explore(tmp_path, states=10_000, first_seed=1_000)
    print(f"{found.states} states, {found.after_failed_syncs} of them after failed syncs: {len(found.faults)} faults")
    assert not found.faults


def test_nothing_published_is_missing_where_every_sync_works(tmp_path: Path) -> None:
    assert not explore(tmp_path, states=3_000, first_seed=1, failing=False).faults


# ---- Hundreds of flipped bits and changed bytes in the files of a journal after a stop, a kill and a power cut.


FLIPS = 500
CHANGES = 1000


@pytest.mark.parametrize("state", ["stopped", "killed", "cut"])
def test_no_flipped_bit_goes_unnoticed(tmp_path: Path, state: str) -> None:
    journal = written(tmp_path / "work")
    files, lawful = journal.killed, journal.states[-1:]
    if state == "stopped":
        files = journal.stopped
    elif state == "cut":  # before the mark was on the disk: the last transaction may be torn
        files, lawful = {name: content for name, content in files.items() if name != "j.db.mark"}, journal.states[-2:]
    found = flipped(tmp_path / "flipped", files, lawful, FLIPS, Random(4))
    print(f"{state}: {found.noticed} noticed, {found.harmless} harmless, {len(found.silent)} silent")
    assert not found.silent


def test_no_changed_byte_goes_unnoticed_by_anyone_who_verifies_the_whole(tmp_path: Path) -> None:
    journal = written(tmp_path / "work")
    found = audited(tmp_path / "changed", journal.stopped, CHANGES, Random(5))
    print(f"{found.noticed} noticed, {found.harmless} harmless, {len(found.silent)} silent")
    assert not found.silent
