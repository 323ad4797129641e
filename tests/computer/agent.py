"""Runs on the computer under test: connects to the acts on the host and runs the commands that they send."""

import json
import re
import socket
import subprocess
from pathlib import Path


def serve(port: int) -> None:
    """A command a line, and for each its exit code and its output."""
    with socket.create_connection(("10.0.2.2", port), timeout=10) as connection, connection.makefile("rw") as stream:
        connection.settimeout(None)
        for line in stream:
            done = subprocess.run(
                ["/bin/bash", "-c", json.loads(line)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
            )
            stream.write(json.dumps([done.returncode, done.stdout]) + "\n")
            stream.flush()


if __name__ == "__main__":
    found = re.search(r"acts=(\d+)", Path("/proc/cmdline").read_text())
    assert found is not None
    serve(int(found[1]))
