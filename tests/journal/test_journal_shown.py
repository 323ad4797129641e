"""`dealer-station audit show`: a round as a person reads it, out of journals of all five games."""

import json
from pathlib import Path
from typing import get_args

import pytest

from controller.__main__ import main
from controller.command_line.output import EXIT_REFUSED
from controller.engine.decisions.corrections import AdjustRound
from controller.engine.state.alarms import AlarmCleared, AlarmRaised
from controller.engine.state.applied import Event
from controller.engine.state.events import (
    SIGN_IN_EVENTS,
    DeviceLost,
    DeviceReported,
    LockedOut,
    LockLifted,
    SignedIn,
    SignedOut,
    SignInRefused,
    SlipPrinted,
)
from controller.floor.messages import Identity
from controller.queries.audited import WantedRounds
from controller.queries.exported import line_rows
from controller.queries.register_words import KINDS
from controller.queries.shown import NoRound, ShownRound, round_shown
from controller.queries.shown_words import WITHOUT_TEXT, exact_amount
from controller.rulebook.games import GAMES
from controller.words import ENGLISH, SPOKEN
from tests.engine.playing import Play
from tests.journal.keeping import STAMP
from tests.journal.recorded.kept import read_journal
from tests.slips.keeping_slips import configuration, keep, paid

IDENTITY = Identity(site="hall", table="1", journal="recorded", mode="simulation", currency="MOP", exponent=2)
HOUR = 3600


def round_of(path: Path, round: int) -> ShownRound:
    found = round_shown(path, IDENTITY, round, HOUR)
    assert isinstance(found, ShownRound)
    return found


