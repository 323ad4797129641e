"""`dealer-station journal`: two persons begin it, continue from a copy, or prune; backup and restore.

No station does any of it by itself.
"""

import argparse
import os
import secrets
from contextlib import closing, suppress
from datetime import UTC, date, datetime
from pathlib import Path

import msgspec

from controller.command_line.argument import day
from controller.command_line.failures import with_config
from controller.command_line.options import add_config
from controller.command_line.output import refuse, say
from controller.command_line.pins import not_in_people
from controller.config.credentials import seal_key_of
from controller.config.file import Config
from controller.config.floor_connection import identity_of
from controller.engine.decisions.deciders import decide_with_alarms
from controller.engine.decisions.session import SegmentsExpired
from controller.floor.messages import publications
from controller.journal import guards
from controller.journal.auditing import audit, unreported
from controller.journal.closing import remove_left_over
from controller.journal.copies import back_up, put_back
from controller.journal.pruning import expired, keep_from
from controller.journal.records import Batch, Epoch, JournalRewound
from controller.journal.sealing import Seal, read_key
from controller.journal.store import Journal
from controller.journal.tree import NotKept
from controller.queries.published import link_kept
from controller.runtime.clock import Clock
from controller.runtime.draft import Draft
from controller.system.files import as_owner

ONLY_OWNER = 0o077  # of a mask


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "A new journal is empty: the pot is at its initial amount, and the floor's sequence at 1. An epoch continues "
        "from an older copy, and what came after it is gone. Two persons of [people] answer for either, one of them a "
        "supervisor; their names stay in the journal."
    )
    what = parser.add_subparsers(required=True, metavar="WHAT", dest="what")
    what.add_parser("new", help="begin the journal of a new table")
    what.add_parser("epoch", help="continue from a journal that is an older copy, under another name")
    what.add_parser("backup", help="copy the journal, also while its station runs, and verify the copy")
    what.add_parser("prune", help="remove all at once that is older than a day, with the station stopped")
    what.add_parser("link", help="print the [link.predecessor] of the journal that follows this one at a linked pot")
    what.add_parser("restore", help="put a backup in the place of a journal that is gone, and begin an epoch")
    for name, choice in what.choices.items():
        add_config(choice)
        if name in ("backup", "restore"):
            choice.add_argument("folder", type=Path, metavar="FOLDER", help="of the backup; a new one for a backup")
        if name not in ("backup", "link"):
            choice.add_argument("--by", required=True, metavar="NAME", help="of [people]")
            choice.add_argument("--and", required=True, metavar="NAME", dest="second", help="another of [people]")
        if name == "prune":
            choice.add_argument("--before", type=day, required=True, metavar="DATE", help="2026-01-31 (UTC)")
        if name != "link":
            add_seal_key(choice)


def add_seal_key(parser: argparse.ArgumentParser) -> None:
    """Adds the option for the seal key's file, for commands that need the key outside the service."""
    parser.add_argument(
        "--seal-key", type=Path, metavar="FILE", help="where the key is, if only the service reads the configuration's"
    )


def _show_link(config: Config) -> int:
    try:
        kept = link_kept(config.journal, config.mode)
    except NotKept as gone:
        return refuse(str(gone))
    if kept is None:
        return refuse(f"{config.journal} joined no linked pot")
    unsaid = sum(entry.journal == kept.journal for entry in kept.unsaid)
    if unsaid:
        say(f"# the pit has not acknowledged the last {unsaid}: it takes the next journal up once it has them")
    return say(f'[link.predecessor]\njournal = "{kept.journal}"\nthrough = {kept.seq}\nhead = "{kept.head}"')


