"""The broker as the client needs it, and the certificates of its connection."""

import ssl
from pathlib import Path

import msgspec

KEEPALIVE_SECONDS = 10  # a broker publishes the will of a silent connection after one and a half times as long


class Broker(msgspec.Struct, frozen=True):
    """Where the broker is and how it is spoken to; without `tls` in the open."""

    host: str
    port: int
    tls: ssl.SSLContext | None = None
    protocol: str = "5"
    client_id: str | None = None
    username: str | None = None
    password: str | None = None
    keepalive: int = KEEPALIVE_SECONDS


class BadCertificate(Exception):
    """A file cannot be used for TLS: `key` is the configuration's, `expected` what it should be."""

    def __init__(self, key: str, file: Path, expected: str) -> None:
        super().__init__(f"{key} = {file}: expected {expected}")
        self.key = key
        self.file = file
        self.expected = expected


def tls_context(ca_file: Path | None, cert_file: Path | None, key_file: Path | None) -> ssl.SSLContext:
    """TLS by certificates: the broker's must be signed by `ca_file` (PEM; without it by an authority of the system).

    The station shows its own, if there is one. Raises BadCertificate.
    """
    try:
        context = ssl.create_default_context(cafile=ca_file)
    except (OSError, ssl.SSLError) as error:
        assert ca_file is not None, "the system's authorities are not read from a file"
        raise BadCertificate("ca_file", ca_file, f"certificates in PEM; {_what(error)}") from None
    if cert_file is not None and key_file is not None:
        for key, file in (("cert_file", cert_file), ("key_file", key_file)):
            try:
                file.open("rb").close()
            except OSError as error:
                raise BadCertificate(key, file, f"a file that can be read; {_what(error)}") from None
        try:
            # With a pass phrase of its own, so that nobody is asked for one where nobody sits.
            context.load_cert_chain(cert_file, key_file, password="")
        except (OSError, ssl.SSLError) as error:
            expected = f"a certificate in PEM, and in key_file its key without a pass phrase; {_what(error)}"
            raise BadCertificate("cert_file", cert_file, expected) from None
    return context


def _what(error: OSError) -> str:
    if isinstance(error, ssl.SSLError):
        return error.reason or "not PEM"
    return error.strerror or str(error)
