"""The robot dealer at Fortune 3 Card Poker of 2025 and of 2008: mistakes, exposed cards, two sources, slips, chips."""

from collections import Counter
from pathlib import Path

import pytest

from simulators.dealer.station_desk import NoProgress
from simulators.felt.cards import FULL_DECK, text_of
from tests.simulators.table_in_memory import (
    SEEDS,
    Bench,
    Fault,
    Item,
    StationInMemory,
    bench,
    each,
    in_memory,
    in_soak,
    played,
)
from tests.station.test_station_jackpot_hits import FLUSH, ROYAL, STRAIGHT, seats_and_chips, stacked_deck

G2008 = "--game fortune-3-card-poker-2008"
SOURCES = pytest.mark.parametrize("source", [in_soak("shuffler"), "shoe"])
GAMES = pytest.mark.parametrize("game", ["", G2008])
REPORTS = ("exposed", "misdealt", "to_empty_seat", "shuffler_failed", "void_round")


def chips(running: Bench, number: int) -> list[int]:
    """The seats whose chips counted in this round, as it was published."""
    message = next(round for round in running.station.rounds if round["round"] == number)
    return [bet["seat"] for bet in message["wagers"] for wager in [bet["wager"]] if wager == "jackpot"]


# ---- dealt wrongly


@pytest.mark.parametrize(
    ("source", "seed"), [("shoe", "5"), in_soak("shuffler", "4"), in_soak("shuffler", "5"), in_soak("shoe", "4")]
)
@in_memory
async def test_one_exposed_card_of_a_player_is_reported_and_the_round_continues(
    tmp_path: Path, source: str, seed: str
) -> None:
    faults = ("dealer:expose=3", "dealer:expose=community@round=3")
    running = await played(tmp_path, f"--rounds 3 --source {source} --chip-rate 1 --seed {seed}", faults)
    up = [(line["round"], line["to"]) for line in running.filmed("card", face="up")]
    assert up == [(line["round"], line["to"]) for line in running.filmed("irregularity", kind="exposed")]
    assert [report["to"] for report in running.accepted(*REPORTS)] == [place for _, place in up]
    assert {"seat 3", "community"} <= {place for _, place in up}


@SOURCES
@in_memory
async def test_an_exposed_card_of_the_bank_voids_and_every_chip_goes_back(tmp_path: Path, source: str) -> None:
    options = f"--rounds 2 --source {source} --chip-rate 1"
    running = await played(tmp_path, options, ["dealer:expose=bank@round=1"], "vs")
    assert [input["to"] for input in running.accepted(*REPORTS)] == ["bank"]
    assert [line["seat"] for line in running.filmed("chip_back")] == chips(running, 1)
    assert not running.filmed("pay", round=1)


@pytest.mark.parametrize(
    ("source", "game", "what"),
    [
        ("shuffler", "", "order"), ("shoe", G2008, "number"), in_soak("shoe", "", "number"),
        in_soak("shoe", G2008, "order"), in_soak("shuffler", G2008, "number"),
        in_soak("shuffler", "", "number"), in_soak("shoe", "", "order"),
        in_soak("shuffler", G2008, "order"),
    ],
)  # fmt: skip
@in_memory
async def test_a_wrong_deal_is_reported_and_the_chips_stay_for_the_next_round(
    tmp_path: Path, source: str, game: str, what: str
) -> None:
    options = f"{game} --rounds 3 --source {source} --chip-rate 1"
    running = await played(tmp_path, options, [f"dealer:{what}@round=2"], "svs")
    [report] = running.accepted(*REPORTS)
    names = {key: report[key] for key in ("input_id", "step_id")}
    assert report == {"kind": "misdealt", "actor": "ana", "what": what, **names}
    assert [line["round"] for line in running.filmed("irregularity", kind=what)] == [2]
    if not game:
        dropped = sorted(set(chips(running, 2)) - set(chips(running, 3)))
        assert chips(running, 2)
        assert [(line["round"], line["seat"]) for line in running.filmed("chip_back")] == [(3, at) for at in dropped]
    lines = running.of_round(2)
    slip = next(at for at, line in enumerate(lines) if line["event"] == "irregularity")
    assert not [line for line in lines[slip:] if line["event"] == "card" and line["to"] != "discard"]


