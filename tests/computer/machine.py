"""The emulated computer, its TPM and the processes beside it on this machine."""

import json
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

BOOT_SECONDS, ACT_SECONDS, STOP_SECONDS = 1800.0, 1800.0, 30.0
ASK_SECONDS = 2.0  # between two commands to the computer, which take its processor from what is waited for
DATA_OCTETS, LOG_OCTETS = 256 << 20, 8 << 30
GUEST = "10.0.2.15"
# Under emulation every driver more is seconds, and no act needs these.
LEFT_OUT = "kvm,kvm_amd,ata_piix,ata_generic,i2c_piix4,psmouse,serio_raw,pcspkr,evdev,joydev,sr_mod,sg"
STATE, UNIT = "/var/lib/dealer-station", "dealer-station.service"


def until(condition: Callable[[], object], what: str, seconds: float = ACT_SECONDS, every: float = 0.2) -> None:
    """Wait for it, and look `every` so many seconds. Raises AssertionError."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"waited in vain for {what}"
        time.sleep(every)


class Lines:
    """A simulator whose standard output is JSON lines after one that is `ready`."""

    def __init__(self, *arguments: str, log: Path) -> None:
        self.seen: list[dict[str, Any]] = []
        with log.open("a") as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "simulators", *arguments],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True,
            )  # fmt: skip
        assert self._process.stdout is not None
        ready = self._process.stdout.readline()
        assert ready.startswith("ready "), log.read_text()
        threading.Thread(target=self._read, args=(self._process.stdout,), daemon=True).start()

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def end(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(STOP_SECONDS)

    def _read(self, stream: IO[str]) -> None:
        for line in stream:
            self.seen.append(json.loads(line))


def obey(fault_socket: Path, line: str) -> None:
    """Let something go wrong on a bench or on its bus. Raises AssertionError."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(fault_socket))
        connection.sendall(line.encode() + b"\n")
        answer = connection.makefile().readline()
    assert answer == "ok\n", f"{line}: {answer}"


