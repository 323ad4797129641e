"""What the configuration says of play, and the terms it gives the next round. No I/O here."""

from typing import Any, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from controller.engine.state.persons import People
from controller.engine.state.table import Table
from controller.rulebook.events import CardSource, Terms
from controller.rulebook.game import Game
from controller.rulebook.games import GAMES, game_of

Mode = Literal["simulation", "live"]


class Settings(Struct, frozen=True):
    """The terms of the next round, the sources at hand, who may act in which role, and how amounts are written.

    `exponent`: a unit of the currency has 10^exponent minor units. `chips` are those of the tray.
    """

    terms: Terms
    people: People
    sources: tuple[CardSource, ...] = ()
    exponent: int = 0
    chips: tuple[int, ...] = ()


def game_at(table: Table, settings: Settings) -> Game:
    """The game of the present round, or of the next one."""
    return GAMES[settings.terms.game] if table.round is None else game_of(table.round)


def source_of(table: Table, settings: Settings) -> CardSource:
    """Where the cards of the present round come from, or of the next one."""
    if table.round is not None:
        return table.round.terms.source
    chosen = table.source
    return chosen if chosen is not None and chosen in settings.sources else settings.terms.source


def complaints_article(table: Table, settings: Settings) -> str:
    """Under what a complaint is heard no more: of cards that lie beside a shuffler its game may say so."""
    citations = game_at(table, settings).citations
    return citations.complaints if source_of(table, settings) == "shuffler" else "policy: complaints"


def terms_of(table: Table, settings: Settings) -> Terms:
    """The next round's terms: the source in use, and the running pot's chip (a new value waits until it is won)."""
    terms = replace(settings.terms, source=source_of(table, settings))
    if table.meter is None or not terms.chip:
        return terms
    return replace(terms, chip=table.meter.parameters.chip)


def public_setting(settings: Settings) -> dict[str, Any]:
    """What a screen must know of the table beside its projection: terms, people, and what can be done.

    Money in minor units. It is the same until the configuration is read again.
    """
    game = GAMES[settings.terms.game]
    return {
        "terms": msgspec.to_builtins(settings.terms),
        "sources": list(settings.sources),
        "chips": list(settings.chips),
        "people": settings.people,
        "own_words": game.own_words,
        "offers": msgspec.to_builtins(game.offers(settings.terms)),
    }
