"""Every alarm has its sentences in every language, and a language more is a file more, shown wherever words are."""

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, cast, get_args

import msgspec
import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from controller.__main__ import main
from controller.console.files import page_files
from controller.engine.decisions.betting import ChipPassed
from controller.engine.decisions.deciders import ROWS
from controller.engine.decisions.devices import DeviceMissed, DeviceReport
from controller.engine.decisions.played import Decide
from controller.engine.shown.device_orders import react
from controller.engine.shown.projection import project
from controller.engine.shown.prompts import alarm_words, public_alarm
from controller.engine.state.alarms import (
    ALARMS,
    AlarmAcknowledged,
    AlarmKind,
    AlarmRaised,
    Level,
    RecordedAlarm,
    alarm_kind,
    names,
)
from controller.floor.messages import Retained
from controller.rulebook.events import CardCameEarly, RoundVoided
from controller.words import CATALOGUES, SPOKEN, Catalogue, english, on_the_page, read_catalogues
from tests.engine.playing import IDENTITY, Play
from tests.slips.keeping_slips import configuration, keep, paid
from tests.words.reasons_given import HOLE, calls, modules, texts, walked
from tests.words.test_words_reasons import holes

CODES = {code: row for row in ALARMS for code in row.codes}
OF_A_DEVICE = {"device", "no_answer"}
UNREADABLE = "?"  # a code that these tests cannot follow to a text; no row has it


class Given(NamedTuple):
    """One place that says that an alarm is active: its code with HOLE for what is composed, and its values."""

    where: str
    code: str
    values: frozenset[str]


def given() -> Iterator[Given]:
    for path, tree in modules():
        for function, name, call in calls(tree):
            if name == "active":
                named = frozenset(keyword.arg or "**" for keyword in call.keywords)
                for text in list(texts(call.args[0], function)) or [UNREADABLE]:
                    yield Given(f"{path}:{call.lineno}", text, named)


def meant(code: str) -> list[str]:
    """The codes of rows that a composed one can be."""
    before, hole, after = code.partition(HOLE)
    return [row for row in CODES if row == code or (hole and row.startswith(before) and row.endswith(after))]


def test_no_alarm_is_raised_without_a_row_and_no_row_without_being_raised() -> None:
    found = list(given())
    assert len(found) >= 25
    assert [reason.where for reason in found if not meant(reason.code)] == []
    assert {code for reason in found for code in meant(reason.code)} == set(CODES)


def test_alarms_are_raised_by_their_code_alone() -> None:
    """`active` looks a code up in the table; nothing else makes the event that raises an alarm."""
    made = [
        path
        for path, tree in modules()
        for call in walked(tree)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id in ("AlarmRaised", "ActiveAlarm")
    ]
    assert set(made) == {"engine/state/alarms.py"}, made
    with pytest.raises(KeyError):
        alarm_kind("no_such_alarm", {})


def test_what_fills_name_and_sentence_of_an_alarm_is_given_with_it() -> None:
    for reason in given():
        for code in meant(reason.code):
            wanted = set[str]().union(*(holes(text) for text in (CODES[code].name, *_english(code))))
            known = reason.values | (OF_A_DEVICE if "device" in reason.values else set())
            assert wanted <= known or "**" in known, f"{reason.where}: {code}"


def _english(code: str) -> tuple[str, str]:
    return SPOKEN["en"].alarm_texts[code], SPOKEN["en"].alarm_actions[code]


@pytest.mark.parametrize("row", ALARMS, ids=lambda row: f"{row.name} {row.codes[0]}")
def test_every_alarm_says_in_every_language_what_is_wrong_and_what_to_do(row: AlarmKind) -> None:
    assert row.codes and row.level in get_args(Level)
    for code in row.codes:
        for language, words in SPOKEN.items():
            end = "。" if language == "zh" else "."
            assert words.alarm_texts[code].endswith(end) and words.alarm_actions[code].endswith(end), (language, code)
            assert words.alarm_actions[code] != SPOKEN["en"].alarm_actions[code] or language == "en"