@in_memory
async def test_too_few_of_a_packet_are_placed_and_the_third_goes_to_the_discard_rack(tmp_path: Path) -> None:
    running = await played(tmp_path, "--rounds 1", ["dealer:number@card=2"], "v")
    cards = [line["to"] for line in running.filmed("card")][:6]
    assert cards[:3] == [cards[0]] * 3 and cards[3:] == [cards[3], cards[3], "discard"]


@in_memory
async def test_one_card_more_is_drawn_for_the_last_place(tmp_path: Path) -> None:
    running = await played(tmp_path, "--rounds 1 --source shoe --chip-rate 1", ["dealer:number@card=2"], "v")
    assert Counter(line["to"] for line in running.filmed("card"))["community"] == 3
    assert not running.accepted("cards_counted")


@pytest.mark.parametrize(
    ("source", "game"), [("shuffler", ""), *map(in_soak, ("shoe", "shuffler", "shoe"), (G2008, G2008, ""))]
)
@in_memory
async def test_cards_at_an_empty_seat_are_null_and_the_next_ones_go_where_they_were_meant(
    tmp_path: Path, source: str, game: str
) -> None:
    options = f"{game} --rounds 6 --source {source} --seed 2"
    running = await played(tmp_path, options, ["dealer:empty_seat@card=2"], "ssssss")
    (slip,) = running.filmed("irregularity", kind="empty_seat")
    (report,) = running.accepted(*REPORTS)
    assert (report["meant_for"], report["seat"]) == (slip["meant_for"], slip["seat"])
    places = Counter(line["to"] for line in running.filmed("card", round=slip["round"]))
    betting = {f"seat {line['seat']}" for line in running.filmed("wager", round=slip["round"])}
    assert places[f"seat {slip['seat']}"] == (3 if source == "shuffler" else 1)
    assert f"seat {slip['seat']}" not in betting
    assert all(places[place] == 3 for place in [*betting, "bank"])
    counted = [input["count"] for input in running.accepted("cards_counted")]
    assert source == "shuffler" or counted[slip["round"] - 1] == sum(places.values())


@pytest.mark.parametrize(("source", "game"), [("shuffler", ""), in_soak("shuffler", G2008), in_soak("shoe", G2008)])
@in_memory
async def test_a_report_that_is_refused_is_reported_and_the_card_stays_where_it_is(
    tmp_path: Path, source: str, game: str
) -> None:
    async with bench(tmp_path, f"{game} --rounds 2 --source {source}", ["dealer:expose=bank@round=1"]) as running:
        running.station.refused_kinds["exposed"] = 9
        assert await running.to_the_end() == ["settled"] * 2
        assert "the test refuses it" in running.complaints
        assert not running.filmed("set_aside") and len(running.filmed("card", round=1, to="bank")) == 3


@in_memory
async def test_cards_the_station_will_not_take_end_the_round_by_a_supervisor(tmp_path: Path) -> None:
    def fault_of(items: list[Item]) -> Fault | None:
        return "refused" if any(item["kind"] == "reveal" and "cards" in item for item in items) else None

    def before(station: StationInMemory) -> None:
        station.fault_of = fault_of

    running = await played(tmp_path, "--rounds 2", ["shuffler:misread@round=1,card=2"], "vs", before)
    assert [(input["kind"], input["actor"]) for input in running.accepted(*REPORTS)] == [("void_round", "rui")]
    assert [line["round"] for line in running.filmed("irregularity", kind="supervisor_void")] == [1]


