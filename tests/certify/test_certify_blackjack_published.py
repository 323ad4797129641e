"""Black-jack against figures that others have published, under the rules that they had; insurance, even money."""

from fractions import Fraction
from functools import cache

import pytest
from msgspec.structs import replace

from controller.certify.blackjack.infinite_deck import InfiniteDeck, hand_of
from controller.certify.blackjack.variation import REGULATION, Variation
from controller.certify.insurance import certify_every_insurance, certify_insurance
from controller.rulebook.blackjack_21.play import with_card
from controller.rulebook.cards import Card, parse_cards
from controller.statistics.odds import known_odds
from tests.certify.known_odds import exactly

# Wizard of Odds, Blackjack appendix 1 (wizardofodds.com/games/blackjack/appendix/1): an infinite deck, the bank stands
# on soft 17 and looks for a black-jack, any two cards are doubled, after a split too, pairs are split to four hands,
# aces once with one card each, no surrender: house edge 0.511734 %.
ELSEWHERE = Variation(
    bank_looks=True,
    doubles_on=None,
    doubled_ace_stays_one=False,
    most_hands=4,
    splits_aces_again=False,
    gives_up_against=(),
    special_prize=False,
)
OPEN = parse_cards("2s 3s 4s 5s 6s 7s 8s 9s Ts As")
OF_STANDING = {  # the same appendix: standing, against 2 to 9, ten and ace
    "Ts 6h": (-0.2928, -0.2523, -0.2111, -0.1672, -0.1537, -0.4754, -0.5105, -0.5431, -0.5404, -0.667),
    "Ts 7h": (-0.153, -0.1172, -0.0806, -0.0449, 0.0117, -0.1068, -0.382, -0.4232, -0.4197, -0.478),
    "Ts 8h": (0.1217, 0.1483, 0.1759, 0.1996, 0.2834, 0.3996, 0.106, -0.1832, -0.1783, -0.1002),
    "Ts 9h": (0.3863, 0.4044, 0.4232, 0.4395, 0.496, 0.616, 0.5939, 0.2876, 0.0631, 0.2776),
    "Ts Th": (0.64, 0.6503, 0.661, 0.6704, 0.704, 0.7732, 0.7918, 0.7584, 0.5545, 0.6555),
}
HITTING_FOUR = (-0.1149, -0.0826, -0.0494, -0.0124, 0.0111, -0.0883, -0.1593)  # the same: a total of 4 against 2 to 8


@cache
def edge(rules: Variation) -> Fraction:
    return InfiniteDeck(rules).edge()


def test_certify_blackjack_edge_on_an_infinite_deck_is_the_published_one() -> None:
    assert round(100 * float(edge(ELSEWHERE)), 6) == 0.511734


def test_certify_blackjack_edge_without_double_after_split_and_resplit_is_griffins() -> None:
    # Griffin, The Theory of Blackjack, on linear approximation: the infinite deck is worth -0.690223 % to the player.
    griffin = replace(ELSEWHERE, doubles_after_split=False, most_hands=2)
    assert 100 * float(edge(griffin)) == pytest.approx(0.690223, abs=2e-5)


@pytest.mark.parametrize("cards", OF_STANDING)
def test_certify_blackjack_standing_is_worth_what_is_published(cards: str) -> None:
    deck, hand = InfiniteDeck(ELSEWHERE), hand_of(*parse_cards(cards))
    found = [round(float(deck.plays(open_card, hand)["stand"]), 4) for open_card in OPEN]
    assert found == list(OF_STANDING[cards])


def test_certify_blackjack_hitting_and_splitting_are_worth_what_is_published() -> None:
    deck = InfiniteDeck(ELSEWHERE)
    twos = hand_of(*parse_cards("2s 2h"))
    hitting = [round(float(deck.plays(open_card, twos)["hit"]), 4) for open_card in OPEN[:7]]
    assert hitting == list(HITTING_FOUR)
    eights = deck.plays(Card("Ts"), hand_of(*parse_cards("8s 8h")))  # worked out in words on the same page
    assert {play: round(float(worth), 4) for play, worth in eights.items()} == {
        "stand": -0.5404,
        "hit": -0.5398,
        "double": -1.0797,
        "split": -0.4807,
    }


# What a rule changes for the player, in percent of the bet: Wizard of Odds, Blackjack rule variations
# (wizardofodds.com/games/blackjack/rule-variations), from eight decks under the rules above; black-jack at 6:5 from
# blackjackreview.com, Blackjack rule variations, from six decks.
Changes = dict[str, bool | int | Fraction | tuple[int, ...] | None]
PUBLISHED: dict[str, tuple[float, Changes]] = {
    "the bank draws on soft 17": (-0.22, {"bank_draws_on_soft_17": True}),
    "black-jack pays 6:5": (-1.36, {"black_jack_pays": Fraction(6, 5)}),
    "black-jack pays 2:1": (2.27, {"black_jack_pays": Fraction(2)}),
    "no double after a split": (-0.14, {"doubles_after_split": False}),
    "doubles on 9, 10 and 11 only": (-0.09, {"doubles_on": (9, 10, 11)}),
    "doubles on 10 and 11 only": (-0.18, {"doubles_on": (10, 11)}),
    "late surrender against a ten": (0.07, {"gives_up_against": (10,), "gives_up_late": True}),
    "late surrender against an ace": (0.00, {"gives_up_against": (1,), "gives_up_late": True}),
    "early surrender against a ten": (0.24, {"gives_up_against": (10,)}),
    "early surrender against an ace": (0.39, {"gives_up_against": (1,)}),
    "aces are split again": (0.08, {"splits_aces_again": True}),
    "split aces are drawn to": (0.19, {"draws_to_split_aces": True}),
    "splits to three hands only": (-0.01, {"most_hands": 3}),
    "the bank does not look: splits 0.03, doubles 0.08": (-0.11, {"bank_looks": False}),
}


AMONG_MANY = {"the bank draws on soft 17", "late surrender against a ten", "splits to three hands only"}


@pytest.mark.parametrize(
    "rule", [pytest.param(rule, marks=() if rule in AMONG_MANY else pytest.mark.soak) for rule in PUBLISHED]
)
def test_certify_blackjack_effect_of_a_rule_is_the_published_one(rule: str) -> None:
    published, changed = PUBLISHED[rule]
    effect = 100 * float(edge(ELSEWHERE) - edge(replace(ELSEWHERE, **changed)))
    assert effect == pytest.approx(published, abs=0.016)


def test_certify_blackjack_odds_of_the_regulation_are_between_those_of_the_variations() -> None:
    """Each rule that the regulation has for the player, taken away, costs him; each that he has not would help him."""
    without: tuple[Changes, ...] = (
        {"doubles_after_split": False},
        {"splits_aces_again": False},
        {"gives_up_against": (2, 3, 4, 5, 6, 7, 8, 9)},
        {"special_prize": False},
        {"bank_draws_on_soft_17": True},
    )
    for worse in without:
        assert edge(replace(REGULATION, **worse)) > edge(REGULATION), worse
    beside: tuple[Changes, ...] = ({"bank_looks": True}, {"draws_to_split_aces": True})
    for better in beside:
        assert edge(replace(REGULATION, **better)) < edge(REGULATION), better


# ---- Black-jack/21's insurance and even money as certified, against published figures.


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
    assert [row for row in known_odds()["blackjack-21"] if row.wager != "main_game"] == [*map(exactly, insured)]
