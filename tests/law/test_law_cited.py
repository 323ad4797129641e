"""Citations in the controller's code: whose they are, and which articles."""

import pytest

from tests.law.cited import citations
from tests.law.regulations import BLACKJACK_21, FORTUNE_3_2025, FORTUNE_8, TAIWAN_PAI_KAO, Regulation


def cited(code: str, home: Regulation) -> set[str]:
    return {f"{regulation.key}: {' '.join(reference)}" for regulation, reference in citations(code, home)}


@pytest.mark.parametrize(
    ("home", "words", "articles"),
    [
        (FORTUNE_3_2025, "A chip counts (4.º 3).", "2025: 4 3"),
        (FORTUNE_3_2025, "Seen (17.º 1 2), 3), 17.º 4 1)).", "2025: 17 1 2; 2025: 17 1 3; 2025: 17 4 1"),
        (FORTUNE_3_2025, "13.º 4) (1), 11.º 1 to 3", "2025: 13 4 1; 2025: 11 1; 2025: 11 2; 2025: 11 3"),
        (FORTUNE_3_2025, "Null (17.º 4 2), 5).", "2025: 17 4 2; 2025: 17 5"),
        (FORTUNE_3_2025, "Replaced (17.º 2; 2008: 11.º 4)), reported (10.º 3).", "2025: 17 2; 2008: 11 4; 2025: 10 3"),
        (FORTUNE_3_2025, "Dice (Taiwan-Pai Kao, 2.º e)), a jam (Fortune 8, 5.º).", "taiwan-pai-kao: 2 e; fortune-8: 5"),
        (FORTUNE_3_2025, "Fortune 8, 3.º, 4.º 5. A deal (4.º 6).", "fortune-8: 3; fortune-8: 4 5; fortune-8: 4 6"),
        (FORTUNE_3_2025, "Loaded (black-jack 53, 54), 3 cards (17) of 22.", "blackjack-21: 53; blackjack-21: 54"),
        (FORTUNE_3_2025, "Articles that it does not have: 2.º b), 19.º.", ""),
        (TAIWAN_PAI_KAO, "To the right (2.º b, c).", "taiwan-pai-kao: 2 b; taiwan-pai-kao: 2 c"),
        (TAIWAN_PAI_KAO, "(5.º a) to c))", "taiwan-pai-kao: 5 a; taiwan-pai-kao: 5 b; taiwan-pai-kao: 5 c"),
        (FORTUNE_8, "A box (4.º 1, 3) and its odds.", "fortune-8: 4 1; fortune-8: 4 3"),
        (
            BLACKJACK_21,
            "1 to 10: figures are 10 (6), split (26, 27).",
            "blackjack-21: 6; blackjack-21: 26; blackjack-21: 27",
        ),
        (BLACKJACK_21, "Paid (43 a)), by rules 29 and 31.", "blackjack-21: 43 a; blackjack-21: 29; blackjack-21: 31"),
        (BLACKJACK_21, "The prize (48 to 50).", "blackjack-21: 48; blackjack-21: 49; blackjack-21: 50"),
        (BLACKJACK_21, "Two of 8 cards, (3 of them) and 7.", ""),
    ],
)
def test_what_a_docstring_cites(home: Regulation, words: str, articles: str) -> None:
    assert cited(f'"""{words}"""', home) == set(filter(None, articles.split("; ")))
    assert cited(f"VALUE = 1  # {words}", home) == set(filter(None, articles.split("; "))), "a comment too"


def test_an_answer_cites_with_a_text_that_is_nothing_else() -> None:
    code = 'SEEN = "4.º"\nraise Refusal(who, "no chip (17.º 3)", "10.º 3)")\nKEPT = ("17.º 1 1)", "17.º 2")'
    assert cited(code, FORTUNE_3_2025) == {"2025: 4", "2025: 10 3", "2025: 17 1 1", "2025: 17 2"}
    assert cited('RANKS = ["6", "7"]\nTIE = "24"\nrank == "8"', BLACKJACK_21) == {"blackjack-21: 24"}


def test_what_is_assigned_to_a_name_of_2008_cites_2008() -> None:
    code = 'RULES_2008 = Rules(\n    deal="7.º",\n    # 8.º 6) names no tie\n)\nRULES_2025 = Rules(deal="11.º")'
    assert cited(code, FORTUNE_3_2025) == {"2008: 7", "2008: 8 6", "2025: 11"}
