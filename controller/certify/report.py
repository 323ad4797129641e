"""Certified wagers as one self-contained page: no script, nothing fetched, printable on A4. No I/O here."""

from collections.abc import Mapping, Sequence
from html import escape
from math import sqrt

from controller.certify.drawing import growth_drawing, histogram_drawing
from controller.certify.output import PLOTTED, Results, chance_text, fraction_text, net_text, percent, value_text
from controller.certify.pot import PotTerms
from controller.certify.result import Certified, OutcomeOdds, Plain
from controller.rulebook.games import GAMES

# Of a pot's figures, those that are money in minor units.
MONEY = (
    "break_even_pot",
    "pot",
    "mean_pot_at_hit",
    "mean_pot_at_next_hit",
    "pot_at_hit",
    "pot_at_hit_percent",
    "house_funds_per_hit",
    "from_reserve_per_hit",
    "overflow_per_hit",
)

STYLE = """
:root { color-scheme: light dark; --ink: #1c2024; --quiet: #5b6570; --line: #d5dade; --page: #fff; --shade: #f3f5f6;
  --curve: #0b6b57; --area: #0b6b5722; --mark: #a33c1f }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9eb; --quiet: #a2acb5; --line: #39424a; --page: #14181b;
  --shade: #1d2226; --curve: #5fd0b4; --area: #5fd0b426; --mark: #ff9c7d } }
* { box-sizing: border-box }
body { margin: 0 auto; padding: 2.5rem 1.25rem; max-width: 46rem; background: var(--page); color: var(--ink);
  font: 1rem/1.5 Charter, "Bitstream Charter", "Sitka Text", Cambria, Georgia, serif }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 .25rem; font-weight: 600 }
h2 { font-size: 1.3rem; margin: 3rem 0 0; padding-top: .75rem; border-top: 2px solid var(--ink); font-weight: 600 }
h3 { font-size: 1.05rem; margin: 2rem 0 .25rem; font-weight: 600 }
p { margin: .35rem 0; max-width: 40rem } pre { font-size: .8rem; line-height: 1.35; white-space: pre-wrap }
.quiet, figcaption, caption { color: var(--quiet) }
.edge { font-size: 1.35rem; font-variant-numeric: lining-nums tabular-nums; margin: 0 }
.edge small { font-size: .8rem; color: var(--quiet); overflow-wrap: anywhere }
table { border-collapse: collapse; width: 100%; margin: .75rem 0 1rem; font-size: .9rem;
  font-variant-numeric: lining-nums tabular-nums }
caption { text-align: left; font-size: .85rem; padding-bottom: .25rem }
th, td { padding: .22rem .5rem; text-align: right; border-bottom: 1px solid var(--line); vertical-align: top }
th:first-child, td:first-child { text-align: left; padding-left: 0 } th { font-weight: 600 }
tbody th { font-weight: 400 } td:last-child, th:last-child { padding-right: 0 }
tbody tr:nth-child(even) { background: var(--shade) } td { overflow-wrap: anywhere }
figure { margin: 1rem 0; break-inside: avoid } figcaption { font-size: .85rem }
svg { width: 100%; height: auto; display: block } svg text { font: 11px/1 system-ui, sans-serif; fill: var(--quiet) }
.rule { stroke: var(--line); fill: none } .curve { stroke: var(--curve); stroke-width: 2.2; fill: none }
.area { fill: var(--area) } .mark { stroke: var(--mark); stroke-dasharray: 4 3; fill: none } .bar { fill: var(--curve) }
@page { size: A4; margin: 18mm 16mm }
@media print { :root { --ink: #000; --quiet: #444; --line: #bbb; --page: #fff; --shade: #f4f4f4; --curve: #0b6b57;
  --area: #0b6b5722; --mark: #a33c1f } body { padding: 0; max-width: none; font-size: 10.5pt }
  h2 { break-before: page } h2:first-of-type { break-before: auto } h3, caption { break-after: avoid }
  tr { break-inside: avoid } }
"""


def as_page(results: Results, terms: PotTerms | None, about: Sequence[str]) -> str:
    """The page in HTML; `about` are lines under its title, such as the files that were given. Everything is escaped."""
    games = "".join(_game(game, certified, terms) for game, certified in results.items())
    lines = "".join(f'<p class="quiet">{escape(line)}</p>' for line in about)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<title>Odds and house edge</title><style>{STYLE}</style></head><body><main>"
        "<h1>Odds and house edge</h1>"
        '<p class="quiet">Computed by the code that ranks and settles the live table. Amounts won are in stakes: '
        "+40 is forty times the stake besides the stake itself.</p>"
        f"{lines}{games}</main></body></html>\n"
    )


def _game(game: str, certified: Sequence[Certified], terms: PotTerms | None) -> str:
    legal_status = f'<p class="quiet">{escape(str(GAMES[game].legal_status))}</p>' if game in GAMES else ""
    of_this = terms if terms is not None and terms.game == game else None
    summary = _table(
        ("wager", "house edge", "standard deviation", "method"),
        [
            (result.wager, "—" if result.edge is None else percent(result.edge), _deviation(result), result.method)
            for result in certified
        ],
        f"{game}: all wagers",
    )
    wagers = "".join(_wager(result, of_this) for result in certified)
    return f"<h2>{escape(game)}</h2>{legal_status}{summary}{wagers}"


