"""Log-in by PIN: who is received from which screen, who is let in, for how long, and what is kept of it."""

from pathlib import Path

import pytest

from controller.console.pins import changing_pins
from controller.console.request_head import KEY
from controller.console.session_routes import LogIn
from tests.console.gates import LIMITS, PINS, Console, act, keep_pins, log_in, names
from tests.console.test_console_page import client


@pytest.fixture
def console(tmp_path: Path) -> Console:
    return Console(tmp_path)


def test_no_one_acts_who_is_not_logged_in_on_this_screen(console: Console) -> None:
    screen, other = console.screen(), console.screen()
    assert act(screen, "ana") == (401, "ana")
    assert log_in(screen, "ana") == 200 and names(screen) == ["ana"]
    assert act(screen, "ana") == (200, None)
    assert act(screen, "rui") == (403, "rui") and act(screen, "") == (403, "")
    assert act(other, "ana") == (401, "ana"), "a cookie is of one screen"
    assert screen.get("/table").status_code == other.get("/table").status_code == 200, "looking needs no log-in"


def test_all_inputs_of_a_list_need_their_persons(console: Console) -> None:
    screen = console.screen()
    log_in(screen, "ana")
    both = [
        {"input_id": str(at), "step_id": "1/begin", "actor": actor, "kind": "begin_round"}
        for at, actor in enumerate(("ana", "rui"))
    ]
    assert screen.post("/inputs", json=both).status_code == 403
    log_in(screen, "rui")
    assert screen.post("/inputs", json=both).status_code == 200


def test_a_supervisor_steps_in_beside_the_dealer_and_goes_again(console: Console) -> None:
    screen = console.screen()
    log_in(screen, "ana")
    log_in(screen, "rui")
    assert names(screen) == ["ana", "rui"]
    assert act(screen, "rui")[0] == act(screen, "ana")[0] == 200
    assert screen.delete("/session/rui").json()["persons"][0]["name"] == "ana"
    assert act(screen, "rui") == (403, "rui") and act(screen, "ana")[0] == 200
    assert screen.delete("/session").json()["persons"] == []
    assert act(screen, "ana") == (401, "ana") and not screen.cookies
    assert console.kept == [
        "entry_made ana dealer", "entry_made rui supervisor", "entry_ended rui supervisor logged_out",
        "entry_ended ana dealer logged_out",
    ]  # fmt: skip


def test_the_cookie_is_not_for_scripts_not_for_other_sites_and_another_after_each_log_in(console: Console) -> None:
    screen = console.screen()
    answer = screen.post("/session", json={"name": "ana", "pin": PINS["ana"]})
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=strict" in cookie and "path=/" in cookie and "domain" not in cookie
    assert answer.headers["cache-control"] == "no-store"
    [(name, before)], key = screen.cookies.items(), answer.json()["key"]
    screen.headers[KEY] = key
    log_in(screen, "rui")
    assert screen.cookies[name] != before and len(before) > 40 and screen.headers[KEY] != key and len(key) > 40
    assert names(screen) == ["ana", "rui"]
    stale = console.screen()
    stale.cookies.set(name, before)
    stale.headers[KEY] = key
    assert act(stale, "ana") == (401, "ana")


def test_the_cookie_alone_which_other_ports_are_sent_too_is_good_for_nothing_and_so_is_the_key(
    console: Console,
) -> None:
    screen = console.screen()
    log_in(screen, "ana")
    log_in(screen, "rui")
    by_cookie, by_key, wrong_key = console.screen(), console.screen(), console.screen()
    for thief in (by_cookie, wrong_key):
        thief.cookies.update(screen.cookies)
    by_key.headers[KEY] = screen.headers[KEY]
    wrong_key.headers[KEY] = screen.headers[KEY][::-1]
    for thief in (by_cookie, by_key, wrong_key):
        assert act(thief, "ana") == (401, "ana") and names(thief) == []
        assert thief.get("/entries").status_code == thief.delete("/delays/ana").status_code == 403
        thief.delete("/session/ana")
    assert names(screen) == ["ana", "rui"] and act(screen, "ana") == (200, None)
    log_in(by_cookie, "mei")
    assert names(by_cookie) == ["mei"], "a person with the cookie and a PIN joins no other"
    assert names(screen) == ["ana", "rui"]


