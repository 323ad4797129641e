"""The table of connections, causes and actions on the page of alarms: `make pages` writes it there."""

import errno
import re
from collections.abc import Iterator, Mapping

from controller.floor.causes import ALERTS, CONNACK, DISCONNECT, PUBACK, VERIFICATION
from controller.pit.database import SQLSTATES, DatabaseCause
from controller.rulebook.parts.faults import LossCause
from controller.words import Words, in_every_language, joined
from drivers.ports.causes import NETWORK, SERIAL, USB
from tests.docs.tables import PageTable

HEADER = (
    "| Connection | What is reported | Cause | English | Portuguese | Chinese |\n"
    "| --- | --- | --- | --- | --- | --- |\n"
)
LANGUAGES = ("en", "pt", "zh")
NO_ANSWER = {"en": "It does not answer", "pt": "Não responde", "zh": "沒有回應"}
DATABASE = "pit's database"
OF_ITSELF: Mapping[str, Mapping[LossCause | DatabaseCause, str]] = {  # causes without a code
    "serial port": {"silent": "the device does not answer", "unplugged": "the port hangs up"},
    "USB device": {"silent": "the device does not answer, or takes nothing"},
    "serial server": {
        "name_unknown": "getaddrinfo",
        "silent": "the device does not answer",
        "hung_up": "the server closes the connection",
    },
    "broker": {
        "name_unknown": "getaddrinfo",
        "no_answer": "no CONNACK, PUBACK or SUBACK in time",
        "keepalive": "no answer to a ping",
        "hung_up": "it closes the connection and gives no reason",
        "taken_over": "it closes each of three connections within 30 s (with a `client_id`)",
        "no_welcome": "it closes the connection before its CONNACK, or within the TLS handshake",
        "too_large": "its CONNACK allows shorter packets only",
        "tls_failed": "any other error of TLS",
        "misunderstood": "a malformed packet",
        "bad_file": "a file of `[floor]` cannot be read or used",
    },
    "pit of a linked jackpot": {
        "no_answer": "nothing was received for some seconds",
        "stopped": "",
        "broken": "",
        "other_chip": "",
        "not_taken_up": "",
        "other_keys": "",
    },
    DATABASE: {
        "name_unknown": "getaddrinfo",
        "nothing_listens": "ECONNREFUSED; ENOENT of a socket",
        "unreachable": "EHOSTUNREACH; ENETUNREACH",
        "no_answer": "ETIMEDOUT; no answer within `connect_timeout`",
        "tls_failed": "an error of TLS",
        "unknown": "anything else",
    },
}
NAMES = {value: name for name, value in vars(errno).items() if name.startswith("E") and name != "EWOULDBLOCK"}


def reports() -> Iterator[tuple[str, LossCause | DatabaseCause, str]]:
    """Each connection with a cause and one thing that is reported for it."""
    for connection, errors in (("serial port", SERIAL), ("USB device", USB)):
        yield from ((connection, cause, NAMES[number or 0]) for number, cause in errors.items())
    for connection in ("serial server", "broker"):
        yield from ((connection, cause, NAMES[number or 0]) for number, cause in NETWORK.items())
    codes = {"CONNACK": CONNACK, "DISCONNECT": DISCONNECT, "PUBACK": PUBACK}
    for packet, causes in codes.items():
        yield from (("broker", cause, f"{packet} 0x{code:02X}") for code, cause in causes.items())
    yield from (("broker", cause, f"X509_V_ERR {code}") for code, cause in VERIFICATION.items())
    yield from (("broker", cause, f"`{alert}`") for alert, cause in ALERTS.items())
    yield from ((DATABASE, cause, f"SQLSTATE {code}") for code, cause in SQLSTATES.items())
    for connection, own in OF_ITSELF.items():
        yield from ((connection, cause, reported) for cause, reported in own.items())


def table() -> str:
    """The table as it should be on the page."""
    lines: dict[tuple[str, LossCause | DatabaseCause], list[str]] = {}
    for connection, cause, reported in reports():
        lines.setdefault((connection, cause), []).append(reported)
    order = list(OF_ITSELF)
    return HEADER + "".join(
        f"| {connection} | {_joined(reported)} | `{cause}` | {' | '.join(_sentences(connection, cause))} |\n"
        for (connection, cause), reported in sorted(lines.items(), key=lambda line: order.index(line[0][0]))
    )


def _joined(reported: list[str]) -> str:
    """Codes of one packet share its name."""
    found: dict[str, list[str]] = {}
    for error in reported:
        code = re.fullmatch(r"(\w+) (0x\w+|\d\w*)", error)
        name, number = code.groups() if code else (error, "")
        found.setdefault(name, []).append(number)
    return "; ".join(" ".join([name, *numbers]).strip() for name, numbers in found.items() if name)


def _sentences(connection: str, cause: str) -> list[str]:
    words = in_every_language("pit_alarms", f"database_away/{cause}") if connection == DATABASE else _lost(cause)
    return [_begun(words[language], language) for language in LANGUAGES]


def _lost(cause: str) -> Words:
    """What is wrong, then what to do."""
    text = in_every_language("alarm_texts", f"device_lost/{cause}", no_answer="")
    return joined((text, in_every_language("alarm_actions", f"device_lost/{cause}")))


def _begun(sentence: str, language: str) -> str:
    """Without what is in the way of a sentence that begins here, or with what it depends on."""
    if sentence[0] in ",，":
        return NO_ANSWER[language] + sentence
    rest = sentence.lstrip(" .,:。，：")
    return rest[:1].upper() + rest[1:]


TABLE = PageTable("alarms.md", HEADER, table)

if __name__ == "__main__":
    TABLE.write()
