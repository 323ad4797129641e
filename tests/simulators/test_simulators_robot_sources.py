"""Two sources of cards at one table: a shuffler that fails, a shoe that stands in for it, a deck that is not whole."""

from pathlib import Path
from typing import Any

from tests.simulators.fake_station import FakeStation
from tests.simulators.simulator_process import assert_played_well, played, to_the_end


def said(station: FakeStation, *kinds: str) -> list[dict[str, Any]]:
    return [item for item in station.table.said if item["kind"] in kinds]


async def test_a_hand_shuffle_is_counted_cut_and_counted_again_on_the_felt(tmp_path: Path) -> None:
    async with played(tmp_path, "--rounds", "8", "--source", "shoe") as (running, station):
        assert await to_the_end(running, station) == ["settled"] * 8
        assert [item["count"] for item in said(station, "shuffled")] == [52] * 8
        cuts = {item["by"] for item in said(station, "cut")}
        assert "bank" in cuts and len(cuts) > 1
        on_film = [len(running.filmed("card", round=number)) for number in range(1, 9)]
        assert [item["count"] for item in said(station, "cards_counted")] == on_film


async def test_after_two_failures_the_shoe_is_used_for_three_rounds_and_the_shuffler_replaced(tmp_path: Path) -> None:
    async with played(tmp_path, "--rounds", "7", "--chip-rate", "1") as (running, station):
        station.table.fail_in_rounds = {1, 2}
        assert await to_the_end(running, station) == ["void"] * 2 + ["settled"] * 5
        assert [line["source"] for line in running.filmed("round_begin")] == (
            ["shuffler"] * 2 + ["shoe"] * 3 + ["shuffler"] * 2
        )
        assert [(item["kind"], item["actor"]) for item in said(station, "use_source", "shuffler_replaced")] == [
            ("use_source", "ana"),
            ("shuffler_replaced", "rui"),
            ("use_source", "ana"),
        ]
        assert not running.filmed("source")
        first, second, third = station.table.past[:3]
        assert second["carried_now"] == sorted(set(first["chips"]) & set(second["chips"]))
        assert third["carried_now"] == sorted(set(second["chips"]) & set(third["chips"]))
        assert_played_well([line for line in running.camera() if line["round"] > 2])


async def test_a_shuffler_lost_before_the_shuffle_is_left_for_the_shoe(tmp_path: Path) -> None:
    async with played(tmp_path, "--rounds", "2") as (running, station):
        station.deaf_shuffler = True
        station.table.devices = {"shuffler": "down"}
        assert await to_the_end(running, station) == ["settled"] * 2
        assert [(line["round"], line["source"]) for line in running.filmed("source")] == [(1, "shoe")]
        assert [line["source"] for line in running.filmed("round_begin")] == ["shuffler", "shoe"]
        assert_played_well(running.camera())


async def test_a_deck_the_shuffler_finds_wanting_is_made_whole(tmp_path: Path) -> None:
    async with played(tmp_path, "--rounds", "2") as (running, station):
        station.table.bad_deck_in_rounds = {2}
        assert await to_the_end(running, station) == ["settled"] * 2
        assert len(said(station, "deck_complete")) == 1
        assert_played_well(running.camera())


async def test_a_hand_count_that_is_refused_makes_the_deck_whole(tmp_path: Path) -> None:
    async with played(tmp_path, "--rounds", "2", "--source", "shoe", "--fault", "deck:missing@round=2") as (
        running,
        station,
    ):
        assert await to_the_end(running, station) == ["settled"] * 2
        assert [item["count"] for item in said(station, "shuffled")] == [52, 52]
        assert "2.º 1 1)" in running.complaints()
        assert running.filmed("fault", device="deck", on=False)


async def test_carried_chips_go_back_when_the_table_closes(tmp_path: Path) -> None:
    async with played(tmp_path, "--rounds", "1", "--chip-rate", "1") as (running, station):
        station.table.fail_in_rounds = {1}
        assert await to_the_end(running, station) == ["void"]
        closing = [line for line in running.camera() if line["event"] in ("table_closed", "chip_back")]
        assert closing[0]["event"] == "table_closed"
        assert [line["seat"] for line in closing[1:]] == station.table.past[0]["chips"]
        assert station.table.past[0]["chips"]


async def test_a_jammed_machine_is_cleared_once_the_round_is_void(tmp_path: Path) -> None:
    async with played(tmp_path, "--rounds", "3", "--fault", "shuffler:jam@round=2,card=2") as (running, station):
        assert await to_the_end(running, station) == ["settled", "void", "settled"]
        assert [(line["round"], line["on"]) for line in running.filmed("fault", kind="jam")] == [(2, True), (2, False)]
        assert len(running.filmed("card", round=2)) == 3


async def test_a_short_packet_is_not_laid(tmp_path: Path) -> None:
    async with played(tmp_path, "--rounds", "2", "--fault", "shuffler:short@round=1,card=2") as (running, station):
        assert await to_the_end(running, station) == ["void", "settled"]
        assert not said(station, "misdealt")
        cards = running.filmed("card", round=1)
        assert len({line["to"] for line in cards[:3]}) == 1
        assert {line["to"] for line in cards[3:]} == {"discard"}


async def test_a_lid_that_opens_is_closed(tmp_path: Path) -> None:
    async with played(tmp_path, "--rounds", "2", "--fault", "shuffler:lid_open@round=1,phase=wagers") as (
        running,
        station,
    ):
        assert await to_the_end(running, station) == ["settled"] * 2
        assert [line["on"] for line in running.filmed("fault", kind="lid_open")] == [True, False]


async def test_a_card_lost_from_the_shufflers_deck_is_found_and_put_back(tmp_path: Path) -> None:
    async with played(tmp_path, "--rounds", "3", "--fault", "deck:missing@round=2") as (running, station):
        assert await to_the_end(running, station) == ["settled"] * 3
        assert len(said(station, "deck_complete")) == 1
        assert [line["on"] for line in running.filmed("fault", device="deck")] == [True, False]


async def test_an_unreadable_card_stops_the_shoe_until_the_station_has_seen_it(tmp_path: Path) -> None:
    async with played(tmp_path, "--rounds", "2", "--source", "shoe", "--fault", "shoe:unreadable@round=1,card=2") as (
        running,
        station,
    ):
        assert await to_the_end(running, station) == ["settled"] * 2
        assert not said(station, "unheard_card")
        for keyed in [item for item in said(station, "reveal") if "cards" in item]:
            assert keyed["cards"] == running.filmed("turned", round=1, to=keyed["to"])[0]["cards"]
        assert_played_well(running.camera())
