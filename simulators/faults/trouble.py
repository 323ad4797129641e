"""The faults at a table: requested on the command line and over the socket, chosen by chance, and filmed."""

import contextlib
import random
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path

from simulators.faults.chooser import Chooser
from simulators.faults.games import FaultsOfGame
from simulators.faults.injector import Acts, Injector
from simulators.faults.listener import FaultSocket
from simulators.faults.stage import Stage
from simulators.faults.syntax import Fault
from simulators.felt.camera import Camera
from simulators.pace import Pace


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
