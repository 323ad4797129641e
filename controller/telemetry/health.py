"""Notifies the service manager: of readiness, and regularly for its watchdog."""

import asyncio
import os
import socket

from controller.engine.state.events import DeviceLost
from controller.engine.state.table import Table, next_step

NOTIFY_SECONDS = 0.1  # between two tries to report that the station is ready


def notify(state: str) -> bool:
    """Notify systemd, if it listens (sd_notify protocol); a failure, as when the computer stops, is not reported.

    Never waits: returns False if systemd has not read earlier notifications and accepts no more now.
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
    """The table on one line, for anyone who asks the service manager how it is."""
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


class ServiceManager:
    """Reports to systemd, if it started the station: readiness, signs of life, the status of the table."""

    def __init__(self) -> None:
        self._status = ""

    async def ready(self) -> None:
        """Report that the station is ready, until it is taken."""
        while not notify("READY=1"):  # noqa: ASYNC110 the service manager is another process
            await asyncio.sleep(NOTIFY_SECONDS)

    def show(self, table: Table, leaving: bool) -> None:
        """Reports the table's status if it has changed."""
        status = table_status(table, leaving)
        if status != self._status and notify(f"STATUS={status}"):
            self._status = status

    async def keep_alive(self) -> None:
        """Notify the watchdog until cancelled, if there is one."""
        interval = watchdog_interval()
        while interval is not None:
            notify("WATCHDOG=1")
            await asyncio.sleep(interval)


def watchdog_interval() -> float | None:
    """Seconds between two signs of life: half of the time that systemd allows, or None if it does not watch."""
    allowed = os.environ.get("WATCHDOG_USEC")
    return int(allowed) / 2_000_000 if allowed else None
