"""The regulations as of a date: from when each is in force, and what it decides; corrections as events."""

import json
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, date, datetime
from itertools import chain, combinations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.rulebook.cards import DECK, Card, parse_cards, rank_of
from controller.rulebook.corrected import (
    CardsCorrected,
    Corrected,
    DecisionCorrected,
    DiceCorrected,
    SeatCorrected,
    WagerCorrected,
    corrected_by,
    event_of,
)
from controller.rulebook.events import InputCorrected
from controller.rulebook.fortune_3_card_poker.paytables import RULES_2008, RULES_2025, Rules
from controller.rulebook.fortune_3_card_poker.settle import SeatRound, bank_plays, settle
from controller.rulebook.fortune_3_card_poker.versions import RULES, VALIDITY_2025
from controller.rulebook.games import GAMES
from controller.rulebook.ranking import rank
from controller.rulebook.refusal import Refusal
from controller.rulebook.round_file import settle_text
from controller.rulebook.three_card import rank_three
from tests.referee.rules import hands, lines
from tests.referee.rules.poker_law import law_by
from tests.rulebook.round_texts import Round, refused_by, settled
from tests.shuffling import shuffled

pytestmark = pytest.mark.long

GAME = "fortune-3-card-poker-2025"
TRIO_AGAINST_FLUSH = {
    "game": GAME,
    "seats": {"3": {"ante": 1000, "cards": "9h 9s 9d", "decision": "play"}},
    "dealer": "As 4s 2s",
}
FIRST, AMENDED = date(2025, 11, 17), date(2025, 11, 18)


def net(day: date | datetime | None) -> int:
    found = json.loads(settle_text(json.dumps(TRIO_AGAINST_FLUSH), day))
    return int(found["seats"]["3"]["net"])


def test_art_7_1_a_trio_ranks_below_a_flush_until_94_2025_is_in_force() -> None:
    bonus = 4000  # 13.º 4) (2), the same in both
    assert (net(FIRST), net(AMENDED), net(None)) == (bonus - 2000, bonus + 2000, bonus + 2000)


def test_art_7_1_the_classes_in_the_order_of_each_version() -> None:
    given = ["2d 2c 5h", "9h 9s 9d", "As 4s 2s", "4d 3c 2s", "4h 3h 2h", "Ad Kd Jc"]
    first = [row["hand"] for row in json.loads(rank(GAME, given, FIRST))]
    assert first == ["4h 3h 2h", "4d 3c 2s", "As 4s 2s", "9h 9s 9d", "2d 2c 5h", "Ad Kd Jc"]
    amended = [row["hand"] for row in json.loads(rank(GAME, given, AMENDED))]
    assert amended == ["4h 3h 2h", "9h 9s 9d", "4d 3c 2s", "As 4s 2s", "2d 2c 5h", "Ad Kd Jc"]


def test_art_7_1_every_hand_ranks_in_both_versions_as_the_referee_ranks_it() -> None:
    for act, rules in RULES[GAME].items():
        grades = law_by(GAME, act).hands
        ranks: dict[tuple[int, ...], set[int]] = {}
        for cards in combinations(DECK, 3):
            ranks.setdefault(hands.order(list(cards), grades), set()).add(rank_three(cards, rules.order).rank)
        assert [ranks[order] for order in sorted(ranks)] == [{place} for place in range(1, 742)], act


@pytest.mark.parametrize(
    ("hand", "bank", "article"), [("4d 3c 2s", "4h 3s 2c", "7.º 1 2)"), ("Ah 4h 2h", "As 4s 2s", "7.º 1 3)")]
)
def test_art_7_1_a_tie_cites_the_item_of_its_version(hand: str, bank: str, article: str) -> None:
    seat = SeatRound({"ante": 1000}, "play", parse_cards(hand))
    lines = settle({1: seat}, parse_cards(bank), None, None, RULES[GAME]["89/2025"]).seats["1"].lines
    assert {line.article for line in lines if line.outcome == "push"} == {article}


