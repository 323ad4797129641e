"""Every device's every trouble in every phase of a round dealt from either source: what the table says is what happens.

`pytest -s -k printed` prints the matrix.
"""

import re
from typing import get_args

import msgspec
import pytest

from controller.engine.decisions.devices import DeviceSaid
from controller.engine.decisions.session import UseSource
from controller.engine.state.current import SOURCES, TROUBLES, cell
from controller.engine.state.persons import ShufflerFailed
from controller.rulebook.events import CardSource, RoundVoided
from controller.rulebook.game import Game
from controller.rulebook.games import GAMES
from controller.rulebook.parts.faults import PHASES, AnyPhase, Cell, DeviceName
from tests.engine import table_2008
from tests.engine.playing import Play
from tests.engine.troubles import BEGIN, Staged, end, is_told, that_lead_on

GAME = GAMES["fortune-3-card-poker-2025"]
GAME_2008 = table_2008.GAME
IN_USE: tuple[CardSource, ...] = ("shuffler", "shoe")
CITATION = re.compile(r"\d+\.º( \d+\)?)*( \d+\))?|policy: [a-z' ]+")
# What leads on beside the device's own return, while a round is held.
NAMED: dict[tuple[str, str, AnyPhase], set[str]] = {
    ("shuffler", "lost", "shuffle"): {"UseSource"},
    ("shuffler", "lost", "deal"): {"ShufflerFailed"},
    ("shuffler", "jam", "shuffle"): {"UseSource"},
    ("shuffler", "restarted", "shuffle"): {"UseSource"},
    ("shuffler", "restarted", "wagers"): {"UseSource"},
}
EVERY_CELL = [
    pytest.param(device, trouble, phase, source, id=f"{device}-{trouble}-{phase}-from-{source}".replace(" ", "-"))
    for device, trouble in TROUBLES
    for phase in PHASES
    for source in IN_USE
]
# 2008 has neither slots nor sign, and its own articles where a round stops; where play goes on it does so as in 2025.
EVERY_CELL_2008 = [
    pytest.param(device, trouble, phase, source, id=f"2008-{device}-{trouble}-{phase}-from-{source}".replace(" ", "-"))
    for device, trouble in TROUBLES
    for phase in PHASES
    for source in IN_USE
    if device not in ("slots", "sign", "pit") and cell(GAME_2008, device, trouble, phase, source).action != "go on"
]


def prompt(play: Play) -> dict[str, str]:
    words: dict[str, str] = msgspec.json.decode(play.projection())["step"]["prompt"]
    return words


@pytest.mark.parametrize(("device", "trouble", "phase", "source"), EVERY_CELL)
def test_what_the_matrix_says_is_what_happens(
    device: DeviceName, trouble: str, phase: AnyPhase, source: CardSource
) -> None:
    walk(GAME, Staged(phase, source), device, trouble)


@pytest.mark.parametrize(("device", "trouble", "phase", "source"), EVERY_CELL_2008)
def test_2008_what_the_matrix_says_is_what_happens(
    device: DeviceName, trouble: str, phase: AnyPhase, source: CardSource
) -> None:
    walk(GAME_2008, Staged(phase, source, **table_2008.TERMS), device, trouble)


def walk(game: Game, play: Staged, device: DeviceName, trouble: str) -> None:
    """One cell: the trouble is brought about at the table, and goes as the cell says."""
    said = cell(game, device, trouble, play.phase, play.source)
    before, dealt = play.step, len(play.entries)
    BEGIN[device, trouble](play)
    voids = [event for event, _ in play.entries[dealt:] if isinstance(event, RoundVoided)]
    assert bool(voids) is (said.action == "void")
    if trouble == "lost":
        assert f"device-{device}".encode() in play.projection()
        if said.action in ("hold", "by hand"):
            assert said.told
        assert is_told(said, game, prompt(play))
    match said.action:
        case "go on":
            assert play.step == before
            play.to_next_phase()
            end(play, device, trouble)
            play.to_settled_end()
        case "by hand":
            played_by_hand(play, device, trouble)
        case "hold":
            held(game, play, device, trouble)
        case "void":
            assert voids[0].article == said.citation
            carried = (1,) if game is GAME and said.citation[:4] == "17.º" else ()
            assert play.at("confirm") and voids[0].carried == carried
            play.until("claims")
            end(play, device, trouble)
            play.until("begin").sweep()
            play.to_settled_end()


