"""`dealer-pit simulate`: whole tables beside a whole pit, in a process of its own, and nothing of it is left."""

import re
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from controller.config.file import read_config
from controller.link.messages import Claimed
from controller.pit import simulate as simulate_module
from controller.pit.__main__ import main
from controller.pit.cluster import Cluster
from controller.rulebook.jackpot_award import Win
from tests.configured import configured
from tests.engine.playing import cards
from tests.engine.test_engine_linked import LinkedPlay
from tests.link.entries import PUBLIC
from tests.pit.replicated import folder_of_a_database

AT = simulate_module._Surroundings("mqtt://x", PUBLIC, "http://127.0.0.1:9/")
DEALER_PIT = [sys.executable, "-m", "controller.pit", "simulate"]


def test_two_tables_play_and_the_archive_has_all_of_it() -> None:
    with folder_of_a_database() as folder:
        arguments = ["--tables", "2", "--rounds", "1", "--speed", "max"]
        environment = {"TMPDIR": str(folder), "PATH": "/usr/bin:/bin"}
        done = subprocess.run([*DEALER_PIT, *arguments], env=environment, capture_output=True, text=True)
        assert done.returncode == 0 and not done.stderr, done.stderr
        assert re.search(
            r"^table-2 +fortune-3-card-poker-2008 +http://127\.0\.0\.1:\d+/start ", done.stdout, re.MULTILINE
        )
        assert re.search(r"^archived: 2 rounds of 2 tables, \d+ messages$", done.stdout, re.MULTILINE)
        assert not [*folder.iterdir()]


def test_of_six_tables_the_two_of_one_game_share_a_pot_that_begins_as_their_own_would(tmp_path: Path) -> None:
    [link] = simulate_module._links(simulate_module.SimulationWishes(tables=6, speed="max"))
    assert link.tables == ("simulated/table-1", "simulated/table-6")
    assert not [*simulate_module._links(simulate_module.SimulationWishes(tables=5, speed="max"))]
    config = read_config(configured(tmp_path, game=link.game, source="shuffler", link=link.link, keys=(PUBLIC,)))
    assert config.link is not None and config.link.pot == link.link
    assert config.jackpot is not None and config.jackpot.parameters == simulate_module.OPENED.parameters
    assert config.jackpot.initial_pot == simulate_module.OPENED.pot


def test_linked_pot_4_the_tables_that_share_a_pot_have_decks_that_win_of_it(tmp_path: Path) -> None:
    wishes = simulate_module.SimulationWishes(tables=6, speed="max", linked_hit=True)
    tables = [*simulate_module._tables(wishes, AT, tmp_path)]
    stacked = [table.name for table in tables if "--stack" in table._arguments]
    assert stacked == ["table-1", "table-6"]
    decks = (tmp_path / "table-6" / "stack.txt").read_text().splitlines()
    assert len(decks) == simulate_module.STACKED and len(set(decks[0].split())) == 52
    for seats in range(2, 7):
        play = LinkedPlay(deck=cards(decks[0])).chips_placed(*range(1, seats + 1))
        play.deal().decisions().reveal()
        assert [claimed.winners for claimed in play.bodies(Claimed)] == [(Win(1, "flush"),)]


def test_ctrl_c_ends_all_of_it_even_while_a_table_starts() -> None:
    with folder_of_a_database() as folder:
        environment = {"TMPDIR": str(folder), "PATH": "/usr/bin:/bin"}
        command = [*DEALER_PIT, "--tables", "1"]
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            for line in process.stdout:
                assert "Ctrl-C" not in line
                if line == "starting 1 table\n":
                    process.send_signal(signal.SIGINT)
            assert process.wait() == 0
        assert not [*folder.iterdir()]


def test_what_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def none() -> Path:
        raise FileNotFoundError

    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
    monkeypatch.setattr(simulate_module, "programs", none)
    assert main(["simulate"]) == 69
    printed = capsys.readouterr()
    assert printed.err == (
        "dealer-pit: this needs mosquitto postgresql: install it first "
        "(apt-get install mosquitto postgresql, as root)\n"
    )
    assert not printed.out


def test_a_table_that_does_not_come_up_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(simulate_module, "TABLE_SECONDS", 0.0)
    with folder_of_a_database() as folder:
        monkeypatch.setattr(tempfile, "tempdir", str(folder))
        assert main(["simulate", "--tables", "1"]) == 69
        # A busy machine may report before that how slow its database is.
        assert capsys.readouterr().err.splitlines()[-1].startswith("dealer-pit: table-1 did not come up")
        assert not [*folder.iterdir()]


def test_no_one_else_on_this_machine_comes_into_its_database(cluster: Cluster) -> None:
    [socket] = [path for path in cluster.folder.iterdir() if path.is_socket()]
    assert stat.S_IMODE(socket.stat().st_mode) == 0o700
