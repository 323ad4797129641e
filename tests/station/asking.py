"""A table played while its broker is killed, and a subscriber that asks again for what it has not received."""

import json
import threading
import time
from contextlib import closing
from pathlib import Path

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.subscribeoptions import SubscribeOptions

from tests.paho_end import hang_up
from tests.station.floor_ear import BASE
from tests.station.processes import Mosquitto, archived_table
from tests.station.screen import get_table

ASK_AGAIN_SECONDS = 1.0


class Subscriber:
    """Keeps every message by its number; one that comes twice must be the same."""

    def __init__(self, port: int) -> None:
        self.kept: dict[int, bytes] = {}
        self.asked = 0
        self.through = 0  # as the table says on the archive's topic
        self.wrong: list[bytes] = []
        self._moved = threading.Event()
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
        self._client.reconnect_delay_set(1, 1)
        self._client.on_connect = self._connected
        self._client.on_message = self._received
        self._client.connect_async("127.0.0.1", port)
        self._client.loop_start()

    def _connected(self, *_: object) -> None:
        topics = ("events/#", "rounds", "answers/hall", "archives/hall")
        self._client.subscribe([(f"{BASE}/{topic}", SubscribeOptions(qos=1)) for topic in topics])

    def _received(self, _client: object, _userdata: object, message: mqtt.MQTTMessage) -> None:
        payload = bytes(message.payload)
        answer = json.loads(payload)
        sequence = answer.get("data", {}).get("sequence")
        if answer.get("type") == "dealer.station.archive":
            self.through = answer["data"]["through"]
        elif sequence is not None and self.kept.setdefault(sequence, payload) != payload:
            self.wrong.append(payload)
        self._moved.set()

    def catch_up(self, last: int, seconds: float) -> None:
        """Ask for what is missing until nothing is."""
        deadline = time.monotonic() + seconds
        while missing := [number for number in range(1, last + 1) if number not in self.kept]:
            assert time.monotonic() < deadline, f"{len(missing)} messages are missing, from {missing[0]} on"
            end = next((n for n in range(missing[0], last + 1) if n + 1 in self.kept or n == last), last)
            self._say("replay", {"first": missing[0], "last": end})
            self.asked += 1
            before = len(self.kept)
            while missing[0] not in self.kept or end not in self.kept:
                self._moved.clear()
                if not self._moved.wait(ASK_AGAIN_SECONDS) and len(self.kept) == before:
                    break  # the request, or its answer, was lost with a connection
                before = len(self.kept)

    def acknowledge(self, through: int, seconds: float) -> None:
        """As an archive does, again where the table does not show it: a table that connects misses a request."""
        journal = json.loads(self.kept[1])["id"].rpartition("/")[0]
        deadline = time.monotonic() + seconds
        while self.through != through:
            assert time.monotonic() < deadline, f"the archive's topic has {self.through} instead of {through}"
            self._moved.clear()
            self._say("acknowledge/hall", {"journal": journal, "through": through})
            self._moved.wait(ASK_AGAIN_SECONDS)

    def _say(self, request: str, content: dict[str, object]) -> None:
        properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
        properties.ResponseTopic, properties.CorrelationData = f"{BASE}/answers/hall", b"%d" % self.asked
        self._client.publish(f"{BASE}/requests/{request}", json.dumps(content), qos=1, properties=properties)

    def close(self) -> None:
        """Leave."""
        hang_up(self._client)


def played(folder: Path, rounds: int, kills: int, seconds: float) -> str:
    """Play; every message is there in the end, once by its id, and the archive has all of them."""
    with (
        Mosquitto(folder / "broker") as broker,
        archived_table(folder / "table", broker, "hall", "--rounds", str(rounds), "--seed", "5") as (bench, daemon),
        closing(Subscriber(broker.port)) as subscriber,
    ):
        daemon.start()
        for kill in range(kills):
            bench.wait_rounds(1 + kill * (rounds - 1) // kills, seconds)
            broker.kill()
            broker.start()
        bench.wait_finished(seconds)
        last = get_table(daemon.address)["as_of"]
        subscriber.catch_up(last, seconds)
        assert not subscriber.wrong
        for number, payload in sorted(subscriber.kept.items()):
            assert json.loads(payload)["id"].endswith(f"/{number}")
        subscriber.acknowledge(last, seconds)
        assert daemon.terminate() == 0
    return f"{rounds} rounds, {kills} kills of the broker, {last} messages, asked again {subscriber.asked} times"
