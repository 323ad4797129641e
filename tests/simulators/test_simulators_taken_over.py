"""A person takes over from the robot dealer: enters what is wanted, or something else, and gives back."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from simulators.dealer.hands import LAMP_WAIT_AT_MAX_SECONDS
from tests.games import GAMES
from tests.simulators.table_in_memory import Bench, StationInMemory, bench, in_memory, in_soak
from tests.simulators.taken_over import Entering, Person, ask, looking

SECONDS = 100
TABLES = [
    ("fortune-3-card-poker-2025", "shuffler"),
    in_soak("fortune-3-card-poker-2008", "shoe"),
    in_soak("fortune-8", "shoe"),
    in_soak("blackjack-21", "shuffler"),
    ("taiwan-pai-kao", "shoe"),
]
OTHER = {
    "play": "fold", "fold": "play", "every_space": "spaces_with_bets", "spaces_with_bets": "every_space",
    "eight_places": "four_places", "four_places": "eight_places",
}  # fmt: skip


@asynccontextmanager
async def taken_over(
    directory: Path, options: str, faults: Iterable[str] = (), entering: Entering | None = None
) -> AsyncIterator[tuple[Bench, StationInMemory, Person]]:
    """A table whose station starts when a person has taken over."""
    async with bench(directory, f"--panel {options}", faults) as running, person_at(running, entering) as person:
        await person.act("you")
        await running.station.start()
        try:
            yield running, running.station, person
        finally:
            await running.station.kill()


@asynccontextmanager
async def person_at(running: Bench, entering: Entering | None = None) -> AsyncIterator[Person]:
    assert running.setting.panel is not None
    async with looking(Person(running.setting.panel, running.address, entering)) as person:
        yield person


async def until(person: Person, over: Callable[[], bool]) -> None:
    try:
        await asyncio.wait_for(person.enter(over), SECONDS)
    except TimeoutError:
        raise AssertionError(f"the play is stuck: {person.now}, refused {person.refused}") from None


@pytest.mark.parametrize(("game", "source"), TABLES)
@in_memory
async def test_two_rounds_are_entered_by_a_person_and_one_more_by_the_robot(
    tmp_path: Path, game: str, source: str
) -> None:
    options = f"--game {game} --source {source} --rounds 3 --seed 3"
    async with taken_over(tmp_path, options) as (running, station, person):
        await until(person, lambda: station.rounds_over == 2)
        assert is_by_person(station) and len(station.posted) > 10, "the robot posts nothing"
        assert not person.refused
        assert {"open_table", "begin_round", "wager", "lock_in", "confirm"} <= set(person.seen)
        assert game not in GAMES[:2] or {"decide", "reveal"} <= set(person.seen)
        await person.act("robot")
        assert [outcome.split(",")[0] for outcome in await running.finished()] == ["settled"] * 3
        assert not running.complaints
        assert person.now["happened"] == []
        kinds = [line["event"] for line in running.film]
        assert kinds.count("lock_in") == kinds.count("round_end") == 3
        running.judge()


def is_by_person(station: StationInMemory) -> bool:
    return all(input["input_id"].startswith("person-") for input in station.posted)


def is_locked(station: StationInMemory) -> bool:
    return bool(station.table["round"] and station.table["round"]["locked"])


class Mistaken:
    """Enters nearly everything otherwise: a seat's bets at another, those of one not at all, other answers."""

    def __init__(self, station: StationInMemory, seats: int) -> None:
        self._station, self._seats = station, seats
        self.person: Person | None = None
        self.made: set[str] = set()

    def __call__(self, item: dict[str, Any]) -> list[dict[str, Any]]:
        assert self.person is not None
        step = self._station.table["step"]
        match item["kind"]:
            case "wager":
                return self._wager(item)
            case "decide" if "legal" in step:
                wished = [key for key in ("split", "double", "hit") if key in step["legal"] and key != item["decision"]]
                return [self._otherwise(item, "decision", wished[0] if wished else "stand")]
            case "decide":
                return [self._otherwise(item, "decision", OTHER[item["decision"]])]
            case "announce":
                return [self._otherwise(item, "deal", OTHER[item["deal"]])]
            case "dice":
                return [self._otherwise(item, "dice", [7 - number for number in item["dice"]])]
            case "give_up" | "even_money":
                return [self._otherwise(item, "yes", not item["yes"])]
            case "insure":
                return [self._otherwise(item, "amounts", [0 for _ in item["amounts"]])]
            case "take_bank":
                return [self._otherwise(item, "capital", item["capital"] + 10000)]
        return [item]

    def _otherwise(self, item: dict[str, Any], key: str, value: object) -> dict[str, Any]:
        self.made.add(item["kind"])
        return {**item, key: value}

    def _wager(self, item: dict[str, Any]) -> list[dict[str, Any]]:
        assert self.person is not None
        wagers = [wanted["input"] for wanted in self.person.now["wanted"] if wanted["input"]["kind"] == "wager"]
        seats = sorted({wager["seat"] for wager in wagers})
        empty = [seat for seat in range(1, self._seats + 1) if seat not in seats]
        entered = [{**item, "amount": item["amount"] * 2}]
        if item["seat"] == seats[0] and empty:
            entered = [self._otherwise(item, "seat", empty[0])]
        elif item["seat"] == seats[-1] and len(seats) > 2:
            entered = []
        if item == wagers[-1]:
            entered.append({"kind": "lock_in", "step_id": item["step_id"], "actor": item["actor"]})
        return entered


