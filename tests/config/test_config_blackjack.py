"""The configuration of black-jack/21: seats, decks, limits, the prize, and how its chips are marked."""

from pathlib import Path

import pytest

from tests.config.texts import AUTOMATIC, MANUAL, OF_21, OFFERED, PRIZE, SIGN, SLOTS, changed, mistakes, read

# ---- 2, 3, 14, 37


@pytest.mark.parametrize("seats", [6, 7])
def test_blackjack_rule_2_six_or_seven_seats(tmp_path: Path, seats: int) -> None:
    assert read(tmp_path, changed(OF_21, "seats = 7", f"seats = {seats}")).seats == seats


@pytest.mark.parametrize("seats", [0, 1, 5, 8])
def test_blackjack_rule_2_any_other_number_is_refused(tmp_path: Path, seats: int) -> None:
    [mistake] = mistakes(tmp_path, changed(OF_21, "seats = 7", f"seats = {seats}"))
    assert (mistake.key, mistake.expected) == ("table.seats", "6 or 7 (2)")


@pytest.mark.parametrize("decks", [4, 6])
def test_blackjack_rule_3_a_table_has_four_or_six_decks(tmp_path: Path, decks: int) -> None:
    assert read(tmp_path, changed(OF_21, "decks = 6", f"decks = {decks}")).decks == decks


@pytest.mark.parametrize("decks", ["0", "1", "3", "5", "7", "8", "true", "6.0", '"6"'])
def test_blackjack_rule_3_any_other_number_of_decks_is_refused(tmp_path: Path, decks: str) -> None:
    found = mistakes(tmp_path, changed(OF_21, "decks = 6", f"decks = {decks}"))
    assert {mistake.key for mistake in found} == {"table.decks"}


def test_blackjack_rule_3_the_number_of_decks_must_be_given(tmp_path: Path) -> None:
    assert "table.decks" in {mistake.key for mistake in mistakes(tmp_path, changed(OF_21, "decks = 6\n", ""))}


@pytest.mark.parametrize(("least", "most"), [(2, 60), (500, 15_000), (1_000_000, 30_000_000)])
def test_blackjack_rule_37_the_maximum_is_thirty_times_the_minimum(tmp_path: Path, least: int, most: int) -> None:
    text = changed(changed(OF_21, "min = 500", f"min = {least}"), "max = 15000", f"max = {most}")
    assert (read(tmp_path, text).minimum, read(tmp_path, text).maximum) == (least, most)


@pytest.mark.parametrize("most", [500, 14_500, 14_999, 15_001, 15_500, 30_000])
def test_blackjack_rule_37_any_other_maximum_is_refused(tmp_path: Path, most: int) -> None:
    [mistake] = mistakes(tmp_path, changed(OF_21, "max = 15000", f"max = {most}"))
    named = ("table.limits.max", str(most), "30 times min: 15000 (37)")
    assert (mistake.key, mistake.value, mistake.expected) == named


def test_blackjack_rule_21_and_36_an_odd_minimum_is_refused(tmp_path: Path) -> None:
    text = changed(changed(OF_21, "min = 500", "min = 501"), "max = 15000", "max = 15030")
    [mistake] = mistakes(tmp_path, text)
    assert mistake.key == "table.limits.min" and mistake.expected.startswith("an even number: 3:2")


def test_blackjack_rule_36_and_37_both_limits_are_named_at_once(tmp_path: Path) -> None:
    found = mistakes(tmp_path, changed(OF_21, "min = 500", "min = 501"))
    assert {mistake.key for mistake in found} == {"table.limits.min", "table.limits.max"}


# ---- 38 to 44


@pytest.mark.parametrize("more", ["", SIGN])
def test_blackjack_rule_38_the_prize_is_the_casinos_choice(tmp_path: Path, more: str) -> None:
    config = read(tmp_path, OF_21 + more)
    assert (config.additional, config.jackpot) == ((), None)
    [mistake] = mistakes(tmp_path, MANUAL.replace('["jackpot"]', "[]"))
    assert mistake.key == "jackpot"
    [mistake] = mistakes(tmp_path, OFFERED + SLOTS)
    assert (mistake.key, mistake.value) == ("jackpot", "(missing)")
    [mistake] = mistakes(tmp_path, changed(OF_21, "[table.wagers]\nadditional = []\n", ""))
    assert mistake.key == "table.wagers"  # whether there is one must be reported


def test_blackjack_rule_39_and_41_a_automatic_marking_needs_slots(tmp_path: Path) -> None:
    config = read(tmp_path, AUTOMATIC + SIGN)
    assert config.jackpot is not None and not config.jackpot.manual and config.slots is not None
    assert config.jackpot.parameters.fixed == {} and config.jackpot.parameters.chip == 100
    [mistake] = mistakes(tmp_path, OFFERED + PRIZE.replace("MARKING", "automatic"))
    assert mistake.key == "table.wagers.additional" and "[devices.slots]" in mistake.expected


