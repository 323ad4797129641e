"""Delays after wrong PINs: whom they keep waiting and whom they never do, how long they grow, and what lifts them."""

import os
import stat
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from structlog.testing import capture_logs

from controller.console.pins import changing_pins, pins_set
from controller.console.screens import MARKS_FILE, MOST_MARKS, Screen, Screens
from controller.console.throttle import (
    COUNTED_SECONDS,
    FIRST_SECONDS,
    FREE,
    FREE_TOGETHER,
    KEPT_A_MINUTE,
    LONGEST_SECONDS,
    MINUTE,
    MOST_A_MINUTE,
    PinTrialPlace,
    Throttle,
)
from controller.engine.state.events import LockedOut, LockLifted, SignedIn, SignInEvent, SignInRefused
from tests.console.gates import PEOPLE, PINS, Clock, Console, act, keep_pins, log_in, marked

WRONG = "111222"
TABLE, OTHER = (PinTrialPlace("127.0.0.1", Screen(id, ("ana", "rui"))) for id in ("aa", "bb"))
STRANGER, BESIDE = PinTrialPlace("127.0.0.1"), PinTrialPlace("127.0.0.1", Screen("aa", ("rui",)))


@pytest.fixture
def console(tmp_path: Path) -> Console:
    return Console(tmp_path)


def known_screen(console: Console, *names: str) -> TestClient:
    """A screen on which these persons have logged in and out again, else ana and rui."""
    screen = console.screen()
    for name in names or ("ana", "rui"):
        assert log_in(screen, name) == 200
    screen.delete("/session")
    return screen


def lock(console: Console, screen: TestClient, name: str) -> None:
    """Give wrong PINs until a delay follows, which the right one does not end."""
    console.clock.now += MINUTE
    assert [log_in(screen, name, WRONG) for _ in range(FREE + 1)] == [403] * FREE + [429]
    answer = screen.post("/session", json={"name": name, "pin": PINS[name]})
    assert answer.json() == {"error": "locked_out", "who": name, "seconds": FIRST_SECONDS}


def test_no_one_without_a_pin_keeps_a_person_away_from_a_known_screen(console: Console) -> None:
    table, stranger = known_screen(console), console.screen()
    for _ in range(6):
        for name in ("ana", "rui"):
            while log_in(stranger, name, WRONG) == 403:
                pass
        while log_in(console.screen(), "zoe", WRONG) == 403:
            pass
        assert log_in(console.screen(), "ana") == 429
        assert log_in(table, "ana") == log_in(table, "rui") == 200
        console.clock.now += MINUTE


def test_a_known_screen_stays_known_over_a_restart_and_no_other_can_be_made_up(console: Console) -> None:
    shown = known_screen(console).headers["dealer-station-screen"]
    console.start()
    table_again, stranger = console.screen(), console.screen()
    table_again.headers["dealer-station-screen"] = shown
    while log_in(stranger, "ana", WRONG) == 403:
        pass
    assert log_in(table_again, "ana") == 200
    for forged in ("", ".", "aa", f"aa.{shown.partition('.')[2]}", f"{shown}0", shown.upper(), "é.é"):
        made_up = console.screen()
        answer = made_up.post(
            "/session",
            json={"name": "ana", "pin": PINS["ana"]},
            headers=[(b"dealer-station-screen", forged.encode())],
        )
        assert answer.status_code == 429, forged


def test_each_wrong_pin_after_some_is_followed_by_a_longer_delay_and_others_are_let_in(console: Console) -> None:
    table = known_screen(console)
    lock(console, table, "ana")
    assert log_in(table, "rui") == 200, "others are let in"
    console.clock.now += FIRST_SECONDS
    answer = table.post("/session", json={"name": "ana", "pin": WRONG})
    assert answer.json() == {"error": "locked_out", "who": "ana", "seconds": 2 * FIRST_SECONDS}
    assert answer.headers["retry-after"] == str(2 * FIRST_SECONDS)
    assert [note for note in console.kept if "locked" in note] == [
        f"entry_locked ana dealer {FREE + 1} {FIRST_SECONDS}", f"entry_locked ana dealer {FREE + 2} {2 * FIRST_SECONDS}"
    ]  # fmt: skip
    console.clock.now += 2 * FIRST_SECONDS
    assert log_in(table, "ana") == 200
    assert [log_in(table, "ana", WRONG) for _ in range(FREE)] == [403] * FREE, "the right one begins again"


