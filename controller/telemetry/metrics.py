"""The metrics of a station, in Prometheus' text format, and the parts of an event for metrics and log."""

from collections.abc import Callable

import structlog
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Info, generate_latest

from controller.engine.state.alarms import AlarmAcknowledged
from controller.engine.state.applied import Event
from controller.engine.state.events import DeviceLost, DeviceReported, DeviceUp

COMMIT_SECONDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2.0)
PUBACK_SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 2.0, 10.0, 60.0, 600.0)


class Metrics:
    """The station's counters, in a registry of their own, so that two stations in one process do not mix."""

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
        self.unreported = Counter(
            "dealer_station_rounds_unreceived", "Rounds for which the broker had no receiver", registry=self._registry
        )
        self.unrecorded = Counter(
            "dealer_station_recorder_dropped_bytes",
            "Bytes of the wires that the flight recorder did not keep",
            registry=self._registry,
        )
        self.requests = Counter(
            "dealer_station_requests", "Requests of the floor", ["outcome"], registry=self._registry
        )
        self.link_dropped = Counter(
            "dealer_station_link_dropped",
            "Messages on a linked pot's topics that were malformed or cannot be true",
            registry=self._registry,
        )
        self.device_up = Gauge("dealer_station_device_up", "Whether a link works", ["device"], registry=self._registry)
        self.build = Info("dealer_station_build", "What runs here", registry=self._registry)
        self.commit = Histogram(
            "dealer_station_commit_duration_seconds",
            "From a batch until it is on the disk",
            buckets=COMMIT_SECONDS,
            registry=self._registry,
        )
        self.puback = Histogram(
            "dealer_station_puback_delay_seconds",
            "From a message on the disk until the broker has acknowledged it",
            buckets=PUBACK_SECONDS,
            registry=self._registry,
        )
        self.checkpoint = Histogram(
            "dealer_station_journal_checkpoint_duration_seconds",
            "What carrying the journal's log over into its file has taken",
            buckets=COMMIT_SECONDS,
            registry=self._registry,
        )
        self.outbox = Gauge(
            "dealer_station_outbox_messages", "Messages that the broker has not acknowledged", registry=self._registry
        )
        self.oldest = Gauge(
            "dealer_station_outbox_oldest_age_seconds",
            "Age of the oldest of them, 0 without any",
            registry=self._registry,
        )
        self.journal = Gauge(
            "dealer_station_journal_bytes", "Size of the journal on the disk", ["part"], registry=self._registry
        )
        self.alarms = Gauge(
            "dealer_station_alarm_active",
            "Each alarm that is listed: 1 while it is active, 0 over and not yet acknowledged",
            ["alarm", "level"],
            registry=self._registry,
        )
        self.clock = Gauge(
            "dealer_station_clock_synchronised", "Whether the computer's clock is synchronised", registry=self._registry
        )
        self.look: Callable[[], None] = lambda: None
        self.signed = Gauge(
            "dealer_station_checkpoint_timestamp_seconds", "When a checkpoint was last signed", registry=self._registry
        )
        self.cosigned = Gauge(
            "dealer_station_cosigned_timestamp_seconds",
            "When a witness last cosigned",
            ["witness"],
            registry=self._registry,
        )

    def text(self) -> bytes:
        """Prometheus' text format; `look` updates the gauges that nothing else updates."""
        self.look()
        return bytes(generate_latest(self._registry))


log = structlog.get_logger()


def log_event(event: Event, metrics: Metrics) -> None:
    """Count an event, and log it if it is of interest to readers of the log."""
    metrics.events.labels(event.__struct_config__.tag).inc()
    match event:
        case DeviceLost(device=device, reason=reason, cause=cause, again=again):
            log.warning("away for another cause" if again else "lost", device=device, reason=reason, cause=cause)
        case DeviceUp(device=device, outage_ms=outage_ms, tries=tries):
            log.info("back", device=device, outage_seconds=outage_ms / 1000, tries=tries)
        case DeviceReported(device=device, what=what, details=details, values=values):
            log.info("reported", device=device, what=what, details=details, **values)
        case AlarmAcknowledged(alarm=alarm, actor=actor):
            log.info("acknowledged", alarm=alarm, actor=actor)
