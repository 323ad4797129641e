"""Every command with closed, full and read-in-part streams, on terminals of any encoding: no traceback, no false 0."""

import argparse
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
from codecs import BOM_UTF8
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from controller.__main__ import COMMANDS, parser
from controller.command_line.output import EXIT_OUTPUT, EXIT_PIPE
from controller.pit.__main__ import _parser
from simulators.broker import free_port
from tests.commands.streamed import Commands, Ended, Situation, commands
from tests.rulebook.round_texts import WORKED
from tests.station.processes import patiently

BUSY_SECONDS = 60.0  # for a start that takes two seconds of a processor, on a computer with twenty other programs
Leaf = tuple[str, ...]
TOML, FOLDER, ROUND = "{toml}", "{folder}", "{round}"
ANSWERS: dict[Leaf, list[str]] = {
    ("run",): ["--config", FOLDER + "/none.toml"],
    ("check-config",): [TOML],
    ("audit", "verify"): ["--config", TOML],
    ("audit", "rounds"): ["--config", TOML],
    ("audit", "show"): ["1", "--config", TOML],
    ("audit", "export"): ["events", "--config", TOML],
    ("audit", "differences"): [ROUND, "--config", TOML],
    ("register",): ["--config", TOML],
    ("entries",): ["--config", TOML],
    ("slip",): ["--config", TOML],
    ("dispute",): ["7", "--config", TOML],
    ("key", "show"): [FOLDER + "/none.key"],
    ("access",): [TOML],
    ("asyncapi",): [],
    ("witness",): ["--config", FOLDER + "/none.toml"],
    ("watch",): ["--once", "--url", "http://127.0.0.1:1"],
    ("devices",): [],
    ("devices", "verify"): [FOLDER + "/none.proof", "KEY"],
    ("devices", "replay"): ["drivers/angel_eye/recordings/public-transcripts.rec"],
    ("settle",): [ROUND],
    ("rank",): ["fortune-3-card-poker-2025", "As Ks Qs", "9h 9d 2c"],
    ("certify",): ["fortune-8"],
    ("pin",): ["--list", "--config", TOML],
}
"""What each command is given where its answer takes no person, no minutes and no terminal."""
BY_HELP = {
    ("simulate",), ("setup",), ("journal", "new"), ("journal", "epoch"), ("journal", "backup"), ("journal", "link"),
    ("journal", "prune"), ("journal", "restore"), ("audit", "replay"), ("audit", "wires"), ("key", "new"),
    ("bench", "latency"), ("devices", "prove"), ("devices", "record"),
}  # fmt: skip
PIT: dict[Leaf, list[str]] = {
    **{(name,): ["--config", FOLDER + "/none.toml"] for name in ("run", "check", "pin", "gaps", "retain")},
    ("accept",): ["dealer/a/b", "--config", FOLDER + "/none.toml"],
    ("messages",): ["j-1/1", "--config", FOLDER + "/none.toml"],
    ("link",): ["hall", "--config", FOLDER + "/none.toml"],
    ("return",): ["2026-01", FOLDER + "/return", "--config", FOLDER + "/none.toml"],
    ("export",): ["--from", "2026-01-01", "--to", "2026-01-02", "x", "--config", FOLDER + "/none.toml"],
    ("rebuild",): ["j.db", "--config", FOLDER + "/none.toml"],
    ("schema",): [],
    ("group", "property"): [],
    ("group", "head"): [],
    ("group", "check"): ["host=/none", "host=/none"],
}
PIT_BY_HELP = {("simulate",)}
IN, OUT, ERR = range(3)


def leaves(of: argparse.ArgumentParser, path: Leaf = ()) -> Iterator[Leaf]:
    """The commands of a parser, with those below them."""
    below = [action for action in of._actions if isinstance(action, argparse._SubParsersAction)]
    if not any(action.required for action in below):
        yield path
    for action in below:
        for name, parser_of_it in action.choices.items():
            yield from leaves(parser_of_it, (*path, name))


