"""`dealer-pit simulate`: tables, broker, database and pit on this machine until Ctrl-C; it leaves no files."""

import asyncio
import os
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from itertools import cycle, islice
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from controller.config.checkpoint import make_key
from controller.engine.state.jackpot import MeterOpened
from controller.floor.broker import Broker
from controller.pit.books import Books
from controller.pit.cluster import Cluster, ClusterFailed, programs
from controller.pit.database import connected
from controller.pit.envelopes import of_journal
from controller.pit.inbox import TableJournal
from controller.pit.lease import lease_holder
from controller.pit.ledger.state import PotLedger, new_ledger
from controller.pit.linking import Linking
from controller.pit.links_watch import LinksWatch
from controller.pit.marks import Marks
from controller.pit.picture import Screens, served
from controller.pit.service import Service
from controller.rulebook.cards import DECK
from controller.rulebook.games import FIRST_GAME, GAMES
from controller.rulebook.jackpot_award import Parameters
from controller.system.addresses import bracketed, free_port
from controller.system.tasks import ended
from controller.telemetry.logs import complain
from controller.tlog.notes import SEED_BYTES, Signer

OK, UNAVAILABLE = 0, 69
ARCHIVE = "pit"
SITE = "simulated"
BROKER_SECONDS = 10.0
TABLE_SECONDS = 60.0
STOP_SECONDS = 20.0
POLL_SECONDS = 0.1
LINK, LINKED_GAME = "fortune", FIRST_GAME
OPENED = MeterOpened(
    pot=60_000_000,
    reserve=0,
    parameters=Parameters(
        chip=500,
        minimum=50_000_000,
        increment_bp=7000,
        reserve_bp=1000,
        ceiling=200_000_000,
        overflow_to="overflow",
        unreasonable_chips=7,
        fixed={
            "royal_flush": 5_000_000,
            "straight_flush": 1_000_000,
            "four_of_a_kind": 150_000,
            "full_house": 50_000,
            "flush": 25_000,
        },
    ),
)
"""The linked pot, as a simulated table's own would begin."""
COMMUNITY = (10, 11, 13, 14, 16, 17, 19, 20, 22, 23)  # where those cards are with two to six seats
FLUSH = ("2s", "7s", "Qs")
STACKED = 12  # shuffles of each table: of some the first seat has no chip in
LAST_MESSAGES = 50  # of a table: its end is among them
LAST_LINES = 5  # of what a table reported before it ended
MOSQUITTO = """\
listener {port} 127.0.0.1
allow_anonymous true
persistence false
max_queued_messages 100000
max_packet_size 65536
set_tcp_nodelay true
"""


class CannotSimulate(Exception):
    """Something is not installed or does not come up; the text says what to do."""


class SimulationWishes(msgspec.Struct, frozen=True):
    """The wishes of the command line; without `rounds` the tables play without end."""

    tables: int
    speed: str
    rounds: int | None = None
    listen: tuple[str, int] | None = None
    linked_hit: bool = False


