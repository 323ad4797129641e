"""`dealer-station witness`: cosigns the checkpoints of tables, on another computer."""

import argparse
import asyncio
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path

import msgspec

from controller.command_line.output import EXIT_CONFIGURATION, EXIT_CORRUPT, refuse, say
from controller.command_line.signals import until_signal
from controller.config.checkpoint import Witnessed, read_witnessed
from controller.config.document import BadConfiguration, read_document
from controller.config.floor import Floor, read_floor
from controller.config.floor_connection import broker_of
from controller.config.section import Section
from controller.floor.witnessing import Witnessing
from controller.system.files import write_whole
from controller.system.tasks import for_good
from controller.telemetry import logs
from controller.tlog.notes import BadKey
from controller.tlog.witness import Seen, Witness


class WitnessConfig(msgspec.Struct, frozen=True):
    """Everything a witness needs to know."""

    path: Path
    floor: Floor
    state_file: Path
    own: Witnessed


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Receives the checkpoints of tables over MQTT and cosigns each that continues the last one; what was rewound, "
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
    """Witness until it is asked to stop; returns the exit code."""
    logs.configure()
    try:
        config = read_witness_config(options.config)
        witness = config.own.ready()(_read(config.state_file))
    except BadConfiguration as bad:
        for mistake in bad.mistakes:
            refuse(mistake)
        return EXIT_CONFIGURATION
    except (OSError, BadKey) as error:
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
    asyncio.run(witnessing(config, witness))
    refused = {table: reason for table in witness.tables if (reason := witness.reason(table))}
    for table, reason in refused.items():
        refuse(f"{table}: {reason}")
    return EXIT_CORRUPT if refused else 0


def read_witness_config(path: Path) -> WitnessConfig:
    """The configuration in a file. Raises BadConfiguration with every mistake, or OSError."""
    return read_document(path, partial(_config, path))


def _config(path: Path, top: Section) -> WitnessConfig:
    section, folder = top.section("witness"), path.absolute().parent
    config = WitnessConfig(
        path=path,
        floor=read_floor(top.section("floor"), folder),
        state_file=folder / section.text("state_file"),
        own=read_witnessed(section, folder),
    )
    for read in (section, top):
        read.end()
    return config


def _read(file: Path) -> dict[str, Seen]:
    with suppress(FileNotFoundError):
        return msgspec.json.decode(file.read_bytes(), type=dict[str, Seen])
    return {}


def _write(file: Path, witness: Witness) -> None:
    write_whole(file, msgspec.json.encode(witness.seen))


async def witnessing(config: WitnessConfig, witness: Witness) -> None:
    """Receive and cosign until SIGTERM or SIGINT."""
    for_good()

    async def keep(seen: Mapping[str, Seen]) -> None:
        _write(config.state_file, witness)

    await until_signal(Witnessing(broker_of(config.floor, config.path), witness, keep).run())
