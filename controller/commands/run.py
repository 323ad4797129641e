"""`dealer-station run`: a station as a service, its failures as exit codes a service manager understands."""

import argparse
import asyncio
import sys
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from controller.commands.argument import nearest_file
from controller.config.document import BadConfiguration
from controller.config.file import Config, read_config
from controller.console.listening import CannotListen
from controller.engine.jackpot import ConservationBroken
from controller.journal.records import (
    JournalCorrupt,
    JournalRewound,
    JournalUnavailable,
    NewerJournal,
    NoJournal,
    WrongJournal,
)
from controller.journal.sealing import BadSealKey
from controller.telemetry import logs
from controller.words import SPOKEN

if TYPE_CHECKING:
    from controller.runtime.recording import Recording

EXIT_CORRUPT = 65  # EX_DATAERR: the journal is not as it was written
EXIT_NO_JOURNAL = 66  # EX_NOINPUT: a live table's journal is not there
EXIT_UNAVAILABLE = 69  # EX_UNAVAILABLE: an address is taken, a simulator does not come up
EXIT_SOFTWARE = 70  # EX_SOFTWARE: a defect of the station itself
EXIT_TEMPORARY = 75  # EX_TEMPFAIL: the journal cannot be opened now, or not be read to its end
EXIT_CONFIGURATION = 78  # EX_CONFIG


def load_config(path: Path) -> Config | None:
    """The configuration, or None after every mistake was named on stderr."""
    try:
        return read_config(path)
    except OSError as error:
        print(f"dealer-station: {path}: {error.strerror}{nearest_file(path)}", file=sys.stderr)
    except BadConfiguration as bad:
        _name_mistakes(bad)
    return None


def _name_mistakes(bad: BadConfiguration) -> None:
    noun = "mistake" if len(bad.mistakes) == 1 else "mistakes"
    print(f"dealer-station: {bad.path}: {len(bad.mistakes)} {noun}", file=sys.stderr)
    for mistake in bad.mistakes:
        print(f"  {mistake}", file=sys.stderr)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_config(parser)
    add_record(parser)


def add_config(parser: argparse.ArgumentParser) -> None:
    """The configuration, for every command that reads a table's."""
    parser.add_argument("--config", type=Path, required=True, metavar="FILE", help="station.toml")


def add_journal(parser: argparse.ArgumentParser) -> None:
    """The configuration, and the journal that is read, for every command that reads one."""
    add_config(parser)
    parser.add_argument("--journal", type=Path, metavar="FILE", help="another journal than the configuration's")


def add_language(parser: argparse.ArgumentParser) -> None:
    """The language, for every command that prints what a person at the table reads."""
    parser.add_argument("--language", default="en", choices=SPOKEN, help="default: %(default)s")


def add_record(parser: argparse.ArgumentParser) -> None:
    """Where to record the wires, for every command that runs a station."""
    parser.add_argument(
        "--record",
        type=Path,
        metavar="DIR",
        help="write every wire's bytes and the screen's requests here; cards are in them in the clear",
    )


def run(options: argparse.Namespace) -> int:
    """Run until told to stop; returns the exit code."""
    from controller.runtime.recording import CannotRecord  # as the station itself: pit and witness load none of it

    config = load_config(options.config)
    if config is None:
        return EXIT_CONFIGURATION
    logs.configure()
    try:
        with recorded(config, options.record) as recording:
            return run_blaming(_serve(config, recording))
    except CannotRecord as refusal:
        print(f"dealer-station: --record: {refusal}", file=sys.stderr)
        return EXIT_CONFIGURATION


@contextmanager
def recorded(config: Config, record: Path | None) -> "Iterator[Recording | None]":
    """The recording that was asked for, ended at last. Raises CannotRecord."""
    from controller.runtime.recording import Recording

    recording = None if record is None else Recording(record, config.mode, config.path)
    try:
        yield recording
    finally:
        if recording is not None:
            recording.close()


async def _serve(config: Config, recording: "Recording | None") -> None:
    from controller.station import Station

    station = await Station.open(config, recording=recording)
    await station.run()


_VERDICTS: tuple[tuple[type[Exception], str, int], ...] = (
    (
        JournalRewound,
        "Nothing was changed. Put the newest copy back; only if there is none, two persons decide that the table goes "
        "on from this one: dealer-station journal epoch --config FILE --by NAME --and NAME.",
        EXIT_CORRUPT,
    ),
    (JournalCorrupt, "Nothing was changed. Keep this file and call whoever looks after the journals.", EXIT_CORRUPT),
    (
        JournalUnavailable,
        "Nothing was changed. Mount its disk, or free the file or its disk, and start again.",
        EXIT_TEMPORARY,
    ),
    (
        NoJournal,
        "Mount its disk, or put the journal back; that of a new table is begun by two persons: "
        "dealer-station journal new --config FILE --by NAME --and NAME.",
        EXIT_NO_JOURNAL,
    ),
    (
        NewerJournal,
        "Nothing was changed. Install the newer version again: none goes back behind its journal. The copy that the "
        "newer one kept beside it ends where it took over.",
        EXIT_CONFIGURATION,
    ),
    (WrongJournal, "Configure another journal.", EXIT_CONFIGURATION),
    (
        BadSealKey,
        "Configure the key the journal was sealed with; for a new journal make one of 32 random bytes.",
        EXIT_CONFIGURATION,
    ),
    (BrokenProcessPool, "There is no verdict: --processes 1 needs the least memory.", EXIT_TEMPORARY),
    (CannotListen, "Stop whoever listens there, or configure another address.", EXIT_UNAVAILABLE),
    (ConservationBroken, "This is a defect of the station; nothing of it was journaled or shown.", EXIT_SOFTWARE),
)


def run_blaming(main: Coroutine[None, None, None]) -> int:
    """Run a coroutine as `blaming` does."""

    def work() -> int:
        asyncio.run(main)
        return 0

    return blaming(work)


def blaming(work: Callable[[], int]) -> int:
    """Do it, for its exit code; what can go wrong with a station or a journal becomes a line on stderr and another."""
    try:
        return work()
    except Exception as error:
        code = _exit_code_of(error)
        if code is None:
            raise
        return code


def configured(work: Callable[[Config, argparse.Namespace], int]) -> Callable[[argparse.Namespace], int]:
    """A command that does its work with the configuration which `--config` names, as `blaming` does."""

    def run(options: argparse.Namespace) -> int:
        config = load_config(options.config)
        return EXIT_CONFIGURATION if config is None else blaming(lambda: work(config, options))

    return run


def _exit_code_of(error: Exception) -> int | None:
    """Say on stderr what went wrong with a station or its journal; the exit code, None for what is a defect."""
    leaf: BaseException = error
    while isinstance(leaf, BaseExceptionGroup):
        leaf = leaf.exceptions[0]
    if isinstance(leaf, BadConfiguration):
        _name_mistakes(leaf)
        return EXIT_CONFIGURATION
    for kind, advice, code in _VERDICTS:
        if isinstance(leaf, kind):
            print(f"dealer-station: {leaf}. {advice}", file=sys.stderr)
            return code
    return None
