"""A process of a pit with one linked pot, to be killed: PORT DATABASE HOLDER TABLES MARKS."""

import asyncio
import sys
from pathlib import Path

from controller.engine.state.jackpot import MeterOpened
from controller.floor.broker import Broker
from controller.pit.ledger.state import PotLedger, new_ledger
from controller.pit.linking import Linking
from controller.pit.marks import Marks
from controller.pit.service import Service, ServiceIntervals
from controller.system.tasks import for_good
from tests.link.entries import FORTUNE, PARAMETERS
from tests.link.keys import PIT_KEY, table_keys
from tests.pit.linked_tables import LINK

OPENED = MeterOpened(20_100, 300, PARAMETERS)


def opening(tables: int) -> PotLedger:
    """A pot of so many tables."""
    names = tuple(f"macau-1/t-{number}" for number in range(tables))
    return new_ledger(LINK, FORTUNE, names, OPENED, table_keys(*names))


if __name__ == "__main__":
    port, database, holder, tables, marks = sys.argv[1:]
    link = Linking(opening(int(tables)), database, PIT_KEY, Marks(Path(marks)))
    pit = Service(Broker("127.0.0.1", int(port)), "pit-1", database, holder, ServiceIntervals(retry=0.2), [link])
    for_good()
    asyncio.run(pit.run())