@pytest.mark.parametrize(("game", "source"), TABLES)
@in_memory
async def test_what_is_entered_otherwise_stops_no_one_and_the_robot_finds_its_way(
    tmp_path: Path, game: str, source: str
) -> None:
    options = f"--game {game} --source {source} --rounds 3 --seed 2"
    async with taken_over(tmp_path, options) as (running, station, person):
        mistaken = Mistaken(station, running.setting.seats)
        mistaken.person, person.entering = person, mistaken
        await until(person, lambda: station.rounds_over == 1)
        assert mistaken.made
        assert "entered_otherwise" in [line["what"] for line in person.now["happened"]]
        await until(person, lambda: station.rounds_over == 1 and is_locked(station))
        await person.act("robot")
        assert len(await asyncio.wait_for(running.finished(), SECONDS)) == 3


@in_memory
async def test_the_button_waits_for_the_person_and_can_be_pressed_on_the_panel(tmp_path: Path) -> None:
    async with bench(tmp_path, "--panel --rounds 1") as running:
        station = running.station
        async with person_at(running) as person:
            assert await person.press_lock_in() == 422, "the robot presses it"
            await person.act("you")
            await station.start()
            person.entering = lambda item: [] if item["kind"] == "lock_in" else [item]
            await until(person, lambda: "lock_in" in person.seen)
            await asyncio.sleep(LAMP_WAIT_AT_MAX_SECONDS * 2)
            assert not is_locked(station) and not running.filmed("lock_in")
            assert await person.press_lock_in() == 200
            await until(person, lambda: is_locked(station))
            await until(person, lambda: station.rounds_over == 1)
            await person.act("robot")
            assert await running.finished() == ["settled"]
            assert len(running.filmed("lock_in")) == 1
            running.judge()
        await station.kill()


@pytest.mark.parametrize("refused", [False, True])
@in_memory
async def test_what_goes_wrong_is_reported_by_the_person_or_left_out(tmp_path: Path, refused: bool) -> None:
    wrong = ["dealer:expose=seat 2@round=1", "shuffler:lid_open@round=1,phase=wagers", "dealer:slip_wager"]
    wrong += ["dealer:order@round=2"] * refused
    async with taken_over(tmp_path, "--rounds 3 --seed 5", wrong) as (running, station, person):
        station.refused_kinds.update(dict.fromkeys(("exposed", "misdealt"), 99 * refused))
        await until(person, lambda: station.rounds_over == 2)
        assert is_by_person(station)
        assert "exposed" in person.seen and "correct_wager" not in person.seen
        assert [item["kind"] for item, _ in person.refused] == ["exposed", "misdealt"] * refused
        assert [item["kind"] for item in station.accepted if item["kind"] == "exposed"] == ["exposed"] * (not refused)
        await person.act("robot")
        await running.finished()
        assert running.filmed("irregularity", kind="slip_wager"), "the robot's slips wait until it is back"
        assert [item["kind"] for item in station.accepted].count("correct_wager") == 1


