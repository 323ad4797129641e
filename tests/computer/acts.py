"""The whole computer in an emulator: Debian's kernel, udev and systemd meet the simulated devices over USB/IP.

`python -m tests.computer.acts FOLDER [ACTS]` boots a copy of the disk that `disk.sh` has made in FOLDER and plays the
acts in turn. The robot dealer, the devices and the broker are on this machine, which the computer reaches as 10.0.2.2.
Each act prints what it found and how long it took; the first that fails ends the play. `setup` saves the computer as it
is set up, before its first start, in FOLDER/saved: acts that do not begin with `boot` begin there.
"""

import base64
import contextlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

from controller.journal.auditing import audit
from controller.journal.sealing import Seal
from simulators.broker import free_port
from tests.computer.epochs import epochs
from tests.computer.machine import ACT_SECONDS, ASK_SECONDS, STATE, UNIT, Computer, Lines, obey, until
from tests.station.floor_ear import FloorEar, round_messages, sequenced
from tests.station.processes import Mosquitto
from tests.station.simulated import judged

ROUNDS, CUTS = 2, 5
BY_ID = "/dev/serial/by-id/usb-FTDI_FT232R_USB_UART_{}-if00-port0"
NUMATO = "/dev/serial/by-id/usb-Numato_Systems_Pvt._Ltd._Numato_Lab_16_Channel_USB_GPIO_Module_NLGP160001-if00"
CONVERTERS = {"shuffler": "SIMSHUF1", "shoe": "SIMSHOE1", "sign": "SIMSIGN1"}
DEVICES = (*CONVERTERS, "slots")
POLLED = ("shuffler", "slots")  # a sign never answers, and a shoe is asked when it has an order alone
OTHER_GAMES = {
    "fortune-3-card-poker-2008": ("--source", "shoe"),
    "fortune-8": (),
    "blackjack-21": ("--slots", "numato", "--sign", "betabrite"),
    "taiwan-pai-kao": ("--sign", "betabrite"),
}
PEOPLE = {"ana": ("dealer", "274951"), "rui": ("supervisor", "862043")}
CONFIG = "/etc/dealer-station/station.toml"
QUIET_SECONDS, LONGEST_SECONDS = 5.0, 4 * 3600.0
ENUMERATED_SECONDS = 60.0  # at most, until an emulated kernel has a device that is plugged in again


