"""The fault language: what can be reported, friendly words for what cannot, what each game has, a standstill."""

import asyncio
import random
import re
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from simulators.__main__ import main
from simulators.devices.card_machine import MACHINE, CardMachine
from simulators.devices.dispenser import Dispenser
from simulators.devices.shuffler import Shuffler
from simulators.faults.chooser import Chooser
from simulators.faults.syntax import KINDS, PHASES, Conditions, Fault, read_fault
from simulators.faults.wiring import shuffler_acts
from simulators.felt.camera import Camera
from simulators.games import GAMES as ON_THE_BENCH
from simulators.lifetime import STANDSTILL_SECONDS, film_standstills
from simulators.pace import pace_from_text
from tests.configured import configured
from tests.games import BLACKJACK_21, FORTUNE_3_2008, FORTUNE_3_2025, FORTUNE_8, GAMES, TAIWAN_PAI_KAO
from tests.referee.film.camera import watch
from tests.simulators.decks import Deck, Orders
from tests.simulators.fault_table import FaultTable
from tests.simulators.test_simulators_command_line import refusal
from tests.station.test_station_faults import edges

# The public list of faults every simulator can be asked to show, and what each is called here.
ON_EVERY_WIRE = {
    "split reads": "split", "one byte at a time": "bytewise", "babble": "babble", "corrupted byte": "corrupt",
    "lost report": "lost", "doubled report": "doubled", "late answer": "late", "mute": "mute",
    "unplug and return under the same name": "unplug", "restart with a new boot id": "restart",
}  # fmt: skip
OF_A_DEVICE = {
    "unreadable card": "shoe:unreadable", "card not read by the shuffler": "shuffler:misread",
    "overdraw": "shoe:overdraw", "card missing": "deck:missing", "doubled in the deck": "deck:doubled",
    "cut card": "shoe:cut_card", "jam": "shuffler:jam", "lid open": "shuffler:lid_open",
    "damaged card": "shuffler:damaged", "a card too few": "shuffler:short", "stuck sensor": "slots:stuck=3",
    "bouncing sensor": "slots:bounce=3", "chip between polls": "slots:passing=3", "a storm": "slots:storm=3",
    "watchdog trip": "slots:watchdog", "sign NAK": "sign:nak", "sign memory lost": "sign:memory_lost",
}  # fmt: skip
OF_PEOPLE = (
    "dealer:expose=bank", "dealer:order", "dealer:number", "dealer:empty_seat", "dealer:slip_wager",
    "dealer:slip_seat", "dealer:slip_decision", "dealer:miskey", "players:late_chip=2", "players:in_and_out=2",
    "dealer:early_card", "dealer:error_corrected", "dealer:unasked_card=seen", "dealer:bank_card_too_many",
    "dealer:slip_dice", "dealer:complaint=2", "dealer:no_bets=spread",
)  # fmt: skip


def test_every_fault_is_spoken_and_nothing_else() -> None:
    wired = [f"{device}:{kind}" for device in ("shuffler", "shoe", "slots", "sign") for kind in ON_EVERY_WIRE.values()]
    spoken = [read_fault(text) for text in [*wired, *OF_A_DEVICE.values(), *OF_PEOPLE]]
    assert {(fault.device, fault.kind) for fault in spoken} == set(KINDS)


def test_values_and_conditions() -> None:
    assert read_fault("shoe:mute@round=12") == Fault("shoe", "mute", "", Conditions(round=12))
    assert read_fault("slots:stuck=3") == Fault("slots", "stuck", "3")
    assert read_fault("shuffler:jam@card=2") == Fault("shuffler", "jam", "", Conditions(card=2))
    assert read_fault(" shoe : late @ phase = deal , for = 0.5 ").conditions == Conditions(phase="deal", seconds=0.5)
    assert read_fault("shuffler:lost").count == 1
    assert read_fault("shuffler:lost=4").count == 4
    assert read_fault("dealer:expose=seat 4") == read_fault("dealer:expose=4") == read_fault("dealer:expose=seat-4")
    assert read_fault("shoe:mute=off") == Fault("shoe", "mute", "off")


