"""The counters and gauges of a station, in Prometheus' text format, and what of an event they and the log take."""

import structlog
from prometheus_client import CollectorRegistry, Counter, Gauge, generate_latest

from controller.engine.events import AlarmAcknowledged, DeviceLost, DeviceReported, DeviceUp, Event


class Metrics:
    """The station's counters, of one registry each, so that two stations in a process do not mix."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self.events = Counter("dealer_station_events", "Events committed", ["type"], registry=self._registry)
        self.refusals = Counter("dealer_station_refusals", "Inputs refused", registry=self._registry)
        self.commit_failures = Counter(
            "dealer_station_commit_failures", "Commits the journal could not make", registry=self._registry
        )
        self.noise = Counter(
            "dealer_station_noise_bytes", "Bytes that were no message", ["device"], registry=self._registry
        )
        self.device_up = Gauge("dealer_station_device_up", "Whether a link works", ["device"], registry=self._registry)

    def text(self) -> bytes:
        """Prometheus' text format."""
        return bytes(generate_latest(self._registry))


log = structlog.get_logger()


def log_event(event: Event, metrics: Metrics) -> None:
    """Count an event, and log it where somebody who reads the log wants to know of it."""
    metrics.events.labels(event.__struct_config__.tag).inc()
    match event:
        case DeviceLost(device=device, reason=reason):
            log.warning("lost", device=device, reason=reason)
        case DeviceUp(device=device, outage_ms=outage_ms, tries=tries):
            log.info("back", device=device, outage_seconds=outage_ms / 1000, tries=tries)
        case DeviceReported(device=device, what=what, text=text):
            log.info("reported", device=device, what=what, text=text)
        case AlarmAcknowledged(alarm=alarm, actor=actor):
            log.info("acknowledged", alarm=alarm, actor=actor)
