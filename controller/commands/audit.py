"""`dealer-station audit verify`: the whole of a journal, from its first event on, beside its station or in a copy."""

import argparse
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec
from rich.console import Console
from rich.progress import Progress

from controller.commands.journal import add_seal_key
from controller.commands.output import say
from controller.commands.run import add_journal, configured
from controller.config.file import Config
from controller.journal.auditing import Audited, audit
from controller.journal.records import JournalCorrupt
from controller.journal.sealing import BadSealKey, Seal, read_key

Report = Callable[[int, int], None]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Verifies a journal in full: pages and indexes, every event of the chain, messages, answers and marks, and, "
        "where the seal key can be read, the MAC of its head. It only reads, also while its station runs."
    )
    what = parser.add_subparsers(required=True, metavar="WHAT")
    verify = what.add_parser("verify", help="the whole journal, however old it is; exit code 65 where it fails")
    add_journal(verify)
    add_seal_key(verify)
    verify.add_argument("--json", action="store_true", help="a JSON object")


@configured
def run(config: Config, options: argparse.Namespace) -> int:
    """Verify and print; returns the exit code."""
    path = options.journal or config.journal
    seal = _seal_of(config, options.seal_key)
    try:
        with Progress(console=Console(stderr=True), disable=options.json or not sys.stderr.isatty()) as progress:
            bar = progress.add_task("events")
            found = audit(path, config.mode, seal, lambda done, all: progress.update(bar, completed=done, total=all))
    except JournalCorrupt as corrupt:
        if options.json:
            say(msgspec.json.encode({"good": False, "reason": str(corrupt)}))
        raise
    if options.json:
        return say(msgspec.json.encode({"good": True, **msgspec.to_builtins(found)}))
    return say(_told(path, found))


def _seal_of(config: Config, key: Path | None) -> Seal | None:
    """Where a key was named it must be one. Raises BadSealKey."""
    if key is not None:
        return Seal(read_key(key, create=False))
    with suppress(BadSealKey):
        return Seal(read_key(config.seal_key_file, create=False))
    return None


def _told(path: Path, found: Audited) -> str:
    lines = [f"{path}: good", f"{found.events} events, messages up to {found.sequence}, journal {found.journal}"]
    if found.pruned:
        lines.append(f"events up to {found.pruned} are kept no longer (keep_days)")
    if found.begun_by:
        lines.append(f"begun by {' and '.join(found.begun_by)}")
    for epoch in found.epochs:
        lines.append(f"goes on from a copy after event {epoch.event}, by {' and '.join(epoch.persons)}, {epoch.at}")
    if not found.mac:
        lines.append("the MAC was not verified, without the seal key (--seal-key): whoever has no key could have")
        lines.append("rewritten the whole of it")
    return "\n".join(lines)