class Acts:
    """The acts in turn, with what they share."""

    def __init__(self, built: Path, begin_saved: bool = False) -> None:
        self.table, self.saved = built / "table", built / "saved"
        for folder in (self.table, built / "broker"):
            shutil.rmtree(folder, ignore_errors=True)
        self.table.mkdir()
        self.broker = Mosquitto(built / "broker")
        self.broker.start()
        self.ear = FloorEar(self.broker.port)
        self.port = int((self.saved / "port").read_text()) if begin_saved else free_port()
        self.usb_port = free_port()
        ports = {"screen": self.port, "usb": self.usb_port, "broker": self.broker.port}
        self.computer = Computer(built, built / "running", ports, self.saved if begin_saved else None)
        self.run = self.computer.run
        self.bench: Lines | None = None
        self.usb: Lines | None = None
        self.is_logged = False
        self.rounds_at_1970: set[int] = set()

    # The table

    def furnish(self, *options: str) -> None:
        """Put the devices of a bench beside the computer, whose cable plugs them in."""
        self.clear_away()
        folder, port = ("--dir", str(self.table)), str(self.usb_port)
        log = self.table / "bench.log"
        self.bench = Lines("bench", *folder, "--speed", "max", "--camera", str(self.camera), *options, log=log)
        self.usb = Lines("usb", *folder, "--port", port, log=self.table / "usb.log")

    def clear_away(self) -> None:
        for process in (self.usb, self.bench):
            if process is not None:
                process.end()
        self.usb = self.bench = None

    @contextlib.contextmanager
    def no_dealer(self) -> Iterator[None]:
        """The console is out of the robot dealer's reach meanwhile."""
        self.run("nft flush chain ip acts arriving")
        yield
        self.run(f"nft add rule ip acts arriving tcp dport {self.port} dnat to 127.0.0.1")

    @property
    def camera(self) -> Path:
        return self.table / "camera.jsonl"

    @property
    def rounds(self) -> int:
        assert self.bench is not None and self.bench.alive, "the bench has failed"
        return max((seen["round"] for seen in self.bench.seen if "round" in seen), default=0)

    def plays_on(self, rounds: int = ROUNDS) -> None:
        """Wait until so many more rounds have been played."""
        enough = self.rounds + rounds
        try:
            until(lambda: self.rounds >= enough, f"round {enough}")
        except AssertionError as failure:
            log = self.run(f"journalctl --unit {UNIT} --lines 40 --no-pager; dmesg | tail -n 30")
            raise AssertionError(f"{failure}, not {self.rounds}\n{log}") from None

    def shown(self, name: str) -> str:
        """A property of the unit."""
        return self.run(f"systemctl show --value --property {name} {UNIT}").strip()

    def is_complete(self) -> bool:
        """Whether the table is up and misses no device."""
        found = self.run(f"systemctl show --property ActiveState,StatusText {UNIT}")
        return "ActiveState=active\n" in found and "StatusText=\n" not in found and "no answer" not in found

    def ready(self, what: str) -> None:
        try:
            until(self.is_complete, what, every=ASK_SECONDS)
        except AssertionError as failure:
            log = self.run(
                f"systemctl status {UNIT}; journalctl --unit {UNIT} --lines 40 --no-pager; dmesg | tail -n 30"
            )
            raise AssertionError(f"{failure}\n{log}") from None

    def resumes(self, what: str, rounds: int = ROUNDS) -> None:
        """It plays with every device, which one that is away is not known to be before it has been tried."""
        self.ready(what)
        self.plays_on(rounds)
        self.ready(what)

    # Acts

    def boot(self) -> str:
        """The computer starts, with nothing beside it."""
        took = self.computer.power_on()
        assert self.run("systemctl is-system-running --wait || true").strip() in ("running", "degraded")
        self.run("test -c /dev/tpmrm0")
        return f"{took:.1f} s from power to the first answer; Linux {self.run('uname -r').strip()}"

    def setup(self) -> str:
        """From nothing to a table that is ready."""
        persons = " ".join(f"--person {name}={role}" for name, (role, _) in PEOPLE.items())
        pins = "".join(f"{name} {pin}\n" for name, (_, pin) in PEOPLE.items())
        self.run(f"umask 077; printf %s {shlex.quote(pins)} >/root/pins")
        by_id = {"shuffler-link": "shuffler", "angel-eye": "shoe", "alpha": "sign"}
        devices = " ".join(f"--device {driver}={BY_ID.format(CONVERTERS[kind])}" for driver, kind in by_id.items())
        options = "--site laptop --table table-1 --time-zone Asia/Macau --broker mqtt://127.0.0.1:1883 --username ''"
        self.run(
            f"dealer-station setup {options} {persons} {devices} --device adu218 --no-start "
            "--reviewed --pins /root/pins --by rui --and ana"
        )
        self.run(f"sed -i 's/^listen = .*/listen = \"127.0.0.1:{self.port}\"/' {CONFIG}")
        if not self.is_logged:
            shutil.rmtree(self.saved, ignore_errors=True)
            self.computer.save(self.saved)
            (self.saved / "port").write_text(str(self.port))
        return self.start()

    def start(self) -> str:
        """The first start of a computer that is set up, with the devices on its USB."""
        self.run("dealer-station setup")
        self.misses(DEVICES, "nothing is plugged in")
        toml = self.run(f"cat {CONFIG}").replace("[console]", "[console]\npins = true")
        toml = toml.replace("mqtt://127.0.0.1:1883", self.broker.url)
        (self.table / "station.toml").write_text(toml)
        names = self.table / "robot-pins.json"
        names.touch(0o600)
        names.write_text(json.dumps({name: pin for name, (_, pin) in PEOPLE.items()}))
        began = time.monotonic()
        # What is placed before the slots answer does not count, and the film does not show that they are missing.
        with self.no_dealer():
            self.furnish("--keep", "--broker", "none", "--chip-rate", "1")
            self.ready("the devices of the table")
        return f"the four devices answer {time.monotonic() - began:.0f} s after they are plugged in"

    def rules(self) -> str:
        """What systemd/70-dealer-station.rules promises, on the kernel's own devices."""
        node = self.run("dirname $(grep -ls 0a07 /sys/bus/usb/devices/*/idVendor)").strip()
        assert self.run(f"cat {node}/power/control").strip() == "on", "the board may be suspended"
        device = self.run(f"udevadm info --query=name --path {node}").strip()
        owner = self.run(f"stat -c '%G %a' /dev/{device}").split()
        assert owner == ["dealer-station", "660"], owner
        port = self.run(f"readlink -f {BY_ID.format('SIMSHOE1')}").strip()
        assert "ID_MM_DEVICE_IGNORE=1" in self.run(f"udevadm info --query=property {port}")
        self.run(f"setpriv --reuid=65534 --regid=dialout --clear-groups sh -c 'exec 3<>{port}'", fails=True)
        latency = self.run(f"cat /sys/class/tty/{Path(port).name}/device/latency_timer").strip()
        return (
            f"ADU218 is of the group dealer-station and never suspended; a second program of the "
            f"group dialout is refused the shoe's port; latency timer {latency} ms"
        )

    def inventory(self) -> str:
        """`dealer-station devices` names each."""
        found = self.run("dealer-station devices")
        for number in CONVERTERS.values():
            assert number in found, found
        assert "adu218" in found, found
        return "dealer-station devices names the three converters and the ADU218"

    def play(self) -> str:
        """A live table plays."""
        self.plays_on(5)
        return "5 rounds over ftdi_sio and libusb"

    def unplug(self) -> str:
        """Each device is pulled out, missed, plugged in again and used."""
        for device in DEVICES:
            obey(self.table / "faults.sock", f"{device}:unplug@for=100000")
            until(lambda name=device: name in self.missed(), f"{device} to be missed", every=ASK_SECONDS)  # type: ignore[misc]
            obey(self.table / "faults.sock", f"{device}:unplug=off")
        self.ready("the devices after they were plugged in again")
        self.plays_on()
        return f"{', '.join(DEVICES)}: missed, and back"

    def missed(self) -> str:
        return self.shown("StatusText").partition("no answer: ")[2]

    def faults(self) -> str:
        """The bus itself fails: what passes is repaired within a round, what lasts is reported and ends."""
        # The kernel's serial drivers clear no halt: a converter is read again once it was plugged in again.
        self.spoil("stall", POLLED)
        self.misses(("shuffler",), "stall")
        for fault in ("renumber", "short=3", "cut"):
            self.spoil(fault)
            self.ready(f"the devices after {fault}")
            self.plays_on(1)
        for fault, missed in (("nak", POLLED), ("claims={}", DEVICES)):
            self.spoil(fault)
            self.misses(missed, fault)
            self.spoil(f"{fault.partition('=')[0]}=off")
            self.ready(f"the devices after {fault}")
            self.plays_on(1)
        for fault in ("twin", "overlong"):
            self.spoil(fault)
            self.plays_on(1)
            self.spoil(f"{fault}=off")
            self.ready(f"the devices after {fault}")
            self.plays_on(1)
        return "stall, short, cut, renumber, nak, claims, twin, overlong on each device"

    def misses(self, names: Iterable[str], fault: str) -> None:
        """Wait until the station reports all of these as missing."""
        until(
            lambda: all(name in self.missed() for name in names),
            f"{', '.join(names)} to be missed: {fault}",
            every=ASK_SECONDS,
        )

    def spoil(self, fault: str, devices: Iterable[str] = DEVICES) -> None:
        """This on each of these; `{}` in it is the name of another."""
        for device in devices:
            other = "sign" if device == "slots" else "slots"
            obey(self.table / "usb-faults.sock", f"{device}:{fault.format(other)}")

    def frozen(self) -> str:
        """The station stops answering: systemd's watchdog starts it again, and the round resumes."""
        before = int(self.shown("NRestarts"))
        self.run(f"systemctl kill --kill-whom=main --signal=STOP {UNIT}")
        until(lambda: int(self.shown("NRestarts")) > before, "a restart by the watchdog", every=ASK_SECONDS)
        assert "watchdog" in self.run(f"journalctl --unit {UNIT} --lines 60 --no-pager | grep -i watchdog")
        self.resumes("the restarted station")
        return "started again by systemd's watchdog"

    def stopped_kernel(self) -> str:
        """The kernel stops: the hardware watchdog starts the computer again, and the round resumes."""
        boot_id = self.run("cat /proc/sys/kernel/random/boot_id")
        began = time.monotonic()
        printed = self.computer.console.stat().st_size
        self.computer.send("echo c >/proc/sysrq-trigger")
        until(lambda: b"Kernel panic" in self.computer.console.read_bytes()[printed:], "the kernel's panic")
        self.spoil("renumber")  # it does not hang up on its devices, which would wait for it
        self.computer.booted()
        took = time.monotonic() - began
        assert self.run("cat /proc/sys/kernel/random/boot_id") != boot_id
        self.resumes("the table after the hardware watchdog")
        return f"the i6300esb started the computer again, {took:.0f} s after the panic"

    def cuts(self) -> str:
        """Power is cut in the middle of rounds: nothing that was published is lost, and the disk is writable."""
        return self.cut(CUTS)

    def cut(self, times: int) -> str:
        took, again = [], 0
        for _ in range(times):
            rounds = self.rounds
            until(lambda before=rounds: self.rounds > before, "a round before the cut")  # type: ignore[misc]
            self.run("tpm2_dictionarylockout --clear-lockout")  # as docs/maintain.md: the emulated one allows two cuts
            self.computer.cut_power()
            before, began = len(sequenced(self.ear.messages)), time.monotonic()
            self.computer.power_on()
            # The kernel gives an emulated TPM up that had no processor in time. The station does not start without.
            while "tpmrm0" not in self.run("ls /dev"):
                self.computer.cut_power()
                began, again = time.monotonic(), again + 1
                self.computer.power_on()
            assert self.run("findmnt --noheadings --output OPTIONS /").startswith("rw")
            self.ready("the table after a power cut")
            took.append(time.monotonic() - began)
            self.resumes("the table after a power cut", 1)
            assert len(sequenced(self.ear.messages)) > before
        return (
            f"{times} cuts, {len(sequenced(self.ear.messages))} messages without a gap or a change; "
            f"from power to a table that is ready {min(took):.0f} to {max(took):.0f} s; "
            f"{again} more starts, because the emulated TPM did not answer"
        )

    def tpm(self) -> str:
        """The seal key is sealed by this board; on another the station does not start, and nothing is changed."""
        self.run("test -s /etc/dealer-station/seal.key.cred && mv /etc/dealer-station/seal.key /root/")
        self.switch_off()
        self.computer.other_tpm(True)
        self.computer.power_on()
        until(lambda: self.shown("ActiveState") == "failed", "the refusal on another board", every=ASK_SECONDS)
        assert self.shown("ExecMainStatus") == "243", self.shown("ExecMainStatus")
        self.switch_off()
        self.computer.other_tpm(False)
        self.computer.power_on()
        self.resumes("the table on its own board")
        return "sealed by the TPM; on another board 243"

    def switch_off(self) -> None:
        """A shutdown in order."""
        self.computer.send("systemctl poweroff")
        self.computer.off()

    def disk_full(self) -> str:
        """The disk is full: the table waits, and its alarm is published; with room again it continues."""
        before = len(self.ear.messages)
        # Again and again: what removes old files, as journald does, makes room.
        room = "$(df --output=avail -B1 / | tail -n 1)"
        fill = f"touch /fill; fallocate --offset $(stat --format=%s /fill) --length {room} /fill"

        def waits() -> bool:
            self.run(f"{fill} 2>/dev/null || true")
            return any(b'"unwritable"' in message.payload for message in self.ear.messages[before:])

        until(waits, "the alarm that the journal cannot be written", every=ASK_SECONDS)
        self.run("rm -f /fill")
        self.plays_on()
        return "the table waits, and continues"

    def refusals(self) -> int:
        """How often a round was refused, which a press of the lock-in button that comes late is not."""
        lines = (self.table / "bench.log").read_text().splitlines()
        return sum("refused (" in line and "stale_step" not in line for line in lines)

    def clock(self) -> str:
        """The clock is at 1970, as on a board without a battery: no round begins until it is right."""
        before = self.rounds
        self.run("date +%s >/root/now; cut -d. -f1 /proc/uptime >/root/uptime; date -s 1970-01-02")
        self.rounds_at_1970 = {before + 1, self.rounds + 1}
        refused = self.refusals()
        until(lambda: self.refusals() > refused, "a refusal at 1970")
        self.run("date -s @$(($(cat /root/now) + $(cut -d. -f1 /proc/uptime) - $(cat /root/uptime)))")
        self.plays_on()
        return f"refused: {(self.table / 'bench.log').read_text().splitlines()[-1][:160]}"

    def logs(self) -> str:
        """journald is stopped, then the service manager is frozen: the table plays on, and is not restarted."""
        pid = self.shown("MainPID")
        units = "systemd-journald.socket systemd-journald-dev-log.socket systemd-journald-audit.socket systemd-journald"
        self.run(f"systemctl stop {units} 2>&1 || true")
        self.plays_on(1)
        self.run(f"systemctl start {units}")
        # Else the hardware watchdog misses the service manager.
        self.run("mv /etc/systemd/system.conf.d/watchdog.conf /root/ && systemctl daemon-reload")
        self.run("echo 1 >/sys/fs/cgroup/init.scope/cgroup.freeze")
        self.plays_on(1)
        self.run("echo 0 >/sys/fs/cgroup/init.scope/cgroup.freeze")
        self.run("mv /root/watchdog.conf /etc/systemd/system.conf.d/ && systemctl daemon-reload")
        self.plays_on(1)
        assert self.shown("MainPID") == pid, "the station was started again"
        return "the table plays on without journald, and while the service manager is frozen"

    def upgrade(self) -> str:
        """A newer package waits for the end of the round; the older one is refused, and goes in by hand."""
        pid = self.shown("MainPID")
        began = time.monotonic()
        self.run("DEBIAN_FRONTEND=noninteractive dpkg --install /srv/newer.deb")
        took = time.monotonic() - began
        until(lambda: self.shown("MainPID") not in (pid, "0"), "the newer station", every=ASK_SECONDS)
        self.resumes("the newer station")
        assert "a station does not go back" in self.run("dpkg --install /srv/station.deb", fails=True)
        self.plays_on(1)
        self.run("dpkg --remove dealer-station && dpkg --install /srv/station.deb")
        self.run("systemctl enable --now dealer-station.socket dealer-station")
        self.resumes("the older station")
        return f"upgraded ({took:.0f} s of dpkg), refused to go back, gone back by hand"

    def screen(self) -> str:
        """The console in chromium, through the forwarded port: a supervisor logs in and sees the round continue."""
        from playwright.sync_api import sync_playwright

        from tests.benchmarks.browser import ARGUMENTS
        from tests.console.tapping import Tapping

        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=ARGUMENTS)
            browser.on("context", lambda context: context.set_default_timeout(ACT_SECONDS * 1000))
            screen = Tapping(browser, self.port)
            screen.tap(".person")
            screen.page.fill("dialog [data-name]", "rui")  # a stranger is shown no names at a live table
            screen.tap("dialog [data-name-done]")
            screen.page.wait_for_selector(".pinpad:focus")
            screen.type(PEOPLE["rui"][1] + "\n")
            screen.see("() => document.querySelector('.person .role')?.innerText === 'Supervisor'")
            for _ in range(3):
                step = screen.step
                screen.see("step => document.querySelector('[data-step]').dataset.step !== step", step)
            screen.close()
            browser.close()
        return f"a supervisor logs in, and sees step {step} and the next"

    def referee(self) -> str:
        """All rounds of the live table against the referee, which knows the camera alone."""
        self.plays_on(1)
        self.clear_away()
        self.run("systemctl stop dealer-station.socket dealer-station")
        self.ear.catch_up()
        film, whole = whole_rounds(self.camera.read_text().splitlines(keepends=True))
        path = self.table / "whole.jsonl"
        path.write_text(film)
        messages = [message for message in round_messages(self.ear.messages) if message["round"] <= whole]
        (self.table / "rounds.json").write_text(json.dumps(messages))
        caused = tuple(f"round {number}, began and confirmed: " for number in self.rounds_at_1970)
        report = judged(self.table / "station.toml", path, messages, away=True, late=ENUMERATED_SECONDS, caused=caused)
        keys = "/root/seal.key /etc/dealer-station/seal.key"  # the act `tpm` takes it away
        key = self.run(f"ls {keys} 2>/dev/null | head -n 1").strip()
        self.run(f"dealer-station audit verify --config {CONFIG} --seal-key {key}")
        return (
            f"{report.rounds} rounds, {report.settled} settled, {report.void} void, 0 differences; audit verify is good"
        )

    def hundred_cuts(self) -> str:
        """As `cuts`, by hand."""
        return self.cut(100)

    def logged(self) -> str:
        """Before `setup`: the journal's disk is one whose every write and flush is logged."""
        self.run(
            "modprobe dm-log-writes && dmsetup create logged --table "
            '"0 $(blockdev --getsz /dev/vdb) log-writes /dev/vdb /dev/vdc" && mkfs.ext4 -q /dev/mapper/logged && '
            f"mount /dev/mapper/logged {STATE} && chown dealer-station: {STATE} && chmod 700 {STATE}"
        )
        self.is_logged = True
        return "/dev/mapper/logged"

    def replay(self) -> str:
        """A round is played on it; at every flush the journal has all that had been published before."""
        enough = self.rounds + 1
        while self.rounds < enough:
            self.run(f"dmsetup message logged 0 mark {len(sequenced(self.ear.messages))}")
        self.run("systemctl stop dealer-station.socket dealer-station")
        self.run(f"umount {STATE} && dmsetup remove logged && sync")
        key = base64.b64decode(self.run("base64 /etc/dealer-station/seal.key"))
        self.switch_off()
        return replayed(self.computer.folder, key)

    def games(self) -> str:
        """The other games, with faults, over the other makes."""
        found = [self.game(name, 4, *options, "--faults", "0.3") for name, options in OTHER_GAMES.items()]
        return "; ".join(found)

    def hundreds(self) -> str:
        """Every driver plays two hundred rounds; by hand, for it takes long."""
        first = self.game("fortune-3-card-poker-2025", 200)
        makes = ("--source", "shoe", "--slots", "numato", "--sign", "betabrite")
        return f"{first}; {self.game('fortune-3-card-poker-2025', 200, *makes)}"

    def game(self, name: str, rounds: int, *options: str) -> str:
        """A simulated table of this game over USB, by a station without a unit, against the referee."""
        began = time.monotonic()
        self.camera.unlink(missing_ok=True)
        self.run("systemctl stop dealer-station.socket dealer-station")
        shutil.rmtree(self.table)
        self.table.mkdir()
        self.furnish("--game", name, "--rounds", str(rounds), "--listen", f"127.0.0.1:{self.port}", *options)
        text = (self.table / "station.toml").read_text()
        ear = FloorEar(int(next(iter(re.findall(r'mqtt://127.0.0.1:(\d+)"', text)))))
        try:
            self.run("rm -rf /root/state && mkdir -p /root/state && head -c 32 /dev/urandom >/root/state/seal.key")
            self.run(f"chmod 600 /root/state/seal.key; printf %s {shlex.quote(guest_toml(text))} >/root/station.toml")
            self.run("cd /root && dealer-station check-config station.toml")
            with self.no_dealer():
                self.run("cd /root && { dealer-station run --config station.toml >log 2>&1 & echo $! >pid; }")
                config = tomllib.loads(text)
                # A sign is not opened before it has a jackpot to show.
                wanted = {"floor", *config["devices"]} - (set() if "jackpot" in config else {"sign"})
                until(lambda: wanted <= self.came_back(), f"an answer of {', '.join(wanted)}", every=ASK_SECONDS)
            try:
                until(self.finished, f"{rounds} rounds of {name}", LONGEST_SECONDS)
            except AssertionError as failure:
                log = self.run("tail -n 40 /root/log; dmesg | tail -n 30")
                raise AssertionError(f"{failure}\n{log}") from None
            quiet(ear)
            self.run("kill $(cat /root/pid); while kill -0 $(cat /root/pid) 2>/dev/null; do sleep 0.2; done")
            ear.catch_up()
            messages = round_messages(ear.messages)
            report = judged(self.table / "station.toml", self.camera, messages, late=ENUMERATED_SECONDS)
        finally:
            ear.close()
        assert report.rounds == rounds
        took = time.monotonic() - began
        return f"{name} {' '.join(options)}: {report.settled} settled, {report.void} void, 0 differences, {took:.0f} s"

    def came_back(self) -> set[str]:
        """The devices that have answered the station without a unit."""
        log = self.run("cat /root/log; kill -0 $(cat /root/pid)")
        return set(re.findall(r'"device": "(\w+)", .*"event": "back"', log))

    def finished(self) -> bool:
        assert self.bench is not None and self.rounds >= 0
        return any("finished" in seen for seen in self.bench.seen)

    def end(self) -> None:
        """Nothing is left running."""
        for close in (self.computer.close, self.clear_away, self.ear.close, self.broker.stop):
            with contextlib.suppress(Exception):
                close()


