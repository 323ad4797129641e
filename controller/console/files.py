"""The page's files: read once when the station starts, and served unchanged."""

import hashlib
import re
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Match, Route
from starlette.types import Receive, Scope, Send

from controller.words import CATALOGUES

PAGE = Path(__file__).parent / "page"
DISPLAY = Path(__file__).parent / "display"
INDEX = "index.html"
STYLE = "style/index.css"
IMPORT = re.compile(rb'@import "([a-z0-9_]+\.css)";\n')
NAMED = re.compile(r"""["'`]([a-z0-9_]+(?:\.[a-z0-9_]+)*\.?)""")
MODE = b"<!-- mode -->"
MODULES = b"<!-- modules -->"
FELTS: list[Path] = sorted((PAGE / "felts").iterdir())
"""The felt of each game, a module by its name, and the style sheets of felts; a game from elsewhere appends its own."""
WHEN_WANTED = "vendor/uPlot.esm.js"  # by the first plot: no dealer waits for it
PIECE_OCTETS = 16 * 1024  # of a file, sent at once
MEDIA_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
}


def page_files(mode: str, game: str, catalogues: Mapping[str, bytes] = CATALOGUES) -> list[Route]:
    """A route for each file: the index at ``/``, the others under ``/page/``, the players' display under ``/display``.

    The index of a simulated table says so in its own text, before any script has run. It names the modules that the
    page of this game uses at once, so that the browser requests them together and not one after the other. The style
    sheets are joined into one file, so that the first paint waits for one answer; so are the catalogues.
    """
    marks = {MODE: b"" if mode == "live" else mode_words(mode, catalogues), MODULES: preloads(PAGE, game)}
    return [words_file(catalogues), *routes_of(PAGE, "/", marks), *_felts(), *routes_of(DISPLAY, "/display", marks)]


def _felts() -> Iterator[Route]:
    """The modules of felts that are not among the page's own files."""
    for path in FELTS:
        if path.suffix == ".js" and PAGE not in path.parents:
            yield Route(f"/page/felts/{path.name}", _served(path.read_bytes(), MEDIA_TYPES[".js"]))


def words_file(catalogues: Mapping[str, bytes] = CATALOGUES, modules: Iterable[str] | None = None) -> Route:
    """A page's texts in every language: all, or those that its modules use."""
    words = {language: _of_page(text) for language, text in catalogues.items()}
    if modules is not None:
        named = {name for text in modules for name in NAMED.findall(text)}
        words = {language: _named(of_page, named) for language, of_page in words.items()}
    return Route("/page/words.json", _served(msgspec.json.encode(words), MEDIA_TYPES[".json"]))


def mode_words(mode: str, catalogues: Mapping[str, bytes] = CATALOGUES) -> bytes:
    """The sentence that the table is a simulation or a shadow table, in every language."""
    return " · ".join(_of_page(text)[mode] for text in catalogues.values()).encode()


def routes_of(folder: Path, index: str | None, marks: Mapping[bytes, bytes]) -> list[Route]:
    """The files of a folder under its name; the index, with its marks replaced, under the address `index`, if given."""
    routes = []
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        address = index if name == INDEX else f"/{folder.name}/{name}"
        if path.suffix not in MEDIA_TYPES or address is None:
            continue
        body = path.read_bytes()
        if name == INDEX:
            for mark, text in marks.items():
                body = body.replace(mark, text)
        if name == STYLE:
            body = _joined(body)
        routes.append(Route(address, _served(body, MEDIA_TYPES[path.suffix])))
    return routes


def _of_page(catalogue: bytes) -> dict[str, Any]:
    """The texts that the page itself shows, and the reasons; the station sends all other texts in every language."""
    words: dict[str, Any] = msgspec.json.decode(catalogue)
    return {key: text for key, text in words.items() if isinstance(text, str) or key == "reasons"}


def _named(words: dict[str, Any], named: Collection[str]) -> dict[str, Any]:
    """The names in a text: each name itself, and its beginning up to a point where the rest is filled in later."""

    def is_named(key: str) -> bool:
        name = key.partition("/")[0]
        ends = [at + 1 for at, char in enumerate(name) if char == "."]
        return name in named or any(name[:end] in named for end in ends)

    return {key: text for key, text in words.items() if is_named(key)} | {"reasons": {}}


def _joined(style: bytes) -> bytes:
    shared = IMPORT.sub(lambda found: (PAGE / STYLE).with_name(found[1].decode()).read_bytes(), style)
    return b"\n".join([shared, *(path.read_bytes() for path in FELTS if path.suffix == ".css")])


def preloads(folder: Path, game: str = "") -> bytes:
    """The links by which an index names every module of its folder but WHEN_WANTED and the felts of other games."""
    links = []
    for path in sorted(folder.rglob("*.js")):
        name = path.relative_to(folder).as_posix()
        if name != WHEN_WANTED and (path.parent.name != "felts" or path.stem == game):
            links.append(f'<link rel="modulepreload" href="/{folder.name}/{name}">')
    return "\n".join(links).encode()


def _served(body: bytes, media_type: str) -> Callable[[Request], Awaitable[Response]]:
    # Asked for again each time, and sent only where it has changed: a station brought up to date has no stale page.
    etag = f'"{hashlib.blake2s(body, digest_size=16).hexdigest()}"'
    headers = {"cache-control": "no-cache", "etag": etag}
    whole, unchanged = Prepared(body, media_type=media_type, headers=headers), Response(None, 304, headers)

    async def serve(request: Request) -> Response:
        return unchanged if request.headers.get("if-none-match") == etag else whole

    return serve


class FixedPaths(BaseRoute):
    """Routes whose paths have no parameters, found by the path: Starlette tries one route after the other."""

    def __init__(self, routes: Iterable[Route]) -> None:
        self._by_path = {route.path: route for route in routes}

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Matches as a route does."""
        route = self._by_path.get(scope["path"])
        return (Match.NONE, {}) if route is None else route.matches(scope)

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, as a route does. Raises KeyError for a path that does not match."""
        await self._by_path[scope["path"]].handle(scope, receive, send)


class Prepared(Response):
    """One answer for every request; it is sent piece by piece, so that no connection holds a copy of it."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """An ASGI application."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        body, size = memoryview(self.body), len(self.body)
        for at in range(0, max(size, 1), PIECE_OCTETS):
            more = at + PIECE_OCTETS < size
            await send({"type": "http.response.body", "body": bytes(body[at : at + PIECE_OCTETS]), "more_body": more})
