"""What the sign shows of limits that the house posts for each wager, between two rounds. No I/O here."""

from controller.engine.money import shown_amount
from controller.engine.posted import limits_of
from controller.engine.settings import Settings
from controller.engine.table import Table

NAMES = {  # Portuguese, English
    "ante": ("APOSTA INICIAL", "ANTE"),
    "pair_plus": ("PAR SUPERIOR", "PAIR PLUS"),
    "six_card_bonus": ("BONUS SEIS CARTAS", "SIX CARD BONUS"),
    "low": ("L", "L"),
    "eight": ("FORTUNE 8", "FORTUNE 8"),
    "high": ("H", "H"),
}


def limits_shown(table: Table, settings: Settings) -> tuple[str, str] | None:
    """The limits of the next round in Portuguese and in English; None in a round, and where all wagers have the same.

    They are shown while nobody plays, because another number of pages takes the sign a moment without the pot.
    """
    in_play = table.round is not None and not table.round.confirmed
    if in_play or not table.open or not settings.terms.posted.limits:
        return None
    lines: list[tuple[str, str]] = []
    for wager, limits in limits_of(settings.terms).items():
        bounds = f"{shown_amount(limits.min, settings.exponent)} - {shown_amount(limits.max, settings.exponent)}"
        lines.append((f"{NAMES[wager][0]} {bounds}", f"{NAMES[wager][1]} {bounds}"))
    portuguese, english = zip(*lines, strict=True)
    return f"LIMITES {', '.join(portuguese)}", f"LIMITS {', '.join(english)}"