def quiet(ear: FloorEar) -> None:
    """Wait until the floor has had nothing new for a while."""
    seen = -1
    while seen != len(ear.messages):
        seen = len(ear.messages)
        time.sleep(QUIET_SECONDS)
    ear.catch_up()


def whole_rounds(lines: list[str]) -> tuple[str, int]:
    """The film up to the end of its last whole round, and that round's number."""
    ends = [at for at, line in enumerate(lines) if json.loads(line)["event"] == "round_end"]
    return "".join(lines[: ends[-1] + 1]), json.loads(lines[ends[-1]])["round"]


def replayed(folder: Path, key: bytes) -> str:
    """Mount what every flush left, as root, and verify the journal on it. Raises AssertionError."""
    disk, copy, mounted = folder / "replica.img", folder / "copy.img", folder / "mounted"
    disk.write_bytes(b"")
    os.truncate(disk, (folder / "data.img").stat().st_size)
    mounted.mkdir(exist_ok=True)
    flushes = journals = published = 0
    with (folder / "log.img").open("rb") as log:
        for flushes, mark in epochs(log, disk):
            subprocess.run(["cp", "--sparse=always", disk, copy], check=True)
            if subprocess.run(["mount", "-o", "loop", copy, mounted], stderr=subprocess.DEVNULL).returncode:
                assert not mark, f"flush {flushes}: no file system"
                continue
            try:
                journal = mounted / "journal.db"
                if mark in ("", "0") and not journal.exists():
                    continue
                has = audit(journal, "live", Seal(key), lambda done, total: None).sequence
                assert has >= int(mark or 0), (
                    f"flush {flushes}: the journal ends at message {has}, {mark} was published"
                )
                journals, published = journals + 1, max(published, int(mark or 0))
            finally:
                subprocess.run(["umount", mounted], check=True)
    assert published, "no flush left a journal of which something was published"
    return f"{flushes} flushes, of which {journals} had a journal; {published} messages were published: nothing is lost"