@pytest.mark.parametrize(
    "text",
    [
        "shoe:lost=3@round=2,card=5", "slots:storm=7@phase=wagers,for=1.5", "dealer:expose=seat 2", "shuffler:jam=off",
        "deck:missing",
    ],
)  # fmt: skip
def test_a_fault_reads_back_as_it_is_written(text: str) -> None:
    assert str(read_fault(text)) == text


@pytest.mark.parametrize(
    ("wrong", "expected"),
    [
        ("", "DEVICE:KIND expected"), ("shoe", "DEVICE:KIND expected"), ("toaster:jam", "one of shuffler shoe slots"),
        ("shoe:jam", "one of split bytewise"), ("slots:stuck", "takes a seat, 1 to 8"), ("slots:stuck=9", "not '9'"),
        ("slots:stuck=", "nothing comes after ="), ("shuffler:jam=2", "takes no value"), ("shoe:lost=0", "how many"),
        ("dealer:expose=moon", "bank, community, seat 3"), ("shoe:mute@", "a condition expected"),
        ("shoe:mute@when=2", "'when' is no condition"), ("shoe:mute@round=0", "from 1 on"),
        ("shoe:mute@phase=lunch", "one of between shuffle"), ("shoe:mute@for=-1", "positive"),
        ("shoe:mute@for=nan", "positive"), ("shoe:mute@round=1,round=2", "given twice"),
        ("shuffler:jam@for=2", "ends when the dealer"), ("shoe:lost=off", "ends by itself"),
        ("deck:missing=off", "ends when the dealer repairs it"), ("shoe:mute=off@round=1", "=off takes no conditions"),
    ],
)  # fmt: skip
def test_a_mistake_says_what_was_expected(wrong: str, expected: str) -> None:
    with pytest.raises(ValueError, match=re.escape(expected)):
        read_fault(wrong)


@pytest.mark.parametrize(
    ("wrong", "meant"), [("shufler:jam", "shuffler:jam"), ("slots:stuk=3", "slots:stuck"), ("toaster:bagel", None)]
)
def test_a_mistyped_fault_gets_the_nearest(wrong: str, meant: str | None) -> None:
    with pytest.raises(ValueError, match=r".: ") as mistake:
        read_fault(wrong)
    assert str(mistake.value).partition("; did you mean ")[2] == (f"{meant}?" if meant else "")


def test_help_shows_how(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["bench", "--help"])
    output = capsys.readouterr().out
    assert "--fault shuffler:jam@round=3,card=2" in output
    assert "--faults 0.2" in output


NONE_OF_JACKPOT = [named for named in KINDS if named[0] in ("slots", "sign", "players")]
ONLY_FORTUNE_8 = [("dealer", "early_card"), ("dealer", "error_corrected")]
NEVER_FACE_UP = [("dealer", "expose"), ("dealer", "empty_seat"), ("shuffler", "short")]
NEVER_FORTUNE_8 = [*NEVER_FACE_UP, ("dealer", "slip_decision")]
ONLY_BLACKJACK = [("dealer", name) for name in ("unasked_card", "bank_card_too_many", "no_bets")]
ONLY_PAI_KAO = [("dealer", "slip_dice")]
NEVER_PAI_KAO = [("dealer", name) for name in ("early_card", "empty_seat", "slip_decision")] + [
    named for named in KINDS if named[0] in ("shuffler", "slots", "players") or named == ("shoe", "cut_card")
]
SENSELESS = {
    FORTUNE_3_2025: ONLY_FORTUNE_8 + ONLY_BLACKJACK + ONLY_PAI_KAO,
    FORTUNE_3_2008: ONLY_FORTUNE_8 + ONLY_BLACKJACK + ONLY_PAI_KAO + NONE_OF_JACKPOT,
    FORTUNE_8: NEVER_FORTUNE_8 + ONLY_BLACKJACK + ONLY_PAI_KAO + NONE_OF_JACKPOT,
    TAIWAN_PAI_KAO: NEVER_PAI_KAO + ONLY_BLACKJACK,
    BLACKJACK_21: [*NEVER_FACE_UP, *ONLY_PAI_KAO, ("dealer", "early_card"), ("dealer", "miskey")],
}


