"""TOML that is read in a separate process, with limits of memory and time: for a text that root has not written."""

import subprocess
import sys
from collections.abc import Callable
from datetime import date, datetime, time
from errno import EIO
from typing import Any

import msgspec

from controller.toml import text
from controller.toml.text import EXIT_MEMORY, MOST_OCTETS, BadToml, parse_toml

PROGRAM = text.__file__
PATIENCE = 30.0  # seconds for a child that has MOST_SECONDS of processor time: the computer may be busy
_KINDS: dict[str, Callable[[Any], object]] = {
    "list": lambda items: [_value(item) for item in items],
    "float": float,
    "date": date.fromisoformat,
    "time": time.fromisoformat,
    "datetime": datetime.fromisoformat,
}


def parse_apart(octets: bytes) -> dict[str, Any]:
    """The document, as `parse_toml` reads it. It blocks for at most PATIENCE seconds.

    The child has no descriptor, environment or memory of this process.
    Raises BadToml, or OSError where no child can be started.
    """
    if len(octets) > MOST_OCTETS:
        return parse_toml(octets)  # which refuses it
    try:
        child = subprocess.run(
            [sys.executable, "-I", "-S", PROGRAM],
            input=octets, capture_output=True, timeout=PATIENCE, env={}, cwd="/", start_new_session=True,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise BadToml(None, f"the text was not read within {PATIENCE:.0f} seconds") from None
    if child.returncode < 0 or child.returncode == EXIT_MEMORY:
        raise BadToml(None, "to read the text takes more memory or time than is allowed")
    if child.returncode:
        raise OSError(EIO, f"the reader of TOML ended with {child.returncode}: {child.stderr.decode(errors='replace')}")
    answer = msgspec.json.decode(child.stdout)
    if "document" not in answer:
        raise BadToml(answer["line"], answer["reason"])
    return {key: _value(value) for key, value in answer["document"].items()}


def _value(plain: Any) -> object:
    if isinstance(plain, dict):
        return {key: _value(value) for key, value in plain.items()}
    if isinstance(plain, list):
        kind, value = plain
        return _KINDS[kind](value)
    return plain
