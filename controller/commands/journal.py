"""`dealer-station journal new`: two persons begin the journal of a live table; its station never does by itself."""

import argparse
import os
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from controller.commands.output import refuse, say
from controller.commands.run import add_config, configured
from controller.config.file import Config
from controller.journal import guards
from controller.journal.sealing import Seal, read_key
from controller.journal.store import Journal

ONLY_OWNER = 0o077  # of a mask


class BegunBy(msgspec.Struct, frozen=True):
    """Who began a journal, each with the role of then, and when, by the clock of the computer."""

    persons: dict[str, str]
    at: str


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Begins an empty journal: the pot is at its initial amount, and the floor's sequence at 1. Two persons of "
        "[people] answer for that, one of them a supervisor; their names stay in the journal."
    )
    what = parser.add_subparsers(required=True, metavar="WHAT")
    new = what.add_parser("new", help="begin the journal of a new table")
    add_config(new)
    new.add_argument("--by", required=True, metavar="NAME", help="of [people]")
    new.add_argument("--and", required=True, metavar="NAME", dest="second", help="another of [people]")
    add_seal_key(new)


def add_seal_key(parser: argparse.ArgumentParser) -> None:
    """Where the seal key is, for every command that needs it beside the service."""
    parser.add_argument(
        "--seal-key", type=Path, metavar="FILE", help="where the key is, if only the service reads the configuration's"
    )


@configured
def run(config: Config, options: argparse.Namespace) -> int:
    """Begin the journal; returns the exit code."""
    wrong = _why_not(config, options.by, options.second)
    if wrong is not None:
        return refuse(wrong)
    return _begin(config, options.by, options.second, options.seal_key or config.seal_key_file)


def _why_not(config: Config, by: str, second: str) -> str | None:
    for name in (by, second):
        if name not in config.people:
            return f"{name} is not in [people], which has {', '.join(config.people)}"
    if by == second:
        return f"{by} is one person; a journal is begun by two"
    if "supervisor" not in (config.people[by], config.people[second]):
        return f"neither {by} nor {second} is a supervisor"
    if config.journal.exists():
        return f"{config.journal} is there already; nothing was changed"
    return None


def _begin(config: Config, by: str, second: str, key: Path) -> int:
    at = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    begun_by = msgspec.json.encode(BegunBy(persons={name: config.people[name] for name in (by, second)}, at=at))
    os.umask(ONLY_OWNER)
    seal = Seal(read_key(key, create=config.mode == "simulation"))
    journal = Journal(config.journal, seal, config.mode, begun_by=begun_by)
    journal.close()
    if os.geteuid() == 0:
        # Begun by root, written by the station: the files are its who owns the folder.
        folder = config.journal.parent.stat()
        for file in config.journal.parent.glob(f"{config.journal.name}*"):
            os.chown(file, folder.st_uid, folder.st_gid)
    told = guards.shown(guards.key_of(seal, journal.uuid.encode()))
    say(f"{config.journal} is begun by {by} and {second}: {journal.uuid}")
    return say(f"check value of its seal key: {told}")
