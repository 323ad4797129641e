"""Citations of articles: how they are written and read, and that the code cites what the tables of the law have."""

import pytest

from tests.law.citations import read_articles, read_name
from tests.law.cited import citations
from tests.law.regulations import BLACKJACK_21, FORTUNE_3_2025, FORTUNE_8, REGULATIONS, TAIWAN_PAI_KAO, Regulation


@pytest.mark.parametrize(
    ("cell", "articles"),
    [
        ("1.º", "1"),
        ("12.º 2", "12.2"),
        ("10.º 1)", "10.1"),
        ("16.º 3 1)", "16.3.1"),
        ("13.º 4) (1)", "13.4.1"),
        ("7.º b)", "7.b"),
        ("43 a)", "43.a"),
        ("22", "22"),
        ("Despacho 1 to 3", "Despacho.1 Despacho.2 Despacho.3"),
        ("Portaria 1.º to 3.º", "Portaria.1 Portaria.2 Portaria.3"),
        ("Despacho", "Despacho"),
        ("Tabela I, II", "Tabela.I Tabela.II"),
        ("7.º 1 1), 3)", "7.1.1 7.1.3"),
        ("7.º 2, 3", "7.2 7.3"),
        ("5.º 3 1) to 3), 4", "5.3.1 5.3.2 5.3.3 5.4"),
        ("13.º 4) (1), (3), 5)", "13.4.1 13.4.3 13.5"),
        ("11.º 1) to 4)", "11.1 11.2 11.3 11.4"),
        ("43 a) to c), 44", "43.a 43.b 43.c 44"),
        ("13.º 5); 16.º 1", "13.5 16.1"),
        ("4.º, 9.º 1", "4 9.1"),
    ],
)
def test_a_cell_is_read_as_it_is_written(cell: str, articles: str) -> None:
    assert [".".join(reference) for reference in read_articles(cell)] == articles.split()


@pytest.mark.parametrize(
    "cell",
    [
        "",
        "3)",
        "(1)",
        "13.º 4) 1)",
        "7.º 1) 2",
        "13.º  4)",
        "13.º 4),",
        "11.º 4) to 1)",
        "11.º 1) to 12.º 2)",
        "13.º and 14.º",
        "art. 13.º",
        "13.º 4) (1) (2)",
        "7.º b) to 3)",
        "; 1.º",
    ],
)
def test_a_cell_that_is_no_list_of_articles_is_refused(cell: str) -> None:
    with pytest.raises(ValueError, match=r"names no article|cannot be read|is no part|counts from"):
        read_articles(cell)


MACAU = Regulation(
    "toy",
    "Toy",
    "toy.md",
    "toy",
    "test_2008_art_",
    "Despacho 1 to 3\n6.º\n7.º 1 1) to 3); 7.º 2\n9.º 8) (1), (2); 9.º 9)\n17.º 4, 5",
)
PORTUGAL = Regulation("toy", "Toy", "toy.md", "toy", "test_blackjack_rule_", "20\n41 a), b)\n43 a) to e)")


@pytest.mark.parametrize(
    ("name", "articles"),
    [
        ("test_2008_art_6_a_card", "6"),
        ("test_2008_art_despacho_3_a_day", "Despacho.3"),
        ("test_2008_art_7_1_2_trios", "7.1.2"),
        ("test_2008_art_7_1_two_trios", "7.1"),
        ("test_2008_art_7_2_and_9_8_1_the_bonus", "7.2 9.8.1"),
        ("test_2008_art_6_and_7_every_card", "6 7"),
        ("test_2008_art_7_1_1_to_3_each", "7.1.1 7.1.2 7.1.3"),
        ("test_2008_art_17_4_to_5_and_6_each", "17.4 17.5 6"),
        ("test_2008_art_7_2_cards_are_dealt_and_art_9_9_pair_plus", "7.2 9.9"),
        ("test_2008_art_9_9_to_the_last_card_and_3_more", "9.9"),
        ("test_blackjack_rule_20_a_black_jack_beats_21", "20"),
        ("test_blackjack_rule_43_a_four_aces", "43.a"),
        ("test_blackjack_rule_43_d_2_aces", "43.d"),
        ("test_blackjack_rule_41_and_rule_43_b_three_aces", "41 43.b"),
        ("test_blackjack_rule_20_41_and_43_listed", "20 41 43"),
        ("test_blackjack_rule_20_41_and_43_b_and_rule_43_c_both", "20 41 43.b 43.c"),
    ],
)
def test_a_name_is_read_as_far_as_the_regulation_goes(name: str, articles: str) -> None:
    regulation = PORTUGAL if name.startswith(PORTUGAL.opening) else MACAU
    found = read_name(name, regulation.opening, regulation.known)
    assert [".".join(reference) for reference in found] == articles.split()


@pytest.mark.parametrize(
    "name",
    [
        "test_2008_art_8_a_card",
        "test_2008_art_7_3_a_card",
        "test_2008_art_7_1_4_a_card",
        "test_2008_art_6_3_cards",
        "test_2008_art_7_2_and_3_a_shorthand",
        "test_2008_art_7_1_2_to_9_items",
        "test_2008_art_7_1_3_to_1_items",
        "test_2008_art_the_first",
        "test_2008_art_7_2_and_art_8_nowhere",
        "test_blackjack_rule_21_pays",
        "test_blackjack_rule_20_21_and_41_listed",
        "test_blackjack_rule_20_41_listed",
        "test_2008_art_6_7_and_9_9_listed",
    ],
)
def test_a_name_with_an_article_that_the_regulation_does_not_have_is_refused(name: str) -> None:
    regulation = PORTUGAL if name.startswith(PORTUGAL.opening) else MACAU
    with pytest.raises(ValueError, match=r"which the regulation does not have|counts from"):
        read_name(name, regulation.opening, regulation.known)


@pytest.mark.parametrize("regulation", REGULATIONS, ids=[regulation.key for regulation in REGULATIONS])
def test_no_article_of_a_regulation_is_listed_twice_or_inside_another_leaf(regulation: Regulation) -> None:
    leaves = regulation.leaves
    assert len(set(leaves)) == len(leaves) > 20
    assert not any(leaf != other and other[: len(leaf)] == leaf for leaf in leaves for other in leaves)


# ---- Citations in the controller's code: whose they are, and which articles.


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