def test_what_an_alarm_says_is_what_is_wrong_and_then_what_to_do() -> None:
    words = alarm_words("device_lost/unplugged", {"device": "sign"})
    assert words["en"] == "The sign does not answer: unplugged, or without power. Check cable and power."
    assert words["zh"] == "顯示牌沒有回應：未接上或沒有電源。請檢查接線及電源。"
    assert alarm_words("damaged_card/place", {"place": "seat 3"})["pt"].startswith(
        "Uma carta está danificada: Lugar 3. "
    )


@pytest.mark.parametrize(("code", "device"), [("of_a_later_version", ""), ("trouble/jam", "robot")])
def test_an_alarm_that_this_version_does_not_know_is_shown_by_its_code(code: str, device: str) -> None:
    kept = RecordedAlarm("x", code, {"device": device} if device else {}, since="2026-01-01T00:00:00Z")
    shown = public_alarm(kept, kept)
    assert (shown.code, shown.level) == (code, "warning")
    assert all(code in text for text in shown.texts.values())
    assert shown.texts["en"].startswith("The journal has an alarm that this version of the software does not know")


def test_an_input_that_ends_an_alarm_is_one() -> None:
    kinds = {str(kind.__struct_config__.tag) for kind in ROWS}
    assert {kind for row in ALARMS for kind in row.ends} <= kinds


def test_each_name_is_that_of_one_alarm() -> None:
    found = list(names(archive=("hall",), seat=(1, 2), number=(7,)))
    assert {"journal", "device-shoe", "slots-seat-2", "archive-hall", "message-7-aside"} <= set(found)
    assert not any("{" in name for name in found)
    assert not any("seat" in name for name in names())


LOST = AlarmRaised("device-sign", "device_lost/unknown", {"device": "sign"}, "now")
NOT_SPOKEN = ("between_sentences", "numerals")  # but how it is pronounced


@pytest.fixture
def catalogues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, bytes]:
    """The catalogues with one file more beside them, that of English in brackets."""
    for language, text in CATALOGUES.items():
        (tmp_path / f"{language}.json").write_bytes(text)
    words = json.loads(CATALOGUES["en"])
    words |= {"language.name": "Brackets", "simulation": "NO MONEY"}
    for part in Catalogue.__struct_fields__:
        words[part] = {key: text if key in NOT_SPOKEN else bracketed(text) for key, text in words[part].items()}
    (tmp_path / "xx.json").write_text(json.dumps(words), encoding="utf-8")
    found = read_catalogues(tmp_path)
    spoken = cast(dict[str, Catalogue], SPOKEN)
    monkeypatch.setitem(spoken, "xx", msgspec.json.decode(found["xx"], type=Catalogue))
    return found


def bracketed(text: str) -> str:
    """The forms of a currency are several texts."""
    return " / ".join(f"<{form}>" for form in text.split(" / "))


def test_it_is_served_to_the_page_with_the_reasons_to_refuse(catalogues: dict[str, bytes]) -> None:
    assert set(catalogues) == {*CATALOGUES, "xx"}
    refusal = Play().to_wagers().refused(Decide, seat=3, hand=1, decision="play")
    assert refusal.reason.values == {"now": "wagers", "wanted": "'decisions'"}
    assert SPOKEN["xx"].reason_text(refusal.reason) == f"<{english(refusal.reason)}>"

    page = TestClient(Starlette(routes=page_files("simulation", "fortune-8", catalogues)))
    assert "SIMULATION · SIMULAÇÃO · NO MONEY · 模擬" in page.get("/").text
    served = page.get("/page/words.json").json()
    assert served.keys() == catalogues.keys() and served["xx"]["language.name"] == "Brackets"
    assert served["xx"]["reasons"][refusal.reason.code] == "<this is the time for {now!r}, not for {wanted}>"


