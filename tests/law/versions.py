"""The table of the regulations' versions in the index of the law, out of the data by which rounds are decided."""

from collections.abc import Iterator

from controller.rulebook.game import Game
from controller.rulebook.games import GAMES
from controller.rulebook.versions import RegulationVersion

INDEX = "README.md"
MARK = "<!-- The table and its notes are written by `make pages`. -->\n"
END = "<!-- What follows is written by hand. -->\n"
HEADER = (
    "| `game` | Act | Signed | Published | Gazette | In force from | Until before |\n"
    "| --- | --- | --- | --- | --- | --- | --- |\n"
)


def written(index: str) -> str:
    """The index with the table as the data are now; what is outside the two marks is written by hand."""
    above, mark, rest = index.partition(MARK)
    _, end, below = rest.partition(END)
    if not mark or not end:
        raise ValueError(f"{INDEX} lacks the line {(END if mark else MARK).strip()}")
    rows = "".join(row for game in GAMES.values() for row in _rows(game))
    notes = "".join(f"- {own.key}: {own.note}\n" for game in GAMES.values() for own in _versions(game) if own.note)
    return f"{above}{mark}\n{HEADER}{rows}\n{notes}\n{end}{below}"


def _versions(game: Game) -> tuple[RegulationVersion, ...]:
    return game.legal_status.validity.versions


def _rows(game: Game) -> Iterator[str]:
    validity, versions = game.legal_status.validity, _versions(game)
    for version, after in zip(versions, (*versions[1:], None), strict=True):
        assumed = validity.ended_assumed if after is None else "in_force" in after.assumed
        cells = [
            *(_cell(getattr(version, name), name in version.assumed) for name in ("signed", "published", "gazette")),
            _cell(version.in_force, "in_force" in version.assumed),
            _cell(validity.until(version), assumed) if validity.until(version) else "",
        ]
        text = " (*its text*)" if "text" in version.assumed else ""
        yield f"| `{game.id}` | {version.act}{text} | {' | '.join(cells)} |\n"


def _cell(value: str, assumed: bool) -> str:
    return "not known" if not value else f"*{value}*" if assumed else value
