"""What the house posts at the table: its regulation, whether that is in force, what was authorised. No I/O here."""

import msgspec

from controller.engine.languages import Words
from controller.engine.settings import Settings
from controller.engine.table import Table
from controller.rulebook.games import GAMES
from controller.rulebook.house import Authorisation
from controller.rulebook.standing import Standing, State

PORTUGUESE_AND_CHINESE: dict[State, tuple[str, str]] = {
    "in_force": ("{}; em vigor", "{}；現行有效"),
    "revoked": ("{}; revogado: {}", "{}；已廢止：{}"),
    "replaced": ("{}; substituída: {}", "{}；已被取代：{}"),
    "lapsed": ("{}; caducada: {}", "{}；已失效：{}"),
}


class Posted(msgspec.Struct, frozen=True):
    """The regulation as it is cited, its state and by what it ended, the same in words, and the authorisations."""

    regulation: str
    state: State
    by: str
    standing: Words
    authorisations: tuple[Authorisation, ...]


def posted(table: Table, settings: Settings) -> Posted:
    """What is posted for the present round, or for the next one."""
    terms = settings.terms if table.round is None else table.round.terms
    standing = GAMES[terms.game].standing
    return Posted(
        regulation=standing.regulation,
        state=standing.state,
        by=standing.by,
        standing=standing_in_words(standing),
        authorisations=terms.posted.authorisations,
    )


def standing_in_words(standing: Standing) -> Words:
    """``Macau, Despacho SEF 78/2008; revoked by Despacho SEF 89/2025, n.º 4``, by language."""
    pt, zh = (words.format(standing.regulation, standing.by) for words in PORTUGUESE_AND_CHINESE[standing.state])
    return {"en": str(standing), "pt": pt, "zh": zh}
