"""An amount of money in figures and in words, in every language. No I/O here."""

import re
from functools import partial
from typing import Any

from controller.slips import chinese
from controller.words import ENGLISH, SPOKEN, Words, in_language, shown_amount

CHINESE, PORTUGUESE = "zh", "pt"  # whose numerals a catalogue writes; another's are those of num2words
SHE = {"MOP"}  # in Portuguese
# After a million a noun is with "de"; before it, what is counted are the millions, and they are no she.
_AFTER_MILLIONS = re.compile(r"^(.*(?:ilhão|ilhões|ilião|iliões))(.*)$")
_SHE = (
    (re.compile(r"\bum\b"), "uma"),
    (re.compile(r"\bdois\b"), "duas"),
    (re.compile(r"entos\b"), "entas"),
)


def in_figures(minor: int, currency: str, exponent: int) -> str:
    """An amount in minor units with its currency.

    >>> in_figures(60000350, "MOP", 2)
    'MOP 600,003.50'
    """
    return f"{currency} {shown_amount(minor, exponent)}"


def amount_words(minor: int, currency: str, exponent: int) -> Words:
    """An amount from 0, below 10^16 units, by language. Minor units.

    A currency or exponent without words is written with its code and a fraction.

    >>> amount_words(510, "MOP", 2)
    {'en': 'five patacas and ten avos', 'pt': 'cinco patacas e dez avos', 'zh': '澳門幣伍圓壹角整'}
    >>> amount_words(510, "USD", 2)["en"]
    'five USD and 10/100'
    """
    return {language: _in(language, minor, currency, exponent) for language in SPOKEN}


def _in(language: str, minor: int, currency: str, exponent: int) -> str:
    in_words = partial(in_language, language, "amounts")
    numerals = in_words("numerals")
    units, rest = divmod(minor, 10**exponent)
    if f"currency/{currency}" not in ENGLISH.amounts or exponent not in (0, 2):
        fraction = f"{rest:0{exponent}d}/{10**exponent}"
        key = "with_code/fraction" if exponent else "with_code"
        return in_words(key, currency=currency, units=_spelled(units, numerals), fraction=fraction)
    named = in_words(f"currency/{currency}")
    if numerals == CHINESE:
        return named + chinese.amount(units * 100 + rest)
    unit, more, hundredth, hundredths = named.split(" / ")
    whole = _counted(units, unit, more, numerals, she=currency in SHE)
    if not rest:
        return whole
    part = _counted(rest, hundredth, hundredths, numerals)
    return in_words("and", units=whole, hundredths=part) if units else part


def _counted(count: int, single: str, more: str, numerals: str, she: bool = False) -> str:
    number = _spelled(count, numerals)
    if numerals == PORTUGUESE:
        number = _as_she(number) if she else number
        found = _AFTER_MILLIONS.match(number)
        number = f"{number} de" if found and not found[2] else number
    return f"{number} {single if count == 1 else more}"


def _as_she(number: str) -> str:
    found = _AFTER_MILLIONS.match(number)
    head, tail = (found[1], found[2]) if found else ("", number)
    for he, she in _SHE:
        tail = he.sub(she, tail)
    return head + tail


def _spelled(number: int, numerals: str) -> str:
    if numerals == CHINESE:
        return chinese.numeral(number)
    from num2words import num2words  # not before a slip is written: a start does not wait for it

    spelled: Any = num2words(number, lang=numerals)
    return str(spelled)