class Computer:
    """The emulated computer on a copy of the disk that `disk.sh` has made in `built`.

    `ports` are those of this machine that it reaches: `acts`, `usb`, `broker`; `screen` is forwarded to it. `console`
    is what its serial port has printed, as a file. `saved` is a folder that `save` has filled, to begin from.
    """

    def __init__(self, built: Path, folder: Path, ports: dict[str, int], saved: Path | None = None) -> None:
        self.folder = folder
        self.console = folder / "console.log"
        self.tpm = "tpm"
        self._built, self._ports = built, dict(ports)
        self._server = socket.create_server(("127.0.0.1", 0))
        self._server.settimeout(ASK_SECONDS)
        self._ports["acts"] = self._server.getsockname()[1]
        self._processes: list[subprocess.Popen[bytes]] = []
        self._stream: Any = None
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        if saved is None:
            subprocess.run(
                ["qemu-img", "create", "-q", "-f", "qcow2", "-F", "raw", "-b", built.resolve() / "disk.img", self.disk],
                check=True,
            )
        else:
            shutil.copytree(saved / self.tpm, folder / self.tpm)
            shutil.copy(saved / self.disk.name, self.disk)
        for name, size in (("data.img", DATA_OCTETS), ("log.img", LOG_OCTETS)):
            (folder / name).write_bytes(b"")
            os.truncate(folder / name, size)

    @property
    def disk(self) -> Path:
        """What this computer has written over the disk that `disk.sh` has made."""
        return self.folder / "disk.qcow2"

    def save(self, saved: Path) -> None:
        """Save disk and TPM, of a computer at rest, for one that begins from there."""
        self.run("sync")
        shutil.copytree(self.folder / self.tpm, saved / self.tpm, ignore=shutil.ignore_patterns("control", ".lock"))
        shutil.copy(self.disk, saved)

    def power_on(self) -> float:
        """Boot; the seconds from power to the first answer."""
        began = time.monotonic()
        tpm = self.folder / self.tpm
        tpm.mkdir(exist_ok=True)
        control = tpm / "control"
        self._processes = [
            subprocess.Popen(
                ["swtpm", "socket", "--tpm2", "--tpmstate", f"dir={tpm}", "--ctrl", f"type=unixio,path={control}"],
                stdin=subprocess.DEVNULL,
            )
        ]
        until(control.exists, "swtpm", STOP_SECONDS)
        self._processes.append(subprocess.Popen(self._command(control), stdin=subprocess.DEVNULL))
        self.booted()
        return time.monotonic() - began

    def booted(self) -> None:
        """Wait until the computer has started, or has started again. Raises AssertionError if the emulator ends."""
        deadline = time.monotonic() + BOOT_SECONDS
        while True:
            try:
                connection, _ = self._server.accept()
                break
            except TimeoutError:
                assert self._processes[-1].poll() is None, "the emulator has ended; its own line above says why"
                assert time.monotonic() < deadline, f"the computer did not start in {BOOT_SECONDS:.0f} s"
        connection.settimeout(ACT_SECONDS)
        self._stream = connection.makefile("rw")
        self.run("true")

    def cut_power(self) -> None:
        """Kill the emulator: what the computer had not written to its disk is lost."""
        for process in reversed(self._processes):
            process.kill()
            process.wait(STOP_SECONDS)
        self._processes = []
        for control in self.folder.glob("*/control"):
            control.unlink()

    def off(self) -> None:
        """Wait until the computer has switched itself off."""
        self._processes[-1].wait(ACT_SECONDS)
        self.cut_power()

    def other_tpm(self, other: bool) -> None:
        """From the next start on the board is another one, or the same again."""
        self.tpm = "other-tpm" if other else "tpm"

    def run(self, command: str, fails: bool = False) -> str:
        """Run a line of bash there; its output. It must succeed, or fail."""
        self.send(command)
        answer = self._stream.readline()
        assert answer, f"{command}: the computer stopped"
        code, output = json.loads(answer)
        assert (code != 0) == fails, f"{command}: {code}\n{output}"
        return str(output)

    def send(self, command: str) -> None:
        """Begin a line of bash there that stops the computer."""
        self._stream.write(json.dumps(command) + "\n")
        self._stream.flush()

    def close(self) -> None:
        self.cut_power()
        self._server.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _command(self, control: Path) -> list[str]:
        # cache=unsafe: a flush reaches files of this machine, which outlive the emulator, and waits for no disk.
        screen = self._ports["screen"]
        known = " ".join(f"{name}={port}" for name, port in self._ports.items())
        return [
            "qemu-system-x86_64", "-accel", "tcg,thread=multi", "-smp", "2", "-m", "1024",
            "-cpu", "qemu64,-svm", "-nodefaults", "-display", "none", "-serial", f"file:{self.console}",
            "-kernel", str(self._built / "vmlinuz"), "-initrd", str(self._built / "initrd.img"),
            "-append", f"root=/dev/vda rw console=ttyS0 quiet mitigations=off module_blacklist={LEFT_OUT} {known}",
            "-drive", f"file={self.disk},format=qcow2,if=virtio,cache=unsafe",
            "-drive", f"file={self.folder / 'data.img'},format=raw,if=virtio,cache=unsafe",
            "-drive", f"file={self.folder / 'log.img'},format=raw,if=virtio,cache=unsafe",
            "-netdev", f"user,id=net,hostfwd=tcp:127.0.0.1:{screen}-{GUEST}:{screen}",
            "-device", "virtio-net-pci,netdev=net",
            "-chardev", f"socket,id=tpm,path={control}", "-tpmdev", "emulator,id=tpm,chardev=tpm",
            "-device", "tpm-tis,tpmdev=tpm", "-device", "i6300esb", "-action", "watchdog=reset",
        ]  # fmt: skip
