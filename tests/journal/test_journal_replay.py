"""`dealer-station audit replay`: what was played is decided again to the same; a rule that was changed is found."""

import json
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from controller.__main__ import main
from controller.command_line.output import EXIT_CONFIGURATION, EXIT_CORRUPT
from controller.config.file import read_config
from controller.engine.decisions.deciders import decide_with_alarms
from controller.engine.decisions.decision import Decision, Input, Vault
from controller.engine.recorded import WOULD_SHOW, Difference, JournalReplay, Recorded, Written
from controller.engine.state.current import Settings
from controller.engine.state.jackpot import ChipContributed
from controller.engine.state.persons import VoidRound
from controller.engine.state.table import Table
from controller.journal.sealing import Seal
from controller.queries.replayed import Replayed, replay_journal, shares
from controller.rulebook.blackjack_21 import points
from controller.rulebook.events import CardsShown, RoundSettled, WagerPlaced
from controller.rulebook.fortune_3_card_poker import settle as poker
from controller.rulebook.fortune_8.paytable import Box
from controller.rulebook.games import GAMES
from controller.rulebook.taiwan_pai_kao import limit
from tests.engine.playing import Play
from tests.journal.keeping import KEY, played, write
from tests.journal.recorded.kept import read_journal
from tests.slips.keeping_slips import configuration

pytestmark = pytest.mark.long

MUTATED: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "fortune-3-card-poker-2025": lambda patch: patch.setattr(poker, "bank_plays", lambda *_: False),
    "fortune-3-card-poker-2008": lambda patch: patch.setattr(poker, "bank_plays", lambda *_: False),
    "fortune-8": lambda patch: patch.setattr(Box, "to_one_on", lambda *_: 2),
    "blackjack-21": lambda patch: patch.setattr(points, "BANK_STANDS_FROM", 18),
    "taiwan-pai-kao": lambda patch: patch.setattr(limit, "COMMISSION_PERCENT", 4),
}


