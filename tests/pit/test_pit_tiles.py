"""The tables at a glance: who needs someone first, and how a day's figures are one."""

import asyncio
import json
from typing import Any

import aiomqtt
import msgspec
import pytest
from structlog.testing import capture_logs

from controller.floor.broker import Broker
from controller.pit import live as live_module
from controller.pit.figures import WagerFigures, row
from controller.pit.inbox import BadMessage
from controller.pit.live import Live
from controller.pit.tiles import GAME_OF, LEAST_ROUNDS, NEEDS, TableTile, TileHit, by_urgency, hold_of, tile
from controller.rulebook.games import GAMES
from tests.pit.broadcasting import EXAMPLES, retained

ALARM = {
    "name": "a", "level": "warning", "texts": {"en": "A"}, "since": "2026-03-14T14:00:00Z", "over": False,
    "acknowledged_by": None,
}  # fmt: skip
CRITICAL = ALARM | {"level": "critical"}
HIT = {"hit": 3, "seat": 2, "amount": 6_001_785, "state": "payable"}
ROUND = {"round": 7, "phase": "decisions", "wagers": [{"seat": 4}, {"seat": 2}, {"seat": 4}], "chips": [1]}


def table_says(online: bool = True, **state: Any) -> dict[str, Any]:
    content = {topic: dict(EXAMPLES[topic]["data"]) for topic in ("status", "state", "jackpot", "statistics")}
    content["status"]["online"] = online
    content["state"] |= {"open": True, **state}
    content["statistics"]["wager_totals"] = []
    return content


def seen(content: dict[str, Any], table: str = "t1") -> TableTile:
    found = tile("macau-1", table, content)
    assert found is not None
    return found


def wager(handle: int, win: int, theoretical: str | None, deviation: str | None) -> dict[str, Any]:
    return {"handle": handle, "win": win, "theoretical": theoretical, "deviation": deviation}


def needs() -> dict[str, dict[str, Any]]:
    """What a table says in which someone is needed for each reason, and nothing that is more urgent."""
    payment, proposal, hold = table_says(), table_says(), table_says()
    payment["jackpot"] |= {"hits": [HIT | {"hit": 2, "state": "paid"}, HIT]}
    proposal["jackpot"] |= {"proposed": {"number": 1}}
    hold["statistics"]["round_count"] = LEAST_ROUNDS
    hold["statistics"]["wager_totals"] = [wager(1000, -590, "10.00", "200.00")]
    return {
        "payment": payment,
        "alarm": table_says(online=False, alarms=[CRITICAL]),
        "away": table_says(online=False, alarms=[ALARM]),
        "complaint": table_says(complaints=[{"complaint": 1}]),
        "proposal": proposal,
        "warning": table_says(alarms=[ALARM]),
        "hold": hold,
        "seen": table_says(alarms=[ALARM | {"acknowledged_by": "rui"}]),
        "open": table_says(),
        "closed": table_says(open=False, online=False),
    }


@pytest.mark.parametrize("need", NEEDS)
def test_a_table_says_why_it_needs_someone(need: str) -> None:
    assert seen(needs()[need]).need == need


def test_the_most_urgent_comes_first_then_the_one_that_has_waited_longer_then_the_lower_number() -> None:
    tiles = [seen(content) for content in needs().values()]
    assert [shown.need for shown in by_urgency(reversed(tiles))] == [*needs()]
    later = seen(table_says(alarms=[ALARM | {"since": "2026-03-14T15:00:00Z"}]), "t1")
    sooner = seen(table_says(alarms=[ALARM]), "t9")
    calm = [seen(table_says(), name) for name in ("t10", "t9", "t2")]
    assert [shown.table for shown in by_urgency([later, sooner, *calm])] == ["t9", "t1", "t2", "t9", "t10"]


def test_the_oldest_alarm_comes_first_and_one_that_no_one_has_acknowledged_counts() -> None:
    younger = ALARM | {"name": "b", "since": "2026-03-14T14:30:00Z"}
    found = seen(table_says(alarms=[younger, ALARM | {"acknowledged_by": "rui"}]))
    assert [alarm.name for alarm in found.alarms] == ["a", "b"]
    assert (found.need, found.since) == ("warning", younger["since"])


def test_an_information_calls_no_one_and_a_critical_alarm_comes_before_a_warning() -> None:
    notice = ALARM | {"name": "n", "level": "information"}
    assert [seen(table_says(alarms=[notice], open=played)).need for played in (True, False)] == ["open", "closed"]
    assert (
        seen(table_says(alarms=[notice, ALARM])).need == "warning"
        and seen(table_says(alarms=[notice])).alarms[0].name == "n"
    )
    later = ALARM | {"name": "c", "level": "critical", "since": "2026-03-14T15:00:00Z"}
    both = seen(table_says(alarms=[ALARM, later]), "t9")
    assert [alarm.name for alarm in both.alarms] == ["c", "a"] and both.since == later["since"]
    assert [shown.table for shown in by_urgency([seen(table_says(alarms=[ALARM]), "t1"), both])] == ["t9", "t1"]


