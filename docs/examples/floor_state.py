"""Follows the state of one table by what changes in it: `floor_state.py HOST PORT SITE TABLE`. It needs paho-mqtt.

It prints the state after each change, as a line of JSON without the members that are null. The table's configuration
has `state_differences = true`. The whole state is read where it begins, and wherever a difference does not continue the
state that it has.
"""

import json
import sys
from collections.abc import Callable
from typing import Any

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

Message = dict[str, Any]


def merge(target: Any, patch: Any) -> Any:
    """Apply a JSON merge patch, word for word as RFC 7396 has it."""
    if not isinstance(patch, dict):
        return patch
    if not isinstance(target, dict):
        target = {}
    for name, value in patch.items():
        if value is None:
            target.pop(name, None)
        else:
            target[name] = merge(target.get(name), value)
    return target


class Follower:
    """The state of a table, None while it is not known. `fetch` subscribes to the whole one, `leave` unsubscribes."""

    def __init__(self, fetch: Callable[[], object], leave: Callable[[], object]) -> None:
        self.state: Message | None = None
        self._fetch, self._leave = fetch, leave

    def receive(self, kind: str, payload: bytes | bytearray) -> bool:
        """Take a message of `status`, `state` or `state/differences`; whether the state is another one now."""
        if not payload:  # a topic was cleared
            return False
        message = json.loads(payload)
        if kind == "status":
            if message["data"]["online"] and self.state is not None and _session(message) != _session(self.state):
                self._lose()
            return False
        if kind == "state":
            self.state = merge({}, message)
            return True
        beginning, number = _number(message)
        own, last = _number(self.state or {"id": ""})
        if beginning == own and number <= last:
            return False
        if beginning != own or number > last + 1:
            self._lose()
            return False
        self.state = merge(self.state, message)
        self._leave()
        return True

    def _lose(self) -> None:
        self.state = None
        self._fetch()


def _session(message: Message) -> tuple[str, int]:
    return message["source"], message["session"]


def _number(message: Message) -> tuple[str, int]:
    """What is the same in all states of a session, and the number of this one."""
    beginning, _, number = message["id"].rpartition("/")
    return beginning, int(number or 0)


def follow(host: str, port: int, base: str, show: Callable[[Message], None]) -> mqtt.Client:
    """A client that follows the table below the topic `base`; its loop is not yet started."""
    client = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
    whole, differences, status = (f"{base}/{kind}" for kind in ("state", "state/differences", "status"))
    follower = Follower(lambda: client.subscribe(whole, 1), lambda: client.unsubscribe(whole))

    def connected(*_: object) -> None:
        client.subscribe([(differences, 1), (status, 1), (whole, 1)])

    def received(_client: mqtt.Client, _userdata: object, message: mqtt.MQTTMessage) -> None:
        if follower.receive(message.topic.removeprefix(f"{base}/"), message.payload) and follower.state is not None:
            show(follower.state)

    client.on_connect, client.on_message = connected, received
    client.connect(host, port)
    return client


def main(host: str, port: str, site: str, table: str) -> None:
    """Print the state after each change, until this is interrupted."""
    follow(host, int(port), f"dealer/{site}/{table}", lambda state: print(json.dumps(state), flush=True)).loop_forever()


if __name__ == "__main__":
    main(*sys.argv[1:])
