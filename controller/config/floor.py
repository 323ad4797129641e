"""The floor in the configuration file: where the broker is, and how station and broker prove who they are."""

from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

import msgspec

from controller.config.section import Section, is_loopback

MOST_ARCHIVES = 8
KEEP_DAYS = 30
MOST_KEEP_DAYS = 3653
ARCHIVE_MINUTES = 60
ARCHIVE_MESSAGES = 10_000
FILES = ("ca_file", "cert_file", "key_file")
LONGEST_CLIENT_ID = 23  # what every broker must take (MQTT 5, 3.1.3.1)


class Tls(msgspec.Struct, frozen=True):
    """PEM files of an ``mqtts`` connection. Without `ca_file` the system's authorities are trusted."""

    ca_file: Path | None
    cert_file: Path | None
    key_file: Path | None


class Floor(msgspec.Struct, frozen=True):
    """The broker, and for how long messages can be requested again. They are kept for `keep_days` and until each of the
    `archives` has them; an archive that is too many messages or minutes behind is an alarm.

    No `tls` is an open connection, no `client_id` one that the client makes up. `exposed` says that the password of a
    live table crosses a network in clear, which the configuration allows. `discovery` is the prefix under which Home
    Assistant is notified of the table. With `state_differences` what changes in `state` is published on a topic of its
    own, too.
    """

    host: str
    port: int
    tls: Tls | None
    protocol: Literal["5", "3.1.1"]
    client_id: str | None
    username: str | None
    password_file: Path | None
    keep_days: int = KEEP_DAYS
    discovery: str | None = None
    archives: tuple[str, ...] = ()
    archive_messages: int = ARCHIVE_MESSAGES
    archive_minutes: int = ARCHIVE_MINUTES
    state_differences: bool = False
    exposed: bool = False


def read_floor(section: Section, folder: Path, mode: str = "simulation") -> Floor:
    """The section ``[floor]``; files are relative to `folder`. In live mode no password is sent over a network
    unencrypted.
    """
    text = section.text("broker")
    scheme, host, port, path = _broker(text)
    if text and (scheme not in ("mqtt", "mqtts") or not host or path not in ("", "/")):
        section.report("broker", text, "mqtt://host:port or mqtts://host:port, the user in username")

    def file(key: str) -> Path | None:
        name = section.text(key, default="")
        return folder / name if name else None

    tls = Tls(**{key: file(key) for key in FILES})
    if scheme == "mqtt":
        for key in FILES:
            if key in section:
                section.report(key, section.peek(key), "no key, or a broker = mqtts://…: this connection has no TLS")
    elif tls.cert_file is None and tls.key_file is not None:
        section.report("key_file", section.peek("key_file"), "a cert_file beside it, whose key it is")
    elif tls.key_file is None and tls.cert_file is not None:
        section.report("cert_file", section.peek("cert_file"), "a key_file beside it, with its key")
    client_id = section.name("client_id") if "client_id" in section else None
    if client_id is not None and len(client_id) > LONGEST_CLIENT_ID:
        section.report("client_id", client_id, f"at most {LONGEST_CLIENT_ID} characters, which every broker takes")
    protocol = section.choice("protocol", ("5", "3.1.1"), default="5")
    archives = section.names("archives", MOST_ARCHIVES)
    if archives and protocol != "5":
        section.report("archives", list(archives), 'none, or protocol = "5": an archive needs MQTT 5')
    exposed = mode != "simulation" and scheme == "mqtt" and "password_file" in section and not is_loopback(host or "")
    if not section.choice("password_in_clear", (True, False), default=False) and exposed:
        expected = "mqtts://…, or a loopback address such as 127.0.0.1: others can read the password"
        section.report("broker", text, f"{expected}. password_in_clear = true allows it, and is an alarm at each start")
    discovery = section.name("discovery") if "discovery" in section else None
    floor = Floor(
        host=host or "",
        port=port or (8883 if scheme == "mqtts" else 1883),
        tls=tls if scheme == "mqtts" else None,
        protocol=protocol,
        client_id=client_id,
        username=section.text("username", default="") or None,
        password_file=file("password_file"),
        keep_days=section.integer("keep_days", 1, MOST_KEEP_DAYS, default=KEEP_DAYS),
        archives=archives,
        archive_messages=section.integer("archive_messages", 1, 10_000_000, default=ARCHIVE_MESSAGES),
        archive_minutes=section.integer("archive_minutes", 1, 7 * 24 * 60, default=ARCHIVE_MINUTES),
        discovery=discovery,
        state_differences=section.choice("state_differences", (True, False), default=False),
        exposed=exposed,
    )
    section.end()
    return floor


def _broker(text: str) -> tuple[str, str | None, int | None, str]:
    try:
        url = urlsplit(text)
        rest = url.path if url.username is None and not url.query and not url.fragment else text
        return url.scheme, url.hostname, url.port, rest
    except ValueError:  # a bracket that is not closed, a port that is none
        return "", None, None, ""