# ---- 2008: the bank cuts, and an exposed card of the bank voids nothing


@SOURCES
@SEEDS
@in_memory
async def test_2008_an_exposed_card_of_the_bank_is_set_aside_and_another_comes(
    tmp_path: Path, source: str, seed: str
) -> None:
    options = f"{G2008} --rounds 4 --source {source} --seed {seed}"
    running = await played(tmp_path, options, each("dealer:expose=bank", 1, 2, 3), "ssss")
    aside, up = running.filmed("set_aside"), running.filmed("card", face="up")
    assert [(line["round"], line["card"]) for line in aside] == [(line["round"], line["card"]) for line in up]
    assert {line["round"] for line in aside} == {1, 2, 3}
    assert len(running.filmed("irregularity", kind="exposed", to="bank")) == len(aside)
    assert sum(len(input["which"]) for input in running.accepted("exposed")) == len(aside)
    counted = [input["count"] for input in running.accepted("cards_counted")]
    assert counted == [len(running.filmed("card", round=at)) for at in range(1, 5)] * (source == "shoe")
    which, expected = [input["which"] for input in running.accepted("exposed")], []
    for number in range(1, 5):
        cards = running.filmed("card", round=number, to="bank")
        left_out = [line["card"] for line in aside if line["round"] == number]
        (turned,) = running.filmed("turned", round=number, to="bank")
        assert turned["cards"].split() == [line["card"] for line in cards if line["card"] not in left_out]
        assert len(cards) == 3 + len(left_out)
        lying = 0
        for line in cards:
            lying += 1
            if line["face"] == "up":
                expected.append([lying])
                lying -= 1
    assert source == "shuffler" or which == expected, "of the cards that are there"


@SOURCES
@in_memory
async def test_2008_any_number_of_the_players_cards_may_be_exposed(tmp_path: Path, source: str) -> None:
    faults = [f"dealer:expose={seat}@round={at}" for at in (1, 2, 3) for seat in (1, 2, 3, 4)]
    running = await played(tmp_path, f"{G2008} --rounds 3 --source {source} --seed 8", faults, "sss")
    up = running.filmed("card", face="up")
    assert max(Counter(line["round"] for line in up).values()) > 1
    assert sum(input["count"] for input in running.accepted("exposed")) == len(up)
    assert len(running.filmed("irregularity", kind="exposed")) == len(up) and not running.filmed("set_aside")


@pytest.mark.soak
@in_memory
async def test_2008_the_bank_cuts_and_then_shuffles_and_with_pair_plus_beside_the_ante_no_one_folds(
    tmp_path: Path,
) -> None:
    running = await played(tmp_path, f"{G2008} --rounds 12 --source shoe", (), "s" * 12)
    assert [input.get("by", input.get("count")) for input in running.accepted("cut", "shuffled")] == ["bank", 52] * 12
    hands = [line for line in running.film if line["event"] in ("cut", "shuffled")]
    assert [line.get("by", line.get("cards")) for line in hands] == ["bank", 52] * 12
    assert {line["source"] for line in running.filmed("shuffled")} == {"shoe"}
    plus = {(line["round"], line["seat"]) for line in running.filmed("wager", wager="pair_plus")}
    decided = {(line["round"], line["seat"]): line["decision"] for line in running.filmed("decision")}
    obliged = [decision for at, decision in decided.items() if at in plus]
    assert set(obliged) <= {"play", "refused"} and obliged.count("play") > 5
    assert {input["actor"] for input in running.accepted("decide") if input["decision"] == "refused"} <= {"rui"}
    assert list(decided.values()).count("fold") > 5
    assert not running.complaints


