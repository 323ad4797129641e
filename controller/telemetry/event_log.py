"""What of a durable event goes into the log, and into the metrics."""

import structlog

from controller.engine.events import AlarmAcknowledged, DeviceLost, DeviceReported, DeviceUp, Event
from controller.telemetry.metrics import Metrics

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
