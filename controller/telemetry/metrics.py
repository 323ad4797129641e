"""The counters and gauges of a station, in Prometheus' text format."""

from prometheus_client import CollectorRegistry, Counter, Gauge, generate_latest


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