@GAMES
@in_memory
async def test_a_stack_forces_the_cards_of_the_first_round(tmp_path: Path, game: str) -> None:
    spades = ["As", "Ks", "Qs", "Js", "Ts"]
    rest = [card for known in FULL_DECK if (card := text_of([known])) not in spades]
    (tmp_path / "stack.txt").write_text(" ".join(spades + rest))
    options = f"{game} --rounds 1 --source shoe --stack {tmp_path / 'stack.txt'}"
    running = await played(tmp_path, options, (), "s")
    assert [line["card"] for line in running.filmed("card")][:5] == spades


# ---- two sources


@in_memory
async def test_a_hand_shuffle_is_counted_cut_and_counted_again_on_the_felt(tmp_path: Path) -> None:
    running = await played(tmp_path, "--rounds 5 --source shoe", (), "s" * 5)
    assert [input["count"] for input in running.accepted("shuffled")] == [52] * 5
    cuts = {input["by"] for input in running.accepted("cut")}
    assert "bank" in cuts and len(cuts) > 1
    on_film = [len(running.filmed("card", round=number)) for number in range(1, 6)]
    assert [input["count"] for input in running.accepted("cards_counted")] == on_film


@in_memory
async def test_after_two_failures_the_shoe_is_used_for_three_rounds_and_the_shuffler_replaced(tmp_path: Path) -> None:
    faults = [f"shuffler:jam@round={number},card=1" for number in (1, 2)]
    running = await played(tmp_path, "--rounds 7 --chip-rate 1", faults, "vvsssss")
    sources = [line["source"] for line in running.filmed("round_begin")]
    assert sources == ["shuffler"] * 2 + ["shoe"] * 3 + ["shuffler"] * 2
    entered = [(input["kind"], input["actor"]) for input in running.accepted("use_source", "shuffler_replaced")]
    assert entered == [("use_source", "ana"), ("shuffler_replaced", "rui"), ("use_source", "ana")]
    assert not running.filmed("source")


@pytest.mark.soak
@SEEDS
@in_memory
async def test_2008_after_one_failure_the_shoe_is_used_or_the_shuffler_replaced(tmp_path: Path, seed: str) -> None:
    faults = [f"shuffler:jam@round={number},card=1" for number in (1, 5)]
    running = await played(tmp_path, f"{G2008} --rounds 6 --seed {seed}", faults)
    entered = [(input["kind"], input["actor"]) for input in running.accepted("use_source", "shuffler_replaced")]
    assert entered[0] in (("use_source", "ana"), ("shuffler_replaced", "rui"))
    sources = [line["source"] for line in running.filmed("round_begin")]
    if entered[0][0] == "use_source":
        assert sources[:5] == ["shuffler", "shoe", "shoe", "shoe", "shuffler"]
    else:
        assert sources[1] == "shuffler" and running.filmed("shuffler_replaced", round=1)
    assert entered.count(("shuffler_replaced", "rui")) == len(running.filmed("shuffler_replaced"))
    assert "11.º 4)" in running.complaints


@in_memory
async def test_a_shuffler_lost_before_the_shuffle_is_left_for_the_shoe(tmp_path: Path) -> None:
    running = await played(tmp_path, "--rounds 2", ["shuffler:unplug@round=1,phase=shuffle,for=60"], "ss")
    assert [(line["round"], line["source"]) for line in running.filmed("source")] == [(1, "shoe")]
    assert [line["source"] for line in running.filmed("round_begin")] == ["shuffler", "shoe"]


@SOURCES
@in_memory
async def test_a_card_lost_from_the_deck_is_found_and_put_back(tmp_path: Path, source: str) -> None:
    running = await played(tmp_path, f"--rounds 3 --source {source}", ["deck:missing@round=2"], "sss")
    assert [line["on"] for line in running.filmed("fault", device="deck")] == [True, False]
    if source == "shuffler":
        assert len(running.accepted("deck_complete")) == 1
    else:
        assert [item["count"] for item in running.accepted("shuffled")] == [52] * 3 and "2.º 1 1)" in running.complaints


