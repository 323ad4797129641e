"""`dealer-station watch`: shows a running station's table in a terminal, from its stream; it changes nothing."""

import argparse
import http.client
import json
import re
import socket
import sys
import time
import unicodedata
from collections.abc import Callable, Iterator
from typing import Any

from controller.command_line.argument import url
from controller.command_line.output import EXIT_REFUSED, EXIT_UNAVAILABLE, refuse
from controller.commands.running import Running, running
from controller.commands.watched import (
    FeltRow,
    PublicDict,
    Sight,
    alarm_state,
    felt_rows,
    hit_lines,
    lines_of_round,
    pot,
    progress_line,
    prompt_line,
    signed,
    title,
)
from controller.commands.watched_changes import change_lines
from controller.engine.shown.public import SCHEMA
from controller.system.addresses import bracketed

Address = tuple[str, int]

DEFAULT: Address = ("127.0.0.1", 8080)
ANSWER_SECONDS = 5.0  # a station answers within milliseconds
SILENCE_SECONDS = 40.0  # the stream has a comment every 15 s
AGAIN_SECONDS = 1.0
MOST_BYTES = 16 * 1024 * 1024  # of one table; the largest is below 100 kB

_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{4}|.)")


class Away(Exception):
    """The station does not answer, or the answer is not a station's; the reason."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Shows table, seats, results, pot, devices, alarms and what happens, until Ctrl-C, also over a restart of the "
        "station. Where the output is no terminal, a line for each thing that happens. It only looks."
    )
    parser.add_argument(
        "--url",
        type=url,
        metavar="http://HOST:PORT",
        help=f"default: the station that runs on this machine, else {address_text(DEFAULT)}",
    )
    parser.add_argument("--once", action="store_true", help="one view, then exit")


def run(options: argparse.Namespace) -> int:
    """Show the table until interrupted, or once; returns the exit code.

    On a terminal it shows one view that changes; elsewhere it prints a line for each change. It waits for a station
    that does not answer; with `--once` it exits with 69 instead.
    """
    found = [Running(options.url, "")] if options.url else running() or [Running(DEFAULT, "")]
    if len(found) > 1:
        choice = "\n".join(f"  dealer-station watch --url {address_text(it.address)}  ({it.table})" for it in found)
        return refuse(f"{len(found)} stations run on this machine:\n{choice}", EXIT_REFUSED)
    address = found[0].address
    sights = followed(address)
    if options.once:
        sight = next(sights)
        if sight.away is not None:
            return refuse(f"{address_text(address)}: {sight.away}", EXIT_UNAVAILABLE)
        if sys.stdout.isatty():
            from controller.commands.watch_screen import show_once

            show_once(sight)
        else:
            print_at_once(view(sight))
        return 0
    if sys.stdout.isatty():
        from controller.commands.watch_screen import show_live

        show_live(sights, address_text(address))
    else:
        for lines in sightings(sights, address_text(address)):
            print_at_once(lines)
    return 0


def address_text(address: Address) -> str:
    """The address as a person writes it."""
    host, port = address
    return f"http://{bracketed(host)}:{port}"


def followed(address: Address, pause: Callable[[float], None] = time.sleep) -> Iterator[Sight]:
    """Every state of the station, across its restarts, without end; an absence is reported once."""
    problem: str | None = None
    while True:
        try:
            for sight in _streamed(address):
                problem = None
                yield sight
            reason = "the station has ended the stream"
        except Away as away:
            reason = str(away)
        if problem is None:
            problem = reason
            yield Sight(away=reason)
        pause(AGAIN_SECONDS)


def sight_of(game: str, projection: bytes) -> Sight:
    """The state of a station from its public table. Raises Away."""
    return Sight(game=game, table=_table(projection))


def _streamed(address: Address) -> Iterator[Sight]:
    """The sights of one connection, until the station ends it. Raises Away."""
    connection = http.client.HTTPConnection(*address, timeout=ANSWER_SECONDS)
    try:
        game = _game(_asked(connection, "/setting", "application/json"))
        connection.close()
        connection.connect()
        line: socket.socket = connection.sock
        answer = _asked(connection, "/stream", "text/event-stream")
        while octets := answer.readline(MOST_BYTES):
            if octets.startswith(b"data:"):
                line.settimeout(SILENCE_SECONDS)
                yield sight_of(game, octets.removeprefix(b"data:"))
    except TimeoutError:
        raise Away("it is silent") from None
    except OSError as failure:
        raise Away(failure.strerror or str(failure)) from None
    except http.client.HTTPException as failure:
        raise Away(f"the line broke: {type(failure).__name__}") from None
    finally:
        connection.close()


def _asked(connection: http.client.HTTPConnection, path: str, kind: str) -> http.client.HTTPResponse:
    connection.request("GET", path)
    answer = connection.getresponse()
    media_type = answer.getheader("content-type", "").partition(";")[0]
    if answer.status != 200 or media_type != kind:
        raise Away(f"no dealer station: {path} gives {answer.status} {media_type}, expected 200 {kind}")
    return answer


def _game(answer: http.client.HTTPResponse) -> str:
    try:
        return str(_decoded(answer.read(MOST_BYTES))["terms"]["game"])
    except (ValueError, TypeError, KeyError):
        raise Away("no dealer station: /setting names no game") from None


def _table(body: bytes) -> PublicDict:
    try:
        table = _decoded(body)
    except ValueError:
        raise Away("no dealer station: /stream is not JSON") from None
    schema = table.get("schema") if isinstance(table, dict) else None
    if schema != SCHEMA:
        raise Away(f"its table has schema {schema}, expected {SCHEMA}: use the watch of its own version")
    return dict(table)


def _decoded(body: bytes) -> Any:
    """JSON without characters that control a terminal: players' names are whatever someone keyed in."""
    text = _ESCAPE.sub(_legible, body.decode().strip())
    if not text.isprintable():
        text = "".join(sign if _is_legible(sign) else "\ufffd" for sign in text)
    return json.loads(text)


