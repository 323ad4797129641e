"""`dealer-pit messages`: messages as the tables published them."""

from typing import Any

from psycopg import AsyncConnection

from controller.command_line.output import say
from controller.pit.config import PitConfig
from controller.pit.envelopes import LAST, of_journal
from controller.pit.inbox import TableJournal
from controller.pit.one_moment import in_one_moment
from controller.pit.refusals import refuse

DIGITS = 19  # of a bigint
_TABLES = 'SELECT site, "table" FROM pit.journals WHERE journal = %s ORDER BY 1, 2'


def print_messages(config: PitConfig, which: str) -> int:
    """Prints the messages of JOURNAL, JOURNAL/SEQUENCE or JOURNAL/FIRST-LAST, one a line; returns the exit code."""
    journal, _, numbers = which.partition("/")
    first, dash, last = numbers.partition("-")
    given = [number for number in (first, last if dash else "") if number]
    if not all(number.isdecimal() and len(number) < DIGITS for number in given) or bool(dash) != (len(given) == 2):
        return refuse(f"{which}: expected JOURNAL, JOURNAL/SEQUENCE or JOURNAL/FIRST-LAST")
    begin, end = (int(given[0]), int(given[-1])) if given else (1, LAST)

    async def work(connection: AsyncConnection[Any]) -> int:
        count = 0
        for site, table in await (await connection.execute(_TABLES, (journal,))).fetchall():
            async for message in of_journal(connection, TableJournal(site, table, journal), begin, end):
                say(message.content)
                count += 1
        if not count:
            return refuse(f"the archive has no message {which}; `dealer-pit gaps` lists what is missing")
        return 0

    return in_one_moment(config.database, work)
