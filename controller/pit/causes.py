"""Why the pit's database is away: the cause of each error that PostgreSQL, libpq and the system report. No I/O here.

A server reports SQLSTATE codes (PostgreSQL, appendix A). While it has not accepted a connection, libpq passes on its
words alone.
"""

import re
from collections.abc import Mapping
from typing import Literal

import psycopg

DatabaseCause = Literal[
    "unknown", "name_unknown", "nothing_listens", "unreachable", "no_answer", "hung_up", "tls_failed", "credentials",
    "no_database", "connections", "starting", "stopped", "disk_full", "forbidden", "read_only"
]  # fmt: skip
SQLSTATES: Mapping[str, DatabaseCause] = {
    "08000": "hung_up",
    "08003": "hung_up",
    "08006": "hung_up",
    "25006": "read_only",
    "28000": "credentials",
    "28P01": "credentials",
    "3D000": "no_database",
    "42501": "forbidden",
    "53100": "disk_full",
    "53300": "connections",
    "57P01": "stopped",
    "57P02": "stopped",
    "57P03": "starting",
    "57P05": "stopped",
}
PATTERNS: Mapping[str, DatabaseCause] = {  # the first that is found
    "failed to resolve host": "name_unknown",
    "could not translate host name": "name_unknown",
    "password authentication failed": "credentials",
    "no password supplied": "credentials",
    "authentication failed": "credentials",
    "no pg_hba.conf entry": "credentials",
    r'role "[^"]*" does not exist': "credentials",
    r'database "[^"]*" does not exist': "no_database",
    "permission denied for database": "forbidden",
    "too many (clients|connections)": "connections",
    "remaining connection slots": "connections",
    "the database system is": "starting",
    "Connection refused": "nothing_listens",
    "No such file or directory": "nothing_listens",
    "No route to host": "unreachable",
    "Network is unreachable": "unreachable",
    "terminating connection": "stopped",
    "timeout": "no_answer",
    "timed out": "no_answer",
    "certificate|SSL|TLS": "tls_failed",
    "server closed the connection|connection is (lost|closed)|consuming input failed": "hung_up",
}


def why_away(error: psycopg.Error) -> tuple[DatabaseCause, str]:
    """The cause, and the words of the error."""
    words = " ".join(str(error).split())
    if (found := SQLSTATES.get(error.sqlstate or "")) is not None:
        return found, words
    if isinstance(error, psycopg.errors.ConnectionTimeout):
        return "no_answer", words
    return next((cause for pattern, cause in PATTERNS.items() if re.search(pattern, words)), "unknown"), words
