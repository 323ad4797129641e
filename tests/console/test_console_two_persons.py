"""Acts of two persons need the PINs with the act itself; who stays, and what the sweep notices by itself."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest

from controller.console.sessions import Credential, ScreenSessions
from controller.console.two_persons import HEADER, pins_in
from controller.engine.decisions.deciders import ROWS, ApproveChanges
from controller.engine.decisions.decision import CoSigned
from controller.engine.outcomes import NotDurable, Refused, Stale
from controller.engine.state.events import SignInEvent
from controller.engine.state.persons import PersonInput
from tests.console.gates import LIMITS, PINS, Clock, Console, act, apart, keep_pins, log_in, names

HIT = {"kind": "confirm_hit", "step_id": "hit/1", "hit": 1}
PARAMETERS = {"kind": "approve_parameters", "step_id": "parameters/1", "number": 1}
METER: dict[str, Any] = {
    "kind": "adjust_meter",
    "step_id": "adjustment",
    "part": "pot",
    "amount": 1,
    "reason": "audit",
    "second": "ana",
}
ANA, RUI = (f"{name}={PINS[name]}" for name in ("ana", "rui"))
WRONG = "111222"


@pytest.fixture
def console(tmp_path: Path) -> Console:
    return Console(tmp_path)


@pytest.mark.parametrize("kind", [HIT, PARAMETERS], ids=lambda kind: kind["kind"])
def test_each_half_of_an_act_of_two_persons_is_done_with_a_pin_of_its_own(
    console: Console, kind: dict[str, Any]
) -> None:
    screen = console.screen()
    log_in(screen, "ana")
    log_in(screen, "rui")
    for actor, own, other in (("ana", ANA, RUI), ("rui", RUI, ANA)):
        assert act(screen, actor, **kind) == act(screen, actor, other, **kind) == (403, actor)
        assert act(screen, actor, own, **kind) == (200, None)
    halves = [{"input_id": actor, "actor": actor, **kind} for actor in ("ana", "rui")]
    for given in ({}, {HEADER: ANA}, {HEADER: RUI}):
        assert screen.post("/inputs", json=halves, headers=given).json()["error"] == "pin", "one hand, both halves"
    assert len(console.face.inputs) == 2
    assert screen.post("/inputs", json=halves, headers={HEADER: f"{ANA}, {RUI}"}).status_code == 200
    assert act(screen, "ana") == (200, None), "what one person does needs no more than to be logged in"


def test_an_act_with_a_second_person_is_one_that_needs_their_pins() -> None:
    second = [kind for kind in ROWS if issubclass(kind, PersonInput) and "second" in kind.__struct_fields__]
    assert len(second) > 9 and all(issubclass(kind, CoSigned | ApproveChanges) for kind in second)


def test_an_adjustment_needs_both_pins_and_the_second_person_need_not_be_logged_in(console: Console) -> None:
    screen, given = console.screen(), f"{ANA},{RUI}"
    assert act(screen, "rui", given, **METER) == (401, "rui"), "someone is logged in on the screen"
    log_in(screen, "rui")
    assert act(screen, "rui", given, **METER) == (200, None)
    log_in(screen, "ana")
    assert act(screen, "rui", **METER) == act(screen, "rui", ANA, **METER) == (403, "rui")
    assert act(screen, "rui", RUI, **METER) == (403, "ana")
    assert act(screen, "rui", given, **METER) == (200, None)


WITNESSED = {"kind": "witness_cards", "step_id": "1/claims", "hits": [1], "second": "ana"}


def test_who_signs_with_a_pin_need_not_be_logged_in_and_may_do_nothing_else_there(console: Console) -> None:
    screen = console.screen()
    log_in(screen, "ana")
    halves = [{"input_id": actor, "actor": actor, **HIT} for actor in ("ana", "rui")]
    for given, status in ((ANA, 403), (RUI, 403), (f"{ANA},rui={WRONG}", 403), (f"{ANA},{RUI}", 200)):
        assert screen.post("/inputs", json=halves, headers={HEADER: given}).status_code == status
    assert len(console.face.inputs) == 2 and names(screen) == ["ana"]
    assert act(screen, "rui") == (403, "rui") and act(screen, "rui", RUI) == (403, "rui")
    assert act(screen, "rui", f"{ANA},{RUI}", **WITNESSED) == (200, None)
    assert act(screen, "rui", RUI, **WITNESSED) == (403, "ana")


CHANGE = {"kind": "correct_decision", "step_id": "1/correct", "seat": 2, "decision": "play", "reason": "x"}
REJECTS = {"kind": "reject_changes", "step_id": "changes", "changes": [1], "reason": "x"}


@pytest.mark.parametrize("kind", [CHANGE, REJECTS], ids=lambda kind: kind["kind"])
def test_a_supervisor_changes_an_entry_with_a_pin_so_that_a_dealer_does_not_where_one_stayed_logged_in(
    console: Console, kind: dict[str, Any]
) -> None:
    screen = console.screen()
    log_in(screen, "ana")
    assert act(screen, "ana", **kind) == (200, None), "the table refuses or holds what a dealer may not"
    assert act(screen, "rui", RUI, **kind) == (200, None), "with a PIN in the act a log-in is not needed"
    log_in(screen, "rui")
    assert act(screen, "rui", **kind) == act(screen, "rui", ANA, **kind) == (403, "rui")
    assert act(screen, "rui", RUI, **kind) == (200, None)


def test_a_pin_with_an_act_is_tried_and_counted_as_at_a_log_in_and_kept_nowhere(console: Console) -> None:
    screen = console.screen()
    log_in(screen, "ana")
    console.notes.clear()
    answers = [screen.post("/inputs", json={"input_id": "1", "actor": "ana", **HIT}, headers={HEADER: f"ana={WRONG}"})
               for _ in range(6)]  # fmt: skip
    assert [(answer.status_code, answer.json()["error"]) for answer in answers] == [(403, "wrong_pin")] * 4 + [
        (429, "locked_out")
    ] * 2
    assert all(answer.json()["who"] == "ana" for answer in answers) and answers[-1].headers["retry-after"]
    assert act(screen, "ana", ANA, **HIT) == (429, "ana") and console.face.inputs == []
    assert act(screen, "ana") == (200, None), "who is logged in continues dealing"
    assert len(console.kept) == 6 and not {WRONG, PINS["ana"]} & set(" ".join(console.kept).split())
    assert console.notes and all(note.screen for note in console.notes), "this screen's delay, and no other's"  # type: ignore[union-attr]
    console.clock.now += 60
    assert act(screen, "ana", ANA, **HIT) == (200, None)
    assert PINS["ana"] not in msgspec.json.encode(console.face.inputs).decode()


def test_right_pins_are_not_counted_among_the_attempts_of_a_minute(console: Console) -> None:
    screen = console.screen()
    log_in(screen, "ana")
    assert [act(screen, "ana", ANA, **HIT)[0] for _ in range(30)] == [200] * 30


@pytest.mark.parametrize("given", ["274951", "ana=", "=274951", "ana=274951,", "ana=" + "1" * 101])
def test_what_is_no_pin_is_refused_without_repeating_it(console: Console, given: str) -> None:
    screen = console.screen()
    log_in(screen, "ana")
    answer = screen.post("/inputs", json={"input_id": "1", "actor": "ana", **HIT}, headers={HEADER: given})
    assert answer.status_code == 400 and answer.json()["key"] == HEADER and "274951" not in answer.text


def test_a_name_is_percent_encoded_in_the_header() -> None:
    assert pins_in("jos%C3%A9%2C%20o%3Dz=274951, ana=1") == {"josé, o=z": "274951", "ana": "1"} and pins_in(None) == {}


@pytest.mark.parametrize(
    "outcome",
    [Refused("rui", "x", code="no_such_hit", values={}), Stale("2/begin"), NotDurable("disk")],
    ids=lambda outcome: type(outcome).__name__,
)
def test_what_the_table_has_not_taken_prolongs_no_stay(console: Console, outcome: Refused | Stale | NotDurable) -> None:
    screen = console.screen()
    log_in(screen, "rui")
    console.clock.now += LIMITS.idle - 1
    console.face.outcome = outcome
    assert act(screen, "rui")[0] != 200
    console.clock.now += 1
    assert names(screen) == []


def test_who_comes_again_stays_one_person_with_a_new_time() -> None:
    clock, notes = Clock(), list[SignInEvent]()
    presence = ScreenSessions(LIMITS, notes.append, clock)
    token = presence.sign_in(Credential(None, None), "rui", "supervisor", "", "hash")
    clock.now += LIMITS.idle - 1
    token = presence.sign_in(token, "rui", "supervisor", "", "hash")
    clock.now += LIMITS.idle - 1
    assert [person.name for person in presence.on(token)] == ["rui"]
    presence.leave(token, "zoe")
    presence.leave(Credential("another", token.key), None)
    assert len(presence.on(token)) == 1 and len(notes) == 2


async def swept(console: Console, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the gate keep watch until it has looked at everything twice."""
    looked = asyncio.Event()
    turns = 0

    async def sleep(seconds: float) -> None:
        nonlocal turns
        turns += 1
        if turns == 2:
            looked.set()
            await asyncio.Event().wait()

    monkeypatch.setattr(asyncio, "sleep", sleep)
    keeping = asyncio.create_task(console.gate.keep())
    await looked.wait()
    keeping.cancel()
    await asyncio.gather(keeping, return_exceptions=True)


def test_the_door_logs_out_by_itself_whose_time_is_over_or_whose_pin_was_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    console = Console(tmp_path)
    screen = console.screen()
    for name in PINS:
        log_in(screen, name)
    apart(swept(console, monkeypatch))
    assert len(console.notes) == 3
    keep_pins(console.file, {"ana": "741852"})
    apart(swept(console, monkeypatch))
    assert console.kept[3:] == ["entry_ended ana dealer pin_changed"]
    console.clock.now += LIMITS.idle
    apart(swept(console, monkeypatch))
    assert console.kept[4:] == ["entry_ended rui supervisor idle", "entry_ended mei technician idle"]
    assert names(screen) == []


def test_a_file_that_is_gone_logs_everybody_out_and_one_that_cannot_be_read_no_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    console = Console(tmp_path)
    screen = console.screen()
    log_in(screen, "ana")
    console.file.write_text("{", encoding="utf-8")
    apart(swept(console, monkeypatch))
    assert names(screen) == ["ana"]
    console.file.unlink()
    apart(swept(console, monkeypatch))
    assert names(screen) == []
