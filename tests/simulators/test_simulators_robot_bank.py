"""The robot dealer at black-jack/21 and at Taiwan-Pai Kao: lids and warning cards, the bank, the stack, the dice."""

from collections import Counter
from pathlib import Path

import pytest

from simulators.felt.tiles import ArrangedTiles, is_right, tile_from_text
from tests.simulators.table_in_memory import Item, each, in_memory, in_soak, played
from tests.station.kill_questions import aces_first

BLACKJACK = "--game blackjack-21"


@pytest.mark.parametrize(
    "options",
    [
        "--source shuffler --marking manual --decks 4 --seats 6",
        in_soak("--source shoe --marking manual --decks 4"),
    ],
)
@in_memory
async def test_rounds_are_played_paid_and_filmed(tmp_path: Path, options: str) -> None:
    running = await played(tmp_path, f"{BLACKJACK} {options} --rounds 4 --seed 6", (), "s" * 4)
    assert not running.filmed("irregularity")


@pytest.mark.soak
@in_memory
async def test_a_machine_is_loaded_and_emptied_before_the_chief_inspector_and_cards_wait_while_its_lid_is_shut(
    tmp_path: Path,
) -> None:
    running = await played(tmp_path, f"{BLACKJACK} --rounds 20 --decks 4 --seed 3", (), "s" * 20)
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
    running = await played(tmp_path, f"{BLACKJACK} --source shoe --decks 4 --rounds 14 --seed 3", (), "s" * 14)
    burnt, shuffled, cuts = (running.filmed(event) for event in ("burn", "shuffled", "cut"))
    assert len(burnt) == len(shuffled) == len(cuts) > 1
    out = [line["round"] for line in running.filmed("cut_card")]
    assert [line["round"] for line in burnt[1:]] == [number + 1 for number in out][: len(burnt) - 1]


@in_memory
async def test_a_round_that_no_one_bets_on_ends_without_play_and_a_spread_shoe_is_shuffled_and_cut_by_the_first(
    tmp_path: Path,
) -> None:
    faults = [f"dealer:no_bets={cards}" for cards in ("kept@round=2", "spread@round=3")]
    running = await played(tmp_path, f"{BLACKJACK} --rounds 5 --source shoe --seed 5", faults, "snnss")
    assert [(line["round"], line["spread"]) for line in running.filmed("no_bets")] == [(2, False), (3, True)]
    assert [line["round"] for line in running.filmed("shuffled")] == [1, 4]
    assert [input["spread"] for input in running.accepted("no_bets")] == [False, True]


@in_memory
async def test_the_cards_of_a_machine_stay_inside_though_no_one_bets(tmp_path: Path) -> None:
    running = await played(tmp_path, f"{BLACKJACK} --rounds 3 --seed 5", ["dealer:no_bets=spread@round=2"], "sns")
    assert [line["spread"] for line in running.filmed("no_bets")] == [False]


@in_memory
async def test_everything_players_may_do_is_done(tmp_path: Path) -> None:
    stack = aces_first(tmp_path / "stack.txt")
    plays = [
        await played(tmp_path / seed, f"{BLACKJACK} --rounds 7 --seed {seed} --stack {stack}", (), "s" * 7)
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
        tmp_path, f"{BLACKJACK} --rounds 6 --seed 5", each(f"dealer:unasked_card={seen}", *range(1, 6)), "ssssss"
    )
    wrong = running.filmed("irregularity", kind="unasked_card", seen=seen == "seen")
    assert len(running.accepted("unasked_card")) == len(wrong) >= 3
    assert len(running.filmed("moved", to="discard")) == (len(wrong) if seen == "seen" else 0)


@in_memory
async def test_a_shoe_is_locked_while_players_are_asked_and_gives_no_card_against_their_wish(tmp_path: Path) -> None:
    options = f"{BLACKJACK} --rounds 2 --source shoe --seed 5"
    running = await played(tmp_path, options, each("dealer:unasked_card=seen", *range(1, 3)), "ss")
    assert not running.filmed("irregularity")


@pytest.mark.soak
@in_memory
async def test_a_card_too_many_for_the_bank_goes_to_the_discard_rack(tmp_path: Path) -> None:
    options = f"{BLACKJACK} --rounds 7 --seed 5"
    running = await played(tmp_path, options, each("dealer:bank_card_too_many", *range(1, 7)), "sssssss")
    wrong = running.filmed("irregularity", kind="bank_card_too_many")
    assert len(running.filmed("moved", to="discard", **{"from": "bank"})) == len(wrong) >= 3


