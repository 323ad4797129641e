"""The commands of `dealer-station`."""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from controller.commands.argument import address, broker, count, pins, share, speed, url

# Written out: reading the rulebook's list would slow every --help.
GAMES = ("fortune-3-card-poker-2025", "fortune-3-card-poker-2008", "fortune-8", "blackjack-21", "taiwan-pai-kao")
EXIT_REFUSED = 2  # a round, a hand or an argument that cannot be

EXAMPLES = """\
examples:
  dealer-station simulate                                  a table on this machine, played by a robot dealer
  dealer-station simulate --rounds 500 --speed max --json  500 rounds as fast as they go, one JSON object at the end
  dealer-station simulate --faults 0.2                     in every fifth round something goes wrong
  dealer-station check-config /etc/dealer-station/station.toml
  dealer-station run --config /etc/dealer-station/station.toml
  dealer-station pin ana --config /etc/dealer-station/station.toml
  dealer-station slip 1 --config /etc/dealer-station/station.toml --language pt
  dealer-station watch --url http://127.0.0.1:8080         a running table in the terminal
  dealer-station devices                                   what is plugged in, as lines for station.toml
  dealer-station settle round.json                         settle one round from a file (- is standard input)
  dealer-station rank fortune-3-card-poker-2025 "As Ks Qs" "9h 9d 2c"
  dealer-station certify fortune-8                         odds and house edge of its wagers
  dealer-station bench latency                             how fast a card is durable and acknowledged
  dealer-station bench console                             how fast a card is on the dealer's screen

exit codes: 0 done, 2 refused (who, why, article), 65 journal corrupt, 69 address or simulator unavailable,
70 a defect of the station, 75 journal not available now, 78 configuration"""

CERTIFY_EXAMPLES = """\
examples:
  dealer-station certify --exact                                     all that is exact, of all games
  dealer-station certify fortune-8 --json
  dealer-station certify fortune-3-card-poker-2025 --jackpot pot.toml --report odds.html
  dealer-station certify --paytable asked.toml --report request.html  a changed table, or a new bet

What is computed is kept: a run that was stopped goes on where it was. docs/certify.md has both files."""

