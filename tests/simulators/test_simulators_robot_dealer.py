"""The robot dealer at a table where only the station dies and refuses."""

import random
import signal
from pathlib import Path

from tests.simulators.fake_station import FakeStation
from tests.simulators.simulator_process import assert_played_well, bench, killed_until_the_end, to_the_end


async def test_rounds_are_played_told_and_filmed_and_the_table_closed(tmp_path: Path) -> None:
    async with bench(tmp_path, "--rounds", "10", "--seats", "7") as running:
        station = FakeStation(tmp_path)
        await station.start()
        lines = await running.finished()
        assert lines == [
            *({"round": number, "robot": "settled"} for number in range(1, 11)),
            {"finished": True, "rounds": 10},
        ]
        assert not station.table.opened
        assert running.process.poll() is None, "the devices stay up"
        assert await running.end() == 0
        await station.kill()
        assert_played_well(running.camera())


async def test_the_shoe_is_drawn_one_card_a_prompt(tmp_path: Path) -> None:
    async with bench(tmp_path, "--rounds", "4", "--source", "shoe") as running:
        await to_the_end(running, FakeStation(tmp_path))
        assert_played_well(running.camera())


async def test_a_station_killed_at_any_moment_costs_no_round_and_no_second_card(tmp_path: Path) -> None:
    chance = random.Random(20)
    async with bench(tmp_path, "--rounds", "25") as running:
        assert await killed_until_the_end(running, FakeStation(tmp_path), chance) == ["settled"] * 25
        assert_played_well(running.camera())


async def test_the_same_seed_plays_the_same_cards_and_bets(tmp_path: Path) -> None:
    films = []
    for name in ("a", "b"):
        directory = tmp_path / name
        directory.mkdir()
        async with bench(directory, "--rounds", "4", "--seed", "77") as running:
            await to_the_end(running, FakeStation(directory))
            films.append([line for line in running.camera() if line["event"] != "lamp"])
    assert films[0] == films[1]


async def test_a_hit_is_confirmed_by_two_people_and_handed_over_once(tmp_path: Path) -> None:
    async with bench(tmp_path, "--rounds", "2") as running:
        station = FakeStation(tmp_path)
        station.table.hit_in_round = 1
        await to_the_end(running, station)
        assert station.table.hits[0]["confirmed_by"] == ["ana", "rui"]
        awards = [line for line in running.camera() if line["event"] == "pay"]
        assert awards == [
            {"round": 1, "event": "pay", "seat": station.table.hits[0]["seat"], "wager": "jackpot", "amount": 777}
        ]


async def test_the_hits_of_a_round_are_confirmed_in_their_order(tmp_path: Path) -> None:
    async with bench(tmp_path, "--rounds", "1") as running:
        station = FakeStation(tmp_path)
        station.table.hit_in_round, station.table.hits_in_round = 1, 3
        station.refuse_once = {"confirm_hit"}
        await to_the_end(running, station)
        assert "another is paid before it" not in running.complaints()
        assert [line["amount"] for line in running.camera() if line["event"] == "pay"] == [777, 778, 779]


async def test_a_refusal_is_told_and_tried_again(tmp_path: Path) -> None:
    async with bench(tmp_path, "--rounds", "1") as running:
        station = FakeStation(tmp_path)
        station.refuse_once = {"open_table", "wager", "decide", "reveal", "confirm"}
        await to_the_end(running, station)
        told = running.complaints()
        assert "refused (422) at step 0/open: open" in told
        assert "as told" in told
        assert told.count("refused (422)") == 5
        assert_played_well(running.camera())


async def test_a_stack_forces_the_cards_of_the_first_round(tmp_path: Path) -> None:
    spades = ["As", "Ks", "Qs", "Js", "Ts"]
    rest = [rank + suit for suit in "cdhs" for rank in "A23456789TJQK" if rank + suit not in spades]
    (tmp_path / "stack.txt").write_text(" ".join(spades + rest))
    async with bench(tmp_path, "--rounds", "1", "--stack", str(tmp_path / "stack.txt")) as running:
        await to_the_end(running, FakeStation(tmp_path))
        assert [line["card"] for line in running.camera() if line["event"] == "card"][:5] == spades


async def test_it_ends_cleanly_at_sigterm_and_leaves_no_device_behind(tmp_path: Path) -> None:
    async with bench(tmp_path) as running:
        assert (tmp_path / "usb.sock").exists()
        running.process.send_signal(signal.SIGTERM)
        assert await running.ended() == 0
        assert not (tmp_path / "usb.sock").exists()
        assert not (tmp_path / "shuffler").is_symlink()


async def test_a_station_in_the_middle_of_a_round_is_another_tables(tmp_path: Path) -> None:
    async with bench(tmp_path, "--rounds", "1") as running:
        station = FakeStation(tmp_path)
        station.table.opened = station.table.in_round = station.table.confirmed = True
        await station.start()
        assert await running.ended() == 1
        await station.kill()
        assert "in the middle of a round" in running.complaints()
