"""Each assertion is true of a sound device of any make, and false for a defect that no other assertion notices."""

import asyncio
import io
import json
import re
from argparse import Namespace
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from controller.__main__ import main
from controller.command_line.output import EXIT_CONFIGURATION, EXIT_CORRUPT, EXIT_INTERRUPTED, EXIT_REFUSED
from controller.commands import prove
from controller.config.file import read_config
from controller.tlog.notes import SEED_BYTES, Signer
from drivers.device import DeviceName
from drivers.inventory import Inventory, Plugged
from drivers.kit.assertion import Assertion, Bench, Instruction
from drivers.kit.proof import ASSERTIONS, Result, prove_all, prove_assertion
from drivers.kit.slots import SLOTS
from drivers.numato.slots import Numato
from drivers.wiring import Wiring
from simulators.devices import numato
from simulators.pace import pace_from_text
from tests.configured import configured
from tests.kit import slots
from tests.kit.matrix import KINDS, killed, proved, sound
from tests.kit.slots import BUTTON, SEATS, FarBoard, PersonAtSlots
from tests.kit.wires import FarLine, wired
from tests.made_up_time import MadeUpTime

ALL = [(kind, assertion) for kind in KINDS for assertion in ASSERTIONS[kind]]


@pytest.mark.parametrize(("kind", "assertion"), ALL, ids=lambda it: getattr(it, "id", it))
def test_it_is_true_of_a_sound_device(kind: DeviceName, assertion: Assertion) -> None:
    assert proved(kind, assertion).reason == ""


@pytest.mark.parametrize(
    ("kind", "assertion", "defect"),
    [(kind, *pair) for kind in KINDS for pair in zip(ASSERTIONS[kind], KINDS[kind].defects, strict=True)],
    ids=lambda it: getattr(it, "id", getattr(it, "__name__", it)),
)
def test_it_is_false_for_its_defect(kind: DeviceName, assertion: Assertion, defect: Callable[[Any], None]) -> None:
    assert proved(kind, assertion, defect).reason


@pytest.mark.soak
@pytest.mark.parametrize("kind", KINDS)
def test_no_other_assertion_notices_its_defect(kind: DeviceName) -> None:
    noticed = killed(kind)
    assert {defect: by for defect, by in noticed.items() if len(by) != 1} == {}
    assert [by[0] for by in noticed.values()] == [assertion.id for assertion in ASSERTIONS[kind]]


FIRST_LAMP, OWN_BUTTON, LOCK_LAMP = 7, 14, 15
SENSORS = {seat - 1: seat for seat in SEATS}
LAMPS = {seat: FIRST_LAMP + seat - 1 for seat in SEATS}
WIRING = Wiring(SENSORS, OWN_BUTTON, LOCK_LAMP, LAMPS, lines=16)


class FarNumato(FarBoard):
    """The board as a person sees it: the cable is its power."""

    def __init__(self) -> None:
        super().__init__()
        board = numato.Numato(pace_from_text("device"), lambda octets: self.line.send(octets))
        self.line = FarLine(board.receive)
        self.board = SimpleNamespace(levels=board.levels)  # type: ignore[assignment]
        self.sense = lambda line, level: board.sense(OWN_BUTTON if line == BUTTON else line, level)
        self.lamps = lambda: [board.relays[lamp] for lamp in LAMPS.values()] + [False, board.relays[LOCK_LAMP]]
        self.plug = self.line.plug

        def unplug() -> None:
            self.line.unplug()
            board.lose_power()

        self.unplug = unplug


@pytest.mark.parametrize("assertion", SLOTS, ids=lambda assertion: assertion.id)
def test_it_is_true_of_a_numato_board(assertion: Assertion) -> None:
    far = FarNumato()

    async def run() -> Result:
        lamps = [*LAMPS.values(), LOCK_LAMP]
        bench = Bench(
            lambda mark: Numato(port="port", seats=SENSORS, button=OWN_BUTTON, lamps=lamps), PersonAtSlots(far), WIRING
        )
        return await prove_assertion(bench, assertion)

    with wired(far.line), asyncio.Runner(loop_factory=MadeUpTime) as runner:
        assert runner.run(run()).reason == ""


