"""Certified wagers as one JSON object, and as a table for a person. No I/O here."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import sqrt

import msgspec

from controller.certify.result import Certified, OutcomeOdds, Plain

Results = Mapping[str, Sequence[Certified]]  # by game
LONGEST_FRACTION = 40  # characters that a table has room for
PLOTTED = ("growth", "histogram", "strategy", "tables")  # of `further`: drawn in the report, or reported in a note


def as_json(results: Results) -> bytes:
    """{game: {wager: …}}: `house_edge` as text such as "1/13" and `decimal`, both null without an edge, `method`.

    Further keys: `interval` of a simulation, `variance`, `odds` with chance and net as text and as decimals, `notes`,
    and what the wager has besides. An exact number is text, an estimate a number.
    """
    shown = {game: {result.wager: _shown(result) for result in certified} for game, certified in results.items()}
    return msgspec.json.encode(shown)


def _shown(wager: Certified) -> dict[str, Plain]:
    shown: dict[str, Plain] = {
        "house_edge": None if wager.house_edge is None else str(wager.house_edge),
        "decimal": None if wager.edge is None else round(wager.edge, 6),
        "method": wager.method,
    }
    if wager.interval is not None:
        shown["interval"] = [round(bound, 6) for bound in wager.interval]
    if wager.variance is not None:
        shown["variance"] = str(wager.variance) if isinstance(wager.variance, Fraction) else round(wager.variance, 6)
        shown["standard_deviation"] = round(sqrt(wager.variance), 6)
    if wager.odds:
        shown["odds"] = [_row(row) for row in wager.odds]
    return shown | dict(wager.further) | {"notes": list(wager.notes)}


def _row(row: OutcomeOdds) -> Plain:
    return {
        "outcome": row.outcome,
        "chance": str(row.chance),
        "decimal": float(f"{float(row.chance):.9g}"),
        "net": None if row.net is None else str(row.net),
    }


def as_text(results: Results) -> str:
    """For each wager its edge, then a line for each outcome: its frequency, and its result in stakes."""
    return "\n".join(line for game, certified in results.items() for line in _game(game, certified))


def _game(game: str, certified: Sequence[Certified]) -> list[str]:
    lines = [game, "=" * len(game), ""]
    for result in certified:
        lines += [f"{result.wager:<28}{edge_text(result)}", *(f"    {row}" for row in _rows(result.odds))]
        lines += [f"    {line}" for name, value in result.further.items() for line in _lines(name, value)]
        lines += [*(f"    {line}" for note in result.notes for line in _folded(note)), ""]
    return lines


def edge_text(wager: Certified) -> str:
    """The edge of a wager in one line, such as "house edge 7.6923 % = 1/13, exact; standard deviation 0.997"."""
    if wager.edge is None:
        words = f"no edge of its own, {wager.method}"
    elif wager.interval is not None:
        low, high = wager.interval
        words = f"house edge {percent(wager.edge)}, 95 % interval {percent(low)} to {percent(high)}, {wager.method}"
    else:
        words = f"house edge {percent(wager.edge)}{fraction_text(wager.house_edge)}, {wager.method}"
    if wager.variance is not None:
        words += f"; standard deviation {sqrt(wager.variance):.3f}"
    return words


def percent(share: float) -> str:
    return f"{share * 100:.4f} %"


def fraction_text(value: Fraction | None) -> str:
    """ " = 1/13"; empty for a fraction that is too long to read."""
    return "" if value is None or len(str(value)) > LONGEST_FRACTION else f" = {value}"


def chance_text(row: OutcomeOdds) -> str:
    """A frequency such as "1 in 1 245.3", or "never" or "always"."""
    if row.chance in (0, 1):
        return "always" if row.chance else "never"
    one_in = float(1 / row.chance)
    return f"1 in {one_in:,.1f}".replace(",", " ") if one_in < 10_000 else f"1 in {one_in:,.0f}".replace(",", " ")


def net_text(row: OutcomeOdds) -> str:
    """The change in stakes, such as "+40" or "-1"; "the pot" if it is no multiple of the stake."""
    if row.net is None:
        return "of the pot"
    if not row.net:
        return "0"
    whole = row.net.denominator == 1
    return f"{row.net.numerator:+d}" if whole else f"{float(row.net):+.4f}".rstrip("0")


def _rows(odds: Sequence[OutcomeOdds]) -> list[str]:
    wide = max((len(row.outcome) for row in odds), default=0)
    return [
        f"{row.outcome.replace('_', ' '):<{wide}}  {float(row.chance) * 100:>12.6f} %  {chance_text(row):>18}"
        f"  {net_text(row):>10}"
        for row in odds
    ]


def _lines(name: str, value: Plain) -> list[str]:
    """A further figure as `name: value`, a table of figures indented under its name; without plotted figures."""
    words = name.replace("_", " ")
    if name in PLOTTED or name.endswith("_decimal"):
        return []
    if isinstance(value, dict):
        return [f"{words}:", *(f"    {line}" for key, inner in value.items() for line in _lines(key, inner))]
    return [f"{words}: {value_text(value)}"]


def value_text(value: Plain) -> str:
    """A figure as a person reads it: a long fraction as a decimal, a list with commas."""
    if isinstance(value, list):
        return ", ".join(map(value_text, value))
    if isinstance(value, dict):
        return ", ".join(f"{key}: {value_text(inner)}" for key, inner in value.items())
    if isinstance(value, bool) or value is None:
        return {True: "yes", False: "no", None: "none"}[value]
    if isinstance(value, int | float):
        return f"{value:,}".replace(",", " ")
    numerator, slash, denominator = value.partition("/")
    if slash and numerator.lstrip("-").isdecimal() and denominator.isdecimal():
        decimal = f"{float(Fraction(value)):.9g}"
        return decimal if len(value) > LONGEST_FRACTION else f"{value} = {decimal}"
    return value


def _folded(note: str, width: int = 100) -> list[str]:
    """A sentence in lines. Text that already has lines, such as a table of a strategy, keeps them."""
    if "\n" in note:
        return note.splitlines()
    lines, line = [], ""
    for word in note.split():
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return [*lines, line]
