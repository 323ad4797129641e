"""The robot dealer at black-jack/21: whole tables, mistaken and paid out; lids, warning cards, no bets."""

from collections import Counter
from pathlib import Path

import pytest

from tests.simulators.table_in_memory import each, in_memory, in_soak, played
from tests.station.kill_questions import aces_first

GAME = "--game blackjack-21"


@pytest.mark.parametrize(
    "options",
    [
        "--source shuffler --marking manual --decks 4 --seats 6",
        in_soak("--source shoe --marking manual --decks 4"),
    ],
)
@in_memory
async def test_rounds_are_played_paid_and_filmed(tmp_path: Path, options: str) -> None:
    running = await played(tmp_path, f"{GAME} {options} --rounds 4 --seed 6", (), "s" * 4)
    assert not running.filmed("irregularity")


@pytest.mark.soak
@in_memory
async def test_a_machine_is_loaded_and_emptied_before_the_chief_inspector_and_cards_wait_while_its_lid_is_shut(
    tmp_path: Path,
) -> None:
    running = await played(tmp_path, f"{GAME} --rounds 20 --decks 4 --seed 3", (), "s" * 20)
    packets = [line["cards"] for line in running.filmed("load")]
    assert len(packets) >= 2 and sum(packets) == 208
    entered = [(input["kind"], input["actor"], input.get("cards")) for input in running.accepted("loaded", "extracted")]
    assert entered == [("loaded", "rui", None), ("extracted", "rui", 208)]
    inserted = [line["rounds"] for line in running.filmed("insert")]
    assert max(map(len, inserted)) > 1
    on_hold = running.filmed("hold")
    assert len(running.accepted("hold_cards")) == len(on_hold) and all(
        line["rounds"][-1] == line["round"] for line in on_hold
    )
    waiting = on_hold[-1]["rounds"] if not inserted or on_hold[-1]["rounds"][-1] > inserted[-1][-1] else []
    assert sorted([number for rounds in inserted for number in rounds] + waiting) == list(range(1, 21))


@pytest.mark.soak
@in_memory
async def test_the_warning_card_ends_a_shoe_and_the_first_card_of_the_next_is_burnt(tmp_path: Path) -> None:
    running = await played(tmp_path, f"{GAME} --source shoe --decks 4 --rounds 14 --seed 3", (), "s" * 14)
    burnt, shuffled, cuts = (running.filmed(event) for event in ("burn", "shuffled", "cut"))
    assert len(burnt) == len(shuffled) == len(cuts) > 1
    out = [line["round"] for line in running.filmed("cut_card")]
    assert [line["round"] for line in burnt[1:]] == [number + 1 for number in out][: len(burnt) - 1]


@in_memory
async def test_a_round_that_no_one_bets_on_ends_without_play_and_a_spread_shoe_is_shuffled_and_cut_by_the_first(
    tmp_path: Path,
) -> None:
    faults = [f"dealer:no_bets={cards}" for cards in ("kept@round=2", "spread@round=3")]
    running = await played(tmp_path, f"{GAME} --rounds 5 --source shoe --seed 5", faults, "snnss")
    assert [(line["round"], line["spread"]) for line in running.filmed("no_bets")] == [(2, False), (3, True)]
    assert [line["round"] for line in running.filmed("shuffled")] == [1, 4]
    assert [input["spread"] for input in running.accepted("no_bets")] == [False, True]


@in_memory
async def test_the_cards_of_a_machine_stay_inside_though_no_one_bets(tmp_path: Path) -> None:
    running = await played(tmp_path, f"{GAME} --rounds 3 --seed 5", ["dealer:no_bets=spread@round=2"], "sns")
    assert [line["spread"] for line in running.filmed("no_bets")] == [False]


@in_memory
async def test_everything_players_may_do_is_done(tmp_path: Path) -> None:
    stack = aces_first(tmp_path / "stack.txt")
    plays = [
        await played(tmp_path / seed, f"{GAME} --rounds 7 --seed {seed} --stack {stack}", (), "s" * 7)
        for seed in ("2", "4")
    ]
    given = Counter((line["question"], line["answer"].split()[0]) for play in plays for line in play.filmed("answer"))
    assert {
        ("decision", "hit"), ("decision", "stand"), ("decision", "double"), ("decision", "split"),
        ("follow", "follow"), ("give_up", "give_up"), ("give_up", "no"), ("insurance", "insure"),
    } <= set(given)  # fmt: skip
    assert max(line.get("hand", 1) for play in plays for line in play.filmed("card")) > 2, "a pair was split again"
    assert {line["wager"] for play in plays for line in play.filmed("wager")} == {"bet", "backing", "vacant"}


