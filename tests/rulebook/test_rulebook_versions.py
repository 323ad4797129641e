"""The regulations as of a date: from when each is in force, and what it decides; corrections as events."""

import json
from datetime import UTC, date, datetime
from itertools import combinations

import msgspec
import pytest

from controller.rulebook.cards import DECK, Card, parse_cards
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
from controller.rulebook.fortune_3_card_poker.settle import SeatRound, settle
from controller.rulebook.fortune_3_card_poker.versions import RULES, VALIDITY_2025
from controller.rulebook.games import GAMES
from controller.rulebook.ranking import rank
from controller.rulebook.refusal import Refusal
from controller.rulebook.round_file import settle_text
from controller.rulebook.three_card import rank_three
from tests.referee.rules import dates, hands
from tests.referee.rules.poker_law import law_by

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
    assert [(version.in_force, version.key) for version in validity.versions] == dates.ACTS[game]
    assert validity.ended == dates.GONE.get(game, "")


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
