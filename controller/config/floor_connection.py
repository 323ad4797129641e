"""The configuration of the floor connection: the table's identity, and how station and pit reach the broker."""

import hashlib
from pathlib import Path

import msgspec

from controller.config.document import BadConfiguration
from controller.config.file import Config
from controller.config.floor import LONGEST_CLIENT_ID, Floor
from controller.config.section import Mistake
from controller.floor.broker import BadConnectionFile, Broker, TlsFiles, password, tls_context
from controller.floor.messages import Identity


def identity_of(config: Config, journal: str = "") -> Identity:
    """The identity in a table's messages; without a `journal` if only mode and money are needed."""
    return Identity(config.site, config.table, journal, config.mode, config.currency, config.exponent)


def broker_of_table(config: Config) -> Broker:
    """The broker to which the table connects. Raises BadConfiguration if a file cannot be used."""
    return msgspec.structs.replace(broker_of(config.floor, config.path), client_id=client_id(config))


def client_id(config: Config) -> str | None:
    """The client id of the table; None where each connection has another one.

    Over MQTT 3.1.1 it is fixed: a new connection ends an earlier one, with its will. Otherwise the broker would publish
    that will when the table is online again.
    """
    if config.floor.client_id is not None or config.floor.protocol == "5":
        return config.floor.client_id
    return client_id_of(config.site, config.table)


def client_id_of(site: str, table: str) -> str:
    """The client id of a table without one: letters and digits, as every broker takes them (MQTT 3.1.1, 3.1.3.1).

    >>> client_id_of("macau-1", "table-1")
    'macau1table107476fd8f0'
    """
    name = f"{site}/{table}"
    digest = hashlib.blake2s(name.encode(), digest_size=5).hexdigest()
    readable = "".join(filter(str.isalnum, name))
    return readable[-(LONGEST_CLIENT_ID - len(digest)) :] + digest


def broker_of(floor: Floor, path: Path) -> Broker:
    """The broker in the configuration file `path`. Raises BadConfiguration if a file cannot be used."""
    files = floor.tls
    broker = Broker(
        host=floor.host,
        port=floor.port,
        tls=None if files is None else TlsFiles(files.ca_file, files.cert_file, files.key_file),
        protocol=floor.protocol,
        client_id=floor.client_id,
        username=floor.username,
        password_file=floor.password_file,
    )
    try:
        password(broker)
        if broker.tls is not None:
            tls_context(broker.tls)
    except BadConnectionFile as bad:
        wrong = Mistake(f"floor.{bad.key}", str(bad.file), bad.expected)
        raise BadConfiguration(path, [wrong]) from None
    return broker
