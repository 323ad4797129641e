"""`audit replay --as-of` and `--rules`: what the rounds of a journal would have come to, in money."""

import json
import pickle
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest
from msgspec.structs import replace

from controller.__main__ import main
from controller.engine.decisions.link import SettleOnPaper
from controller.engine.state.applied import apply
from controller.engine.state.events import JournalPruned
from controller.engine.state.jackpot import PotRestarted
from controller.engine.state.table import Table
from controller.journal.past import Past
from controller.journal.reading import opened_journal
from controller.journal.records import JournalCorrupt
from controller.queries import what_if as module
from controller.queries.what_if import Supposed, WhatIf, what_if
from controller.rulebook.events import RoundSettled
from controller.rulebook.games import GAMES
from controller.rulebook.jackpot_award import TENTHS_IN_TURN
from controller.rulebook.refusal import Refusal
from tests.engine import test_engine_linked as linked
from tests.engine.playing import PARAMETERS, Play, stacked
from tests.engine.test_engine_jackpot import FLUSH_AND_FOUR
from tests.journal.keeping import STAMP, batch, close_segments, entries_of, open_journal, record, write, write_entries
from tests.journal.recorded.kept import read_journal
from tests.journal.test_journal_replay import MUTATED, keyed
from tests.journal.test_journal_segments import EVENTS
from tests.journal.test_journal_two_regulations import FLUSH, NOTHING, PAIR, TRIO, Autumn, autumn
from tests.referee.rules import poker
from tests.referee.rules.poker_law import law_by

pytestmark = pytest.mark.long

GAME = "fortune-3-card-poker-2025"


def quiet(done: int, total: int) -> None: ...


def by_the_referee(act: str, hand: str, bank: str) -> int:
    """What seat 1 wins with an ante of 100, by code that shares nothing with the station."""
    hands = {"seat 1": hand.split(), "bank": bank.split(), "community": []}
    return poker.settle({1: {"ante": 100}}, [], 0, hands, {1: "play"}, law_by(GAME, act)).places[1].net


def test_art_7_1_what_if_the_sum_is_that_of_the_referee_and_the_rounds_are_named(tmp_path: Path) -> None:
    play, _ = autumn()
    write(tmp_path / "journal.db", play)
    hands = ["9h 9s 9d", "Kd Kh 3c", "9h 9s 9d", "9h 9s 9d", "9h 9s 9d"]
    banks = ["As 4s 2s", "Qd 7c 2h", "As 4s 2s", "As 4s 2s", "As 4s 2s"]
    acts = ["89/2025"] * 3 + ["94/2025"] * 2
    for supposed, differ in (("89/2025", [4, 5]), ("94/2025", [1, 3])):
        day = date(2025, 11, 17) if supposed == "89/2025" else date(2025, 11, 18)
        found = what_if(tmp_path / "journal.db", "simulation", Supposed(as_of=day), quiet)
        expected = [
            by_the_referee(supposed, hand, bank) - by_the_referee(act, hand, bank)
            for act, hand, bank in zip(acts, hands, banks, strict=True)
        ]
        assert found.rounds_named == {number: net for number, net in enumerate(expected, 1) if net}
        assert [*found.rounds_named] == differ and found.net_difference == sum(expected)
        assert sum(net.net_difference for net in found.changed) == found.net_difference != 0
        assert {net.wager for net in found.changed} == {"ante", "play"} and found.rounds == 5


@pytest.mark.parametrize("game", MUTATED)
def test_nothing_supposed_is_no_difference(game: str, tmp_path: Path) -> None:
    entries = read_journal(game).entries
    write_entries(tmp_path / "journal.db", entries)
    found = what_if(tmp_path / "journal.db", "simulation", Supposed(), quiet)
    assert found.rounds and found.rounds_named == {} and found.changed == ()
    assert any(isinstance(entry.event, RoundSettled) for entry in entries) or game == "taiwan-pai-kao"


def test_a_key_that_the_game_does_not_have_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "journal.db", autumn()[0])
    with pytest.raises(Refusal, match="none_of"):
        what_if(tmp_path / "journal.db", "simulation", Supposed(rules={"deal_begins_beside_banker": True}), quiet)


def test_the_command_prints_table_plot_and_speed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    config = keyed(tmp_path)
    write(tmp_path / "state" / "journal.db", autumn()[0])
    asked = ["audit", "replay", "--config", str(config), "--as-of", "2025-11-18"]
    assert main(asked) == 0
    assert json.loads(capsys.readouterr().out)["net_difference"] == 800
    monkeypatch.setattr("controller.commands.audit.wants_json", lambda _: False)
    assert main(asked) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-2] == "rounds that differ: 1, 3" and "rounds a second" in lines[-1]
    assert any("█" in line and "13.º 3)" in line for line in lines)


