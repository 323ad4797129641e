"""A pit that is signalled to stop while a page of it is open."""

import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from simulators.broker import free_port

SECONDS = 60.0
SERVE = """
import asyncio, sys
from controller.command_line.signals import until_signal
from controller.floor.broker import Broker
from controller.pit.picture import served
from controller.telemetry.logs import configure

async def serve(port):
    async with served(("127.0.0.1", port), Broker("127.0.0.1", 1), "host=127.0.0.1 port=1"):
        print("ready", flush=True)
        await asyncio.Event().wait()

configure()
asyncio.run(until_signal(serve(int(sys.argv[1]))))
"""
ASK = b"GET /tables/stream HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_a_pit_with_a_page_open_stops_without_a_traceback(sent: signal.Signals) -> None:
    port = free_port()
    with subprocess.Popen(
        ["env", "--default-signal=INT", sys.executable, "-c", SERVE, str(port)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    ) as pit:
        assert pit.stdout is not None
        assert pit.stdout.readline() == "ready\n"
        with socket.create_connection(("127.0.0.1", port)) as page:
            page.sendall(ASK)
            assert page.recv(65536)
            pit.send_signal(sent)
            _, errors = pit.communicate(timeout=SECONDS)
            while page.recv(65536):
                pass
    assert pit.returncode == 0
    assert [line for line in errors.splitlines() if "no messages of tables are received" not in line] == []
