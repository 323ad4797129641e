"""The whole computer in an emulator: a Debian kernel with its own drivers meets the simulated devices over USB/IP.

`python -m tests.computer.acts FOLDER` boots the disk that `disk.sh` has made in FOLDER and plays the acts in turn. A
bench, its broker and the exporting side of USB/IP run on this machine; the station and the kernel run in the emulator,
which reaches this machine as 10.0.2.2. Each act prints what it found and how long it took.
"""

import contextlib
import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

from simulators.broker import free_port

BOOT_SECONDS, ACT_SECONDS = 900.0, 900.0
ROUNDS = 20
GUEST = "10.0.2.15"
BY_ID = "/dev/serial/by-id/usb-FTDI_FT232R_USB_UART_{}-if00-port0"
CONVERTERS = {"shuffler": "SIMSHUF1", "shoe": "SIMSHOE1", "sign": "SIMSIGN1"}


def until(condition: Callable[[], object], what: str, seconds: float = ACT_SECONDS) -> None:
    """Wait for it. Raises AssertionError."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"waited in vain for {what}"
        time.sleep(0.2)


class Lines:
    """A process whose standard output is JSON lines after one that says `ready`."""

    def __init__(self, *arguments: str) -> None:
        self.seen: list[dict[str, Any]] = []
        self._process = subprocess.Popen(
            [sys.executable, "-m", "simulators", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        ready = self._process.stdout.readline()
        assert ready.startswith("ready "), ready
        self.ready = ready.removeprefix("ready ").strip()
        threading.Thread(target=self._read, args=(self._process.stdout,), daemon=True).start()

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def end(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(30)

    def _read(self, stream: IO[str]) -> None:
        for line in stream:
            self.seen.append(json.loads(line))


class Computer:
    """The emulated computer. `console` is its serial console, as a file."""

    def __init__(self, folder: Path, console_port: int) -> None:
        self._folder = folder
        self._console_port = console_port
        self.console = folder / "console.log"
        self.console.write_bytes(b"")
        self._qemu: subprocess.Popen[bytes] | None = None
        self._stream: Any = None

    def power_on(self) -> float:
        """Boot; the seconds from power to the first answer."""
        began = time.monotonic()
        with socket.create_server(("127.0.0.1", 0)) as server:
            server.settimeout(BOOT_SECONDS)
            self._qemu = subprocess.Popen(self._command(server.getsockname()[1]), stdin=subprocess.DEVNULL)
            connection, _ = server.accept()
        self._stream = connection.makefile("rw")
        self.run("true")
        return time.monotonic() - began

    def cut_power(self) -> None:
        """Kill the emulator: what the computer had not written to its disk is lost."""
        assert self._qemu is not None
        self._qemu.kill()
        self._qemu.wait()
        self._stream.close()

    def run(self, command: str, fails: bool = False) -> str:
        """Run a line of bash there; its output. It must succeed, or fail."""
        self._stream.write(json.dumps(command) + "\n")
        self._stream.flush()
        code, output = json.loads(self._stream.readline())
        assert (code != 0) == fails, f"{command}: {code}\n{output}"
        return str(output)

    def _command(self, acts: int) -> list[str]:
        forwarded = f"hostfwd=tcp:127.0.0.1:{self._console_port}-{GUEST}:{self._console_port}"
        return [
            "nice", "-n", "19", "qemu-system-x86_64", "-accel", "tcg,thread=multi", "-smp", "2", "-m", "1024",
            "-nodefaults", "-display", "none", "-no-reboot", "-serial", f"file:{self.console}",
            "-kernel", str(self._folder / "vmlinuz"), "-initrd", str(self._folder / "initrd.img"),
            "-append", f"root=/dev/vda rw console=ttyS0 init=/srv/computer/start.sh mitigations=off acts={acts}",
            "-drive", f"file={self._folder / 'disk.img'},format=raw,if=virtio",
            "-netdev", f"user,id=net,{forwarded}", "-device", "virtio-net-pci,netdev=net",
        ]  # fmt: skip


class Acts:
    """The acts in turn, with the bench that they share."""

    def __init__(self, folder: Path) -> None:
        self.table = folder / "table"
        shutil.rmtree(self.table, ignore_errors=True)
        self.console_port = port = free_port()
        self.bench = Lines("bench", "--dir", str(self.table), "--speed", "device", "--listen", f"127.0.0.1:{port}")
        self.usb = Lines("usb", "--dir", str(self.table), "--port", "0")
        self.usb_port = int(self.usb.ready.rpartition(":")[2])
        self.computer = Computer(folder, port)

    @property
    def rounds(self) -> int:
        return max((one["round"] for one in self.bench.seen if "round" in one), default=0)

    def boot(self) -> str:
        return f"from power to the first answer {self.computer.power_on():.1f} s; {self.run('uname -r').strip()}"

    def run(self, command: str, fails: bool = False) -> str:
        return self.computer.run(command, fails)

    def write(self, path: str, text: str) -> None:
        """A file there."""
        self.run(f"mkdir -p $(dirname {path}) && printf %s {shlex.quote(text)} >{path}")

    def attach(self) -> str:
        """The kernel meets the four devices; its drivers and udev serve them."""
        self.run("modprobe -a vhci_hcd cdc_acm ftdi_sio usbhid")
        exported = self.run(f"usbip --tcp-port {self.usb_port} list --remote 10.0.2.2")
        for bus_id in sorted(re.findall(r"^\s+(\d-\d+): ", exported, re.M)):
            self.run(f"usbip --tcp-port {self.usb_port} attach --remote 10.0.2.2 --busid {bus_id}")
        links = " ".join(BY_ID.format(number) for number in CONVERTERS.values())
        self.run(f"for i in $(seq 100); do ls {links} >/dev/null 2>&1 && break; sleep 0.3; done; ls -l {links}")
        usb = self.run("lsusb")
        assert usb.count("0403:6001") == 3 and usb.count("0a07:00da") == 1, usb
        return f"{usb.count('0403:6001')} converters, ADU218; /dev/serial/by-id has each by its serial number"

    def rules(self) -> str:
        """What systemd/70-dealer-station.rules promises, on the kernel's own devices."""
        node = self.run("dirname $(grep -ls 0a07 /sys/bus/usb/devices/*/idVendor)").strip()
        assert self.run(f"cat {node}/power/control").strip() == "on", "the board may be suspended"
        device = self.run(f"udevadm info --query=name --path {node}").strip()
        owner = self.run(f"stat -c '%G %a' /dev/{device}").split()
        assert owner == ["dealer-station", "660"], owner
        driver = self.run(f"basename $(readlink {node}/*:1.0/driver)").strip()
        port = self.run(f"readlink -f {BY_ID.format('SIMSHOE1')}").strip()
        assert "ID_MM_DEVICE_IGNORE=1" in self.run(f"udevadm info --query=property {port}")
        return (
            f"ADU218 is of the group dealer-station, never suspended, the kernel's {driver} has it until it is opened"
        )

    def inventory(self) -> str:
        """`dealer-station devices` names each."""
        found = self.run("dealer-station devices --json || dealer-station devices")
        for number in CONVERTERS.values():
            assert number in found, found
        assert "adu218" in found, found
        return "dealer-station devices names the three converters and the ADU218"

    def play(self) -> str:
        """The station plays rounds over ttyUSB and libusb."""
        self.write("/root/station.toml", guest_toml((self.table / "station.toml").read_text()))
        self.run("head -c 32 /dev/urandom >/root/seal.key && chmod 600 /root/seal.key")
        self.run("dealer-station check-config /root/station.toml")
        began = time.monotonic()
        self.run("dealer-station run --config /root/station.toml >/root/log 2>&1 & sleep 1")
        self.plays_on(ROUNDS)
        return f"{ROUNDS} rounds over ftdi_sio and libusb, {time.monotonic() - began:.0f} s after the start"

    def plays_on(self, rounds: int) -> None:
        """Wait until so many more rounds have been played."""
        enough = self.rounds + rounds
        try:
            until(lambda: self.rounds >= enough or not self.bench.alive, f"round {enough}, not {self.rounds}")
        except AssertionError as failure:
            log = self.run("tail -n 40 /root/log; dmesg | tail -n 30")
            raise AssertionError(f"{failure}\n{log}") from None
        assert self.bench.alive

    def end(self) -> None:
        """Nothing is left running."""
        with contextlib.suppress(Exception):
            self.computer.cut_power()
        for process in (self.usb, self.bench):
            with contextlib.suppress(Exception):
                process.end()


