"""The command line of the simulators: `dealer-station-sim bench --dir DIR`."""

import argparse
import asyncio
import ipaddress
import os
import re
import sys
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import NoReturn

from simulators.broker import BrokerFailed
from simulators.dealer.station_desk import NoProgress
from simulators.devices.make import SimulatedShoeMake, SimulatedSignMake, SimulatedSlotsMake, drivers_of, make_of
from simulators.faults.syntax import OFF, Fault, read_fault
from simulators.games import GAMES
from simulators.pace import Pace, pace_from_text
from simulators.playback_command import add_play, run_play
from simulators.setting import HAND, MARKINGS, PLACES, SHOE
from simulators.simulated_table import Wishes, run
from simulators.station_toml import SITE, TABLE, TOML, read_setting
from simulators.usbip.command import add_usb, run_usb

OK, FAILED, USAGE = 0, 1, 2
MOST_AT_A_BANK = 2  # of four places; one more has the bank
FLOOR = ("--username", "--password-file", "--client-id", "--ca-file", "--cert-file", "--key-file")

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
  dealer-station-sim bench --dir /tmp/table --game fortune-8 --decks 6 --source shoe
      Fortune 8 from a shoe of six decks; without --source from a shuffler-dispenser
  dealer-station-sim bench --dir /tmp/table --game blackjack-21 --marking manual
      Black-jack/21 whose accumulated prize is marked by hand
  dealer-station-sim bench --dir /tmp/table --game taiwan-pai-kao --places 4 --source hand
      Taiwan-Pai Kao with eight places of which four get tiles, and no reader
  dealer-station-sim bench --dir /tmp/table --play 3
      a person plays at seat 3, on the page /play of the panel's address in station.toml
  dealer-station-sim bench --dir /tmp/table --stack royal.txt --rounds 1
      the first shuffles as in a file, all cards of the table on a line, the card dealt first at the front
  dealer-station-sim bench --dir /tmp/table --fault shuffler:jam@round=3,card=2 --fault slots:stuck=3@for=20
      the second packet of round 3 jams; the sensor of seat 3 is stuck for the first 20 seconds
  dealer-station-sim bench --dir /tmp/table --rounds 1000 --speed max --faults 0.2
      in one round of five something goes wrong by chance, from a corrupted byte to a card dealt face up
  echo 'shoe:mute@for=5' | nc -UN /tmp/table/faults.sock
      while it runs; `list` names every fault, `shoe:mute=off` ends one that lasts

faults: DEVICE:KIND[=VALUE][@KEY=VALUE,…] with the conditions
  round=N   in round N, and in no other
  card=N    at the N-th packet, or card from the shoe, of the round
  phase=P   in between, shuffle, wagers, announce, bank, form, dice, deal, decisions, reveal, settle or claims
  for=S     a lasting fault lasts S seconds

