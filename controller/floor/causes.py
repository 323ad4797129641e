"""Why a broker is offline: the causes of errors of the system, TLS and MQTT. Their sentences are in `words`.

Without I/O. The sources are MQTT 5.0 (3.2.2.2, 3.4.2.1, 3.14.2.1), MQTT 3.1.1 (3.2.2.3; paho gives its codes the
numbers of 5.0), RFC 8446 (6.2) and OpenSSL's x509_vfy.h.
"""

import ssl
from collections.abc import Mapping

import aiomqtt
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.reasoncodes import ReasonCode

from controller.floor.broker import BadConnectionFile
from controller.rulebook.parts.faults import LossCause
from drivers.ports.causes import why_unreachable

CONNACK: Mapping[int, LossCause] = {
    0x80: "refused",
    0x81: "misunderstood",
    0x82: "misunderstood",
    0x83: "refused",
    0x84: "protocol",
    0x85: "client_id",
    0x86: "credentials",
    0x87: "credentials",
    0x88: "broker_busy",
    0x89: "broker_busy",
    0x8A: "banned",
    0x8C: "credentials",
    0x90: "not_authorised",
    0x95: "too_large",
    0x97: "quota",
    0x99: "misunderstood",
    0x9A: "unsupported",
    0x9B: "unsupported",
    0x9C: "moved",
    0x9D: "moved",
    0x9F: "broker_busy",
}
DISCONNECT: Mapping[int, LossCause] = {
    0x80: "hung_up",
    0x81: "misunderstood",
    0x82: "misunderstood",
    0x83: "refused",
    0x87: "not_authorised",
    0x89: "broker_busy",
    0x8B: "broker_stops",
    0x8D: "keepalive",
    0x8E: "taken_over",
    0x8F: "not_authorised",
    0x90: "not_authorised",
    0x93: "misunderstood",
    0x94: "misunderstood",
    0x95: "too_large",
    0x96: "quota",
    0x97: "quota",
    0x98: "ended_by_operator",
    0x99: "misunderstood",
    0x9A: "unsupported",
    0x9B: "unsupported",
    0x9C: "moved",
    0x9D: "moved",
    0x9E: "unsupported",
    0x9F: "broker_busy",
    0xA0: "ended_by_operator",
    0xA1: "unsupported",
    0xA2: "unsupported",
}
PUBACK: Mapping[int, LossCause] = {
    0x80: "refused",
    0x83: "refused",
    0x87: "not_authorised",
    0x90: "not_authorised",
    0x91: "misunderstood",
    0x95: "too_large",  # of mosquitto, which is none of MQTT 5.0
    0x97: "quota",
    0x99: "misunderstood",
}
OF_A_PACKET = {PacketTypes.CONNACK: CONNACK, PacketTypes.DISCONNECT: DISCONNECT, PacketTypes.PUBACK: PUBACK}
ALERTS: Mapping[str, LossCause] = {  # of the broker, as OpenSSL names them
    "SSLV3_ALERT_BAD_CERTIFICATE": "own_certificate_refused",
    "SSLV3_ALERT_UNSUPPORTED_CERTIFICATE": "own_certificate_refused",
    "SSLV3_ALERT_CERTIFICATE_REVOKED": "own_certificate_revoked",
    "SSLV3_ALERT_CERTIFICATE_EXPIRED": "own_certificate_expired",
    "SSLV3_ALERT_CERTIFICATE_UNKNOWN": "own_certificate_refused",
    "TLSV1_ALERT_UNKNOWN_CA": "own_certificate_untrusted",
    "TLSV1_ALERT_ACCESS_DENIED": "own_certificate_refused",
    "TLSV13_ALERT_CERTIFICATE_REQUIRED": "own_certificate_missing",
    "WRONG_VERSION_NUMBER": "not_tls",
    "RECORD_LAYER_FAILURE": "not_tls",
    "PACKET_LENGTH_TOO_LONG": "not_tls",
    "HTTP_REQUEST": "not_tls",
}
VERIFICATION: Mapping[int, LossCause] = {  # X509_V_ERR_…
    2: "certificate_untrusted",
    9: "certificate_not_yet_valid",
    10: "certificate_expired",
    18: "certificate_untrusted",
    19: "certificate_untrusted",
    20: "certificate_untrusted",
    21: "certificate_untrusted",
    23: "certificate_revoked",
    24: "certificate_untrusted",
    27: "certificate_untrusted",
    62: "certificate_wrong_name",
    64: "certificate_wrong_name",
}


class BrokerLost(aiomqtt.MqttError):
    """The broker is offline or refuses the client, for a known cause."""

    def __init__(self, cause: LossCause, reason: str) -> None:
        super().__init__(reason)
        self.cause: LossCause = cause


def cause_of_code(code: ReasonCode) -> LossCause:
    """The cause of a CONNACK, DISCONNECT or PUBACK that reports a failure."""
    return OF_A_PACKET[code.packetType].get(code.value, "refused")


def cause_of(error: BaseException) -> tuple[LossCause, str]:
    """The cause of an error, or of the error that it was raised from, with its text in English."""
    if isinstance(error, BrokerLost):
        return error.cause, str(error)
    if isinstance(error, aiomqtt.MqttError) and error.__cause__ is not None:
        return cause_of(error.__cause__)
    if isinstance(error, aiomqtt.MqttCodeError) and isinstance(error.rc, ReasonCode):
        return cause_of_code(error.rc), str(error.rc)
    if isinstance(error, BadConnectionFile):
        return "bad_file", str(error)
    if isinstance(error, ssl.SSLCertVerificationError):
        return VERIFICATION.get(error.verify_code, "tls_failed"), f"certificate verify failed: {error.verify_message}"
    if isinstance(error, ssl.SSLEOFError | ssl.SSLZeroReturnError):
        return "no_welcome", "the broker closed the connection in the TLS handshake"
    if isinstance(error, ssl.SSLError):
        why = (error.reason or str(error)).replace("_", " ").lower()
        return ALERTS.get(error.reason or "", "tls_failed"), f"TLS: {why}"
    return why_unreachable(error)