@pytest.mark.parametrize("game", GAMES)
def test_a_round_of_every_game_has_each_line_of_its_settlement_and_its_confirmation(game: str, tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    path.write_bytes(read_journal(game).journal)
    rows = list(line_rows(path, IDENTITY, WantedRounds(), lambda done, total: None))
    for number in range(1, 9):
        shown_round = round_of(path, number)
        assert [entry.event for entry in shown_round.entries] == sorted({entry.event for entry in shown_round.entries})
        for entry in shown_round.entries:
            for words in (entry.text, *entry.lines):
                assert words.keys() == SPOKEN.keys() and all(words.values()), entry
                assert "{" not in words["en"] and "None" not in words["en"] and "('" not in words["en"], entry
        assert (shown_round.confirmed is None) == (number == 8)
        settled = [entry for entry in shown_round.entries if entry.kind in ("round_settled", "places_settled")]
        texts = [line["en"] for line in settled[-1].lines] if settled else []
        for row in (line for line in rows if line["round"] == number and line["article"] is not None):
            net = f"{row['net'] / 100:+,.2f}".replace("+0.00", "0.00")
            wanted = (f": {row['stake'] / 100:,.2f}, ", f", {net}", f" ({row['article']})")
            assert any(all(part in line for part in wanted) for line in texts), row
    assert round_shown(path, IDENTITY, 9, HOUR) == NoRound(1, 8)


def test_a_card_that_no_rule_has_shown_is_counted_and_not_reported(tmp_path: Path) -> None:
    play = Play().to_wagers().bet(1, ante=100).bet(2, ante=100)
    play.lock()
    play.deal()
    keep(tmp_path / "journal.db", play)
    shown_round = round_of(tmp_path / "journal.db", 1)
    assert shown_round.sealed == 9 and shown_round.confirmed is None
    assert not any({*"♣♦♥♠"} & {*word} for entry in shown_round.entries for word in entry.text.values())
    assert "Dealt: Seat 1 × 3, Seat 2 × 3, Bank × 3" in [entry.text["en"] for entry in shown_round.entries]


def eventful(tmp_path: Path) -> Path:
    """Round 1 with two prizes that are paid and an adjustment once round 2 had begun; log-ins and devices between."""
    configuration(tmp_path)
    play = Play()
    before: list[Event] = [
        SignedIn("mei", "technician", "::1"), SignedOut("mei", "technician", "::1", "idle"),
        SignedIn("ana", "dealer", "::1"), SignedIn("rui", "supervisor", "::1"),
        AlarmRaised("device-sign", "device_lost/unplugged", {"device": "sign"}, STAMP.time),
    ]  # fmt: skip
    within: list[Event] = [
        DeviceLost("slots", "unplugged", "unplugged"), DeviceReported("shoe", "error", "draw timed out", {"code": 5}),
        AlarmCleared("device-sign", STAMP.time), SignInRefused("rui", "supervisor", "::1", "wrong_pin"),
        LockedOut("rui", "supervisor", "::1", 5, 120), LockLifted("rui", "supervisor", "::1", ""),
    ]  # fmt: skip
    play = paid(1, 2)
    begun = next(at for at, (event, _) in enumerate(play.entries) if event.__struct_config__.tag == "round_begun")
    play.entries[begun:begun] = [(event, {}) for event in before]
    play.entries[begun + 8 : begun + 8] = [(event, {}) for event in within]
    play.to_wagers()
    play.say(AdjustRound, "rui", round=1, seat=2, amount=-500, reason="paid twice", second="sol")
    play.entries.append((SlipPrinted(1, 1, "rui"), {}))
    keep(tmp_path / "state" / "journal.db", play)
    return tmp_path / "station.toml"


def test_who_was_there_what_failed_and_what_came_later_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "UTC")
    config = str(eventful(tmp_path))
    assert main(["audit", "show", "1", "--config", config]) == 0
    page = capsys.readouterr().out
    flat = " ".join(page.split())
    assert "Logged in ana (Dealer, 2026-01-02 03:00:" in flat and "rui (Supervisor, " in flat
    assert "mei" not in flat, "she had gone"
    for sentence in (
        "Does not answer: Jackpot slots (unplugged)", "Shoe: error 5",
        "Alarm over: The sign does not answer",
        "Supervisor, not let in, wrong PIN · rui", "locked out for 2 min after 5 wrong PINs", "the PIN was changed",
        "Prize 1, Seat 2, Straight flush: 600.70 (16.º 3 2))", "Seat 1 · Ante: 1.00, won 1:1, +1.00 (13.º 3))",
        "Payment of prize 2 confirmed · ana",
    ):  # fmt: skip
        assert sentence in flat
    own, _, later = flat.partition("After the round")
    assert "Prize 1 paid: 600.70. Slip 1 · ana, rui" in own
    assert "seat 2: MOP -5.00. paid twice · rui, sol" in later and "Slip 1 printed · rui" in later

    assert main(["audit", "show", "1", "--config", config, "--language", "zh"]) == 0
    assert "獎項1，2號位，同花順：600.70（16.º" in capsys.readouterr().out
    assert main(["audit", "show", "1", "--config", config, "--json"]) == 0
    shown_round = json.loads(capsys.readouterr().out)
    assert shown_round["entries"][-1]["later"] and shown_round["entries"][-1]["text"]["pt"] == "Talão 1 impresso"


def test_a_round_that_is_not_there_is_named_with_the_nearest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = str(eventful(tmp_path))
    assert main(["audit", "show", "44", "--config", config]) == EXIT_REFUSED
    assert "has no round 44, or keeps it no longer; the nearest is 2, of 1 to 2" in capsys.readouterr().err


def test_whatever_can_happen_has_words() -> None:
    tags = {str(event.__struct_config__.tag) for event in get_args(Event)}
    sign_ins = {str(event.__struct_config__.tag) for event in SIGN_IN_EVENTS}
    worded = {"round_settled" if tag == "places_settled" else tag for tag in tags} - sign_ins
    assert worded - {*KINDS, *(key.partition("/")[0] for key in ENGLISH.round_texts)} == WITHOUT_TEXT | {
        "dealer_notified",
        "cut_card_out",
    }


def test_a_part_of_a_minor_unit_is_not_lost() -> None:
    assert [exact_amount(e4, 2) for e4 in (3_500_000, 10, -12_345)] == ["3.50", "0.00001", "-0.012345"]
    assert exact_amount(35_000, 0) == "3.5"
