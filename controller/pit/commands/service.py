"""`dealer-pit run`, and the commands that prepare it: `check_config`, `pin`, `accept`, `schema`."""

import argparse
import asyncio
import sys
from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from controller.command_line.output import EXIT_CONFIGURATION, EXIT_UNAVAILABLE
from controller.command_line.signals import until_signal

if TYPE_CHECKING:
    from controller.pit.config import PitConfig
    from controller.tlog.notes import Signer
    from controller.tlog.witness import Seen, Witness


def check_config(config: "PitConfig", given: argparse.Namespace) -> int:
    """Prints every mistake, or a summary of the pit if there is none; returns the exit code."""
    from controller.pit.decisions import is_fit

    if not asyncio.run(until_signal(is_fit(config.database))):
        return EXIT_CONFIGURATION
    print(f"{given.config}: good")
    for link in config.links:
        print(f"link {link.link}: {link.game}, {', '.join(link.tables)}")
    for authorisation in config.authorisations:
        print(f"{authorisation.subject} authorised: {authorisation.reference}, {authorisation.date}")
    return 0


def pin(config: "PitConfig", given: argparse.Namespace) -> int:
    """Changes or lists PINs; returns the exit code."""
    from controller.command_line.pins import change_pins

    return change_pins(config, given)


def add_accept(parser: argparse.ArgumentParser) -> None:
    """The arguments of `accept`."""
    parser.add_argument("table", metavar="TABLE", help="such as dealer/macau-1/table-1")


def accept_checkpoint(config: "PitConfig", given: argparse.Namespace) -> int:
    """Lets the witness begin again with a table; returns the exit code."""
    from controller.pit.decisions import accept_checkpoint

    return accept_checkpoint(config, given.table)


def schema(given: argparse.Namespace) -> int:
    """Prints the schema; returns the exit code."""
    from controller.pit.archive import SCHEMA

    print(SCHEMA.read_text(encoding="utf-8"), end="")
    return 0


def run(config: "PitConfig", given: argparse.Namespace) -> int:
    """Receives and stores messages until it is stopped; returns the exit code."""
    from controller.console.listening import CannotListen
    from controller.pit.decisions import is_fit
    from controller.system.tasks import for_good
    from controller.telemetry.logs import configure
    from controller.tlog.notes import BadKey

    where = "witness"
    try:
        witness = None if config.witness is None else config.witness.ready()
        where = "signing"
        signer = config.signer()
    except BadKey as wrong:
        print(f"dealer-pit: {where}.key_file: {wrong}", file=sys.stderr)
        return EXIT_CONFIGURATION
    configure()

    async def work() -> int:
        if not await is_fit(config.database):
            return EXIT_CONFIGURATION
        for_good()
        await _serve(config, witness, signer)
        return 0

    try:
        return asyncio.run(until_signal(work())) or 0
    except CannotListen as taken:
        print(
            f"dealer-pit: {taken}: stop the program that listens there, or configure another address", file=sys.stderr
        )
        return EXIT_UNAVAILABLE


async def _serve(
    config: "PitConfig", witness: "Callable[[dict[str, Seen]], Witness] | None", signer: "Signer | None"
) -> None:
    from controller.pit.alarms import Alarms, watch_clock
    from controller.pit.lease import lease_holder
    from controller.pit.linking import Linking
    from controller.pit.links_watch import LinksWatch
    from controller.pit.marks import Marks
    from controller.pit.picture import served
    from controller.pit.service import Service
    from controller.system.tasks import ended

    alarms, links = Alarms(), LinksWatch(config.database)
    linkings = [Linking(link, config.database, signer, Marks(config.marks)) for link in config.links if signer]
    service = Service(
        config.broker, config.archive, config.database, lease_holder(), links=linkings, witness=witness, alarms=alarms
    )
    async with AsyncExitStack() as open_things:
        if config.listen is not None:
            own = None if witness is None else witness({}).verifier
            page = served(
                config.listen, config.broker, config.database, config.people, config.log_in, own, links, alarms
            )
            await open_things.enter_async_context(page)
        for watch in (watch_clock(alarms), *((links.run(),) if config.links else ())):
            open_things.push_async_callback(ended, asyncio.create_task(watch))
        await service.run()
