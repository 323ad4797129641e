"""Black-jack/21's insurance and even money as certified, against published figures."""

from fractions import Fraction

import pytest

from controller.certify.insurance import certify_every_insurance, certify_insurance
from controller.rulebook.blackjack_21.play import with_card
from controller.rulebook.cards import Card
from controller.statistics.odds import known
from tests.certify.known_odds import exactly


@pytest.mark.parametrize(("decks", "published"), [(1, "5.882"), (2, "6.796"), (4, "7.246"), (6, "7.395"), (8, "7.470")])
def test_insurance_against_a_bare_ace_has_the_published_edge(decks: int, published: str) -> None:
    """Wizard of Odds, Blackjack, insurance by the number of decks."""
    certified = certify_insurance(decks)[0]
    assert certified.house_edge is not None
    assert f"{float(certified.house_edge) * 100:.3f}" == published


def test_even_money_is_insurance_of_half_the_bet() -> None:
    """Against the same cards both are one bet (known since the first books on the game): 4 % or so are given up."""
    for decks in (4, 6):
        insured, even = certify_insurance(decks)
        by_cards = insured.further["edge_by_the_seat's_cards"]
        assert isinstance(by_cards, dict)
        assert even.house_edge == Fraction(str(by_cards["Kd Ah"])) / 2


def test_both_numbers_of_decks_are_certified() -> None:
    assert [wager.wager for wager in certify_every_insurance()] == [
        "insurance_4_decks",
        "even_money_4_decks",
        "insurance_6_decks",
        "even_money_6_decks",
    ]


def test_a_settlement_broken_in_the_rulebook_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bank whose jack makes no black-jack pays insurance less often."""
    jack, nine = Card("Jd"), Card("9d")
    monkeypatch.setattr(
        "controller.certify.insurance.with_card", lambda state, card: with_card(state, nine if card == jack else card)
    )
    assert certify_insurance(6)[0].house_edge == 1 - 3 * Fraction(72, 311)


def test_the_statistics_know_these_odds() -> None:
    insured = [wager for wager in certify_every_insurance() if wager.wager.startswith("insurance")]
    assert [row for row in known()["blackjack-21"] if row.wager != "main_game"] == [*map(exactly, insured)]
