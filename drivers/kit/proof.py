"""Runs a table of assertions one after the other, from where it was interrupted. No files here."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from drivers.device import DeviceName
from drivers.kit.assertion import Assertion, Bench, NotSo
from drivers.kit.shoe import SHOE
from drivers.kit.shuffler import SHUFFLER
from drivers.kit.sign import SIGN
from drivers.kit.slots import SLOTS

ASSERTIONS: dict[DeviceName, Sequence[Assertion]] = {"slots": SLOTS, "shoe": SHOE, "shuffler": SHUFFLER, "sign": SIGN}
"""The assertions of each kind of device."""


@dataclass(frozen=True, slots=True)
class Result:
    """The result of an assertion; `reason` is empty if it is true, `tries` is how often it was tried."""

    id: str
    reason: str
    seconds: float
    tries: int = 1


async def prove_assertion(bench: Bench, assertion: Assertion, tries: int = 1) -> Result:
    """Check one assertion; the device is closed afterwards."""
    clock = asyncio.get_running_loop()
    began, reason = clock.time(), ""
    try:
        await assertion.check(bench)
    except NotSo as why:
        reason = str(why)
    finally:
        await bench.stop()
        bench.order(None)
    await bench.tidy()
    return Result(assertion.id, reason, round(clock.time() - began, 1), tries)


async def prove_all(
    assertions: Sequence[Assertion],
    done: Sequence[Result],
    bench: Bench,
    begins: Callable[[Assertion], None],
    keep: Callable[[Result], None],
    again: Callable[[Assertion, Result], Awaitable[bool]],
) -> None:
    """Check the assertions that are not `done`: `begins` is called with each, and `keep` with its result.

    `again` decides whether a failed assertion is repeated.
    """
    known = {proved.id for proved in done}
    for assertion in assertions:
        if assertion.id in known:
            continue
        begins(assertion)
        result = await prove_assertion(bench, assertion)
        while result.reason and await again(assertion, result):
            result = await prove_assertion(bench, assertion, result.tries + 1)
        keep(result)