@pytest.mark.usefixtures("catalogues")
def test_prompt_notice_alarm_sign_and_legal_status_are_shown_in_it() -> None:
    play = Play().to_wagers()
    play.receive(ChipPassed(seat=4, counter=99, edges=99))
    play.receive(DeviceMissed(device="slots", reason="unplugged"))
    play.receive(DeviceReport(device="shoe", what="error", details="5: draw timed out"))
    shown = json.loads(play.projection())
    assert shown["step"]["prompt"]["xx"] == (
        "<Take the bets, then press No more bets.> "
        "<<The slots do not answer>.> <No new jackpot chip counts. Press No more bets on the screen.>"
    )
    assert [notice["xx"] for notice in shown["notices"]] == [f"<{notice['en']}>" for notice in shown["notices"]] != []
    assert {alarm["name"]: alarm["texts"]["xx"] for alarm in shown["alarms"]} == {
        "device-slots": "<<The slots do not answer>.> <Check cable and power; if it stays away, call a technician.>",
        "shoe-error": (
            "<<shoe>: error.> "
            "<Look at the details and at the display of the device; if the error stays, call a technician.>"
        ),
        "slots-seat-4": (
            "<The sensor of seat 4 is in doubt.> <Give the chip there back; if the sensor stays so, call a technician.>"
        ),
    }
    assert [(page["lang"], page["text"]) for page in msgspec.to_builtins(react(play.table, 2).sign)["pages"]] == [
        ("pt", "JACKPOT PROGRESSIVO {amount}"), ("en", "PROGRESSIVE JACKPOT {amount}"),
        ("xx", "<PROGRESSIVE JACKPOT {amount}>"), ("pt", "SEM APOSTAS NO JACKPOT"), ("en", "NO JACKPOT BETS"),
        ("xx", "<NO JACKPOT BETS>"),
    ]  # fmt: skip
    assert shown["posted"]["legal_status"]["xx"] == f"<{shown['posted']['legal_status']['en']}>"


@pytest.mark.usefixtures("catalogues")
def test_an_alarm_goes_to_the_floor_in_it() -> None:
    play = Play()
    play.receive(DeviceMissed(device="shuffler", reason="unplugged"))
    table = project(play.table, react(play.table, 2), play.settings)
    retained = json.loads(Retained(IDENTITY).of(table, 0, "now", 1)[f"{IDENTITY.base}/alarms/device-shuffler"])
    assert retained["data"]["texts"]["xx"] == (
        "<<The shuffler does not answer>.> <Check cable and power; if it stays away, call a technician.>"
    )


@pytest.mark.usefixtures("catalogues")
def test_a_slip_and_the_register_are_printed_in_it(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    config = str(configuration(tmp_path))
    play = paid(1)
    void = RoundVoided("17.º 2", code="shuffler_failed", values={})
    for event in (CardCameEarly(), void, LOST, AlarmAcknowledged(LOST.alarm, "rui")):
        play.entries.append((event, {}))
    keep(tmp_path / "state" / "journal.db", play)

    assert main(["slip", "--config", config, "1", "--language", "xx"]) == 0
    slip = capfd.readouterr().out
    assert slip.startswith("<JACKPOT PAYMENT SLIP>\n") and "<six hundred <patacas> and seventy <avos>>" in slip

    assert main(["register", "--config", config, "--language", "xx"]) == 0
    register = capfd.readouterr().out
    assert register.startswith("<REGISTER OF THE TABLE>\n") and "<A card came before it was called>" in register
    assert "<Round void (17.º 2): <the shuffler failed while dealing>>" in " ".join(register.split())
    assert "<Alarm acknowledged: <<The sign does not answer>.> <Check cable and power; if it" in (
        " ".join(register.split())
    )


def test_what_fills_a_hole_of_the_page_s_words_is_in_the_same_language() -> None:
    retained = on_the_page("policy", name=on_the_page("policy.roles"))
    assert retained == {"en": "policy: roles", "pt": "regra da casa: funções", "zh": "內部規則：職務"}
