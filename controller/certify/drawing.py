"""A pot's growth and its hits as inline SVG, in the colours of the page it is in. No I/O here."""

from collections.abc import Callable, Sequence
from html import escape
from math import ceil, floor, log10

WIDTH, HEIGHT = 680, 250
LEFT, RIGHT, TOP, BOTTOM = 78, 14, 16, 40
LINES = 5  # lines of a scale, about

Point = tuple[float, float]
Placed = Callable[[float, float], Point]  # (rounds, share of the height) to a place in the drawing


def growth_drawing(points: Sequence[tuple[int, float, float]], marks: Sequence[tuple[int, str]], unit: str) -> str:
    """Draws the expected pot by rounds, behind it the chance that the pot is not yet won, and named rounds as vertical
    lines.

    `points` are (rounds, pot, chance) with rounds ascending from 0; `unit` names the pot's axis.
    """
    most_rounds = max(points[-1][0], 1)
    pots = ticks(0, max(pot for _, pot, _ in points))
    most_pot = pots[-1]
    width, height = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def at(rounds: float, share: float) -> Point:
        return LEFT + width * rounds / most_rounds, TOP + height * (1 - share)

    alive = [at(rounds, chance) for rounds, _, chance in points]
    area = _path([at(0, 0), *alive, at(most_rounds, 0)]) + "Z"
    drawn = [
        f'<path class="area" d="{area}"/>',
        *_scale([(pot, pot / most_pot) for pot in pots], width, height),
        *_rounds(most_rounds, at),
        f'<path class="curve" d="{_path([at(rounds, pot / most_pot) for rounds, pot, _ in points])}"/>',
    ]
    for rounds, name in marks:
        if rounds <= most_rounds:
            x, y = at(rounds, 1)
            anchor = "end" if x > WIDTH * 0.8 else "start"
            shift = -4 if anchor == "end" else 4
            drawn.append(f'<path class="mark" d="M{x:.1f} {y:.1f}V{TOP + height}"/>')
            low = TOP + height - 8
            drawn.append(f'<text x="{x + shift:.1f}" y="{low}" text-anchor="{anchor}">{escape(name)}</text>')
    title = f"Expected pot in {unit} by rounds since the restart, and the chance that it is not yet won"
    return _svg(title, drawn)


def histogram_drawing(bars: Sequence[tuple[float, int]], unit: str) -> str:
    """A histogram of the pot's height at the hits; `bars` are (from, hits), of equal width and ascending."""
    counts = ticks(0, max(max(hits for _, hits in bars), LINES))
    most = counts[-1]
    step = bars[1][0] - bars[0][0] if len(bars) > 1 else 1
    low, span = bars[0][0], step * len(bars)
    width, height = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    drawn = _scale([(count, count / most) for count in counts], width, height)
    each = width / len(bars)
    for index, (_, hits) in enumerate(bars):
        tall = height * hits / most
        drawn.append(
            f'<rect class="bar" x="{LEFT + index * each + 1:.1f}" y="{TOP + height - tall:.1f}" '
            f'width="{max(each - 2, 1):.1f}" height="{tall:.1f}"/>'
        )
    for pot in ticks(low, low + span)[:-1]:
        if pot >= low:
            drawn.append(_label(LEFT + width * (pot - low) / span, HEIGHT - 22, "middle", pot))
    drawn.append(f'<text x="{LEFT + width / 2:.1f}" y="{HEIGHT - 6}" text-anchor="middle">pot in {escape(unit)}</text>')
    return _svg(f"Hits by the height of the pot in {unit}", drawn)


def _path(points: Sequence[Point]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)


def _scale(lines: Sequence[tuple[float, float]], width: float, height: float) -> list[str]:
    drawn = []
    for value, share in lines:
        y = TOP + height * (1 - share)
        drawn.append(f'<path class="rule" d="M{LEFT} {y:.1f}h{width}"/>')
        drawn.append(_label(LEFT - 8, y + 4, "end", value))
    return drawn


def _rounds(most: int, at: Placed) -> list[str]:
    drawn = []
    for rounds in ticks(0, most)[:-1]:
        x, y = at(rounds, 0)
        drawn.append(_label(x, y + 16, "middle", rounds))
    drawn.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2:.1f}" y="{HEIGHT - 6}" text-anchor="middle">rounds</text>')
    return drawn


def _label(x: float, y: float, anchor: str, value: float) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{short(value)}</text>'


def ticks(low: float, high: float) -> list[float]:
    """About LINES round numbers in equal steps, from at most `low` to at least `high`, which is the greater."""
    rough = (high - low) / LINES
    size = 10.0 ** floor(log10(rough))
    step = next(size * times for times in (1, 2, 2.5, 5, 10) if size * times >= rough * 0.999)
    return [step * line for line in range(floor(low / step), ceil(high / step * 0.999999) + 1)]


def short(value: float) -> str:
    """A number for an axis: 1.5 M, 320 k, 40."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= size:
            return f"{value / size:.3g} {letter}"
    return f"{value:.3g}"


def _svg(title: str, drawn: Sequence[str]) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title)}">'
        f"<title>{escape(title)}</title>{''.join(drawn)}</svg>"
    )
