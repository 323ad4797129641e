"""A private PostgreSQL in a folder, which listens only on a socket there: for simulations and tests."""

import os
import pwd
import shutil
import subprocess
from pathlib import Path

VERSIONS = Path("/usr/lib/postgresql")  # Debian keeps its programs out of the PATH
OWNER = "postgres"  # PostgreSQL does not start as root
WANTED = "PostgreSQL is not installed (Debian: apt-get install postgresql)"


class ClusterFailed(Exception):
    """A program of PostgreSQL failed; the text is what it reported."""


class Cluster:
    """A server in a folder; the first start makes it. Raises FileNotFoundError if PostgreSQL is not installed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.database = f"host={folder} dbname=postgres user={OWNER}"
        self._programs = programs()

    def start(self) -> None:
        """Start the server; it answers on return. Raises ClusterFailed."""
        data = self.folder / "data"
        if not data.exists():
            self.make_folder()
            self.run(
                "initdb", "--pgdata", data, "--username", OWNER, "--auth", "trust", "--encoding", "UTF8", "--no-sync"
            )
        options = f"-c listen_addresses='' -c unix_socket_directories='{self.folder}' -c unix_socket_permissions=0700"
        self.run("pg_ctl", "start", "--wait", "--pgdata", data, "--log", self.folder / "log", "--options", options)

    def make_folder(self) -> None:
        """The folder of its files, its owner's."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if os.geteuid() == 0:
            os.chown(self.folder, *_owner())

    def stop(self, how: str = "fast") -> None:
        """Stop the server: `fast`, or `immediate`, as in a crash. Raises ClusterFailed."""
        self.run("pg_ctl", "stop", "--wait", "--pgdata", self.folder / "data", "--mode", how)

    def program(self, name: str) -> Path:
        """The path of a program of PostgreSQL."""
        return self._programs / name

    def run(self, program: str, *arguments: str | Path) -> None:
        """Run a program of PostgreSQL as the owner of its files. Raises ClusterFailed."""
        as_owner = {"user": OWNER, "group": OWNER, "extra_groups": ()} if os.geteuid() == 0 else {}
        command = [self.program(program), *arguments]
        # The server it leaves behind would hold a pipe open.
        with (self.folder / "output").open("w+b") as output:
            done = subprocess.run(  # type: ignore[call-overload]
                command,
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,  # Ctrl-C is for anyone who started it
                **as_owner,
            )
            if done.returncode:
                output.seek(0)
                raise ClusterFailed(f"{program}: {output.read().decode(errors='replace').strip()}")


def programs() -> Path:
    """The folder of the newest PostgreSQL's programs. Raises FileNotFoundError."""
    found = sorted(VERSIONS.glob("*/bin/initdb"), key=lambda path: float(path.parts[-3]))
    if found:
        return found[-1].parent
    if (program := shutil.which("initdb")) is not None:
        return Path(program).resolve().parent
    raise FileNotFoundError(WANTED)


def _owner() -> tuple[int, int]:
    person = pwd.getpwnam(OWNER)
    return person.pw_uid, person.pw_gid