def test_art_7_1_a_journal_over_17_november_replays_right_on_both_sides_and_the_rounds_that_differ_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config, (play, _) = keyed(tmp_path), autumn()
    write_dated(tmp_path / "state" / "journal.db", play)
    asked = ["audit", "replay", "--config", str(config), "--json"]
    assert main(asked) == 0
    again = json.loads(capsys.readouterr().out)
    assert (again["equal"], again["rounds"]) == (True, 5)
    named = {}
    for day in ("2025-11-17", "2025-11-18"):
        assert main([*asked, "--as-of", day]) == 0
        named[day] = json.loads(capsys.readouterr().out)["rounds_named"]
    trio = by_the_referee("94/2025", TRIO, FLUSH) - by_the_referee("89/2025", TRIO, FLUSH)
    assert named == {"2025-11-17": {"4": -trio, "5": -trio}, "2025-11-18": {"1": trio, "3": trio}}
    assert by_the_referee("94/2025", PAIR, NOTHING) == by_the_referee("89/2025", PAIR, NOTHING)


def write_dated(path: Path, play: Autumn) -> None:
    """The journal of a play, each event at its time."""
    with closing(open_journal(path)) as journal:
        for entry, time in zip(entries_of(play), play.times, strict=True):
            journal.commit(replace(batch([entry]), stamp=replace(STAMP, time=time)))


AMENDED = Supposed(as_of=date(2025, 11, 18))


def write_closed(path: Path, play: Play, snapshot_at: int = 0) -> None:
    """Its journal, most of it in segments; with a checkpoint after an event, and at the end."""
    entries, table = entries_of(play), Table()
    with closing(open_journal(path)) as journal:
        for number, entry in enumerate(entries, start=1):
            table = apply(table, entry.event)
            kept = table if number in (snapshot_at, len(entries)) else None
            journal.commit(batch([entry], snapshot=kept, settings=play.settings))
        close_segments(journal, EVENTS)


def judged(path: Path, supposed: Supposed, processes: int = 1) -> WhatIf:
    return replace(what_if(path, "simulation", supposed, quiet, processes), seconds=0.0)


def prune_up_to(path: Path, round: int) -> int:
    """Segments of events up to the confirmation of a round are kept no longer; the last event that is not."""
    with opened_journal(path, "simulation") as (db, _):
        past = Past(path, db)
        begins = past.begins(round + 1)
        assert begins is not None
        gone = [segment.segment for segment in past.segments if segment.segment.last < begins]
    last = gone[-1]
    with closing(open_journal(path)) as journal:
        journal.restore()
        record(journal, JournalPruned(1, last.last, len(gone), last.hash.hex(), "2027"))
    return last.last


def test_any_number_of_processes_finds_what_one_finds(tmp_path: Path, walks: None) -> None:
    path = tmp_path / "journal.db"
    write_closed(path, autumn()[0])
    alone = judged(path, AMENDED)
    assert alone.net_difference == 800 and alone.first == 1 and alone.rounds == 5
    for processes in (2, 3, 7, 50, 10**4):
        assert judged(path, AMENDED, processes) == alone


