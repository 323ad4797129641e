"""`dealer-station entries`: who logged in at a table's console, who was not let in, and from where."""

import argparse

import msgspec

from controller.command_line.argument import count
from controller.command_line.failures import with_config
from controller.command_line.options import add_journal
from controller.command_line.output import say
from controller.config.file import Config
from controller.engine.state.events import LockedOut, LockLifted, SignedIn, SignedOut, SignInEvent, SignInRefused
from controller.queries.sign_ins import JournaledSignIn, last_sign_ins

REASONS = {
    "wrong_pin": "wrong PIN",
    "no_pin": "has no PIN",
    "unknown_name": "a name no one has",
    "too_many": "beyond the attempts of a minute",
}
ENDINGS = {
    "logged_out": "logged out",
    "idle": "logged out: nothing done for too long",
    "too_long": "logged out: in for too long",
    "pin_changed": "logged out: the PIN was changed",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Prints log-ins, refusals, lock-outs, who lifted them, and log-outs. The journal is only read, also while its "
        "station runs."
    )
    parser.add_argument("--last", type=count, default=100, metavar="N", help="so many (default: %(default)s)")
    add_journal(parser)
    parser.add_argument("--json", action="store_true", help="a list of JSON objects")


@with_config
def run(config: Config, options: argparse.Namespace) -> int:
    """Print the last entries, oldest first; returns the exit code."""
    entries = last_sign_ins(options.journal or config.journal, config.mode, options.last)
    entries.reverse()
    if options.json:
        return say(msgspec.json.encode([entry.as_published() for entry in entries]))
    return say("\n".join(_line(entry) for entry in entries) or "no one has logged in yet")


def _line(entry: JournaledSignIn) -> str:
    event = entry.event
    name, role = event.name or "–", event.role or "–"
    return f"{entry.time}  {name:<12} {role:<10} {event.address:<15} {_what(event)}{_where(event)}"


def _where(event: SignInEvent) -> str:
    if isinstance(event, SignInRefused | LockedOut) and event.screen_persons:
        return f", at a screen of {', '.join(event.screen_persons)}"
    return ""


def _what(event: SignInEvent) -> str:
    match event:
        case SignedIn():
            return "logged in"
        case SignedOut(how=how):
            return ENDINGS[how]
        case SignInRefused(reason=reason):
            return f"not let in: {REASONS[reason]}" + (f" ({event.attempts})" if reason == "too_many" else "")
        case LockedOut(failures=failures, seconds=seconds):
            return f"locked out for {seconds} s after {failures} wrong PINs"
        case LockLifted(actor=by):
            return f"lock lifted by {by}" if by else "lock lifted: another PIN"
