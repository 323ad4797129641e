"""`dealer-station-sim play`: its options, and its exit codes."""

import argparse
import asyncio
import sys
from pathlib import Path
from typing import Any

OK, FAILED = 0, 1


def add_play(commands: "argparse._SubParsersAction[Any]") -> None:
    """The subcommand of the simulators' command line."""
    play = commands.add_parser(
        "play",
        help="a recording of `dealer-station run --record`, played to a daemon",
        description="Play the recording in DIR: its serial wires as ptys in TABLE, its USB wire as a socket there, "
        "its screen's requests over HTTP. Prints `ready TABLE/station.toml` (made from the recording, unless there is "
        "one), then waits for `dealer-station run --config TABLE/station.toml` on an empty journal. Exit 0 when "
        "everything was played and answered, 1 with the wire and place where the daemon sent something else.",
    )
    play.add_argument("recording", type=Path, metavar="DIR", help="the folder of --record")
    play.add_argument("--dir", required=True, type=Path, metavar="TABLE", help="where station.toml and the ports go")
    play.add_argument(
        "--speed", type=_above_nothing, metavar="NUMBER", help="1: as fast as it was (default: as fast as it goes)"
    )
    play.add_argument(
        "--broker",
        default="auto",
        metavar="auto|none|mqtt://HOST:PORT",
        help="start mosquitto, or amqtt if there is none (default); start none; or use this one",
    )


def _above_nothing(text: str) -> float:
    number = float(text)
    if not 0 < number < float("inf"):
        raise ValueError
    return number


def run_play(chosen: argparse.Namespace) -> int:
    """Plays a recording; returns the exit code."""
    from simulators.broker import BrokerFailed
    from simulators.playback import run
    from simulators.playback_file import BadRecording
    from simulators.playback_table import PlayWishes
    from simulators.playback_wire import NotAsRecorded

    try:
        asyncio.run(run(PlayWishes(chosen.recording, chosen.dir, chosen.speed, chosen.broker)))
    except (NotAsRecorded, BadRecording, BrokerFailed, OSError, ValueError) as failure:
        print(f"dealer-station-sim: {failure}", file=sys.stderr)
        return FAILED
    return OK
