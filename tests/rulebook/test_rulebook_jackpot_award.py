"""The awards of the progressive jackpot, articles 15.º and 16.º 3 (2025)."""

from hypothesis import given
from hypothesis import strategies as st

from controller.rulebook.fortune_3_card_poker.paytables import RULES_2025
from controller.rulebook.jackpot_award import JackpotTerms, SettledJackpot, Tier, award_jackpot

TIERS = tuple(RULES_2025.jackpot)
FIXED = {"royal_flush": 50_000, "straight_flush": 10_000, "four_of_a_kind": 1_500, "full_house": 500, "flush": 250}


def pay(*winners: tuple[int, str], pot: int = 1_000_000, minimum: int = 500_000, **fixed: int) -> SettledJackpot:
    return award_jackpot(winners, JackpotTerms(pot, minimum, FIXED | fixed), RULES_2025.jackpot)


IN_TURN, WHOLE = "tenths_one_after_another", "royal_on_the_pot_as_it_was"


def pay_by(*keys: str, winners: list[tuple[int, str]], pot: int = 1_000_009) -> SettledJackpot:
    return award_jackpot(winners, JackpotTerms(pot, 500_000, FIXED), RULES_2025.jackpot, keys)


def test_art_15_4_by_the_other_reading_each_tenth_is_of_the_pot_that_the_one_before_left() -> None:
    winners = [(1, "straight_flush"), (3, "straight_flush")]
    assert paid(pay_by(IN_TURN, winners=winners)) == [
        (1, "straight_flush", 100_000, 100_000, 0),
        (3, "straight_flush", 90_000, 90_000, 0),
    ]
    assert pay_by(IN_TURN, winners=winners).pot_after == 810_009
    assert paid(pay_by(IN_TURN, winners=winners, pot=105_000)) == [
        (1, "straight_flush", 10_500, 10_500, 0),
        (3, "straight_flush", 10_000, 9_450, 550),
    ]
    assert pay_by(IN_TURN, winners=winners[:1]) == pay_by(winners=winners[:1])


def test_art_15_5_by_the_other_reading_a_royal_has_the_pot_as_it_was_and_the_house_makes_up_the_tenths() -> None:
    winners = [(1, "royal_flush"), (3, "straight_flush")]
    answer = pay_by(WHOLE, winners=winners)
    assert paid(answer) == [
        (3, "straight_flush", 100_000, 100_000, 0),
        (1, "royal_flush", 1_000_009, 900_009, 100_000),
    ]
    assert answer.pot_after == 500_000
    assert pay_by(WHOLE, winners=winners[:1]) == pay_by(winners=winners[:1])
    assert [award.amount for award in pay_by(IN_TURN, WHOLE, winners=[*winners, (4, "straight_flush")]).awards] == [
        100_000,
        90_000,
        1_000_009,
    ]


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


def test_art_16_3_2_a_straight_flush_is_paid_the_fixed_amount_where_it_is_larger_and_the_pot_loses_the_share() -> None:
    assert paid(pay((4, "straight_flush"), pot=99_999)) == [(4, "straight_flush", 10_000, 9_999, 1)]
    assert paid(pay((4, "straight_flush"), pot=100_000)) == [(4, "straight_flush", 10_000, 10_000, 0)]
    assert paid(pay((4, "straight_flush"), pot=100_010)) == [(4, "straight_flush", 10_001, 10_001, 0)]
    assert pay((4, "straight_flush"), pot=99_999).pot_after == 90_000


def test_art_15_6_a_reduced_pot_stays_where_it_is_even_below_the_minimum() -> None:
    assert pay((4, "straight_flush"), pot=500_000, minimum=500_000).pot_after == 450_000


def test_art_16_3_3_to_5_fixed_amounts_are_paid_by_the_house_and_leave_the_pot() -> None:
    answer = pay((1, "flush"), (2, "full_house"), (3, "four_of_a_kind"))
    assert paid(answer) == [
        (1, "flush", 250, 0, 250),
        (2, "full_house", 500, 0, 500),
        (3, "four_of_a_kind", 1_500, 0, 1_500),
    ]
    assert answer.pot_after == answer.pot_before
    assert paid(pay((1, "flush"), flush=0)) == [(1, "flush", 0, 0, 0)]


def test_art_15_4_each_straight_flush_has_a_tenth_of_the_pot_as_it_was() -> None:
    answer = pay((5, "straight_flush"), (2, "straight_flush"))
    assert paid(answer) == [
        (2, "straight_flush", 100_000, 100_000, 0),
        (5, "straight_flush", 100_000, 100_000, 0),
    ]
    assert answer.pot_after == 800_000


def test_art_15_3_winners_are_paid_from_the_bank_s_left() -> None:
    answer = pay((7, "flush"), (3, "royal_flush"), (1, "full_house"), (5, "flush"))
    assert [award.seat for award in answer.awards] == [1, 3, 5, 7]


def test_art_15_5_a_straight_flush_is_paid_before_a_royal_which_takes_what_remains() -> None:
    answer = pay((1, "royal_flush"), (2, "flush"), (3, "straight_flush"))
    assert paid(answer) == [
        (2, "flush", 250, 0, 250),
        (3, "straight_flush", 100_000, 100_000, 0),
        (1, "royal_flush", 900_000, 900_000, 0),
    ]
    assert answer.pot_after == 500_000


def test_art_15_5_the_fixed_amount_of_a_royal_is_compared_with_what_remains() -> None:
    answer = pay((1, "royal_flush"), (3, "straight_flush"), pot=52_000)
    assert paid(answer) == [
        (3, "straight_flush", 10_000, 5_200, 4_800),
        (1, "royal_flush", 50_000, 46_800, 3_200),
    ]


def test_a_round_without_a_winner_leaves_the_pot_as_it_is() -> None:
    assert pay() == SettledJackpot(1_000_000, 1_000_000, [])
    assert pay(pot=1).pot_after == 1


def test_a_tenth_of_a_pot_too_small_to_share_is_nothing() -> None:
    assert paid(pay((1, "straight_flush"), pot=9)) == [(1, "straight_flush", 10_000, 0, 10_000)]


winners = st.dictionaries(st.integers(1, 7), st.sampled_from(TIERS)).map(dict.items)
money = st.integers(0, 10**9)
terms = st.builds(
    JackpotTerms,
    st.integers(1, 10**10),
    st.integers(1, 10**9),
    st.fixed_dictionaries(dict.fromkeys(TIERS, money)),
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
