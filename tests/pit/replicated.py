"""Two nodes of PostgreSQL, of which one follows the other synchronously; the first is killed and they change places."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg

from controller.pit.cluster import Cluster

FOLLOWED = "ALTER SYSTEM SET synchronous_standby_names = '*'"


@contextmanager
def folder_of_a_database() -> Iterator[Path]:
    """A folder that the server's own user may enter: those of pytest let no other user in."""
    with TemporaryDirectory(prefix="pit-") as folder:
        Path(folder).chmod(0o711)
        yield Path(folder)


class Replicated:
    """What is committed is on both nodes. `database` leads to whichever takes writes."""

    def __init__(self, folder: Path) -> None:
        self._primary, self._standby = (Cluster(folder / name) for name in ("one", "two"))
        self._primary.start()
        hosts = ",".join(str(node.folder) for node in (self._primary, self._standby))
        self.database = f"host={hosts} dbname=postgres user=postgres target_session_attrs=read-write"
        self._follow()

    @property
    def nodes(self) -> tuple[str, str]:
        """The names of both: of the one that takes writes, and of the one that follows it."""
        return self._primary.folder.name, self._standby.folder.name

    def fail_over(self) -> None:
        """Kill the node that takes writes, let the other take them, and bring the first back to follow it."""
        self._primary.stop("immediate")
        self._primary, self._standby = self._standby, self._primary
        self._primary.run("pg_ctl", "promote", "--wait", "--pgdata", self._primary.folder / "data")
        self._follow()

    def stop(self) -> None:
        """End both."""
        for node in (self._standby, self._primary):
            node.stop("immediate")

    def _follow(self) -> None:
        """Copy the node that takes writes as it is now, and follow it; from then on no commit is without the copy."""
        copy = self._standby.folder / "data"
        shutil.rmtree(copy, ignore_errors=True)
        self._standby.make_folder()
        primary = f"host={self._primary.folder} user=postgres"
        self._primary.run(
            "pg_basebackup", "--pgdata", copy, "--dbname", primary, "--write-recovery-conf", "--checkpoint", "fast"
        )
        self._standby.start()
        with psycopg.connect(self._primary.database, autocommit=True) as connection:
            connection.execute(FOLLOWED)
            connection.execute("SELECT pg_reload_conf()")