def test_seats_are_those_with_a_bet_or_a_chip_and_every_game_is_known_by_its_regulation() -> None:
    found = seen(table_says(round_in_play=ROUND))
    assert (found.round, found.phase, found.taken) == (7, "decisions", (1, 2, 4))
    assert found.game == "fortune-3-card-poker-2025" and set(GAME_OF.values()) == set(GAMES)


def test_a_days_wagers_are_one_figure_whose_deviation_is_never_too_small() -> None:
    wagers = [wager(1000, 80, "50.00", "30.00"), wager(3000, -20, "-10.00", "10.00"), wager(500, 9, None, None)]
    found = hold_of(msgspec.convert(wagers, tuple[WagerFigures, ...]))
    assert found is not None
    assert (found.kept, found.expected, found.band, found.sigmas) == (60 / 4000, 40 / 4000, 80 / 4000, 0.5)
    assert hold_of((WagerFigures(500, 9, None, None),)) is None


async def test_a_picture_is_another_once_a_table_says_something_and_bad_messages_leave_the_others() -> None:
    live = Live()
    empty = live.picture()
    assert json.loads(empty) == {"connected": False, "links": [], "tables": [], "alarms": []}
    live.receive("dealer/macau-1/t-1/state", retained("state", open=True))
    live.receive("dealer/macau-1/t-2/state", retained("state", alarms=[{"name": 1}]))
    live.receive("dealer/macau-1/t-3/state", b"[[[")
    live.receive("dealer/macau-1/t-1/statistics", b'{"data": {"wager_totals": [{}]}}')
    [tile] = json.loads(await live.changed(empty))["tables"]
    assert (tile["table"], tile["need"], tile["hold"]) == ("t-1", "away", None)
    live.receive("dealer/macau-1/t-1/status", retained("status"))
    assert [table.need for table in live.tables()] == ["open"]
    live.receive("dealer/macau-1/t-1/state", b"")
    assert live.tables() == []


def test_the_will_of_an_earlier_session_takes_no_table_away() -> None:
    def status(session: int, online: bool, journal: str = "j-1") -> bytes:
        retained_data = json.loads(retained("status", online=online))
        return json.dumps(retained_data | {"session": session, "source": f"/dealer/macau-1/t-1/{journal}"}).encode()

    def need() -> str:
        [tile] = live.tables()
        return tile.need

    live = Live()
    live.receive("dealer/macau-1/t-1/state", retained("state", open=True))
    for stated, wanted in (
        (status(7, True), "open"),
        (status(6, False), "open"),
        (status(7, False), "away"),
        (status(6, True), "away"),
        (status(8, True), "open"),
        (status(1, False, "j-2"), "away"),  # between two journals no number says which is later
        (status(8, True), "open"),
        (b"", "away"),
        (status(2, True), "open"),
    ):
        live.receive("dealer/macau-1/t-1/status", stated)
        assert need() == wanted


def test_a_table_that_is_away_is_named_so_beside_what_is_more_urgent() -> None:
    urgent = seen(table_says(online=False, alarms=[CRITICAL]))
    assert (urgent.need, urgent.away) == ("alarm", True)
    assert [seen(content).away for content in (table_says(), table_says(open=False, online=False))] == [False, False]


@pytest.mark.parametrize(
    ("topic", "wrong"),
    [
        ("statistics", b'{"data": {"per_hour": 1' + b"0" * 400 + b"}}"),
        ("statistics", retained("statistics", per_hour="1e999")),
        ("statistics", retained("statistics", wager_totals=[wager(2**53, 0, "1", "1")] * 2)),
        ("statistics", retained("statistics", seat_count="5")),
        ("jackpot", retained("jackpot", hits=[{}])),
        ("status", b"["),
        ("status", b""),
        ("status", retained("status", online="yes")),
    ],
)
def test_a_bad_message_takes_nothing_with_it_and_nothing_else_is_blamed(topic: str, wrong: bytes) -> None:
    live = Live()
    for what, content in ((topic, wrong), ("state", retained("state")), (topic, wrong)):
        live.receive(f"dealer/macau-1/t-1/{what}", content)
    live.receive("dealer/macau-1/t-2/state", retained("state", table="t-2"))
    assert [table["table"] for table in json.loads(live.picture())["tables"]] == ["t-1", "t-2"]


@pytest.mark.parametrize("wrong", [{"mode": None}, {"step": {"prompt": 3}}, {"exponent": "2"}])
def test_a_state_that_the_page_could_not_show_is_a_bad_message(wrong: dict[str, Any]) -> None:
    live = Live()
    live.receive("dealer/macau-1/t-1/state", retained("state", **wrong))
    assert live.tables() == []


def test_a_table_is_named_by_any_number_of_digits() -> None:
    names = ["t" + "9" * 5000, "t" + "9" * 4999, "t010", "t9"]
    assert [shown.table for shown in by_urgency([seen(table_says(), name) for name in names])] == names[::-1]


