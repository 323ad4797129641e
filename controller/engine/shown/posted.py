"""What the house posts: its regulation, whether that is in force, authorisations, limits also on the sign. No I/O."""

import msgspec

from controller.engine.state.current import Settings
from controller.engine.state.table import Table
from controller.rulebook.citations import Standing, State
from controller.rulebook.events import Terms
from controller.rulebook.games import GAMES
from controller.rulebook.house import AddedBet, Authorisation, BasicBets
from controller.rulebook.reading import Limits
from controller.words import Words, in_every_language, on_the_sign, shown_amount


class Posted(msgspec.Struct, frozen=True):
    """The regulation as it is cited, its state and by what it ended, the same in words, and the authorisations.

    `limits` are those of each wager, minor units. `basic_bets` says how the house offers them, null where it may not
    choose; `bets` are those authorised beside the regulation's.
    """

    regulation: str
    state: State
    by: str
    standing: Words
    authorisations: tuple[Authorisation, ...]
    limits: dict[str, Limits]
    basic_bets: BasicBets | None
    bets: tuple[AddedBet, ...]


def posted(table: Table, settings: Settings) -> Posted:
    """What is posted for the present round, or for the next one."""
    terms = settings.terms if table.round is None else table.round.terms
    standing = GAMES[terms.game].standing
    return Posted(
        regulation=standing.regulation,
        state=standing.state,
        by=standing.by,
        standing=standing_in_words(standing),
        authorisations=terms.house.authorisations,
        limits=limits_of(terms),
        basic_bets=GAMES[terms.game].betting.posted(terms.house),
        bets=terms.house.bets,
    )


def limits_of(terms: Terms) -> dict[str, Limits]:
    """The limits of every wager that is on offer and has some."""
    return {wager: terms.limits_of(wager) for wager in GAMES[terms.game].betting.limited(terms)}


def standing_in_words(standing: Standing) -> Words:
    """``Macau, Despacho SEF 78/2008; revoked by Despacho SEF 89/2025, n.º 4``, by language."""
    return in_every_language("standings", standing.state, regulation=standing.regulation, by=standing.by)


def limits_shown(table: Table, settings: Settings) -> Words | None:
    """The limits of the next round by language; None in a round, and where all wagers have the same.

    They are shown while nobody plays, because another number of pages takes the sign a moment without the pot.
    """
    in_play = table.round is not None and not table.round.confirmed
    if in_play or not table.open or not settings.terms.house.limits:
        return None
    limits = []
    for wager, one in limits_of(settings.terms).items():
        bounds = f"{shown_amount(one.min, settings.exponent)} - {shown_amount(one.max, settings.exponent)}"
        limits.append(on_the_sign("limits/one", wager=on_the_sign(f"wager/{wager}"), bounds=bounds))
    listed = {language: ", ".join(one[language] for one in limits) for language in limits[0]}
    return on_the_sign("limits", limits=listed)