SUBJECT = {"device": "any", "driver": "one", "by": "ana"}
SIGNER = Signer("dealer/a/b", bytes(SEED_BYTES))


@pytest.fixture
def proved_by_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """Proves a simulated device, whose person leaves at an act that `leaves` names; in made-up time."""

    def run(
        kind: DeviceName,
        leaves: Callable[[Instruction], bool] = lambda act: False,
        plant: Callable[[Any], None] = sound,
        subject: dict[str, str] = SUBJECT,
    ) -> int:
        with KINDS[kind].rig(plant) as rig, asyncio.Runner(loop_factory=MadeUpTime) as runner:

            async def switched_on(main: Coroutine[Any, Any, bool]) -> bool:
                await rig.switch_on()
                return await main

            async def person(act: Instruction) -> str:
                if leaves(act):
                    raise prove.Ended
                return "" if act.name == "again" else await rig.person(act)

            monkeypatch.setattr(prove, "asyncio", SimpleNamespace(run=lambda main: runner.run(switched_on(main))))
            return prove.run_proof(
                kind, subject, tmp_path, SIGNER, Bench(rig.open_device, person, rig.wiring, packet=rig.packet)
            )

    return run


def verified(file: Path, key: object = SIGNER.verifier) -> int:
    return prove.run_verify(Namespace(file=file, key=str(key)))


