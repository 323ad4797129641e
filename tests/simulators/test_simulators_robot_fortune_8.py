"""The robot dealer at Fortune 8: several players at a box, one card face up to a space, a shoe for many rounds."""

from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from simulators.broker import free_port
from tests.configured import AUTHORISED_BETS, configured
from tests.simulators.table_in_memory import SEEDS, Bench, each, in_memory, in_soak, played
from tests.station.journal_eye import read_only

GAME = "--game fortune-8"
SPACES = [f"seat {seat}" for seat in range(1, 8)]
SOURCES = pytest.mark.parametrize("source", [in_soak("shuffler"), "shoe"])


def assert_each_space_got_its_card(running: Bench, number: int) -> None:
    """By the deal announced: every space, or those with bets, one card face up in that order."""
    lines = running.of_round(number)
    (deal,) = [line["deal"] for line in lines if line["event"] == "announce"]
    seats = {f"seat {line['seat']}" for line in lines if line["event"] == "wager"}
    due = [space for space in SPACES if deal == "every_space" or space in seats]
    assert [line["to"] for line in lines if line["event"] == "card"] == due
    assert {line["face"] for line in lines if line["event"] == "card"} == {"up"}
    kinds = [line["event"] for line in lines]
    assert kinds.count("lock_in") == kinds.count("round_end") == 1
    assert kinds.index("lock_in") < kinds.index("announce") < kinds.index("card")
    assert not {"turned", "decision", "chip"} & set(kinds)


@SOURCES
@in_memory
async def test_both_deals_are_played_and_every_bet_is_keyed_in_with_its_player(tmp_path: Path, source: str) -> None:
    running = await played(tmp_path, f"{GAME} --rounds 12 --source {source}", (), "s" * 12)
    for number in range(1, 13):
        assert_each_space_got_its_card(running, number)
    assert {input["deal"] for input in running.accepted("announce")} == {"every_space", "spaces_with_bets"}
    bets = ("seat", "wager", "player", "amount")
    filmed = [[line[key] for key in bets] for line in running.filmed("wager")]
    assert filmed == [[input[key] for key in bets] for input in running.accepted("wager")]
    assert max(Counter((line["round"], line["seat"], line["wager"]) for line in running.filmed("wager")).values()) > 1
    assert len(running.accepted("lock_in")) == 12 and not running.complaints


@pytest.mark.soak
@in_memory
async def test_fortune_8_art_9_1_authorised_bets_are_placed_filmed_and_paid_as_the_referee_pays_them(
    tmp_path: Path,
) -> None:
    config = configured(tmp_path, source="shoe", listen=f"127.0.0.1:{free_port()}")
    config.write_text(config.read_text(encoding="utf-8") + AUTHORISED_BETS, encoding="utf-8")
    (tmp_path / "state").mkdir()
    running = await played(tmp_path, f"{GAME} --keep --rounds 60 --seed 4", (), "s" * 60)
    lines = [line for round in running.station.rounds for seat in round["seats"] for line in seat["lines"]]
    for bet, odds in (("red eight", {"20:1", "2:1", None}), ("red", {"1:1", None})):
        worth = [line for line in lines if line["wager"] == bet]
        assert len(worth) == len(running.filmed("wager", wager=bet)) > 60
        assert {line["odds"] for line in worth} == odds, "each set of its cards was won, and it was lost"
        assert {line["article"] for line in worth} == {"9.º 1"}


@pytest.mark.parametrize(("decks", "rounds"), [(1, 25), in_soak(2, 40)])
@in_memory
async def test_a_shoe_is_shuffled_and_cut_again_when_the_cut_card_came(tmp_path: Path, decks: int, rounds: int) -> None:
    cards = 52 * decks
    running = await played(tmp_path, f"{GAME} --decks {decks} --rounds {rounds} --source shoe", (), "s" * rounds)
    again = [line["round"] for line in running.filmed("cut")]
    assert again[0] == 1 and len(again) > 2
    assert [line["round"] for line in running.filmed("shuffled", cards=cards, source="shoe")] == again
    assert [input["count"] for input in running.accepted("shuffled")] == [cards] * len(again)
    assert [input["by"] for input in running.accepted("cut")] == [line["by"] for line in running.filmed("cut")]
    came = [line["round"] for line in running.filmed("cut_card")]
    assert [number + 1 for number in came][: len(again) - 1] == again[1:]
    drawn = 0
    for line in running.film:
        drawn = 0 if line["event"] == "cut" else drawn + (line["event"] == "card")
        assert line["event"] != "cut_card" or drawn == cards - 12
    assert not running.accepted("cut_card")


@in_memory
async def test_a_cut_card_that_was_not_received_is_reported_before_the_round_is_confirmed(tmp_path: Path) -> None:
    options = f"{GAME} --decks 1 --rounds 7 --source shoe"
    running = await played(tmp_path, options, ["shoe:lost=1@round=6,card=6"], "s" * 7)
    assert len(running.accepted("cut_card")) == len(running.filmed("cut_card", round=6)) == 1