async def simulate(wishes: SimulationWishes) -> int:
    """Runs the simulation until it is cancelled, or all tables have played their rounds; returns the exit code. Raises
    CannotSimulate.
    """
    mosquitto = _wanted()
    async with AsyncExitStack() as open_things:
        folder = open_things.enter_context(_folder())
        _say("starting a database and a broker")
        database = open_things.enter_context(_cluster(folder / "cluster"))
        port = await open_things.enter_async_context(_broker(mosquitto, folder))
        broker, listen = Broker("127.0.0.1", port), wishes.listen or ("127.0.0.1", free_port())
        signer, keys = Signer(LINK, os.urandom(SEED_BYTES)), _table_keys(wishes, folder)
        links = [replace(link, keys=keys) for link in _links(wishes)]
        await open_things.enter_async_context(
            _archiving(broker, database, [Linking(link, database, signer, Marks(folder / "marks")) for link in links])
        )
        screens: dict[str, Screens] = {}
        watch = LinksWatch(database)
        open_things.push_async_callback(ended, asyncio.create_task(watch.run()))
        await open_things.enter_async_context(served(listen, broker, database, links=watch, screens=screens))
        _say(f"starting {_counted(wishes.tables, 'table')}")
        at = _Surroundings(f"mqtt://127.0.0.1:{port}", str(signer.verifier), _page(listen))
        tables = [*_tables(wishes, at, folder)]
        await open_things.enter_async_context(_started(tables))
        screens |= {f"{SITE}/{table.name}": table.screens for table in tables}
        for line in _in_words(tables, port, database, listen):
            _say(line)
        for link in links if wishes.linked_hit else ():
            _say(f"{' and '.join(link.tables)}: the first decks are stacked, and win of the pot that they share")
        code = await _played(tables)
        if code == OK:
            _say(await _archived(database, len(tables)))
            for link in links:
                _say(await _linked(database, link))
        return code


def _say(line: str) -> None:
    print(line, flush=True)


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _wanted() -> str:
    """The program of the broker. Raises CannotSimulate, which names everything that is not installed."""
    lacking = []
    # Debian keeps it out of an ordinary user's PATH.
    mosquitto = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin")
    if mosquitto is None:
        lacking.append("mosquitto")
    try:
        programs()
    except FileNotFoundError:
        lacking.append("postgresql")
    if mosquitto is None or lacking:
        names = " ".join(lacking)
        raise CannotSimulate(f"this needs {names}: install it first (apt-get install {names}, as root)")
    return mosquitto


@contextmanager
def _folder() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="dealer-pit-"))
    folder.chmod(0o711)  # the server of the database is another user where this is root
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _cluster(folder: Path) -> Iterator[str]:
    cluster = Cluster(folder)
    try:
        cluster.start()
    except ClusterFailed as failed:
        raise CannotSimulate(f"the database does not start: {failed}") from None
    try:
        yield cluster.database
    finally:
        cluster.stop("immediate")


@asynccontextmanager
async def _broker(program: str, folder: Path) -> AsyncIterator[int]:
    port = free_port()
    settings, log = folder / "mosquitto.conf", folder / "mosquitto.log"
    settings.write_text(MOSQUITTO.format(port=port), encoding="utf-8")
    process = await _spawn([program, "-c", str(settings)], log)
    try:
        if not await _listens(port, process):
            raise CannotSimulate(f"mosquitto does not listen on port {port}: {_last(log)}")
        yield port
    finally:
        await _end(process)


async def _listens(port: int, process: asyncio.subprocess.Process) -> bool:
    with suppress(TimeoutError):
        async with asyncio.timeout(BROKER_SECONDS):
            while process.returncode is None:
                with suppress(OSError):
                    _, writer = await asyncio.open_connection("127.0.0.1", port)
                    writer.close()
                    return True
                await asyncio.sleep(POLL_SECONDS)
    return False


class _Surroundings(NamedTuple):
    """The facts that each table needs about the pit: addresses of the broker and of the page, and its public key."""

    broker: str
    key: str
    page: str