async def test_what_no_one_foresaw_is_named_and_the_tables_are_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_module, "RETRY_SECONDS", 0.0)
    tries = iter([KeyError("t-1"), asyncio.CancelledError()])
    states = []

    async def broken(live: Live, broker: Broker) -> None:
        states.append(json.loads(live.picture())["connected"])
        live._connected = True
        live._changed.set()
        raise next(tries)

    monkeypatch.setattr(Live, "_listen", broken)
    with capture_logs() as retained_data, pytest.raises(asyncio.CancelledError):
        await Live().listen(Broker("127.0.0.1", 1))
    assert [(line["log_level"], line["reason"]) for line in retained_data] == [("error", "KeyError('t-1')")]
    assert states == [False, False], "the page does not show that it receives them"


async def test_a_broker_that_stays_away_is_reported_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_module, "RETRY_SECONDS", 0.0)
    tries = 0

    async def refused(live: Live, broker: Broker) -> None:
        nonlocal tries
        tries += 1
        if tries == 5:
            raise asyncio.CancelledError
        raise aiomqtt.MqttError("refused")

    monkeypatch.setattr(Live, "_listen", refused)
    with capture_logs() as retained_data, pytest.raises(asyncio.CancelledError):
        await Live().listen(Broker("127.0.0.1", 1))
    assert [line["event"] for line in retained_data] == ["no messages of tables are received"] and tries == 5


@pytest.mark.parametrize(
    "wrong",
    [
        {"since": "yesterday"}, {"open_ms": 2**70}, {"occupied": "NaN"}, {"currency": "M\0P"}, {"exponent": -1},
        {"lost_time": {}}, {"wager_totals": [wager(2**70, 0, None, None)]}, {"occupied": "٣"},
        {"wager_totals": [wager(1, 0, "1e400", "1")]}, {"wager_totals": [wager(2**53, 0, "1", "1")] * 2},
        {"wager_totals": [wager(0, -(2**53), "1", "1")] * 2},
    ],
)  # fmt: skip
def test_statistics_that_the_database_would_not_take_are_bad_messages(wrong: dict[str, Any]) -> None:
    assert row("macau-1", "t-1", retained("statistics"))[:2] == ("macau-1", "t-1")
    with pytest.raises(BadMessage):
        row("macau-1", "t-1", retained("statistics", **wrong))
    with pytest.raises(BadMessage):
        row("macau-1", "t-1", msgspec.json.encode({"data": {}}))


def test_invented_tables_are_not_shown_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.pit.live.MOST_TABLES", 3)
    live = Live()
    for number in range(10):
        live.receive(f"dealer/invented/t-{number}/state", retained("state", open=True))
    live.receive("dealer/invented/t-0/status", retained("status"))
    assert sorted((tile.table, tile.need) for tile in live.tables()) == [
        ("t-0", "open"),
        ("t-1", "away"),
        ("t-2", "away"),
    ]


def test_a_hold_says_nothing_before_enough_rounds_were_played() -> None:
    early = needs()["hold"]
    early["statistics"]["round_count"] = LEAST_ROUNDS - 1
    found = seen(early)
    assert (found.need, found.hold) == ("open", None)


def test_a_tile_has_what_the_table_won_today_without_the_jackpot_and_with_it() -> None:
    says = table_says()
    says["statistics"] |= {"win": -5_000, "wager_totals": [wager(500, -6_000, None, None) | {"wager": "jackpot"}]}
    assert (seen(says).win, seen(says).win_with_jackpot) == (1_000, -5_000)


def test_a_hit_that_is_not_paid_comes_before_all_and_has_its_seat_its_amount_and_since_when() -> None:
    live = Live()
    live.receive("dealer/macau-1/t-1/state", retained("state", open=True, alarms=[CRITICAL]))
    for time, state in (("2026-03-14T14:00:00Z", "locked"), ("2026-03-14T14:01:00Z", "payable")):
        live.receive("dealer/macau-1/t-2/jackpot", retained("jackpot", time=time, hits=[HIT | {"state": state}]))
    live.receive("dealer/macau-1/t-2/state", retained("state", open=True, alarms=[CRITICAL]))
    first, _ = live.tables()
    assert (first.table, first.need, first.since) == ("t-2", "payment", "2026-03-14T14:00:00Z")
    assert first.hits == (TileHit(3, 2, 6_001_785, "payable", "2026-03-14T14:00:00Z"),)
    live.receive("dealer/macau-1/t-2/jackpot", retained("jackpot", hits=[HIT | {"state": "paid"}]))
    assert {tile.need for tile in live.tables()} == {"alarm"} and live._hits["macau-1", "t-2"] == {}


def test_a_critical_alarm_that_is_over_calls_as_a_warning_does() -> None:
    assert seen(table_says(alarms=[CRITICAL | {"over": True}])).need == "warning"
