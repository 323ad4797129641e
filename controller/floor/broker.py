"""The settings of a connection to the broker, with its certificates."""

import ssl
from pathlib import Path

import msgspec

KEEPALIVE_SECONDS = 10  # a broker publishes the will of a silent connection after one and a half times as long


class TlsFiles(msgspec.Struct, frozen=True):
    """The certificates of a connection, in PEM: the broker's must be signed by `ca_file`, else by one of the system's.

    A revocation list in `ca_file` counts, too. The station shows its own certificate, if there is one.
    """

    ca_file: Path | None = None
    cert_file: Path | None = None
    key_file: Path | None = None


class Broker(msgspec.Struct, frozen=True):
    """The address of the broker and the settings of the connection; unencrypted without `tls`. Its files are read at
    each connection.
    """

    host: str
    port: int
    tls: TlsFiles | None = None
    protocol: str = "5"
    client_id: str | None = None
    username: str | None = None
    password_file: Path | None = None
    keepalive: int = KEEPALIVE_SECONDS


class BadConnectionFile(Exception):
    """A file of the connection cannot be used: `key` is the configuration's, `expected` what it should be."""

    def __init__(self, key: str, file: Path, expected: str) -> None:
        super().__init__(f"{key} = {file}: expected {expected}")
        self.key = key
        self.file = file
        self.expected = expected


def password(broker: Broker) -> str | None:
    """The present content of the password file. Raises BadConnectionFile."""
    if broker.password_file is None:
        return None
    try:
        return broker.password_file.read_text(encoding="utf-8-sig").strip()
    except OSError as error:
        raise BadConnectionFile(
            "password_file", broker.password_file, f"a file that can be read; {_what(error)}"
        ) from None
    except UnicodeDecodeError:
        raise BadConnectionFile("password_file", broker.password_file, "text in UTF-8") from None


def tls_context(files: TlsFiles) -> ssl.SSLContext:
    """A TLS context from the present content of these files. Raises BadConnectionFile."""
    try:
        context = ssl.create_default_context(cafile=files.ca_file)
    except (OSError, ssl.SSLError) as error:
        assert files.ca_file is not None, "the system's authorities are not read from a file"
        raise BadConnectionFile("ca_file", files.ca_file, f"certificates in PEM; {_what(error)}") from None
    if context.cert_store_stats()["crl"]:
        context.verify_flags |= ssl.VERIFY_CRL_CHECK_LEAF
    if files.cert_file is not None and files.key_file is not None:
        for key, file in (("cert_file", files.cert_file), ("key_file", files.key_file)):
            try:
                file.open("rb").close()
            except OSError as error:
                raise BadConnectionFile(key, file, f"a file that can be read; {_what(error)}") from None
        try:
            # With a pass phrase of its own, so that no one is asked for one where no one sits.
            context.load_cert_chain(files.cert_file, files.key_file, password="")
        except (OSError, ssl.SSLError) as error:
            expected = f"a certificate in PEM, and in key_file its key without a pass phrase; {_what(error)}"
            raise BadConnectionFile("cert_file", files.cert_file, expected) from None
    return context


def _what(error: OSError) -> str:
    if isinstance(error, ssl.SSLError):
        return error.reason or "not PEM"
    return error.strerror or str(error)
