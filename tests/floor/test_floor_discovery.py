"""Home Assistant's device discovery: the keys that its documentation requires, and what they point at."""

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from controller.config.document import BadConfiguration
from controller.config.file import read_config
from controller.floor.asyncapi import LINK, topics
from controller.floor.discovery import discovery
from controller.floor.messages import Identity
from controller.rulebook.games import GAMES
from controller.station import Station
from simulators.games import GAMES as ON_THE_BENCH
from tests.configured import table_toml
from tests.engine.playing import IDENTITY
from tests.floor.happened import messages

GAME = "fortune-3-card-poker-2025"
# "MQTT", home-assistant.io: device discovery wants `device` and `origin`, and `platform` with `unique_id` for each
# component; a device `identifiers` or `connections`, an origin its `name`, a sensor its `state_topic`, an availability
# its `topic`. The topic is <prefix>/device/[<node_id>/]<object_id>/config.
REQUIRED = {"device", "origin", "components"}
ALLOWED = {
    "": REQUIRED | {"availability", "qos"},
    "device": {"identifiers", "name", "model", "sw_version"},
    "origin": {"name", "sw_version", "support_url"},
    "availability": {"topic", "value_template"},
    "sensor": {
        "platform", "unique_id", "name", "state_topic", "value_template", "icon", "device_class", "unit_of_measurement",
        "suggested_display_precision",
    },
}  # fmt: skip
TOPIC = re.compile(r"homeassistant/device/([a-zA-Z0-9_-]+/)?[a-zA-Z0-9_-]+/config")


def announcement(
    identity: Identity = IDENTITY, jackpot: bool = True, link: str | None = None
) -> tuple[str, dict[str, Any]]:
    topic, payload = discovery(identity, "homeassistant", "1.2.3", jackpot, link)
    return topic, json.loads(payload)


def test_it_has_the_keys_that_home_assistant_requires_and_no_others() -> None:
    topic, content = announcement()
    assert TOPIC.fullmatch(topic)
    assert content.keys() >= REQUIRED and content.keys() <= ALLOWED[""]
    assert content["device"]["identifiers"] and content["device"].keys() <= ALLOWED["device"]
    assert content["origin"]["name"] and content["origin"].keys() <= ALLOWED["origin"]
    for place in content["availability"]:
        assert place["topic"] and place.keys() <= ALLOWED["availability"]
    ids = [component["unique_id"] for component in content["components"].values()]
    assert len({*ids}) == len(ids) == 4
    for component in content["components"].values():
        assert component["platform"] == "sensor" and component["state_topic"] and component.keys() <= ALLOWED["sensor"]


def test_a_name_with_a_point_makes_a_topic_all_the_same() -> None:
    topic, content = announcement(Identity("macau.1", "table.7", "j", "simulation", "MOP", 2))
    assert topic == "homeassistant/device/macau_1/table_7/config"
    assert content["components"]["pot"]["state_topic"] == "dealer/macau.1/table.7/jackpot"


@pytest.mark.parametrize(("game", "link"), [*((game, None) for game in GAMES), (GAME, "hall")])
def test_every_entity_shows_what_a_retained_topic_of_this_game_has(game: str, link: str | None) -> None:
    """Those of the table, which publishes `jackpot` where there is one, and the pot of a link."""
    retained = {topic.address for topic in topics() if topic.retained}
    data = {f"{IDENTITY.base}/{topic}": json.loads(text) for topic, text in messages(game) if topic in retained}
    if link is not None:
        del data[f"{IDENTITY.base}/jackpot"]
        [pot] = (topic for topic in LINK if topic.name == "pot")
        data[pot.address.format(site=IDENTITY.site, link=link)] = msgspec.to_builtins(pot.example)
    _, content = announcement(IDENTITY, "jackpot" in GAMES[game].betting.additional, link)
    asked = [
        *content["components"].values(),
        *({**topic, "state_topic": topic["topic"]} for topic in content["availability"]),
    ]
    for entity in asked:
        paths = re.findall(r"value_json\.([a-z_.]+)", entity["value_template"])
        assert paths
        for path in paths:
            value = data[entity["state_topic"]]
            for key in path.split("."):
                value = value[key]


@pytest.mark.parametrize("game", GAMES)
async def test_a_station_names_a_pot_where_its_game_has_one_and_no_other(tmp_path: Path, game: str) -> None:
    text = table_toml(game=game, source=ON_THE_BENCH[game].sources[0])
    file = tmp_path / "station.toml"
    file.write_text(text.replace("[floor]\n", '[floor]\ndiscovery = "homeassistant"\n'), encoding="utf-8")
    station = await Station.open(read_config(file))
    retained = station.floor.retained()
    [discovered] = (json.loads(payload) for topic, payload in retained.items() if topic.startswith("homeassistant/"))
    await station.close()
    assert ("pot" in discovered["components"]) == ("jackpot" in ON_THE_BENCH[game].additional)


@pytest.mark.parametrize(
    ("keys", "wrong"),
    [
        ('discovery = "homeassistant"', ""),
        ('discovery = "home/assistant"', "floor.discovery"),
    ],
)
def test_it_is_configured_by_its_prefix(tmp_path: Path, keys: str, wrong: str) -> None:
    text = table_toml(game=GAME, source="shuffler", broker="mqtt://127.0.0.1")
    file = tmp_path / "station.toml"
    assert "[floor]\n" in text
    file.write_text(text.replace("[floor]\n", f"[floor]\n{keys}\n"), encoding="utf-8")
    if not wrong:
        assert read_config(file).floor.discovery == "homeassistant"
        return
    with pytest.raises(BadConfiguration) as refused:
        read_config(file)
    assert [mistake.key for mistake in refused.value.mistakes] == [wrong]
