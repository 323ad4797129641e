"""`dealer-station simulate --pins`: the table asks for PINs, reports them, and lets the robot dealer in by them."""

import os
import re
from pathlib import Path

import pytest

from controller.commands.simulate import chance_pin, give_robot
from controller.console.pins import PinHasher, read_pins, refuse_weak
from simulators import pins as robots
from simulators.station_toml import PINS, TOML
from tests.station.forked import forked_run
from tests.station.simulated import simulate

GIVEN = "274951"


def test_the_pins_are_shown_and_the_robot_plays_with_them(tmp_path: Path) -> None:
    played = simulate(tmp_path, 1, "--pins", f"ana={GIVEN}", "--seed", "3")
    assert played.tally["rounds"] == 1
    given = dict(re.findall(r"PIN of (\w+) \(\w+\), of this simulation: (\d+)", played.log))
    assert given["ana"] == GIVEN and given.keys() == {"ana", "rui"}
    refuse_weak(given["rui"])
    assert "pins = true" in (tmp_path / TOML).read_text(encoding="utf-8")
    assert robots.plain_pins(tmp_path / PINS) == given
    kept = read_pins(tmp_path / "state" / "pins.json")
    assert PinHasher().verify(kept["rui"], given["rui"])
    journal = b"".join(path.read_bytes() for path in played.journal.parent.iterdir())
    assert b"entry_made" in journal, "the robot has logged in"
    assert GIVEN.encode() not in journal


def test_a_pin_that_is_weak_or_nobodys_is_refused(tmp_path: Path) -> None:
    def refused(pins: str) -> tuple[int, str]:
        command = ["simulate", "--broker", "none", "--pins", pins, "--rounds", "1"]
        code, _, complaint = forked_run("controller", *command, seconds=30)
        return code, complaint

    code, given = refused("ana=123456")
    assert code == 2 and "the PIN of ana: a PIN is not" in given
    code, given = refused("=274951")
    assert code == 2 and "NAME=PIN expected" in given
    code, given = refused(f"bob={GIVEN}")
    assert code == 69 and "bob is not in [people], which has ana, rui" in given


def test_the_file_of_the_robots_pins_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / PINS
    with pytest.raises(ValueError, match=r"a JSON object of names and PINs expected.*No such file"):
        robots.plain_pins(path)
    give_robot(path, {"ana": GIVEN})
    assert path.stat().st_mode & 0o777 == 0o600
    give_robot(path, {"ana": chance_pin()})
    assert robots.plain_pins(path).keys() == {"ana"}
    for wrong in ("[]", "{", '{"ana": 1}'):
        path.write_text(wrong, encoding="utf-8")
        with pytest.raises(ValueError, match="a JSON object of names and PINs expected"):
            robots.plain_pins(path)
    os.chmod(path, 0o640)
    with pytest.raises(ValueError, match=r"open to others .0640."):
        robots.plain_pins(path)