def test_a_name_that_no_one_has_is_delayed_alike_and_nothing_of_it_is_kept(console: Console) -> None:
    stranger = console.screen()
    assert [log_in(stranger, "zoe", WRONG) for _ in range(FREE + 1)] == [403] * FREE + [429]
    assert not [note for note in console.kept if "locked" in note or "zoe" in note]


def test_attempts_a_minute_are_counted_together_but_at_a_persons_own_screen(console: Console) -> None:
    table = known_screen(console, "ana")
    console.clock.now += MINUTE
    names = [f"zoe {at}" for at in range(MOST_A_MINUTE)]
    assert {log_in(console.screen(), name, WRONG) for name in names} == {403}
    assert log_in(table, "zoe", WRONG) == log_in(console.screen(), "zoe", WRONG) == 429
    own = PinTrialPlace("127.0.0.1", Screen("aa", ("ana",)))
    take = console.gate.throttle.take
    assert [take(own, "ana", True) for _ in range(MOST_A_MINUTE + 1)] == [0] * MOST_A_MINUTE + [MINUTE]
    console.clock.now += MINUTE
    assert log_in(table, "ana") == log_in(console.screen(), "ana") == 200


def test_strangers_who_use_up_the_attempts_of_a_minute_keep_no_right_pin_away_of_a_name_that_has_not_failed(
    console: Console,
) -> None:
    for minute in range(3):
        while log_in(console.screen(), f"zoe {minute}", WRONG) == 403:
            pass
        while log_in(console.screen(), "mei", WRONG) == 403:
            pass
        answer = console.screen().post("/session", json={"name": "mei", "pin": PINS["mei"]})
        assert answer.status_code == 429, "a name that has failed has none of those that are kept"
        assert log_in(console.screen(), "rui") == 200
        console.clock.now += MINUTE


def test_attempts_that_are_not_tried_are_counted_and_reported_once_a_minute(console: Console) -> None:
    for at in range(MOST_A_MINUTE):
        log_in(console.screen(), f"zoe {at}", WRONG)
    console.notes.clear()
    assert {log_in(console.screen(), "zoe", WRONG) for _ in range(100)} == {429} and console.notes == []
    for expected in ([], [SignInRefused(None, None, "", "too_many", attempts=100)]):
        console.gate.report_untried()
        assert console.notes == expected
        console.clock.now += MINUTE
    console.gate.report_untried()
    assert len(console.notes) == 1


def test_the_attempts_that_are_kept_for_names_without_a_failure_have_an_end() -> None:
    attempts = Throttle(Clock())
    assert {attempts.take(STRANGER, f"zoe {at}", False) for at in range(MOST_A_MINUTE)} == {0}
    assert attempts.take(STRANGER, "zoe", False) == MINUTE
    assert {attempts.take(STRANGER, f"person {at}", True) for at in range(KEPT_A_MINUTE)} == {0}
    assert attempts.take(STRANGER, "person", True) == MINUTE


def test_a_dealer_with_many_screens_keeps_a_supervisor_away_from_no_screen_of_the_supervisors(
    console: Console,
) -> None:
    own = known_screen(console, "rui")
    screens = [known_screen(console, "ana") for _ in range(14)]
    for at in range(FREE_TOGETHER + 1):
        console.clock.now += MINUTE
        log_in(screens[at % len(screens)], "rui", WRONG)
    assert log_in(own, "rui") == 200
    wrong = [note for note in console.notes if isinstance(note, SignInRefused | LockedOut)]
    by_ana = [note for note in wrong if note.screen_persons == ("ana",)]
    assert by_ana and not [note for note in wrong if note not in by_ana and note.screen], "it is known who did it"


def test_wrong_pins_count_at_a_screen_of_another_person_as_those_of_a_stranger() -> None:
    attempts = Throttle(Clock())
    for _ in range(FREE + 1):
        attempts.failed(BESIDE, "ana")
    assert attempts.delay(STRANGER, "ana") == FIRST_SECONDS
    assert attempts.delay(TABLE, "ana") == attempts.delay(OTHER, "ana") == attempts.delay(BESIDE, "rui") == 0


