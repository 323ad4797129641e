"""Addresses of servers as text, and ports of this machine for programs that a bench or a simulation starts."""

import socket


def bracketed(host: str) -> str:
    """A host as a URL, a Host field or `HOST:PORT` has it: an address of IPv6 in brackets (RFC 3986, 3.2.2).

    >>> bracketed("::1"), bracketed("127.0.0.1")
    ('[::1]', '127.0.0.1')
    """
    return f"[{host}]" if ":" in host else host


def free_port() -> int:
    """A TCP port of the loopback that no one uses.

    No other program gets it as long as this process lives, neither by the system's choice nor as the near end of a
    connection; who asks for it by its number, with SO_REUSEADDR as servers do, can listen there.
    """
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", 0))
    port: int = listener.getsockname()[1]
    listener.detach()  # never closed
    return port
