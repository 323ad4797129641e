"""What can go wrong in each game: refused where it makes no sense, and never chosen by chance."""

import random
from pathlib import Path

import pytest

from simulators.devices.card_machine import MACHINE, CardMachine
from simulators.devices.dispenser import Dispenser
from simulators.devices.shuffler import Shuffler
from simulators.faults.chooser import Chooser
from simulators.faults.syntax import KINDS, PHASES, Fault, read_fault
from simulators.faults.wiring import shuffler_acts
from simulators.games import GAMES as ON_THE_BENCH
from simulators.pace import pace_from_text
from tests.configured import configured
from tests.games import BLACKJACK_21, FORTUNE_3_2008, FORTUNE_3_2025, FORTUNE_8, GAMES, TAIWAN_PAI_KAO
from tests.simulators.decks import Deck, Orders
from tests.simulators.fault_table import FaultTable
from tests.simulators.test_simulators_command_line import refusal

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
        (FORTUNE_8, "shuffler:short", "shuffler:short: makes no sense in fortune-8"),
        (FORTUNE_8, "shoe:mute@phase=decisions", "fortune-8 has no phase decisions"),
        (FORTUNE_3_2025, "dealer:early_card", "dealer:early_card: makes no sense in fortune-3-card-poker-2025"),
        (FORTUNE_3_2008, "players:late_chip", "players:late_chip: makes no sense in fortune-3-card-poker-2008"),
        (FORTUNE_3_2008, "dealer:expose=community", "fortune-3-card-poker-2008 has no community cards"),
        (BLACKJACK_21, "dealer:miskey", "dealer:miskey: makes no sense in blackjack-21"),
        (BLACKJACK_21, "dealer:unasked_card=perhaps", "dealer:unasked_card takes seen, unseen, or nothing"),
        (BLACKJACK_21, "dealer:no_bets=3", "dealer:no_bets takes spread, kept, or nothing"),
        (TAIWAN_PAI_KAO, "dealer:no_bets", "dealer:no_bets: makes no sense in taiwan-pai-kao"),
        (FORTUNE_8, "dealer:unasked_card", "dealer:unasked_card: makes no sense in fortune-8"),
        (TAIWAN_PAI_KAO, "shuffler:jam", "shuffler:jam: taiwan-pai-kao has no shuffler"),
        (TAIWAN_PAI_KAO, "shoe:cut_card", "shoe:cut_card: makes no sense in taiwan-pai-kao"),
        (
            TAIWAN_PAI_KAO,
            "dealer:expose=bank",
            "taiwan-pai-kao names the banker's place by its seat",
        ),
        (FORTUNE_8, "dealer:slip_dice", "dealer:slip_dice: makes no sense in fortune-8"),
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
