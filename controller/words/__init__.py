"""The sentences of the station, one catalogue a language; `en.json` beside this module is the English one.

The catalogues are part of the program, and are read with it. `{seat}` is a hole of a sentence, `{amount$}` one for
money, and what fills `{wager!r}` is quoted. Everything above the rulebook may import this; it may import the rulebook
alone (contract `layers`), and states and decisions of the engine have codes instead (contract `engine-has-codes`).
Begin with `en.json`, then `Catalogue` below.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Literal

import msgspec

from controller.rulebook.refusal import Reason, Refusal

CataloguePart = Literal[
    "dealer_notified", "prompts", "prompts_places", "faults", "device_names", "alarm_texts", "alarm_actions",
    "legal_states", "slip_texts", "amounts", "register_entries", "register_texts", "round_texts", "sign_pages",
    "pit_alarms"
]  # fmt: skip
Words = dict[str, str]
"""One sentence by language."""
HOLE = re.compile(r"\{(\w+)(\$|!r)?\}")
CARDS = re.compile(r"[2-9TJQKA][cdhs]( [2-9TJQKA][cdhs])*")
CARD = re.compile(r"\b([2-9TJQKA])([cdhs])\b")
SUITS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


class Catalogue(msgspec.Struct, frozen=True):
    """The part of a catalogue that the station uses; the page uses the rest."""

    reasons: dict[str, str]
    dealer_notified: dict[str, str]
    prompts: dict[str, str]
    prompts_places: dict[str, str]
    faults: dict[str, str]
    device_names: dict[str, str]
    alarm_texts: dict[str, str]
    alarm_actions: dict[str, str]
    legal_states: dict[str, str]
    slip_texts: dict[str, str]
    amounts: dict[str, str]
    register_entries: dict[str, str]
    register_texts: dict[str, str]
    round_texts: dict[str, str]
    sign_pages: dict[str, str]
    pit_alarms: dict[str, str]

    def reason_text(self, reason: Reason, suits: bool = False) -> str:
        """A reason in the words of this language, money in minor units, cards as in a file or with `suits`."""

        def filled(hole: re.Match[str]) -> str:
            value = reason.values[hole[1]]
            if isinstance(value, Reason):
                return self.reason_text(value, suits)
            if suits and CARDS.fullmatch(str(value)):
                return cards_shown(str(value))
            return repr(value) if hole[2] == "!r" else str(value)

        return HOLE.sub(filled, self.reasons[reason.code])


def read_catalogues(folder: Traversable) -> dict[str, bytes]:
    """The catalogues in a folder by their language, English first."""
    files = (file for file in folder.iterdir() if file.name.endswith(".json"))
    found = {file.name.removesuffix(".json"): file.read_bytes() for file in files}
    return {"en": found["en"], **dict(sorted(found.items()))}


CATALOGUES: dict[str, bytes] = read_catalogues(files(__package__))
VERSION = hashlib.sha256(b"\0".join(CATALOGUES.values())).hexdigest()[:16]
"""The version of the catalogues: it changes with every sentence."""
SPOKEN: Mapping[str, Catalogue] = {
    language: msgspec.json.decode(words, type=Catalogue) for language, words in CATALOGUES.items()
}
ENGLISH = SPOKEN["en"]


def add_catalogues(folder: Traversable) -> None:
    """Adds the catalogues of a game outside the tree, with new keys only."""
    for language, text in read_catalogues(folder).items():
        words: dict[str, Any] = msgspec.json.decode(CATALOGUES[language])
        for key, added in msgspec.json.decode(text).items():
            if isinstance(added, dict):
                getattr(SPOKEN[language], key).update(added)
                added = {**words[key], **added}
            words[key] = added
        CATALOGUES[language] = msgspec.json.encode(words)


def in_language(language: str, part: CataloguePart, key: str, /, **values: object) -> str:
    """A sentence of a part of a catalogue, its holes filled; with Words in the same language."""
    sentence: str = getattr(SPOKEN[language], part)[key]
    return _filled(sentence, language, values)


def in_every_language(part: CataloguePart, key: str, /, **values: object) -> Words:
    """The same by language."""
    return {language: in_language(language, part, key, **values) for language in SPOKEN}


def on_the_page(key: str, /, **values: object) -> Words | None:
    """The page's text for a key, to use on paper; None for a key that no catalogue has."""
    english = _of_the_page("en").get(key)
    if english is None:
        return None
    return {language: _filled(_of_the_page(language).get(key, english), language, values) for language in SPOKEN}