@pytest.mark.parametrize("token", ["", "x", "é", "A" * 43])
def test_a_token_that_no_one_was_given_is_no_ones(console: Console, token: str) -> None:
    screen = console.screen()
    log_in(known := console.screen(), "ana")
    screen.headers[KEY] = known.headers[KEY]
    answer = screen.get("/session", headers=[(b"cookie", f"dealer_station_80={token}".encode())])
    assert answer.json()["persons"] == []


def test_wrong_names_pins_and_persons_without_one_are_refused_alike_and_kept_without_what_was_typed(
    console: Console,
) -> None:
    screen = console.screen()
    tries = [("ana", "111222"), ("zoe", PINS["ana"]), (PINS["ana"], "1"), ("sol", "862043"), ("ana", PINS["rui"])]
    answers = [screen.post("/session", json={"name": name, "pin": pin}) for name, pin in tries]
    assert {answer.status_code for answer in answers} == {403} and len({answer.content for answer in answers}) == 1
    assert console.kept == [
        "entry_refused ana dealer wrong_pin", "entry_refused None None unknown_name",
        "entry_refused None None unknown_name", "entry_refused sol supervisor no_pin",
        "entry_refused ana dealer wrong_pin",
    ]  # fmt: skip
    assert all(note.address == "testclient" for note in console.notes)
    assert names(screen) == []


def test_a_name_that_no_one_has_costs_a_hash_too(console: Console, monkeypatch: pytest.MonkeyPatch) -> None:
    hasher, asked = console.gate._trial._hasher, list[str]()
    verify = hasher.verify

    def seen(kept: str, pin: str) -> bool:
        asked.append(kept)
        return verify(kept, pin)

    monkeypatch.setattr(hasher, "verify", seen)
    for name in ("zoe", "sol", "ana"):
        assert log_in(console.screen(), name, "111222") == 403
    assert len(asked) == 3 and asked[0] == asked[1] != asked[2]
    assert [kept.split("$")[1:4] for kept in asked] == [asked[2].split("$")[1:4]] * 3


def test_who_does_nothing_is_logged_out_by_his_own_acts_alone_and_by_the_longest_time(console: Console) -> None:
    screen = console.screen()
    log_in(screen, "ana")
    log_in(screen, "rui")
    persons = screen.get("/session").json()["persons"]
    assert [person["ends_in"] for person in persons] == [LIMITS.dealer_idle, LIMITS.idle]
    for _ in range(2):
        console.clock.now += LIMITS.idle - 1
        assert act(screen, "rui")[0] == 200
    console.clock.now += LIMITS.idle - 1
    assert act(screen, "ana")[0] == 200
    console.clock.now += 1
    assert act(screen, "rui") == (403, "rui"), "what the dealer did was not his"
    while console.clock.now < 50 + LIMITS.longest:
        assert act(screen, "ana")[0] == 200
        console.clock.now += LIMITS.dealer_idle - 1
    assert act(screen, "ana") == (401, "ana")
    assert console.kept[2:] == ["entry_ended rui supervisor idle", "entry_ended ana dealer too_long"]


def test_a_changed_file_is_noticed_at_the_next_log_in(console: Console) -> None:
    screen = console.screen()
    keep_pins(console.file, {"sol": "862043"})
    assert log_in(screen, "sol", "862043") == 200
    with changing_pins(console.file) as pins:
        del pins["sol"]
    assert log_in(screen, "sol", "862043") == 403