def test_a_person_has_so_many_marks_and_the_one_used_longest_ago_goes(console: Console) -> None:
    first, *others = [known_screen(console, "ana") for _ in range(MOST_MARKS)]
    log_in(first, "ana")
    newest = known_screen(console, "ana")
    for screen, known in ((first, True), (others[0], False), (others[1], True), (newest, True)):
        assert bool(screen.get("/setting").json()["people"]) is known
    firsts = [note.first_login for note in console.notes if isinstance(note, SignedIn)]
    assert firsts == [True] * MOST_MARKS + [False, True]


def test_who_signs_an_act_has_logged_in_on_that_screen(console: Console) -> None:
    table = console.screen()
    log_in(table, "ana")
    both = ",".join(f"{name}={PINS[name]}" for name in ("ana", "rui"))
    more = {"kind": "release_key", "round": 1, "reason": "audit", "second": "ana", "step_id": "key"}
    assert act(table, "rui", both, **more) == (200, None)
    while log_in(console.screen(), "rui", WRONG) == 403:
        pass
    assert log_in(table, "rui") == 200


def test_a_new_pin_lifts_every_delay_of_its_name(console: Console) -> None:
    table, stranger = known_screen(console), console.screen()
    lock(console, table, "ana")
    lock(console, stranger, "ana")
    keep_pins(console.file, {"ana": "741852", "sol": "862043"})
    assert log_in(table, "ana", "741852") == log_in(stranger, "ana", "741852") == 200
    assert [note for note in console.kept if "lifted" in note] == ["entry_lifted ana dealer "]


def test_a_second_supervisor_who_is_logged_in_lifts_a_delay(console: Console) -> None:
    keep_pins(console.file, {"sol": "862043"})
    table, other = known_screen(console), known_screen(console, "ana")
    log_in(other, "ana")
    lock(console, table, "ana")
    assert table.delete("/delays/ana").status_code == 403, "no one is logged in"
    assert other.delete("/delays/ana").status_code == 403, "a dealer lifts nothing"
    assert other.get("/session").json()["delayed"] == [], "and gets nothing"
    log_in(other, "rui")
    assert other.get("/session").json()["delayed"] == [{"name": "ana", "seconds": FIRST_SECONDS}]
    assert other.delete("/delays/zoe").status_code == 403
    assert other.delete("/delays/ana").json()["delayed"] == []
    assert log_in(table, "ana") == 200
    lock(console, table, "rui")
    log_in(other, "rui")
    assert other.delete("/delays/rui").status_code == 403, "no one lifts their own"
    log_in(other, "sol", "862043")
    assert other.delete("/delays/rui").status_code == 200 and log_in(table, "rui") == 200
    lifted = [note for note in console.kept if "lifted" in note]
    assert lifted == ["entry_lifted ana dealer rui", "entry_lifted rui supervisor sol"]


def wrong(place: PinTrialPlace, name: str | None = "ana") -> SignInRefused:
    return SignInRefused(
        name=name, role="dealer", address=place.address, reason="wrong_pin" if name else "unknown_name",
        screen=place.screen.id, screen_persons=place.screen.persons,
    )  # fmt: skip


def test_a_delay_outlives_a_restart_whatever_unknown_names_were_tried_after_it() -> None:
    clock, rows = Clock(), [(100.0, wrong(TABLE))] * 6
    attempts = Throttle(clock)
    attempts.resume([*rows, *((90.0, wrong(STRANGER, None)) for _ in range(1000))], {})
    assert attempts.delay(TABLE, "ana") == 2 * FIRST_SECONDS - 100
    assert attempts.delay(OTHER, "ana") == attempts.delay(STRANGER, "ana") == attempts.delay(TABLE, "rui") == 0
    clock.now += 2 * FIRST_SECONDS - 100
    assert attempts.delay(TABLE, "ana") == 0 and attempts.failed(TABLE, "ana") == (7, 4 * FIRST_SECONDS)


def test_what_ended_a_delay_before_a_restart_has_ended_it_after_it() -> None:
    rows: list[SignInEvent] = [wrong(TABLE)] * 6
    of_ana: dict[str, Any] = {"name": "ana", "role": "dealer", "address": "127.0.0.1"}
    cases: list[tuple[list[SignInEvent], dict[str, float], bool]] = [
        ([SignedIn(**of_ana, screen="aa", first_login=False)], {}, True),
        ([SignedIn(**of_ana, screen="aa", first_login=True)], {}, False),
        ([SignedIn(**of_ana, screen="bb", first_login=False)], {}, False),
        ([LockLifted(**of_ana, actor="rui")], {}, True),
        ([LockedOut(**of_ana, failures=6, seconds=120, screen="aa")], {}, False),
        ([], {"ana": 5.0}, True),
        ([], {"ana": 15.0}, False),
        ([], {"rui": 5.0}, False),
    ]
    for after, set_ago, ended in cases:
        attempts = Throttle(Clock())
        attempts.resume([(10.0, row) for row in (*rows, *after)], set_ago)
        assert (attempts.delay(TABLE, "ana") == 0) is ended, after


