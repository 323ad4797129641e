"""The chips of the tray: those of the configuration, or what the limits suggest."""

from controller.config.section import Section

SHOWN = 6
MOST_SHOWN = 10
MOST_TAPS = 10  # of the greatest chip, for the highest bet
STANDARD = (1, 2, 5)  # chips are these times a power of ten


def read_chips(table: Section, minimum: int, maximum: int, multiples: bool) -> tuple[int, ...]:
    """The values in ascending order; with `multiples` a bet is a multiple of the minimum."""
    if "chips" not in table:
        return usual_chips(minimum, maximum, multiples)
    chips = table.list_of_integers("chips", 1, maximum)
    if not chips or len(chips) > MOST_SHOWN or list(chips) != sorted(set(chips)):
        expected = f"1 to {MOST_SHOWN} amounts up to max = {maximum}, ascending, such as [{minimum}, {maximum}]"
        table.report("chips", table.peek("chips"), expected)
    return chips


def usual_chips(minimum: int, maximum: int, multiples: bool) -> tuple[int, ...]:
    """The default chips, from half the minimum up; with larger steps if the highest bet would need too many chips.

    >>> usual_chips(10_000, 1_000_000, multiples=False)
    (5000, 10000, 20000, 50000, 100000, 200000)
    """
    base = minimum if multiples else 1
    powers = (10**power for power in range(len(str(maximum)) + 1))
    fitting = [base * times * power for power in powers for times in STANDARD if base * times * power <= maximum]
    values = [value for value in fitting if value >= (minimum + 1) // 2] or [minimum]
    if len(values) <= SHOWN or values[SHOWN - 1] * MOST_TAPS >= maximum:
        return tuple(values[:SHOWN])
    values = [minimum, *(value for value in values if value > minimum)]
    return tuple(values[round(at * (len(values) - 1) / (SHOWN - 1))] for at in range(SHOWN))
