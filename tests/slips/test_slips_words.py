"""Amounts in words: golden texts in English and Portuguese, and Chinese numerals read back as numbers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.slips import chinese
from controller.slips.amounts import amount_words, in_figures

DIGIT = {character: value for value, character in enumerate(chinese.DIGITS)}
PLACE = {"拾": 10, "佰": 100, "仟": 1000}
GROUP = {"萬": 10**4, "億": 10**8, "兆": 10**12}


def read_numeral(written: str) -> int:
    """The number a Chinese reader reads: digits times places, groups of four summed."""
    total = here = digit = 0
    for character in written:
        if character in DIGIT:
            digit = DIGIT[character]
        elif character in PLACE:
            here, digit = here + digit * PLACE[character], 0
        else:
            total, here, digit = total + (here + digit) * GROUP[character], 0, 0
    return total + here + digit


def read_amount(written: str) -> int:
    """Hundredths."""
    units, _, fraction = written.rpartition("圓")
    tenths, hundredths = 0, 0
    for at, character in enumerate(fraction):
        if character == "角":
            tenths = DIGIT[fraction[at - 1]]
        elif character == "分":
            hundredths = DIGIT[fraction[at - 1]]
    return read_numeral(units) * 100 + tenths * 10 + hundredths


@given(st.integers(0, chinese.BEYOND - 1))
def test_a_chinese_numeral_reads_back_as_its_number(number: int) -> None:
    written = chinese.numeral(number)
    assert read_numeral(written) == number
    assert "零零" not in written and (number == 0 or not written.endswith("零")) and not written.startswith("零" * 2)


@given(st.integers(0, 10**15), st.integers(0, 99))
def test_a_chinese_amount_reads_back_and_is_closed_at_its_end(units: int, fraction: int) -> None:
    written = chinese.amount(units * 100 + fraction)
    assert read_amount(written) == units * 100 + fraction
    assert written.endswith("分") if fraction % 10 else written.endswith("整")


@pytest.mark.parametrize(
    ("number", "written"),
    [
        (0, "零"), (10, "壹拾"), (11, "壹拾壹"), (105, "壹佰零伍"), (110, "壹佰壹拾"), (1005, "壹仟零伍"),
        (1050, "壹仟零伍拾"), (10_000, "壹萬"), (10_001, "壹萬零壹"), (10_050, "壹萬零伍拾"), (15_000, "壹萬伍仟"),
        (100_500, "壹拾萬零伍佰"), (1_000_000, "壹佰萬"), (20_300_000, "貳仟零參拾萬"), (100_000_001, "壹億零壹"),
        (100_010_000, "壹億零壹萬"), (100_001_000, "壹億零壹仟"),
        (1_234_567_890, "壹拾貳億參仟肆佰伍拾陸萬柒仟捌佰玖拾"),
        (1_000_000_000_000, "壹兆"),
    ],
)  # fmt: skip
def test_chinese_numerals_are_written_as_on_a_cheque(number: int, written: str) -> None:
    assert chinese.numeral(number) == written


@pytest.mark.parametrize("number", [-1, chinese.BEYOND])
def test_what_has_no_chinese_numeral_is_refused(number: int) -> None:
    with pytest.raises(ValueError, match="is not from 0"):
        chinese.numeral(number)


@pytest.mark.parametrize(
    ("minor", "currency", "exponent", "en", "pt", "zh"),
    [
        (0, "MOP", 2, "zero patacas", "zero patacas", "澳門幣零圓整"),
        (1, "MOP", 2, "one avo", "um avo", "澳門幣壹分"),
        (30, "MOP", 2, "thirty avos", "trinta avos", "澳門幣參角整"),
        (100, "MOP", 2, "one pataca", "uma pataca", "澳門幣壹圓整"),
        (
            2_202, "MOP", 2, "twenty-two patacas and two avos", "vinte e duas patacas e dois avos",
            "澳門幣貳拾貳圓零貳分",
        ),
        (
            60_000_350, "MOP", 2, "six hundred thousand and three patacas and fifty avos",
            "seiscentas mil e três patacas e cinquenta avos", "澳門幣陸拾萬零參圓伍角整",
        ),
        (100_000_000, "MOP", 2, "one million patacas", "um milhão de patacas", "澳門幣壹佰萬圓整"),
        (
            220_020_200, "MOP", 2, "two million, two hundred thousand, two hundred and two patacas",
            "dois milhões duzentas mil duzentas e duas patacas", "澳門幣貳佰貳拾萬零貳佰零貳圓整",
        ),
        (200_000_000_000, "MOP", 2, "two billion patacas", "dois mil milhões de patacas", "澳門幣貳拾億圓整"),
        (7, "MOP", 0, "seven patacas", "sete patacas", "澳門幣柒圓整"),
        (
            120_001, "HKD", 2, "one thousand, two hundred Hong Kong dollars and one cent",
            "mil e duzentos dólares de Hong Kong e um cêntimo", "港幣壹仟貳佰圓零壹分",
        ),
        (100_000_000, "HKD", 2, "one million Hong Kong dollars", "um milhão de dólares de Hong Kong", "港幣壹佰萬圓整"),
        (250_000, "EUR", 2, "two thousand, five hundred euros", "dois mil e quinhentos euros", "歐元貳仟伍佰圓整"),
        (
            10_101, "EUR", 2, "one hundred and one euros and one cent", "cento e um euros e um cêntimo",
            "歐元壹佰零壹圓零壹分",
        ),
        (10_150, "USD", 2, "one hundred and one USD and 50/100", "cento e um USD e 50/100", "USD 壹佰零壹又50/100"),
        (10_100, "USD", 2, "one hundred and one USD and 00/100", "cento e um USD e 00/100", "USD 壹佰零壹又00/100"),
        (12_005, "KWD", 3, "twelve KWD and 005/1000", "doze KWD e 005/1000", "KWD 壹拾貳又005/1000"),
        (305, "MOP", 1, "thirty MOP and 5/10", "trinta MOP e 5/10", "MOP 參拾又5/10"),
        (12_000, "JPY", 0, "twelve thousand JPY", "doze mil JPY", "JPY 壹萬貳仟整"),
    ],
)  # fmt: skip
def test_an_amount_in_words(minor: int, currency: str, exponent: int, en: str, pt: str, zh: str) -> None:
    assert amount_words(minor, currency, exponent) == {"en": en, "pt": pt, "zh": zh}


@given(st.integers(0, 10**15), st.sampled_from(["MOP", "HKD", "EUR", "USD"]), st.integers(0, 4))
def test_every_amount_a_table_can_owe_has_words_and_no_two_the_same(minor: int, currency: str, exponent: int) -> None:
    words, more = amount_words(minor, currency, exponent), amount_words(minor + 1, currency, exponent)
    assert all(words[language] != more[language] for language in ("en", "pt", "zh"))


def test_figures_name_the_currency_and_separate_thousands() -> None:
    assert in_figures(60_000_350, "MOP", 2) == "MOP 600,003.50"
    assert in_figures(1_234, "JPY", 0) == "JPY 1,234"