class _Table:
    """A station on a simulated table, as `dealer-station simulate` runs it.

    `screens` are the addresses of its pages, by name, once it is started.
    """

    def __init__(self, name: str, game: str, arguments: Sequence[str], folder: Path) -> None:
        self.name, self.game = name, game
        self.screens: Screens = {}
        self._arguments = [sys.executable, "-m", "controller", "simulate", *arguments]
        self._log = folder / "log"
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Start the table; its screen answers on return. Raises CannotSimulate."""
        self._process = process = await _spawn(self._arguments, self._log, asyncio.subprocess.PIPE)
        assert process.stdout is not None
        with suppress(TimeoutError):
            async with asyncio.timeout(TABLE_SECONDS):
                async for line in process.stdout:
                    if line.startswith((b"screen ", b"start ")):
                        name, address, *_ = line.decode().split()
                        self.screens[name] = address
                    if "start" in self.screens:
                        screen, panel = self.screens["screen"], self.screens["start"].removesuffix("start")
                        self.screens |= {"display": f"{screen}display", "panel": panel}
                        return
        raise CannotSimulate(f"{self.name} did not come up: {_last(self._log)}")

    async def ended(self) -> int:
        """Waits until the table has ended by itself; returns its exit code."""
        assert self._process is not None and self._process.stdout is not None
        while await self._process.stdout.read(1 << 16):  # of any length, where a line may be too long
            pass
        return await self._process.wait()

    def why(self) -> str:
        """The last line that the table reported."""
        return _last(self._log)

    async def stop(self) -> None:
        """Stop the table."""
        if self._process is not None:
            reading = asyncio.create_task(self.ended())  # what it still says must not hold it up
            await _end(self._process)
            await ended(reading)


def _games(wishes: SimulationWishes) -> Iterator[tuple[str, str]]:
    """The tables by name, and the game of each."""
    for number, game in enumerate(islice(cycle(GAMES), wishes.tables), 1):
        yield f"table-{number}", game


def _links(wishes: SimulationWishes) -> Iterator[PotLedger]:
    """One pot for the tables of a game that has several."""
    tables = tuple(f"{SITE}/{name}" for name, game in _games(wishes) if game == LINKED_GAME)
    if len(tables) > 1:
        yield new_ledger(LINK, LINKED_GAME, tables, OPENED)


def _table_keys(wishes: SimulationWishes, folder: Path) -> dict[str, str]:
    """Makes the keys of the tables that share a pot, where their stations find them; returns the public ones, by
    table.
    """
    keys = {}
    for table in (table for link in _links(wishes) for table in link.tables):
        state = folder / table.rpartition("/")[2] / "state"
        state.mkdir(parents=True)
        keys[table] = str(make_key(state / "table.key", f"dealer/{table}").verifier)
    return keys


def _tables(wishes: SimulationWishes, at: _Surroundings, folder: Path) -> Iterator[_Table]:
    linked = {table for link in _links(wishes) for table in link.tables}
    for number, (name, game) in enumerate(_games(wishes), 1):
        own = folder / name
        own.mkdir(exist_ok=True)
        arguments = ["--site", SITE, "--table", name, "--game", game, "--seed", str(number), "--archive", ARCHIVE]
        arguments += ["--broker", at.broker, "--state-dir", str(own), "--speed", wishes.speed]
        arguments += ["--pit-page", at.page]
        if f"{SITE}/{name}" in linked:
            arguments += ["--link", LINK, "--pit-key", at.key]
            if wishes.linked_hit:
                stack = own / "stack.txt"
                stack.write_text(f"{flush_for_the_first_seat()}\n" * STACKED, encoding="utf-8")
                arguments += ["--stack", str(stack)]
        if wishes.rounds is not None:
            arguments += ["--rounds", str(wishes.rounds)]
        yield _Table(name, game, arguments, own)


def flush_for_the_first_seat() -> str:
    """A deck that gives the first seat a flush, with any of two to six seats in play."""
    spades = iter([*FLUSH, *(card for card in DECK if card[1] == "s" and card not in FLUSH)])
    rest = [card for card in DECK if card[1] != "s"]
    others = (rest[7 * place % len(rest)] for place in range(len(rest)))  # no one else has anything to speak of
    own = (0, 1, 2, *COMMUNITY)
    return " ".join(next(spades if place in own else others) for place in range(len(DECK)))


@asynccontextmanager
async def _started(tables: Sequence[_Table]) -> AsyncIterator[None]:
    """Starts tables, at most one per processor at a time: otherwise each would take minutes instead of seconds."""
    turn = asyncio.Semaphore(os.cpu_count() or 1)

    async def start(table: _Table) -> None:
        async with turn:
            await table.start()

    starting = [asyncio.create_task(start(table)) for table in tables]
    try:
        await asyncio.gather(*starting)
        yield
    finally:
        for task in starting:
            task.cancel()
        await asyncio.wait(starting)
        await asyncio.gather(*(table.stop() for table in tables))


@asynccontextmanager
async def _archiving(broker: Broker, database: str, links: Sequence[Linking]) -> AsyncIterator[None]:
    """Starts the archive before the first table publishes: a table that has ended cannot be asked for messages."""
    service = Service(broker, ARCHIVE, database, lease_holder(), links=links)
    async with asyncio.TaskGroup() as group:
        serving = group.create_task(service.run())
        try:
            await service.listening.wait()
            yield
        finally:
            await ended(serving)


def _page(listen: tuple[str, int]) -> str:
    host, port = listen
    return f"http://{bracketed(host)}:{port}/"


def _in_words(tables: Sequence[_Table], port: int, database: str, listen: tuple[str, int]) -> Iterator[str]:
    yield "SIMULATION: no real money, no real cards"
    wide = max(len(table.game) for table in tables)
    for table in tables:
        yield f"{table.name:<8}  {table.game:<{wide}}  {table.screens['start']}   all its screens"
    yield f"pit       {_page(listen)}   all tables; each leads to its screens"
    yield f'archive   psql "{database}", schema pit'
    yield f"floor     mqtt://127.0.0.1:{port} dealer/{SITE}/#"
    yield "Ctrl-C ends all of it"


async def _played(tables: Sequence[_Table]) -> int:
    """Waits until every table has ended by itself; success means that each has played its rounds."""

    async def play(table: _Table) -> int:
        code = await table.ended()
        if code != OK:
            complain(f"dealer-pit: {table.name} ended (exit {code}): {table.why()}")
        return code

    codes = await asyncio.gather(*map(play, tables))
    return OK if set(codes) == {OK} else UNAVAILABLE


async def _archived(database: str, tables: int) -> str:
    """Waits until the archive has the end of every table, and prints what it has."""
    counts = "SELECT (SELECT count(*) FROM pit.rounds), (SELECT sum(count) FROM pit.messages)"
    journals = 'SELECT site, "table", journal, through FROM pit.journals'
    async with await connected(database) as connection:
        while True:
            closed = 0
            for *names, through in await (await connection.execute(journals)).fetchall():
                last = of_journal(connection, TableJournal(*names), through - LAST_MESSAGES)
                closed += [message.type async for message in last].count("dealer.station.event.table_closed")
            row = await (await connection.execute(counts)).fetchone()
            if row is not None and closed >= tables:
                return f"archived: {_counted(row[0], 'round')} of {_counted(tables, 'table')}, {row[1]} messages"
            await asyncio.sleep(POLL_SECONDS)


async def _linked(database: str, link: PotLedger) -> str:
    """What the pit's tables have contributed to a linked pot, and won from it."""
    async with await connected(database) as connection:
        ledger = await Books(connection, 0).load(link.link)
    paid = sum(claim.paid is not None for claim in ledger.claims.values())
    chips = ledger.pot.chips_counted
    return f"linked: {_counted(chips, 'chip')} of {_counted(len(link.tables), 'table')}, {_counted(paid, 'win')} paid"


async def _spawn(command: Sequence[str], log: Path, stdout: int | None = None) -> asyncio.subprocess.Process:
    with log.open("ab") as log_file:
        return await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=log_file if stdout is None else stdout,
            stderr=log_file,
            start_new_session=True,  # Ctrl-C is for the pit, which then ends the others in its own order
        )


async def _end(process: asyncio.subprocess.Process) -> None:
    for send in (process.terminate, process.kill):
        if process.returncode is None:
            send()
            with suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), STOP_SECONDS)


def _last(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()[-LAST_LINES:]
    return " / ".join(lines) or "it printed nothing"