@pytest.mark.parametrize("seen", ["seen", in_soak("unseen")])
@in_memory
async def test_a_card_against_a_players_wish_is_thrown_away_or_kept_for_the_next(tmp_path: Path, seen: str) -> None:
    running = await played(
        tmp_path, f"{GAME} --rounds 6 --seed 5", each(f"dealer:unasked_card={seen}", *range(1, 6)), "ssssss"
    )
    wrong = running.filmed("irregularity", kind="unasked_card", seen=seen == "seen")
    assert len(running.accepted("unasked_card")) == len(wrong) >= 3
    assert len(running.filmed("moved", to="discard")) == (len(wrong) if seen == "seen" else 0)


@in_memory
async def test_a_shoe_is_locked_while_players_are_asked_and_gives_no_card_against_their_wish(tmp_path: Path) -> None:
    options = f"{GAME} --rounds 2 --source shoe --seed 5"
    running = await played(tmp_path, options, each("dealer:unasked_card=seen", *range(1, 3)), "ss")
    assert not running.filmed("irregularity")


@pytest.mark.soak
@in_memory
async def test_a_card_too_many_for_the_bank_goes_to_the_discard_rack(tmp_path: Path) -> None:
    options = f"{GAME} --rounds 7 --seed 5"
    running = await played(tmp_path, options, each("dealer:bank_card_too_many", *range(1, 7)), "sssssss")
    wrong = running.filmed("irregularity", kind="bank_card_too_many")
    assert len(running.filmed("moved", to="discard", **{"from": "bank"})) == len(wrong) >= 3


@in_memory
async def test_a_slip_is_corrected_and_paid_as_it_was(tmp_path: Path) -> None:
    faults = [*each("dealer:slip_seat", *range(1, 7)), *each("dealer:slip_wager", *range(7, 10))]
    running = await played(tmp_path, f"{GAME} --rounds 9 --seed 7", faults, "s" * 9)
    slips = Counter(line["kind"] for line in running.filmed("irregularity"))
    assert slips["slip_wager"] == len(running.accepted("correct_wager")) == 3
    assert slips["slip_seat"] == len(running.accepted("correct_seat")) >= 1


@in_memory
async def test_an_error_of_the_deal_is_corrected_or_the_round_is_void(tmp_path: Path) -> None:
    faults = [
        f"dealer:{wish}"
        for wish in ("error_corrected@round=1", "order@round=2", "number@round=3", "error_corrected@round=4")
    ]
    running = await played(tmp_path, f"{GAME} --rounds 5 --seed 5", faults, "svvss")
    assert len(running.accepted("deal_corrected")) == 2
    seats = [wager["seat"] for wager in running.station.rounds[1]["wagers"] if wager["wager"] == "jackpot"]
    assert len(running.filmed("chip_back", round=2)) == len(seats)


@in_memory
async def test_a_damaged_card_is_replaced_and_an_unread_one_is_keyed_in(tmp_path: Path) -> None:
    wishes = ("damaged@round=1,card=3", "misread@round=2,card=2", "misread@round=3,card=4")
    running = await played(tmp_path, f"{GAME} --rounds 3 --seed 5", [f"shuffler:{wish}" for wish in wishes], "sss")
    assert len(running.filmed("card_replaced", round=1)) == 1
    assert [input["actor"] for input in running.accepted("card_replaced")] == ["rui"]
    assert len([input for input in running.accepted("reveal") if input.get("cards")]) == 2


@in_memory
async def test_a_card_that_was_never_reported_to_the_station_is_reported_by_the_dealer_and_keyed_in(
    tmp_path: Path,
) -> None:
    faults = ["shoe:lost=1@round=1,card=3", "shoe:lost=1@round=2,card=5"]
    running = await played(tmp_path, f"{GAME} --rounds 2 --seed 5 --source shoe", faults, "ss")
    assert len(running.accepted("unreported_card")) == 2


@in_memory
async def test_the_lamp_of_a_jam_is_seen_and_the_round_continues(tmp_path: Path) -> None:
    running = await played(tmp_path, f"{GAME} --rounds 2 --seed 5", ["shuffler:jam@round=1,card=3"], "ss")
    assert [line["on"] for line in running.filmed("lamp", lamp="shuffler")] == [True, False]
    assert [input["cleared_by"] for input in running.accepted("jam_cleared")] == ["rui"]
