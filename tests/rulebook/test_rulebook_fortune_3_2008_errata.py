"""Where the 2008 regulation of Fortune 3 Card Poker contradicts itself: what each reading would do, computed."""

from collections import Counter
from itertools import combinations

from controller.rulebook.cards import DECK, Card, parse_cards, rank_of
from controller.rulebook.fortune_3_card_poker.paytables import RULES_2008
from controller.rulebook.fortune_3_card_poker.settle import bank_plays
from controller.rulebook.three_card import rank_three

Hand = tuple[Card, ...]
HANDS: list[Hand] = list(combinations(DECK, 3))


def of(text: str) -> int:
    return rank_three(parse_cards(text)).rank


def test_2008_art_8_1_erratum_k_q_j_is_called_the_highest_but_a_k_q_beats_it_by_every_rule() -> None:
    """4.º 2) prints A-K-Q above K-Q-J, 4.º 1) the ace above the king, and 8.º 1) decides by the highest card."""
    assert of("As Ks Qs") == 1 and of("Kh Qh Jh") == 2
    assert max(map(rank_of, parse_cards("As Ks Qs"))) > max(map(rank_of, parse_cards("Kh Qh Jh")))
    assert of("As Kh Qs") + 1 == of("Kh Qd Jh"), "8.º 3) says nothing of the kind of mixed suits"


def test_2008_art_8_1_erratum_were_k_q_j_the_highest_four_straight_flushes_had_no_place() -> None:
    between = {"".join(card[0] for card in sorted(hand, key=rank_of, reverse=True)) for hand in straight_flushes()}
    as_printed = {"KQJ", "QJT", "JT9", "T98", "987", "876", "765", "654", "543", "432", "A32"}
    assert between - as_printed == {"AKQ"}
    assert sum({card[0] for card in hand} == set("AKQ") for hand in straight_flushes()) == 4


def test_2008_art_4_2_erratum_by_its_highest_card_3_2_a_would_tie_with_a_k_q() -> None:
    """8.º 1) and 3) decide by "the card of highest value", the ace by 4.º 1); 4.º 2) and 8.º 1) print 3-2-A last."""
    assert max(map(rank_of, parse_cards("3s 2s As"))) == max(map(rank_of, parse_cards("As Ks Qs")))
    assert of("3s 2s As") == 12 == max(rank_three(hand).rank for hand in straight_flushes())
    assert of("3s 2h As") == 37


def test_2008_art_8_3_erratum_of_different_suits_means_not_all_of_one() -> None:
    """Read to the letter, 432 of the 720 mixed sequences, those with two cards of one suit, would be no combination."""
    suits = Counter(len({card[1] for card in hand}) for hand in HANDS if rank_three(hand).name == "straight")
    assert suits == {2: 432, 3: 288}


def test_2008_art_8_2_and_8_6_the_items_without_a_tie() -> None:
    """Two equal trios cannot come from one deck; equal odd cards can, and 8.º 6) leaves them equal."""
    trios = [hand for hand in HANDS if rank_three(hand).name == "three_of_a_kind"]
    assert not any(rank_three(a).rank == rank_three(b).rank and not set(a) & set(b) for a in trios for b in trios)
    assert of("Qs 9h 4d") == of("Qh 9d 4c")


def test_2008_art_9_4_erratum_by_its_highest_card_alone_a_bank_with_a_low_combination_would_not_play() -> None:
    """9.º 4) compares a hand with the card Q: 3160 banks hold a combination and neither Q, K nor A; here they play."""
    low = [hand for hand in HANDS if max(map(rank_of, hand)) < 12]
    combinations_of_low_cards = [hand for hand in low if rank_three(hand).name != "high_card"]
    assert (len(low), len(combinations_of_low_cards)) == (9880, 3160)
    assert all(bank_plays(hand, RULES_2008) for hand in combinations_of_low_cards)
    assert sum(bank_plays(hand, RULES_2008) for hand in HANDS) == 22100 - (9880 - 3160)


def straight_flushes() -> list[Hand]:
    return [hand for hand in HANDS if rank_three(hand).name == "straight_flush"]
