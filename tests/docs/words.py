"""The words that are replaced: no text has one outside a quotation. `make check` runs this; exit 1 names each place.

`python -m tests.docs.words 'controller/*.py'` looks at other tracked files, before CHECKED has them.
"""

import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
CHECKED = (
    *(
        "README.md",
        "CHANGELOG.md",
        "*/README.md",
        "docs/*.md",
        "docs/law/*",
        "docs/examples/*",
        "Makefile",
        "pyproject.toml",
    ),
    *("controller/*", "drivers/*", "simulators/*", "systemd/*", "tests/*"),
)
OTHERS = (":(exclude)*/vendor/*", ":(exclude)tests/docs/*words.py")
"""What others have written, and the words themselves."""
NONE = r"(?!)"


class Replaced(NamedTuple):
    """Forms of a word, what to write instead, phrases in which it has another meaning, and where it is of the trade."""

    forms: str
    instead: str
    allowed: tuple[str, ...] = ()
    trade: str = NONE


WORDS = (
    Replaced("tell|tells|told|telling", "publish, notify, report"),
    Replaced("hear|hears|heard|hearing|unheard", "receive"),
    Replaced("said|saying", "report, send"),
    Replaced("nobody", "no one"),
    Replaced("somebody", "someone"),
    Replaced("anew", "again"),
    Replaced("whoever", "anyone who, the person who"),
    Replaced(
        "stand|stands|stood|standing",
        "be, be active",
        (
            *(
                r"\*stand\* at black-jack",
                r"stands? for",
                r"stand on it",
                r"bank stands",
                r"it stood",
                r"may stand above",
            ),
            *(r"[Aa]ll stand(?=[ ,])", r"Stand, and turn", r"(?:bank|player) (?:that|who) stands"),
            r"(?<=[\"'`./_-])(?:[Ss]tand|stands|stood)(?=[\"'`./_-])",
        ),
        trade=r"black-?jack|certify/(?:accumulated_prize|insurance|reading_costs)\.py|felt/punters\.py|answers/cards\.js"
        r"|console/(?:taps|test_console_rounds)\.py|journal/test_journal_replay\.py|watch/test_watch_table\.py",
    ),
    Replaced("lie|lies|lay|lays|lain|laid", "be, bet, place"),
    Replaced(r"(?:go|goes|going|gone|went)[ _]on", "resume, continue"),
    Replaced("mend|mends|mended|mending", "repair, correct"),
    Replaced("held", "pending, on hold"),
    Replaced(r"puts?[ _]right", "correct, repair"),
)
ANY = re.compile(rf"(?<![a-z])(?:{'|'.join(word.forms for word in WORDS)})(?![a-z])")
TABLE_OF_TERMS = re.compile(r"^## Words\n.*?(?=^## )", re.MULTILINE | re.DOTALL)
IN_PAGES = re.compile(r"^( *)```.*?^\1```|`[^`]*`|\]\([^)\n]*\)|\"[^\"\n]*\"", re.MULTILINE | re.DOTALL)
QUOTED = {".md": IN_PAGES}
"""What is quoted, by the suffix of a file: code, addresses and the words of others in a page."""
NOTHING = re.compile(NONE)


def paths(patterns: Sequence[str] = CHECKED) -> list[Path]:
    """The tracked text files that are checked; the patterns are those of git, as `:(glob)tests/*.py` for one folder."""
    listed = subprocess.run(
        ["git", "grep", "-zIl", "", "--", *patterns, *OTHERS], cwd=ROOT, check=True, capture_output=True, text=True
    )
    return [ROOT / name for name in listed.stdout.split("\0") if name]


def blank(found: re.Match[str]) -> str:
    """As many characters, lines kept, without a word."""
    return re.sub(r"[^\n]", " ", found[0])


def replaced_words(text: str, path: str = "page.md") -> Iterator[tuple[int, str, str]]:
    """Each replaced word outside quotations and the table of terms: its line, itself, and what to write."""
    plain = QUOTED.get(Path(path).suffix, NOTHING).sub(blank, TABLE_OF_TERMS.sub(blank, text))
    if not ANY.search(plain.lower()):  # as in most texts
        return
    for word in WORDS:
        if re.search(word.trade, path):
            continue
        rest = plain
        for phrase in word.allowed:
            rest = re.sub(phrase, blank, rest)
        for found in re.finditer(rf"(?<![A-Za-z])(?:{word.forms})(?![A-Za-z])", rest, re.IGNORECASE):
            yield rest.count("\n", 0, found.start()) + 1, found[0], word.instead


def main() -> int:
    """Print each place; 1 where there is one."""
    places = [
        f"{path.relative_to(ROOT)}:{line}: {word!r}: write {instead}"
        for path in paths(sys.argv[1:] or CHECKED)
        for line, word, instead in replaced_words(path.read_text(encoding="utf-8"), str(path.relative_to(ROOT)))
    ]
    print("\n".join(places), end="\n" if places else "", file=sys.stderr)
    return 1 if places else 0


if __name__ == "__main__":
    sys.exit(main())
