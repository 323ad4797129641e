"""A mosquitto that an access list guards, and clients that try what it lets them do."""

import ssl
import subprocess
from collections.abc import Iterable
from pathlib import Path
from threading import Event
from typing import Any

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.reasoncodes import ReasonCode

from simulators.broker import free_port
from tests.floor.certificates import Authority
from tests.paho_end import hang_up
from tests.station.processes import Mosquitto, patiently

SECONDS = 60.0
PASSWORD = "correct horse"


class Client:
    """A connection of a user: what the broker answers to what it publishes, and what it is given."""

    def __init__(self, user: str, port: int, password: str | None = None, tls: ssl.SSLContext | None = None) -> None:
        self.user = user
        self.given: set[tuple[str, str]] = set()
        self.refused: ReasonCode | None = None
        self._sent: dict[int, str] = {}
        self._answers: dict[int, ReasonCode] = {}
        self._connected, self._subscribed = Event(), Event()
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
        if password is not None:
            self._client.username_pw_set(user, password)
        if tls is not None:
            self._client.tls_set_context(tls)
        self._client.on_connect = self._on_connect
        self._client.on_subscribe = lambda *_: self._subscribed.set()
        self._client.on_message = self._on_message
        self._client.on_publish = self._on_publish
        self._port = port

    def will(self, topic: str) -> None:
        self._client.will_set(topic, f"will of {self.user}", qos=1)

    def break_off(self) -> None:
        """End without taking leave, so that the broker publishes the will."""
        self._client.disconnect(reasoncode=ReasonCode(PacketTypes.DISCONNECT, identifier=0x04))
        self._client.loop_stop()

    def connect(self) -> bool:
        self._client.connect("127.0.0.1", self._port)
        self._client.loop_start()
        assert self._connected.wait(SECONDS), self.user
        return self.refused is None

    def subscribe(self, topic: str) -> None:
        """Return when the broker has answered, with all that it had for this client before."""
        self._subscribed.clear()
        self._client.subscribe(topic, qos=1)
        assert self._subscribed.wait(SECONDS), self.user

    def publish(self, topics: Iterable[str]) -> None:
        for topic in topics:
            self._sent[self._client.publish(topic, self.user, qos=1).mid] = topic
        patiently(lambda: len(self._answers) == len(self._sent), SECONDS, f"the answers to {self.user}")

    @property
    def answers(self) -> dict[str, ReasonCode]:
        """What the broker has answered to the message on each topic."""
        return {self._sent[mid]: reason for mid, reason in self._answers.items()}

    def close(self) -> None:
        hang_up(self._client)

    def _on_connect(self, client: Any, data: Any, flags: Any, reason: ReasonCode, properties: Any) -> None:
        self.refused = reason if reason.is_failure else None
        self._connected.set()

    def _on_message(self, client: Any, data: Any, message: mqtt.MQTTMessage) -> None:
        self.given.add((message.payload.decode(), message.topic))

    def _on_publish(self, client: Any, data: Any, mid: int, reason: ReasonCode, properties: Any) -> None:
        self._answers[mid] = reason


class Guarded:
    """A mosquitto with an access list and the settings of docs/access.md, for users who all have one password.

    It listens on a port without TLS and one with TLS for passwords, and on one for certificates.
    """

    def __init__(self, folder: Path, access: str, users: Iterable[str]) -> None:
        self.authority = Authority(folder)
        self.secure, self.certified = free_port(), free_port()
        passwords, self.list = folder / "passwords", folder / "acl"
        passwords.write_text("".join(f"{user}:{PASSWORD}\n" for user in users))
        subprocess.run(["mosquitto_passwd", "-U", passwords], check=True)
        self.list.write_text(access, encoding="utf-8")
        for file in (passwords, self.list):
            file.chmod(0o600)
        certificate, key = self.authority.sign("broker")
        tls = f"cafile {self.authority.file}\ncertfile {certificate}\nkeyfile {key}\n"
        settings = (
            f"allow_anonymous false\npassword_file {passwords}\nacl_file {self.list}\nmax_queued_messages 100000\n"
            f"max_inflight_messages 0\nlistener {self.secure} 127.0.0.1\n{tls}"
            f"listener {self.certified} 127.0.0.1\n{tls}require_certificate true\nuse_identity_as_username true"
        )
        self.broker = Mosquitto(folder / "broker", settings)

    def by_password(self, user: str) -> Client:
        return Client(user, self.broker.port, PASSWORD)

    def by_certificate(self, user: str) -> Client:
        tls = ssl.create_default_context(cafile=str(self.authority.file))
        tls.load_cert_chain(*self.authority.sign(user))
        return Client(user, self.certified, tls=tls)