def test_without_any_pin_the_console_only_shows_and_says_what_to_do(tmp_path: Path) -> None:
    console = Console(tmp_path, pins={})
    screen = console.screen()
    answer = screen.post("/session", json={"name": "ana", "pin": "274951"})
    assert answer.status_code == 403 and answer.json()["error"] == "no_pins"
    assert "dealer-station pin" in answer.json()["expected"]
    assert act(screen, "ana") == (401, "ana") and screen.get("/table").status_code == 200
    assert console.gate.why_closed() == "no PIN is set"


def test_a_file_open_to_others_lets_no_one_in(console: Console) -> None:
    console.file.chmod(0o644)
    answer = console.screen().post("/session", json={"name": "ana", "pin": PINS["ana"]})
    assert answer.status_code == 503 and "chmod 600" in answer.json()["reason"] == console.gate.why_closed()


BODIES = [b"", b"{", b"[]", b'{"name":"ana"}', b'{"name":"ana","pin":274951}', b'{"name":"","pin":"1"}',
          b'{"name":"ana","pin":"274951","more":1}', b"\xff", b'{"name":"ana","pin":"%s"}' % (b"1" * 101)]  # fmt: skip


@pytest.mark.parametrize("body", BODIES, ids=range(len(BODIES)))
def test_what_is_no_log_in_is_refused_without_repeating_it(console: Console, body: bytes) -> None:
    answer = console.screen().post("/session", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 400 and answer.json()["error"] == "malformed"
    assert b"274951" not in answer.content and console.notes == []


def test_a_log_in_of_another_type_or_size_is_not_read(console: Console) -> None:
    screen, body = console.screen(), b'{"name":"ana","pin":"274951"}'
    assert screen.post("/session", content=body, headers={"content-type": "text/plain"}).status_code == 415
    long = body + b" " * 1024
    assert screen.post("/session", content=long, headers={"content-type": "application/json"}).status_code == 413
    assert "274951" not in repr(LogIn(name="ana", pin="274951"))


FOREIGN = [
    {"origin": "http://evil.example"}, {"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-site"},
    {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
]  # fmt: skip


@pytest.mark.parametrize("headers", FOREIGN, ids=str)
def test_a_page_of_another_origin_neither_logs_in_nor_out_nor_acts(console: Console, headers: dict[str, str]) -> None:
    screen = console.screen()
    log_in(screen, "ana")
    input = {"input_id": "1", "step_id": "1/begin", "actor": "ana", "kind": "begin_round"}
    assert screen.post("/inputs", json=input, headers=headers).status_code == 403
    assert screen.post("/session", json={"name": "rui", "pin": PINS["rui"]}, headers=headers).status_code == 403
    assert screen.delete("/session", headers=headers).status_code == 403
    assert names(screen) == ["ana"] and len(console.notes) == 1


def test_the_entries_are_a_supervisors_to_see(console: Console) -> None:
    screen = console.screen()
    assert screen.get("/entries").status_code == 403
    log_in(screen, "ana")
    log_in(screen, "mei")
    assert screen.get("/entries").status_code == 403
    log_in(screen, "rui")
    assert screen.get("/entries").json() == {"last": 100} and screen.get("/entries?last=7").json() == {"last": 7}
    for wrong in ("0", "1001", "x", "", "-1", "１"):
        assert screen.get("/entries", params={"last": wrong}).status_code == 400


def test_the_register_is_a_supervisors_to_see_and_the_players_display_everybodys(console: Console) -> None:
    screen = console.screen()
    assert screen.get("/display").status_code == screen.get("/display/stream").status_code == 200
    log_in(screen, "ana")
    assert screen.get("/register").status_code == 403
    log_in(screen, "rui")
    assert screen.get("/register?day=2026-01-31").json() == {"day": "2026-01-31"}


def test_where_pins_are_off_anyone_who_is_named_is_believed_and_no_one_logs_in() -> None:
    screen = client()
    assert screen.get("/session").json() == {"pins": False, "persons": []}
    assert screen.post("/session", json={"name": "ana", "pin": "274951"}).json()["error"] == "pins_off"
    assert screen.get("/entries").status_code == 409
    assert act(screen, "ana") == (200, None)
