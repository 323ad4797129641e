"""What is tried of the installed package on a machine of its own, whose systemd runs this as a service.

`machine.sh` makes the machine and places what is installed beside this file: `first.deb`, and `second.deb`, a newer
one. Debian's python3 runs it, without any package.
"""

import json
import os
import re
import shutil
import subprocess
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).parent
UNIT = "dealer-station.service"
SOCKET = "dealer-station.socket"
ADDRESS = "127.0.0.1:8080"
CONFIG = Path("/etc/dealer-station/station.toml")
DROP_INS = Path(f"/etc/systemd/system/{UNIT}.d")
STATE = Path("/var/lib/dealer-station")
WIRES = Path("/srv/table")
EXPOSURE = 1.2
END_SECONDS = 90.0

# Folds the events of a journal up to one, by the station's own code, and says whether a round was continuing then.
BETWEEN_TWO_ROUNDS = """
import sqlite3, sys, msgspec
from controller.engine.state.events import Event
from controller.engine.state.table import Table, apply
table = Table()
with sqlite3.connect(sys.argv[1]) as db:
    for (body,) in db.execute("SELECT body FROM events WHERE id <= ? ORDER BY id", (int(sys.argv[2]),)):
        table = apply(table, msgspec.json.decode(body, type=Event))
print(table.rounds, table.round is None)
"""


def run(*command: str | Path, fails: bool = False) -> str:
    """What a command says; it must succeed, or fail."""
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert (done.returncode != 0) == fails, f"{command}: {done.returncode}\n{done.stdout}"
    return done.stdout


def shown(name: str) -> str:
    """A property of the unit."""
    return run("systemctl", "show", "--value", "--property", name, UNIT).strip()


def until(condition: Callable[[], object], what: str) -> None:
    """Wait for it. Raises AssertionError with what the unit has reported."""
    deadline = time.monotonic() + END_SECONDS
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"waited in vain for {what}\n{run('journalctl', '--unit', UNIT, '--lines', '60')}")
        time.sleep(0.1)


def logged() -> list[str]:
    """What the unit has logged, a line each."""
    return run("journalctl", "--unit", UNIT, "--output", "cat", "--no-pager").splitlines()


def apt(*arguments: str, fails: bool = False) -> str:
    """What apt-get says; there is no network."""
    os.environ["DEBIAN_FRONTEND"] = "noninteractive"
    return run("apt-get", "--yes", "--allow-downgrades", *arguments, fails=fails)


class Table:
    """The simulated table with its robot dealer and a broker, as root; its wires are of the group dialout."""

    def __init__(self) -> None:
        WIRES.mkdir(parents=True)
        self.rounds = 0
        self._bench = subprocess.Popen(
            ["dealer-station-sim", "bench", "--dir", WIRES, "--speed", "max", "--listen", ADDRESS],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=(HERE / "bench.log").open("wb"), text=True,
        )  # fmt: skip
        assert self._bench.stdout is not None
        ready = self._bench.stdout.readline()
        assert ready.startswith("ready "), (HERE / "bench.log").read_text()
        self._reading = threading.Thread(target=self._read, daemon=True)
        self._reading.start()
        for name in ("shuffler", "shoe", "sign", "usb.sock"):
            if (wire := (WIRES / name).resolve()).exists():
                shutil.chown(wire, "root", "dialout")
                wire.chmod(0o660)

    def _read(self) -> None:
        assert self._bench.stdout is not None
        for line in self._bench.stdout:
            self.rounds = json.loads(line).get("round", self.rounds)

    def plays_on(self, rounds: int = 5) -> None:
        """Wait until so many more rounds are played."""
        enough = self.rounds + rounds
        until(lambda: self.rounds >= enough or self._bench.poll() is not None, f"round {enough}, not {self.rounds}")
        assert self._bench.poll() is None, (HERE / "bench.log").read_text()

    def end(self) -> None:
        assert self._bench.stdin is not None
        self._bench.stdin.close()
        self._bench.wait(END_SECONDS)


def answers() -> bool:
    """Whether the console does."""
    try:
        with urllib.request.urlopen(f"http://{ADDRESS}/table", timeout=5) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def ready() -> None:
    """A live table by `setup`, whose devices are all away; it is gone afterwards."""
    (HERE / "password").write_text("secret")
    (HERE / "pins").write_text("ana 274951\nrui 862043\n")
    options = (
        "--site hall --table one --broker mqtt://127.0.0.1:1 --username one --person ana=dealer --person rui=supervisor"
    )
    devices = "--device shuffler-link=/dev/ttyS7 --device adu218 --device betabrite"
    files = f"--broker-password {HERE / 'password'} --pins {HERE / 'pins'} --reviewed --by rui --and ana"
    print(run("dealer-station", "setup", *options.split(), *devices.split(), *files.split()))
    assert answers() and shown("StatusText").startswith("closed; no answer: "), shown("StatusText")
    run("systemctl", "disable", "--now", SOCKET, UNIT)
    for folder in (STATE, CONFIG.parent):
        for path in folder.iterdir():
            if path.is_dir():
                shutil.rmtree(path)
            elif path.suffix != ".example":
                path.unlink()
    shutil.rmtree(DROP_INS, ignore_errors=True)


