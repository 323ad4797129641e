"""More connections than the daemon has descriptors, none of which ever asks for anything: the table continues."""

import resource
import socket
from contextlib import ExitStack
from pathlib import Path

from tests.station.processes import Mosquitto, fast_table
from tests.station.screen import entered, get_table, post

DESCRIPTORS = 1024  # what systemd gives a service that asks for nothing
HALF_OPEN = 1100


def test_a_thousand_half_open_connections_are_one_line_in_the_log_and_inputs_are_answered(
    tmp_path: Path, broker: Mosquitto
) -> None:
    least, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    assert most >= HALF_OPEN + 200, "this test needs more descriptors (ulimit -Hn)"
    options = ("--rounds", "1", "--broker", broker.url)
    with fast_table(tmp_path / "table", *options, service=True) as (bench, daemon), ExitStack() as stack:
        stack.callback(resource.setrlimit, resource.RLIMIT_NOFILE, (least, most))
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(DESCRIPTORS, most), most))
        daemon.start()
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        bench.wait_finished(60)
        for _ in range(HALF_OPEN):
            connection = stack.enter_context(socket.create_connection(daemon.address))
            connection.sendall(b"GET /table HTTP/1.1\r\nhost: 127.0.0.1\r\n")
        table = get_table(daemon.address)
        for _ in range(20):
            status, answer = post(daemon.address, entered(table, "confirm"))
            assert status == 422, answer
        log = daemon.log.read_text()
        assert log.count("too many connections") == 1 and "Traceback" not in log
        assert daemon.terminate() == 0
