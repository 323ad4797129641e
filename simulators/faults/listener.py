"""The fault socket: one fault a line, one answer a line, on a local Unix socket."""

import asyncio
from collections.abc import Callable
from pathlib import Path

LONGEST_LINE = 1000  # bytes


class FaultSocket:
    """`obey` gets each line and gives the answer."""

    def __init__(self, path: Path, obey: Callable[[str], str]) -> None:
        self._path = path
        self._obey = obey
        self._server: asyncio.Server | None = None
        self._callers: set[asyncio.StreamWriter] = set()

    async def open(self) -> None:
        """Listen."""
        self._path.unlink(missing_ok=True)
        self._server = await asyncio.start_unix_server(self._serve, self._path, limit=LONGEST_LINE)

    async def close(self) -> None:
        """Hang up on everybody."""
        if self._server:
            self._server.close()
        for caller in self._callers:
            caller.close()
        self._path.unlink(missing_ok=True)
        await asyncio.sleep(0)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._callers.add(writer)
        try:
            while line := await reader.readline():
                text = line.decode("utf-8", "replace").strip()
                if text:
                    writer.write(f"{self._obey(text)}\n".encode())
                    await writer.drain()
        except ValueError:
            writer.write(b"error: the line is too long\n")
        except (OSError, EOFError):
            pass
        finally:
            self._callers.discard(writer)
            writer.close()
