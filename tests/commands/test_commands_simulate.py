"""A simulation does not go on without a part of itself."""

import argparse
import asyncio
from types import SimpleNamespace, TracebackType
from typing import Any, Self

import pytest

from controller.commands import simulate
from controller.station import Station

PATIENCE_SECONDS = 10


class Frozen:
    """An account whose drawing has a defect."""

    def __init__(self, *_: object) -> None: ...

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        pass

    async def draw(self, _: object) -> None:
        raise RuntimeError("a defect")


class Standing(SimpleNamespace):
    """A station that runs until it is stopped."""

    loop = SimpleNamespace(table=SimpleNamespace(round=None, meter=None), sequence=0)
    view = None

    async def run(self) -> None:
        await asyncio.Event().wait()

    stopped = run


async def test_a_drawing_that_fails_ends_the_simulation(monkeypatch: pytest.MonkeyPatch) -> None:
    async def opened(*_: Any) -> Standing:
        return Standing()

    monkeypatch.setattr(simulate, "Account", Frozen)
    monkeypatch.setattr(Station, "open", opened)
    options = argparse.Namespace(rounds=None, json=False, verbose=True)
    config: Any = SimpleNamespace(path="station.toml")
    ended: asyncio.Task[Any] = asyncio.create_task(asyncio.Event().wait())
    table = simulate.SimulatedTable(ended, asyncio.Event())
    with pytest.raises(ExceptionGroup, match="unhandled errors"):
        async with asyncio.timeout(PATIENCE_SECONDS):
            await simulate._Simulation(options)._station(config, table, None)
    ended.cancel()
