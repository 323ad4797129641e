"""`dealer-station witness`: cosigns the checkpoints of tables, on a computer that is none of theirs."""

import argparse
import asyncio
import time
from contextlib import suppress
from functools import partial
from pathlib import Path

import aiomqtt
import msgspec
import structlog

from controller.commands.output import refuse, say
from controller.commands.run import EXIT_CONFIGURATION, EXIT_CORRUPT
from controller.commands.signals import until_told
from controller.config.checkpoint import read_verifiers
from controller.config.document import BadConfiguration, read_document
from controller.config.floor import Floor, read_floor
from controller.config.section import Section
from controller.files import write_whole
from controller.floor.client import AcknowledgedClient, PublishRefused, cancellable, connection
from controller.floor.messages import cosignature
from controller.floor.shapes import SCHEMA, Cosignature, ToldCheckpoint
from controller.floor_connection import broker_of
from controller.telemetry import logs
from controller.times import now
from controller.tlog.notes import ED25519, BadKey, Signer, Verifier
from controller.tlog.witness import Seen, Verdict, Witness

AGAIN_SECONDS = 5.0  # after a broker that was lost
LOOK_SECONDS = 5.0
PROVED_MINUTES = 10

log = structlog.get_logger()


class WitnessConfig(msgspec.Struct, frozen=True):
    """Everything a witness needs to know."""

    path: Path
    floor: Floor
    key_file: Path
    state_file: Path
    tables: tuple[Verifier, ...]
    within: int


class _Told(msgspec.Struct):
    data: ToldCheckpoint


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Hears the checkpoints of tables over MQTT and cosigns each that goes on from the last one; what was rewound, "
        "forked or begun again it refuses, in its log and on its topic, until a person accepts it. It ends with exit "
        "code 65 while a table is refused. Its state file is all that it knows: keep it."
    )
    parser.add_argument("--config", type=Path, required=True, metavar="FILE", help="witness.toml")
    parser.add_argument(
        "--accept",
        action="append",
        default=[],
        metavar="TABLE",
        help="begin again with what it shows next, and end",
    )


def run(options: argparse.Namespace) -> int:
    """Witness until told to stop; returns the exit code."""
    logs.configure()
    try:
        config = read_witness_config(options.config)
        signer = Signer.read(config.key_file.read_text(encoding="ascii"))
        witness = Witness(signer, config.tables, _read(config.state_file), config.within)
    except BadConfiguration as bad:
        for mistake in bad.mistakes:
            refuse(mistake)
        return EXIT_CONFIGURATION
    except (OSError, BadKey, UnicodeDecodeError) as error:
        return refuse(error, EXIT_CONFIGURATION)
    except msgspec.DecodeError as error:
        return refuse(f"{options.config}: its state_file cannot be read: {error}", EXIT_CORRUPT)
    for table in options.accept:
        if table not in witness.tables:
            return refuse(f"{table} is none of {', '.join(witness.tables)}")
        witness.accept(table)
        _write(config.state_file, witness)
        say(f"{table}: what it shows next is cosigned")
    if options.accept:
        return 0
    asyncio.run(until_told(Witnessing(config, witness).run()))
    refused = {table: reason for table in witness.tables if (reason := witness.reason(table))}
    for table, reason in refused.items():
        refuse(f"{table}: {reason}")
    return EXIT_CORRUPT if refused else 0


def read_witness_config(path: Path) -> WitnessConfig:
    """The configuration in a file. Raises BadConfiguration with every mistake, or OSError."""
    return read_document(path, partial(_config, path))


def _config(path: Path, top: Section) -> WitnessConfig:
    section, folder = top.section("witness"), path.absolute().parent
    minutes = section.integer("proved_minutes", 1, 24 * 60, default=PROVED_MINUTES)
    config = WitnessConfig(
        path=path,
        floor=read_floor(top.section("floor"), folder),
        key_file=folder / section.text("key_file"),
        state_file=folder / section.text("state_file"),
        tables=read_verifiers(section, "tables", ED25519),
        within=60 * minutes,
    )
    for one in (section, top):
        one.end()
    return config


def _read(file: Path) -> dict[str, Seen]:
    with suppress(FileNotFoundError):
        return msgspec.json.decode(file.read_bytes(), type=dict[str, Seen])
    return {}


def _write(file: Path, witness: Witness) -> None:
    write_whole(file, msgspec.json.encode(witness.seen))


class Witnessing:
    """A witness at work."""

    def __init__(self, config: WitnessConfig, witness: Witness) -> None:
        self._config = config
        self._witness = witness
        self._broker = broker_of(config.floor, config.path)
        self._written = dict(witness.seen)

    async def run(self) -> None:
        """Hear and cosign until this is cancelled; the broker may be away for any time."""
        while True:
            try:
                async with connection(self._broker) as client:
                    await self._hear(client)
            except (aiomqtt.MqttError, PublishRefused, OSError) as error:
                log.warning("the broker is away", reason=str(error))
            await asyncio.sleep(AGAIN_SECONDS)

    async def _hear(self, client: AcknowledgedClient) -> None:
        for table in self._witness.tables:
            await self._tell(client, table)
            with cancellable():
                await client.subscribe(f"{table}/checkpoint", qos=1)
        log.info("witnessing", name=self._witness.name, tables=list(self._witness.tables))
        looking = asyncio.ensure_future(self._look(client))
        try:
            async for message in client.messages:
                table = str(message.topic).removesuffix("/checkpoint")
                if isinstance(message.payload, bytes) and message.payload and table in self._witness.tables:
                    await self._judge(client, table, message.payload)
        finally:
            looking.cancel()

    async def _judge(self, client: AcknowledgedClient, table: str, payload: bytes) -> None:
        note, addition = "", None
        with suppress(msgspec.DecodeError):
            told = msgspec.json.decode(payload, type=_Told).data
            note = told.note
            addition = next((one.text for one in told.additions if one.witness == self._witness.name), None)
        verdict = self._witness.judge(table, note, addition, int(time.time()), time.monotonic())
        if verdict is Verdict.REFUSED:
            log.error("refused", table=table, reason=self._witness.reason(table))
        elif last := self._witness.last(table):
            log.info(verdict.name.lower(), table=table, events=last.size)
        await self._tell(client, table)

    async def _look(self, client: AcknowledgedClient) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            for table in self._witness.overdue(time.monotonic()):
                log.error("refused", table=table, reason=self._witness.reason(table))
                await self._tell(client, table)

    async def _tell(self, client: AcknowledgedClient, table: str) -> None:
        """What the witness says of a table, once that is on the disk."""
        seen = self._witness.seen
        if seen != self._written:
            _write(self._config.state_file, self._witness)
            self._written = dict(seen)
        said = Cosignature(SCHEMA, seen[table].note, seen[table].refusal)
        payload = cosignature(self._witness.name, said, now())
        await client.deliver(f"{table}/cosignatures/{self._witness.name}", payload, retain=True)
