"""The views of the archive say what the tables said: added up here a second time, from the messages themselves."""

import json
from collections import Counter
from typing import Any

import pytest

from controller.pit.archive import Archive
from controller.pit.inbox import read
from controller.rulebook.games import GAMES
from tests.floor.happened import messages
from tests.pit.conftest import rows


async def stored(game: str, database: str) -> list[bytes]:
    """What a table said in two rounds, in order, once an archive has it."""
    told = [payload for topic, payload in messages(game) if topic == "rounds" or topic.startswith("events/")]
    told.sort(key=lambda content: int(json.loads(content)["data"]["sequence"]))
    archive = await Archive.open(database, "a")
    assert await archive.lead()
    _, _, site, table, *_ = json.loads(told[0])["source"].split("/")
    await archive.store([read(site, table, content) for content in told])
    await archive.close()
    return told


def won_by_the_house(data: dict[str, Any]) -> int:
    """At Taiwan-Pai Kao its commission, and its share where it held a part of the bank."""
    lines = [line for seat in data["seats"] for line in seat["lines"] if line["wager"] != "jackpot"]
    if "tiles" not in data or data["outcome"] == "void":
        return -int(sum(line["net"] for line in lines))
    commission = sum(line["commission"] for line in [*lines, *data["bank"]["joiners"]])
    return int(commission + (data["bank"]["casino"] or {"net": 0})["net"])


@pytest.mark.parametrize("game", GAMES)
async def test_rounds_lines_and_hours_are_those_that_were_told(game: str, database: str) -> None:
    told = await stored(game, database)
    data: list[dict[str, Any]] = [json.loads(content)["data"] for content in told]
    rounds = [one for one in data if "confirmed" in one and "seats" in one]
    lines = [line for one in rounds for seat in one["seats"] for line in seat["lines"]]
    counting = [line for line in lines if line["wager"] != "jackpot"]
    assert rounds and lines
    assert rows(database, "SELECT round, outcome, occupied, confirmed_by FROM pit.rounds ORDER BY sequence") == [
        (one["round"], one["outcome"], len(one["seats"]), one["actor"]) for one in rounds
    ]
    handle, win = sum(line["stake"] for line in counting), sum(map(won_by_the_house, rounds))
    assert rows(database, "SELECT sum(handle)::bigint, sum(win)::bigint FROM pit.rounds") == [(handle, win)]
    voids = sum(one["outcome"] == "void" for one in rounds)
    assert rows(
        database, "SELECT sum(rounds)::int, sum(voids)::int, sum(handle)::bigint, sum(win)::bigint FROM pit.table_hours"
    ) == [(len(rounds), voids, handle, win)]
    by_wager = Counter[str]()
    for line in lines:
        by_wager[line["wager"]] += line["net"]
    assert dict(rows(database, "SELECT wager, sum(net)::bigint FROM pit.lines GROUP BY wager")) == by_wager  # type: ignore[arg-type]


@pytest.mark.parametrize("game", GAMES)
async def test_hits_alarms_and_persons_are_those_that_were_told(game: str, database: str) -> None:
    told = await stored(game, database)
    envelopes = [json.loads(content) for content in told]

    def of(kind: str) -> list[dict[str, Any]]:
        return [one["data"] for one in envelopes if one["type"] == f"dealer.station.event.{kind}"]

    paid = {one["hit"]: one["slip"] for one in of("hit_paid")}
    assert rows(database, "SELECT hit, seat, tier, amount, slip FROM pit.hits ORDER BY hit") == [
        (one["hit"], one["seat"], one["tier"], one["amount"], paid.get(one["hit"]))
        for one in sorted(of("hit_locked"), key=lambda one: int(one["hit"]))
    ]
    alarms = [(what, one["alarm"]) for what in ("raised", "cleared", "acknowledged") for one in of(f"alarm_{what}")]
    assert sorted(rows(database, "SELECT what, alarm FROM pit.alarms")) == sorted(alarms)
    entries = [
        (kind, one["name"]) for kind in ("made", "refused", "locked", "lifted", "ended") for one in of(f"entry_{kind}")
    ]
    found = rows(database, "SELECT what, name FROM pit.persons")
    assert sorted(found, key=str) == sorted(entries, key=str)