@in_memory
async def test_a_person_who_corrects_himself_is_followed(tmp_path: Path) -> None:
    moved: list[int] = []

    def entering(item: dict[str, Any]) -> list[dict[str, Any]]:
        """The bets of one seat at another, which is corrected when the players decide, and approved at the end."""
        about = {"actor": "ana", "step_id": item["step_id"]}
        if item["kind"] == "wager" and not station.rounds_over:
            wagers = [wanted["input"] for wanted in person.now["wanted"] if wanted["input"]["kind"] == "wager"]
            seats = {wager["seat"] for wager in wagers}
            beside = [(seat, at) for seat in sorted(seats) for at in (seat - 1, seat + 1) if at not in {0, 8, *seats}]
            moved[:] = beside[-1]  # cards are dealt in the same order
            keyed = {**item, "seat": moved[1]} if item["seat"] == moved[0] else item
            return [keyed, {**about, "kind": "lock_in"}] if item == wagers[-1] else [keyed]
        if item["kind"] == "decide" and moved:
            right, wrong = moved
            moved.clear()
            correction = {"kind": "correct_seat", "seat": wrong, "to_seat": right, "reason": "entered wrongly"}
            return [{**about, "step_id": station.table["answers"]["correct_seat"], **correction}, item]
        return [item]

    async with taken_over(tmp_path, "--rounds 2 --seats 7 --seed 6 --chip-rate 0", entering=entering) as (
        running,
        station,
        person,
    ):
        await until(person, lambda: station.rounds_over == 1)
        assert "correct_seat" in [item["kind"] for item in station.accepted]
        assert [line["what"] for line in person.now["happened"]] == ["entered_otherwise"]
        await person.act("robot")
        assert await running.finished() == ["settled"] * 2
        assert "approve_changes" in person.seen
        paid = Counter((line["round"], line["seat"], line["wager"]) for line in running.filmed("pay"))
        assert set(paid.values()) == {1}, "nothing is paid before the change is approved"


@in_memory
async def test_a_round_whose_bets_were_entered_while_the_dealer_rested_is_played(tmp_path: Path) -> None:
    async with bench(tmp_path, "--panel --rounds 2") as running:
        station, panel = running.station, ("127.0.0.1", running.setting.panel or 0)
        async with person_at(running) as person:
            assert (await ask(panel, "/robot", {"paused": True}))[0] == 200
            await station.start()
            await until(person, lambda: bool(person.now.get("prompt")) and person.now["at_rest"])
            bet = {"seat": 2, "wager": "ante", "amount": 10000}
            for kind, more in (("open_table", {}), ("begin_round", {}), ("wager", bet), ("lock_in", {})):
                await until(person, lambda: station.table["step"]["kind"] != "shuffle")
                item = {"input_id": f"x-{kind}", "step_id": station.table["step"]["id"], "actor": "ana", "kind": kind}
                assert (await ask(running.address, "/inputs", [{**item, **more}]))[0] == 200
            assert is_locked(station) and running.filmed("card") == []
            assert (await ask(panel, "/robot", {"paused": False}))[0] == 200
            assert await asyncio.wait_for(running.finished(), SECONDS) == ["settled"] * 2
            assert [line["to"] for line in running.filmed("card", round=1)] == ["seat 2"] * 3 + ["bank"] * 3
        await station.kill()


@pytest.mark.parametrize(("game", "source"), [*TABLES, ("blackjack-21", "shoe"), in_soak("fortune-8", "shuffler")])
@in_memory
async def test_no_card_is_cleared_away_before_the_person_enters_it_nor_while_a_complaint_is_open(
    tmp_path: Path, game: str, source: str
) -> None:
    course: list[str] = []
    warned: list[str] = []

    def entering(item: dict[str, Any]) -> list[dict[str, Any]]:
        """A player complains where the cards were to be cleared away."""
        kind = item["kind"]
        if kind in ("close_claims", "hold_cards", "decide_complaint"):
            course.append(kind)
            warned.extend(text["en"] for text in station.table["notices"] if "while a complaint is open" in text["en"])
        if kind in ("close_claims", "hold_cards") and len(course) == 1:
            about = {"round": station.table["round"]["id"], "seat": 1, "what": "the count"}
            return [{"kind": "complaint", "step_id": station.table["answers"]["complaint"], "actor": "ana", **about}]
        return [item]

    options = f"--game {game} --source {source} --rounds 1 --seed 3"
    async with taken_over(tmp_path, options, entering=entering) as (running, station, person):
        await until(person, lambda: station.rounds_over == 1 and station.table["step"]["kind"] == "begin")
        assert course == [course[0], "decide_complaint", course[0]]
        assert not person.refused and not warned
        assert "complaint" in [item["kind"] for item in station.accepted]
        await person.act("robot")
        assert await running.finished() == ["settled"]
        running.judge()