def configure() -> None:
    """The table's own configuration, but where a service keeps things and with wires that have a place."""
    text = (WIRES / "station.toml").read_text()
    for wire in ("shuffler", "shoe", "sign", "slots"):
        text = text.replace(f'port = "{wire}"', f'port = "{WIRES / wire}"')
    text = text.replace('"usb.sock"', f'"{WIRES}/usb.sock"').replace('"state/journal.db"', f'"{STATE}/journal.db"')
    text = text.replace('"state/seal.key"', f'"/run/credentials/{UNIT}/seal.key"')
    CONFIG.write_text(text)
    shutil.chown(CONFIG, "root", "dealer-station")
    CONFIG.chmod(0o640)
    for name, content in (("seal.key", os.urandom(32)), ("broker.password", b"none")):
        (CONFIG.parent / name).write_bytes(content)
        (CONFIG.parent / name).chmod(0o600)
    DROP_INS.mkdir(parents=True)
    shutil.copy("/usr/share/doc/dealer-station/examples/addresses.conf", DROP_INS)
    run("systemctl", "daemon-reload")


def try_it() -> None:
    """Installed, started, played, killed, stopped, upgraded, not downgraded, removed, purged."""
    began = time.monotonic()
    apt("install", str(HERE / "first.deb"))
    print(f"installed in {time.monotonic() - began:.1f} s")
    assert shown("ActiveState") == "inactive" and shown("UnitFileState") == "disabled"
    assert Path("/usr/share/man/man1/dealer-station-setup.1.gz").exists()
    assert json.loads(Path("/usr/share/dealer-station/asyncapi.json").read_text())["asyncapi"]
    assert (STATE.stat().st_mode & 0o777, STATE.owner()) == (0o700, "dealer-station")
    assert (verified := run("systemd-analyze", "verify", UNIT)) == "", verified
    ready()
    print(f"a table is ready {time.monotonic() - began:.1f} s after the beginning of the installation")

    table = Table()
    configure()
    run("systemd-analyze", "verify", UNIT)
    exposed = re.search(r"([\d.]+) ", run("systemd-analyze", "security", UNIT).splitlines()[-1].partition(": ")[2])
    assert exposed is not None and float(exposed[1]) <= EXPOSURE, exposed
    print(f"exposure {exposed[1]}")

    began = time.monotonic()
    run("systemctl", "enable", "--now", SOCKET, UNIT)
    print(f"started in {time.monotonic() - began:.1f} s, {shown('StatusText')}")
    assert answers(), "started means that the console answers"
    table.plays_on()

    run("systemctl", "kill", "--kill-whom=main", "--signal=KILL", UNIT)
    until(lambda: shown("NRestarts") == "1" and answers(), "a restart")
    table.plays_on()
    print("killed, and resumed")

    began = time.monotonic()
    run("systemctl", "stop", SOCKET, UNIT)
    assert shown("Result") == "success" and not answers()
    print(f"stopped in {time.monotonic() - began:.1f} s")
    run("systemctl", "start", SOCKET, UNIT)
    table.plays_on()

    before = shown("MainPID")
    apt("install", str(HERE / "second.deb"))
    until(lambda: shown("MainPID") not in (before, "0") and answers(), "the newer station")
    table.plays_on()
    lines = [json.loads(line) for line in logged() if line.startswith("{")]
    left = next(at for at, line in enumerate(lines) if line["event"] == "leaves after the round")
    events = str(next(line["events"] for line in lines[left:] if line["event"] == "running"))
    rounds, free = run(
        "/usr/lib/dealer-station/bin/python", "-c", BETWEEN_TWO_ROUNDS, STATE / "journal.db", events
    ).split()  # fmt: skip
    assert free == "True", f"the upgrade came into round {rounds}"
    print(f"upgraded between two rounds, after {rounds}")

    refused = apt("install", str(HERE / "first.deb"), fails=True)
    assert "a station does not go back" in refused, refused
    table.plays_on()
    print("downgrade refused, and the table plays on")

    audit = ("dealer-station", "audit", "verify", "--config", CONFIG, "--seal-key", CONFIG.parent / "seal.key")
    print(run(*audit).splitlines()[1])
    assert not [line for line in logged() if "Traceback" in line]

    table.end()
    apt("remove", "dealer-station")
    assert not answers() and not Path("/usr/bin/dealer-station").exists() and (STATE / "journal.db").exists()
    assert not Path("/usr/lib/dealer-station").exists()
    apt("purge", "dealer-station")
    assert not CONFIG.exists() and (STATE / "journal.db").exists() and (CONFIG.parent / "seal.key").exists()
    print("removed; the journal and its key are still there")


if __name__ == "__main__":
    try_it()
    (HERE / "good").touch()
