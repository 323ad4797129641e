"""Differences of the state: merge patches whose followers have every state as it was published, nulls included."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.floor.differences import Differences
from controller.rulebook.games import GAMES
from docs.examples.floor_state import Follower, follow, merge
from tests.floor.happened import messages
from tests.paho_end import hang_up
from tests.station.floor_ear import BASE, FloorEar
from tests.station.processes import Mosquitto, fast_table, patiently

API = json.loads((Path(__file__).parents[2] / "docs" / "asyncapi.json").read_text(encoding="utf-8"))["components"]
STATE = API["messages"]["state"]["payload"]
# There is no null in a step, and one in a bank's result is of a game that has no other result there.
POKER, BLACKJACK, PAI_KAO = {"hand_name", "qualifies"}, {"total", "black_jack"}, {"casino"}
OF_ITS_GAME = {
    "StepAwaited": {"order", "card_count", "seat", "hand"},
    "BankResult": POKER | BLACKJACK | PAI_KAO,
    "CasinoResult": {"net", "article"},
}
NULLS = {
    ("BankResult", game): names
    for game, names in zip(GAMES, (POKER, POKER, set[str](), BLACKJACK, PAI_KAO), strict=True)
} | {("CasinoResult", "taiwan-pai-kao"): OF_ITS_GAME["CasinoResult"]}
# RFC 7396, Appendix A.
APPENDIX = [
    ({"a": "b"}, {"a": "c"}, {"a": "c"}),
    ({"a": "b"}, {"b": "c"}, {"a": "b", "b": "c"}),
    ({"a": "b"}, {"a": None}, {}),
    ({"a": "b", "b": "c"}, {"a": None}, {"b": "c"}),
    ({"a": ["b"]}, {"a": "c"}, {"a": "c"}),
    ({"a": "c"}, {"a": ["b"]}, {"a": ["b"]}),
    ({"a": {"b": "c"}}, {"a": {"b": "d", "c": None}}, {"a": {"b": "d"}}),
    ({"a": [{"b": "c"}]}, {"a": [1]}, {"a": [1]}),
    (["a", "b"], ["c", "d"], ["c", "d"]),
    ({"a": "b"}, ["c"], ["c"]),
    ({"a": "foo"}, None, None),
    ({"a": "foo"}, "bar", "bar"),
    ({"e": None}, {"a": 1}, {"e": None, "a": 1}),
    ([1, 2], {"a": "b", "c": None}, {"a": "b"}),
    ({}, {"a": {"bb": {"ccc": None}}}, {"a": {"bb": {}}}),
]


@pytest.mark.parametrize(("target", "patch", "result"), APPENDIX)
def test_the_example_merges_as_the_appendix_of_the_rfc_does(target: Any, patch: Any, result: Any) -> None:
    assert merge(target, patch) == result


def resolved(schema: dict[str, Any]) -> tuple[dict[str, Any], bool]:
    """A schema without references, and whether it allows null."""
    if "$ref" in schema:
        return resolved(API["schemas"][schema["$ref"].rsplit("/", 1)[1]])
    if "anyOf" in schema:
        [inner] = [shape for shape in schema["anyOf"] if shape != {"type": "null"}]
        return resolved(inner)[0], len(schema["anyOf"]) > 1
    return schema, isinstance(schema.get("type"), list)


def objects(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """This schema and those of the objects in it that a merge patch enters: lists it replaces as a whole."""
    found, _ = resolved(schema)
    yield found
    for inner in found.get("properties", {}).values():
        yield from objects(inner)
    if isinstance(found.get("additionalProperties"), dict):
        yield from objects(found["additionalProperties"])


def test_no_member_of_a_state_means_one_thing_when_it_is_null_and_another_when_it_is_not_there() -> None:
    entered = [schema for schema in objects(STATE) if "properties" in schema or "additionalProperties" in schema]
    assert {"State", "RoundInPlay", "StepAwaited", "PublicDealt", "PublicShoe"} <= {shape["title"] for shape in entered}
    nullable = 0
    for schema in entered:
        for key, inner in schema.get("properties", {}).items():
            if resolved(inner)[1]:
                assert key in schema["required"] or key in OF_ITS_GAME[schema["title"]], (schema["title"], key)
                nullable += 1
        if "additionalProperties" in schema:
            assert not resolved(schema["additionalProperties"])[1], schema["title"]
    assert nullable > 20


def with_nulls(content: Any, schema: dict[str, Any], game: str) -> Any:
    """The content with the members that are null, which the document or the game requires and a merge leaves out."""
    found, _ = resolved(schema)
    if not isinstance(content, dict):
        return content
    if (values := found.get("additionalProperties")) is not None:
        return {key: with_nulls(inner, values, game) for key, inner in content.items()}
    own = found["properties"]
    whole = {key: with_nulls(inner, own[key], game) for key, inner in content.items()}
    required = {*found["required"], *NULLS.get((found["title"], game), ())}
    return whole | {key: None for key in required if key not in content}


def canonical(message: Any) -> str:
    return json.dumps(message, sort_keys=True, ensure_ascii=False)


@pytest.mark.parametrize("game", GAMES)
def test_a_follower_of_a_table_of_faults_has_every_state_to_the_last_null(game: str) -> None:
    differences, lost = Differences("state/differences"), list[str]()
    follower = Follower(lambda: lost.append("fetch"), lambda: None)
    octets = {"state": 0, "state/differences": 0}
    for topic, payload in messages(game):
        if topic != "state":
            continue
        differences.follow(payload)
        due = [patch for _, patch in differences.due()]
        for patch in due:
            assert follower.receive("state/differences", patch)
            octets["state/differences"] += len(patch)
        if not due:
            assert follower.state is None, "only the first state has no difference"
            follower.receive("state", payload)
        octets["state"] += len(payload)
        assert canonical(with_nulls(follower.state, STATE, game)) == canonical(json.loads(payload))
    assert not lost
    assert octets["state"] > 100_000 and octets["state/differences"] < octets["state"] / 4


def known(follower: Follower) -> bool:
    return follower.state is not None


def test_a_follower_notices_what_it_has_not_received() -> None:
    states = [payload for topic, payload in messages("fortune-8") if topic == "state"][:6]
    differences = Differences("")
    due = list[bytes]()
    for state in states:
        differences.follow(state)
        differences.follow(state)
        due += [patch for _, patch in differences.due()]
    assert len(due) == 5, "a state that stays makes no difference"
    fetched = list[str]()
    follower = Follower(lambda: fetched.append("whole"), lambda: fetched.append("no more"))
    assert not follower.receive("state/differences", due[0]) and fetched == ["whole"]
    assert follower.receive("state", states[2]) and follower.receive("state/differences", due[2])
    assert not follower.receive("state/differences", due[1]), "it came before"
    assert fetched == ["whole", "no more"] and follower.state == merge({}, json.loads(states[3]))
    assert not follower.receive("state/differences", due[4])
    assert fetched == ["whole", "no more", "whole"]
    assert not known(follower) and follower.receive("state", states[5])
    status = {"source": json.loads(states[5])["source"], "session": 1, "data": {"online": True}}
    follower.receive("status", json.dumps(status).encode())
    assert known(follower) and not follower.receive("state", b"")
    follower.receive("status", json.dumps({**status, "session": 2}).encode())
    assert not known(follower) and fetched[-1] == "whole"


def sessions(ids: Iterable[str]) -> set[str]:
    """The sessions at a broker that published the states of these ids."""
    return {id.rpartition("/")[0] for id in list(ids)}


def test_a_client_of_paho_has_every_state_through_faults_a_new_broker_and_a_killed_station(
    tmp_path: Path, mosquitto: Mosquitto
) -> None:
    options = ("--rounds", "24", "--seed", "5", "--faults", "0.5", "--broker", mosquitto.url)
    followed = dict[str, str]()
    with fast_table(tmp_path / "table", *options) as (bench, daemon), FloorEar(mosquitto.port) as ear:
        text = bench.config.read_text(encoding="utf-8")
        bench.config.write_text(text.replace("[floor]\n", "[floor]\nstate_differences = true\n"), encoding="utf-8")
        client = follow("127.0.0.1", mosquitto.port, BASE, lambda own: followed.update({own["id"]: canonical(own)}))
        client.reconnect_delay_set(1, 1)
        client.loop_start()
        try:
            daemon.start()
            bench.wait_rounds(4, 60)
            mosquitto.stop()
            mosquitto.start()
            # A quiet machine plays four rounds before anyone connects again.
            patiently(lambda: len(sessions(followed)) == 2, 60, "a state at the new broker")
            daemon.kill()
            daemon.start()
            bench.wait_finished(120)
            table = daemon.wait_answering()
            ear.wait_sequence(table["as_of"], 60)
            assert daemon.terminate() == 0
            ear.catch_up()
        finally:
            hang_up(client)
    states = {
        json.loads(message.payload)["id"]: canonical(merge({}, json.loads(message.payload)))
        for message in ear.messages
        if message.topic == f"{BASE}/state"
    }
    compared = states.keys() & followed.keys()
    assert all(states[id] == followed[id] for id in compared)
    assert len(sessions(compared)) == 3, "the sessions of the broker, the new one, the station"
    patched = sum(message.topic == f"{BASE}/state/differences" for message in ear.messages)
    assert len(compared) > len(states) * 0.8 and patched >= len(states) - 3