def _deviation(wager: Certified) -> str:
    return "—" if wager.variance is None else f"{sqrt(wager.variance):.4f}"


def _wager(wager: Certified, terms: PotTerms | None) -> str:
    parts = [f"<h3>{escape(_words(wager.wager))}</h3>"]
    if wager.edge is not None:
        more = f"{fraction_text(wager.house_edge)}, {wager.method}"
        if wager.interval is not None:
            more = f", 95 % interval {percent(wager.interval[0])} to {percent(wager.interval[1])}, {wager.method}"
        parts.append(f'<p class="edge">{percent(wager.edge)} <small>house edge{escape(more)}</small></p>')
    parts += [f"<pre>{escape(note)}</pre>" if "\n" in note else f"<p>{escape(note)}</p>" for note in wager.notes]
    if wager.odds:
        variance = "" if wager.variance is None else f"; variance {float(wager.variance):.6f}"
        parts.append(_odds(wager.odds, f"{_words(wager.wager)}: every outcome{variance}"))
    if terms is not None:
        parts += _drawings(wager.further, terms)
    figures = [row for name, value in wager.further.items() for row in _figures(name, value, terms)]
    if figures:
        parts.append(_table(("figure", "value"), figures, f"{_words(wager.wager)}: further figures"))
    return f"<section>{''.join(parts)}</section>"


def _odds(odds: Sequence[OutcomeOdds], caption: str) -> str:
    rows = [(_words(row.outcome), f"{float(row.chance) * 100:.6f} %", chance_text(row), net_text(row)) for row in odds]
    return _table(("outcome", "chance", "how often", "player's gain"), rows, caption)


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]], caption: str) -> str:
    head = "".join(f'<th scope="col">{escape(text)}</th>' for text in heads)
    body = "".join(
        f'<tr><th scope="row">{escape(first)}</th>{"".join(f"<td>{escape(text)}</td>" for text in others)}</tr>'
        for first, *others in rows
    )
    return f"<table><caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _words(name: str) -> str:
    return name.replace("_", " ")


def _figures(name: str, value: Plain, terms: PotTerms | None, money: bool = False) -> list[tuple[str, str]]:
    """A figure as rows (name, value), a table of figures as a row for each; money as an amount."""
    if name in PLOTTED or name.endswith("_decimal"):
        return []
    money = money or name in MONEY
    if isinstance(value, dict):
        if name.endswith("_percent"):
            of = _words(name.removesuffix("_percent"))
            return [
                (f"{of}: {share} % of the hits up to", shown)
                for share, figure in value.items()
                for _, shown in _figures(share, figure, terms, money)
            ]
        inner = [row for key, figure in value.items() for row in _figures(key, figure, terms, money)]
        return [(f"{_words(name)}, {key}", shown) for key, shown in inner]
    if money and terms is not None:
        amounts = value if isinstance(value, list) else [value]
        shown = ", ".join(
            amount_text(amount, terms) if isinstance(amount, int | float) else "none" for amount in amounts
        )
        return [(_words(name), shown)]
    return [(_words(name), value_text(value))]


def amount_text(minor: float, terms: PotTerms) -> str:
    """Minor units as an amount of the currency, such as "1 460 049.74 MOP"; to the whole minor unit."""
    whole, part = divmod(abs(round(minor)), 10**terms.exponent)
    text = f"{whole:,}".replace(",", " ") + (f".{part:0{terms.exponent}d}" if terms.exponent else "")
    text = f"-{text}" if round(minor) < 0 else text
    return f"{text} {terms.currency}".rstrip()


def _drawings(further: Mapping[str, Plain], terms: PotTerms) -> list[str]:
    unit, scale = terms.currency or "units", 10**terms.exponent
    parts = []
    match further:
        case {"growth": [*points], "median_rounds_to_hit": int(median), "rounds_to_hit_95": int(late)}:
            curve = [
                (_number(rounds), _number(pot) / scale, _number(alive)) for rounds, pot, alive in map(_row, points)
            ]
            marks = [(median, "half are won"), (late, "95 % are won")]
            drawing = growth_drawing([(int(rounds), pot, alive) for rounds, pot, alive in curve], marks, unit)
            parts.append(
                f"<figure>{drawing}<figcaption>The expected pot since its restart (line) and the chance that it is not "
                "yet won (shaded, from 1 down to 0).</figcaption></figure>"
            )
        case _:
            pass
    match further:
        case {"histogram": [*bars]}:
            heights = [(_number(low) / scale, int(_number(hits))) for low, hits in map(_row, bars)]
            caption = "Hits played, by the height of the pot."
            parts.append(f"<figure>{histogram_drawing(heights, unit)}<figcaption>{caption}</figcaption></figure>")
        case _:
            pass
    return parts


def _row(value: Plain) -> list[Plain]:
    if not isinstance(value, list):
        raise TypeError(f"not a row of a drawing: {value!r}")
    return value


def _number(value: Plain) -> float:
    if not isinstance(value, int | float):
        raise TypeError(f"not a number of a drawing: {value!r}")
    return value