def guest_toml(text: str) -> str:
    """The bench's station.toml as the computer needs it: real ports, the broker on this machine."""
    for name, number in CONVERTERS.items():
        text = text.replace(f'port = "{name}"', f'port = "{BY_ID.format(number)}"')
    text = text.replace('port = "slots"', f'port = "{NUMATO}"')
    text = re.sub(r"(?m)^usb_(backend|socket) = .*\n", "", text)
    return text.replace('broker = "mqtt://127.0.0.1:', 'broker = "mqtt://10.0.2.2:')


ACTS = (
    "boot", "setup", "rules", "inventory", "play", "unplug", "frozen", "clock", "disk_full", "logs", "screen", "tpm",
    "stopped_kernel", "cuts", "referee", "games",
)  # fmt: skip
# By name alone: with them it takes more than twenty minutes.
LONG = ("faults", "upgrade")
# They are parts of `make computer-hundreds` and `make computer-cuts`.
APART = ("hundreds", "hundred_cuts", "logged", "replay")


@contextlib.contextmanager
def on_stage(folder: Path, begin_saved: bool) -> Iterator[Acts]:
    acts = Acts(folder, begin_saved)
    try:
        yield acts
    finally:
        acts.end()


def main(folder: Path, names: list[str]) -> None:
    """Play these acts. The first that fails ends it, with its error."""
    began = time.monotonic()
    begin_saved = names[0] != "boot"
    assert not begin_saved or (folder / "saved" / "port").exists(), (
        "play boot and setup first: they save what the others begin from"
    )
    with on_stage(folder, begin_saved) as acts:
        for name in (["boot", "start"] if begin_saved else []) + names:
            start = time.monotonic()
            found = getattr(acts, name)()
            print(f"{name}: {found} ({time.monotonic() - start:.0f} s)", flush=True)
    print(f"computer: good, in {time.monotonic() - began:.0f} s")
    for reason, others in (("they take long", LONG), ("they have targets of their own", APART)):
        if left := [name for name in others if name not in names]:
            print(f"not played, because {reason}: {', '.join(left)}")


if __name__ == "__main__":
    os.environ.setdefault("PYTHONUNBUFFERED", "1")
    main(Path(sys.argv[1]), sys.argv[2:] or list(ACTS))
