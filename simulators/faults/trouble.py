"""The faults at a table: requested on the command line and over a local Unix socket, chosen by chance, and filmed."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path

from simulators.faults.chooser import Chooser
from simulators.faults.games import FaultsOfGame
from simulators.faults.injector import Acts, Injector
from simulators.faults.stage import Stage
from simulators.faults.syntax import Fault
from simulators.felt.camera import Camera
from simulators.pace import Pace

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


class Trouble:
    """The faults of a table; needs a running loop. Devices `film` their faults; `begin` comes once there are acts
    for them.
    """

    def __init__(self, stage: Stage, camera: Camera, struck: Callable[[Fault], object]) -> None:
        self._stage = stage
        self._struck = struck
        self._camera = camera
        self._chooser: Chooser | None = None

    def film(self, device: str, kind: str, on: bool, value: object = None) -> None:
        """A fault of a device strikes, or is over."""
        self._camera.saw("fault", device=device, kind=kind, on=on, **({} if value is None else {"value": value}))
        if self._chooser:
            self._chooser.saw(device, kind, on)

    @contextlib.asynccontextmanager
    async def afoot(
        self,
        acts: Acts,
        *,
        wished: Sequence[Fault],
        rate: float,
        seed: str,
        seats: int,
        of_game: FaultsOfGame,
        pace: Pace,
        source: Callable[[], str],
        socket: Path,
    ) -> AsyncIterator[Injector]:
        """Causes every requested or chosen fault, while the body runs. Raises ValueError for an impossible one."""
        injector = Injector(self._stage, acts, seats, pace.fault_seconds, of_game, self._struck)
        if rate:
            chance = random.Random(f"{seed}/faults")
            self._chooser = Chooser(injector, self._stage, chance, rate, seats, source)
        listener = FaultSocket(socket, injector.obey)
        await listener.open()
        try:
            for fault in wished:
                injector.wish(fault)
            yield injector
        finally:
            injector.close()
            await listener.close()
