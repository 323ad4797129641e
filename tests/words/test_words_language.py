"""A language more is a file more: in it is shown whatever is shown, on the page, on paper and to the floor."""

import json
from pathlib import Path
from typing import cast

import msgspec
import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from controller.__main__ import main
from controller.console.files import page_files
from controller.engine.decisions.betting import ChipPassed
from controller.engine.decisions.devices import DeviceMissed, DeviceReport
from controller.engine.decisions.played import Decide
from controller.engine.shown.device_orders import react
from controller.engine.shown.projection import project
from controller.engine.state.alarms import AlarmAcknowledged, AlarmRaised
from controller.floor.messages import Retained
from controller.rulebook.events import CardCameEarly, RoundVoided
from controller.words import CATALOGUES, SPOKEN, Catalogue, english, on_the_page, read_catalogues
from tests.engine.playing import IDENTITY, Play
from tests.slips.keeping_slips import configuration, keep, paid

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