@in_memory
async def test_carried_chips_go_back_when_the_table_closes(tmp_path: Path) -> None:
    running = await played(tmp_path, "--rounds 1 --chip-rate 1", ["shuffler:jam@round=1,card=1"], "v")
    closing = [line for line in running.film if line["event"] in ("table_closed", "chip_back")]
    assert closing[0]["event"] == "table_closed"
    assert [line["seat"] for line in closing[1:]] == chips(running, 1) != []


@in_memory
async def test_a_machine_that_jams_voids_and_is_cleared_a_short_packet_is_not_placed_and_a_lid_is_closed(
    tmp_path: Path,
) -> None:
    faults = ("shuffler:jam@round=2,card=2", "shuffler:short@round=3,card=2", "shuffler:lid_open@round=4,phase=wagers")
    running = await played(tmp_path, "--rounds 4", faults, "svvs")
    for kind, number in (("jam", 2), ("lid_open", 4)):
        fault = [(line["round"], line["on"]) for line in running.filmed("fault", kind=kind)]
        assert fault == [(number, True), (number, False)]
    assert len(running.filmed("card", round=2)) == 3 and not running.accepted("misdealt")
    cards = [line["to"] for line in running.filmed("card", round=3)]
    assert len(set(cards[:3])) == 1 and set(cards[3:]) == {"discard"}


@in_memory
async def test_an_unreadable_card_stops_the_shoe_until_the_station_has_seen_it(tmp_path: Path) -> None:
    running = await played(tmp_path, "--rounds 2 --source shoe", ["shoe:unreadable@round=1,card=2"], "ss")
    assert not running.accepted("unreported_card")
    for keyed in [input for input in running.accepted("reveal") if "cards" in input]:
        assert keyed["cards"] == running.filmed("turned", round=1, to=keyed["to"])[0]["cards"]


@in_memory
async def test_a_card_the_station_did_not_receive_is_reported_and_keyed_in(tmp_path: Path) -> None:
    faults = ("shoe:lost=1@round=1,card=2", "shoe:lost=1@round=2,card=4")
    running = await played(tmp_path, "--rounds 2 --source shoe", faults, "ss")
    assert len(running.accepted("unreported_card")) == 2
    assert len([input for input in running.accepted("reveal") if "cards" in input]) in (1, 2)


# ---- keyed in wrongly


@SEEDS
@pytest.mark.parametrize(
    ("kind", "options", "answer"),
    [
        ("slip_wager", "--rounds 2", "correct_wager"), ("slip_seat", "--rounds 5 --chip-rate 0.1", "correct_seat"),
        in_soak("slip_seat", "--rounds 5 --chip-rate 0.1 --source shoe", "correct_seat"),
    ],
)  # fmt: skip
@in_memory
async def test_what_was_keyed_in_wrongly_is_corrected(
    tmp_path: Path, seed: str, kind: str, options: str, answer: str
) -> None:
    running = await played(tmp_path, f"{options} --seed {seed}", [f"dealer:{kind}"], "s" * int(options.split()[1]))
    (slip,) = running.filmed("irregularity", kind=kind)
    (correction,) = running.accepted(answer)
    assert correction["reason"]
    if kind == "slip_wager":
        assert (correction["seat"], correction["wager"]) == (slip["seat"], slip["wager"])
        keyed = [
            item for item in running.accepted("wager") if (item["seat"], item["wager"]) == (slip["seat"], slip["wager"])
        ]
        assert keyed[0]["amount"] != correction["amount"]
    else:
        assert (correction["seat"], correction["to_seat"]) == (slip["keyed"], slip["seat"])
        assert abs(slip["keyed"] - slip["seat"]) == 1


@in_memory
async def test_a_wrong_decision_is_corrected_before_the_round_is_confirmed(tmp_path: Path) -> None:
    running = await played(tmp_path, "--rounds 6 --chip-rate 0", each("dealer:slip_decision", *range(1, 7)), "ssssss")
    assert len(running.filmed("irregularity", kind="slip_decision")) == len(running.accepted("correct_decision")) > 3