def test_89_2025_number_5_before_its_first_day_no_version_is_in_force() -> None:
    with pytest.raises(Refusal, match="not_yet_in_force"):
        settle_text(json.dumps(TRIO_AGAINST_FLUSH), date(2025, 11, 3))
    with pytest.raises(Refusal, match="no_longer_in_force"):
        rank("fortune-3-card-poker-2008", ["9h 9s 9d"], date(2025, 11, 4))


def test_a_version_begins_at_midnight_in_macau() -> None:
    before, after = datetime(2025, 11, 17, 15, 59, 59, tzinfo=UTC), datetime(2025, 11, 17, 16, 0, tzinfo=UTC)
    assert [VALIDITY_2025.at(moment).key for moment in (before, after)] == ["89/2025", "94/2025"]


def test_after_the_end_of_a_regulation_a_table_plays_by_its_last_version() -> None:
    today = datetime(2026, 11, 27, tzinfo=UTC)
    assert GAMES["fortune-3-card-poker-2008"].legal_status.validity.at(today).key == "97/2008"


@pytest.mark.parametrize("game", GAMES)
def test_every_regulation_has_the_days_that_the_referee_has(game: str) -> None:
    validity = GAMES[game].legal_status.validity
    assert [(version.in_force, version.key) for version in validity.versions] == lines.ACTS[game]
    assert validity.ended == lines.GONE.get(game, "")


@pytest.mark.parametrize("game", GAMES)
def test_what_is_not_read_is_assumed_and_a_day_without_a_source_is_empty(game: str) -> None:
    for version in GAMES[game].legal_status.validity.versions:
        assert date.fromisoformat(version.in_force) >= date.fromisoformat(version.published)
        assert {name for name in ("signed", "published", "gazette") if not getattr(version, name)} <= {*version.assumed}
        assert version.note or not version.assumed


# ---- Each kind of correction is written to the event of the journal, and read from it again.


ALWAYS = {"type": "input_corrected", "actor": "ana", "reason": "keyed in wrongly"}
OWN: dict[str, object] = {
    "wager": None, "player": None, "draws": [], "asked_again": 0, "change": None, "after_result": False,
    "approved_by": [], "net_before": None, "net_after": None,
}  # fmt: skip
KEPT: list[tuple[Corrected, dict[str, object]]] = [
    (
        WagerCorrected(3, "bet", "Mei", 100, 0),
        {"what": "wager", "at": "seat 3", "before": 100, "after": 0, "wager": "bet", "player": "Mei"},
    ),
    (SeatCorrected(3, to=12), {"what": "seat", "at": "seat 3", "before": "seat 3", "after": "seat 12"}),
    (
        DecisionCorrected(1, "insure 100,0", "insure 0,0", asked_again=2),
        {"what": "decision", "at": "seat 1", "before": "insure 100,0", "after": "insure 0,0", "asked_again": 2},
    ),
    (
        CardsCorrected("bank", (Card("As"), Card("Kd")), (Card("Ah"), Card("Kd")), draws=(4, 9)),
        {"what": "cards", "at": "bank", "before": "As Kd", "after": "Ah Kd", "draws": [4, 9]},
    ),
    (DiceCorrected(2, (1, 6, 3), (1, 6, 4)), {"what": "dice", "at": "seat 2", "before": "1 6 3", "after": "1 6 4"}),
]


@pytest.mark.parametrize(("corrected", "kept"), KEPT, ids=[str(kept["what"]) for _, kept in KEPT])
def test_a_correction_is_kept_in_an_event_and_read_again(corrected: Corrected, kept: dict[str, object]) -> None:
    event = event_of(corrected, "ana", "keyed in wrongly")
    assert msgspec.json.decode(msgspec.json.encode(event)) == ALWAYS | OWN | kept
    assert corrected_by(msgspec.json.decode(msgspec.json.encode(event), type=InputCorrected)) == corrected
    assert corrected.at == event.at


# ---- Fortune 3 Card Poker 2008: random rounds compared with 2025, and what each reading of its errata would do


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
