"""The metrics by Prometheus' naming rules, and each expression of the alert rules and the dashboard against them."""

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families

from controller.config.file import read_config
from controller.engine.state.alarms import active, raised, recorded_alarm
from controller.journal.records import Batch, OutboxRow
from controller.runtime.bus import Committed
from controller.station import Station
from simulators.broker import free_port
from tests.configured import configured
from tests.journal.keeping import STAMP

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
GAME = "fortune-3-card-poker-2025"
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