def guest_toml(text: str) -> str:
    """The bench's station.toml as the computer needs it: real ports, the broker on this machine."""
    for name, number in CONVERTERS.items():
        text = text.replace(f'port = "{name}"', f'port = "{BY_ID.format(number)}"')
    text = re.sub(r"(?m)^usb_(backend|socket) = .*\n", "", text)
    text = text.replace('broker = "mqtt://127.0.0.1:', 'broker = "mqtt://10.0.2.2:')
    text = re.sub(r'(?m)^listen = "127.0.0.1:', f'listen = "{GUEST}:', text)
    text = text.replace('"state/journal.db"', '"/root/journal.db"')
    return text.replace('"state/seal.key"', '"/root/seal.key"')


ACTS = ("boot", "attach", "rules", "inventory", "play")


@contextlib.contextmanager
def on_stage(folder: Path) -> Iterator[Acts]:
    acts = Acts(folder)
    try:
        yield acts
    finally:
        acts.end()


def main(folder: Path, names: list[str]) -> None:
    """Play these acts. The first that fails ends it, with its error."""
    began = time.monotonic()
    with on_stage(folder) as acts:
        for name in names:
            start = time.monotonic()
            found = getattr(acts, name)()
            print(f"{name}: {found} ({time.monotonic() - start:.0f} s)", flush=True)
    print(f"computer: good, in {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    os.environ.setdefault("PYTHONUNBUFFERED", "1")
    main(Path(sys.argv[1]), sys.argv[2:] or list(ACTS))
