"""The words of the panel: the same keys in every language, and none missing for what the bench can name."""

import json
import re
from pathlib import Path
from string import Formatter
from typing import Any

from simulators.dealer.showing import REFUSED
from simulators.faults.syntax import KINDS, PHASES, WIRE_COUNTED, WIRE_LASTING, WIRES, Ends, read_fault
from simulators.panel.drawn import MOVES
from simulators.panel.face import PAGE, PLAY_PAGE
from simulators.panel.panel import ACTORS, REFUSALS
from simulators.panel.presets import PRESETS
from simulators.setting import DEALS
from tests.console.test_console_words import SIMPLIFIED

CATALOGUES: dict[str, dict[str, Any]] = {
    path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted((PAGE / "words").iterdir())
}
ENGLISH = CATALOGUES["en"]
SOURCES = [path.read_text(encoding="utf-8") for path in Path("simulators").rglob("*.py")]
PAGES = {path.name: path.read_text(encoding="utf-8") for path in PAGE.iterdir() if path.suffix in (".js", ".html")}
AS_BUTTONS = (
    "open_table", "close_table", "begin_round", "shuffler_replaced", "deck_complete", "lock_in", "confirm",
    "confirm.void", "close_claims", "hold_cards", "tiles_dealt", "arranged", "unreported_card", "announce_form",
)  # fmt: skip
VARIANTS = {
    "give_up": ("yes", "no"), "even_money": ("yes", "no"), "pass_bank": ("absent", "refused"),
    "pass_cut": ("vacant", "declined"), "no_bets": ("spread", "kept"),
}  # fmt: skip


def holes(text: str) -> list[str]:
    return sorted(name for _, name, _, _ in Formatter().parse(text) if name is not None)


def assert_named(*keys: str) -> None:
    assert not [key for key in keys if key not in ENGLISH]


def test_every_key_is_in_every_language_with_the_same_holes() -> None:
    for code, words in CATALOGUES.items():
        assert words.keys() == ENGLISH.keys(), code
        for key, text in words.items():
            assert text.strip() and holes(text) == holes(ENGLISH[key]), f"{code}: {key}"
    assert not set(SIMPLIFIED) & set(json.dumps(CATALOGUES["zh"], ensure_ascii=False))


def test_every_fault_has_a_name_and_a_meaning_and_every_end_and_device_is_named() -> None:
    for kind in KINDS.values():
        wire = kind.device in WIRES and kind.name in (*WIRE_LASTING, *WIRE_COUNTED, "restart")
        where = "wire" if wire else kind.device
        assert_named(f"fault.{where}.{kind.name}", f"means.{where}.{kind.name}", f"device.{kind.device}")
        assert not (wire and f"fault.{kind.device}.{kind.name}" in ENGLISH)
    assert_named(*(f"ends.{end.name.lower()}" for end in Ends), *(f"phase.{phase}" for phase in PHASES))
    assert_named("device.reader", "device.tiles", *(f"refusal.{key}" for key in REFUSALS))
    assert_named(*(f"actor.{actor}" for actor in ACTORS))


def test_every_preset_is_of_faults_and_has_words_and_so_has_every_move_and_stop_of_the_tour() -> None:
    for name, faults in PRESETS.items():
        assert_named(f"preset.{name}", f"preset.{name}.means")
        for later, fault in faults:
            assert later >= 0 and read_fault(fault)
    assert_named(*(f"move.{move}" for move in MOVES))
    stops = re.findall(r'^  \["([a-z_]+:[a-z_]+)"', PAGES["tour.js"], re.MULTILINE)
    assert len(stops) > 10 and {tuple(stop.split(":")) for stop in stops} <= KINDS.keys()
    assert_named(*(f"tour.{stop}" for stop in stops))
    groups = re.search(r"GROUPS = \[(.*)\]", PAGES["stops.js"])
    assert groups is not None
    assert_named(*(f"stops.{group}" for group in re.findall(r'"(\w+)"', groups[1])))


def test_whatever_people_do_wrong_has_words() -> None:
    kinds = {kind for text in SOURCES for kind in re.findall(r'"irregularity",\s+kind="([a-z_]+)"', text)}
    kinds |= {kind for text in SOURCES for kind in re.findall(r'(?:noticed|_film)\("([a-z_]+)"', text)}
    assert {"slip_wager", "exposed", "late_chip", "entered_otherwise", "supervisor_void"} < kinds
    assert_named(*(f"odd.{kind}" for kind in {*kinds, "order", "number"}))


def test_whatever_the_robot_says_can_be_wanted_of_a_person_in_words() -> None:
    dealer = [path.read_text(encoding="utf-8") for path in Path("simulators/dealer").rglob("*.py")]
    kinds = {kind for text in dealer for kind in re.findall(r'"kind": "([a-z_]+)"', text)}
    assert len(kinds) > 45
    assert_named(*(f"wanted.{kind}" for kind in kinds - VARIANTS.keys()))
    assert_named(*(f"wanted.{kind}.{variant}" for kind, variants in VARIANTS.items() for variant in variants))
    assert_named(*(f"deal.{deal}" for deal in (*DEALS, "eight_places", "four_places")))
    hands = ("hit", "stand", "double", "split", "give_up", "even_money", "no", "insure", "follow")
    assert_named(*(f"decision.{name}" for name in (*hands, "play", "fold", REFUSED)))


def test_what_is_to_be_entered_is_called_as_the_button_of_the_dealers_screen() -> None:
    for code, words in CATALOGUES.items():
        console = json.loads(Path(f"controller/words/{code}.json").read_text(encoding="utf-8"))
        dot = "。" if code == "zh" else "."
        for kind in AS_BUTTONS:
            assert words[f"wanted.{kind}"] == console[f"input.{kind.replace('.', '_')}"] + dot, f"{code}: {kind}"
        assert words["wanted.reveal"] == console["input.reveal"].replace("{place}", "{to}") + dot


def test_what_another_player_decides_has_words_on_the_page_of_a_seat() -> None:
    for path in (PLAY_PAGE / "words").iterdir():
        words = json.loads(path.read_text(encoding="utf-8"))
        assert {f"decision.{name}.done" for name in ("play", "fold", REFUSED)} <= words.keys(), path.name


def test_the_page_names_no_key_that_is_missing() -> None:
    for name, text in PAGES.items():
        keys = re.findall(r'\bsay\("([^"]+)"', text) + re.findall(r'data-say="([^"]+)"', text)
        assert not [key for key in keys if key not in ENGLISH], name
        for start in re.findall(r"\bsay\(`([a-z_.]+)\.\$\{", text):
            assert any(key.startswith(f"{start}.") for key in ENGLISH), f"{name}: {start}"
