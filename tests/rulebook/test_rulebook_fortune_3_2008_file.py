"""Fortune 3 Card Poker 2008: random rounds compared with 2025, and what each reading of its errata would do."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain, combinations

from hypothesis import given
from hypothesis import strategies as st

from controller.rulebook.cards import DECK, Card, parse_cards, rank_of
from controller.rulebook.fortune_3_card_poker.paytables import RULES_2008, RULES_2025, Rules
from controller.rulebook.fortune_3_card_poker.settle import bank_plays
from controller.rulebook.three_card import rank_three
from tests.rulebook.round_texts import Round, refused_by, settled
from tests.shuffling import shuffled


def test_2008_art_9_2_and_9_3_a_round_file_may_record_a_refused_duty_and_the_ante_alone_is_lost() -> None:
    round_: Round = {
        "game": "fortune-3-card-poker-2008",
        "seats": {"7": {"ante": 100, "pair_plus": 5, "cards": "Ah Kd Qs", "decision": "refused"}},
        "dealer": "Js 9c 8d",
    }
    lines = settled(round_)["seats"]["7"]["lines"]
    assert [(line["wager"], line["net"], line["article"]) for line in lines] == [
        ("ante", -100, "9.º 2)"),
        ("pair_plus", 25, "10.º 3)"),
    ]
    del round_["seats"]["7"]["pair_plus"]
    assert refused_by(round_) == ("seat 7", "9.º 1)")  # without the duty it is no decision


def articles_of(rules: Rules) -> Iterator[str]:
    cited = rules.articles
    yield from (odds.article for odds in chain(rules.ante_bonus.values(), rules.pair_plus.values()))
    yield from cited.tie.values()
    yield from (cited.bank_does_not_play, cited.fold, cited.pair_plus_lost)


IN_2025 = dict(zip(articles_of(RULES_2008), articles_of(RULES_2025), strict=True))
IN_2025 |= {"9.º 6)": "13.º 3)", "9.º 7)": "13.º 3)"}
DECKS, PLAY_OR_FOLD = shuffled(DECK), st.sampled_from(["play", "fold"])
FEW = st.sampled_from([("23456789TJQKA", "cdhs"), ("AKQJT9", "cdhs"), ("2A3456789", "shd")])
SEATS = st.lists(st.integers(1, 7), min_size=1, max_size=7, unique=True)
BETS, AMOUNTS = st.sampled_from([("ante",), ("pair_plus",), ("ante", "pair_plus")]), st.integers(1, 10**6)


@st.composite
def rounds(draw: st.DrawFn) -> Round:
    """A round file that must be settled, often of few ranks or suits, so that rare hands and ties come up."""
    faces, suits = draw(FEW)
    deck = sorted(draw(DECKS), key=lambda card: not (card[0] in faces and card[1] in suits))
    hands = [" ".join(deck[start : start + 3]) for start in range(0, 24, 3)]
    seats: Round = {}
    for number in draw(SEATS):
        bets = draw(BETS)
        seat: Round = {wager: draw(AMOUNTS) for wager in bets}
        if "ante" in bets:
            seat["decision"] = "play" if "pair_plus" in bets else draw(PLAY_OR_FOLD)
        seats[str(number)] = seat | {"cards": hands[number]}
    return {"game": "fortune-3-card-poker-2008", "seats": seats, "dealer": hands[0]}


@given(rounds())
def test_2008_a_round_is_settled_as_in_2025_but_for_the_articles(round_: Round) -> None:
    here, there = settled(round_), settled(round_ | {"game": "fortune-3-card-poker-2025"})
    for seat in here["seats"].values():
        for line in seat["lines"]:
            line["article"] = IN_2025[line["article"]]
    assert here | {"game": there["game"]} == there


def test_2008_every_line_cites_an_article_that_this_regulation_has() -> None:
    cited = {*articles_of(RULES_2008), "9.º 6)", "9.º 7)"}
    assert len(cited) == 3 + 5 + 6 + 3 + 2
    assert all(int(article.split(".")[0]) in (8, 9, 10) for article in cited)


def test_2008_art_5_1_there_are_two_bets_to_place() -> None:
    assert RULES_2008.wagers == ("ante", "pair_plus")
    assert not RULES_2008.six_card_bonus and not RULES_2008.jackpot


# ---- Where the 2008 regulation of Fortune 3 Card Poker contradicts itself: what each reading would do, computed.


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