def test_a_clock_that_was_set_back_makes_no_delay_longer() -> None:
    attempts = Throttle(Clock())
    attempts.resume([(-5000.0, wrong(TABLE))] * (FREE + 1), {})
    assert attempts.delay(TABLE, "ana") == FIRST_SECONDS


def test_no_delay_is_longer_than_an_hour_and_a_day_later_nothing_is_left_of_it() -> None:
    clock = Clock()
    attempts = Throttle(clock)
    found = [out[1] for out in (attempts.failed(TABLE, "ana") for _ in range(40)) if out is not None]
    assert found[:3] == [FIRST_SECONDS, 2 * FIRST_SECONDS, 4 * FIRST_SECONDS]
    assert found[-1] == max(found) == LONGEST_SECONDS and attempts.delayed() == {"ana": LONGEST_SECONDS}
    clock.now += COUNTED_SECONDS
    assert attempts.failed(STRANGER, "rui") is None and attempts.delayed() == {}
    assert {name for _, name in attempts._wrong} == {"rui"}, "what is over is not kept"


def test_many_addresses_try_a_name_no_more_often_than_one() -> None:
    attempts = Throttle(Clock())
    out = [attempts.failed(PinTrialPlace(f"127.0.0.{at}"), "ana") for at in range(FREE_TOGETHER + 1)]
    assert out == [None] * FREE_TOGETHER + [(1, FIRST_SECONDS)]
    other = PinTrialPlace("127.0.0.99")
    assert attempts.delay(other, "ana") == FIRST_SECONDS and attempts.delay(other, "rui") == 0


def test_the_marks_are_their_owners_alone_and_no_secret_of_a_screen_is_kept(tmp_path: Path) -> None:
    path, people = tmp_path / MARKS_FILE, {"ana": PEOPLE["ana"], "rui": PEOPLE["rui"]}
    shown = marked(Screens(path, people), "ana", None)
    assert marked(Screens(path, people), "rui", shown) == shown
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600 and len(list(tmp_path.iterdir())) == 1
    assert shown not in path.read_text(encoding="utf-8")
    known = Screens(path, people).of(shown)
    assert known.persons == ("ana", "rui") and known.id in path.read_text(encoding="utf-8")
    assert Screens(path, {"rui": PEOPLE["rui"]}).of(shown).persons == ("rui",), "ana is of the table no more"
    for shows in (None, "", known.id, shown[:-1]):
        assert Screens(path, people).of(shows) == Screen()


@pytest.mark.parametrize("content", [b"", b"{}", b'{"schema": 1, "marks": []}', b"\xff"])
def test_marks_that_cannot_be_read_or_kept_are_in_the_log_and_made_again(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / MARKS_FILE
    path.write_bytes(content)
    path.chmod(0o600)
    with capture_logs() as logs:
        screens = Screens(path, PEOPLE)
    assert "cannot be read" in logs[0]["event"]
    shown = marked(screens, "ana", None)
    assert Screens(path, PEOPLE).of(shown).persons == ("ana",)
    path.chmod(0o644)
    with capture_logs() as logs:
        assert Screens(path, PEOPLE).of(shown) == Screen()
        nowhere = Screens(tmp_path / "nowhere" / MARKS_FILE, PEOPLE)
        assert nowhere.of(marked(nowhere, "ana", None)).persons == ("ana",), "known until the next start"
    assert [log.get("reason") for log in logs] == ["it is open to others", "No such file or directory"]


def test_when_a_pin_was_set_is_kept_with_it(console: Console) -> None:
    first = pins_set(console.file)
    assert first.keys() == PINS.keys()
    with changing_pins(console.file) as pins:
        del pins["mei"]
    keep_pins(console.file, {"ana": "741852"})
    after = pins_set(console.file)
    assert after.keys() == {"ana", "rui"} and after["rui"] == first["rui"] and after["ana"] > first["ana"]