STATION_LEAVES = [leaf for name in COMMANDS for leaf in leaves(parser([name]))]
PIT_LEAVES = [*leaves(_parser())]
GIVEN = [("dealer-station", leaf, ANSWERS.get(leaf, ["--help"])) for leaf in STATION_LEAVES]
GIVEN += [("dealer-pit", leaf, PIT.get(leaf, ["--help"])) for leaf in PIT_LEAVES]
# Of those that print their help, or that a configuration is missing, one is tried for all.
ALIKE = {*BY_HELP, *PIT_BY_HELP, *(leaf for leaf, given in PIT.items() if FOLDER + "/none.toml" in given)}
ALIKE -= {("simulate",), ("check",)}


def test_every_command_is_tried() -> None:
    assert {*ANSWERS} | BY_HELP == {*STATION_LEAVES} and not {*ANSWERS} & BY_HELP
    assert {*PIT} | PIT_BY_HELP == {*PIT_LEAVES} and not {*PIT} & PIT_BY_HELP


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A simulated table that has played a round."""
    folder = tmp_path_factory.mktemp("table")
    given = ["--speed", "max", "--rounds", "1", "--seed", "3", "--state-dir", str(folder), "--json"]
    subprocess.run(
        [sys.executable, "-m", "controller", "simulate", *given], check=True, stdout=subprocess.DEVNULL, timeout=200
    )
    (folder / "round.json").write_text(WORKED["fortune-3-card-poker-2025"]["round"], encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def interpreter() -> Iterator[Commands]:
    with commands() as found:
        yield found


def run(interpreter: Commands, table: Path, of: tuple[str, Leaf, list[str]], situation: Situation) -> Ended:
    program, leaf, given = of
    at = {TOML: str(table / "station.toml"), FOLDER: str(table), ROUND: str(table / "round.json")}
    arguments = [*leaf, *given]
    for hole, value in at.items():
        arguments = [argument.replace(hole, value) for argument in arguments]
    ended = interpreter.run(program, arguments, situation)
    wrong = [word for word in (b"Traceback", b"Exception ignored") if word in ended.err]
    assert not wrong, f"{' '.join(arguments)} {situation}: {ended.err.decode(errors='replace')}"
    return ended


@pytest.mark.parametrize(
    "of",
    [pytest.param(of, marks=pytest.mark.soak if of[1] in ALIKE else (), id=" ".join([of[0], *of[1]])) for of in GIVEN],
)
def test_a_command_ends_as_ever_or_says_that_its_output_is_lost(
    interpreter: Commands, table: Path, of: tuple[str, Leaf, list[str]]
) -> None:
    usual = run(interpreter, table, of, Situation())
    for situation in (Situation(closed=(IN, ERR)), Situation(full=(ERR,), encoding="iso-8859-1")):
        ended = run(interpreter, table, of, situation)
        assert (ended.code, len(ended.out)) == (usual.code, len(usual.out))
    if not usual.out:
        assert run(interpreter, table, of, Situation(closed=(OUT,)))._replace(err=usual.err) == usual
        return
    for situation in (Situation(closed=(OUT,)), Situation(full=(OUT,))):
        ended = run(interpreter, table, of, situation)
        assert ended.code == EXIT_OUTPUT and b"standard output: " in ended.err
    assert run(interpreter, table, of, Situation(lines=1)).code in (usual.code, EXIT_PIPE)
    ended = run(interpreter, table, of, Situation(terminal=True, encoding="big5"))
    assert ended.code == usual.code
    ended.out.decode("big5")


@pytest.mark.parametrize(
    "situation",
    [Situation(terminal=True, encoding="big5"), Situation(encoding="iso-8859-1"), Situation(closed=(IN, ERR))],
    ids=["BIG5", "ISO-8859-1", "closed"],
)
def test_a_simulated_table_plays_in_any_terminal(interpreter: Commands, table: Path, situation: Situation) -> None:
    of = "dealer-station", ("simulate",), ["--rounds", "1", "--speed", "max", "--seed", "3"]
    ended = run(interpreter, table, of, situation)
    assert ended.code == 0 and b"1 round, 1 settled" in ended.out


def test_a_station_without_standard_streams_keeps_their_numbers(table: Path) -> None:
    """Else its event loop would be descriptor 0."""
    config = (table / "station.toml").read_text(encoding="utf-8")
    port = free_port()
    config = re.sub(r'(?m)^listen = ".*"$', f'listen = "127.0.0.1:{port}"', config)
    (table / "closed.toml").write_text(config, encoding="utf-8")
    command = f"exec {sys.executable} -m controller run --config {table / 'closed.toml'} <&- >&- 2>&-"
    station = subprocess.Popen(["sh", "-c", command])
    try:
        patiently(lambda: is_listening(port), BUSY_SECONDS, "the station")
        found = [os.readlink(f"/proc/{station.pid}/fd/{number}") for number in range(3)]
        assert found == [os.devnull] * 3
    finally:
        station.terminate()
        assert station.wait(BUSY_SECONDS) == 0


@pytest.mark.parametrize(
    ("given", "code", "mistake"),
    [("bench --dir {} --game none", 2, "--game"), ("usb --dir {}", 1, "station.toml"), ("usb --dir", 2, "--dir")],
    ids=["bench", "usb without a bench", "usb"],
)
def test_simulators_without_standard_streams_say_what_is_wrong_and_not_where_they_break(
    tmp_path: Path, given: str, code: int, mistake: str
) -> None:
    command = f"{sys.executable} -m simulators {given.format(tmp_path)} <&- >&-"
    done = subprocess.run(["sh", "-c", command], stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == code and mistake in done.stderr and "Traceback" not in done.stderr


def is_listening(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def test_what_is_read_from_a_closed_standard_input_is_refused(interpreter: Commands, table: Path) -> None:
    of = "dealer-station", ("settle",), ["-"]
    ended = run(interpreter, table, of, Situation(closed=(IN,)))
    assert ended.code == 2 and b"-: Bad file descriptor" in ended.err


@pytest.mark.parametrize("command", [("check-config", TOML), ("settle", ROUND)])
def test_a_byte_order_mark_changes_nothing(interpreter: Commands, table: Path, command: tuple[str, str]) -> None:
    name, file = command
    source = table / ("station.toml" if file == TOML else "round.json")
    (marked := table / f"marked-{source.name}").write_bytes(BOM_UTF8 + source.read_bytes())
    usual = run(interpreter, table, ("dealer-station", (name,), [str(source)]), Situation())
    ended = run(interpreter, table, ("dealer-station", (name,), [str(marked)]), Situation())
    assert ended.code == usual.code == 0
    assert ended.out.replace(b"marked-", b"") == usual.out


@pytest.mark.parametrize("program", ["dealer-pit", "dealer-station"])
def test_a_byte_order_mark_in_the_file_of_pit_and_witness_is_none_of_their_mistakes(
    interpreter: Commands, table: Path, program: str
) -> None:
    (file := table / f"{program}.toml").write_bytes(BOM_UTF8 + b"[floor]\n")
    leaf = ("check",) if program == "dealer-pit" else ("witness",)
    ended = run(interpreter, table, (program, leaf, ["--config", str(file)]), Situation())
    assert ended.code == 78 and b"TOML" not in ended.err and b"missing" in ended.err


@pytest.mark.parametrize(
    ("command", "sent"),
    [
        ("controller bench latency", signal.SIGTERM),
        pytest.param("tests.benchmarks all", signal.SIGHUP, marks=pytest.mark.soak),
        ("controller simulate", signal.SIGHUP),
    ],
    ids=lambda case: str(case),
)
def test_whatever_ends_it_leaves_neither_process_nor_folder(command: str, sent: signal.Signals) -> None:
    with tempfile.TemporaryDirectory() as name:  # a short path: a simulation has sockets below it
        folder = Path(name)
        process = subprocess.Popen(
            [sys.executable, "-m", *command.split()],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "TMPDIR": name},
        )  # fmt: skip
        try:
            patiently(lambda: in_its_folder(folder), BUSY_SECONDS, "its broker", 0.1)
        finally:
            process.send_signal(sent)
            process.wait(BUSY_SECONDS)
        patiently(lambda: not in_its_folder(folder), BUSY_SECONDS, "the end of its processes", 0.1)
        assert [*folder.iterdir()] == []


def in_its_folder(folder: Path) -> list[bytes]:
    """The command lines of the processes that have a file of the folder on it, such as a broker its configuration."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            line = (process / "cmdline").read_bytes()
            if b"mosquitto" in line and str(folder).encode() in line:
                found.append(line)
    return found
