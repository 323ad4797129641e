"""What can go wrong with a configuration, a station or a journal, as a line on standard error and an exit code."""

import argparse
import asyncio
import sys
from collections.abc import Callable, Coroutine
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from controller.command_line.argument import nearest_file
from controller.command_line.output import (
    EXIT_CONFIGURATION,
    EXIT_CORRUPT,
    EXIT_NO_JOURNAL,
    EXIT_SOFTWARE,
    EXIT_TEMPORARY,
    EXIT_UNAVAILABLE,
)
from controller.config.document import BadConfiguration
from controller.config.file import Config, read_config
from controller.console.listening import CannotListen, KeptElsewhere
from controller.engine.state.jackpot import ConservationBroken
from controller.journal.records import (
    JournalCorrupt,
    JournalInUse,
    JournalRewound,
    JournalUnavailable,
    NewerJournal,
    NoJournal,
    WrongJournal,
)
from controller.journal.sealing import BadSealKey

STATION = "dealer-station"
_VERDICTS: tuple[tuple[type[Exception], str, int], ...] = (
    (
        JournalRewound,
        "Nothing was changed. Put the newest copy back; only if there is none, two persons decide that the table "
        "continues from this one: dealer-station journal epoch --by NAME --and NAME.",
        EXIT_CORRUPT,
    ),
    (
        JournalCorrupt,
        "Nothing was changed. Keep its files, and restore the last backup: dealer-station journal restore.",
        EXIT_CORRUPT,
    ),
    (JournalInUse, "Nothing was changed. Stop the program that has it, and start again.", EXIT_TEMPORARY),
    (
        JournalUnavailable,
        "Nothing was changed. Mount its disk, make room on it, or correct the owner of its files, and start again.",
        EXIT_TEMPORARY,
    ),
    (
        NoJournal,
        "Mount its disk, or restore a backup; the journal of a new table is begun by two persons: "
        "dealer-station journal new --by NAME --and NAME.",
        EXIT_NO_JOURNAL,
    ),
    (
        NewerJournal,
        "Nothing was changed. Install the newer version again, or restore the backup of before the upgrade.",
        EXIT_CONFIGURATION,
    ),
    (WrongJournal, "Configure another journal.", EXIT_CONFIGURATION),
    (
        BadSealKey,
        "Configure the key the journal was sealed with; for a new journal make one of 32 random bytes.",
        EXIT_CONFIGURATION,
    ),
    (BrokenProcessPool, "There is no verdict: --processes 1 needs the least memory.", EXIT_TEMPORARY),
    (
        KeptElsewhere,
        "Run dealer-station setup, which writes that address, then restart dealer-station.socket and dealer-station.",
        EXIT_UNAVAILABLE,
    ),
    (CannotListen, "Stop the program that listens there, or configure another address.", EXIT_UNAVAILABLE),
    (ConservationBroken, "This is a defect of the station; nothing of it was journaled or shown.", EXIT_SOFTWARE),
)


def load_config(path: Path) -> Config | None:
    """Load the configuration; None after all its mistakes were printed on stderr."""
    try:
        return read_config(path)
    except OSError as error:
        print(f"{STATION}: {path}: {error.strerror}{nearest_file(path)}", file=sys.stderr)
    except BadConfiguration as bad:
        _name_mistakes(bad, STATION)
    return None


def with_config(work: Callable[[Config, argparse.Namespace], int]) -> Callable[[argparse.Namespace], int]:
    """Runs a command with the configuration that `--config` names; failures are handled as by `blaming`."""

    def run(options: argparse.Namespace) -> int:
        config = load_config(options.config)
        return EXIT_CONFIGURATION if config is None else blaming(lambda: work(config, options))

    return run


def run_blaming(main: Coroutine[None, None, None]) -> int:
    """Run a coroutine as `blaming` does."""

    def work() -> int:
        asyncio.run(main)
        return 0

    return blaming(work)


def blaming(work: Callable[[], int], program: str = STATION) -> int:
    """Calls a function for its exit code; known failures of a station or a journal become a line on stderr, after the
    program's name, and another exit code.
    """
    try:
        return work()
    except Exception as error:
        code = _exit_code_of(error, program)
        if code is None:
            raise
        return code


def _exit_code_of(error: Exception, program: str) -> int | None:
    """Prints on stderr what went wrong with a station or its journal; returns the exit code, or None for a defect."""
    leaf: BaseException = error
    while isinstance(leaf, BaseExceptionGroup):
        leaf = leaf.exceptions[0]
    if isinstance(leaf, BadConfiguration):
        _name_mistakes(leaf, program)
        return EXIT_CONFIGURATION
    for kind, advice, code in _VERDICTS:
        if isinstance(leaf, kind):
            print(f"{program}: {leaf}. {advice}", file=sys.stderr)
            return code
    return None


def _name_mistakes(bad: BadConfiguration, program: str) -> None:
    noun = "mistake" if len(bad.mistakes) == 1 else "mistakes"
    print(f"{program}: {bad.path}: {len(bad.mistakes)} {noun}", file=sys.stderr)
    for mistake in bad.mistakes:
        print(f"  {mistake}", file=sys.stderr)