@SOURCES
@SEEDS
@in_memory
async def test_an_error_corrected_at_once_is_filmed_and_reported(tmp_path: Path, source: str, seed: str) -> None:
    options = f"{GAME} --rounds 5 --source {source} --seed {seed}"
    running = await played(tmp_path, options, each("dealer:error_corrected", 1, 2, 3, 4), "sssss")
    assert not running.complaints
    slips = [(line["what"], line["to"]) for line in running.filmed("irregularity", kind="error_corrected")]
    assert [(input["what"], input["to"]) for input in running.accepted("deal_corrected")] == slips and len(slips) == 4
    for number, (what, to) in enumerate(slips, 1):
        lines = running.of_round(number)
        slip = next(at for at, line in enumerate(lines) if line["event"] == "irregularity")
        before = lines[slip - 1]
        if what == "number":
            assert (before["event"], before["to"]) == ("card", "discard")
            assert to == [line["to"] for line in lines if line["event"] == "card"][-2]
        else:
            fell = lines[slip - 2]
            assert (before["event"], before["to"], before["from"]) == ("moved", to, fell["to"])
            assert (fell["event"], fell["card"]) == ("card", before["card"])
            filled = [line["to"] for line in lines[: slip - 2] if line["event"] == "card"]
            later = [line["to"] for line in lines[slip:] if line["event"] == "card"]
            assert (fell["to"] in later) == (what == "order") and to not in filled + later


@SOURCES
@SEEDS
@in_memory
async def test_a_card_before_the_announcement_holds_at_the_first_place(tmp_path: Path, source: str, seed: str) -> None:
    options = f"{GAME} --rounds 4 --source {source} --seed {seed}"
    running = await played(tmp_path, options, each("dealer:early_card", 2, 3), "ssss")
    assert not running.complaints
    for number in (1, 2, 3, 4):
        early = number in (2, 3)
        lines = running.of_round(number)
        assert bool(running.filmed("irregularity", round=number)) == early
        if early:
            assert [line["to"] for line in lines if line["event"] == "card"] == SPACES, "as configured, each space once"
            slip = next(at for at, line in enumerate(lines) if line["event"] == "irregularity")
            assert lines[slip] == {"round": number, "event": "irregularity", "kind": "early_card", "to": "seat 1"}
            assert lines[slip - 1]["event"] == "card" and not running.filmed("announce", round=number)


@pytest.mark.soak
@in_memory
async def test_an_early_card_goes_to_the_first_space_with_bets_where_that_deal_holds_and_before_or_after_the_lock(
    tmp_path: Path,
) -> None:
    configured(tmp_path, listen=f"127.0.0.1:{free_port()}", deal="spaces_with_bets")
    (tmp_path / "state").mkdir()
    rounds = range(1, 21)
    options = f"{GAME} --keep --rounds 20 --seed 3"
    running = await played(tmp_path, options, each("dealer:early_card", *rounds), "s" * 20)
    first = [min(line["seat"] for line in running.filmed("wager", round=number)) for number in rounds]
    assert [line["to"] for line in running.filmed("irregularity", kind="early_card")] == [f"seat {at}" for at in first]
    assert set(first) != {1}
    for number in rounds:
        seats = {f"seat {line['seat']}" for line in running.filmed("wager", round=number)}
        assert [line["to"] for line in running.filmed("card", round=number)] == sorted(seats)
    assert 0 < len(running.filmed("lock_in")) == len(running.accepted("lock_in")) < 20


@pytest.mark.parametrize(
    ("source", "what"),
    [("shuffler", "order"), ("shoe", "number"), in_soak("shuffler", "number"), in_soak("shoe", "order")],
)
@in_memory
async def test_an_error_that_no_one_corrects_voids_the_round(tmp_path: Path, source: str, what: str) -> None:
    running = await played(tmp_path, f"{GAME} --rounds 3 --source {source}", each(f"dealer:{what}", 2), "svs")
    assert [input["what"] for input in running.accepted("misdealt")] == [what]
    lines = running.of_round(2)
    slip = next(at for at, line in enumerate(lines) if line["event"] == "irregularity")
    assert lines[slip]["kind"] == what
    assert not [line for line in lines[slip:] if line["event"] in ("card", "pay")]
    cards = Counter(line["to"] for line in lines if line["event"] == "card")
    assert max(cards.values()) == (2 if what == "number" else 1)