@in_memory
async def test_a_slip_is_corrected_and_paid_as_it_was(tmp_path: Path) -> None:
    faults = [*each("dealer:slip_seat", *range(1, 7)), *each("dealer:slip_wager", *range(7, 10))]
    running = await played(tmp_path, f"{BLACKJACK} --rounds 9 --seed 7", faults, "s" * 9)
    slips = Counter(line["kind"] for line in running.filmed("irregularity"))
    assert slips["slip_wager"] == len(running.accepted("correct_wager")) == 3
    assert slips["slip_seat"] == len(running.accepted("correct_seat")) >= 1


@in_memory
async def test_an_error_of_the_deal_is_corrected_or_the_round_is_void(tmp_path: Path) -> None:
    faults = [
        f"dealer:{wish}"
        for wish in ("error_corrected@round=1", "order@round=2", "number@round=3", "error_corrected@round=4")
    ]
    running = await played(tmp_path, f"{BLACKJACK} --rounds 5 --seed 5", faults, "svvss")
    assert len(running.accepted("deal_corrected")) == 2
    seats = [wager["seat"] for wager in running.station.rounds[1]["wagers"] if wager["wager"] == "jackpot"]
    assert len(running.filmed("chip_back", round=2)) == len(seats)


@in_memory
async def test_a_damaged_card_is_replaced_and_an_unread_one_is_keyed_in(tmp_path: Path) -> None:
    wishes = ("damaged@round=1,card=3", "misread@round=2,card=2", "misread@round=3,card=4")
    running = await played(tmp_path, f"{BLACKJACK} --rounds 3 --seed 5", [f"shuffler:{wish}" for wish in wishes], "sss")
    assert len(running.filmed("card_replaced", round=1)) == 1
    assert [input["actor"] for input in running.accepted("card_replaced")] == ["rui"]
    assert len([input for input in running.accepted("reveal") if input.get("cards")]) == 2


@in_memory
async def test_a_card_that_was_never_reported_to_the_station_is_reported_by_the_dealer_and_keyed_in(
    tmp_path: Path,
) -> None:
    faults = ["shoe:lost=1@round=1,card=3", "shoe:lost=1@round=2,card=5"]
    running = await played(tmp_path, f"{BLACKJACK} --rounds 2 --seed 5 --source shoe", faults, "ss")
    assert len(running.accepted("unreported_card")) == 2


@in_memory
async def test_the_lamp_of_a_jam_is_seen_and_the_round_continues(tmp_path: Path) -> None:
    running = await played(tmp_path, f"{BLACKJACK} --rounds 2 --seed 5", ["shuffler:jam@round=1,card=3"], "ss")
    assert [line["on"] for line in running.filmed("lamp", lamp="shuffler")] == [True, False]
    assert [input["cleared_by"] for input in running.accepted("jam_cleared")] == ["rui"]


PAI_KAO = "--game taiwan-pai-kao"
SOURCES = pytest.mark.parametrize("source", ["shoe", pytest.param("hand", marks=pytest.mark.soak)])


def only(lines: list[Item], event: str) -> list[Item]:
    return [line for line in lines if line["event"] == event]


def tiles_arranged(text: str) -> ArrangedTiles:
    tiles = tuple(map(tile_from_text, text.split()))
    return ArrangedTiles(tiles[:2], tiles[2:])


def assert_dealt_by_the_dice(lines: list[Item]) -> None:
    """Four tiles to each place in turn, from the place the dice name, in the order of the stack."""
    (number,), (bank,), (dice,) = (only(lines, event) for event in ("places", "bank_taken", "dice"))
    (form,) = only(lines, "form")
    assert form["by"] == bank["place"] and lines.index(bank) < lines.index(form) < lines.index(dice)
    places = number["number"]
    first = bank["place"] + sum(dice["dice"]) - 1
    in_turn = [f"seat {(first - 1 + at) % places + 1}" for at in range(places)]
    cards = only(lines, "card")
    assert [card["to"] for card in cards] == [place for place in in_turn for _ in range(4)]
    if stacks := only(lines, "wash") + only(lines, "tiles_moved"):
        assert [card["card"] for card in cards] == stacks[-1]["tiles"].split()[: len(cards)]


def assert_pairs_corrected(lines: list[Item]) -> None:
    """What is turned is what the player placed, and the dealer places another pair behind where a
    higher one is there."""
    arranged = {line["place"]: f"{line['front']} {line['rear']}" for line in only(lines, "arranged")}
    turned = {int(line["to"][5:]): line["cards"] for line in only(lines, "turned")}
    assert turned == arranged
    assert {line["place"] for line in only(lines, "rearranged")} == {
        place for place, tiles in turned.items() if not is_right(tiles_arranged(tiles))
    }
    assert all(is_right(tiles_arranged(f"{line['front']} {line['rear']}")) for line in only(lines, "rearranged"))