@pytest.mark.parametrize("game", GAMES)
async def test_a_table_knows_the_faults_of_its_game_alone(game: str) -> None:
    table = FaultTable(game)
    left_out = SENSELESS[game]
    assert table.injector.kinds == [str(kind) for named, kind in KINDS.items() if named not in left_out]
    for named in left_out:
        wished = Fault(*named, "3" if named[0] == "slots" else "")
        with pytest.raises(ValueError, match=game):
            table.injector.wish(wished)
        assert table.injector.obey(str(KINDS[named])).startswith("error: ")
    table.injector.close()


@pytest.mark.parametrize(
    ("game", "source"),
    [
        pytest.param(game, source, marks=[pytest.mark.soak] * (source != ON_THE_BENCH[game].sources[0]))
        for game in GAMES
        for source in ("shuffler", "shoe")
        if source in ON_THE_BENCH[game].sources
    ],
)
async def test_chance_chooses_what_makes_sense_in_the_game(game: str, source: str) -> None:
    table = FaultTable(game)
    chooser = Chooser(table.injector, table.stage, random.Random("7"), 1.0, 7, lambda: source)
    faults = [chooser.choose(source, number) for number in range(1, 800)]
    away = "shoe" if source == "shuffler" else "shuffler"
    expected = {named for named in KINDS if named not in SENSELESS[game] and named[0] != away}
    assert {(fault.device, fault.kind) for fault in faults} == expected
    for fault in faults:
        ON_THE_BENCH[game].faults.check(read_fault(str(fault)))
    phases = {fault.conditions.phase for fault in faults if fault.device == source}
    assert ("decisions" in phases) == (game != FORTUNE_8)
    assert "shuffle" not in phases or game in (FORTUNE_3_2025, FORTUNE_3_2008)
    assert "reveal" not in phases or game not in (FORTUNE_8, BLACKJACK_21)
    table.injector.close()


@pytest.mark.parametrize(("game", "cards"), [(FORTUNE_8, 7), (BLACKJACK_21, 4)])
def test_a_dispenser_jams_by_chance_at_a_card_since_it_never_shuffles(game: str, cards: int) -> None:
    table = FaultTable(game)
    chooser = Chooser(table.injector, table.stage, random.Random("7"), 1.0, 7, lambda: "shuffler")
    jams = [fault for number in range(1, 300) if (fault := chooser.choose("shuffler", number)).kind == "jam"]
    assert len(jams) > 3
    assert all(jam.conditions.card in range(1, cards + 1) for jam in jams)


def test_every_phase_belongs_to_a_game() -> None:
    assert set(PHASES) == {phase for game in GAMES for phase in ON_THE_BENCH[game].faults.phases}


@pytest.mark.parametrize("machine", [Shuffler, Dispenser])
async def test_only_a_machine_that_gives_packets_can_give_a_short_one(machine: type[CardMachine]) -> None:
    made = machine(Deck(MACHINE), Orders(1), pace_from_text("max"), 1, lambda chunk: None, lambda: None)
    acts = shuffler_acts(made, lambda device, kind, on, value=None: None, random.Random(1))
    kinds = {"jam", "lid_open", "misread", "damaged"} | ({"short"} if machine is Shuffler else set())
    assert {kind for _, kind in acts} == kinds


