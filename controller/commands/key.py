"""`dealer-station key`: the keys that sign checkpoints and cosignatures."""

import argparse
from pathlib import Path

from controller.command_line.output import refuse, say
from controller.config.checkpoint import make_key, read_signing_key
from controller.tlog.notes import BadKey


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "A table signs its checkpoints, and a witness its cosignatures, with an Ed25519 key under a name: that of a "
        "table is dealer/SITE/TABLE. The file is the private key; what is printed is public, for anyone who verifies."
    )
    what = parser.add_subparsers(required=True, metavar="WHAT", dest="what")
    new = what.add_parser("new", help="make a key; one that is there is kept")
    show = what.add_parser("show", help="print the public keys again")
    for command in (new, show):
        command.add_argument("file", type=Path, metavar="FILE")
    new.add_argument("name", metavar="NAME", help="dealer/SITE/TABLE, or of a witness such as inspection.example/w1")


def run(options: argparse.Namespace) -> int:
    """Make or show a key; returns the exit code."""
    file: Path = options.file
    try:
        if options.what == "new":
            if file.exists():
                return refuse(f"{file} is there already, and is kept")
            make_key(file, options.name)
        signer = read_signing_key(file)
    except OSError as error:
        return refuse(f"{file}: {error.strerror}")
    except BadKey as bad:
        return refuse(bad)
    say(f"{signer.verifier}  verifies the checkpoints of a table")
    return say(f"{signer.coverifier}  verifies the cosignatures of a witness")
