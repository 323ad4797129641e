"""`dealer-station slip`: the payment slips of a table's jackpot hits, to be read or printed."""

import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from controller.commands.run import EXIT_CONFIGURATION, blamed, load_config
from controller.engine.languages import LANGUAGES
from controller.floor.messages import Identity
from controller.journal.records import WrongJournal
from controller.queries.slips import all_slips
from controller.slips.printed import TIERS, printed, time_shown
from controller.slips.slip import Slip

EXIT_NO_SLIP = 2  # an argument that cannot be


def print_slips(path: Path, journal: Path | None, number: int | None, language: str, as_json: bool) -> int:
    """Print one slip, or a list of all; returns the exit code.

    `journal` is another journal than the configuration's, such as a copy. It is only read, beside its station too.
    """
    config = load_config(path)
    if config is None:
        return EXIT_CONFIGURATION
    source = journal or config.journal
    identity = Identity(
        site=config.site,
        table=config.table,
        journal="",  # each slip names the one it stands in
        mode=config.mode,
        currency=config.currency,
        exponent=config.exponent,
    )
    try:
        slips = all_slips(source, identity)
        if slips and slips[-1].game != config.game:
            raise WrongJournal(f"{source} is a journal of {slips[-1].game}; this configuration's is {config.game}")
    except Exception as error:
        code = blamed(error)
        if code is None:
            raise
        return code
    if number is None:
        return _say(msgspec.json.encode(slips).decode() if as_json else "\n".join(_table(slips, language)))
    for slip in slips:
        if slip.slip == number:
            return _say(msgspec.json.encode(slip).decode() if as_json else printed(slip, language))
    given = f"slips are numbered 1 to {len(slips)}" if slips else "no hit was paid yet"
    print(f"dealer-station: slip {number}: there is none; {given}", file=sys.stderr)
    return EXIT_NO_SLIP


def _table(slips: Sequence[Slip], language: str) -> list[str]:
    at = LANGUAGES.index(language)
    amounts = max((len(slip.figures) for slip in slips), default=0)
    return [
        f"{slip.slip:>6}  {time_shown(slip.paid_at)}  {slip.round:>7}/{slip.seat}  {slip.figures:>{amounts}}  "
        f"{TIERS[slip.tier][at]}"
        for slip in slips
    ] or ["no hit was paid yet"]


def _say(text: str) -> int:
    # UTF-8 whatever the terminal's encoding, which may not have the suits.
    sys.stdout.buffer.write(text.encode() + b"\n")
    sys.stdout.flush()
    return 0