@in_memory
async def test_a_wrong_card_keyed_in_is_corrected(tmp_path: Path) -> None:
    running = await played(tmp_path, "--rounds 1", ["shuffler:misread@round=1,card=2", "dealer:miskey"], "s")
    (keyed,) = [input for input in running.accepted("reveal") if "cards" in input]
    (correction,) = running.accepted("correct_cards")
    (turned,) = running.filmed("turned", to=keyed["to"])
    assert [line["to"] for line in running.filmed("irregularity", kind="miskey")] == [keyed["to"]]
    assert correction["cards"] == turned["cards"]
    (wrong,) = set(keyed["cards"].split()) - set(turned["cards"].split())
    assert wrong not in {line["card"] for line in running.filmed("card")}


@in_memory
async def test_a_late_chip_goes_back_and_one_that_comes_and_goes_leaves_nothing(tmp_path: Path) -> None:
    faults = ("players:late_chip=2@round=1", "players:in_and_out=3@round=2")
    running = await played(tmp_path, "--rounds 2 --chip-rate 0", faults, "ss")
    events = [line for line in running.film if line["event"] in ("lock_in", "chip", "irregularity")]
    assert [(line["round"], line.get("kind", line["event"]), line.get("seat")) for line in events] == [
        (1, "lock_in", None), (1, "chip", 2), (1, "late_chip", 2),
        (2, "chip", 3), (2, "in_and_out", 3), (2, "lock_in", None),
    ]  # fmt: skip
    assert [chips(running, number) for number in (1, 2)] == [[], []]


# ---- refused, paid, and a table that is another's


@in_memory
async def test_the_hits_of_a_round_are_confirmed_by_two_persons_in_their_order_and_handed_over_once(
    tmp_path: Path,
) -> None:
    seed = next(seed for seed in range(100) if len(seats_and_chips(seed)[1]) == 3)
    seats, with_chip = seats_and_chips(seed)
    hands = dict(zip(with_chip, (ROYAL, FLUSH, STRAIGHT), strict=True))
    (tmp_path / "stack.txt").write_text(stacked_deck(seats, hands))

    def before(station: StationInMemory) -> None:
        station.refused_kinds["confirm_hit"] = 1

    running = await played(tmp_path, f"--rounds 2 --seed {seed} --stack {tmp_path / 'stack.txt'}", (), "ss", before)
    confirmed = [(input["hit"], input["actor"]) for input in running.accepted("confirm_hit")]
    assert confirmed == [(hit, who) for hit in (1, 2, 3) for who in ("ana", "rui")]
    awards = running.station.rounds[0]["jackpot"]["awards"]
    handed = [(line["seat"], line["amount"]) for line in running.filmed("pay", round=1, wager="jackpot")]
    assert handed == [(award["seat"], award["amount"]) for award in awards] and len(handed) == 3


@in_memory
async def test_a_refusal_is_reported_and_tried_again(tmp_path: Path) -> None:
    def before(station: StationInMemory) -> None:
        station.refused_kinds.update(["open_table", "wager", "decide", "reveal", "confirm"])

    running = await played(tmp_path, "--rounds 1", (), "s", before)
    assert "refused (422) at step open/1: " in running.complaints and "the test refuses it" in running.complaints
    assert running.complaints.count("refused (422)") == 5


@in_memory
async def test_a_station_in_the_middle_of_a_round_is_another_tables(tmp_path: Path) -> None:
    async with bench(tmp_path, "--rounds 1") as running:
        await running.station.start()
        await running.station.after_commits(18).wait()
        await running.station.kill()
    with pytest.raises(NoProgress, match="in the middle of a round"):
        async with bench(tmp_path, "--rounds 1 --keep") as running:
            await running.to_the_end()
