"""What the configuration says to the floor: which table it is, and how station and pit come to its broker."""

from pathlib import Path

from controller.config.document import BadConfiguration
from controller.config.file import Config
from controller.config.floor import Floor
from controller.config.section import Mistake
from controller.floor.broker import BadCertificate, Broker, tls_context
from controller.floor.messages import Identity


def identity_of(config: Config, journal: str = "") -> Identity:
    """Whose messages a table sends; without a `journal` where none is sent, and only mode and money are asked for."""
    return Identity(config.site, config.table, journal, config.mode, config.currency, config.exponent)


def broker_of(floor: Floor, path: Path) -> Broker:
    """The broker of the configuration file `path`. Raises BadConfiguration where a file cannot be used."""
    try:
        password = floor.password_file.read_text().strip() if floor.password_file is not None else None
    except OSError as error:
        wrong = Mistake("floor.password_file", str(floor.password_file), f"a file that can be read; {error.strerror}")
        raise BadConfiguration(path, [wrong]) from None
    try:
        tls = None
        if floor.tls is not None:
            tls = tls_context(floor.tls.ca_file, floor.tls.cert_file, floor.tls.key_file)
    except BadCertificate as bad:
        wrong = Mistake(f"floor.{bad.key}", str(bad.file), bad.expected)
        raise BadConfiguration(path, [wrong]) from None
    return Broker(
        host=floor.host,
        port=floor.port,
        tls=tls,
        protocol=floor.protocol,
        client_id=floor.client_id,
        username=floor.username,
        password=password,
    )
