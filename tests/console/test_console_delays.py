"""Delays after wrong PINs: whom they keep waiting and whom they never do, how long they grow, and what lifts them."""

import os
import stat
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from controller.console.pins import changing_pins, pins_set
from controller.console.screens import KEY_FILE, Screens, screens_key
from controller.console.throttle import (
    COUNTED_SECONDS,
    FIRST_SECONDS,
    FREE,
    FREE_TOGETHER,
    LONGEST_SECONDS,
    MINUTE,
    MOST_A_MINUTE,
    Place,
    Throttle,
)
from controller.engine.sign_ins import LockedOut, LockLifted, SignedIn, SignInEvent, SignInRefused
from tests.console.gates import PINS, Clock, Console, keep_pins, log_in

WRONG = "111222"
TABLE, OTHER, STRANGER = Place("127.0.0.1", "aa"), Place("127.0.0.1", "bb"), Place("127.0.0.1")


@pytest.fixture
def console(tmp_path: Path) -> Console:
    return Console(tmp_path)


def known_screen(console: Console, name: str = "rui") -> TestClient:
    """A screen on which this person has logged in and out again."""
    screen = console.screen()
    assert log_in(screen, name) == 200
    screen.delete("/session")
    return screen


def lock(console: Console, screen: TestClient, name: str) -> None:
    """Give wrong PINs until a delay follows, which the right one does not end."""
    console.clock.now += MINUTE
    assert [log_in(screen, name, WRONG) for _ in range(FREE + 1)] == [403] * FREE + [429]
    answer = screen.post("/session", json={"name": name, "pin": PINS[name]})
    assert answer.json() == {"error": "locked_out", "who": name, "seconds": FIRST_SECONDS}


def test_nobody_without_a_pin_keeps_a_person_away_from_a_known_screen(console: Console) -> None:
    table, stranger = known_screen(console), console.screen()
    for _ in range(6):
        for name in ("ana", "rui"):
            while log_in(stranger, name, WRONG) == 403:
                pass
        for _ in range(MOST_A_MINUTE + 1):
            log_in(console.screen(), "nobody", WRONG)
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


def test_a_name_that_nobody_has_is_delayed_alike_and_nothing_of_it_is_kept(console: Console) -> None:
    stranger = console.screen()
    assert [log_in(stranger, "nobody", WRONG) for _ in range(FREE + 1)] == [403] * FREE + [429]
    assert not [note for note in console.kept if "locked" in note or "nobody" in note]


def test_attempts_a_minute_are_counted_for_each_known_screen_and_together_for_everybody_else(console: Console) -> None:
    table = known_screen(console)
    console.clock.now += MINUTE
    names = [f"nobody {at}" for at in range(MOST_A_MINUTE + 1)]
    assert [log_in(console.screen(), name, WRONG) for name in names] == [403] * MOST_A_MINUTE + [429]
    assert [log_in(table, name, WRONG) for name in names] == [403] * MOST_A_MINUTE + [429]
    console.clock.now += MINUTE
    assert log_in(table, "ana") == log_in(console.screen(), "ana") == 200


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
    assert table.delete("/delays/ana").status_code == 403, "nobody is logged in"
    assert other.delete("/delays/ana").status_code == 403, "a dealer lifts nothing"
    assert other.get("/session").json()["delayed"] == [], "and is told nothing"
    log_in(other, "rui")
    assert other.get("/session").json()["delayed"] == [{"name": "ana", "seconds": FIRST_SECONDS}]
    assert other.delete("/delays/nobody").status_code == 403
    assert other.delete("/delays/ana").json()["delayed"] == []
    assert log_in(table, "ana") == 200
    lock(console, table, "rui")
    log_in(other, "rui")
    assert other.delete("/delays/rui").status_code == 403, "nobody lifts his own"
    log_in(other, "sol", "862043")
    assert other.delete("/delays/rui").status_code == 200 and log_in(table, "rui") == 200
    lifted = [note for note in console.kept if "lifted" in note]
    assert lifted == ["entry_lifted ana dealer rui", "entry_lifted rui supervisor sol"]


def wrong(place: Place, name: str | None = "ana") -> SignInRefused:
    return SignInRefused(
        name=name, role="dealer", address=place.address, reason="wrong_pin" if name else "unknown_name",
        screen=place.screen,
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
        attempts.resume([(10.0, one) for one in (*rows, *after)], set_ago)
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


@pytest.mark.parametrize("place", [lambda at: Place("127.0.0.1", f"{at}"), lambda at: Place(f"127.0.0.{at}")])
def test_many_screens_or_addresses_try_a_name_no_more_often_than_one(place: object) -> None:
    assert callable(place)
    attempts = Throttle(Clock())
    out = [attempts.failed(place(at), "ana") for at in range(FREE_TOGETHER + 1)]
    assert out == [None] * FREE_TOGETHER + [(1, FIRST_SECONDS)]
    assert attempts.delay(place(999), "ana") == FIRST_SECONDS and attempts.delay(place(999), "rui") == 0


def test_the_key_of_the_screens_is_its_owners_alone_and_another_one_takes_the_place_of_one_that_is_not(
    tmp_path: Path,
) -> None:
    path = tmp_path / KEY_FILE
    key = screens_key(path)
    assert (
        screens_key(path) == key and stat.S_IMODE(os.stat(path).st_mode) == 0o600 and len(list(tmp_path.iterdir())) == 1
    )
    shown = Screens(key).fresh()
    assert Screens(key).id_of(shown) == shown.partition(".")[0] and Screens(bytes(32)).id_of(shown) == ""
    path.chmod(0o644)
    assert screens_key(path) != key and stat.S_IMODE(os.stat(path).st_mode) == 0o600
    path.write_bytes(b"short")
    assert len(screens_key(path)) == 32
    assert len(screens_key(tmp_path / "nowhere" / KEY_FILE)) == 32, "known until the next start"


def test_when_a_pin_was_set_is_kept_with_it(console: Console) -> None:
    first = pins_set(console.file)
    assert first.keys() == PINS.keys()
    with changing_pins(console.file) as pins:
        del pins["mei"]
    keep_pins(console.file, {"ana": "741852"})
    after = pins_set(console.file)
    assert after.keys() == {"ana", "rui"} and after["rui"] == first["rui"] and after["ana"] > first["ana"]
