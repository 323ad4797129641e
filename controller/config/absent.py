"""The sections of the file that a table of a game does not have."""

from collections.abc import Iterator

from controller.rulebook.game import Game


def not_at(game: Game) -> Iterator[tuple[str, str]]:
    """The sections that this table cannot have, each with the reason."""
    for part in (game.source, game.prize):
        for name in part.absent:
            yield name, f"{game.id} {part.why_absent}"
