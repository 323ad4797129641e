"""The awards of the progressive jackpot, articles 15.º and 16.º 3 (2025)."""

from hypothesis import given
from hypothesis import strategies as st

from controller.rulebook.fortune_3_card_poker.paytables import RULES_2025
from controller.rulebook.jackpot_award import JackpotTerms, SettledJackpot, Tier, award_jackpot

TIERS = tuple(RULES_2025.jackpot)
FIXED = {"royal_flush": 50_000, "straight_flush": 10_000, "four_of_a_kind": 1_500, "full_house": 500, "flush": 250}


def pay(*winners: tuple[int, str], pot: int = 1_000_000, minimum: int = 500_000, **fixed: int) -> SettledJackpot:
    return award_jackpot(winners, JackpotTerms(pot, minimum, FIXED | fixed), RULES_2025.jackpot)


def paid(answer: SettledJackpot) -> list[tuple[int, str, int, int, int]]:
    return [(award.seat, award.tier, award.amount, award.from_pot, award.from_house) for award in answer.awards]


def test_art_16_3_1_a_royal_takes_the_whole_pot_and_art_15_6_the_pot_restarts_at_its_minimum() -> None:
    answer = pay((4, "royal_flush"))
    assert paid(answer) == [(4, "royal_flush", 1_000_000, 1_000_000, 0)]
    assert (answer.pot_before, answer.pot_after) == (1_000_000, 500_000)


def test_art_16_3_1_a_royal_is_paid_the_fixed_amount_where_it_is_larger() -> None:
    answer = pay((4, "royal_flush"), pot=40_000)
    assert paid(answer) == [(4, "royal_flush", 50_000, 40_000, 10_000)]
    assert answer.pot_after == 500_000


def test_art_16_3_2_a_straight_flush_takes_a_tenth_rounded_down() -> None:
    answer = pay((4, "straight_flush"), pot=1_000_009)
    assert paid(answer) == [(4, "straight_flush", 100_000, 100_000, 0)]
    assert answer.pot_after == 900_009


def test_art_15_6_a_reduced_pot_stays_where_it_is_even_below_the_minimum() -> None:
    assert pay((4, "straight_flush"), pot=500_000, minimum=500_000).pot_after == 450_000


def test_art_15_3_winners_are_paid_from_the_bank_s_left() -> None:
    answer = pay((7, "flush"), (3, "royal_flush"), (1, "full_house"), (5, "flush"))
    assert [award.seat for award in answer.awards] == [1, 3, 5, 7]


winners = st.dictionaries(st.integers(1, 7), st.sampled_from(TIERS)).map(dict.items)
money = st.integers(0, 10**9)
terms = st.builds(
    JackpotTerms, st.integers(1, 10**10), st.integers(1, 10**9), st.fixed_dictionaries(dict.fromkeys(TIERS, money))
)


@given(winners, terms)
def test_art_15_6_no_money_is_lost_or_made(won: set[tuple[int, str]], at: JackpotTerms) -> None:
    answer = award_jackpot(won, at, RULES_2025.jackpot)
    from_pot = sum(award.from_pot for award in answer.awards)
    assert answer.pot_before == at.pot
    assert 0 <= from_pot <= at.pot
    assert answer.pot_after == (at.pot - from_pot or at.minimum)
    assert {(award.seat, award.tier) for award in answer.awards} == set(won)
    for award in answer.awards:
        assert award.amount == award.from_pot + award.from_house >= at.fixed[award.tier]
        assert award.from_pot >= 0 and award.from_house >= 0
        assert award.from_house == 0 or award.amount == at.fixed[award.tier]
        assert award.article == RULES_2025.jackpot[award.tier].article
        assert RULES_2025.jackpot[award.tier].percent or award.from_pot == 0


@given(st.dictionaries(st.integers(1, 7), st.sampled_from(TIERS)), terms, st.permutations(range(1, 8)))
def test_art_15_3_the_order_in_which_winners_are_named_changes_nothing(
    won: dict[int, str], at: JackpotTerms, named: list[int]
) -> None:
    in_another_order = [(seat, won[seat]) for seat in named if seat in won]
    assert award_jackpot(won.items(), at, RULES_2025.jackpot) == award_jackpot(in_another_order, at, RULES_2025.jackpot)


@given(st.sets(st.integers(1, 7), min_size=1), terms)
def test_art_15_4_straight_flushes_are_paid_alike(seats: set[int], at: JackpotTerms) -> None:
    answer = award_jackpot([(seat, "straight_flush") for seat in seats], at, RULES_2025.jackpot)
    assert {award.from_pot for award in answer.awards} == {at.pot // 10}
    assert [award.seat for award in answer.awards] == sorted(seats)


def test_shares_that_would_pass_the_pot_stop_at_it() -> None:
    tiers = {"half": Tier(60, "article")}
    answer = award_jackpot([(1, "half"), (2, "half")], JackpotTerms(100, 50, {"half": 10}), tiers)
    assert [award.from_pot for award in answer.awards] == [60, 40]
    assert answer.pot_after == 50