@pytest.mark.parametrize("kind", KINDS)
def test_a_sound_device_is_proved(
    kind: DeviceName, proved_by_command: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert proved_by_command(kind) == 0
    many = len(ASSERTIONS[kind])
    assert f"[{many}/{many}]" in capsys.readouterr().out
    assert verified(tmp_path / f"{kind}.proof") == 0
    report = capsys.readouterr().out
    assert f"true: {many} of {many}" in report and "signed by dealer/a/b" in report
    assert re.findall(r"(?m)^([A-Z]-\d\d) true", report) == [assertion.id for assertion in ASSERTIONS[kind]]
    assert not (tmp_path / f"{kind}.proof.json").exists()


def test_a_report_that_was_changed_or_is_signed_by_another_key_is_refused(
    proved_by_command: Callable[..., int], tmp_path: Path
) -> None:
    assert proved_by_command("sign", plant=KINDS["sign"].defects[1]) == EXIT_REFUSED
    report = tmp_path / "sign.proof"
    assert "D-02 FALSE: expected POT 9876543210" in report.read_text()
    assert verified(report) == 0
    other = Signer("dealer/a/b", bytes(range(SEED_BYTES)))
    assert verified(report, other.verifier) == EXIT_CORRUPT
    report.write_text(re.sub("D-02 FALSE.*", "D-02 true (3 s, tries: 1)", report.read_text()))
    assert verified(report) == EXIT_CORRUPT


def test_a_note_that_is_no_proof_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "other"
    file.write_text(str(SIGNER.sign("something else\n")))
    assert verified(file) == EXIT_CORRUPT


def test_a_proof_that_was_interrupted_resumes(
    proved_by_command: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert proved_by_command("slots", leaves=lambda act: act.name == "hold") == EXIT_INTERRUPTED
    assert "8 of 31 are done. The same command resumes." in capsys.readouterr().out
    kept = json.loads((tmp_path / "slots.proof.json").read_text())
    assert [result["id"] for result in kept["results"]] == [f"C-{number:02}" for number in range(1, 9)]
    assert proved_by_command("slots") == 0
    shown = capsys.readouterr().out
    assert "resumes: 8 were done" in shown and "[8/31]" not in shown and "[9/31]" in shown
    assert "true: 31 of 31" in (tmp_path / "slots.proof").read_text()


@pytest.mark.parametrize("key", SUBJECT)
def test_a_proof_of_something_else_begins_from_the_start(
    key: str, proved_by_command: Callable[..., int], capsys: pytest.CaptureFixture[str]
) -> None:
    assert proved_by_command("sign", leaves=lambda act: act.name == "unplug") == EXIT_INTERRUPTED
    assert proved_by_command("sign", subject={**SUBJECT, key: "other"}, leaves=lambda act: True) == EXIT_INTERRUPTED
    shown = capsys.readouterr().out
    assert f"{key} changed since the proof" in shown and "1 of 20 are done" in shown


def test_a_proof_whose_progress_cannot_be_read_begins_from_the_start(
    proved_by_command: Callable[..., int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "sign.proof.json").write_text("{")
    assert proved_by_command("sign", leaves=lambda act: True) == EXIT_INTERRUPTED
    assert "the proof begins from the start" in capsys.readouterr().out


def test_an_assertion_that_failed_is_repeated_if_a_person_wants_it() -> None:
    asked: list[str] = []

    async def person(act: Instruction) -> str:
        asked.append(act.name)
        return "again" if asked.count("again") < 3 else ""

    async def run() -> list[Result]:
        results: list[Result] = []
        with KINDS["slots"].rig(slots.four_lamps_at_most) as rig:
            wrong = [slot for slot in ASSERTIONS["slots"] if slot.id == "C-15"]

            async def again(assertion: object, result: object) -> bool:
                return await person(Instruction("again")) == "again"

            bench = Bench(rig.open_device, rig.person, rig.wiring)
            await prove_all(wrong, [], bench, lambda _: None, results.append, again)
        return results

    with asyncio.Runner(loop_factory=MadeUpTime) as runner:
        [result] = runner.run(run())
    assert (result.tries, asked) == (
        3,
        ["again"] * 3,
    ) and "expected lit: 1 2 3 4 5 6 lock, found 1 2 3 4" in result.reason


def test_what_is_proved_is_known_by_its_driver_its_configuration_and_its_hardware(tmp_path: Path) -> None:
    config = read_config(configured(tmp_path))
    assert config.shoe is not None
    options = Namespace(device="shoe", cards=104, by="ana")
    plugged = Plugged(
        "serial", "/dev/ttyUSB0", "FTDI", "FT232R", (), usb_id="0403:6001", serial_number="A1", port="shoe"
    )
    subject = prove.subject_of(options, config.shoe, Inventory((plugged,)))
    assert subject["hardware"] == "0403:6001 FTDI FT232R A1" and subject["driver"] == "angel-eye"
    other = prove.subject_of(options, config.shoe, Inventory((replace(plugged, serial_number="A2"),)))
    assert {key for key in subject if subject[key] != other[key]} == {"hardware"}


def test_the_command_names_what_is_missing_and_resumes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    key = tmp_path / "proof.key"
    key.write_text(SIGNER.private)
    rest = ["--config", str(configured(tmp_path)), "--by", "ana", "--folder", str(tmp_path)]
    assert main(["devices", "prove", "shoe", *rest]) == 2
    assert "name the key" in capsys.readouterr().err
    assert main(["devices", "prove", "sign", *rest, "--key", str(key)]) == EXIT_CONFIGURATION
    assert "has no [devices.sign]" in capsys.readouterr().err
    assert main(["devices", "prove", "shoe", *rest, "--key", str(key)]) == EXIT_INTERRUPTED
    shown = capsys.readouterr().out
    assert "[1/28] S-01" in shown and "no device at" in shown and "0 of 28 are done" in shown


def test_a_continuous_shuffler_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = configured(tmp_path, source="shuffler")
    assert main(["devices", "prove", "shuffler", "--config", str(config), "--by", "ana"]) == EXIT_CONFIGURATION
    assert "no assertions for a continuous shuffler" in capsys.readouterr().err
