"""The form of a round: a TOML file of rounds, read and named after its articles. README.md explains it."""

import itertools
import operator
import re
import tomllib
import unicodedata
from collections.abc import Iterator
from functools import cache, reduce
from pathlib import Path
from typing import Any, Literal

import msgspec

from tests.law.citations import read_articles
from tests.law.regulations import REGULATIONS, Regulation
from tests.rounds.seen import OF_A_RESULT, OF_A_TABLE
from tests.rounds.seen_games import OF_HANDS, OF_PLACES

FOLDER = Path(__file__).parent
REGULATION_OF: dict[str, Regulation] = {regulation.page.removesuffix(".md"): regulation for regulation in REGULATIONS}
"""The regulation of each game, by the game's name."""

SEEN = ("events", "recorded", *OF_A_RESULT, *OF_A_TABLE, *OF_HANDS, *OF_PLACES)
"""What may be demanded of a table of any game."""


class Round(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """One round, or one for each of its cases: what is placed, dealt and done, and what has to come of it.

    Every text may name a column of `cases` or `each` in braces. `then` are the demands at the end, by what is seen.
    """

    sentence: str
    article: str = ""
    table: dict[str, Any] = {}
    cards: str = ""
    bets: str = ""
    decisions: str = ""
    before: str = ""
    course: str = ""
    ends: str = "settled"
    each: dict[str, list[Any]] = {}
    cases: str = ""
    then: dict[str, str] = {}

    def __post_init__(self) -> None:
        if not self.sentence or self.sentence[0].isdigit():
            raise ValueError("a sentence begins with a word")
        if unknown := sorted({what.partition(" ")[0] for what in self.then} - set(SEEN)):
            raise ValueError(f"{', '.join(unknown)}: no such demand; there are {', '.join(SEEN)}")
        if self.article:
            read_articles(self.article)


class RefusedFile(msgspec.Struct, forbid_unknown_fields=True):
    """A good round file, and a table of changes that make it one that cannot be: change, blamed, article."""

    sentence: str
    good: str
    refused: str
    article: str = ""


class File(msgspec.Struct, forbid_unknown_fields=True):
    """A file: the game, and what holds for every round or refused file that does not have its own."""

    game: Literal[tuple(REGULATION_OF)]  # type: ignore[valid-type]
    round: list[Round] = []
    file: list[RefusedFile] = []
    usual: dict[str, Any] = {}


def read_file(path: Path) -> File:
    """A file of rounds. Raises ValueError with the file and the round that cannot be read."""
    return _read(path.name, path.read_text("utf-8"))


@cache
def _read(name: str, text: str) -> File:
    try:
        raw = tomllib.loads(text)
        for entry in [*raw.get("round", []), *raw.get("file", [])]:
            for key, value in raw.get("usual", {}).items():
                entry[key] = value | entry.get(key, {}) if isinstance(value, dict) else entry.get(key, value)
        file = msgspec.convert(raw, File)
    except (ValueError, msgspec.ValidationError) as mistake:
        place = re.search(r"round\[(\d+)\]", str(mistake))
        which = f', round "{raw["round"][int(place[1])].get("sentence")}"' if place else ""
        raise ValueError(f"{name}{which}: {mistake}") from None
    return file


def name_of(round: Round | RefusedFile, game: str) -> str:
    """What its test is called: ``test_art_13_1_bank_below_queen_pays…`` of article 13.º 1) and such a sentence."""
    regulation = REGULATION_OF[game]
    articles = "_and_".join("_".join(parts) for parts in read_articles(round.article)) if round.article else ""
    opening = regulation.opening if articles else regulation.opening.rstrip("_").rpartition("_")[0] + "_"
    return "_".join(filter(None, (opening.rstrip("_"), articles.lower(), slug(round.sentence))))


def slug(text: str) -> str:
    """The words of a sentence as a name has them."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "_", plain).strip("_")


def round_files(folder: Path = FOLDER) -> list[Path]:
    """The files of rounds."""
    return sorted(folder.rglob("*.toml"))


def cases_of(round: Round) -> Iterator[tuple[str, Round]]:
    """The round once for each row of its cases and each value of `each`: what differs, and the round with it."""
    rows = list(rows_of(round.cases)) or [{}]
    columns = [list(rows_of("\n".join(map(str, (name, *values))))) for name, values in round.each.items()]
    for row, *others in itertools.product(rows, *columns):
        given = reduce(operator.or_, others, row)
        yield ", ".join(given.values()), _filled(round, given)


def rows_of(text: str) -> Iterator[dict[str, str]]:
    """The rows of a table, by the names in its first line."""
    lines = [[cell.strip() for cell in line.split("|")] for line in text.strip("\n").split("\n")]
    lines = [cells for cells in lines if any(cells) or len(lines[0]) == 1] if text.strip() else [[]]
    for cells in lines[1:]:
        if len(cells) != len(lines[0]):
            raise ValueError(f"{' | '.join(cells)}: as many columns as the heading has")
        yield dict(zip(lines[0], cells, strict=True))


def _filled(round: Round, given: dict[str, str]) -> Round:
    used: set[str] = set()

    def fill(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: fill(part) for key, part in value.items()}
        if not isinstance(value, str):
            return value
        used.update(re.findall(r"\{(\w+)\}", value))
        return re.sub(r"\{(\w+)\}", lambda found: given[found[1]], value)

    try:
        texts = {key: fill(value) for key, value in msgspec.to_builtins(round).items() if key not in ("each", "cases")}
    except KeyError as missing:
        raise ValueError(f"{{{missing.args[0]}}}: no column is called so") from None
    if unused := sorted(set(given) - used - {"note"}):
        raise ValueError(f"{', '.join(unused)}: nothing of the round names this column")
    return msgspec.convert(texts, Round)


def defined_rounds(root: Path) -> Iterator[tuple[str, str]]:
    """The name of every round, and its file below the root."""
    for path in round_files(root / "tests" / "rounds"):
        file, where = read_file(path), path.relative_to(root).as_posix()
        yield from ((name_of(round, file.game), where) for round in file.round)
        yield from ((name_of(round, file.game), where) for round in file.file)
