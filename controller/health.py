"""What the service manager and the metrics page are told: readiness, the watchdog, counters."""

import os
import socket

from prometheus_client import CollectorRegistry, Counter, Gauge, generate_latest


def notify(state: str) -> None:
    """Tell systemd, if it listens (sd_notify protocol)."""
    address = os.environ.get("NOTIFY_SOCKET")
    if not address:
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notifier:
        notifier.connect("\0" + address[1:] if address[0] == "@" else address)
        notifier.sendall(state.encode())


def watchdog_interval() -> float | None:
    """Seconds between two signs of life: half of what systemd allows, or None where it does not watch."""
    allowed = os.environ.get("WATCHDOG_USEC")
    return int(allowed) / 2_000_000 if allowed else None


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