@with_config
def run(config: Config, options: argparse.Namespace) -> int:
    """Runs the command; returns its exit code."""
    os.umask(ONLY_OWNER)
    if options.what == "backup":
        return _back_up(config, options.folder)
    if options.what == "link":
        return _show_link(config)
    key: Path = options.seal_key or seal_key_of(config)
    wrong = _why_not(config, options.by, options.second, there=options.what in ("epoch", "prune"))
    if wrong is not None:
        return refuse(wrong)
    if options.what == "prune":
        seal = Seal(read_key(key, create=False))
        with as_owner(config.journal.parent):
            return _prune(config, options.before, (options.by, options.second), seal)
    persons = {name: config.people[name] for name in (options.by, options.second)}
    at = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    begun = Epoch(persons=persons, at=at, name=secrets.token_hex(4))
    if options.what == "new":
        return _begin(config, begun, key)
    seal = Seal(read_key(key, create=False))
    with as_owner(config.journal.parent) as open_copy:
        if options.what == "restore":
            put_back(options.folder / config.journal.name, config.journal, config.mode, seal, open_copy)
        else:
            with suppress(JournalRewound):
                Journal(config.journal, seal, config.mode, create=False).close()
                return refuse(f"{config.journal} is no older copy; nothing was changed")
        journal = Journal(config.journal, seal, config.mode, create=False, epoch=begun)
        journal.close()
    return say(f"{config.journal} continues after event {journal.events}, by {' and '.join(persons)}: {journal.name}")


def _back_up(config: Config, folder: Path) -> int:
    copy = folder / config.journal.name
    back_up(config.journal, copy)
    found = audit(copy, config.mode, None, unreported)
    return say(f"{copy}: good, {found.events} events, messages up to {found.sequence}; the seal key is not in it")


def _prune(config: Config, before: date, persons: tuple[str, str], seal: Seal) -> int:
    from controller.config.settings import engine_settings

    clock = Clock()
    latest = keep_from(clock.stamp(), config.keep_days)
    if latest is None:
        return refuse("[journal] keep_days keeps all, or the computer's clock is not synchronised; nothing was changed")
    if str(before) > latest[:10]:
        return refuse(f"{before} is within the last {config.keep_days} days, which [journal] keep_days keeps")
    with closing(Journal(config.journal, seal, config.mode, create=False)) as journal:
        now, restored, settings = clock.stamp(), journal.restore(), engine_settings(config)
        old = expired(config.journal, str(before))
        if old is None:
            return refuse(f"{config.journal} keeps no whole segment from before {before}; nothing was changed")
        pruned = msgspec.structs.replace(old, approved_by=persons)
        identity, input = identity_of(config, journal.name), SegmentsExpired(pruned)
        draft = Draft(restored.table, restored.vault, restored.sequence, {}, settings, settings_kept=False)
        draft.absorb(
            decide_with_alarms(draft.table, input, settings, draft.vault, now.time),
            input,
            lambda event, before, after, sequence: publications(identity, event, before, after, sequence, now.time),
        )
        journal.commit(Batch(now, draft.entries, draft.outbox))
    remove_left_over(config.journal)
    return say(f"{config.journal} keeps no event up to {pruned.last}, by {' and '.join(persons)}")


def why_not_by(config: Config, by: str, second: str) -> str | None:
    """The reason why these two may not decide on a journal; None if they may."""
    for name in (by, second):
        if name not in config.people:
            return not_in_people(config, name)
    if by == second:
        return f"{by} is one person; it takes two"
    if "supervisor" not in (config.people[by], config.people[second]):
        return f"neither {by} nor {second} is a supervisor"
    return None


def _why_not(config: Config, by: str, second: str, there: bool) -> str | None:
    if (wrong := why_not_by(config, by, second)) is not None:
        return wrong
    if config.journal.exists() and not there:
        return f"{config.journal} exists already; nothing was changed"
    return None


def _begin(config: Config, begun: Epoch, key: Path) -> int:
    seal = Seal(read_key(key, create=config.mode != "live"))
    with as_owner(config.journal.parent):
        journal = Journal(config.journal, seal, config.mode, begun_by=msgspec.json.encode(begun))
        journal.close()
    fingerprint = guards.check_value(guards.key_of(seal, journal.uuid.encode()))
    say(f"{config.journal} is begun by {' and '.join(begun.persons)}: {journal.uuid}")
    return say(f"check value of its seal key: {fingerprint}")
