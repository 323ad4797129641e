"""Properties and a head office, each a PostgreSQL of its own, and the messages that properties store."""

import shutil
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import psycopg
from psycopg.sql import SQL, Composed, Identifier, Literal

from controller.pit.archive import SCHEMA, Archive
from controller.pit.cluster import Cluster
from controller.pit.group import HEAD, PROPERTY
from controller.pit.inbox import Message, read
from tests.pit.ingest import sequenced

SETTINGS = "wal_level = logical", "max_slot_wal_keep_size = 64MB", "wal_retrieve_retry_interval = 100ms"


class Group:
    """A head office that is subscribed to the properties of these sites."""

    def __init__(self, folder: Path, *sites: str) -> None:
        self._folder = folder
        self.head = Cluster(folder / "head")
        self.properties = {site: Cluster(folder / site) for site in sites}
        clusters = [self.head, *self.properties.values()]
        _make(clusters)
        with ThreadPoolExecutor() as threads:
            [*threads.map(Cluster.start, clusters)]
        run(self.head, SCHEMA.read_text(encoding="utf-8"), HEAD.read_text(encoding="utf-8"), "SELECT pit.make_months()")

    async def open(self, site: str) -> Archive:
        """The archive of a property, which leads and is published from now on."""
        own = self.properties[site]
        archive = await Archive.open(own.database, site)
        assert await archive.lead_once_free()
        await archive.make_months()
        run(own, PROPERTY.read_text(encoding="utf-8"))
        return archive

    def subscribe(self, site: str) -> None:
        """As the page has it. The line is a link in the file system, which is cut by removing it."""
        self._line(site).symlink_to(self.properties[site].folder)
        line = Literal(f"host={self._line(site)} dbname=postgres user=postgres")
        query = SQL("CREATE SUBSCRIPTION {} CONNECTION {} PUBLICATION pit_group")
        run(self.head, query.format(Identifier(site), line))

    def cut(self, site: str) -> None:
        """The line between head office and property is cut."""
        self._line(site).unlink()
        run(self.properties[site], "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_replication")

    def heal(self, site: str) -> None:
        """The line is there again."""
        self._line(site).symlink_to(self.properties[site].folder)

    def copy(self, site: str) -> Path:
        """All files of a property's database, as a backup of a volume has them, replication slots too."""
        own, copy = self.properties[site], self._folder / f"{site}-yesterday"
        own.stop()
        shutil.copytree(own.folder / "data", copy, copy_function=shutil.copy2)
        own.start()
        return copy

    def put_back(self, site: str, copy: Path) -> None:
        """A property's database is that copy."""
        own = self.properties[site]
        own.stop("immediate")
        shutil.rmtree(own.folder / "data")
        shutil.copytree(copy, own.folder / "data")
        _own(own.folder / "data", own.folder)
        own.start()

    def stop(self) -> None:
        """End all."""
        for server in (self.head, *self.properties.values()):
            server.stop("immediate")

    def _line(self, site: str) -> Path:
        return self._folder / f"{site}-line"


@contextmanager
def group(folder: Path, *sites: str) -> Iterator[Group]:
    """A group that ends with the body."""
    found = Group(folder, *sites)
    try:
        yield found
    finally:
        found.stop()


def _make(clusters: Sequence[Cluster]) -> None:
    """Their files, without a start for each."""
    first, *others = clusters
    first.start()
    first.stop()
    with (first.folder / "data" / "postgresql.conf").open("a") as settings:
        settings.write("\n".join(SETTINGS) + "\n")
    for other in others:
        other.make_folder()
        shutil.copytree(first.folder / "data", other.folder / "data")
        _own(other.folder / "data", other.folder)


def _own(data: Path, like: Path) -> None:
    """Copied files belong to the owner of the folder."""
    owner = like.stat()
    for path in (data, *data.rglob("*")):
        shutil.chown(path, owner.st_uid, owner.st_gid)


def run(cluster: Cluster, *statements: str | Composed) -> None:
    """Give statements, each in a transaction of its own."""
    with psycopg.connect(cluster.database, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement.encode() if isinstance(statement, str) else statement)


def messages_of(site: str, table: str, game: str, journal: str = "j-1") -> list[Message]:
    """The recorded messages of a game as those of a table of a property."""
    published = []
    for topic, payload in sequenced(game):
        text = payload.decode()
        text = text.replace('"source":"/dealer/site/t1/00000000-0000"', f'"source":"/dealer/{site}/{table}/{journal}"')
        text = text.replace('"id":"00000000-0000/', f'"id":"{journal}/')
        assert topic
        published.append(read(site, table, text.encode()))
    return published
