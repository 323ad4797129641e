"""What the station says, one catalogue a language: `en.json` beside this module is the one in English.

The catalogues are part of the program, and are read with it. `{seat}` is a hole of a sentence, `{amount$}` one for
money, and what fills `{wager!r}` stands in quotation marks.
"""

import re
from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Literal

import msgspec

from controller.rulebook.refusal import Reason, Refusal

HOLE = re.compile(r"\{(\w+)(\$|!r)?\}")


class Catalogue(msgspec.Struct, frozen=True):
    """What the station itself takes from a catalogue; the page takes the rest."""

    reasons: dict[str, str]
    dealer_told: dict[str, str]

    def said(self, reason: Reason) -> str:
        """A reason in the words of this language, money in minor units."""

        def filled(hole: re.Match[str]) -> str:
            value = reason.values[hole[1]]
            if isinstance(value, Reason):
                return self.said(value)
            return repr(value) if hole[2] == "!r" else str(value)

        return HOLE.sub(filled, self.reasons[reason.code])


def read(folder: Traversable) -> dict[str, bytes]:
    """The catalogues in a folder by their language, English first."""
    found = {one.name.removesuffix(".json"): one.read_bytes() for one in folder.iterdir() if one.name.endswith(".json")}
    return {"en": found["en"], **dict(sorted(found.items()))}


CATALOGUES: Mapping[str, bytes] = read(files(__package__))
SPOKEN: Mapping[str, Catalogue] = {
    language: msgspec.json.decode(words, type=Catalogue) for language, words in CATALOGUES.items()
}
ENGLISH = SPOKEN["en"]


def in_every_language(part: Literal["dealer_told"], key: str, **values: object) -> dict[str, str]:
    """A sentence of a part of the catalogues, by language, its holes filled."""
    return {language: getattr(words, part)[key].format(**values) for language, words in SPOKEN.items()}


def english(reason: Reason) -> str:
    """A reason as the station tells it wherever it speaks one language."""
    return ENGLISH.said(reason)


def sentence(refusal: Refusal) -> str:
    """A refusal on one line: what it concerns, why, and its article."""
    article = f" ({refusal.article})" if refusal.article else ""
    return f"{refusal.who}: {english(refusal.reason)}{article}"
