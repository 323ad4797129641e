"""`dealer-station audit replay`: what was played is decided again to the same; a rule that was changed is found."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from controller.__main__ import main
from controller.command_line.exit_codes import EXIT_CORRUPT
from controller.engine.events import Event
from controller.engine.jackpot_events import ChipContributed
from controller.engine.replay import Difference, Replay
from controller.engine.table import Table
from controller.queries.replayed import Replayed, replay, shares
from controller.rulebook.blackjack_21 import points
from controller.rulebook.events import RoundSettled, WagerPlaced
from controller.rulebook.fortune_3_card_poker import settle as poker
from controller.rulebook.fortune_8.paytable import Box
from controller.rulebook.games import GAMES
from controller.rulebook.taiwan_pai_kao import limit
from tests.journal.keeping import played, write
from tests.journal.recorded.kept import read_journal
from tests.plays.test_plays_when import table_of
from tests.slips.keeping_slips import configuration

MUTATED: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "fortune-3-card-poker-2025": lambda patch: patch.setattr(poker, "bank_plays", lambda *_: False),
    "fortune-3-card-poker-2008": lambda patch: patch.setattr(poker, "bank_plays", lambda *_: False),
    "fortune-8": lambda patch: patch.setattr(Box, "to_one_on", lambda *_: 2),
    "blackjack-21": lambda patch: patch.setattr(points, "BANK_STANDS_FROM", 18),
    "taiwan-pai-kao": lambda patch: patch.setattr(limit, "COMMISSION_PERCENT", 4),
}


def decided_again(events: list[Event]) -> tuple[list[Difference], Replay]:
    replay = Replay(Table())
    rows = list(enumerate(events, start=1))
    found = [*replay.take(rows[: len(rows) // 2]), *replay.take(rows[len(rows) // 2 :], last=True)]
    return found, replay


def recorded(game: str) -> list[Event]:
    """The events of a table of this game, without those of the input at whose middle they end."""
    return [entry.event for entry in read_journal(game).entries][:-2]


def replayed(path: Path, processes: int = 1) -> Replayed:
    return replay(path, "simulation", lambda done, all: None, processes)


@pytest.mark.parametrize("game", GAMES)
def test_a_journal_of_every_game_is_decided_again_as_it_was(game: str) -> None:
    events = recorded(game)
    found, again = decided_again(events)
    assert found == []
    assert again.rounds == 8 and again.decided > len(events) / 2


@pytest.mark.parametrize("game", GAMES)
def test_a_rule_that_was_changed_is_found_with_both_versions(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    events = recorded(game)
    MUTATED[game](monkeypatch)
    found, again = decided_again(events)
    assert found and again.rounds == 8, "it goes on behind each"
    for one in found:
        written: object = events[one.event - 1]  # of no type: mypy compares each event's with each, for seconds
        assert one.written == written != one.now


@pytest.mark.parametrize("game", ["packets", "hands", "spaces", "places"])
def test_whatever_happens_at_a_table_is_decided_again_as_it_was(game: str) -> None:
    dice = Random(4)
    table, moves = table_of(game, seed=4)
    for name in dice.choices([*["on", "bet"] * (len(moves) // 2), *moves], k=80):
        moves[name](table, dice.randrange(12), dice.randrange(12))
    found, again = decided_again([event for event, _ in table.entries])
    assert found == [] and again.decided > 30 and again.told_otherwise == 0


def test_what_was_changed_in_the_journal_is_named_and_nothing_else() -> None:
    events = [event for event, _ in played().entries]
    at, laid = next((at, one) for at, one in enumerate(events) if isinstance(one, ChipContributed))
    other = [
        *events[:at],
        replace(laid, to_pot_e4=laid.to_pot_e4 + 1, to_reserve_e4=laid.to_reserve_e4 - 1),
        *events[at + 1 :],
    ]
    found, _ = decided_again(other)
    assert found == [Difference(at + 1, 1, other[at], laid)]
    # nothing is said of a settlement that nobody asked for
    place, settled = next((at, one) for at, one in enumerate(events) if isinstance(one, RoundSettled))
    found, _ = decided_again([*events[:place], *events[place + 1 :]][: place + 3])
    assert [(one.event, one.now) for one in found] == [(place + 1, settled)]
    found, _ = decided_again([*events, settled])
    assert found == [Difference(len(events) + 1, 3, settled, None)]


def test_what_is_refused_now_says_why() -> None:
    events = [event for event, _ in played().entries]
    at, laid = next((at, one) for at, one in enumerate(events) if isinstance(one, WagerPlaced))
    found, _ = decided_again([*events[:at], replace(laid, amount=7)])
    assert [(one.event, one.now) for one in found] == [(at + 1, None)]
    assert found[0].refused is not None and "seat 1" in found[0].refused


def test_two_processes_find_what_one_finds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config, path = configuration(tmp_path), tmp_path / "state" / "journal.db"
    write(path, played(3))
    alone, both = replayed(path), replayed(path, processes=2)
    assert alone == both and alone.rounds == 4 and alone.differences == ()
    assert main(["audit", "replay", "--config", str(config), "--processes", "1"]) == 0
    assert msgspec.convert(json.loads(capsys.readouterr().out), Replayed) == alone
    assert shares(1) == [] and 0.5 < shares(2)[0] < 0.7 and len(shares(4)) == 3


def test_the_command_names_each_difference_with_both_versions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    config = configuration(tmp_path)
    write(tmp_path / "state" / "journal.db", played(1))
    MUTATED["fortune-3-card-poker-2025"](monkeypatch)
    assert main(["audit", "replay", "--config", str(config), "--processes", "1"]) == EXIT_CORRUPT
    told = json.loads(capsys.readouterr().out)
    [one] = told["differences"]
    assert not told["equal"] and one["written"]["type"] == one["now"]["type"] == "round_settled"
    monkeypatch.setattr("controller.commands.audit.wants_json", lambda _: False)
    assert main(["audit", "replay", "--config", str(config), "--processes", "1"]) == EXIT_CORRUPT
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"event {one['event']}, round 1" and "round_settled" in lines[1] and "round_settled" in lines[2]
    assert lines[3].endswith("2 rounds decided again, 1 different")
