"""`dealer-station devices record` and `replay`: what a device's wire carries, in a file that its owner can send."""

import argparse
import asyncio
import os
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

from controller.command_line.failures import with_config
from controller.command_line.options import add_config
from controller.command_line.output import EXIT_CONFIGURATION, EXIT_CORRUPT, EXIT_UNAVAILABLE, refuse, say
from controller.command_line.signals import until_signal
from controller.config.file import Config
from controller.runtime.wired import device_of, device_settings
from controller.system.files import ONLY_OWNER
from drivers.device import Device, DeviceMessage, DeviceName
from drivers.messages import LinkLost, LinkUp
from drivers.orders import ShuffleOrder
from drivers.recorded_orders import DeckOrders, first_order
from drivers.recording import (
    BLOTTED,
    CLEAR,
    CONSENT,
    NO_CARDS,
    BadRecording,
    RecordingHeader,
    RecordingWriter,
    codec_of,
    message_text,
    read_file,
    replay_differences,
)
from drivers.registry import KINDS, BadMake, make_of

LONGEST_SECONDS = 3600


def add_recorder(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Opens a device of a configuration as the station does, and writes what its wire carries both ways until "
        "Ctrl-C. The station must not run. Each card is written as the ace of spades, unless --cards is given."
    )
    parser.add_argument("device", choices=KINDS, metavar="DEVICE", help=", ".join(KINDS))
    parser.add_argument("file", type=Path, metavar="FILE", help="written; it must not exist")
    add_config(parser)
    parser.add_argument("--by", required=True, metavar="WHO", help="who records it")
    parser.add_argument("--done", required=True, metavar="WHAT", help="what is done with the device meanwhile")
    parser.add_argument("--consent", required=True, choices=CONSENT, help="whether it may be published")
    parser.add_argument("--model", default="unknown", metavar="TEXT", help="as on the device")
    parser.add_argument("--firmware", default="unknown", metavar="TEXT", help="its version")
    parser.add_argument("--cards", action="store_true", help="write the cards as they are: not of a game with money")
    parser.add_argument("--seconds", type=_seconds, default=120, metavar="N", help="at most (default %(default)s)")
    parser.set_defaults(work=record)


def add_replay(parser: argparse.ArgumentParser) -> None:
    parser.description = "Plays a recording into the codec of its make and prints each message."
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--check", action="store_true", help="compare with the messages in it, and print what differs")
    parser.set_defaults(work=replay)


def _seconds(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= LONGEST_SECONDS:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of seconds from 1 to {LONGEST_SECONDS}")
    return int(text)


@with_config
def record(config: Config, options: argparse.Namespace) -> int:
    """Record until a signal or the end of the time; returns the exit code."""
    kind: DeviceName = options.device
    settings = device_settings(config, kind)
    if settings is None:
        return refuse(f"{options.config} has no [devices.{kind}]", EXIT_CONFIGURATION)
    make = make_of(settings.driver)
    if options.cards and config.mode == "live":
        return refuse('--cards is not for a table that is mode = "live"', EXIT_CONFIGURATION)
    has_cards = kind in ("shoe", "shuffler")
    if has_cards and make.blot is None and not options.cards:
        return refuse(f"the driver {settings.driver} cannot blot cards out: --cards writes them as they are")
    header = RecordingHeader(
        settings.driver, options.model, options.firmware, options.by,
        datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"), options.consent, options.done,
        (CLEAR if options.cards else BLOTTED) if has_cards else NO_CARDS,
    )  # fmt: skip
    if wrong := [text for text in (header.model, header.firmware, header.by, header.done) if not _is_line(text)]:
        return refuse(f"{wrong[0]!r}: expected one line of at most 200 characters")
    try:
        file = os.fdopen(os.open(options.file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, ONLY_OWNER), "w", buffering=1)
    except OSError as error:
        return refuse(f"{options.file}: {error.strerror}")
    with file:
        writer = RecordingWriter(file.write, header, make, time.monotonic)
        device = device_of(config, kind, settings, tap=writer)
        device.order(first_order(kind, settings))
        asyncio.run(run_device(device, DeckOrders.of(settings), options.seconds))
        reason = writer.stopped
        writer.end()
    octets = writer.octets
    if reason:
        return refuse(f"{options.file}: {reason}", EXIT_UNAVAILABLE)
    if not octets["device"] and make.codec is not None:
        return refuse(f"{options.file}: the device sent nothing", EXIT_UNAVAILABLE)
    return say(f"{options.file}: {octets['device']} octets of the device, {octets['host']} of the station")


def replay(options: argparse.Namespace) -> int:
    """Print or compare the messages of a recording; returns the exit code."""
    try:
        recording = read_file(options.file)
        make = make_of(recording.header.driver)
    except OSError as error:
        return refuse(f"{options.file}: {error.strerror}")
    except BadRecording as bad:
        return refuse(f"{options.file}: {bad}", EXIT_CORRUPT)
    except BadMake as bad:
        return refuse(bad)
    except KeyError as driver:
        return refuse(f"{options.file}: no package that is installed has a driver {driver}")
    if options.check:
        if found := list(replay_differences(recording, make)):
            return refuse("\n".join(f"{options.file}: {difference}" for difference in found), EXIT_CORRUPT)
        messages = sum(len(entry.messages) for entry in recording.entries)
        return say(f"{options.file}: {len(recording.entries)} lines, {messages} messages, as recorded")
    decode = codec_of(make)
    for entry in recording.entries:
        if entry.edge == "open":
            decode = codec_of(make)
        say(f"{entry.at:.3f} {entry.edge or entry.source} {entry.words or entry.octets.hex(' ')}")
        for message in decode(entry.octets) if entry.source == "device" else ():
            say(f"    {message_text(message)}")
    return 0


def _is_line(text: str) -> bool:
    return text.isprintable() and 0 < len(text.strip()) <= 200


async def run_device(device: Device, deck: DeckOrders | None, seconds: int) -> None:
    """Run a device as a station does: acknowledge its numbered messages."""
    loop = asyncio.get_running_loop()

    def receive(message: DeviceMessage) -> None:
        match message.message:
            case LinkUp():
                print("the device answers; Ctrl-C ends the recording", file=sys.stderr)
            case LinkLost(reason=reason):
                print(reason, file=sys.stderr)
        if message.mark is not None:
            loop.call_soon(device.durable, message.mark)
        if deck is not None and (wanted := deck.after(message.message)) is not None:
            device.order(wanted)
            if isinstance(wanted, ShuffleOrder):
                print("put all cards into the shuffler", file=sys.stderr)

    async def run() -> None:
        try:
            async with asyncio.timeout(seconds):
                await device.run(receive)
        except TimeoutError:
            pass

    await until_signal(run())
