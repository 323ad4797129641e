"""`dealer-station run`: a station as a service, its failures as exit codes a service manager understands."""

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from controller.command_line.failures import load_config, run_blaming
from controller.command_line.options import add_config, add_record
from controller.command_line.output import EXIT_CONFIGURATION
from controller.config.file import Config
from controller.telemetry import logs

if TYPE_CHECKING:
    from controller.runtime.recording import Recording


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_config(parser)
    add_record(parser)


def run(options: argparse.Namespace) -> int:
    """Run until it is asked to stop; returns the exit code."""
    from controller.runtime.recording import CannotRecord  # as the station itself: pit and witness load none of it

    config = load_config(options.config)
    if config is None:
        return EXIT_CONFIGURATION
    logs.configure()
    try:
        with wire_recording(config, options.record) as recording:
            return run_blaming(_serve(config, recording))
    except CannotRecord as refusal:
        print(f"dealer-station: --record: {refusal}", file=sys.stderr)
        return EXIT_CONFIGURATION


@contextmanager
def wire_recording(config: Config, record: Path | None) -> "Iterator[Recording | None]":
    """The recording that was asked for; it is ended with the context. Raises CannotRecord."""
    from controller.runtime.recording import Recording

    recording = None if record is None else Recording(record, config.mode, config.path)
    try:
        yield recording
    finally:
        if recording is not None:
            recording.close()


async def _serve(config: Config, recording: "Recording | None") -> None:
    from controller.station import Station
    from controller.system.tasks import for_good

    station = await Station.open(config, recording=recording)
    for_good()
    await station.run()
