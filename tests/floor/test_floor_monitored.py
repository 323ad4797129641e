"""What other programs read: Home Assistant's device discovery, Prometheus' metrics and rules, the dashboard."""

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families

from controller.config.document import BadConfiguration
from controller.config.file import read_config
from controller.engine.state.alarms import active, raised, recorded_alarm
from controller.floor.asyncapi import LINK, topics
from controller.floor.discovery import discovery
from controller.floor.messages import Identity
from controller.journal.records import Batch, OutboxRow
from controller.rulebook.games import GAMES
from controller.runtime.bus import Committed
from controller.station import Station
from simulators.broker import free_port
from simulators.games import GAMES as ON_THE_BENCH
from tests.configured import configured, table_toml
from tests.engine.playing import IDENTITY
from tests.floor.happened import messages
from tests.journal.keeping import STAMP

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


def test_a_prefix_of_more_than_one_level_is_refused(tmp_path: Path) -> None:
    text = table_toml(game=GAME, source="shuffler", broker="mqtt://127.0.0.1")
    file = tmp_path / "station.toml"
    file.write_text(text.replace("[floor]\n", '[floor]\ndiscovery = "home/assistant"\n'), encoding="utf-8")
    with pytest.raises(BadConfiguration) as refused:
        read_config(file)
    assert [mistake.key for mistake in refused.value.mistakes] == ["floor.discovery"]


EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"

OF_PROMETHEUS = {"job", "instance"}  # a target's own labels
FUNCTIONS = {"histogram_quantile", "rate", "increase", "label_values"}


async def exposition(folder: Path) -> str:
    """What a station reports Prometheus that has two messages to say, one of them acknowledged."""
    config = configured(folder, game=GAME, source="shuffler", listen=f"127.0.0.1:{free_port()}")
    station = await Station.open(read_config(config))
    try:
        message = b'{"time": "2026-03-14T14:33:24.184Z"}'
        rows = tuple(OutboxRow(number, "events/x", message) for number in (1, 2))
        await station.writer.commit(Batch(stamp=STAMP, outbox=rows))
        station.floor.durable(Committed(STAMP.time, (), station.loop.table, rows, (), 2))
        station.floor.on_acknowledged(1)
        station.metrics.refusals.inc()
        for labelled in (station.metrics.device_up, station.metrics.noise):
            labelled.labels("shoe")
        station.metrics.events.labels("round_confirmed")
        station.metrics.requests.labels("taken")
        station.metrics.cosigned.labels("w1")
        station.metrics.alarms.labels("of before", "warning")
        alarm = recorded_alarm(raised(active("changed"), STAMP.time))
        station.view.show(station.loop.table, 2, STAMP.time, alarm)
        return station.view.metrics().decode()
    finally:
        await station.close()


@pytest.fixture(scope="module")
def metrics(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Metric]:
    """Every family that a station exposes."""
    text = asyncio.run(exposition(tmp_path_factory.mktemp("metrics")))
    return {family.name: family for family in text_string_to_metric_families(text)}


def value(metrics: dict[str, Metric], name: str, **labels: str) -> float:
    """What one of them says."""
    [found] = [
        sample.value
        for family in metrics.values()
        for sample in family.samples
        if sample.name == name and labels.items() <= sample.labels.items()
    ]
    return float(found)


def test_every_metric_is_named_by_the_rules(metrics: dict[str, Metric]) -> None:
    ours = {name: metric for name, metric in metrics.items() if not name.endswith("_created")}
    assert len(ours) >= 14
    for name, family in ours.items():
        assert re.fullmatch(r"dealer_station(_[a-z]+)+", name), name
        assert family.documentation, name
        assert not name.endswith(("_total", "_count", "_sum", "_bucket"))
        assert family.type in ("counter", "gauge", "histogram"), name
        samples = {sample.name for sample in family.samples} - {f"{name}_created"}
        if family.type == "counter":
            assert samples <= {f"{name}_total"}
        if family.type == "histogram":
            assert name.endswith("_seconds")
            assert samples == {f"{name}_bucket", f"{name}_count", f"{name}_sum"}
        assert not re.search("_(ms|milliseconds|minutes|kb|mb|percent)($|_)", name), "base units alone"


def test_they_say_what_was_measured(metrics: dict[str, Metric]) -> None:
    assert value(metrics, "dealer_station_outbox_messages") == 1
    assert value(metrics, "dealer_station_outbox_oldest_age_seconds") > 0
    assert value(metrics, "dealer_station_puback_delay_seconds_count") == 1
    assert value(metrics, "dealer_station_commit_duration_seconds_count") == 1
    assert value(metrics, "dealer_station_journal_checkpoint_duration_seconds_count") == 1
    assert value(metrics, "dealer_station_journal_bytes", part="file") > 0
    assert value(metrics, "dealer_station_journal_bytes", part="segments") == 0
    assert value(metrics, "dealer_station_alarm_active", alarm="journal") == 1
    assert value(metrics, "dealer_station_clock_synchronised") in (0, 1)
    assert value(metrics, "dealer_station_build_info", game=GAME, mode="simulation") == 1
    assert "of before" not in {sample.labels["alarm"] for sample in metrics["dealer_station_alarm_active"].samples}


def expressions() -> Iterator[str]:
    """Those of the alert rules and of the dashboard."""
    rules = (EXAMPLES / "prometheus-rules.yml").read_text(encoding="utf-8")
    yield from re.findall(r"^ +expr: (.+)$", rules, re.M)
    board = json.loads((EXAMPLES / "grafana-dashboard.json").read_text(encoding="utf-8"))
    for panel in board["panels"]:
        for target in panel["targets"]:
            yield target["expr"]
            yield f"labels{{{', '.join(re.findall('{{([a-z]+)}}', target['legendFormat']))}}} of {target['expr']}"
    yield from (event["query"] for event in board["templating"]["list"] if event["type"] == "query")


def test_every_expression_asks_for_what_there_is(metrics: dict[str, Metric]) -> None:
    labels: dict[str, set[str]] = {"up": set()}
    for family in metrics.values():
        for sample in family.samples:
            labels.setdefault(sample.name, set()).update(sample.labels)
    every = [*expressions()]
    assert len(every) > 30
    asked = set()
    for expression in every:
        names = set(re.findall(r"\bdealer_station_\w+|\bup\b", expression))
        assert names and names <= labels.keys(), expression
        asked |= names
        known = set().union(*(labels[name] for name in names)) | OF_PROMETHEUS
        matched = re.findall(r"(\w+)\s*(?:=~|!~|!=|=)\s*\"", expression)
        listed = [name for some in re.findall(r"^labels{(.*?)}", expression) for name in re.findall("[a-z]+", some)]
        assert {*matched, *listed} <= known, expression
        assert expression.count("(") == expression.count(")") and expression.count("{") == expression.count("}")
        assert set(re.findall(r"(\w+)\(", expression)) <= FUNCTIONS, expression
    families = {name for name in metrics if not name.endswith("_created")}
    unseen = {name for name in families if not any(text.startswith(name) for text in asked)}
    assert unseen == set(), "neither an alert nor a panel looks at these"


def test_the_alert_rules_are_whole() -> None:
    rules = (EXAMPLES / "prometheus-rules.yml").read_text(encoding="utf-8")
    alerts = re.split(r"^ +- alert: ", rules, flags=re.M)[1:]
    names = [alert.partition("\n")[0] for alert in alerts]
    assert len({*names}) == len(names) > 8
    for alert in alerts:
        assert "expr: " in alert and re.search(r"labels: {severity: (critical|warning)}", alert)
        assert re.search(r'annotations: {summary: ".+"}', alert)
