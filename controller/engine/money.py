"""Amounts as people read them. No I/O here."""


def shown_amount(minor: int, exponent: int) -> str:
    """Minor units as text with two separators: 60000350 with exponent 2 is ``600,003.50``."""
    sign = "-" if minor < 0 else ""
    whole, fraction = divmod(abs(minor), 10**exponent)
    return f"{sign}{whole:,}" + (f".{fraction:0{exponent}d}" if exponent else "")
