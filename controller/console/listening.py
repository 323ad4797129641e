"""The socket of a page: bound here, or inherited from the service manager; and the nftables rules by which only some
users of this computer connect to it.
"""

import asyncio
import os
import re
import socket
from errno import EADDRINUSE

from controller.system.occupants import listener_at

FIRST_KEPT = 3  # descriptor


class CannotListen(Exception):
    """The address is in use, or not this machine's."""


class KeptElsewhere(CannotListen):
    """The socket that the service manager keeps has another address than the setting."""


def bound_socket(address: tuple[str, int], named: str) -> socket.socket:
    """A socket bound to the configured address. Raises CannotListen if it is in use, or not this machine's."""
    host, port = address
    # The protocol named, asyncio sets TCP_NODELAY; left at 0 it does not, and every answer waits 40 ms for an ACK.
    bound = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((host, port))
    except OSError as error:
        bound.close()
        by = listener_at(port) if error.errno == EADDRINUSE else ""
        raise CannotListen(f"{named} = {host}:{port}: {error.strerror}{' by ' if by else ''}{by}") from None
    return bound


def kept_socket(address: tuple[str, int], named: str) -> socket.socket | None:
    """The socket that the service manager keeps while the station restarts (sd_listen_fds protocol), if it has one.

    Raises KeptElsewhere where it listens elsewhere than the setting says.
    """
    if os.environ.get("LISTEN_PID") != str(os.getpid()) or os.environ.get("LISTEN_FDS") != "1":
        return None
    for name in ("LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"):
        os.environ.pop(name, None)
    os.set_inheritable(FIRST_KEPT, False)
    kept = socket.socket(fileno=FIRST_KEPT)
    if kept.getsockname()[:2] != address:
        host, port = kept.getsockname()[:2]
        kept.close()
        raise KeptElsewhere(f"{named} = {address[0]}:{address[1]}: the socket unit listens at {host}:{port}")
    return kept


RULES = "dealer-station.nft"
KIOSK = "kiosk"  # the user as whom the screen runs
ASKED = "127.0.0.254"  # of it the rules drop what is for the console's port; nothing listens there
ANSWER_SECONDS = 1.0


def rules_for(port: int, example: str) -> str:
    """The rules of a console at this port."""
    return re.sub(r"(?m)^define console = \d+$", f"define console = {port}", example)


async def rules_hold(port: int) -> bool:
    """Whether the rules are loaded for this port: then a closed port of this computer does not answer."""
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            _, writer = await asyncio.open_connection(ASKED, port)
    except TimeoutError:
        return True
    except OSError:
        return False
    writer.close()
    return False