BENCH_CONSOLE_EXAMPLES = """\
examples:
  dealer-station bench console                             20 loads, 500 cards: about a minute and a half
  dealer-station bench console --cards 2000 --json
  dealer-station bench console --dir /var/lib/dealer-station   with the journal on the disk that will hold it

exit codes: 0 measured, 2 an argument that cannot be, 69 playwright, chromium or broker is missing or does not answer"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit code."""
    parser = _parser()
    options = parser.parse_args(arguments)
    command: Callable[[argparse.Namespace], int] = options.command
    try:
        return command(options)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever read the output has seen enough; what is still buffered has nowhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="dealer-station",
        description="The software inside a casino table: devices in, one regulation applied, rounds and meters out.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    run = commands.add_parser("run", help="run the station of a table")
    run.add_argument("--config", type=Path, required=True, metavar="FILE", help="station.toml")
    _add_record(run)
    run.set_defaults(command=_run)

    simulate = commands.add_parser(
        "simulate",
        help="a whole simulated table on this machine",
        description="Starts the simulated devices, players and dealer as a process of their own, then runs the station "
        "on them exactly as `run` does.",
    )
    simulate.add_argument(
        "--game",
        default=GAMES[0],
        choices=GAMES,
        help="game id (default: %(default)s)",
    )
    simulate.add_argument("--seats", type=int, choices=(4, 5, 6, 7, 8), help="default: 6, or what the game prescribes")
    simulate.add_argument(
        "--decks",
        type=int,
        choices=range(1, 9),
        metavar="N",
        help="fortune-8: 1 to 8 (default: 8); blackjack-21: 4 or 6",
    )
    simulate.add_argument("--marking", choices=("automatic", "manual"), help="of the chips, blackjack-21 (41)")
    simulate.add_argument("--rounds", type=count, metavar="N", help="end after N rounds (default: until Ctrl-C)")
    simulate.add_argument(
        "--speed",
        type=speed,
        default=None,
        help="human, device, max, or a number of times human (default: 20; max with --json)",
    )
    simulate.add_argument("--seed", type=int, default=None, help="the same seed plays the same cards (default: 1)")
    simulate.add_argument(
        "--source",
        choices=("shuffler", "shoe", "hand"),
        help="default: shuffler; taiwan-pai-kao: shoe, a reader of tiles, or hand, without one",
    )
    simulate.add_argument(
        "--places", choices=("mixed", "8", "4"), help="taiwan-pai-kao: to how many of its eight places tiles are dealt"
    )
    simulate.add_argument("--slots", default="adu218", choices=("adu218", "numato"), help="make (default: %(default)s)")
    simulate.add_argument("--sign", default="alpha", choices=("alpha", "betabrite"), help="make (default: %(default)s)")
    simulate.add_argument("--camera", type=Path, metavar="FILE", help="write what a camera over the table sees")
    simulate.add_argument("--stack", type=Path, metavar="FILE", help="the orders of the first shuffles, a line each")
    simulate.add_argument(
        "--fault",
        action="append",
        default=[],
        metavar="SPEC",
        help="something that goes wrong, DEVICE:KIND[=VALUE][@KEY=VALUE,…]; repeatable",
    )
    simulate.add_argument("--faults", type=share, metavar="RATE", help="chance per round of one random fault, 0 to 1")
    simulate.add_argument("--state-dir", type=Path, metavar="DIR", help="keep journal, wires and station.toml here")
    simulate.add_argument(
        "--broker", default="auto", type=broker, help="mqtt://HOST:PORT (default: mosquitto, else one built in)"
    )
    simulate.add_argument("--listen", metavar="HOST:PORT", type=address, help="address of the dealer's screen")
    simulate.add_argument(
        "--pins",
        nargs="?",
        const={},
        type=pins,
        metavar="NAME=PIN,…",
        help="the table asks for PINs, made by chance unless given here; they are printed at the start, which happens "
        "in a simulation only",
    )
    _add_record(simulate)
    simulate.add_argument("--verbose", action="store_true", help="the station's log on stderr, as `run` writes it")
    simulate.add_argument("--json", action="store_true", help="only one JSON object, at the end")
    simulate.set_defaults(command=_simulate)

    check = commands.add_parser("check-config", help="check a configuration, naming every mistake")
    check.add_argument("file", type=Path, metavar="FILE")
    check.set_defaults(command=_check_config)

    slip = commands.add_parser(
        "slip",
        help="the payment slips of jackpot hits",
        description="Prints one payment slip, or without NUMBER a line for each. The journal is only read, also while "
        "its station runs.",
    )
    slip.add_argument("number", type=count, nargs="?", metavar="NUMBER", help="of the slip (default: list them all)")
    slip.add_argument("--config", type=Path, required=True, metavar="FILE", help="station.toml")
    slip.add_argument("--journal", type=Path, metavar="FILE", help="another journal than the configuration's")
    slip.add_argument("--language", default="en", choices=("en", "pt", "zh"), help="default: %(default)s")
    slip.add_argument("--json", action="store_true", help="one JSON object, or a list of them")
    slip.set_defaults(command=_slip)

    watch = commands.add_parser(
        "watch",
        help="a running table in the terminal",
        description="Shows table, seats, results, pot, devices, alarms and what happens, until Ctrl-C, also over a "
        "restart of the station. Where the output is no terminal, a line for each thing that happens. It only looks.",
    )
    watch.add_argument(
        "--url", type=url, default="http://127.0.0.1:8080", metavar="http://HOST:PORT", help="default: %(default)s"
    )
    watch.add_argument("--once", action="store_true", help="one view, then exit")
    watch.set_defaults(command=_watch)

    devices = commands.add_parser(
        "devices",
        help="what is plugged in, as lines for station.toml",
        description="Lists serial ports and the USB devices of known makes with the driver that fits. It opens no "
        "serial port, and asks a USB device for its name alone, also while a station runs.",
    )
    devices.add_argument("--json", action="store_true", help="one JSON object")
    devices.set_defaults(command=_devices)

    pin = commands.add_parser(
        "pin",
        help="set a person's PIN at the console",
        description="Asks twice for a PIN of 6 to 12 digits and keeps its hash, in a file beside the journal. A "
        "running station knows it at the next log-in.",
    )
    which = pin.add_mutually_exclusive_group(required=True)
    which.add_argument("name", nargs="?", metavar="NAME", help="of [people]")
    which.add_argument("--list", action="store_true", help="who has a PIN")
    pin.add_argument("--remove", action="store_true", help="take the PIN away")
    pin.add_argument("--config", type=Path, required=True, metavar="FILE", help="station.toml")
    pin.set_defaults(command=_pin)

    entries = commands.add_parser(
        "entries",
        help="who logged in at the console",
        description="Prints log-ins, refusals, lock-outs and log-outs. The journal is only read, also while its "
        "station runs.",
    )
    entries.add_argument("--last", type=count, default=100, metavar="N", help="so many (default: %(default)s)")
    entries.add_argument("--config", type=Path, required=True, metavar="FILE", help="station.toml")
    entries.add_argument("--journal", type=Path, metavar="FILE", help="another journal than the configuration's")
    entries.add_argument("--json", action="store_true", help="a list of JSON objects")
    entries.set_defaults(command=_entries)

    settle = commands.add_parser("settle", help="settle one completed round from a file")
    settle.add_argument("file", metavar="FILE", help="a round as JSON; - is standard input")
    settle.set_defaults(command=_settle)

    rank = commands.add_parser("rank", help="rank hands of a game, strongest first")
    rank.add_argument("game", metavar="GAME")
    rank.add_argument("hands", metavar="HAND", nargs="+", help='such as "As Ks Qs"')
    rank.set_defaults(command=_rank)

    certify = commands.add_parser(
        "certify",
        help="odds and house edge of every wager",
        description="Reckons the odds of every wager, out of the code that ranks and settles the live table: exact "
        "wherever enumeration reaches, simulated with its interval for the main game of blackjack-21.",
        epilog=CERTIFY_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    certify.add_argument("games", metavar="GAME", nargs="*", help="game ids (default: all five)")
    certify.add_argument("--jackpot", type=Path, metavar="FILE", help="terms of a pot, as TOML")
    certify.add_argument("--paytable", type=Path, metavar="FILE", help="a changed paytable or new bets, as TOML")
    certify.add_argument("--report", type=Path, metavar="FILE.html", help="write a page to read and to print")
    certify.add_argument("--json", action="store_true", help="one JSON object")
    certify.add_argument("--exact", action="store_true", help="leave out what is simulated")
    certify.add_argument("--hits", type=count, metavar="N", help="hits of a pot to play (default: some thousand)")
    certify.add_argument("--rounds", type=count, metavar="N", help="rounds of the main game (default: ten million)")
    certify.add_argument("--seed", type=int, default=1, metavar="N", help="of what is simulated (default: %(default)s)")
    certify.add_argument(
        "--work", type=Path, metavar="DIR", help="keep what is computed here (default: the user's cache folder)"
    )
    certify.set_defaults(command=_certify)

    bench = commands.add_parser("bench", help="measure this machine")
    measures = bench.add_subparsers(required=True, metavar="MEASURE")
    latency = measures.add_parser(
        "latency", help="a card report complete on the wire, durable, and acknowledged by the broker"
    )
    latency.add_argument("--cards", type=count, default=2000, help="reports to measure (default: %(default)s)")
    _add_bench(latency)
    latency.set_defaults(command=_bench_latency)
    console = measures.add_parser(
        "console",
        help="the console's first paint, and a card from the shoe's wire to the screen",
        description="Looks at the console of a station of its own in Debian's chromium, without a screen, through "
        "playwright, a development dependency. Cards come about nine a second.",
        epilog=BENCH_CONSOLE_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    console.add_argument("--cards", type=count, default=500, metavar="N", help="to measure (default: %(default)s)")
    console.add_argument("--loads", type=count, default=20, metavar="N", help="of the page (default: %(default)s)")
    _add_bench(console)
    console.set_defaults(command=_bench_console)
    return parser


def _add_bench(measure: argparse.ArgumentParser) -> None:
    measure.add_argument("--broker", default="auto", help="mqtt://HOST:PORT (default: mosquitto on the PATH)")
    measure.add_argument("--dir", type=Path, metavar="DIR", help="where the journal lies while measuring")
    measure.add_argument("--json", action="store_true", help="one JSON object")


def _add_record(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--record",
        type=Path,
        metavar="DIR",
        help="write every wire's bytes and the screen's requests here; cards are in them in the clear",
    )


class _Version(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib.metadata import version

        print(f"dealer-station {version('dealer-station')}")
        parser.exit()


def _fail(text: str, code: int) -> int:
    print(f"dealer-station: {text}", file=sys.stderr)
    return code


def _run(options: argparse.Namespace) -> int:
    from controller.commands.run import run_service

    return run_service(options.config, options.record)


def _simulate(options: argparse.Namespace) -> int:
    from controller.commands.simulate import run_simulation

    return run_simulation(options)


def _check_config(options: argparse.Namespace) -> int:
    from controller.commands.pin import wanting_pins
    from controller.commands.run import EXIT_CONFIGURATION, load_config
    from controller.rulebook.games import GAMES

    config = load_config(options.file)
    if config is None:
        return EXIT_CONFIGURATION
    print(f"{options.file}: good")
    print(f"table {config.site}/{config.table}, {config.seats} seats, mode {config.mode}")
    print(f"{config.game}: {GAMES[config.game].standing}")
    for line in wanting_pins(config):
        print(line)
    return 0


def _slip(options: argparse.Namespace) -> int:
    from controller.commands.slip import print_slips

    return print_slips(options.config, options.journal, options.number, options.language, options.json)


def _watch(options: argparse.Namespace) -> int:
    from controller.commands.watch import watch

    return watch(options.url, options.once)


def _devices(options: argparse.Namespace) -> int:
    from controller.commands.devices import print_devices

    return print_devices(options.json)


def _pin(options: argparse.Namespace) -> int:
    from controller.commands.pin import list_pins, remove_pin, set_pin

    if options.list:
        return list_pins(options.config)
    return (remove_pin if options.remove else set_pin)(options.config, options.name)


def _entries(options: argparse.Namespace) -> int:
    from controller.commands.entries import print_entries

    return print_entries(options.config, options.journal, options.last, options.json)


def _settle(options: argparse.Namespace) -> int:
    from controller.rulebook.refusal import Refusal
    from controller.rulebook.round_file import settle_text

    try:
        text = sys.stdin.buffer.read() if options.file == "-" else Path(options.file).read_bytes()
    except OSError as error:
        return _fail(f"{options.file}: {error.strerror}", EXIT_REFUSED)
    try:
        answer = settle_text(text)
    except Refusal as refusal:
        return _fail(str(refusal), EXIT_REFUSED)
    return _print_json(answer)


def _print_json(answer: bytes) -> int:
    # JSON is UTF-8 whatever the terminal's encoding, which may not have a player's name.
    sys.stdout.buffer.write(answer + b"\n")
    sys.stdout.flush()
    return 0


def _rank(options: argparse.Namespace) -> int:
    from controller.rulebook.ranking import rank
    from controller.rulebook.refusal import Refusal

    try:
        answer = rank(options.game, options.hands)
    except Refusal as refusal:
        return _fail(str(refusal), EXIT_REFUSED)
    return _print_json(answer)


def _certify(options: argparse.Namespace) -> int:
    from controller.commands.certify import run_certify

    return run_certify(options)


def _bench_latency(options: argparse.Namespace) -> int:
    from controller.commands.latency import bench_latency

    return bench_latency(options)


def _bench_console(options: argparse.Namespace) -> int:
    from controller.commands.bench_console import bench_console

    return bench_console(options)


if __name__ == "__main__":
    sys.exit(main())