@SOURCES
@in_memory
async def test_rounds_are_played_with_eight_places_and_with_four(tmp_path: Path, source: str) -> None:
    running = await played(tmp_path, f"{PAI_KAO} --rounds 10 --source {source}", (), "s" * 10)
    numbers = []
    for number in range(1, 11):
        lines = running.of_round(number)
        assert_dealt_by_the_dice(lines)
        assert_pairs_corrected(lines)
        numbers.append(only(lines, "places")[0]["number"])
        assert len(only(lines, "used")) == (numbers[-1] == 4 and bool(only(lines, "wash")))
    assert set(numbers) == {8, 4}
    assert any(only(running.of_round(number), "wash") == [] for number in range(2, 11))
    assert bool(running.accepted("tiles_dealt")) == (source == "hand")
    assert not running.complaints


@in_memory
async def test_the_bank_goes_around_and_its_money_is_placed_and_shared(tmp_path: Path) -> None:
    running = await played(tmp_path, f"{PAI_KAO} --seats 4 --rounds 12 --source hand --seed 10", (), "s" * 12)
    film = running.film
    assert len({line["place"] for line in only(film, "bank_taken")}) == 4
    assert {line["absent"] for line in only(film, "bank_passed")} == {True, False}
    assert any(line["agreed"] for line in only(film, "bank_taken"))
    assert any(line["casino"] for line in only(film, "bank_taken"))
    assert [line for line in only(film, "share") if line["of"] not in ("banker", "casino")]
    for number in range(1, 13):
        lines = running.of_round(number)
        if not only(lines, "share"):
            continue
        won, lost = (sum(line["amount"] for line in only(lines, event)) for event in ("collect", "pay"))
        paid_by_players = {(line["seat"], line["player"]) for line in only(lines, "pay")}
        commission = sum(
            line["amount"]
            for line in only(lines, "commission")
            if (line["seat"], line["player"]) not in paid_by_players
        )
        assert sum(line["amount"] for line in only(lines, "share")) == won - lost - commission
    assert {line["by"] for line in only(film, "tiles_moved")} > {"bank"}
    assert only(film, "dice_null") and len(running.accepted("dice_null")) == len(only(film, "dice_null"))


@SOURCES
@in_memory
async def test_everything_the_dealer_does_wrong_is_reported_and_corrected(tmp_path: Path, source: str) -> None:
    kinds = ["expose", "order", "number", "error_corrected", "slip_wager", "slip_dice", "miskey"]
    faults = [f"dealer:{kind}@round={at}" for at, kind in enumerate(kinds, 2)] + ["dealer:slip_seat"]
    running = await played(tmp_path, f"{PAI_KAO} --rounds 10 --source {source}", faults, "ssvvssssss")
    filmed = {line["kind"]: line["round"] for line in running.filmed("irregularity")}
    assert filmed.pop("slip_seat")
    assert filmed == {
        "exposed": 2, "order": 3, "number": 4, "error_corrected": 5, "slip_wager": 6, "slip_dice": 7, "miskey": 8,
    }  # fmt: skip
    (corrected,) = running.accepted("correct_cards")
    turned = {line["to"]: line["cards"] for line in running.filmed("turned", round=8)}
    assert corrected["cards"] == turned[corrected["to"]]
    assert len(running.accepted("exposed", "misdealt", "deal_corrected")) == 4


@in_memory
async def test_what_the_reader_does_not_report_is_keyed_in_and_nothing_is_dealt_twice(tmp_path: Path) -> None:
    faults = ["shoe:unreadable@round=1,card=3", "shoe:lost@round=2,card=5"]
    running = await played(tmp_path, f"{PAI_KAO} --places 4 --rounds 3", faults, "sss")
    assert [line["number"] for line in running.filmed("places")] == [4] * 3
    for number in range(1, 4):
        assert_dealt_by_the_dice(running.of_round(number))
    assert len(running.accepted("unreported_card")) == 1 and not running.accepted("tiles_dealt")


@in_memory
async def test_a_reader_that_stays_away_is_waited_for_once_in_a_round(tmp_path: Path) -> None:
    options = f"{PAI_KAO} --seats 4 --rounds 1"
    running = await played(tmp_path, options, ["shoe:unplug@round=1,card=6,for=30"], "s")
    assert_dealt_by_the_dice(running.of_round(1))
    assert len(running.accepted("tiles_dealt")) == 1 and len(running.accepted("unreported_card")) < 6


@in_memory
async def test_a_missing_tile_is_found_when_they_are_counted(tmp_path: Path) -> None:
    options = f"{PAI_KAO} --places 8 --rounds 3 --source hand"
    running = await played(tmp_path, options, ["deck:missing@phase=between"], "sss")
    assert [line["number"] for line in running.filmed("places")] == [8] * 3
    assert "refused (422)" in running.complaints
    assert [line["on"] for line in running.filmed("fault", kind="missing")] == [True, False]
