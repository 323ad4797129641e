"""Addresses of servers as text."""


def bracketed(host: str) -> str:
    """A host as a URL, a Host field or `HOST:PORT` has it: an address of IPv6 in brackets (RFC 3986, 3.2.2).

    >>> bracketed("::1"), bracketed("127.0.0.1")
    ('[::1]', '127.0.0.1')
    """
    return f"[{host}]" if ":" in host else host
