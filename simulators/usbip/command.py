"""`dealer-station-sim usb`: its options, what it prints, and its exit codes."""

import argparse
import asyncio
import contextlib
import json
import sys
from pathlib import Path
from typing import Any

from simulators.faults.trouble import FaultSocket
from simulators.lifetime import listen_for_the_end, run_beside
from simulators.station_toml import TOML, read_setting

OK, FAILED = 0, 1
FAULTS_SOCKET = "usb-faults.sock"

EXAMPLE = """\
example, as root on a computer that has the kernel's module vhci_hcd and the command usbip:
  dealer-station-sim bench --dir /tmp/table
  dealer-station-sim usb --dir /tmp/table
  modprobe vhci_hcd && usbip list --remote 127.0.0.1 && usbip attach --remote 127.0.0.1 --busid 1-2
      the shuffler is /dev/ttyUSB0 now; `usbip detach --port 0` pulls it out
  echo 'slots:stall' | nc -UN /tmp/table/usb-faults.sock
      the next transfer of the slots halts its endpoint; `list` names every fault
"""


def add_usb(commands: "argparse._SubParsersAction[Any]") -> None:
    """The subcommand of the simulators' command line."""
    usb = commands.add_parser(
        "usb",
        help="the devices of a bench as real USB devices, over USB/IP",
        description="Export the devices of the bench in DIR over USB/IP on 127.0.0.1. Prints `ready 127.0.0.1:PORT`, "
        "then a JSON line for each host that comes or goes and for what it sets: control lines, bit rate, latency. "
        "Ends with SIGTERM, SIGINT or the end of standard input (if it is a pipe).",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    usb.add_argument("--dir", required=True, type=Path, metavar="DIR", help="the folder of a bench that runs")
    usb.add_argument("--port", type=int, default=3240, help="0 for a free one (default %(default)s, that of USB/IP)")


def run_usb(chosen: argparse.Namespace) -> int:
    """Exports the devices; returns the exit code."""
    try:
        asyncio.run(export_devices(chosen.dir, chosen.port))
    except (OSError, OverflowError, ValueError) as failure:
        print(f"dealer-station-sim: {failure}", file=sys.stderr)
        return FAILED
    return OK


async def export_devices(folder: Path, port: int) -> None:
    """Export the devices of this bench until the end is asked for. Raises OSError, OverflowError, ValueError."""
    from simulators.usbip.bus import SimulatedBus, bench_wires
    from simulators.usbip.server import UsbIpServer

    stop = asyncio.Event()
    listen_for_the_end(stop)
    bus = SimulatedBus(bench_wires(read_setting(folder / TOML), folder), observe)
    server, faults = UsbIpServer(bus.plugged, observe), FaultSocket(folder / FAULTS_SOCKET, bus.obey)
    async with contextlib.AsyncExitStack() as closing:
        found = await server.open(port)
        closing.callback(bus.close)
        closing.push_async_callback(server.close)
        await faults.open()
        closing.push_async_callback(faults.close)
        async with run_beside([bus.follow()], stop):
            print(f"ready 127.0.0.1:{found}", flush=True)
            await stop.wait()


def observe(device: str, what: str, **values: Any) -> None:
    """One line of standard output."""
    print(json.dumps({"device": device, "usb": what, **values}), flush=True)
