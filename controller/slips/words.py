"""An amount of money in figures and in words, in every language. No I/O here."""

import re
from typing import Any

from msgspec import Struct

from controller.engine.languages import LANGUAGES, Words
from controller.engine.money import shown_amount
from controller.slips import chinese


class Named(Struct, frozen=True):
    """A currency as it is spoken of: unit and hundredth, each for one and for more; `she` is Portuguese grammar."""

    en: tuple[str, str, str, str]
    pt: tuple[str, str, str, str]
    zh: str
    she: bool = False


CURRENCIES = {
    "MOP": Named(("pataca", "patacas", "avo", "avos"), ("pataca", "patacas", "avo", "avos"), "澳門幣", she=True),
    "HKD": Named(
        ("Hong Kong dollar", "Hong Kong dollars", "cent", "cents"),
        ("dólar de Hong Kong", "dólares de Hong Kong", "cêntimo", "cêntimos"),
        "港幣",
    ),
    "EUR": Named(("euro", "euros", "cent", "cents"), ("euro", "euros", "cêntimo", "cêntimos"), "歐元"),
}
"""The currencies of the regulations' places; another is written with its code, its fraction in figures."""

# After a million a noun stands with "de"; before it, what is counted are the millions, and they are no she.
_AFTER_MILLIONS = re.compile(r"^(.*(?:ilhão|ilhões|ilião|iliões))(.*)$")
_SHE = (
    (re.compile(r"\bum\b"), "uma"),
    (re.compile(r"\bdois\b"), "duas"),
    (re.compile(r"entos\b"), "entas"),
)


def in_figures(minor: int, currency: str, exponent: int) -> str:
    """``MOP 600,003.50``."""
    return f"{currency} {shown_amount(minor, exponent)}"


def in_words(minor: int, currency: str, exponent: int) -> Words:
    """An amount from 0, below 10^16 units, by language: ``five patacas and ten avos``. Minor units.

    A currency, or an exponent, without words of its own has its code and a fraction: ``five USD and 10/100``.
    """
    return {language: _in(language, minor, currency, exponent) for language in LANGUAGES}


def _in(language: str, minor: int, currency: str, exponent: int) -> str:
    named = CURRENCIES.get(currency)
    if named is None or exponent not in (0, 2):
        return _with_code(language, minor, currency, exponent)
    units, hundredths = divmod(minor, 10**exponent)
    if language == "zh":
        return named.zh + chinese.amount(units * 100 + hundredths)
    if language == "pt":
        parts = [_portuguese(units, *named.pt[:2], she=named.she)] if units or not hundredths else []
        parts += [_portuguese(hundredths, *named.pt[2:])] if hundredths else []
        return " e ".join(parts)
    parts = [_counted(_spelled(units, "en"), units, *named.en[:2])] if units or not hundredths else []
    parts += [_counted(_spelled(hundredths, "en"), hundredths, *named.en[2:])] if hundredths else []
    return " and ".join(parts)


def _with_code(language: str, minor: int, currency: str, exponent: int) -> str:
    units, rest = divmod(minor, 10**exponent)
    fraction = f"{rest:0{exponent}d}/{10**exponent}" if exponent else ""
    if language == "zh":
        return f"{currency} {chinese.numeral(units)}" + (f"又{fraction}" if fraction else chinese.WHOLE)
    spelled = f"{_spelled(units, language)} {currency}"
    return f"{spelled} {'e' if language == 'pt' else 'and'} {fraction}" if fraction else spelled


def _counted(number: str, count: int, one: str, more: str) -> str:
    return f"{number} {one if count == 1 else more}"


def _portuguese(count: int, one: str, more: str, she: bool = False) -> str:
    number = _spelled(count, "pt")
    if she:
        number = _as_she(number)
    found = _AFTER_MILLIONS.match(number)
    return _counted(f"{number} de" if found and not found[2] else number, count, one, more)


def _as_she(number: str) -> str:
    found = _AFTER_MILLIONS.match(number)
    head, tail = (found[1], found[2]) if found else ("", number)
    for he, she in _SHE:
        tail = he.sub(she, tail)
    return head + tail


def _spelled(number: int, language: str) -> str:
    from num2words import num2words  # not before a slip is written: a start does not wait for it

    spelled: Any = num2words(number, lang=language)
    return str(spelled)
