"""`dealer-station simulate`: what a person reads of a round, and the PINs by which the robot logs in."""

import os
import re
from pathlib import Path
from typing import get_args

import pytest

from controller.commands.account import Account
from controller.commands.simulate import chance_pin, give_robot
from controller.config.file import read_config
from controller.console.pins import PinHasher, read_pins, refuse_weak
from controller.engine.shown.prompts import notices
from controller.engine.state.applied import Event, apply
from controller.engine.state.events import ComplaintOpened, DealerNotified, DeviceLost, Notice
from controller.engine.state.table import Table
from controller.rulebook.games import GAMES
from controller.runtime.bus import Committed
from controller.words import ENGLISH
from simulators import pins as robots
from simulators.station_toml import PINS, TOML
from tests.configured import configured
from tests.station.forked import forked_run
from tests.station.simulated import simulate

WITHIN_SECONDS = 200


@pytest.mark.parametrize(
    ("options", "header", "once"),
    [
        ("--game blackjack-21", "cards from the shuffler", r"  bank: (\d+ points|black-jack|second card not turned)$"),
        pytest.param(
            "--game fortune-3-card-poker-2025",
            "cards from the shuffler",
            r"  bank: [a-z_]+, (plays|does not play)$",
            marks=pytest.mark.soak,
        ),
        pytest.param(
            "--game taiwan-pai-kao --source hand",
            "tiles dealt by hand",
            "  four tiles dealt to each place$",
            marks=pytest.mark.soak,
        ),
        ("--game taiwan-pai-kao", "tiles dealt by hand, with a reader", "  four tiles dealt to each place$"),
    ],
)
def test_a_round_is_reported_in_words(options: str, header: str, once: str) -> None:
    code, output, _ = forked_run(
        "controller", "simulate", *options.split(), "--rounds", "1", "--speed", "max", seconds=WITHIN_SECONDS
    )
    assert code == 0
    assert re.search(rf"seats, {header}$", output, re.MULTILINE)
    assert len(re.findall(once, output, re.MULTILINE)) == 1


OWN_WORDS = GAMES["blackjack-21"].own_words
TEXT = "[/dev/ttyUSB0] 7"  # what a terminal's mark-up would take for its own


@pytest.fixture
def account(game: str, tmp_path: Path) -> Account:
    source = "shoe" if GAMES[game].source.needs_device("shoe") else "hand"
    config = configured(tmp_path, game=game, source=source)
    return Account(read_config(config), rounds=1, quiet=False, on_gone=lambda: None)


def printed(account: Account, event: Event, capsys: pytest.CaptureFixture[str]) -> tuple[str, Table]:
    about = ComplaintOpened(complaint=1, round=1, seat=3, what="the count", by="", actor="ana")
    table = apply(apply(Table(), about), event)
    account.committed(Committed(time="", events=(event,), table=table, outbox=(), marks=(), sequence=0))
    return capsys.readouterr().out.strip(), table


@pytest.mark.parametrize("game", GAMES)
def test_every_notice_of_every_game_is_reported_in_the_words_of_its_console(
    game: str, account: Account, capsys: pytest.CaptureFixture[str]
) -> None:
    of_hands = {text.removesuffix(OWN_WORDS) for text in ENGLISH.dealer_notified if text.endswith(OWN_WORDS)}
    own = ENGLISH.dealer_notified.keys() | (of_hands if GAMES[game].own_words == OWN_WORDS else set())
    for notice in (kind for kind in get_args(Notice) if kind in own):
        line, table = printed(account, DealerNotified(notice=notice, seat=3, text=TEXT), capsys)
        assert [line] == [words["en"] for words in notices(table, GAMES[game])]


def test_every_notice_is_of_some_game() -> None:
    assert {
        key.removesuffix(OWN_WORDS).removesuffix("/pit").removesuffix("/shoe") for key in ENGLISH.dealer_notified
    } == set(get_args(Notice))


@pytest.mark.parametrize("game", GAMES)
def test_why_a_device_is_lost_is_reported_in_its_own_words(
    game: str, account: Account, capsys: pytest.CaptureFixture[str]
) -> None:
    line, _ = printed(account, DeviceLost(device="shoe", reason=TEXT, cause="unknown"), capsys)
    assert line == f"shoe lost: {TEXT}"


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


def test_a_pin_that_is_weak_or_nobodys_is_refused() -> None:
    def refused(pins: str) -> tuple[int, str]:
        command = ["simulate", "--broker", "none", "--pins", pins, "--rounds", "1"]
        code, _, complaint = forked_run("controller", *command, seconds=200)
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
