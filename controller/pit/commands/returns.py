"""`dealer-pit return`."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from controller.pit.commands.configured import run_with_config

if TYPE_CHECKING:
    from controller.pit.config import PitConfig


def add(parser: argparse.ArgumentParser) -> None:
    """Adds the command's arguments to its parser."""
    parser.description = (
        "Writes the return of a month that is over as JSON and CSV to an empty folder, signed with the key of "
        "[signing]. --check verifies the signature of a return, computes its figures again and names each that "
        "differs (exit code 65): from the journals that are given, or from the envelopes of the archive."
    )
    parser.add_argument("what", nargs="*", metavar="MONTH FOLDER | JOURNAL", help="such as 2026-01, and where to write")
    parser.add_argument("--check", type=Path, metavar="FOLDER", help="compute this return again")
    parser.add_argument("--key", metavar="KEY", help="the pit's public key, as `dealer-station key show` prints it")
    parser.add_argument("--config", type=Path, help="pit.toml; not needed with --key and journals")


def run(given: argparse.Namespace) -> int:
    """Runs the command; returns its exit code."""
    from controller.pit.refusals import refuse

    if given.config is not None:
        return run_with_config(_return_of, given)
    if given.check is None or given.key is None:
        return refuse("needs --config pit.toml, or --check FOLDER --key KEY JOURNAL…")
    return _return_of(None, given)


def _return_of(config: "PitConfig | None", given: argparse.Namespace) -> int:
    from controller.command_line.failures import blaming
    from controller.pit.refusals import refuse
    from controller.pit.returning import check_return, make
    from controller.tlog.notes import BadKey, VerifierKey

    if given.check is None:
        if len(given.what) != 2 or config is None:
            return refuse("expected a month and a folder, such as: dealer-pit return 2026-01 returns/2026-01")
        return make(config, given.what[0], Path(given.what[1]))
    try:
        signer = None if config is None else config.signer()
        key = VerifierKey.read(given.key) if given.key else None if signer is None else signer.verifier
    except BadKey as bad:
        return refuse(f"the key that verifies the return: {bad}")
    if key is None:
        return refuse("no key verifies the return: --key KEY, or key_file in [signing]")
    return blaming(lambda: check_return(given.check, key, config, [Path(path) for path in given.what]), "dealer-pit")