def _legible(escape: re.Match[str]) -> str:
    return escape[0] if _is_legible(json.loads(f'"{escape[0]}"')) else "\\ufffd"


def _is_legible(sign: str) -> bool:
    return sign.isprintable() or unicodedata.category(sign) == "Zs"


def sightings(
    sights: Iterator[Sight], station: str, clock: Callable[[], str] = lambda: time.strftime("%H:%M:%S")
) -> Iterator[list[str]]:
    """The table as it is first seen, then every change, as lines with the time at which they were seen."""
    before: PublicDict | None = None
    seen = False
    for sight in sights:
        if sight.away is not None:
            seen = False
            yield [f"{clock()} {station}: {sight.away}; trying again"]
            continue
        lines = change_lines(before, sight.table)
        if before is None:
            yield view(sight)
            lines = []
        elif not seen:
            lines.insert(0, f"{station} answers again")
        if before is not None and before["step"]["kind"] != sight.table["step"]["kind"]:
            lines.append(f"> {prompt_line(sight.table)}")
        if lines:
            yield [f"{clock()} {line}" for line in lines]
        before, seen = sight.table, True


def view(sight: Sight) -> list[str]:
    """One view of the table as plain lines."""
    table = sight.table
    banner = "" if table["mode"] == "live" else f"  {table['mode'].upper()}"
    lines = [f"{title(table, sight.game)}{banner}", f"{progress_line(table)}: {prompt_line(table)}"]
    lines += [alarm_state(alarm) for alarm in table["alarms"]]
    lines += [f"notice: {notice['en']}" for notice in table["notices"]]
    lines += [f"  {line}" for line in lines_of_round(table)]
    lines += [_line(table, row) for row in felt_rows(table)]
    if (meter := pot(table)) is not None:
        lines.append(f"pot {meter}")
    lines += [f"jackpot: {hit}" for hit in hit_lines(table)]
    return [*lines, f"devices: {', '.join(f'{device} {link}' for device, link in table['devices'].items()) or 'none'}"]


def _line(table: PublicDict, row: FeltRow) -> str:
    net = "" if row.net is None else signed(table, row.net)
    parts = (", ".join(row.wagers), row.cards, row.says, net, ", ".join(row.results))
    return f"{'>' if row.due else ' '} {row.place:<10} {'; '.join(part for part in parts if part)}".rstrip()


def print_at_once(lines: list[str]) -> None:
    """Print lines at once."""
    print(*lines, sep="\n", flush=True)
