"""A payment slip as text for paper, in one language and in the local time. No I/O here."""

import re
from collections.abc import Iterator
from datetime import datetime
from functools import partial
from textwrap import wrap
from typing import NamedTuple
from unicodedata import east_asian_width

from controller.rulebook.games import GAMES
from controller.slips.amounts import in_figures
from controller.slips.code import blocks
from controller.slips.slip import Slip
from controller.words import cards_shown, in_language, in_own_words

PAPER = 80  # columns of a receipt printer
WIDTH = 72  # with a margin
LABEL_WIDTH = 18
SIGNATURE_WIDTH = 24


class Copy(NamedTuple):
    """A copy of a slip, which has no number: how often the console printed the slip before, who asked for the copy,
    and when.
    """

    times: int
    who: str
    at: str


def printed(slip: Slip, language: str, copy: Copy | None = None) -> str:
    """The slip in one language, lines of at most WIDTH columns but for its code, without a newline at the end."""
    return "\n".join(_lines(slip, language, copy))


def _lines(slip: Slip, language: str, copy: Copy | None) -> Iterator[str]:
    in_words = partial(in_language, language, "slip_texts")

    def money(amount: int) -> str:
        return in_figures(amount, slip.currency, slip.exponent)

    yield in_words("title")
    yield "=" * WIDTH
    if copy is not None:
        yield in_words("copy", times=copy.times)
        yield f"{copy.who}, {local_time(copy.at)}"
        yield "-" * WIDTH
    if slip.mode != "live":
        yield in_words(slip.mode)
        yield "-" * WIDTH
    words = slip.words[language]
    own_words = GAMES[slip.game].own_words
    fields = {
        "slip": str(slip.slip),
        "paid": local_time(slip.paid_at) + ("" if slip.synchronised else f" ({in_words('unsynchronised')})"),
        "site": slip.site,
        "table": slip.table,
        "game": slip.game,
        "legal_status": slip.legal_status[language],
        "round": str(slip.round),
        "seat": str(slip.seat),
        **({"player": slip.player} if slip.player else {}),
        "cards": cards_shown(slip.cards),
        "tier": f"{in_words(f'tier/{slip.tier}')} ({slip.article})",
        "amount": slip.figures,
        "words": words[0].upper() + words[1:],
        "from_pot": money(slip.from_pot),
        "from_house": money(slip.from_house),
        "won": local_time(slip.won_at),
        "journal": f"{slip.journal} / {slip.event}",
    }
    for name, text in fields.items():
        yield from field_lines(in_words(f"label/{name}"), text)
    for authorised in slip.authorisations:
        yield from field_lines(in_words("label/authorised"), f"{authorised.reference}, {authorised.date}")
    for confirmation in slip.confirmed:
        role = in_own_words(own_words, f"role.{confirmation.role}")[language]
        yield from field_lines(
            in_words("label/confirmed"), f"{confirmation.name}, {role}, {local_time(confirmation.at)}"
        )
    yield "-" * WIDTH
    names = [*(confirmation.name for confirmation in slip.confirmed), in_words("label/player")]
    for name in names:
        yield ""
        yield _padded(name, LABEL_WIDTH) + "_" * SIGNATURE_WIDTH
    if slip.code is not None:
        yield "-" * WIDTH
        drawn = blocks(slip.code)
        fits = max(map(len, drawn)) <= PAPER
        yield in_words("code" if fits else "code_too_wide")
        yield from drawn if fits else ()


def field_lines(label: str, text: str) -> Iterator[str]:
    """A label and its text, broken into lines of at most WIDTH columns."""
    room = WIDTH - LABEL_WIDTH
    # Chinese has no spaces to break at, and two columns a character.
    lines = wrap(text, room) if _columns(text) == len(text) else _pieces(text, room)
    for number, line in enumerate(lines):
        yield _padded("" if number else label, LABEL_WIDTH) + line


def _pieces(text: str, room: int) -> list[str]:
    pieces = [""]
    for word in re.findall(r"[!-~]{1,40} ?|.", text):
        if _columns(pieces[-1] + word) > room:
            pieces.append("")
        pieces[-1] += word
    return pieces


def _columns(text: str) -> int:
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in text)


def _padded(text: str, width: int) -> str:
    return text + " " * (width - _columns(text))


def time_shown(time: str) -> str:
    """``2026-11-21T10:00:00.123Z`` as ``2026-11-21 10:00:00.123 UTC``."""
    return f"{time.removesuffix('Z').replace('T', ' ')} UTC"


def local_time(time: str) -> str:
    """``2026-11-21T10:00:00.123Z`` as ``2026-11-21 18:00:00 UTC+08:00``, in the time zone of the computer."""
    moment = datetime.fromisoformat(time).astimezone()
    zone = f"{moment:%z}"
    return f"{moment:%Y-%m-%d %H:%M:%S} UTC{'' if zone == '+0000' else f'{zone[:3]}:{zone[3:]}'}"