exit codes: 0 ended as asked, 1 the bench or the play failed (reported on stderr), 2 wrong usage
"""


def positive(text: str) -> int:
    """A whole number of at least one."""
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def seats(text: str) -> tuple[int, ...]:
    """Seats with commas between them, each once, in their order."""
    return tuple(sorted({positive(number) for number in text.split(",")}))


def loopback_address(text: str) -> tuple[str, int]:
    """HOST:PORT, one address of this computer; a wildcard address is refused, since no page could be opened by it."""
    host, _, port = text.rpartition(":")
    at = ipaddress.ip_address(host.strip("[]"))
    if at.is_unspecified or not 0 < int(port) < 65536:
        raise ValueError
    return str(at), int(port)


def fault(text: str, game: str, seats: int, slots: str | None, shoe: bool) -> Fault:
    """A fault to happen at a table with these seats and this make of slots. Raises ValueError if it cannot."""
    wished = read_fault(text)
    if wished.value == OFF:
        raise ValueError(f"{text!r}: =off is for the fault socket, nothing is on yet")
    GAMES[game].faults.check(wished)
    if (wished.seat or 0) > seats:
        raise ValueError(f"{wished}: this table has seats 1 to {seats}")
    if (
        (wished.device, wished.kind) == ("slots", "watchdog")
        and slots
        and not make_of(SimulatedSlotsMake, slots).has_watchdog
    ):
        raise ValueError(f"{wished}: a board of the make {slots} has no watchdog")
    if wished.device == SHOE and not shoe:
        raise ValueError(f"{wished}: nothing at this table reads the tiles")
    return wished


def numbers_in_words(numbers: Sequence[int]) -> str:
    """Some numbers as words: `4 or 6`, `1 to 8`."""
    if len(numbers) > 2:
        return f"{numbers[0]} to {numbers[-1]}"
    return " or ".join(map(str, numbers))


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
    bench.add_argument("--site", default=SITE, help="of the table (default %(default)s)")
    bench.add_argument("--table", default=TABLE, metavar="ID", help="of the table (default %(default)s)")
    games = tuple(GAMES)
    bench.add_argument("--game", default=games[0], choices=games, help="what is played (default %(default)s)")
    bench.add_argument(
        "--seats",
        type=int,
        choices=sorted({seats for game in GAMES.values() for seats in game.seats}),
        help="seats of the table (default 6; places of taiwan-pai-kao 8; the other games 7)",
    )
    bench.add_argument(
        "--decks", type=int, metavar="N", help="decks of fortune-8, 1 to 8 (default 8), or of blackjack-21, 4 or 6 (6)"
    )
    bench.add_argument(
        "--marking", choices=MARKINGS, help="how the prize of blackjack-21 is marked (default automatic)"
    )
    bench.add_argument("--rounds", type=positive, metavar="N", help="close the table after N rounds (default: play on)")
    bench.add_argument(
        "--places", choices=PLACES, help="to how many places of the eight of taiwan-pai-kao tiles are dealt (mixed)"
    )
    bench.add_argument(
        "--source",
        choices=("shuffler", "shoe", "hand"),
        help="where cards come from (default shuffler); taiwan-pai-kao: shoe, which is a reader of tiles, or hand",
    )
    for sort in (SimulatedShoeMake, SimulatedSlotsMake, SimulatedSignMake):
        bench.add_argument(
            f"--{sort.kind}", default=sort.usual, choices=drivers_of(sort), help="make, if any (default %(default)s)"
        )
    bench.add_argument(
        "--speed",
        default="human",
        metavar="human|device|max|NUMBER",
        help="people and machines at real speed; people instant; nothing takes time; or so many times faster than real",
    )
    bench.add_argument("--seed", default="1", help="same seed, same cards, bets and decisions (default 1)")
    bench.add_argument("--stack", type=Path, metavar="FILE", help="the first shuffles, all cards a line")
    bench.add_argument("--camera", type=Path, metavar="FILE", help="write what the camera sees, one JSON object a line")
    bench.add_argument(
        "--broker",
        default="auto",
        metavar="auto|none|mqtt[s]://HOST:PORT",
        help="start mosquitto, or amqtt if there is none (default); start none; or use this one",
    )
    bench.add_argument("--protocol", choices=("5", "3.1.1"), help="of MQTT (default: 5; amqtt knows 3.1.1 alone)")
    for option in FLOOR:
        bench.add_argument(option, metavar="TEXT", help="the key of [floor], with --broker mqtt[s]://…")
    bench.add_argument("--archive", metavar="NAME", help="an archive of the floor for which messages are kept (MQTT 5)")
    bench.add_argument("--link", metavar="NAME", help="the pot is one that tables share, at a pit that calls it so")
    bench.add_argument("--pit-key", metavar="KEY", help="the public key of that pit, as `dealer-station key` prints it")
    bench.add_argument("--pit-page", metavar="URL", help="the page of the pit that has this table, for the first page")
    bench.add_argument("--listen", metavar="HOST:PORT", help="the console's address (default: a free loopback port)")
    bench.add_argument(
        "--panel",
        action="store_true",
        help="serve a page to take over from the dealer, pause him and let things go wrong",
    )
    bench.add_argument(
        "--play",
        type=seats,
        default=(),
        metavar="SEAT,…",
        help="serve a page for each of these seats to play there, at /play of the panel",
    )
    bench.add_argument(
        "--play-at",
        type=loopback_address,
        metavar="HOST:PORT",
        help="serve the pages of the seats, and nothing else, to others of the network too, each seat with a code; the "
        "links are in DIR/seats.json",
    )
    bench.add_argument(
        "--pins",
        action="store_true",
        help="the station asks for PINs; the robot dealer logs in with those in DIR/robot-pins.json (mode 0600)",
    )
    bench.add_argument(
        "--chip-rate", type=share, default=0.6, metavar="SHARE", help="how often a bettor places a jackpot chip (0.6)"
    )
    bench.add_argument(
        "--fault", action="append", default=[], metavar="SPEC", help="something goes wrong; can be repeated"
    )
    bench.add_argument(
        "--faults", type=share, default=0.0, metavar="RATE", help="chance of one random fault in each round (default 0)"
    )
    add_play(commands)
    add_usb(commands)
    return top


def of_floor(chosen: argparse.Namespace) -> dict[str, str]:
    """The keys of [floor] that were given."""
    keys = [option.removeprefix("--").replace("-", "_") for option in FLOOR]
    return {key: value for key in keys if (value := vars(chosen)[key]) is not None}


def refuse(mistake: str) -> NoReturn:
    """Ends with one line, which a program that starts the bench passes on to its user."""
    print(f"dealer-station-sim: {mistake}", file=sys.stderr)
    raise SystemExit(USAGE)


def _fill_closed_streams() -> None:
    """Opens a file in place of each closed standard stream, so that no other file gets its number."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    sys.stdin = sys.stdin or open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 as long as the process
    sys.stdout = sys.stdout or open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stderr = sys.stderr or open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115


