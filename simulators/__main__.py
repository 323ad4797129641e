"""The command line of the simulators: `dealer-station-sim bench --dir DIR`."""

import argparse
import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

from simulators.faults.language import OFF, Fault, read_fault
from simulators.pace import pace_from_text
from simulators.playback_command import add_play, run_play
from simulators.station_toml import GAMES, SIGN_MAKES, SLOTS_MAKES

OK, FAILED, USAGE = 0, 1, 2

EXAMPLES = """\
examples:
  dealer-station-sim bench --dir /tmp/table
      a table at human speed; start the daemon with the station.toml that `ready` names
  dealer-station-sim bench --dir /tmp/table --rounds 1000 --speed max --seed 7 --camera /tmp/table/camera.jsonl
      a thousand rounds as fast as the daemon allows, filmed
  dealer-station-sim bench --dir /tmp/table --source shoe --speed device --broker none
      hand shuffle and shoe, real wire timing, no floor
  dealer-station-sim bench --dir /tmp/table --slots numato --sign betabrite
      slots and sign of the second makes
  dealer-station-sim bench --dir /tmp/table --stack royal.txt --rounds 1
      the first rounds with the decks of a file, 52 cards a line, the card dealt first at the front
  dealer-station-sim bench --dir /tmp/table --fault shuffler:jam@round=3,card=2 --fault slots:stuck=3@for=20
      the second packet of round 3 jams; the sensor of seat 3 is stuck for the first 20 seconds
  dealer-station-sim bench --dir /tmp/table --rounds 1000 --speed max --faults 0.2
      in one round of five something goes wrong by chance, from a corrupted byte to a card dealt face up
  echo 'shoe:mute@for=5' | nc -UN /tmp/table/faults.sock
      while it runs; `list` names every fault, `shoe:mute=off` ends one that lasts

faults: DEVICE:KIND[=VALUE][@KEY=VALUE,…] with the conditions
  round=N   in round N, and in no other
  card=N    at the N-th packet, or card from the shoe, of the round
  phase=P   in between, shuffle, wagers, deal, decisions, reveal, settle or claims
  for=S     a lasting fault lasts S seconds

exit codes: 0 ended as asked, 1 the bench or the play failed (said on stderr), 2 wrong usage
"""


def positive(text: str) -> int:
    """A whole number of at least one."""
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def fault(text: str) -> Fault:
    """A fault to happen; argparse prints what is wrong with it."""
    try:
        wished = read_fault(text)
    except ValueError as mistake:
        raise argparse.ArgumentTypeError(str(mistake)) from None
    if wished.value == OFF:
        raise argparse.ArgumentTypeError(f"{text!r}: =off is for the fault socket, nothing is on yet")
    return wished


def share(text: str) -> float:
    """A number from 0 to 1."""
    number = float(text)
    if not 0 <= number <= 1:
        raise ValueError
    return number


def parser() -> argparse.ArgumentParser:
    """All commands and options."""
    top = argparse.ArgumentParser(
        prog="dealer-station-sim",
        description="Simulated devices, table and dealer for a dealer station.",
    )
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    bench = commands.add_parser(
        "bench",
        help="a whole table: devices on their wires, players, a robot dealer",
        description="Furnish a table in DIR, write DIR/station.toml, print `ready DIR/station.toml`, and play: one "
        'JSON line a round on standard output, {"finished": true, …} after the last. The devices stay up until SIGTERM '
        "or the end of standard input (if it is a pipe).",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    bench.add_argument("--dir", required=True, type=Path, metavar="DIR", help="where station.toml and the ports go")
    bench.add_argument("--keep", action="store_true", help="leave a station.toml that is already there as it is")
    bench.add_argument("--game", default=GAMES[0], choices=GAMES)
    bench.add_argument("--seats", type=int, default=6, choices=(5, 6, 7), help="seats of the table (default 6)")
    bench.add_argument("--rounds", type=positive, metavar="N", help="close the table after N rounds (default: play on)")
    bench.add_argument("--source", default="shuffler", choices=("shuffler", "shoe"), help="where cards come from")
    bench.add_argument("--slots", default=SLOTS_MAKES[0], choices=SLOTS_MAKES, help="make of the slots' board")
    bench.add_argument("--sign", default=SIGN_MAKES[0], choices=SIGN_MAKES, help="make of the sign")
    bench.add_argument(
        "--speed",
        default="human",
        metavar="human|device|max|NUMBER",
        help="people and machines at real speed; people instant; nothing takes time; or so many times faster than real",
    )
    bench.add_argument("--seed", default="1", help="same seed, same cards, bets and decisions (default 1)")
    bench.add_argument("--stack", type=Path, metavar="FILE", help="decks for the first rounds, 52 cards a line")
    bench.add_argument("--camera", type=Path, metavar="FILE", help="write what the camera sees, one JSON object a line")
    bench.add_argument(
        "--broker",
        default="auto",
        metavar="auto|none|mqtt://HOST:PORT",
        help="start mosquitto, or amqtt if there is none (default); start none; or use this one",
    )
    bench.add_argument("--listen", metavar="HOST:PORT", help="the console's address (default: a free loopback port)")
    bench.add_argument(
        "--chip-rate", type=share, default=0.6, metavar="SHARE", help="how often a bettor lays a jackpot chip (0.6)"
    )
    bench.add_argument(
        "--fault", type=fault, action="append", default=[], metavar="SPEC", help="something goes wrong; can be repeated"
    )
    bench.add_argument(
        "--faults", type=share, default=0.0, metavar="RATE", help="chance of one random fault in each round (default 0)"
    )
    add_play(commands)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the exit code."""
    command_line = parser()
    chosen = command_line.parse_args(arguments)
    if chosen.command == "play":
        return run_play(chosen)
    try:
        pace = pace_from_text(chosen.speed)
    except ValueError:
        command_line.error(f"--speed: human, device, max or a positive number, not {chosen.speed!r}")
    if chosen.broker not in ("auto", "none") and not chosen.broker.startswith(("mqtt://", "mqtts://")):
        command_line.error(f"--broker: auto, none or mqtt://HOST:PORT, not {chosen.broker!r}")
    for wished in chosen.fault:
        if not chosen.keep and (wished.seat or 0) > chosen.seats:
            command_line.error(f"--fault: {wished}: this table has seats 1 to {chosen.seats}")
        if not chosen.keep and chosen.slots == "numato" and (wished.device, wished.kind) == ("slots", "watchdog"):
            command_line.error(f"--fault: {wished}: a Numato board has no watchdog")

    from simulators.bench import NoProgress, Wishes, run
    from simulators.broker import BrokerFailed

    wishes = Wishes(
        directory=chosen.dir, game=chosen.game, seats=chosen.seats, rounds=chosen.rounds, source=chosen.source,
        slots=chosen.slots, sign=chosen.sign, pace=pace, seed=chosen.seed, camera=chosen.camera,
        broker=chosen.broker, listen=chosen.listen, chip_rate=chosen.chip_rate, stack=chosen.stack, keep=chosen.keep,
        faults=tuple(chosen.fault), fault_rate=chosen.faults,
    )  # fmt: skip
    try:
        asyncio.run(run(wishes))
    except (NoProgress, BrokerFailed, OSError, ValueError) as failure:
        print(f"dealer-station-sim: {failure}", file=sys.stderr)
        return FAILED
    return OK


if __name__ == "__main__":
    sys.exit(main())