@pytest.mark.parametrize(
    ("game", "wished", "expected"),
    [
        (FORTUNE_8, "slots:stuck=3", "slots:stuck=3: fortune-8 has no slots"),
        (FORTUNE_3_2008, "sign:nak", "sign:nak: fortune-3-card-poker-2008 has no sign"),
        (FORTUNE_8, "dealer:expose=seat 3", "dealer:expose=seat 3: makes no sense in fortune-8"),
        (FORTUNE_8, "shoe:mute@phase=decisions", "fortune-8 has no phase decisions"),
        (FORTUNE_3_2008, "dealer:expose=community", "fortune-3-card-poker-2008 has no community cards"),
        (BLACKJACK_21, "dealer:unasked_card=perhaps", "dealer:unasked_card takes seen, unseen, or nothing"),
        (BLACKJACK_21, "dealer:no_bets=3", "dealer:no_bets takes spread, kept, or nothing"),
        (TAIWAN_PAI_KAO, "shuffler:jam", "shuffler:jam: taiwan-pai-kao has no shuffler"),
        (TAIWAN_PAI_KAO, "shoe:cut_card", "shoe:cut_card: makes no sense in taiwan-pai-kao"),
        (
            TAIWAN_PAI_KAO,
            "dealer:expose=bank",
            "taiwan-pai-kao names the banker's place by its seat",
        ),
        (FORTUNE_8, "shoe:mute@phase=dice", "fortune-8 has no phase dice"),
        (FORTUNE_3_2008, "shoe:mute@phase=announce", "fortune-3-card-poker-2008 has no phase announce"),
    ],
)
def test_the_command_line_refuses_it_in_one_line(
    game: str, wished: str, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    complaint = refusal(capsys, "--dir", "unused", "--game", game, "--fault", wished)
    assert complaint.startswith("dealer-station-sim: --fault: ") and expected in complaint
    assert complaint.count("\n") == 1 and complaint.endswith("\n")


def test_a_kept_toml_says_which_game_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    configured(tmp_path)
    assert "fortune-8 has no slots" in refusal(capsys, "--dir", str(tmp_path), "--keep", "--fault", "slots:watchdog")


LOG = """\
back   device=slots outage=0.1
lost   cause=unplugged device=slots reason=unplugged
back   device=slots outage=0.5
lost   cause=silent device=slots reason='port is open, but no answer for 2.82 s'
back   device=slots outage=1.2
"""


async def test_a_loop_that_was_delayed_is_filmed() -> None:
    seen: asyncio.Future[tuple[str, Any]] = asyncio.get_running_loop().create_future()
    camera = Camera()
    camera.watch = lambda event, what: seen.set_result((event, what["seconds"]))
    filming = asyncio.create_task(film_standstills(camera))
    await asyncio.sleep(0)
    time.sleep(2 * STANDSTILL_SECONDS)  # noqa: ASYNC251
    event, seconds = await seen
    filming.cancel()
    assert event == "stalled" and seconds >= STANDSTILL_SECONDS


def test_a_standstill_that_was_filmed_is_a_silence_of_every_device(tmp_path: Path) -> None:
    camera = Camera(tmp_path / "camera.jsonl")
    camera.round_begin("shoe")
    camera.saw("stalled", seconds=2.9)
    camera.saw("card", card="2c")
    camera.close()
    faults = watch(tmp_path / "camera.jsonl").faults
    assert all(faults.any(device, {"mute"}, 3, 3) for device in ("shuffler", "shoe", "slots", "sign"))


def test_the_silence_of_a_simulator_that_was_stopped_is_no_loss_and_any_other_is() -> None:
    film: list[dict[str, Any]] = []
    played = cast(Any, SimpleNamespace(log=LOG, film=lambda: film))
    assert edges(played, "slots") == ["back", "lost", "back", "lost", "back"]
    film.append({"event": "stalled", "seconds": 2.9})
    assert edges(played, "slots") == ["back", "lost", "back"]