def _filled(sentence: str, language: str, values: Mapping[str, object]) -> str:
    if "{" not in sentence:
        return sentence
    return sentence.format(
        **{name: value[language] if isinstance(value, dict) else value for name, value in values.items()}
    )


@cache
def _of_the_page(language: str) -> dict[str, str]:
    texts: dict[str, object] = msgspec.json.decode(CATALOGUES.get(language, b"{}"))
    return {key: text for key, text in texts.items() if isinstance(text, str)}


def article_words(article: str) -> Words:
    """An article as it is cited, or the policy that decides if no article does, by language."""
    kind, _, name = article.partition(": ")
    if kind != "policy":
        return dict.fromkeys(SPOKEN, article)
    return in_own_words("", "policy", name=on_the_page(f"policy.{name}") or name)


def keys_of_the_page(group: str) -> tuple[str, ...]:
    """The names that the page has words for, such as those of each `wager`."""
    return tuple(key.removeprefix(f"{group}.") for key in _of_the_page("en") if key.startswith(f"{group}."))


def in_own_words(own_words: str, key: str, /, **values: object) -> Words:
    """The page's text for a key, in the game's own words if it has some; the key itself without any."""
    return on_the_page(key + own_words, **values) or on_the_page(key, **values) or dict.fromkeys(SPOKEN, key)


def on_the_sign(key: str, /, **values: object) -> Words:
    """A page of the sign in each language that a sign draws, which is ASCII alone; that of the regulations first."""
    drawn = sorted((code for code, words in SPOKEN.items() if words.sign_pages), key=lambda code: code != "pt")
    return {language: in_language(language, "sign_pages", key, **values) for language in drawn}


def joined(sentences: Iterable[Words], by: str | None = None) -> Words:
    """Sentences one after the other, or the items of a list with `by` between them."""
    every = list(sentences)
    return {
        language: (words.prompts["between_sentences"] if by is None else by).join(part[language] for part in every)
        for language, words in SPOKEN.items()
    }


def reason_words(reason: Reason) -> Words:
    """A reason by language, as a screen shows it."""
    return {language: words.reason_text(reason, suits=True) for language, words in SPOKEN.items()}


def cards_shown(cards: str) -> str:
    """``As Td`` as ``A♠ 10♦``; tiles stay as they are."""
    return CARD.sub(lambda card: f"{'10' if card[1] == 'T' else card[1]}{SUITS[card[2]]}", cards)


def english(reason: Reason) -> str:
    """The English text of a reason, for all places where the station uses one language."""
    return ENGLISH.reason_text(reason)


def sentence(refusal: Refusal) -> str:
    """A refusal on one line: its subject, its reason, and its article.

    >>> from controller.rulebook.reasons import LawReason
    >>> sentence(Refusal("seat 3", LawReason.NO_SUCH_CARD, card="1d"))
    'seat 3: 1d is not a card; cards are written like "As Kd Tc"'
    """
    article = f" ({refusal.article})" if refusal.article else ""
    return f"{refusal.who}: {english(refusal.reason)}{article}"


def shown_amount(minor: int, exponent: int) -> str:
    """Minor units as text with two separators.

    >>> shown_amount(60000350, exponent=2), shown_amount(-500, exponent=0)
    ('600,003.50', '-500')
    """
    sign = "-" if minor < 0 else ""
    whole, fraction = divmod(abs(minor), 10**exponent)
    return f"{sign}{whole:,}" + (f".{fraction:0{exponent}d}" if exponent else "")