def _fit_game(chosen: argparse.Namespace) -> None:
    """Fills in missing choices, and refuses those that the game does not leave."""
    game = GAMES[chosen.game]
    if chosen.seats is None:
        chosen.seats = game.default_seats
    if chosen.seats not in game.seats:
        refuse(f"--seats: {game.id} has {numbers_in_words(game.seats)}, not {chosen.seats}")
    if chosen.play and max(chosen.play) > chosen.seats:
        refuse(f"--play: this table has seats 1 to {chosen.seats}, not {max(chosen.play)}")
    most = MOST_AT_A_BANK if game.places else chosen.seats - 1
    if len(chosen.play) > most:
        refuse(f"--play: at most {most} persons at this table, so that robots bet too")
    if chosen.play_at and not chosen.play:
        refuse("--play-at: only with --play SEAT,…")
    if chosen.decks is not None and len(game.decks) == 1:
        several = " and ".join(other.id for other in GAMES.values() if len(other.decks) > 1)
        refuse(f"--decks: only {several} are played with several, not {game.id}")
    if chosen.decks is not None and chosen.decks not in game.decks:
        refuse(f"--decks: {game.id} has {numbers_in_words(game.decks)}, not {chosen.decks}")
    if chosen.marking is not None and not game.markings:
        marked = " and ".join(other.id for other in GAMES.values() if other.markings)
        refuse(f"--marking: only the prize of {marked} may be marked by hand, not {game.id}")
    if chosen.source is None:
        chosen.source = game.sources[0]
    if chosen.source not in game.sources:
        refuse(f"--source: {game.id} has {' or '.join(game.sources)}, not {chosen.source}")
    if chosen.places is not None and (not game.places or chosen.seats != max(game.seats)):
        placed = " and ".join(other.id for other in GAMES.values() if other.places)
        refuse(f"--places: only a table of {placed} with eight places has a choice of them")


def _check(chosen: argparse.Namespace) -> Pace:
    """Refuses impossible tables; returns the pace."""
    try:
        pace = pace_from_text(chosen.speed)
    except ValueError:
        refuse(f"--speed: human, device, max or a positive number, not {chosen.speed!r}")
    if chosen.broker not in ("auto", "none") and not chosen.broker.startswith(("mqtt://", "mqtts://")):
        refuse(f"--broker: auto, none, mqtt://HOST:PORT or mqtts://HOST:PORT, not {chosen.broker!r}")
    if of_floor(chosen) and chosen.broker in ("auto", "none"):
        refuse(f"{', '.join(of_floor(chosen))}: only with --broker mqtt://HOST:PORT or mqtts://HOST:PORT")
    named = {"--site": chosen.site, "--table": chosen.table, "--archive": chosen.archive, "--link": chosen.link}
    for option, name in named.items():
        if name is not None and not re.fullmatch(r"[A-Za-z0-9._-]+", name):
            refuse(f"{option}: letters, digits, - _ . only, not {name!r}: it becomes part of the MQTT topics")
    if (chosen.link is None) != (chosen.pit_key is None):
        refuse("--link and --pit-key: both, or neither")
    _fit_game(chosen)
    return pace


def wishes_of(chosen: argparse.Namespace) -> Wishes:
    """The bench that the command line asks for. Raises OSError or ValueError if a given station.toml cannot be read."""
    pace = _check(chosen)
    game, seats, slots, shoe = chosen.game, chosen.seats, chosen.slots, chosen.source != HAND
    if chosen.keep and (chosen.dir / TOML).exists():
        kept = read_setting(chosen.dir / TOML)
        game, seats, slots, shoe = kept.game, kept.seats, kept.makes.get("slots"), "shoe" in kept.makes
    try:
        faults = tuple(fault(text, game, seats, slots, shoe) for text in chosen.fault)
    except ValueError as mistake:
        refuse(f"--fault: {mistake}")
    named = {"directory": chosen.dir, "guests": chosen.play, "fault_rate": chosen.faults, "floor": of_floor(chosen)}
    filled = {"marking": chosen.marking or MARKINGS[0], "places": chosen.places or PLACES[0]}
    asked = vars(chosen) | named | filled | {"pace": pace, "faults": faults}
    return Wishes(**{field.name: asked[field.name] for field in fields(Wishes)})


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line; returns the exit code."""
    _fill_closed_streams()
    chosen = parser().parse_args(arguments)
    if chosen.command == "play":
        return run_play(chosen)
    if chosen.command == "usb":
        return run_usb(chosen)
    try:
        asyncio.run(run(wishes_of(chosen)))
    except (NoProgress, BrokerFailed, OSError, ValueError) as failure:
        print(f"dealer-station-sim: {failure}", file=sys.stderr)
        return FAILED
    return OK


if __name__ == "__main__":
    sys.exit(main())
