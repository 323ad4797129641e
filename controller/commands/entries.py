"""`dealer-station entries`: who logged in at a table's console, who was not let in, and from where."""

import sys
from pathlib import Path

import msgspec

from controller.commands.run import EXIT_CONFIGURATION, blamed, load_config
from controller.engine.sign_ins import LockedOut, SignedIn, SignedOut, SignInEvent, SignInRefused
from controller.queries.sign_ins import JournaledSignIn, last_sign_ins

REASONS = {"wrong_pin": "wrong PIN", "no_pin": "has no PIN", "unknown_name": "a name nobody has"}
ENDINGS = {
    "logged_out": "logged out",
    "idle": "logged out: nothing done for too long",
    "too_long": "logged out: in for too long",
    "pin_changed": "logged out: the PIN was changed",
}


def print_entries(path: Path, journal: Path | None, last: int, as_json: bool) -> int:
    """Print the last entries, oldest first; returns the exit code.

    `journal` is another journal than the configuration's, such as a copy. It is only read, beside its station too.
    """
    config = load_config(path)
    if config is None:
        return EXIT_CONFIGURATION
    try:
        entries = last_sign_ins(journal or config.journal, config.mode, last)
    except Exception as error:
        code = blamed(error)
        if code is None:
            raise
        return code
    entries.reverse()
    if as_json:
        text = msgspec.json.encode([entry.told() for entry in entries]).decode()
    else:
        text = "\n".join(_line(entry) for entry in entries) or "nobody has logged in yet"
    # UTF-8 whatever the terminal's encoding, which may not have a person's name.
    sys.stdout.buffer.write(text.encode() + b"\n")
    sys.stdout.flush()
    return 0


def _line(entry: JournaledSignIn) -> str:
    event = entry.event
    name, role = event.name or "–", event.role or "–"
    return f"{entry.time}  {name:<12} {role:<10} {event.address:<15} {_what(event)}"


def _what(event: SignInEvent) -> str:
    match event:
        case SignedIn():
            return "logged in"
        case SignedOut(how=how):
            return ENDINGS[how]
        case SignInRefused(reason=reason):
            return f"not let in: {REASONS[reason]}"
        case LockedOut(failures=failures, seconds=seconds):
            return f"locked out for {seconds} s after {failures} wrong PINs"
