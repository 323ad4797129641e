"""What the sign shows of limits that the house posts for each wager, between two rounds. No I/O here."""

from controller.engine.money import shown_amount
from controller.engine.posted import limits_of
from controller.engine.settings import Settings
from controller.engine.table import Table
from controller.words import Words, on_the_sign


def limits_shown(table: Table, settings: Settings) -> Words | None:
    """The limits of the next round by language; None in a round, and where all wagers have the same.

    They are shown while nobody plays, because another number of pages takes the sign a moment without the pot.
    """
    in_play = table.round is not None and not table.round.confirmed
    if in_play or not table.open or not settings.terms.posted.limits:
        return None
    limits = []
    for wager, one in limits_of(settings.terms).items():
        bounds = f"{shown_amount(one.min, settings.exponent)} - {shown_amount(one.max, settings.exponent)}"
        limits.append(on_the_sign("limits/one", wager=on_the_sign(f"wager/{wager}"), bounds=bounds))
    listed = {language: ", ".join(one[language] for one in limits) for language in limits[0]}
    return on_the_sign("limits", limits=listed)
