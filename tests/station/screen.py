"""The station's HTTP face as any client sees it: the table read, inputs posted, the stream followed."""

import contextlib
import http.client
import json
import socket
import threading
import time
import uuid
from collections.abc import Callable
from typing import Any

ANSWER_SECONDS = 60.0
Address = tuple[str, int]


class Unreachable(Exception):
    """No one answers at the address now."""


def request(
    address: Address, method: str, path: str, body: bytes | None = None, content_type: str = "application/json"
) -> tuple[int, bytes]:
    """One request on a connection of its own: status and body. Raises Unreachable."""
    connection = http.client.HTTPConnection(*address, timeout=ANSWER_SECONDS)
    try:
        connection.request(method, path, body, {} if body is None else {"Content-Type": content_type})
        answer = connection.getresponse()
        return answer.status, answer.read()
    except (OSError, http.client.HTTPException) as failure:
        raise Unreachable(str(failure)) from failure
    finally:
        connection.close()


def get_table(address: Address) -> dict[str, Any]:
    """The projection. Raises Unreachable."""
    status, body = request(address, "GET", "/table")
    assert status == 200, (status, body)
    table: dict[str, Any] = json.loads(body)
    return table


def post(address: Address, inputs: object) -> tuple[int, dict[str, Any]]:
    """Post inputs: status and answer. Raises Unreachable."""
    status, body = request(address, "POST", "/inputs", json.dumps(inputs).encode())
    return status, json.loads(body)


def entered(table: dict[str, Any], kind: str, actor: str = "ana", **fields: object) -> dict[str, Any]:
    """An input of a person who sees `table`."""
    return {
        "input_id": uuid.uuid4().hex, "step_id": table["step"]["id"], "actor": actor, "kind": kind, **fields,
    }  # fmt: skip


def active_alarms(table: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The alarms of a table that are not over, by name."""
    return {alarm["name"]: alarm for alarm in table["alarms"] if not alarm["over"]}


def acknowledged(address: Address, alarm: str, actor: str = "ana") -> dict[str, Any]:
    """Acknowledge an alarm that is listed; the last of its name in the log afterwards. Raises Unreachable."""
    taken = {"input_id": uuid.uuid4().hex, "step_id": "table", "actor": actor, "kind": "acknowledge", "alarm": alarm}
    status, answer = post(address, taken)
    assert status == 200, answer
    return last_alarm(address, alarm)


def last_alarm(address: Address, alarm: str) -> dict[str, Any]:
    """The last alarm of this name in the log. Raises Unreachable."""
    status, body = request(address, "GET", "/alarms?last=1000")
    assert status == 200, body
    found: dict[str, Any] = next(known for known in json.loads(body)["alarms"] if known["alarm"] == alarm)
    return found


class Stream:
    """Follows /stream on a thread, over every restart of the daemon; `seen` is called with each projection's bytes."""

    def __init__(self, address: Address, seen: Callable[[bytes], None]) -> None:
        self._address = address
        self._seen = seen
        self._ending = False
        self._socket: socket.socket | None = None
        self._thread = threading.Thread(target=self._follow)
        self._thread.start()

    def close(self) -> None:
        """Hang up and end the thread."""
        self._ending = True
        if self._socket is not None:
            with contextlib.suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)
        self._thread.join(ANSWER_SECONDS)

    def _follow(self) -> None:
        while not self._ending:
            with contextlib.suppress(OSError):
                self._follow_once()
            time.sleep(0.01)

    def _follow_once(self) -> None:
        host, port = self._address
        with socket.create_connection(self._address, ANSWER_SECONDS) as line:
            self._socket = line
            line.sendall(f"GET /stream HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
            rest = b""
            while not self._ending and (piece := line.recv(65536)):
                *whole, rest = (rest + piece).split(b"\n\n")
                for event in whole:
                    _, data, projection = event.partition(b"data: ")
                    if data:
                        self._seen(projection)
        self._socket = None