def test_blackjack_rule_41_b_marking_by_hand_has_no_slots(tmp_path: Path) -> None:
    config = read(tmp_path, MANUAL)
    assert config.jackpot is not None and config.jackpot.manual and config.slots is None
    assert read(tmp_path, MANUAL + SIGN).sign is not None
    [mistake] = mistakes(tmp_path, MANUAL + SLOTS)
    assert mistake.key == "devices.slots" and mistake.expected.endswith("(41 b))")


@pytest.mark.parametrize("line", ['marking = "both"', 'marking = ""', "marking = true", ""])
def test_blackjack_rule_41_how_the_chips_are_marked_must_be_given(tmp_path: Path, line: str) -> None:
    found = {mistake.key for mistake in mistakes(tmp_path, changed(AUTOMATIC, 'marking = "automatic"', line))}
    assert found == {"jackpot.marking"}


@pytest.mark.parametrize("least", [1_000_000, 1_000_001, 200_000_000])
def test_blackjack_rule_44_the_prize_starts_at_ten_thousand_chips_or_more(tmp_path: Path, least: int) -> None:
    config = read(tmp_path, changed(MANUAL, "minimum = 1000000", f"minimum = {least}"))
    assert config.jackpot is not None and config.jackpot.parameters.minimum == least


@pytest.mark.parametrize("least", [1, 999_999])
def test_blackjack_rule_44_a_smaller_start_is_refused(tmp_path: Path, least: int) -> None:
    [mistake] = mistakes(tmp_path, changed(MANUAL, "minimum = 1000000", f"minimum = {least}"))
    assert mistake.key == "jackpot.minimum" and mistake.expected == "1000000 or more: 10 000 chips (44)"


@pytest.mark.parametrize("pot", [1, 500_000, 999_999])
def test_blackjack_rule_44_a_pot_that_starts_below_ten_thousand_chips_is_refused(tmp_path: Path, pot: int) -> None:
    text = changed(MANUAL, "initial_pot = 1200000", f"initial_pot = {pot}")
    [mistake] = mistakes(tmp_path, text)
    assert (mistake.key, mistake.value) == ("jackpot.initial_pot", str(pot))
    assert mistake.expected.startswith("1000000 or more: 10 000 chips (44)") and "carried_over" in mistake.expected


@pytest.mark.parametrize("pot", [1, 999_999, 1_200_000])
def test_blackjack_rule_44_a_pot_that_was_carried_over_continues_where_it_was(tmp_path: Path, pot: int) -> None:
    text = f'initial_pot = {pot}\ncarried_over = "table 20, minutes 7/2026"'
    jackpot = read(tmp_path, changed(MANUAL, "initial_pot = 1200000", text)).jackpot
    assert jackpot is not None
    assert (jackpot.initial_pot, jackpot.carried_over) == (pot, "table 20, minutes 7/2026")
    jackpot = read(tmp_path, MANUAL).jackpot
    assert jackpot is not None and jackpot.carried_over == ""


@pytest.mark.parametrize("wrong", ['""', "true", "7"])
def test_blackjack_rule_44_where_it_was_carried_over_from_must_be_given(tmp_path: Path, wrong: str) -> None:
    text = f"initial_pot = 5\ncarried_over = {wrong}"
    [mistake] = mistakes(tmp_path, changed(MANUAL, "initial_pot = 1200000", text))
    assert (mistake.key, mistake.value) == ("jackpot.carried_over", wrong)


def test_blackjack_rule_43_no_amount_is_fixed_by_the_house(tmp_path: Path) -> None:
    found = {mistake.key for mistake in mistakes(tmp_path, MANUAL + "\n[jackpot.fixed]\nroyal_flush = 5000\n")}
    assert found == {"jackpot.fixed"}


@pytest.mark.parametrize("bet", ["six_card_bonus", "pair_plus", "insurance"])
def test_blackjack_rule_38_there_is_no_other_additional_bet(tmp_path: Path, bet: str) -> None:
    found = {mistake.key for mistake in mistakes(tmp_path, OF_21.replace("= []", f'= ["{bet}"]'))}
    assert "table.wagers.additional" in found


# ---- 4 and 52: the sources


@pytest.mark.parametrize("source", ["shoe", "shuffler"])
def test_blackjack_rule_4_and_52_from_a_shoe_or_a_shuffler(tmp_path: Path, source: str) -> None:
    text = changed(OF_21, 'card_source = "shuffler"', f'card_source = "{source}"')
    assert read(tmp_path, text).card_source == source
    start = text.index(f"[devices.{source}]")
    rest = text[start:].partition("\n\n")[2]
    [mistake] = mistakes(tmp_path, text[:start] + rest)
    assert mistake.key == "table.card_source" and f"[devices.{source}]" in mistake.expected


def test_blackjack_rule_56_the_shuffler_gives_single_cards(tmp_path: Path) -> None:
    [mistake] = mistakes(tmp_path, changed(OF_21, 'port = "/dev/shuffler"', 'port = "x"\npacket_sizes = [1]'))
    assert mistake.key == "devices.shuffler.packet_sizes" and mistake.expected.startswith("no such key")


def test_blackjack_rule_17_no_deal_is_announced(tmp_path: Path) -> None:
    [mistake] = mistakes(tmp_path, changed(OF_21, "decks = 6", 'decks = 6\ndeal = "every_space"'))
    assert mistake.key == "table.deal"