def decided_again(rows: list[Written]) -> tuple[list[Difference], JournalReplay]:
    replay = JournalReplay(Table())
    found = [*replay.take(rows[: len(rows) // 2]), *replay.take(rows[len(rows) // 2 :], last=True)]
    return found, replay


def recorded(game: str) -> list[Written]:
    """The events of a table of this game, without those of the input at whose middle they end."""
    kept = read_journal(game)
    ends = max(at for at, entry in enumerate(kept.entries) if entry.input is not None)
    return [
        Written(number, entry.event, time, entry.drawn, entry.input)
        for number, entry, time in zip(range(1, ends + 1), kept.entries, kept.times, strict=False)
    ]


def written(play: Play) -> list[Written]:
    """The events of a play."""
    return [
        Written(place + 1, event, play.now, drawn, play.inputs.get(place))
        for place, (event, drawn) in enumerate(play.entries)
    ]


def numbered(rows: list[Written]) -> list[Written]:
    return [replace(row, number=number) for number, row in enumerate(rows, start=1)]


def keyed(folder: Path) -> Path:
    """A configuration whose seal key is that of the journals here."""
    config = configuration(folder)
    read_config(config).seal_key_file.write_bytes(KEY)
    return config


def replayed(path: Path, processes: int = 1) -> Replayed:
    return replay_journal(path, "simulation", Seal(KEY), lambda done, total: None, processes)


@pytest.mark.parametrize("game", GAMES)
def test_a_journal_of_every_game_is_decided_again_as_it_was(game: str) -> None:
    events = recorded(game)
    found, again = decided_again(events)
    assert found == [] and again.different_notices == 0
    assert again.rounds == 8 and again.decided > len(events) / 2


@pytest.mark.parametrize("game", GAMES)
def test_a_rule_that_was_changed_is_found_with_both_versions(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    events = recorded(game)
    MUTATED[game](monkeypatch)
    found, again = decided_again(events)
    assert found and again.rounds == 8, "it continues behind each"
    for wrong in found:
        written: object = events[wrong.event - 1].event  # of no type: mypy compares each event's with each, for seconds
        assert wrong.written == written != wrong.now


def test_what_was_changed_in_the_journal_is_named_and_nothing_else() -> None:
    rows = written(played())
    events = [row.event for row in rows]
    at, placed = next((at, event) for at, event in enumerate(events) if isinstance(event, ChipContributed))
    other = replace(placed, to_pot_e4=placed.to_pot_e4 + 1, to_reserve_e4=placed.to_reserve_e4 - 1)
    found, _ = decided_again([*rows[:at], replace(rows[at], event=other), *rows[at + 1 :]])
    assert found == [Difference(at + 1, 1, other, placed)]
    # nothing is reported of a settlement that no one asked for
    place, settled = next((at, event) for at, event in enumerate(events) if isinstance(event, RoundSettled))
    found, _ = decided_again(numbered([*rows[:place], *rows[place + 1 :]][: place + 3]))
    assert [(difference.event, difference.now) for difference in found] == [(place + 1, settled)]
    found, _ = decided_again([*rows, Written(len(rows) + 1, settled)])
    assert found == [Difference(len(events) + 1, 3, settled, None)]


def test_what_is_refused_now_says_why() -> None:
    rows = written(played())
    at, placed = next((at, row.event) for at, row in enumerate(rows) if isinstance(row.event, WagerPlaced))
    input = rows[at].input
    assert input is not None
    entered = replace(input, text=input.text.replace(b'"amount":%d' % placed.amount, b'"amount":7'))
    found, _ = decided_again([*rows[:at], replace(rows[at], event=replace(placed, amount=7), input=entered)])
    assert [(difference.event, difference.now) for difference in found] == [(at + 1, None)]
    assert found[0].refused is not None and "seat 1" in found[0].refused


def test_another_person_or_another_role_is_decided_otherwise() -> None:
    rows = written(played())
    at, row = next((at, row) for at, row in enumerate(rows) if isinstance(row.event, WagerPlaced))
    assert row.input is not None
    for before, now, refused in ((b'"actor":"ana"', b'"actor":"rui"', True), (b'"dealer"', b'"inspector"', False)):
        changed = replace(row, input=replace(row.input, text=row.input.text.replace(before, now)))
        found, _ = decided_again([*rows[:at], changed])
        assert bool(found) is refused
    play = Play()
    play.to_wagers().bet(1, ante=100)
    play.say(VoidRound, "rui", reason="fire")
    rows = written(play)
    at = max(play.inputs)
    input = play.inputs[at]
    as_dealer = replace(rows[at], input=replace(input, text=input.text.replace(b'"supervisor"', b'"dealer"')))
    found, _ = decided_again([*rows[:at], as_dealer, *rows[at + 1 :]])
    assert [(of.event, of.now) for of in found] == [(at + 1, None)] and "supervisor" in str(found[0].refused)


def test_cards_that_no_rule_has_shown_are_in_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = recorded("fortune-3-card-poker-2025")
    monkeypatch.setattr("controller.engine.recorded.decide_with_alarms", showing_all)
    found, _ = decided_again(rows)
    assert found and {difference.refused for difference in found} == {WOULD_SHOW}
    assert not any(difference.now for difference in found)


def showing_all(table: Table, input: Input, settings: Settings, vault: Vault, time: str) -> Decision:
    """A version that shows each card as it comes."""
    decision = decide_with_alarms(table, input, settings, vault, time)
    shown = tuple(CardsShown(to="bank", cards=(card,), draws=(draw,)) for draw, card in decision.drawn.items() if card)
    return Decision((*decision.events, *shown), decision.tables, decision.drawn)


def test_an_event_without_an_input_or_settings_is_no_journal() -> None:
    rows = written(played(1))
    with pytest.raises(TypeError, match="no input"):
        decided_again([replace(rows[0], input=None)])
    assert rows[0].input is not None
    with pytest.raises(TypeError, match="no settings"):
        decided_again([replace(rows[0], input=asked_without_settings(rows[0].input))])


def asked_without_settings(input: Recorded) -> Recorded:
    fields = msgspec.json.decode(input.text)
    del fields["settings"]
    return Recorded(msgspec.json.encode(fields), input.cards)


def test_a_journal_is_decided_again_with_its_seal_key_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config, path = configuration(tmp_path), tmp_path / "state" / "journal.db"
    write(path, played(1))
    asked = ["audit", "replay", "--config", str(config), "--processes", "1"]
    assert main(asked) == EXIT_CONFIGURATION, "where there is none"
    (tmp_path / "other.key").write_bytes(bytes(32))
    assert main([*asked, "--seal-key", str(tmp_path / "other.key")]) == EXIT_CONFIGURATION
    assert "seal key" in capsys.readouterr().err
    (tmp_path / "own.key").write_bytes(KEY)
    assert main([*asked, "--seal-key", str(tmp_path / "own.key")]) == 0


def test_two_processes_find_what_one_finds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config, path = keyed(tmp_path), tmp_path / "state" / "journal.db"
    write(path, played(3))
    alone, both = replayed(path), replayed(path, processes=2)
    assert alone == both and alone.rounds == 4 and alone.differences == ()
    assert main(["audit", "replay", "--config", str(config), "--processes", "1"]) == 0
    assert msgspec.convert(json.loads(capsys.readouterr().out), Replayed) == alone
    assert shares(1) == [] and 0.5 < shares(2)[0] < 0.7 and len(shares(4)) == 3


def test_the_command_names_each_difference_with_both_versions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    config = keyed(tmp_path)
    write(tmp_path / "state" / "journal.db", played(1))
    MUTATED["fortune-3-card-poker-2025"](monkeypatch)
    assert main(["audit", "replay", "--config", str(config), "--processes", "1"]) == EXIT_CORRUPT
    answer = json.loads(capsys.readouterr().out)
    [difference] = answer["differences"]
    assert not answer["equal"] and difference["written"]["type"] == difference["now"]["type"] == "round_settled"
    monkeypatch.setattr("controller.commands.audit.wants_json", lambda _: False)
    assert main(["audit", "replay", "--config", str(config), "--processes", "1"]) == EXIT_CORRUPT
    lines = capsys.readouterr().out.splitlines()
    assert (
        lines[0] == f"event {difference['event']}, round 1"
        and "round_settled" in lines[1]
        and "round_settled" in lines[2]
    )
    assert lines[3].endswith("2 rounds decided again, 1 different")
