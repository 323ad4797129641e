"""Amounts in the capital numerals that Chinese cheques and receipts are written in. No I/O here.

Those numerals cannot be changed into one another by a stroke, and 整 closes an amount so that nothing can follow it.
"""

DIGITS = "零壹貳參肆伍陸柒捌玖"
PLACES = ("", "拾", "佰", "仟")
GROUPS = ("", "萬", "億", "兆")
UNIT, TENTH, HUNDREDTH, WHOLE = "圓", "角", "分", "整"
BEYOND = 10 ** (4 * len(GROUPS))


def numeral(number: int) -> str:
    """A whole number from 0. Raises ValueError below 0 and from 10^16.

    >>> numeral(10050)
    '壹萬零伍拾'
    """
    if not 0 <= number < BEYOND:
        raise ValueError(f"{number} is not from 0 to {BEYOND - 1}")
    written, gap = "", False
    for group in reversed(range(len(GROUPS))):
        here = number // 10_000**group % 10_000
        if written and here and (gap or here < 1000):
            written += DIGITS[0]
        if here:
            written += _four(here) + GROUPS[group]
        gap = not here
    return written or DIGITS[0]


def _four(number: int) -> str:
    """A number from 1 to 9999."""
    written, gap = "", False
    for place in reversed(range(len(PLACES))):
        digit = number // 10**place % 10
        if digit:
            written += (DIGITS[0] if gap else "") + DIGITS[digit] + PLACES[place]
        gap = bool(written) and not digit
    return written


def amount(hundredths: int) -> str:
    """An amount in hundredths of its unit, from 0.

    >>> amount(12305), amount(12300)
    ('壹佰貳拾參圓零伍分', '壹佰貳拾參圓整')
    """
    units, fraction = divmod(hundredths, 100)
    tenths, rest = divmod(fraction, 10)
    written = numeral(units) + UNIT if units or not fraction else ""
    if tenths:
        written += DIGITS[tenths] + TENTH
    elif written and rest:
        written += DIGITS[0]
    return written + (DIGITS[rest] + HUNDREDTH if rest else WHOLE)