@SEEDS
@pytest.mark.parametrize(
    ("source", "kind", "rounds"),
    [
        ("shuffler", "slip_wager", 2), ("shoe", "slip_seat", 4),
        in_soak("shoe", "slip_wager", 2), in_soak("shuffler", "slip_seat", 4),
    ],
)  # fmt: skip
@in_memory
async def test_what_was_keyed_in_wrongly_is_corrected(
    tmp_path: Path, source: str, seed: str, kind: str, rounds: int
) -> None:
    options = f"{GAME} --rounds {rounds} --source {source} --seed {seed}"
    running = await played(tmp_path, options, each(f"dealer:{kind}", *range(1, rounds + 1)), "s" * rounds)
    slips = running.filmed("irregularity", kind=kind)
    assert slips
    if kind == "slip_wager":
        keys = ("seat", "wager", "player")
        corrected = [[input[key] for key in keys] for input in running.accepted("correct_wager")]
        assert corrected == [[slip[key] for key in keys] for slip in slips]
    else:
        corrected = [[input["seat"], input["to_seat"]] for input in running.accepted("correct_seat")]
        assert corrected == [[slip["keyed"], slip["seat"]] for slip in slips]
    for number in range(1, rounds + 1):
        assert_each_space_got_its_card(running, number)


@in_memory
async def test_a_card_the_station_did_not_receive_is_reported_and_keyed_in(tmp_path: Path) -> None:
    faults = ["shoe:lost=1@round=1,card=2", "shoe:lost=1@round=2,card=1"]
    running = await played(tmp_path, f"{GAME} --rounds 2 --source shoe --seed 5", faults, "ss")
    assert len(running.accepted("unreported_card")) == len(running.accepted("reveal")) == 2


@in_memory
async def test_an_early_card_the_station_did_not_receive_is_reported_in_its_turn(tmp_path: Path) -> None:
    faults = [*each("dealer:early_card", 1, 2), *(f"shoe:lost=1@round={number},phase=wagers" for number in (1, 2))]
    running = await played(tmp_path, f"{GAME} --rounds 3 --source shoe --seed 2", faults, "sss")
    assert [input["deal"] for input in running.accepted("announce")][:2] == ["every_space"] * 2
    early = [line["to"] for line in running.filmed("irregularity", kind="early_card")]
    assert [item["to"] for item in running.accepted("reveal")] == early and len(running.accepted("cards_counted")) == 2


@SOURCES
@in_memory
async def test_a_card_no_one_read_is_keyed_in_perhaps_wrongly(tmp_path: Path, source: str) -> None:
    kind = "shuffler:misread" if source == "shuffler" else "shoe:unreadable"
    faults = [f"{kind}@round=2,card=2", "dealer:miskey"]
    running = await played(tmp_path, f"{GAME} --rounds 3 --source {source}", faults, "sss")
    (keyed,), (correction,) = running.accepted("reveal"), running.accepted("correct_cards")
    (lying,) = running.filmed("card", round=2, to=keyed["to"])
    assert correction["cards"] == lying["card"] != keyed["cards"]
    assert [line["to"] for line in running.filmed("irregularity", kind="miskey")] == [keyed["to"]]


@in_memory
async def test_a_dispenser_that_jams_is_cleared_and_continues(tmp_path: Path) -> None:
    running = await played(tmp_path, f"{GAME} --rounds 3", ["shuffler:jam@round=2,card=3"], "sss")
    assert [line["on"] for line in running.filmed("fault", kind="jam")] == [True, False]
    for number in (1, 2, 3):
        assert_each_space_got_its_card(running, number)


def test_every_event_of_a_play_has_the_same_time_each_time_though_a_machine_was_away(tmp_path: Path) -> None:
    @in_memory
    async def play(folder: Path) -> None:
        await played(folder, f"{GAME} --rounds 4 --speed device", ["shuffler:unplug@phase=between,for=5.5"], "ssss")

    found = []
    for name in ("first", "second", "third"):
        play(tmp_path / name)
        with closing(read_only(tmp_path / name / "state" / "journal.db")) as file:
            found.append(file.execute("SELECT time FROM events ORDER BY id").fetchall())
    assert found == found[:1] * 3


@in_memory
async def test_a_dispenser_that_stays_away_is_left_for_the_shoe_and_taken_up_again(tmp_path: Path) -> None:
    running = await played(
        tmp_path, f"{GAME} --rounds 6 --speed device", ["shuffler:unplug@phase=between,for=5.5"], "ssssss"
    )
    sources = [line["source"] for line in running.filmed("round_begin")]
    assert sources == ["shoe"] * 3 + ["shuffler"] * 3
    assert [input["source"] for input in running.accepted("use_source")] == ["shoe", "shuffler"]
    assert len(running.accepted("shuffled")) == 1


@in_memory
async def test_a_missing_card_is_found_at_the_hand_shuffle(tmp_path: Path) -> None:
    options = f"{GAME} --decks 2 --rounds 2 --source shoe"
    running = await played(tmp_path, options, ["deck:missing@phase=shuffle"], "ss")
    assert [line["cards"] for line in running.filmed("shuffled")][-1] == 104
    assert [input["count"] for input in running.accepted("shuffled")] == [104]
    assert [line["on"] for line in running.filmed("fault", device="deck")] == [True, False]
