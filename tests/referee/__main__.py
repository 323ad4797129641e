"""Settles rounds a second time, by rules that share no code with the station.

    referee.pyz bundle [--json] [--key KEY]... [--witness KEY]... BUNDLE
    referee.pyz film STATION CAMERA ROUNDS

It needs Python 3.11 and nothing else. In the sources it is `python3 -m tests.referee`. The rooms: `rules` is what the
five regulations say, `bundle` checks a dispute bundle, `film` what a camera saw of a simulated table.
"""

import argparse
import io
import sys

from .bundle import command as bundle
from .film import command as film


def main(arguments: list[str] | None = None) -> int:
    """Run one of the commands; returns its exit code."""
    parser = argparse.ArgumentParser(prog="referee", description="Settles rounds a second time, without the station.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for module, summary in ((bundle, "check a dispute bundle"), (film, "hold a simulated table against its camera")):
        name = module.__name__.split(".")[-2]
        added = commands.add_parser(
            name, help=summary, description=module.__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        module.add_arguments(added)
        added.set_defaults(run=module.run)
    options = parser.parse_args(arguments)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # for a terminal without the letters of a name or article
    code: int = options.run(options)
    return code


if __name__ == "__main__":
    sys.exit(main())
