"""The commands of `dealer-station`."""

import argparse
import sys
from collections.abc import Callable, Sequence
from importlib import import_module

from controller.command_line.argument import Parser, Version
from controller.command_line.streams import guarded

COMMANDS = {  # each is a module of controller.commands
    "run": "run the station of a table",
    "simulate": "a whole simulated table on this machine",
    "setup": "from an installed package to a table that runs",
    "check-config": "check a configuration, naming every mistake",
    "journal": "begin the journal of a new table; backup and restore",
    "audit": "verify a whole journal, look into its rounds, decide them again",
    "dispute": "one round in a file that anybody can check",
    "key": "the keys of checkpoints and cosignatures",
    "witness": "cosign the checkpoints of tables, on another computer",
    "asyncapi": "the document of the messages to the floor (AsyncAPI 3.0)",
    "access": "the access list of a broker, for the tables that it serves",
    "slip": "the payment slips of jackpot hits",
    "register": "errors and corrections at a table, for the inspection",
    "watch": "a running table in the terminal",
    "devices": "what is plugged in, as lines for station.toml",
    "pin": "set a person's PIN at the console",
    "entries": "who logged in at the console",
    "settle": "settle one completed round from a file",
    "rank": "rank hands of a game, strongest first",
    "certify": "odds and house edge of every wager",
    "bench": "measure this machine",
}

EXAMPLES = """\
examples:
  dealer-station simulate                                  a table on this machine, played by a robot dealer
  dealer-station simulate --rounds 500 --speed max --json  500 rounds as fast as they go, one JSON object at the end
  dealer-station simulate --play                           sit down at a seat of it yourself, in the browser
  dealer-station simulate --faults 0.2                     in every fifth round something goes wrong
  dealer-station setup                                     asks for what a table needs, and starts it
  dealer-station check-config
  dealer-station run
  dealer-station journal new --by rui --and mei
  dealer-station pin ana
  dealer-station audit verify
  dealer-station audit rounds --prize
  dealer-station audit replay
  dealer-station dispute 1234
  dealer-station key new /etc/dealer-station/checkpoint.key dealer/macau-1/table-1
  dealer-station witness --config witness.toml             cosign what tables show of their record, on another computer
  dealer-station slip 1 --language pt
  dealer-station register --day 2026-01-31 --language pt
  dealer-station watch                                     the table that runs on this machine, in the terminal
  dealer-station devices                                   what is plugged in, as lines for station.toml
  dealer-station asyncapi > asyncapi.json                  the messages of the floor, for tools
  dealer-station access tables/*.toml --consumer floor     who may write and read which topic at the broker
  dealer-station settle round.json                         settle one round from a file (- is standard input)
  dealer-station certify --exact                           odds and house edge of the wagers of all games
  dealer-station bench latency                             how fast a card is durable and acknowledged

exit codes: 0 done, 2 wrong usage or refused (who, why, article), 65 journal corrupt, 66 no journal of a live table,
69 address or simulator unavailable, 70 a defect of the station, 74 standard output takes
no more, 75 journal not available now, 78 configuration"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit code."""
    given = sys.argv[1:] if arguments is None else arguments
    return guarded("dealer-station", lambda: _run(given))


def _run(arguments: Sequence[str]) -> int:
    if not arguments:
        parser(()).print_help()
        return 0
    named = [argument for argument in arguments if not argument.startswith("-")]
    options = parser(named[:1]).parse_args(arguments)
    command: Callable[[argparse.Namespace], int] = options.command
    return command(options)


def parser(named: Sequence[str]) -> argparse.ArgumentParser:
    """A parser for the named commands with their arguments; if none is named, for all commands without arguments.

    Importing the modules of all commands would take seconds.
    """
    top = Parser(
        prog="dealer-station",
        description="The software inside a casino table: devices in, one regulation applied, rounds and meters out.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action=Version, nargs=0, help="print the version")
    commands = top.add_subparsers(required=True, metavar="COMMAND")
    meant = [name for name in COMMANDS if name in named]
    for name in meant or COMMANDS:
        command = commands.add_parser(name, help=COMMANDS[name])
        if meant:
            module = import_module(f"controller.commands.{name.replace('-', '_')}")
            module.add_arguments(command)
            command.set_defaults(command=module.run)
    return top


if __name__ == "__main__":
    sys.exit(main())
