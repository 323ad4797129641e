"""What the service manager is told: readiness, and signs of life to its watchdog."""

import os
import socket


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