def played_by_hand(play: Staged, device: DeviceName, trouble: str) -> None:
    """A person's answers lead on to a settled end while the trouble lasts."""
    while (device, trouble) == ("shoe", "lost") and play.at("deal"):
        play.unheard_card()
    play.to_settled_end()


def held(game: Game, play: Staged, device: DeviceName, trouble: str) -> None:
    """Nothing leads on but the device's return, or what the cell names instead."""
    named = NAMED[device, trouble, play.phase]
    assert that_lead_on(play) == named
    assert play.at("shuffle", "deal")
    other = Staged(play.phase, play.source, **({} if game is GAME else table_2008.TERMS))
    BEGIN[device, trouble](other)
    end(play, device, trouble)
    play.to_settled_end()
    if "UseSource" in named:
        other.say(UseSource, source="shoe")
        other.to_settled_end()
    else:
        other.change(ShufflerFailed)
        assert other.round.void is not None and other.round.void.article == game.citations.shuffler_failed
        other.until("claims")
        end(other, device, trouble)
        other.until("begin").sweep()
        other.to_settled_end()


def test_every_trouble_is_brought_about_and_no_other() -> None:
    assert set(BEGIN) == set(TROUBLES)
    assert {device for device, _ in TROUBLES} == {"shuffler", "shoe", "slots", "sign", "pit", "floor"}
    assert set(SOURCES) == set(get_args(CardSource))


def test_every_cell_is_filled_and_the_matrix_is_printed() -> None:
    print_matrix(GAME)


def test_2008_every_cell_is_filled_and_the_matrix_is_printed() -> None:
    print_matrix(GAME_2008)
    voids = {
        trouble: cell(GAME_2008, "shuffler", trouble, "deal", "shuffler").citation for trouble in ("jam", "packet")
    }
    assert voids == {"jam": "11.º 4)", "packet": "11.º 1)"}


def print_matrix(game: Game) -> None:
    print()
    print("| Device, trouble | " + " | ".join(PHASES) + " |")
    print("| --- " * (len(PHASES) + 1) + "|")
    for device, trouble in TROUBLES:
        row = []
        for phase in PHASES:
            cells = {source: cell(game, device, trouble, phase, source) for source in IN_USE}
            for one in cells.values():
                assert isinstance(one, Cell) and one.action in ("go on", "by hand", "hold", "void")
                assert CITATION.fullmatch(one.citation), one.citation
            own = cells["shoe" if device == "shoe" else "shuffler"]
            row.append(f"{own.action} ({own.citation})")
        print(f"| {device}, {trouble} | " + " | ".join(row) + " |")


def test_a_source_that_is_not_in_use_stops_nothing() -> None:
    for device, trouble in TROUBLES:
        for phase in PHASES:
            if device in SOURCES:
                other: CardSource = "shoe" if device == "shuffler" else "shuffler"
                assert cell(GAME, device, trouble, phase, other) == Cell("go on", "9.º 1")
                assert cell(GAME_2008, device, trouble, phase, other) == Cell("go on", "3.º")


def test_a_trouble_the_matrix_does_not_have_is_an_error() -> None:
    for trouble in ("jam", "coffee"):
        with pytest.raises(KeyError):
            cell(GAME, "slots", trouble, "deal", "shoe")


SAYINGS = [
    "noise", "reports_lost", "error", "error_cleared", "refused", "restarted", "lid_opened", "lid_closed",
    "out_of_turn", "cut_card", "misread", "damaged_card", "cleared", "deck_check",
]  # fmt: skip


@pytest.mark.parametrize("source", IN_USE)
@pytest.mark.parametrize("phase", PHASES)
def test_what_a_device_merely_says_of_itself_changes_no_step(phase: AnyPhase, source: CardSource) -> None:
    play = Staged(phase, source)
    before = play.step
    for what in SAYINGS:
        for device in ("shuffler", "shoe", "slots", "sign"):
            play.hear(DeviceSaid(device=device, what=what, details="x"))  # type: ignore[arg-type]
            assert play.step == before
    play.to_settled_end()


def test_every_saying_of_a_device_is_tried() -> None:
    hints = msgspec.inspect.type_info(DeviceSaid)
    assert isinstance(hints, msgspec.inspect.StructType)
    [what] = [field.type for field in hints.fields if field.name == "what"]
    assert isinstance(what, msgspec.inspect.LiteralType) and {*SAYINGS, "jam"} == set(what.values)
