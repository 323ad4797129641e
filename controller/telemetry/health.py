"""What the service manager is told: readiness, and signs of life to its watchdog."""

import os
import socket

from controller.engine.state.events import DeviceLost
from controller.engine.state.table import Table, next_step


def notify(state: str) -> bool:
    """Tell systemd, if it listens (sd_notify protocol); one that is gone, as when the computer stops, is not told.

    Never waits: False where it has not read what was sent before, so that it takes no more now.
    """
    address = os.environ.get("NOTIFY_SOCKET")
    if not address:
        return True
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK) as notifier:
            notifier.connect("\0" + address[1:] if address[0] == "@" else address)
            notifier.sendall(state.encode())
    except BlockingIOError:
        return False
    except OSError:
        pass
    return True


def table_status(table: Table, leaving: bool = False) -> str:
    """The table on one line, for whoever asks the service manager how it is."""
    where = f"round {table.rounds}: {next_step(table).kind}" if table.round is not None else "between two rounds"
    lost = [name for name, state in sorted(table.devices.items()) if isinstance(state, DeviceLost)]
    return "; ".join(
        [
            where if table.open else "closed",
            *([f"no answer: {', '.join(lost)}"] if lost else []),
            *([f"alarms: {len(table.alarms)}"] if table.alarms else []),
            *(["leaves after this round for a newer station"] if leaving else []),
        ]
    )


def watchdog_interval() -> float | None:
    """Seconds between two signs of life: half of what systemd allows, or None where it does not watch."""
    allowed = os.environ.get("WATCHDOG_USEC")
    return int(allowed) / 2_000_000 if allowed else None
