"""Every alarm has a row, and every row its sentences in every language and its lines on the operator's page."""

import ast
from collections.abc import Iterator
from typing import NamedTuple, get_args

import pytest

from controller.engine.decisions.deciders import ROWS
from controller.engine.shown.prompts import alarm_words, public_alarm
from controller.engine.state.alarms import ALARMS, AlarmKind, Level, RecordedAlarm, alarm_kind, names
from controller.words import SPOKEN
from tests.docs.written import ALARMS_TABLE, alarms_table
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


def test_every_alarm_is_on_the_page_of_alarms() -> None:
    assert ALARMS_TABLE.on_page() == [alarms_table()], "run make pages"


def test_an_input_that_ends_an_alarm_is_one() -> None:
    kinds = {str(kind.__struct_config__.tag) for kind in ROWS}
    assert {kind for row in ALARMS for kind in row.ends} <= kinds


def test_each_name_is_that_of_one_alarm() -> None:
    found = list(names(archive=("hall",), seat=(1, 2), number=(7,)))
    assert {"journal", "device-shoe", "slots-seat-2", "archive-hall", "message-7-aside"} <= set(found)
    assert not any("{" in name for name in found)
    assert not any("seat" in name for name in names())
