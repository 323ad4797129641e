"""A resolver that gives no answer, for the processes that a test starts."""

from pathlib import Path

SILENT = "broker.silent.invalid"
CUSTOM = """
import socket, time
found = socket.getaddrinfo
def getaddrinfo(host, *more, **hints):
    if host == {silent!r}:
        open({asked!r}, "a").close()
        time.sleep(600)
    return found(host, *more, **hints)
socket.getaddrinfo = getaddrinfo
"""


def silent_names(folder: Path) -> tuple[dict[str, str], Path]:
    """The environment of such a process, and a file that is there once it has asked for `SILENT`."""
    folder.mkdir()
    asked = folder / "asked"
    (folder / "sitecustomize.py").write_text(CUSTOM.format(silent=SILENT, asked=str(asked)))
    return {"PYTHONPATH": str(folder)}, asked
