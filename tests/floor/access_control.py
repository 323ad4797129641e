"""Certificates made on the spot, a mosquitto that an access list guards, and clients that try what it lets them do."""

import datetime
import ipaddress
import ssl
import subprocess
from collections.abc import Iterable
from pathlib import Path
from threading import Event
from typing import Any

import paho.mqtt.client as mqtt
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.reasoncodes import ReasonCode

from simulators.broker import free_port
from tests.paho_end import hang_up
from tests.station.processes import Mosquitto, patiently

DAY = datetime.timedelta(days=1)


Valid = tuple[datetime.timedelta, datetime.timedelta]  # from and until, from now on
A_YEAR: Valid = -DAY, 365 * DAY


class Authority:
    """Signs certificates into a folder; its own is there as ``{name}.pem``."""

    def __init__(self, folder: Path, name: str = "authority", valid: Valid = A_YEAR) -> None:
        self._folder = folder
        self._name = _named(name)
        self._key = ec.generate_private_key(ec.SECP256R1())
        own = self._signed(name, self._key, valid)
        own = own.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        self.file = self._write(f"{name}.pem", own)

    def sign(self, name: str, valid: Valid = A_YEAR, host: str = "127.0.0.1") -> tuple[Path, Path]:
        """Certificate and key with this common name, valid for this host too."""
        key = ec.generate_private_key(ec.SECP256R1())
        named = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address(host))])
        key_file = self._folder / f"{name}.key"
        key_file.write_bytes(_pem(key, serialization.NoEncryption()))
        signed = self._signed(name, key, valid).add_extension(named, critical=False)
        return self._write(f"{name}.pem", signed), key_file

    def revoke(self, certificate: Path) -> Path:
        """A revocation list with this one certificate."""
        now = datetime.datetime.now(datetime.UTC)
        number = x509.load_pem_x509_certificate(certificate.read_bytes()).serial_number
        revoked = x509.RevokedCertificateBuilder().serial_number(number).revocation_date(now - DAY).build()
        builder = x509.CertificateRevocationListBuilder(self._name, now - DAY, now + DAY, [], [revoked])
        file = certificate.with_suffix(".crl")
        file.write_bytes(builder.sign(self._key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))
        return file

    def _signed(self, name: str, key: ec.EllipticCurvePrivateKey, valid: Valid) -> x509.CertificateBuilder:
        now = datetime.datetime.now(datetime.UTC)
        return x509.CertificateBuilder(
            issuer_name=self._name,
            subject_name=_named(name),
            public_key=key.public_key(),
            serial_number=x509.random_serial_number(),
            not_valid_before=now + valid[0],
            not_valid_after=now + valid[1],
        )

    def _write(self, name: str, certificate: x509.CertificateBuilder) -> Path:
        file = self._folder / name
        file.write_bytes(certificate.sign(self._key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))
        return file


def with_pass_phrase(key_file: Path) -> Path:
    """The same key in a file that asks for a pass phrase."""
    key = serialization.load_pem_private_key(key_file.read_bytes(), None)
    assert isinstance(key, ec.EllipticCurvePrivateKey)
    locked = key_file.with_suffix(".locked")
    locked.write_bytes(_pem(key, serialization.BestAvailableEncryption(b"secret")))
    return locked


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _pem(key: ec.EllipticCurvePrivateKey, encryption: serialization.KeySerializationEncryption) -> bytes:
    return key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, encryption)


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
