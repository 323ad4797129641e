"""Security headers on every answer, and the refusal of requests from other origins."""

from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), usb=(), serial=()",
}


class SecurityHeaders:
    """Adds the headers to every answer, and refuses what a page of another origin sends (403).

    `framed` is the origin of which the page may show a frame; none is the rule, and a simulated table has its panel.
    """

    def __init__(self, app: ASGIApp, framed: str = "") -> None:
        self._app = app
        policy = f"{POLICY}; frame-src {framed}" if framed else POLICY
        self._headers = {**HEADERS, "content-security-policy": policy}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """An ASGI application."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers[name] = value
            await send(message)

        if is_foreign(Headers(scope=scope), scope["method"]):
            refusal = PlainTextResponse("requests of a page of another origin are refused", status_code=403)
            await refusal(scope, receive, sent)
            return
        await self._app(scope, receive, sent)


def is_foreign(headers: Headers, method: str) -> bool:
    """Whether a browser says that a page of another origin asks; a program that is no browser says nothing."""
    if headers.get("sec-fetch-site") in ("cross-site", "same-site"):
        # Someone may follow a link to the page itself; a form that is sent here is a navigation too.
        return headers.get("sec-fetch-mode") != "navigate" or method not in ("GET", "HEAD")
    origin = headers.get("origin")
    return origin is not None and urlsplit(origin).netloc != headers.get("host", "")
