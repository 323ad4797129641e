"""When the certificates of a connection expire: the client's, those of its authorities, and the broker's."""

import asyncio
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from math import inf
from pathlib import Path
from typing import Literal

import msgspec
import structlog

from controller.floor.broker import Broker, TlsFiles

SOON_SECONDS = 14 * 24 * 3600.0
LOOK_SECONDS = 600.0
AGAIN_SECONDS = 24 * 3600.0

log = structlog.get_logger()

Whose = Literal["own", "authority", "broker"]


class Ending(msgspec.Struct, frozen=True):
    """A certificate that expires soon or has expired, at a time in seconds of the epoch; `where` is its file or its
    host.
    """

    whose: Whose
    ends: float
    where: str

    @property
    def date(self) -> str:
        """The time, to the minute."""
        return datetime.fromtimestamp(self.ends, UTC).strftime("%Y-%m-%d %H:%M UTC")


async def watch_certificates(
    broker: Broker, broker_ends: Callable[[], float | None], report: Callable[[list[Ending]], None]
) -> None:
    """Report certificates that expire soon, the earliest first, now and then at most once a day, until cancelled."""
    reported: dict[tuple[Ending, ...], float] = {}
    while broker.tls is not None:
        found = await asyncio.to_thread(ending, broker.tls, broker.host, broker_ends(), time.time())
        if found and time.monotonic() - reported.get(tuple(found), -inf) >= AGAIN_SECONDS:
            reported[tuple(found)] = time.monotonic()
            report(found)
        await asyncio.sleep(LOOK_SECONDS)


def log_ending(found: list[Ending]) -> None:
    """Log certificates that expire soon, for a program without alarms."""
    for certificate in found:
        log.warning("a certificate ends soon", whose=certificate.whose, where=certificate.where, ends=certificate.date)


def ending(files: TlsFiles, host: str, broker_ends: float | None, now: float) -> list[Ending]:
    """The certificates that expire within fourteen days, the earliest first.

    A file that cannot be read is skipped: the next connection reports it. If `ca_file` has several authorities of one
    name, as during a renewal, the last counts.
    """
    found = [*_of("own", files.cert_file), *_of("authority", files.ca_file)]
    if broker_ends is not None:
        found.append(Ending("broker", broker_ends, host))
    return sorted((end for end in found if end.ends - now <= SOON_SECONDS), key=lambda end: end.ends)


def _of(whose: Whose, file: Path | None) -> Iterator[Ending]:
    from cryptography.x509 import load_pem_x509_certificates  # here alone, and only where there is TLS

    try:
        certificates = load_pem_x509_certificates(file.read_bytes()) if file is not None else []
    except (OSError, ValueError):
        return
    if whose == "own":
        del certificates[1:]  # behind the first are those of its authorities
    last: dict[bytes, float] = {}
    for certificate in certificates:
        subject, ends = certificate.subject.public_bytes(), certificate.not_valid_after_utc.timestamp()
        last[subject] = max(ends, last.get(subject, ends))
    for ends in sorted(last.values()):
        yield Ending(whose, ends, str(file))
