"""The words that are replaced: no page has one outside a quotation. `make check` runs this; exit 1 names each place."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
CHECKED = ("README.md", "CHANGELOG.md", "*/README.md", "docs/*.md")
NOT_YET = (
    "docs/law/",
    "docs/floor-messages.md",
    "docs/alarms.md",
    "docs/inputs.md",
    "docs/budgets.md",
    "docs/access.md",
)
"""Pages written from the law's quotations, and from sentences and names in the code."""


class Replaced(NamedTuple):
    """Forms of a word, what to write instead, and phrases in which the word has another meaning."""

    forms: str
    instead: str
    allowed: tuple[str, ...] = ()


WORDS = (
    Replaced("tell|tells|told|telling", "publish, notify, report"),
    Replaced("hear|hears|heard|hearing|unheard", "receive"),
    Replaced("said|saying", "report, send"),
    Replaced("nobody", "no one"),
    Replaced("whoever", "anyone who, the person who"),
    Replaced(
        "stand|stands|stood|standing",
        "be, be active",
        (r"\*stand\* at black-jack", r"stands? for", r"standing around"),
    ),
    Replaced("lie|lies|lay|lays|lain|laid", "be, bet, place"),
    Replaced(r"(?:go|goes|going|gone|went) on", "resume, continue"),
    Replaced("mend|mends|mended|mending", "repair, correct"),
    Replaced("held", "pending, on hold", (r"hand-held",)),
)
TABLE_OF_TERMS = re.compile(r"^## Words\n.*?(?=^## )", re.MULTILINE | re.DOTALL)
QUOTED = re.compile(r"^( *)```.*?^\1```|`[^`]*`|\]\([^)\n]*\)", re.MULTILINE | re.DOTALL)


def paths() -> list[Path]:
    """The pages that are checked. To check more, add patterns and other quotations."""
    listed = subprocess.run(["git", "ls-files", "-z", *CHECKED], cwd=ROOT, check=True, capture_output=True, text=True)
    return [ROOT / name for name in listed.stdout.split("\0") if name and not name.startswith(NOT_YET)]


def blank(found: re.Match[str]) -> str:
    """As many characters, lines kept, without a word."""
    return re.sub(r"[^\n]", " ", found[0])


def replaced_words(text: str) -> Iterator[tuple[int, str, str]]:
    """Each replaced word outside code, addresses and the table of terms: its line, itself, and what to write."""
    plain = QUOTED.sub(blank, TABLE_OF_TERMS.sub(blank, text))
    for word in WORDS:
        rest = plain
        for phrase in word.allowed:
            rest = re.sub(phrase, blank, rest)
        for found in re.finditer(rf"\b(?:{word.forms})\b", rest, re.IGNORECASE):
            yield rest.count("\n", 0, found.start()) + 1, found[0], word.instead


def main() -> int:
    """Print each place; 1 where there is one."""
    places = [
        f"{path.relative_to(ROOT)}:{line}: {word!r}: write {instead}"
        for path in paths()
        for line, word, instead in replaced_words(path.read_text(encoding="utf-8"))
    ]
    print("\n".join(places), end="\n" if places else "", file=sys.stderr)
    return 1 if places else 0


if __name__ == "__main__":
    sys.exit(main())