def test_two_processes_find_what_one_finds(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    write_closed(path, autumn()[0])
    assert judged(path, AMENDED, 2) == judged(path, AMENDED)
    with pytest.raises(Refusal, match="none_of"):
        what_if(path, "simulation", Supposed(rules={"deal_begins_beside_banker": True}), quiet, 2)


def test_a_refusal_comes_back_from_another_process_as_it_was() -> None:
    with pytest.raises(Refusal) as refused:
        GAMES[GAME].legal_status.validity.on(date(2020, 1, 1))
    again = pickle.loads(pickle.dumps(refused.value))
    assert (again.who, again.reason, again.article, again.args) == (
        refused.value.who,
        refused.value.reason,
        refused.value.article,
        refused.value.args,
    )


def test_where_two_parts_meet_the_event_is_the_one_that_was_written(
    tmp_path: Path, walks: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "journal.db"
    write_closed(path, autumn()[0])
    monkeypatch.setattr(module, "_borders", lambda past, *_: [(EVENTS, bytes(32))])
    with pytest.raises(JournalCorrupt, match=f"event {EVENTS} is not the one that was written"):
        judged(path, AMENDED)


def test_a_journal_whose_first_rounds_are_kept_no_longer_is_judged_from_the_first_that_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, walks: None
) -> None:
    config, path = keyed(tmp_path), tmp_path / "state" / "journal.db"
    play = autumn()[0]
    write_closed(path, play)
    whole = judged(path, AMENDED)
    pruned = prune_up_to(path, round=2)
    found = judged(path, AMENDED)
    assert (found.first, found.rounds, found.pruned) == (3, 3, pruned)
    assert found.rounds_named == {3: whole.rounds_named[3]} and found.net_difference == whole.rounds_named[3]
    assert judged(path, AMENDED, 3) == found
    monkeypatch.setattr("controller.commands.audit.wants_json", lambda _: False)
    assert main(["audit", "replay", "--config", str(config), "--as-of", "2025-11-18", "--processes", "1"]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == f"events up to {pruned} are kept no longer (keep_days): this begins with round 3"


TENTHS = Supposed(rules={TENTHS_IN_TURN: True})
TWO_STRAIGHT_FLUSHES = ("Qs Js Ts", "7s 6s 5s", "2h 3d 7c", "2c 9s 8s")


def with_prizes(*hands: tuple[str, ...]) -> Play:
    """Rounds of two seats with chips, dealt like this."""
    play = Play()
    for dealt in hands:
        play.deck = stacked(*dealt)
        play.to_wagers().bet(1, ante=100).bet(2, ante=100).chips(1, 2).lock()
        play.finish()
    return play


def test_art_15_4_what_if_the_prizes_are_computed_on_the_pot_as_it_was_by_any_number_of_processes(
    tmp_path: Path, walks: None
) -> None:
    play = with_prizes(*[TWO_STRAIGHT_FLUSHES] * 3)
    write_closed(tmp_path / "journal.db", play)
    settled = [event.settlement for event, _ in play.entries if isinstance(event, RoundSettled)]
    expected = {}
    for number, settlement in enumerate(settled, 1):
        assert settlement.jackpot
        pot, (first, second) = settlement.jackpot.pot_before, settlement.jackpot.awards
        assert first.amount == second.amount == pot // 10
        expected[number] = (pot - first.amount) // 10 - second.amount
    found = judged(tmp_path / "journal.db", TENTHS)
    assert found.rounds_named == expected and found.left_out == ()
    assert {net.wager for net in found.changed} == {"jackpot"}
    assert judged(tmp_path / "journal.db", TENTHS, 5) == found


def test_fixed_amounts_that_are_kept_no_longer_are_those_of_the_next_checkpoint_or_the_round_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    royal = ("As Ks Qs", "7h 6h 4d", "2h 3d 7c", "2c Js Ts")
    play = with_prizes(NO_PRIZE, TWO_STRAIGHT_FLUSHES, royal, TWO_STRAIGHT_FLUSHES)
    at = next(at for at, (event, _) in enumerate(play.entries, 1) if isinstance(event, PotRestarted))
    paths = {}
    for name, snapshot_at in (("with", at - 1), ("without", 0)):
        paths[name] = tmp_path / name / "state" / "journal.db"
        paths[name].parent.mkdir(parents=True)
        write_closed(paths[name], play, snapshot_at)
    whole = judged(paths["without"], TENTHS)
    assert [*whole.rounds_named] == [2, 4]
    for path in paths.values():
        prune_up_to(path, round=1)
    assert judged(paths["with"], TENTHS).rounds_named == whole.rounds_named
    found = judged(paths["without"], TENTHS)
    assert (found.left_out, found.rounds_named) == ((2, 3), {4: whole.rounds_named[4]})
    config = keyed(tmp_path / "without")
    monkeypatch.setattr("controller.commands.audit.wants_json", lambda _: False)
    rules = ["--rules", f"{TENTHS_IN_TURN}=true", "--processes", "1"]
    assert main(["audit", "replay", "--config", str(config), *rules]) == 0
    left_out = capsys.readouterr().out.splitlines()[-2]
    assert left_out.endswith("rounds 2, 3") and left_out.startswith("left out, since the fixed amounts")


NO_PRIZE = ("Kd 4h 2c", "7h 6h 4d", "2h 3d 7c", "2s Js 9d")


@pytest.fixture
def dearer(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fixed amounts of the linked pot are twice those of the table's own."""
    doubled = {tier: 2 * amount for tier, amount in PARAMETERS.fixed.items()}
    monkeypatch.setattr(linked, "PARAMETERS", replace(PARAMETERS, fixed=doubled))


def test_prizes_of_a_linked_pot_are_computed_on_what_was_granted(tmp_path: Path, walks: None, dearer: None) -> None:
    play = linked.winning(FLUSH_AND_FOUR, others=4)
    play.pit_grants()
    linked.pay(play)
    write_closed(tmp_path / "journal.db", play)
    for processes in (1, 3):
        found = judged(tmp_path / "journal.db", Supposed(), processes)
        assert (found.rounds, found.rounds_named, found.left_out) == (1, {}, ())


def test_prizes_of_a_linked_pot_on_paper_are_computed_on_what_was_received_of_it(tmp_path: Path, dearer: None) -> None:
    play = linked.on_paper()
    amounts = linked.of_the_pot(play, linked.POT)
    play.say(SettleOnPaper, "rui", pot=linked.POT, amounts=amounts, **linked.PAPER)
    linked.pay(play)
    path = tmp_path / "journal.db"
    write_closed(path, play)
    found = judged(path, Supposed())
    assert (found.rounds, found.rounds_named, found.left_out) == (1, {}, ())
    with opened_journal(path, "simulation") as (db, _):
        begins = Past(path, db).begins(1)
        assert begins is not None
        before = [row[:8:7] for row in Past(path, db).after(0) if row[0] == begins - 1]
    part = module.WhatIfPart(path, "simulation", Supposed(), before[0], (10**9, b""), (module.Fixed(0, {}),))
    assert module.settled_again(part).left_out == [1], "what the pit had reported was received before this part"
